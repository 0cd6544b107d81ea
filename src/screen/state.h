/* state.h - what the screen has in hand beside the session, and what its parts do. */
#pragma once

#include "base/builder.h"
#include "chart/matrix.h"
#include "chart/scale.h"
#include "screen/curses.h"
#include "session/session.h"
#include "window/text.h"

/* Lines of text with looks, each without its end. */
typedef struct {
    Arena arena;
    const char *const *line;
    int count;
} Lines;

typedef enum { PANE_MAP, PANE_TENSOR, PANE_WHY, PANE_TEXT, PANES } PaneKind;

/* Where a pane stands: a line with its title, and below it what it shows. */
typedef struct {
    int row, column, rows, columns; /* of what it shows; none: it is not shown */
} Area;

/* Text in a pane that may be longer than it. */
typedef struct {
    Lines lines;
    int top;    /* the first line that is shown */
    int marked; /* a line that is chosen, or -1 */
} Scroll;

/* An index of an axis that can be clicked. */
typedef struct {
    Box box; /* on the screen */
    int axis, index;
} Tab;

enum { TABS_MOST = 40 };

/* The tensor that is looked at, and where. It is known by name: a run that is made anew
 * has another one under it. */
typedef struct {
    char name[256];   /* "": none */
    int at[RANK_MAX]; /* the cell under the cursor */
    int top, left;    /* the first row and column that are shown */
    bool is_table;    /* numbers without colours */
    int rows_shown, columns_shown;
    int cells_row, cells_column, cell_width; /* where they are on the screen */
    Tab tab[TABS_MOST];
    int tabs;
    /* Kept while nothing was run: */
    Arena arena;
    const Tensor *tensor;
    const unsigned char *hidden;
    ScaleKind scale_kind;
    Scale scale;
    int scaled[RANK_MAX]; /* for which matrix the scale is */
    bool is_scaled, sums;
    /* The numbers before the last command, where it changed them. */
    Arena kept;
    Number *before;
    int numbers; /* how many these are */
    int moved;   /* cells that are another number now */
} TensorView;

/* A place on the map, and the stop that it leads to. */
typedef struct {
    Box box; /* on the screen */
    int stop;
} MapTarget;

typedef struct {
    Session *session;
    Area area[PANES];
    PaneKind focus;
    bool is_single; /* only the pane in focus has room */
    TensorView tensor;
    Scroll story; /* of the stop at hand, or what a command said */
    Scroll why;   /* the cell under the cursor taken apart */
    bool shows_why;
    bool why_is_old; /* another cell is under the cursor now */
    Scroll overlay;  /* a long answer of a command, over the panes */
    bool has_overlay;
    char title[128];   /* of the story: the stop, or the command */
    MapTarget *target; /* in `picture` */
    int targets;
    Arena picture; /* of what is drawn now; emptied for the next picture */
    char message[512];
    bool plays;      /* goes on by itself */
    bool has_curve;  /* the story is the curve of a training */
    double live_due; /* when what runs is shown again, in seconds of a clock */
    bool leaves;
} Screen;

/* draw.c: where the panes stand on a screen of this size, and the whole picture. */
enum { LEAST_COLUMNS = 40, LEAST_ROWS = 12 };
void layout_place(Screen *screen);
void screen_draw(Screen *screen);

/* One line in a pane, or the lines of a text from line `top` on. */
void draw_line(const Area *area, int row, const char *line);
void draw_lines(const Area *area, int top, const char *text);
void draw_scroll(const Area *area, Scroll *scroll);
bool has_area(const Area *area);

/* pane_*.c: what each shows. */
const char *pane_map_title(Screen *screen);
void pane_map_draw(Screen *screen);
void pane_map_click(Screen *screen, int row, int column);
const char *pane_tensor_title(Screen *screen);
void pane_tensor_draw(Screen *screen);

/* tensor_view.c: what is looked at. */
void view_follow_stop(Screen *screen);
/* Look at a tensor, and a cell of it; -1: the one that stands out, or the first. */
void view_show(Screen *screen, const Tensor *tensor, int cell);
/* While a line runs, which may do away with the tensor at hand: look at one that is in
 * no record and lasts until the next call; NULL: find the one at hand anew. */
void view_watch(Screen *screen, const Tensor *tensor);
/* The tensor under the name at hand; NULL: there is none. */
const Tensor *view_tensor(Screen *screen);
/* The matrix of the cell under the cursor, its place in it, and its number. */
Matrix view_matrix(const Screen *screen);
int view_row(const Screen *screen);
int view_column(const Screen *screen);
int view_cell(const Screen *screen);
void view_move(Screen *screen, int rows, int columns);
void view_turn_axis(Screen *screen, int step);
void view_turn_layer(Screen *screen, int step);
void view_click(Screen *screen, int row, int column);
/* The address of the matrix that is shown, in `arena`. */
const char *view_address(const Screen *screen, Arena *arena);
/* The cell under the cursor is what commands without an address are about. */
void view_tell(Screen *screen);
/* Before a command, and behind it: which cells it changed. */
void view_keep(Screen *screen);
void view_compare(Screen *screen);

/* ask.c: what goes to the session. */
/* Run a line as at the prompt, and show what it says where it belongs. */
void ask_line(Screen *screen, const char *line);
/* What the model is for, before there is a sentence. */
void ask_greeting(Screen *screen);
/* Take the cell under the cursor apart. */
void ask_why(Screen *screen);
/* Choose the next line of the explanation that leads further, or the one before. */
void why_choose(Screen *screen, int step);
/* Follow that line, or the one with this number; and come back. */
void ask_follow(Screen *screen, int number);
void ask_up(Screen *screen);
/* What was said last, on the whole screen. */
void ask_wide(Screen *screen);
/* Tell of the stop at hand again, for another width. */
void ask_story(Screen *screen);
__attribute__((format(printf, 2, 3))) void screen_say(Screen *screen,
                                                      const char *format, ...);

/* keys.c: what a key or a click does; while a command runs only what needs no other. */
void keys_press(Screen *screen, const Event *event);
void keys_press_idle(Screen *screen, const Event *event);

/* entry.c: let the person edit a line, with readline as at the prompt; NULL where they
 * gave it up. `pastes`: what comes belongs to a paste that has begun. In `arena`. */
const char *entry_read(Screen *screen, const char *prompt, const char *begin_text,
                       bool pastes, Arena *arena);

/* capture.c: what commands say, kept as lines for a pane instead of printed. */
/* A window in the place of a session's own. */
typedef struct {
    Session *session;
    const Window *page, *messages; /* the session's own */
    Window window;                 /* leaves out what is in another pane */
    bool drops_numbers;
    /* Shows what is not kept: how far something is; or NULL. */
    void (*follow)(void *follower, const Block *block);
    void *follower;
    int width, color;
    TextWindow *text;
    Arena arena;
    FILE *out;
    Builder printed;
} Capture;

/* From now on what the session says is kept, `width` cells wide and with these colours.
 * False where there is no memory for it. */
bool capture_begin(Capture *capture, Session *session, int width, Colors colors);

/* The session has its own windows again, and `lines` what was said. */
void capture_end(Capture *capture, Lines *lines);

/* What stands on the session's page, once more for another width. */
void lines_of_page(Session *session, int width, Colors colors, bool drops_numbers,
                   Lines *lines);

/* A copy of the lines of a text, without blank ones before the first and behind the
 * last. */
void lines_take(Lines *lines, const char *text);

/* Add copies of `more`; first forget what there is, unless it `stays`. */
void lines_add(Lines *lines, bool stays, const Lines *more);

void lines_free(Lines *lines);
