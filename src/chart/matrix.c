#include "chart/matrix.h"

#include <math.h>
#include <string.h>

#include "base/builder.h"
#include "base/interrupt.h"
#include "base/language.h"
#include "base/random.h"
#include "text/label.h"
#include "text/unicode.h"

/* The roles in attention, explained for beginners. */
static const struct {
    const char *axis, *title;
} roles[] = {
    {"query", N_("query: attends to the keys")},
    {"key", N_("key: gets the weight")},
};

static int length(const Slice *slice, int a) {
    return slice->to[a] - slice->from[a];
}

/* Return the last kept axis before `a`, or else the axis before it. */
static int axis_before(const Slice *slice, int a) {
    const Tensor *tensor = slice->tensor;
    for (int b = a - 1; b >= 0; b--)
        if (length(slice, b) > 1 ||
            (b >= tensor->rank - 2 && tensor->axis[b].size == 1))
            return b;
    return a - 1;
}

Matrix *matrix_list(const Slice *slice, const unsigned char *hidden, Arena *arena,
                    int *count) {
    int rank = slice->tensor->rank;
    int column_axis = axis_before(slice, rank);
    int row_axis = axis_before(slice, column_axis);
    /* One long axis that is not the last: the next axis gives the columns. */
    if (length(slice, column_axis) > 1 && column_axis < rank - 1 &&
        (row_axis < 0 || length(slice, row_axis) == 1)) {
        row_axis = column_axis;
        column_axis = rank - 1;
    }
    *count = slice_size(slice) / length(slice, column_axis);
    if (row_axis >= 0) *count /= length(slice, row_axis);
    Matrix *list = ARENA_ARRAY(arena, Matrix, *count);
    for (int i = 0; i < *count; i++) {
        list[i] = (Matrix){.slice = *slice,
                           .row_axis = row_axis,
                           .column_axis = column_axis,
                           .rows = row_axis < 0 ? 1 : length(slice, row_axis),
                           .columns = length(slice, column_axis),
                           .hidden = hidden};
        for (int a = rank - 1, number = i; a >= 0; a--) {
            if (a == row_axis || a == column_axis) continue;
            list[i].slice.from[a] = slice->from[a] + number % length(slice, a);
            list[i].slice.to[a] = list[i].slice.from[a] + 1;
            number /= length(slice, a);
        }
    }
    return list;
}

int matrix_cell(const Matrix *matrix, int row, int column) {
    const Tensor *tensor = matrix->slice.tensor;
    int cell = 0;
    for (int a = 0; a < tensor->rank; a++) {
        int index = matrix->slice.from[a];
        if (a == matrix->row_axis) index += row;
        if (a == matrix->column_axis) index += column;
        cell = cell * tensor->axis[a].size + index;
    }
    return cell;
}

double matrix_value(const Matrix *matrix, int row, int column) {
    return matrix->slice.tensor->data[matrix_cell(matrix, row, column)];
}

Moments matrix_moments(const Matrix *matrix, int row) {
    const Tensor *tensor = matrix->slice.tensor;
    int columns = tensor_row(tensor);
    int first = matrix_cell(matrix, row, 0);
    const Number *number = tensor->data + first - first % columns;
    double mean = 0;
    double square = 0;
    for (int c = 0; c < columns; c++) mean += (double)number[c] / columns;
    for (int c = 0; c < columns; c++)
        square += ((double)number[c] - mean) * ((double)number[c] - mean) / columns;
    return (Moments){mean, sqrt(square)};
}

bool matrix_is_hatched(const Matrix *matrix, int row, int column) {
    int cell = matrix_cell(matrix, row, column);
    bool hidden = matrix->hidden && matrix->hidden[cell];
    return hidden || !isfinite(matrix->slice.tensor->data[cell]);
}

bool matrix_is_marked(const Matrix *matrix, int row, int column) {
    return matrix->marked && matrix->marked[matrix_cell(matrix, row, column)];
}

bool matrix_row_is_marked(const Matrix *matrix, int row) {
    for (int column = 0; matrix->marked && column < matrix->columns; column++)
        if (matrix_is_marked(matrix, row, column)) return true;
    return false;
}

const Axis *matrix_axis(const Matrix *matrix, bool columns) {
    int a = columns ? matrix->column_axis : matrix->row_axis;
    return a < 0 ? NULL : &matrix->slice.tensor->axis[a];
}

