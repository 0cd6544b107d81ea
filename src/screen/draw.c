#include <string.h>

#include "base/language.h"
#include "player/player.h"
#include "screen/state.h"
#include "session/stops.h"
#include "text/unicode.h"
#include "walk/story.h"

/* Sizes of panes in cells. */
enum {
    TEXT_ROWS = 2, /* source and target */
    TITLE = 1,     /* above each pane */
    COMMAND = 1,   /* the last line */
    NARROW = 76,   /* below these columns only one pane is shown */
    LOW = 18,      /* or below these rows */
    WIDE = 118,    /* from here on there are three panes in a row */
    MAP_NARROW = 26,
    MAP_WIDE = 36,
    WHY_WIDE = 42,
    READ_WIDE = 40, /* extra columns for a lesson, if there is room */
};

const Look look_chosen = {LOOK_DEFAULT, LOOK_DEFAULT, .bold = true, .turned = true};

static Area area(int row, int column, int rows, int columns) {
    return (Area){row + TITLE, column, rows - TITLE, columns};
}

void layout_place(Screen *screen) {
    const Session *session = screen->session;
    int rows = curses_rows();
    int columns = curses_columns();
    Area *areas = screen->area;
    for (int p = 0; p < PANES; p++) areas[p] = (Area){0};
    screen->is_single = columns < NARROW || rows < LOW;
    int text = TEXT_ROWS + TITLE + (!screen->is_single && rows >= 2 * LOW);
    areas[PANE_TEXT] = area(rows - COMMAND - text, 0, text, columns);
    rows -= text + COMMAND;
    if (screen->is_single) {
        if (screen->focus == PANE_TEXT) screen->focus = PANE_TENSOR;
        areas[screen->focus] = area(0, 0, rows, columns);
    } else if (columns < WIDE) { /* explanation below the tensor */
        int map = MAP_NARROW;
        int right = columns - map - 1;
        /* Lessons and the greeting need more room than an explanation. */
        bool reads =
            !screen->shows_why && (session->lesson.is_open || !session->run->is_made);
        int upper = reads ? rows * 2 / 5 : rows * 3 / 5;
        areas[PANE_MAP] = area(0, 0, rows, map);
        areas[PANE_TENSOR] = area(0, map + 1, upper, right);
        areas[PANE_WHY] = area(upper, map + 1, rows - upper, right);
    } else { /* explanation next to the tensor */
        int more = columns - WIDE;
        int map = MAP_WIDE + more / 4;
        int why = WHY_WIDE + more / 4;
        if (session->lesson.is_open && more >= READ_WIDE) why += READ_WIDE / 2;
        areas[PANE_MAP] = area(0, 0, rows, map);
        areas[PANE_TENSOR] = area(0, map + 1, rows, columns - map - why - 2);
        areas[PANE_WHY] = area(0, columns - why, rows, why);
    }
}

bool has_area(const Area *area) {
    return area->rows > 0 && area->columns > 0;
}

void draw_styled(const Area *area, int row, const Styled *line) {
    Arena arena = {0};
    LookSpan span = {.look = look_plain};
    if (row < 0 || row >= area->rows) return;
    const char *text = arena_copy(&arena, line->text.text, (size_t)line->text.count);
    const char *shown = unicode_cut(text, area->columns, &arena);
    int length = (int)strlen(shown);
    int same = strcmp(shown, text) == 0 ? length : length - (int)strlen("…");
    int column = 0;
    for (int at = 0, end; at < length; at = end) {
        end = length;
        if (at < same) end = styled_span(line, at, &span);
        if (at < same && end > same) end = same;
        column += curses_write(area->row + row, area->column + column,
                               area->columns - column, shown + at, end - at, span.look);
    }
    arena_free(&arena);
}

void draw_look(const Area *area, int row, Look look, const char *line) {
    Arena arena = {0};
    Styled styled = {.text.arena = &arena};
    styled_add(&styled, look, "%s", line);
    draw_styled(area, row, &styled);
    arena_free(&arena);
}

