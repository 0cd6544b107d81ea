/* state.h - the state of the screen in addition to the session, and the functions of
 * its parts. */
#pragma once

#include "base/builder.h"
#include "chart/matrix.h"
#include "chart/scale.h"
#include "screen/curses.h"
#include "session/session.h"
#include "window/text.h"

/* Lines of text with their looks and items. */
typedef struct {
    Arena arena;
    Styled *line;
    int count, capacity;
} Lines;

typedef enum { PANE_MAP, PANE_TENSOR, PANE_WHY, PANE_TEXT, PANES } PaneKind;

/* Position of a pane: a title line, and the content below it. */
typedef struct {
    int row, column, rows, columns; /* of the content; 0 rows: the pane is not shown */
} Area;

/* Scrollable text in a pane. */
typedef struct {
    Lines lines;
    int top;    /* the first visible line */
    int marked; /* the selected line, or -1 */
} Scroll;

/* An index of an axis that can be clicked. */
typedef struct {
    Box box; /* on the screen */
    int axis, index;
} Tab;

enum { TABS_MAX = 40 };

/* The tensor in view, and the cursor. It is stored by name, because a new run has
 * another tensor of that name. */
typedef struct {
    char name[256];   /* "": none */
    int at[RANK_MAX]; /* the cell under the cursor */
    int top, left;    /* the first visible row and column */
    bool is_table;    /* numbers without colors */
    int rows_shown, columns_shown;
    int cells_row, cells_column, cell_width; /* position on the screen */
    Tab tab[TABS_MAX];
    int tabs;
    /* Valid until the next run: */
    Arena arena;
    const Tensor *tensor;
    const unsigned char *hidden;
    ScaleKind scale_kind;
    Scale scale;
    int scaled[RANK_MAX]; /* the matrix that the scale belongs to */
    bool is_scaled, sums;
    /* The numbers before the last command, if it changed them. */
    Arena kept;
    Number *before;
    int numbers; /* their count */
    int moved;   /* number of cells that changed */
} TensorView;

/* A box on the map and the stop that it selects. */
typedef struct {
    Box box; /* on the screen */
    int stop;
} MapTarget;

typedef struct {
    Session *session;
    Area area[PANES];
    PaneKind focus;
    bool is_single; /* there is room for the focused pane only */
    TensorView tensor;
    Scroll story; /* the current stop, or the output of a command */
    Scroll why;   /* the explanation of the cell under the cursor */
    bool shows_why;
    bool why_is_old; /* the cursor has moved to another cell */
    Scroll overlay;  /* a long output, on top of the panes */
    bool has_overlay;
    char title[128];   /* of the story: the stop, or the command */
    MapTarget *target; /* in `picture` */
    int targets;
    Arena picture; /* memory for the current picture, emptied for the next */
    char message[512];
    bool has_lesson; /* the story is a lesson's */
    bool plays;      /* the walk advances automatically */
    bool has_curve;  /* the story shows the loss curve of a training */
    double live_due; /* time of the next update during a computation, in seconds */
    bool leaves;
} Screen;

/* draw.c: the layout of the panes on a screen of this size, and the whole picture. */
enum { LEAST_COLUMNS = 40, LEAST_ROWS = 12 };
void layout_place(Screen *screen);
void screen_draw(Screen *screen);

extern const Look look_chosen;
/* Draw one line in a pane: plain, with a look, or with several. */
void draw_line(const Area *area, int row, const char *line);
void draw_look(const Area *area, int row, Look look, const char *line);
void draw_styled(const Area *area, int row, const Styled *line);
/* Draw the lines of a picture, from line `top` on. */
void draw_grid(const Area *area, int top, const Canvas *grid);
void draw_scroll(const Area *area, Scroll *scroll);
bool has_area(const Area *area);

/* pane_*.c: the content of each pane. */
const char *pane_map_title(Screen *screen);
void pane_map_draw(Screen *screen);
void pane_map_click(Screen *screen, int row, int column);
const char *pane_tensor_title(Screen *screen);
void pane_tensor_draw(Screen *screen);

