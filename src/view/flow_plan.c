#include <string.h>

#include "base/language.h"
#include "view/flow_draw.h"

/* Letters of a word, and words that can be told apart. */
enum { WORD_MOST = 20, WORDS_MOST = 300 };

static const double rounding = 1e-4; /* what sums of floats may exceed 1 by */

/* All of the words, and which of them is asked for: -1, none. */
static bool open_axis(Slice *slice, int axis, int *chosen, Error *error) {
    const Axis *of = &slice->tensor->axis[axis];
    int length = slice->to[axis] - slice->from[axis];
    if (length > 1 && length < of->size)
        return fail(
            error,
            "a flow goes through all words: choose one, as in [%s=%d], or leave "
            "%s out",
            of->name, slice->from[axis], of->name);
    if (length < of->size) *chosen = slice->from[axis];
    slice->from[axis] = 0;
    slice->to[axis] = of->size;
    return true;
}

static bool same_words(const char *const *a, const char *const *b, int count) {
    for (int i = 0; i < count; i++)
        if (strcmp(a[i], b[i]) != 0) return false;
    return true;
}

static bool check_shares(const Matrix *matrix, Error *error) {
    for (int i = 0; i < matrix->rows * matrix->columns; i++) {
        int row = i / matrix->columns;
        int column = i % matrix->columns;
        const int cell = matrix_cell(matrix, row, column);
        const double value = matrix_value(matrix, row, column);
        if (matrix->hidden && matrix->hidden[cell]) continue;
        if (!(value >= 0 && value <= 1 + rounding))
            return fail(error,
                        "a flow is made of shares from 0 to 1, and %s holds %.3g",
                        matrix->slice.tensor->name, value);
    }
    return true;
}

/* Do words ask words of the same sentence, and look at them with shares? */
static bool check_layer(const Matrix *matrix, const char *const *word, int words,
                        Arena *arena, Error *error) {
    const char *name = matrix->slice.tensor->name;
    bool square = matrix->row_axis >= 0 && matrix->rows == matrix->columns;
    if (!square || !same_words(matrix_labels(matrix, false, arena),
                               matrix_labels(matrix, true, arena), matrix->rows))
        return fail(error,
                    "a flow goes from the words of a sentence to the same words, as "
                    "self-attention does; %s does not",
                    name);
    if (matrix->rows != words ||
        !same_words(matrix_labels(matrix, false, arena), word, words))
        return fail(error, "%s is of other words than the layer before it", name);
    return check_shares(matrix, error);
}

/* The last word that anybody looks at: what follows is padding. */
static int last_word(const Matrix *matrix) {
    for (int column = matrix->columns - 1; column > 0; column--)
        for (int row = 0; row < matrix->rows; row++)
            if (!matrix_is_hatched(matrix, row, column)) return column;
    return 0;
}

/* "encoder.0" of "encoder.0.self_attention.weights". */
static const char *layer_name(const char *name, Arena *arena) {
    const char *end = strstr(name, ".self_attention");
    return end ? arena_copy(arena, name, (size_t)(end - name)) : name;
}

/* The heads of slice `s`, whole, in `arena`; `*chosen` becomes the word that the slice
 * names, if it does. NULL and an error where it is no layer. */
static const Matrix *open_layer(const Work *work, int s, int *heads, int *chosen,
                                Error *error) {
    const Figure *figure = work->figure;
    Slice slice = figure->slice[s];
    int rank = slice.tensor->rank;
    int unused = -1;
    if (rank < 2) {
        fail(error, "%s has one axis: a flow needs words on two sides",
             slice.tensor->name);
        return NULL;
    }
    if (!open_axis(&slice, rank - 2, chosen, error) ||
        !open_axis(&slice, rank - 1, &unused, error))
        return NULL;
    const Matrix *head = figure_matrices(figure, &slice, s, work->arena, heads);
    if (head->rows <= WORDS_MOST) return head;
    fail(error, "a flow through %d words cannot be read: at most %d", head->rows,
         WORDS_MOST);
    return NULL;
}

/* All layers, of the same heads over the same words. */
static bool open_layers(const Work *work, const Matrix **layer, int *heads, int *chosen,
                        Error *error) {
    const char **word = NULL;
    *heads = 0;
    *chosen = -1;
    for (int s = 0; s < work->figure->slices; s++) {
        int count;
        layer[s] = open_layer(work, s, &count, chosen, error);
        if (!layer[s]) return false;
        if (!word) word = matrix_labels(layer[0], false, work->arena);
        if (s > 0 && count != *heads)
            return fail(error, "%s has other heads than the layer before it",
                        layer[s]->slice.tensor->name);
        *heads = count;
        for (int h = 0; h < count; h++)
            if (!check_layer(&layer[s][h], word, layer[0]->rows, work->arena, error))
                return false;
    }
    return true;
}

static bool make_flow(Work *work, FlowLayout *layout, Error *error) {
    const Figure *figure = work->figure;
    Arena *arena = work->arena;
    const Slice *slice = &figure->slice[0];
    int batch = tensor_axis(slice->tensor, "batch");
    if (batch >= 0 && slice->to[batch] - slice->from[batch] > 1)
        return fail(error,
                    "a flow is that of one sentence: choose it, as in [batch=0]");
    const Matrix **layer = ARENA_ARRAY(arena, const Matrix *, figure->slices);
    int heads;
    int chosen;
    if (!open_layers(work, layer, &heads, &chosen, error)) return false;
    const Matrix *first = layer[0];
    if (chosen < 0) chosen = last_word(first);
    layout->flow = flow_of(layer, figure->slices, heads, chosen, arena);
    layout->word =
        labels_cut(matrix_labels(first, false, arena), first->rows, WORD_MOST, arena);
    layout->layer = ARENA_ARRAY(arena, const char *, figure->slices);
    for (int s = 0; s < figure->slices; s++)
        layout->layer[s] = layer_name(figure->slice[s].tensor->name, arena);
    return true;
}

bool plan_flow(Work *work, Error *error) {
    FlowLayout *layout = ARENA_ARRAY(work->arena, FlowLayout, 1);
    work->own = layout;
    if (work->figure->plot)
        return fail(error, "these are curves: draw them --as curves");
    if (!make_flow(work, layout, error)) return false;
    const char *word = layout->word[layout->flow.chosen];
    if (!work->figure->title)
        work->facts.title = say(work->arena, "What '%s' is made of, layer by layer: %s",
                                word, work->facts.title);
    work->note = said(
        N_("Share: how much of the word came from there, if each token is half itself "
           "(the "
           "residual path) and half what it looked at: attention rollout, Abnar and "
           "Zuidema 2020. Feed-forward layers are left out."));
    work->told = flow_told(work);
    if (work->canvas->metrics.characters) {
        flow_plan_text(work);
    } else {
        flow_plan_picture(work);
    }
    return true;
}
