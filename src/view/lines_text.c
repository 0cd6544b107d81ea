#include <math.h>

#include "base/language.h"
#include "text/unicode.h"
#include "view/lines.h"

/* How many words a word's line names: of all, and of one that was chosen. */
enum { PARTNERS = 3, PARTNERS_MOST = 8 };
/* So many words are told one by one. */
enum { WORDS_TOLD = 40 };

typedef struct {
    const char **line;
    int count, capacity;
} TextLines;

static void add(Work *work, TextLines *text, const char *line) {
    int most = (int)work->canvas->metrics.most;
    ARENA_GROW(work->arena, text->line, text->count, text->capacity);
    text->line[text->count++] = most > 0 ? unicode_cut(line, most, work->arena) : line;
}

/* The strongest partner of `row` behind one as strong as `before` at `place`, or -1. */
static int next_partner(const Lines *lines, const Matrix *head, int row, double before,
                        int place) {
    int best = -1;
    for (int c = 0; c < head->columns; c++) {
        if (lines_leave_out(lines, head, row, c)) continue;
        double value = matrix_value(head, row, c);
        bool comes = value < before || (value == before && c > place);
        if (comes && (best < 0 || value > matrix_value(head, row, best))) best = c;
    }
    return best;
}

/* "나는 → <end> 0.28, 나는 0.20": whom the word asks most, at most so many. */
static const char *partners(const Lines *lines, const LinesPair *pair,
                            const Matrix *head, int row, int most, Arena *arena) {
    const char *line = arena_print(arena, "%s →", pair->asking[row]);
    double before = INFINITY;
    int place = -1;
    for (int i = 0; i < most; i++) {
        place = pair->column == LINES_ALL
                    ? next_partner(lines, head, row, before, place)
                    : pair->column;
        if (place < 0) break;
        before = matrix_value(head, row, place);
        bool none = matrix_is_hatched(head, row, place);
        const char *number = none ? "-" : arena_print(arena, "%.2f", before);
        line = arena_print(arena, "%s%s %s %s", line, i ? "," : "", pair->asked[place],
                           number);
        if (pair->column != LINES_ALL) break;
    }
    return line;
}

static bool is_told(const LinesPair *pair, int row) {
    return pair->row == LINES_ALL || pair->row == row;
}

const char *lines_told(const Work *work, const Lines *lines) {
    const LinesPair *pair = &lines->pair[0];
    const char *text =
        pair->heads > 1
            ? arena_print(work->arena, "head %d: ", lines_head(&pair->head[0]))
            : "";
    for (int row = 0, told = 0; row < pair->head->rows && told < WORDS_TOLD; row++) {
        if (!is_told(pair, row)) continue;
        const char *word = partners(lines, pair, pair->head, row, 1, work->arena);
        text = arena_print(work->arena, "%s%s%s", text, told++ ? "; " : "", word);
    }
    return say(work->arena, "Lines from %s on the left to %s on the right. %s.",
               lines->left_title, lines->right_title, text);
}

/* How wide the words are that have a line. */
static int words_width(const LinesPair *pair) {
    int width = 0;
    for (int row = 0; row < pair->head->rows; row++)
        if (is_told(pair, row))
            width = (int)fmax(width, unicode_width(pair->asking[row]));
    return width;
}

static void add_head(Work *work, const Lines *lines, TextLines *text,
                     const LinesPair *pair, int h) {
    int width = words_width(pair);
    if (text->count) add(work, text, "");
    const char *head = pair->heads > 1 ? arena_print(work->arena, "head %d",
                                                     lines_head(&pair->head[h]))
                                       : "";
    const char *between = *pair->title && *head ? ", " : "";
    if (*pair->title || *head)
        add(work, text, arena_print(work->arena, "%s%s%s", pair->title, between, head));
    for (int row = 0; row < pair->head->rows; row++) {
        if (!is_told(pair, row)) continue;
        int most = pair->row == LINES_ALL ? PARTNERS : PARTNERS_MOST;
        const char *line =
            partners(lines, pair, &pair->head[h], row, most, work->arena);
        int left = width - unicode_width(pair->asking[row]);
        add(work, text, arena_print(work->arena, "%*s%s", left, "", line));
    }
}

static void draw(Work *work, Point at) {
    const TextLines *text = work->own;
    for (int i = 0; i < text->count; i++)
        work->canvas->text(work->canvas, (Point){at.x, at.y + i}, (Style){0},
                           text->line[i]);
}

void lines_plan_text(Work *work) {
    const Lines *lines = work->own;
    TextLines *text = ARENA_ARRAY(work->arena, TextLines, 1);
    add(work, text,
        arena_print(work->arena, "%s → %s", lines->left_title, lines->right_title));
    for (int p = 0; p < lines->count; p++)
        for (int h = 0; h < lines->pair[p].heads; h++)
            add_head(work, lines, text, &lines->pair[p], h);
    work->note = said("Behind each word those that it looks at most, with their "
                      "weights.");
    work->own = text;
    work->height = text->count;
    work->width = work->canvas->metrics.most;
    work->draw = draw;
}
