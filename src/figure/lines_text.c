#include <math.h>

#include "base/builder.h"
#include "base/language.h"
#include "figure/lines.h"
#include "text/label.h"
#include "text/unicode.h"

/* How many words a description lists per word: if all are shown, or for a chosen
 * word. */
enum { PARTNERS = 3, PARTNERS_MAX = 8 };
/* Up to this number, words are listed one by one. */
enum { WORDS_TOLD = 40 };

int lines_head(const Matrix *head) {
    int axis = tensor_axis(head->slice.tensor, "head");
    return axis < 0 ? 0 : head->slice.from[axis];
}

bool lines_lack(const Lines *lines, const Matrix *head, int row, int column) {
    if (matrix_is_hatched(head, row, column) ||
        matrix_value(head, row, column) < lines->min)
        return true;
    const Tensor *tensor = head->slice.tensor;
    int batch = tensor_axis(tensor, "batch");
    if (head->row_axis < 0 || batch < 0) return false;
    return label_is_padding(axis_label(&tensor->axis[head->row_axis],
                                       head->slice.from[batch],
                                       head->slice.from[head->row_axis] + row));
}

typedef struct {
    const char **line;
    int count, capacity;
} TextLines;

static void add(Work *work, TextLines *text, const char *line) {
    int max = (int)work->canvas->metrics.max;
    ARENA_GROW(work->arena, text->line, text->count, text->capacity);
    text->line[text->count++] = max > 0 ? unicode_cut(line, max, work->arena) : line;
}

/* "나는 → <end> 0.28, 나는 0.20": the words with the largest weights, at most
 * `max`. */
static const char *partners(const Lines *lines, const LinesPair *pair,
                            const Matrix *head, int row, int max, Arena *arena) {
    const char *line = arena_print(arena, "%s →", pair->asking[row]);
    double before = INFINITY;
    int place = -1;
    for (int i = 0; i < max; i++) {
        int best = pair->column;
        /* The strongest one that comes after weight `before` at position `place`. */
        for (int c = 0; c < head->columns && pair->column == LINES_ALL; c++) {
            if (lines_lack(lines, head, row, c)) continue;
            double value = matrix_value(head, row, c);
            bool comes = value < before || (value == before && c > place);
            if (comes && (best < 0 || value > matrix_value(head, row, best))) best = c;
        }
        if (best < 0) break;
        place = best;
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

static void draw_text(Work *work, Point at) {
    const TextLines *text = work->own;
    for (int i = 0; i < text->count; i++)
        work->canvas->text(work->canvas, (Point){at.x, at.y + i}, (Style){0},
                           text->line[i]);
}

void lines_plan_text(Work *work, const Lines *lines) {
    TextLines *text = ARENA_ARRAY(work->arena, TextLines, 1);
    add(work, text,
        arena_print(work->arena, "%s → %s", lines->left_title, lines->right_title));
    for (int p = 0; p < lines->count; p++)
        for (int h = 0; h < lines->pair[p].heads; h++) {
            const LinesPair *pair = &lines->pair[p];
            int width = 0; /* of the words that have a line */
            for (int row = 0; row < pair->head->rows; row++)
                if (is_told(pair, row))
                    width = (int)fmax(width, unicode_width(pair->asking[row]));
            if (text->count) add(work, text, "");
            const char *head = pair->heads > 1 ? arena_print(work->arena, "head %d",
                                                             lines_head(&pair->head[h]))
                                               : "";
            const char *between = *pair->title && *head ? ", " : "";
            if (*pair->title || *head)
                add(work, text,
                    arena_print(work->arena, "%s%s%s", pair->title, between, head));
            for (int row = 0; row < pair->head->rows; row++) {
                if (!is_told(pair, row)) continue;
                int max = pair->row == LINES_ALL ? PARTNERS : PARTNERS_MAX;
                const char *line =
                    partners(lines, pair, &pair->head[h], row, max, work->arena);
                int left = width - unicode_width(pair->asking[row]);
                add(work, text, arena_print(work->arena, "%*s%s", left, "", line));
            }
        }
    work->note = tr("After each token: the tokens that it attends to most, with "
                    "their weights.");
    work->own = text;
    work->height = text->count;
    work->width = work->canvas->metrics.max;
    work->draw = draw_text;
}

void lines_describe(Work *work, const Lines *lines) {
    const LinesPair *pair = &lines->pair[0];
    Builder text = {.arena = work->arena};
    if (pair->heads > 1) build(&text, "head %d: ", lines_head(&pair->head[0]));
    for (int row = 0, words = 0; row < pair->head->rows && words < WORDS_TOLD; row++)
        if (is_told(pair, row))
            build(&text, "%s%s", words++ ? "; " : "",
                  partners(lines, pair, pair->head, row, 1, work->arena));
    work->description =
        trf(work->arena, "Lines from %s on the left to %s on the right. %s.",
            lines->left_title, lines->right_title, builder_text(&text));
}