/* tensor_view.c: the tensor in view. */
void view_follow_stop(Screen *screen);
/* Show a tensor with the cursor on a cell; -1: the most notable one, or the first. */
void view_show(Screen *screen, const Tensor *tensor, int cell);
/* During a command, which may free the tensor in view: show another tensor, outside of
 * any record, that lives until the next call. NULL: find the one in view again. */
void view_watch(Screen *screen, const Tensor *tensor);
/* Return the tensor with the name in view, or NULL. */
const Tensor *view_tensor(Screen *screen);
/* The matrix of the cell under the cursor, its row and column, and its cell number. */
Matrix view_matrix(const Screen *screen);
int view_row(const Screen *screen);
int view_column(const Screen *screen);
int view_cell(const Screen *screen);
void view_move(Screen *screen, int rows, int columns);
void view_turn_axis(Screen *screen, int step);
void view_turn_layer(Screen *screen, int step);
void view_click(Screen *screen, int row, int column);
/* Return the address of the visible matrix, in `arena`. */
const char *view_address(const Screen *screen, Arena *arena);
/* Make the cell under the cursor the default of commands without an address. */
void view_tell(Screen *screen);
/* Call before and after a command to find the cells that it changed. */
void view_keep(Screen *screen);
void view_compare(Screen *screen);

/* ask.c: commands to the session. */
/* Run a line as at the prompt, and show its output in the right pane. */
void ask_line(Screen *screen, const char *line);
/* Show what the model is for, before there is a sentence. */
void ask_greeting(Screen *screen);
/* Explain the cell under the cursor. */
void ask_why(Screen *screen);
/* Select the next (previous) term or branch of the explanation. */
void why_choose(Screen *screen, int step);
/* Follow that one, or the one with this number; and return. */
void ask_follow(Screen *screen, int number);
void ask_up(Screen *screen);
/* Show the last output on the whole screen. */
void ask_wide(Screen *screen);
/* Show the current stop again, for another width. */
void ask_story(Screen *screen);
__attribute__((format(printf, 2, 3))) void screen_say(Screen *screen,
                                                      const char *format, ...);

/* keys.c: handle a key or a click; during a command only keys that run no command. */
void keys_press(Screen *screen, const Event *event);
void keys_press_idle(Screen *screen, const Event *event);

/* entry.c: edit a line with readline, as at the prompt. Return it, in `arena`, or NULL
 * if the user cancels. `pastes`: the input starts inside a paste. */
const char *entry_read(Screen *screen, const char *prompt, const char *begin_text,
                       bool pastes, Arena *arena);

/* capture.c: keep the output of commands as lines for a pane. */
/* A window that replaces those of a session. */
typedef struct {
    Session *session;
    const Window *page, *messages; /* those of the session */
    Window window;                 /* omits what another pane shows */
    bool drops_numbers;
    /* Called for blocks that are not kept, such as progress; or NULL. */
    void (*follow)(void *follower, const Block *block);
    void *follower;
    int width, color;
    TextWindow *text;
    Arena arena;
    FILE *out;
    Styled printed;
} Capture;

/* Start to keep the output of the session, `width` cells wide, with these colors.
 * Return false if there is no memory for it. */
bool capture_begin(Capture *capture, Session *session, int width, Colors colors);

/* Restore the windows of the session and move the output to `lines`. */
void capture_end(Capture *capture, Lines *lines);

/* Format the session's page again, for another width. */
void lines_of_page(Session *session, int width, Colors colors, bool drops_numbers,
                   Lines *lines);

/* Copy the lines of a text, without blank lines at the start and the end. */
void lines_take(Lines *lines, const Styled *text);

/* Return the number of the term or branch that a line shows, or 0. */
int lines_item(const Lines *lines, int line);

/* Append copies of `more`; first remove the old lines, unless `stays`. */
void lines_add(Lines *lines, bool stays, const Lines *more);

void lines_free(Lines *lines);
