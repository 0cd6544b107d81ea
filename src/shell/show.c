#include "shell/show.h"

#include <stdlib.h>
#include <string.h>

#include "base/interrupt.h"
#include "shell/figures.h"
#include "text/unicode.h"
#include "view/table.h"

/* The last part of an address within a stage: "scores". */
static const char *short_name(const char *address) {
    const char *dot = strrchr(address, '.');
    return dot ? dot + 1 : address;
}

/* "scores [head 4, ...] = dot(query [...], key [...])", in as many lines as it takes.
 */
static void print_shape(Session *session, const Stage *stage, int t) {
    Arena *arena = &session->scratch;
    const Tensor *tensor = stage->tensor[t];
    show_folded(
        session, 2,
        arena_print(arena, "%s %s", stage->address[t], tensor_shape(tensor, arena)));
    if (tensor->step == STEP_NONE) return;
    const Step *step = &session->run.step[tensor->step];
    const char *inputs = "";
    for (int i = 0; i < step->inputs; i++)
        inputs = arena_print(arena, "%s%s%s %s", inputs, i ? ", " : "",
                             short_name(step->input[i]->name),
                             tensor_shape(step->input[i], arena));
    show_folded(session, 6, arena_print(arena, "= %s(%s)", step->op->name, inputs));
}

/* The part of a tensor that a stage shows: the current sentence, head 0, and of a long
 * row the beginning. */
static Slice stage_slice(const Session *session, const Tensor *tensor, int columns) {
    Slice slice = slice_all(tensor);
    int batch = tensor_axis(tensor, "batch");
    int head = tensor_axis(tensor, "head");
    int last = tensor->rank - 1;
    if (batch >= 0) slice.from[batch] = session->row;
    if (batch >= 0) slice.to[batch] = session->row + 1;
    if (head >= 0) slice.to[head] = 1;
    if (columns && slice.to[last] > columns) slice.to[last] = columns;
    return slice;
}

/* When the person has stopped the command, what is left of a table stays empty. */
static const char *number_text(const Session *session, double value, Arena *arena) {
    if (interrupt_signal()) return "";
    return arena_print(arena, "%.*f", session->options.digits, value);
}

/* The table of one matrix, with the digits that were asked for. */
static Table number_table(Session *session, const Matrix *matrix) {
    Arena *arena = &session->scratch;
    Table table = table_matrix(matrix, arena);
    const char **cell =
        ARENA_ARRAY(arena, const char *, matrix->rows * matrix->columns);
    for (int r = 0; r < matrix->rows; r++)
        for (int c = 0; c < matrix->columns; c++)
            cell[r * matrix->columns + c] =
                matrix->slice.tensor->holds_ids
                    ? arena_print(arena, "%.0f", matrix_value(matrix, r, c))
                    : number_text(session, matrix_value(matrix, r, c), arena);
    table.cell = cell;
    return table;
}

/* How many numbers of a row stand beside each other at this width. */
static int columns_that_fit(const Session *session) {
    enum { LABELS = 18 };
    int cell = session->options.digits + 6;
    int fit = (session_width(session) - LABELS) / cell;
    if (fit > session->options.columns) fit = session->options.columns;
    return fit < 2 ? 2 : fit;
}

/* Line by line, since a person may stop what fills many screens. */
static void print_lines(const Session *session, const char *text) {
    while (*text && !interrupt_signal()) {
        size_t length = strcspn(text, "\n");
        length += text[length] == '\n';
        fwrite(text, 1, length, session->out);
        text += length;
    }
}

static void print_matrices(Session *session, const Slice *slice, const char *heading) {
    Arena *arena = &session->scratch;
    int count;
    Matrix *matrix = matrix_list(slice, NULL, arena, &count);
    for (int m = 0; m < count && !interrupt_signal(); m++) {
        const char *which = matrix_heading(&matrix[m], arena);
        Table table = number_table(session, &matrix[m]);
        fprintf(session->out, "\n%s%s%s\n", heading, *which ? ", " : "", which);
        print_lines(session, table_text(&table, session_width(session), arena));
    }
}

void show_table(Session *session, const Slice *slice) {
    print_matrices(session, slice, tensor_describe(slice->tensor, &session->scratch));
}

static void show_stage_table(Session *session, const Stage *stage, int t) {
    const Tensor *tensor = stage->tensor[t];
    int fit = columns_that_fit(session);
    int row = tensor_row(tensor);
    if (tensor->holds_ids || strcmp(short_name(tensor->name), "padding_mask") == 0)
        fit = row; /* a number for each token: nothing is left out */
    Slice slice = stage_slice(session, tensor, row > fit ? fit : 0);
    print_matrices(session, &slice, short_name(stage->address[t]));
    if (row > fit)
        show_text(session, arena_print(&session->scratch,
                                       "... and %d more numbers in each row: :show %s",
                                       row - fit, stage->address[t]));
}

bool show_heatmap(Session *session, const Slice *slices, int count, Error *error) {
    Arena *arena = &session->scratch;
    Figure figure = figures_new(session, slices, count, arena);
    const char *text = figure_text(&figure, session_width(session),
                                   session_colors(session), arena, error);
    if (!text) return false;
    fputs("\n", session->out);
    print_lines(session, text);
    return true;
}

static bool show_stage_heatmap(Session *session, const Stage *stage, int t,
                               Error *error) {
    const Tensor *tensor = stage->tensor[t];
    Slice slice = stage_slice(session, tensor, 0);
    int head = tensor_axis(tensor, "head");
    if (!show_heatmap(session, &slice, 1, error)) return false;
    if (head >= 0 && tensor->axis[head].size > 1)
        show_text(session,
                  arena_print(&session->scratch, "head 0 of %d; all of them: :heat %s",
                              tensor->axis[head].size, stage->address[t]));
    return true;
}

static bool show_part(Session *session, const Stage *stage, int t, Error *error) {
    switch (stage->kind->look) {
    case LOOK_HEATMAP:
        return show_stage_heatmap(session, stage, t, error);
    case LOOK_BARS:
        show_bars(session, stage->tensor[t]);
        return true;
    case LOOK_TABLE:
        break;
    }
    show_stage_table(session, stage, t);
    return true;
}

bool show_stage(Session *session, const Stage *stage, int number, int count,
                Error *error) {
    show_heading(session, number, count, stage->kind->title, stage->name);
    show_text(session, stage->kind->text);
    fputs("\n", session->out);
    show_folded(session, 4, stage->kind->formula);
    fputs("\n", session->out);
    for (int t = 0; t < stage->tensors; t++) print_shape(session, stage, t);
    for (int t = 0; t < stage->tensors; t++)
        if (!show_part(session, stage, t, error)) return false;
    return true;
}