void draw_line(const Area *area, int row, const char *line) {
    draw_look(area, row, look_plain, line);
}

static void draw_letter(int row, int column, const char *letter) {
    curses_write(row, column, 1, letter, (int)strlen(letter), look_plain);
}

void draw_grid(const Area *area, int top, const Canvas *grid) {
    Arena arena = {0};
    Styled lines = {.text.arena = &arena};
    grid_write(grid, &lines);
    int row = -top;
    for (int at = 0, end; at < lines.text.count; at = end + 1, row++) {
        for (end = at; lines.text.text[end] != '\n';) end++;
        Styled line = {.text.arena = &arena};
        styled_add_part(&line, &lines, at, end);
        draw_styled(area, row, &line);
    }
    arena_free(&arena);
}

void draw_scroll(const Area *area, Scroll *scroll) {
    int max = scroll->lines.count - area->rows;
    if (scroll->marked >= 0) {
        if (scroll->marked < scroll->top) scroll->top = scroll->marked;
        if (scroll->marked >= scroll->top + area->rows)
            scroll->top = scroll->marked - area->rows + 1;
    }
    if (scroll->top > max) scroll->top = max;
    if (scroll->top < 0) scroll->top = 0;
    /* The scroll marks have their own column, since they cannot cover half of a wide
     * letter. */
    Area text = *area;
    if (max > 0) text.columns--;
    for (int row = 0; row < area->rows; row++) {
        int line = scroll->top + row;
        if (line >= scroll->lines.count) break;
        draw_styled(&text, row, &scroll->lines.line[line]);
        if (line == scroll->marked)
            curses_turn(area->row + row, area->column, area->columns);
    }
    if (scroll->top < max)
        draw_letter(area->row + area->rows - 1, area->column + area->columns - 1, "▼");
    if (scroll->top > 0) draw_letter(area->row, area->column + area->columns - 1, "▲");
}

/* Return the keys that work in the focused pane. */
static const char *keys_here(Screen *screen) {
    const Session *session = screen->session;
    if (player_wants_answer(session))
        return tr(N_("i answer  :hint  :skip  Tab panes  ? keys  q leave"));
    if (session->lesson.is_open || session->run->walks_back)
        return tr(N_("Enter continue  : command  Tab panes  ? keys  q leave"));
    if (!session->run->is_made)
        return tr(N_("i type a sentence  : command  ? keys  q leave"));
    if (screen->focus == PANE_WHY && screen->shows_why)
        return tr(N_("Enter follow the line  Backspace back  Esc numbers  ? keys"));
    const Tensor *tensor = view_tensor(screen);
    int head = tensor ? tensor_axis(tensor, "head") : -1;
    bool has_heads = head >= 0 && tensor->axis[head].size > 1;
    if (screen->focus == PANE_TENSOR && session->run->stage >= 0)
        return tr(has_heads
                      ? N_("n next  p back  Enter why  [ ] head  i sentence  ? keys  q "
                           "leave")
                      : N_("n next  p back  Enter why  i sentence  ? keys  q leave"));
    return tr(N_("n next  p back  Tab panes  : command  i sentence  ? keys  q leave"));
}

/* The tokens of a side that belong to the cell under the cursor; -1: none. */
typedef struct {
    int row, column;
} Marks;

static Marks marks_on(Screen *screen, const Side *side) {
    Marks marks = {-1, -1};
    if (!view_tensor(screen) || !side->rows) return marks;
    Matrix matrix = view_matrix(screen);
    for (int across = 0; across < 2; across++) {
        const Axis *axis = matrix_axis(&matrix, across);
        if (!axis || !axis->labels || axis->labels != side->label ||
            axis->size != side->ids.length)
            continue;
        if (across)
            marks.column = view_column(screen);
        else
            marks.row = view_row(screen);
    }
    return marks;
}

/* Draw the tokens: [so] for the query, {so} for the key, and as many before them as
 * fit.
 */
