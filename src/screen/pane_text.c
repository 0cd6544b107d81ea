#include <string.h>

#include "base/language.h"
#include "explain/ranking.h"
#include "screen/state.h"
#include "session/stops.h"
#include "text/unicode.h"

/* Which tokens of a side the cell under the cursor belongs to, by the place in a
 * matrix; -1: none. */
typedef struct {
    int row, column;
} Marks;

static bool is_along(const Axis *axis, const Side *side) {
    return axis && axis->labels && side->rows && axis->size == side->ids.length &&
           axis->labels == side->label;
}

static Marks marks_on(Screen *screen, const Side *side) {
    Marks marks = {-1, -1};
    if (!view_tensor(screen)) return marks;
    Matrix matrix = view_matrix(screen);
    if (is_along(matrix_axis(&matrix, false), side)) marks.row = view_row(screen);
    if (is_along(matrix_axis(&matrix, true), side)) marks.column = view_column(screen);
    return marks;
}

/* One token: [so] where it asks, {so} where it is asked. */
static const char *token_text(const char *label, bool asks, bool is_asked,
                              Arena *arena) {
    const char *safe = unicode_escape(label, strlen(label), arena);
    if (asks && is_asked) return arena_print(arena, "\x1b[0;1;7m[{%s}]\x1b[0m", safe);
    if (asks) return arena_print(arena, "\x1b[0;1;7m[%s]\x1b[0m", safe);
    if (is_asked) return arena_print(arena, "\x1b[0;1;4m{%s}\x1b[0m", safe);
    return safe;
}

/* Cells up to and with token `last`, from `first` on. */
static int width_of(const Side *side, int row, int first, int last) {
    int width = first > 0 ? 2 : 0;
    for (int t = first; t <= last; t++)
        width +=
            3 + (side->sentence[row].label ? unicode_width(side->sentence[row].label[t])
                                           : 4);
    return width;
}

static void draw_side(Screen *screen, const Side *side, int line, const char *name) {
    const Area *area = &screen->area[PANE_TEXT];
    Arena *arena = &screen->picture;
    int row = screen->session->run->row;
    if (!side->rows) return;
    Marks marks = marks_on(screen, side);
    int last = marks.row > marks.column ? marks.row : marks.column;
    int first = 0;
    int name_width = unicode_width(name) + 2;
    int count = side->sentence[row].count;
    if (last >= count) last = count - 1;
    while (first < last &&
           width_of(side, row, first, last) > area->columns - name_width)
        first++;
    /* The tokens of a side from `first` on. */
    const char *text = first > 0 ? "… " : "";
    const Sentence *sentence = &side->sentence[row];
    for (int t = first; t < sentence->count; t++) {
        const char *label = sentence->label ? sentence->label[t]
                                            : arena_print(arena, "%d", sentence->id[t]);
        text = arena_print(arena, "%s%s%s", text, t > first ? " " : "",
                           token_text(label, t == marks.row, t == marks.column, arena));
    }
    draw_line(area, line, arena_print(arena, "\x1b[0;2m%s\x1b[0m  %s", name, text));
}

/* "·in → ·Busan 0.93  ·the 0.02": what could stand behind a word of the target. */
static const char *candidates(Screen *screen, int place) {
    enum { MOST = 4 };
    const Session *session = screen->session;
    const Tensor *p = tape_find(&session->run->tape, "probabilities");
    Arena *arena = &screen->picture;
    if (place < 0 || !p || p->rank != 3 || place >= p->axis[1].size) return NULL;
    int size = tensor_row(p);
    int best[MOST] = {0};
    const Number *share =
        p->data + (session->run->row * p->axis[1].size + place) * size;
    ranking_best(share, size, best, MOST);
    const char *text = arena_print(
        arena, "%s →", address_label(&p->axis[1], session->run->row, place, arena));
    for (int b = 0; b < MOST && b < size; b++)
        text = arena_print(arena, "%s  %s %.2f", text,
                           address_label(&p->axis[2], 0, best[b], arena),
                           (double)share[best[b]]);
    return unicode_escape(text, strlen(text), arena);
}

static const char *answer_line(Screen *screen) {
    const Session *session = screen->session;
    Arena *arena = &screen->picture;
    Story story = session_story(session);
    const Answer *kept = &session->run->answer[session->run->row];
    Answer answer = kept->text ? *kept : answer_of(&story, arena);
    return answer.text ? arena_print(arena, "\x1b[0;1m%s\x1b[0m   %s", answer.text,
                                     answer_sure(&answer, arena))
                       : "";
}

void pane_text_draw(Screen *screen) {
    Session *session = screen->session;
    if (!session->run->is_made) return;
    draw_side(screen, &session->run->source, 0, said(N_("source")));
    draw_side(screen, &session->run->target, 1, said(N_("target")));
    /* The place of the target that the cell under the cursor, or the step at hand, is
     * about; -1: none. */
    int step = session->run->stage >= 0 ? stops_step(session, session->run->stage) : -1;
    const char *next = candidates(
        screen, (step >= 0 ? step : marks_on(screen, &session->run->target).row));
    draw_line(&screen->area[PANE_TEXT], 2, next ? next : answer_line(screen));
}
