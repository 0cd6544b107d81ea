#include "explain/drawing.h"

#include <string.h>

#include "base/language.h"
#include "explain/hidden.h"
#include "explain/reduction.h"
#include "kernel/vector.h"
#include "ops/ops.h"
#include "tensor/address.h"
#include "text/label.h"

static bool is_of_words(const Tensor *tensor) {
    const char *last = tensor->axis[tensor->rank - 1].name;
    bool ends = strcmp(tensor->short_name, "probabilities") == 0 ||
                strcmp(tensor->short_name, "logits") == 0;
    return ends && !tensor->holds_ids &&
           (strcmp(last, "vocabulary") == 0 || strcmp(last, "label") == 0);
}

/* Return the token that decoding step `step` chose, or -1. */
static int choice_of(const Record *record, int step) {
    Arena arena = {0};
    const char *address = arena_print(&arena, "step.%d.choice", step);
    const Tensor *choice = record->steps ? tape_find(record->steps, address) : NULL;
    arena_free(&arena);
    return choice ? (int)choice->data[0] : -1;
}

/* Return true if decoding read the tokens of sentence `row` up to `place`. */
static bool is_decoded(const Record *record, const Tensor *ids, int row, int place) {
    for (int t = 0; t < place; t++)
        if (choice_of(record, t) != (int)ids->data[row * tensor_row(ids) + t + 1])
            return false;
    return record->steps != NULL;
}

static int word_of_row(const Record *record, const Tensor *tensor, int row) {
    int words = tensor_row(tensor);
    const Tensor *ids = record->run ? tape_find(record->run, "decoder.ids") : NULL;
    int step;
    address_after_step(tensor->name, &step);
    if (tensor->rank == 2)
        return vector_largest_place(tensor->data + row * words, words);
    int places = tensor->axis[1].size;
    int place = row % places;
    bool is_last = place == places - 1;
    if (step >= 0) return is_last ? choice_of(record, step) : -1;
    if (!ids || tensor_row(ids) != places) return -1;
    /* The word after the place: the next token read, or the last one chosen. */
    int sentence = row / places;
    const char *label =
        axis_label(&ids->axis[1], sentence, is_last ? place : place + 1);
    if (!is_last && !label_is_padding(label)) return (int)ids->data[row + 1];
    if (record->steps)
        return is_decoded(record, ids, sentence, place) ? choice_of(record, place) : -1;
    const Axis *axis = &tensor->axis[tensor->rank - 1];
    for (int w = 0; w < words; w++) {
        const char *word = axis_label(axis, 0, w);
        if (word && strcmp(word, "<end>") == 0) return w;
    }
    return -1;
}

/* Return one byte per cell: 1 for the chosen word. NULL for other tensors, or if the
 * word is unknown. */
static const unsigned char *taken_cells(const Record *record, const Tensor *tensor,
                                        Arena *arena) {
    if (!is_of_words(tensor) || tensor->rank < 2 || tensor->rank > 3) return NULL;
    for (int a = 0; a < tensor->rank; a++)
        if (tensor->reduced[a]) return NULL;
    int words = tensor_row(tensor);
    unsigned char *taken = arena_take(arena, (size_t)tensor_size(tensor));
    for (int row = 0; row < tensor_size(tensor) / words; row++) {
        int word = word_of_row(record, tensor, row);
        if (word >= 0 && word < words) taken[row * words + word] = 1;
    }
    return taken;
}

static bool is_attention(const Record *record, const Tensor *tensor) {
    /* Selected tokens are in a separate tensor with the same name. */
    const Tensor *whole = record->run ? tape_find(record->run, tensor->name) : NULL;
    const Step *step = record_step(record, tensor);
    if (!step && whole) step = record_step(record, whole);
    return step && step->op == &op_softmax && tensor_axis(tensor, "key") >= 0;
}