/* Do the sentences shown have different words along axis `a`? */
static bool differs(const Matrix *matrix, int a) {
    int batch = tensor_axis(matrix->slice.tensor, "batch");
    if (batch < 0 || a < 0 || a == batch) return false;
    return axis_labels_differ(&matrix->slice.tensor->axis[a], matrix->slice.from[batch],
                              matrix->slice.to[batch]);
}

/* Labels belong to a sentence. If several sentences are shown one below the other, each
 * row has its own labels, and the columns are numbered. */
static const char **labels_at(const Matrix *matrix, int a, int from, int to,
                              Arena *arena) {
    const Axis *axis = &matrix->slice.tensor->axis[a];
    int batch = tensor_axis(matrix->slice.tensor, "batch");
    int sentence = batch < 0 ? 0 : matrix->slice.from[batch];
    int other = a == matrix->row_axis ? matrix->column_axis : matrix->row_axis;
    bool own = a == batch && differs(matrix, other);
    bool counted = !own && differs(matrix, a);
    bool plain = matrix->plain && axis->labels;
    const char **labels = own || counted || plain
                              ? ARENA_ARRAY(arena, const char *, to - from)
                              : address_list(axis, sentence, from, to, false, arena);
    for (int i = from; i < to; i++) {
        const Slice *slice = &matrix->slice;
        const char *label =
            own       ? arena_print(arena, "%d: %s", i,
                                    address_labels(&slice->tensor->axis[other], i,
                                                   slice->from[other], slice->to[other],
                                                   arena))
            : counted ? arena_print(arena, "%d", i)
            : plain   ? label_bare(axis_label(axis, sentence, i))
                      : labels[i - from];
        bool stopped = interrupt_signal();
        labels[i - from] = stopped ? "" : unicode_escape(label, strlen(label), arena);
    }
    return labels;
}

const char **matrix_labels(const Matrix *matrix, bool columns, Arena *arena) {
    int a = columns ? matrix->column_axis : matrix->row_axis;
    if (a >= 0) {
        int from = matrix->slice.from[a];
        return labels_at(matrix, a, from,
                         from + (columns ? matrix->columns : matrix->rows), arena);
    }
    const char **none = ARENA_ARRAY(arena, const char *, 1);
    none[0] = "";
    return none;
}

const char *matrix_axis_title(const Matrix *matrix, bool columns) {
    const Axis *axis = matrix_axis(matrix, columns);
    if (!axis) return "";
    for (size_t i = 0; i < sizeof roles / sizeof *roles; i++)
        if (strcmp(roles[i].axis, axis->name) == 0) return tr(roles[i].title);
    return axis->name;
}

/* Return the name of an axis as displayed in text and figures. */
static const char *axis_name(const Axis *axis, bool spoken) {
    static const char *const names[] = {N_("head"),   N_("query"),  N_("key"),
                                        N_("source"), N_("target"), N_("vocabulary")};
    for (size_t n = 0; spoken && n < sizeof names / sizeof *names; n++)
        if (strcmp(names[n], axis->name) == 0) return tr(names[n]);
    return axis->name;
}

const char *matrix_heading(const Matrix *matrix, bool spoken, Arena *arena) {
    const char *heading = "";
    const Tensor *tensor = matrix->slice.tensor;
    for (int a = 0; a < tensor->rank; a++) {
        if (a == matrix->row_axis || a == matrix->column_axis) continue;
        if (tensor->axis[a].size == 1) continue;
        heading = arena_print(arena, "%s%s%s %s", heading, *heading ? ", " : "",
                              axis_name(&tensor->axis[a], spoken),
                              labels_at(matrix, a, matrix->slice.from[a],
                                        matrix->slice.from[a] + 1, arena)[0]);
    }
    return heading;
}