static void draw_side(Screen *screen, const Side *side, int line, const char *name) {
    static const Look key = {LOOK_DEFAULT, LOOK_DEFAULT, .bold = true,
                             .underlined = true};
    const Area *area = &screen->area[PANE_TEXT];
    Arena *arena = &screen->picture;
    if (!side->rows) return;
    const Sentence *sentence = &side->sentence[screen->session->run->row];
    Marks marks = marks_on(screen, side);
    const char **label = ARENA_ARRAY(arena, const char *, sentence->count + 1);
    for (int t = 0; t < sentence->count; t++)
        label[t] = sentence->label ? unicode_escape(sentence->label[t],
                                                    strlen(sentence->label[t]), arena)
                                   : arena_print(arena, "%d", sentence->id[t]);
    int first = marks.row > marks.column ? marks.row : marks.column;
    if (first >= sentence->count) first = sentence->count - 1;
    int room = area->columns - unicode_width(name) - 4;
    for (int t = first; t >= 0; t--) {
        room -= 3 + unicode_width(label[t]);
        if (room + 2 * (t == 0) >= 0) first = t;
    }
    Styled text = {.text.arena = arena};
    styled_add(&text, look_faint, "%s", name);
    styled_add(&text, look_plain, first > 0 ? "  …" : " ");
    for (int t = first < 0 ? 0 : first; t < sentence->count; t++) {
        bool asks = t == marks.row;
        bool is_asked = t == marks.column;
        styled_add(&text, look_plain, " ");
        styled_add(&text,
                   asks       ? look_chosen
                   : is_asked ? key
                              : look_plain,
                   "%s%s%s%s%s", asks ? "[" : "", is_asked ? "{" : "", label[t],
                   is_asked ? "}" : "", asks ? "]" : "");
    }
    draw_styled(area, line, &text);
}

/* Add "·in → ·Busan 0.93  ·the 0.02", the candidates for the next word of the target;
 * or nothing. */
static void add_candidates(const Session *session, int place, Styled *line) {
    enum { CANDIDATES_MAX = 4 };
    const Tensor *p = tape_find(&session->run->tape, "probabilities");
    Arena *arena = line->text.arena;
    if (place < 0 || !p || p->rank != 3 || place >= p->axis[1].size) return;
    int size = tensor_row(p);
    int best[CANDIDATES_MAX] = {0};
    const Number *share =
        p->data + (session->run->row * p->axis[1].size + place) * size;
    ranking_best(share, size, best, CANDIDATES_MAX);
    const char *label = address_label(&p->axis[1], session->run->row, place, arena);
    styled_add(line, look_plain, "%s →", unicode_escape(label, strlen(label), arena));
    for (int b = 0; b < CANDIDATES_MAX && b < size; b++) {
        label = address_label(&p->axis[2], 0, best[b], arena);
        styled_add(line, look_plain, "  %s %.2f",
                   unicode_escape(label, strlen(label), arena), (double)share[best[b]]);
    }
}

static void draw_sentence(Screen *screen) {
    Session *session = screen->session;
    Arena *arena = &screen->picture;
    if (!session->run->is_made) return;
    bool alone = config_is_decoder_alone(&session->model.config);
    const char *above = alone ? tr(N_("prompt")) : tr(N_("source"));
    const char *below = alone ? tr(N_("text")) : tr(N_("target"));
    int width = unicode_width(above) > unicode_width(below) ? unicode_width(above)
                                                            : unicode_width(below);
    draw_side(screen, &session->run->source, 0,
              unicode_pad(above, width, false, arena));
    draw_side(screen, &session->run->target, 1,
              unicode_pad(below, width, false, arena));
    /* The target position of the current step or of the cell under the cursor; -1:
     * none. */
    int step = session->run->stage >= 0 ? stops_step(session, session->run->stage) : -1;
    if (step < 0) step = marks_on(screen, &session->run->target).row;
    Styled line = {.text.arena = arena};
    add_candidates(session, step, &line);
    if (!line.text.count) { /* the answer */
        const Story story = session_story(session);
        const Answer *kept = &session->run->answer[session->run->row];
        Answer answer = kept->text ? *kept : answer_of(&story, arena);
        if (answer.text) {
            styled_add(&line, look_bold, "%s", answer.text);
            styled_add(&line, look_plain, "   %s", answer_sure(&answer, arena));
        }
    }
    draw_styled(&screen->area[PANE_TEXT], 2, &line);
}

