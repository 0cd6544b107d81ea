#include "shell/show.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "model/network.h"
#include "shell/figures.h"
#include "text/unicode.h"
#include "view/table.h"

void show_heading(Session *session, int number, int count, const char *title,
                  const char *name) {
    Arena *arena = &session->scratch;
    int width = session_width(session);
    const char *left = unicode_cut(
        arena_print(arena, "%d/%d  %s", number, count, title), width, arena);
    int gap = width - unicode_width(left) - unicode_width(name);
    bool bold = session_colors(session) != COLORS_NONE;
    fprintf(session->out, "\n%s%s%s", bold ? "\x1b[1m" : "", left,
            bold ? "\x1b[0m" : "");
    if (gap >= 2) fprintf(session->out, "%*s%s", gap, "", name);
    fputs("\n", session->out);
}

static int cells(const char *text, size_t length) {
    Arena arena = {0};
    int width = unicode_width(arena_copy(&arena, text, length));
    arena_free(&arena);
    return width;
}

/* Bytes of the letters from `text` on that fit into `width`, at least one letter: for a
 * word that is wider than a line. */
static size_t broken_length(const char *text, int width) {
    size_t fits = (size_t)unicode_grapheme(text);
    for (;;) {
        size_t more = fits + (size_t)unicode_grapheme(text + fits);
        if (more == fits || cells(text, more) > width) return fits;
        fits = more;
    }
}

/* Bytes of the words from `text` on that fit into `width`. */
static size_t line_length(const char *text, int width) {
    size_t fits = 0;
    for (;;) {
        const char *end = text + fits + strspn(text + fits, " ");
        end += strcspn(end, " ");
        size_t more = (size_t)(end - text);
        if (more == fits) return fits;
        if (cells(text, more) > width) return fits ? fits : broken_length(text, width);
        fits = more;
    }
}

/* `text` in lines that begin with `indent` spaces and end at `width`. */
static void print_folded(Session *session, int indent, int width, const char *text) {
    while (*text) {
        size_t length = line_length(text, width - indent);
        fprintf(session->out, "%*s%.*s\n", indent, "", (int)length, text);
        text += length;
        text += strspn(text, " ");
    }
}

void show_text(Session *session, const char *text) {
    enum { READABLE = 80 }; /* longer lines are hard to read */
    int width = session_width(session);
    print_folded(session, 2, width < READABLE ? width : READABLE, text);
}

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
    int width = session_width(session);
    print_folded(
        session, 2, width,
        arena_print(arena, "%s %s", stage->address[t], tensor_shape(tensor, arena)));
    if (tensor->step == STEP_NONE) return;
    const Step *step = &session->run.step[tensor->step];
    const char *inputs = "";
    for (int i = 0; i < step->inputs; i++)
        inputs = arena_print(arena, "%s%s%s %s", inputs, i ? ", " : "",
                             short_name(step->input[i]->name),
                             tensor_shape(step->input[i], arena));
    print_folded(session, 6, width,
                 arena_print(arena, "= %s(%s)", step->op->name, inputs));
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