/* The sum of a partial row would be mistaken for the sum of the whole row. */
static bool is_whole_row(const Record *record, const Slice *slice) {
    int last = slice->tensor->rank - 1;
    for (int a = 0; a < last; a++) /* maxima of weights do not add up to 1 */
        if (slice->tensor->reduced[a] && strcmp(slice->tensor->reduced[a], "mean") != 0)
            return false;
    const Tensor *whole =
        record->run ? tape_find(record->run, slice->tensor->name) : NULL;
    return (!whole || whole->axis[last].size == slice->tensor->axis[last].size) &&
           slice->to[last] - slice->from[last] == slice->tensor->axis[last].size;
}

/* Remove the padding after each sentence in a batch: nothing reads those positions. */
static const Slice *without_padding(const Slice *slices, int count, Arena *arena) {
    Slice *shorter = ARENA_ARRAY(arena, Slice, count);
    for (int s = 0; s < count; s++) {
        shorter[s] = slices[s];
        int target = tensor_axis(slices[s].tensor, "target");
        int batch = tensor_axis(slices[s].tensor, "batch");
        if (target < 0 || batch < 0 || slices[s].to[batch] - slices[s].from[batch] > 1)
            continue;
        int size =
            unpadded_size(&slices[s].tensor->axis[target], slices[s].from[batch]);
        int min = slices[s].from[target] + 1;
        if (shorter[s].to[target] > size)
            shorter[s].to[target] = size > min ? size : min;
    }
    return shorter;
}

Figure drawing_new(const Record *record, const Slice *slices, int count,
                   const Palette *palette, Arena *arena) {
    const unsigned char **hidden = ARENA_ARRAY(arena, const unsigned char *, count);
    for (int s = 0; s < count; s++)
        hidden[s] = hidden_cells(record, slices[s].tensor, arena);
    bool attention = true;
    for (int s = 0; s < count; s++)
        attention = attention && is_attention(record, slices[s].tensor);
    /* Several matrices: more than two axes with several indices. */
    bool grid = count > 1;
    for (int a = 0; a < slices[0].tensor->rank - 2; a++)
        grid = grid || slices[0].to[a] - slices[0].from[a] > 1;
    /* All words or labels, not a part that the user selected. */
    bool ranked = count > 0;
    for (int s = 0; s < count; s++) {
        const Tensor *tensor = slices[s].tensor;
        int last = tensor->rank - 1;
        ranked = ranked && is_of_words(tensor) && !tensor->reduced[last] &&
                 slices[s].to[last] - slices[s].from[last] == tensor->axis[last].size;
    }
    const unsigned char **marked =
        ranked ? ARENA_ARRAY(arena, const unsigned char *, count) : NULL;
    for (int s = 0; marked && s < count; s++)
        marked[s] = taken_cells(record, slices[s].tensor, arena);
    const char *convention = hidden_convention(slices[0].tensor);
    Figure figure = {
        .kind = ranked ? FIGURE_BARS
                : grid ? FIGURE_GRID
                       : FIGURE_HEATMAP,
        .slice = ranked ? without_padding(slices, count, arena) : slices,
        .marked = marked,
        .marked_as =
            slices[0].tensor->rank == 2 ? tr("◀ the answer") : tr("◀ the next token"),
        .slices = count,
        .hidden = hidden,
        .title = convention
                     ? arena_print(arena, "%s: %s", slices[0].tensor->name, convention)
                     : NULL,
        .palette = palette,
        .scale = attention ? SCALE_SHARES : SCALE_AUTO,
        .row_sums = attention && !grid && is_whole_row(record, &slices[0]),
    };
    /* Name the axes of attention after the sentences of queries and keys. */
    const char *name = slices[0].tensor->name;
    bool decoder = strstr(name, "decoder.") != NULL;
    bool crosses =
        strstr(name, "cross_attention.") || strstr(name, "decoder.attention.");
    if (tensor_axis(slices[0].tensor, "key") >= 0 &&
        (decoder || strstr(name, "encoder."))) {
        figure.asking = decoder ? N_("target") : N_("source");
        figure.asked = decoder && !crosses ? N_("target") : N_("source");
    }
    return figure;
}