static void draw_panes(Screen *screen) {
    const char *story = *screen->title ? screen->title : tr(N_("story"));
    const char *title[PANES] = {pane_map_title(screen), pane_tensor_title(screen),
                                screen->shows_why ? tr(N_("why")) : story,
                                tr(N_("sentence"))};
    for (PaneKind p = 0; p < PANES; p++) {
        const Area *area = &screen->area[p];
        if (!has_area(area)) continue;
        /* "── map: boxes ─────" above the pane, in reverse if it has the focus. */
        bool has_focus = screen->focus == p;
        const char *words = unicode_cut(title[p], area->columns - 4, &screen->picture);
        Area over = {area->row - 1, area->column, 1, area->columns};
        for (int i = 3 + unicode_width(words); i < area->columns; i++)
            draw_letter(over.row, over.column + i, "─");
        draw_look(
            &over, 0, has_focus ? look_chosen : look_faint,
            arena_print(&screen->picture, "%s %s ", has_focus ? "▸" : "─", words));
        if (p == PANE_MAP) pane_map_draw(screen);
        if (p == PANE_TENSOR) pane_tensor_draw(screen);
        if (p == PANE_TEXT) draw_sentence(screen);
        if (p == PANE_WHY)
            draw_scroll(area, screen->shows_why ? &screen->why : &screen->story);
    }
    for (PaneKind p = 0; p < PANE_TEXT; p++) { /* lines between adjacent panes */
        const Area *area = &screen->area[p];
        if (!has_area(area) || area->column == 0) continue;
        for (int row = -1; row < area->rows; row++)
            draw_letter(area->row + row, area->column - 1, "│");
    }
}

void screen_draw(Screen *screen) {
    static const Look turned = {LOOK_DEFAULT, LOOK_DEFAULT, .turned = true};
    Arena *arena = &screen->picture;
    Area all = {0, 0, curses_rows(), curses_columns()};
    Area over = {0, 0, all.rows - 1, all.columns};
    arena_reset(arena);
    curses_clear();
    if (all.rows < LEAST_ROWS || all.columns < LEAST_COLUMNS) {
        draw_line(&all, 0, tr(N_("too small")));
        draw_line(&all, 1, trf(arena, "at least %d x %d", LEAST_COLUMNS, LEAST_ROWS));
        return;
    }
    if (screen->has_overlay) { /* output of a command, above the last line */
        draw_scroll(&over, &screen->overlay);
        draw_look(&all, all.rows - 1, turned,
                  arena_print(arena, " %s ",
                              tr(N_("Enter: back to the panes   arrows: scroll"))));
        return;
    }
    layout_place(screen);
    draw_panes(screen);
    if (*screen->message) {
        /* A long message covers up to MESSAGE_ROWS_MAX lines at the bottom. */
        enum { MESSAGE_ROWS_MAX = 6 };
        int rows = 0;
        for (const char *rest = screen->message; *rest && rows < MESSAGE_ROWS_MAX;
             rows++) {
            rest += look_fold(rest, all.columns);
            rest += strspn(rest, " ");
        }
        const char *rest = screen->message;
        for (int r = rows; r > 0; r--, rest += strspn(rest, " ")) {
            size_t length = look_fold(rest, all.columns);
            const char *line = arena_copy(arena, rest, length);
            draw_line(&all, all.rows - r, unicode_pad(line, all.columns, false, arena));
            rest += length;
        }
    } else
        draw_look(&all, all.rows - 1, look_faint, keys_here(screen));
}