static const char *number_text(const Session *session, double value, Arena *arena) {
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

static void print_matrices(Session *session, const Slice *slice, const char *heading) {
    Arena *arena = &session->scratch;
    int count;
    Matrix *matrix = matrix_list(slice, NULL, arena, &count);
    for (int m = 0; m < count; m++) {
        const char *which = matrix_heading(&matrix[m], arena);
        Table table = number_table(session, &matrix[m]);
        fprintf(session->out, "\n%s%s%s\n", heading, *which ? ", " : "", which);
        fputs(table_text(&table, session_width(session), arena), session->out);
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
    fprintf(session->out, "\n%s", text);
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

/* A bar of eighths of a cell, `most` cells for a share of 1. */
static const char *bar(double share, int most, Arena *arena) {
    static const char *const eighths[] = {"", "▏", "▎", "▍", "▌", "▋", "▊", "▉"};
    int length = (int)lround(share * most * 8);
    const char *text = "";
    for (int i = 0; i < length / 8; i++) text = arena_print(arena, "%s█", text);
    return arena_print(arena, "%s%s", text, eighths[length % 8]);
}

/* The indices of the largest `most` numbers, largest first; the lower index of equals.
 */
static void best_of(const Number *number, int count, int *best, int most) {
    int found = 0;
    for (int i = 0; i < count; i++) {
        int place = found;
        while (place > 0 && number[i] > number[best[place - 1]]) place--;
        if (place == most) continue;
        if (found < most) found++;
        for (int j = found - 1; j > place; j--) best[j] = best[j - 1];
        best[place] = i;
    }
}

/* The best few of the numbers at `row` of `tensor`, one a line with a bar for shares.
 */
static void print_candidates(Session *session, const Tensor *tensor, int row) {
    enum { LABEL_WIDTH = 16, BAR_WIDTH = 30 };
    Arena *arena = &session->scratch;
    int words = tensor_row(tensor);
    int most =
        session->options.candidates < words ? session->options.candidates : words;
    int *best = ARENA_ARRAY(arena, int, most);
    const Number *number = tensor->data + (size_t)row * (size_t)words;
    bool shares = strcmp(short_name(tensor->name), "probabilities") == 0;
    best_of(number, words, best, most);
    for (int b = 0; b < most; b++) {
        const char *label = axis_label(&tensor->axis[tensor->rank - 1], 0, best[b]);
        fprintf(session->out, "    %s %6d  %10s  %s\n",
                unicode_pad(label ? label : "", LABEL_WIDTH, false, arena), best[b],
                arena_print(arena, "%.*f", shares ? 4 : session->options.digits,
                            (double)number[best[b]]),
                shares ? bar((double)number[best[b]], BAR_WIDTH, arena) : "");
    }
}

/* One line for each place: "나는 →  I 0.93, he 0.02, she 0.01". */
static void print_best(Session *session, const Tensor *tensor, int row,
                       const char *place) {
    enum { PLACE_WIDTH = 14, BEST = 3, BAR_WIDTH = 10 };
    Arena *arena = &session->scratch;
    const Axis *words = &tensor->axis[tensor->rank - 1];
    const Number *number = tensor->data + (size_t)row * (size_t)words->size;
    bool shares = strcmp(short_name(tensor->name), "probabilities") == 0;
    int best[BEST];
    int most = words->size < BEST ? words->size : BEST;
    best_of(number, words->size, best, most);
    const char *text = "";
    for (int b = 0; b < most; b++)
        text = arena_print(arena, "%s%s%s %.*f", text, b ? ",  " : "",
                           address_label(words, 0, best[b], arena),
                           session->options.digits, (double)number[best[b]]);
    const char *line =
        arena_print(arena, "  %s %s %s", unicode_pad(place, PLACE_WIDTH, false, arena),
                    shares ? unicode_pad(bar((double)number[best[0]], BAR_WIDTH, arena),
                                         BAR_WIDTH, false, arena)
                           : "→",
                    text);
    fprintf(session->out, "%s\n", unicode_cut(line, session_width(session), arena));
}

void show_bars(Session *session, const Tensor *tensor) {
    Arena *arena = &session->scratch;
    if (tensor->rank == 2) {
        print_candidates(session, tensor, session->row);
        return;
    }
    const Axis *target = &tensor->axis[1];
    fprintf(session->out, "\n  %s the best that come next\n",
            unicode_pad("after", 14, false, arena));
    for (int i = 0; i < target->size; i++)
        print_best(session, tensor, session->row * target->size + i,
                   address_label(target, session->row, i, arena));
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
    print_folded(session, 4, session_width(session), stage->kind->formula);
    fputs("\n", session->out);
    for (int t = 0; t < stage->tensors; t++) print_shape(session, stage, t);
    for (int t = 0; t < stage->tensors; t++)
        if (!show_part(session, stage, t, error)) return false;
    return true;
}

/* What the last layer looked at in the source at this step, or NULL. */
static const Tensor *step_attention(Session *session, int step) {
    Arena *arena = &session->scratch;
    const char *alignment = network_alignment(&session->model, arena);
    if (!alignment) return NULL;
    return tape_find(&session->steps,
                     arena_print(arena, "step.%d.%s", step, alignment));
}

/* The last row of a step's attention: one row where the steps before are remembered. */
static bool show_step_attention(Session *session, int step, Error *error) {
    const Tensor *weights = step_attention(session, step);
    if (!weights) return true;
    Slice slice = slice_all(weights);
    int query = weights->rank - 2;
    slice.from[query] = weights->axis[query].size - 1;
    fprintf(session->out, "\n  what this step looked at in the source%s:\n",
            tensor_axis(weights, "head") >= 0 ? ", head by head" : "");
    return show_heatmap(session, &slice, 1, error);
}

bool show_step(Session *session, int step, int number, int count, Error *error) {
    Arena *arena = &session->scratch;
    const Generated *generated = &session->generated;
    const Model *model = &session->model;
    const char *address = arena_print(arena, "step.%d.probabilities", step);
    const Tensor *probabilities = tape_find(&session->steps, address);
    show_heading(session, number, count, "Decoding: choose the next token",
                 arena_print(arena, "step.%d", step));
    show_text(session,
              "The decoder has read <start> and the tokens chosen so far. The most "
              "probable token is taken and read in the next step, until <end> or a "
              "limit.");
    const char *so_far = tokenizer_decode(&model->target, generated->id, step, arena);
    fprintf(session->out, "\n  so far: \"%s\"\n\n", so_far);
    if (probabilities)
        print_candidates(session, probabilities,
                         tensor_size(probabilities) / tensor_row(probabilities) - 1);
    const char *label = tokenizer_label(&model->target, generated->id[step]);
    fprintf(session->out, "  chosen: %s (id %d)\n", label ? label : "",
            generated->id[step]);
    return show_step_attention(session, step, error);
}

void show_decoding(Session *session) {
    Arena *arena = &session->scratch;
    const Generated *generated = &session->generated;
    const Model *model = &session->model;
    for (int t = 0; t < generated->count; t++) {
        const char *label = tokenizer_label(&model->target, generated->id[t]);
        const Tensor *p =
            tape_find(&session->steps, arena_print(arena, "step.%d.probabilities", t));
        double share =
            (double)p->data[tensor_size(p) - tensor_row(p) + generated->id[t]];
        fprintf(session->out, "  step.%-4d %s %6d  %.4f  %s\n", t,
                unicode_pad(label ? label : "", 16, false, arena), generated->id[t],
                share, bar(share, 30, arena));
    }
    const char *text =
        tokenizer_decode(&model->target, generated->id, generated->count, arena);
    fprintf(session->out, "\n  \"%s\"%s\n", text ? text : "",
            generated->ended ? "" : "  (the limit came before <end>)");
}
