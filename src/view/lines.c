#include "view/lines.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/language.h"
#include "text/label.h"

/* Letters of a word; words that one can still tell apart in a column. */
enum { WORD_MOST = 20, WORDS_MOST = 300 };
/* More lines than these are a grey patch, and take seconds. */
enum { LINES_MOST = 8000 };

/* Below it a line would be as white as the paper. */
static const double weight_least = 0.005;
static const double rounding = 1e-4; /* what sums of floats may exceed 1 by */

Color lines_color(int head) {
    static const Color black = {0, 0, 0};
    enum { ROUNDS = 3 };
    Color color = palette_curve(head);
    switch (head / PALETTE_CURVES % ROUNDS) {
    case 0:
        return color;
    case 1:
        return palette_mix(color, black, 0.45);
    default:
        return palette_mix(color, color_white, 0.45);
    }
}

int lines_head(const Matrix *head) {
    int axis = tensor_axis(head->slice.tensor, "head");
    return axis < 0 ? 0 : head->slice.from[axis];
}

/* What stands behind a shorter sentence of a batch asks, too, and nobody reads it. */
static bool is_padding(const Matrix *head, int row) {
    const Tensor *tensor = head->slice.tensor;
    int batch = tensor_axis(tensor, "batch");
    if (head->row_axis < 0 || batch < 0) return false;
    const char *label =
        axis_label(&tensor->axis[head->row_axis], head->slice.from[batch],
                   head->slice.from[head->row_axis] + row);
    return label_is_padding(label);
}

bool lines_leave_out(const Lines *lines, const Matrix *head, int row, int column) {
    return matrix_is_hatched(head, row, column) ||
           matrix_value(head, row, column) < lines->least || is_padding(head, row);
}

bool lines_chosen(const LinesPair *pair, int row, int column) {
    return (pair->row == LINES_ALL || pair->row == row) &&
           (pair->column == LINES_ALL || pair->column == column);
}

/* One index of the axis makes a word stand out among all; returns it, or LINES_ALL. A
 * part of the axis stays a part. */
static int widen(Slice *slice, int axis) {
    int size = slice->tensor->axis[axis].size;
    if (size == 1 || slice->to[axis] - slice->from[axis] != 1) return LINES_ALL;
    int chosen = slice->from[axis];
    slice->from[axis] = 0;
    slice->to[axis] = size;
    return chosen;
}

static bool check_shares(const Matrix *head, Error *error) {
    for (int row = 0; row < head->rows; row++)
        for (int column = 0; column < head->columns; column++) {
            if (matrix_is_hatched(head, row, column)) continue;
            double value = matrix_value(head, row, column);
            if (value < 0 || value > 1 + rounding)
                return fail(error,
                            "lines show shares from 0 to 1, such as attention weights, "
                            "and %s holds %.3g: draw it as a heatmap",
                            head->slice.tensor->name, value);
        }
    return true;
}

static bool check_words(const Matrix *head, Error *error) {
    if (head->rows <= WORDS_MOST && head->columns <= WORDS_MOST) return true;
    return fail(
        error,
        "lines between %d and %d words cannot be told apart: choose at most %d, "
        "as in [%s=0:50]",
        head->rows, head->columns, WORDS_MOST,
        matrix_axis(head, head->columns > WORDS_MOST)->name);
}

/* "encoder.0, batch 1": what tells this pair from the others. */
static const char *pair_title(const Work *work, int s, const Matrix *head) {
    const Figure *figure = work->figure;
    const Tensor *tensor = head->slice.tensor;
    const char *title = figure->called ? figure->called[s] : "";
    if (!*title && !figure_has_one_name(figure))
        title = arena_print(work->arena, "%.*s",
                            (int)(strlen(tensor->name) - strlen(figure_ending(figure))),
                            tensor->name);
    int batch = tensor_axis(tensor, "batch");
    if (batch < 0 || tensor->axis[batch].size == 1) return title;
    return arena_print(work->arena, "%s%s%s %d", title, *title ? ", " : "",
                       tensor->axis[batch].name, head->slice.from[batch]);
}

/* Do both stand at the same place but for the head? */
static bool is_of_pair(const Matrix *a, const Matrix *b) {
    const Tensor *tensor = a->slice.tensor;
    int head = tensor_axis(tensor, "head");
    for (int i = 0; i < tensor->rank; i++)
        if (i != head && a->slice.from[i] != b->slice.from[i]) return false;
    return true;
}

static const char **words_of(const Matrix *head, bool columns, Arena *arena) {
    return labels_cut(matrix_labels(head, columns, arena),
                      columns ? head->columns : head->rows, WORD_MOST, arena);
}