const char *matrix_ranges(const Slice *slice, bool spoken, Arena *arena) {
    const Tensor *tensor = slice->tensor;
    int batch = tensor_axis(tensor, "batch");
    int row = batch < 0 ? 0 : slice->from[batch];
    Builder ranges = {.arena = arena};
    for (int a = 0; a < tensor->rank; a++) {
        int shown = length(slice, a);
        const char *name = axis_name(&tensor->axis[a], spoken);
        if (tensor->reduced[a])
            build_item(&ranges, ", ", "%s: %s", name,
                       axis_label(&tensor->axis[a], row, 0));
        if (shown < 2 || shown == tensor->axis[a].size) continue;
        const char *from = address_label(&tensor->axis[a], row, slice->from[a], arena);
        const char *to = address_label(&tensor->axis[a], row, slice->to[a] - 1, arena);
        const char *range = trf(arena, "%s %s to %s", name, from, to);
        build_item(&ranges, ", ", "%s", range);
    }
    return unicode_escape(builder_text(&ranges), (size_t)ranges.count, arena);
}

Matrix matrix_part(const Matrix *matrix, int from, int to) {
    Matrix part = *matrix;
    part.slice.from[part.column_axis] += from;
    part.slice.to[part.column_axis] = part.slice.from[part.column_axis] + to - from;
    part.columns = to - from;
    return part;
}

static const double rounding = 0.005; /* numbers have two decimals */

/* Return 0 to count - 1 in random order. */
static int *any_order(Random *random, int count, Arena *arena) {
    int *order = ARENA_ARRAY(arena, int, count);
    for (int i = 0; i < count; i++) order[i] = i;
    random_shuffle(random, order, count);
    return order;
}

/* Choose one cell of each row, then a second of each, and so on. A single empty cell in
 * a row can be computed from the row's sum. */
static void choose(const Matrix *matrix, int count, unsigned char mark,
                   unsigned char *blank, Random *random, Arena *arena) {
    const int *row = any_order(random, matrix->rows, arena);
    int **column = ARENA_ARRAY(arena, int *, matrix->rows);
    for (int r = 0; r < matrix->rows; r++)
        column[r] = any_order(random, matrix->columns, arena);
    int *next = ARENA_ARRAY(arena, int, matrix->rows);
    for (int r = 0; count > 0; r = (r + 1) % matrix->rows) {
        int at = row[r];
        while (next[at] < matrix->columns &&
               matrix_is_hatched(matrix, at, column[at][next[at]]))
            next[at]++;
        if (next[at] == matrix->columns) continue;
        blank[matrix_cell(matrix, at, column[at][next[at]++])] = mark;
        count--;
    }
}

void worksheet_choose(const Worksheet *worksheet, Matrix *matrix, int count,
                      Arena *arena) {
    Random random = random_new(worksheet->seed);
    unsigned char mark = worksheet->is_key ? BLANK_FILLED : BLANK_EMPTY;
    for (int m = 0; m < count; m++) {
        int numbers = 0;
        for (int i = 0; i < matrix[m].rows * matrix[m].columns; i++)
            numbers += !matrix_is_hatched(&matrix[m], i / matrix[m].columns,
                                          i % matrix[m].columns);
        int blanks = (int)fmin(fmax(round(worksheet->share * numbers), 1), numbers);
        unsigned char *blank =
            ARENA_ARRAY(arena, unsigned char, tensor_size(matrix[m].slice.tensor));
        choose(&matrix[m], blanks, mark, blank, &random, arena);
        matrix[m].blank = blank;
    }
}

int worksheet_blank(const Matrix *matrix, int row, int column) {
    return matrix->blank ? matrix->blank[matrix_cell(matrix, row, column)] : BLANK_NOT;
}

const char *worksheet_title(const Worksheet *worksheet, const char *title,
                            Arena *arena) {
    return worksheet->is_key ? trf(arena, "Key to the worksheet: %s", title)
                             : trf(arena, "Worksheet: %s", title);
}

const char *worksheet_note(const Worksheet *worksheet, const Matrix *matrix,
                           int count) {
    if (worksheet->is_key)
        return tr(
            N_("Key: cells that were empty have a frame; in text, a star marks them."));
    /* If the rows of all matrices sum to 1, that helps to fill in the empty cells. */
    for (int m = 0; m < count; m++)
        for (int row = 0; row < matrix[m].rows; row++) {
            double sum = 0;
            for (int column = 0; column < matrix[m].columns; column++)
                if (!matrix_is_hatched(&matrix[m], row, column))
                    sum += matrix_value(&matrix[m], row, column);
            if (fabs(sum - 1) > rounding)
                return tr(N_("Worksheet: fill in the empty cells."));
        }
    return tr(N_("Worksheet: fill in the empty cells; each row sums to 1."));
}