/* The pairs of one slice, behind those there are. */
static bool add_pairs(Work *work, Lines *lines, int s, Error *error) {
    const Figure *figure = work->figure;
    Slice slice = figure->slice[s];
    int rank = slice.tensor->rank;
    if (rank < 2)
        return fail(error, "%s has one axis: lines need words on two sides",
                    slice.tensor->name);
    LinesPair pair = {.row = widen(&slice, rank - 2),
                      .column = widen(&slice, rank - 1)};
    int count;
    const Matrix *list = figure_matrices(figure, &slice, s, work->arena, &count);
    if (!check_words(&list[0], error)) return false;
    for (int i = 0; i < count; i += pair.heads) {
        pair.head = &list[i];
        pair.heads = 0;
        while (i + pair.heads < count && is_of_pair(&list[i], &list[i + pair.heads]))
            if (!check_shares(&list[i + pair.heads++], error)) return false;
        pair.title = pair_title(work, s, &list[i]);
        pair.asking = words_of(&list[i], false, work->arena);
        pair.asked = words_of(&list[i], true, work->arena);
        ARENA_GROW(work->arena, lines->pair, lines->count, lines->capacity);
        lines->pair[lines->count++] = pair;
    }
    return true;
}

/* "query (target)": who stands in a column. */
static const char *column_title(const Work *work, bool right) {
    const Tensor *tensor = work->figure->slice[0].tensor;
    const char *axis = tensor->axis[tensor->rank - (right ? 1 : 2)].name;
    const char *side = right ? work->figure->asked : work->figure->asking;
    return side ? arena_print(work->arena, "%s (%s)", axis, said(side)) : axis;
}

static int compare(const void *a, const void *b) {
    const Number one = *(const Number *)a;
    const Number other = *(const Number *)b;
    return (one < other) - (one > other);
}

/* From which weight on there are lines: of very many only the strongest. */
static double choose_least(const Lines *lines, Arena *arena) {
    Number *weight = NULL;
    int count = 0;
    int capacity = 0;
    for (int p = 0; p < lines->count; p++)
        for (int h = 0; h < lines->pair[p].heads; h++) {
            const Matrix *head = &lines->pair[p].head[h];
            for (int i = 0; i < head->rows * head->columns; i++) {
                if (lines_leave_out(lines, head, i / head->columns, i % head->columns))
                    continue;
                ARENA_GROW(arena, weight, count, capacity);
                weight[count++] =
                    (Number)matrix_value(head, i / head->columns, i % head->columns);
            }
        }
    if (count <= LINES_MOST) return weight_least;
    qsort(weight, (size_t)count, sizeof *weight, compare);
    /* A little above, and round: the note says it. */
    const double round = 1000;
    return ceil((double)weight[LINES_MOST] * round + 1 / round) / round;
}

/* Is there a cell without a line since it is masked, or (`masked` false) no number? */
static bool lacks(const LinesPair *pair, bool masked) {
    const Matrix *matrix = pair->head;
    for (int h = 0; h < pair->heads; h++, matrix++)
        for (int i = 0; i < matrix->rows * matrix->columns; i++) {
            int row = i / matrix->columns;
            int column = i % matrix->columns;
            const int cell = matrix_cell(matrix, row, column);
            const bool hidden = matrix->hidden && matrix->hidden[cell];
            if (matrix_is_hatched(matrix, row, column) && hidden == masked) return true;
        }
    return false;
}

static const char *add_sentence(const char *text, const char *more, Arena *arena) {
    return arena_print(arena, "%s %s", text, more);
}

static const char *note(const Lines *lines, Arena *arena) {
    bool masked = false;
    bool wrong = false;
    for (int p = 0; p < lines->count; p++) {
        masked = masked || lacks(&lines->pair[p], true);
        wrong = wrong || lacks(&lines->pair[p], false);
    }
    const char *text =
        say(arena,
            "A line for each weight, the stronger the wider and clearer; below "
            "%g there is none.",
            lines->least);
    if (masked) text = add_sentence(text, said("Masked weights have no line."), arena);
    if (wrong)
        text = add_sentence(text, said("What is not a number has no line."), arena);
    if (lines->pair[0].heads > 1)
        text = add_sentence(text, said("At a word the first head is on top."), arena);
    return text;
}

bool plan_lines(Work *work, Error *error) {
    Lines *lines = ARENA_ARRAY(work->arena, Lines, 1);
    if (work->figure->plot)
        return fail(error, "these are curves: draw them --as curves");
    for (int s = 0; s < work->figure->slices; s++)
        if (!add_pairs(work, lines, s, error)) return false;
    lines->least = weight_least;
    lines->least = choose_least(lines, work->arena);
    lines->left_title = column_title(work, false);
    lines->right_title = column_title(work, true);
    work->own = lines;
    if (work->canvas->metrics.characters) {
        lines_plan_text(work);
        return true;
    }
    lines_plan_picture(work);
    work->note = note(lines, work->arena);
    work->told = lines_told(work, lines);
    return true;
}
