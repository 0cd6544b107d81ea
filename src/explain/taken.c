#include "explain/taken.h"

#include <string.h>

#include "tensor/address.h"
#include "text/label.h"

bool is_of_words(const Tensor *tensor) {
    const char *last = tensor->axis[tensor->rank - 1].name;
    bool ends = strcmp(tensor->short_name, "probabilities") == 0 ||
                strcmp(tensor->short_name, "logits") == 0;
    return ends && !tensor->holds_ids &&
           (strcmp(last, "vocabulary") == 0 || strcmp(last, "label") == 0);
}

/* The largest number of the row. */
static int best_of(const Tensor *tensor, int start) {
    int best = 0;
    for (int i = 1; i < tensor_row(tensor); i++)
        if (tensor->data[start + i] > tensor->data[start + best]) best = i;
    return best;
}

static int word_called(const Axis *words, const char *label) {
    for (int i = 0; i < words->size; i++) {
        const char *other = axis_label(words, 0, i);
        if (other && strcmp(other, label) == 0) return i;
    }
    return -1;
}

/* What step `step` of the decoding chose, or -1. */
static int choice_of(const Record *record, int step) {
    Arena arena = {0};
    const char *address = arena_print(&arena, "step.%d.choice", step);
    const Tensor *choice = record->steps ? tape_find(record->steps, address) : NULL;
    arena_free(&arena);
    return choice ? (int)choice->data[0] : -1;
}

/* Did the decoding on the steps read what stands in sentence `row`, up to `place`? */
static bool is_decoded(const Record *record, const Tensor *ids, int row, int place) {
    for (int t = 0; t < place; t++)
        if (choice_of(record, t) != (int)ids->data[row * tensor_row(ids) + t + 1])
            return false;
    return record->steps != NULL;
}

/* The word behind place `place` of the target: the next one that was read, or the one
 * that ended it. */
static int next_word(const Record *record, const Tensor *ids, const Axis *words,
                     int row, int place) {
    const char *label =
        axis_label(&ids->axis[1], row, place + 1 < tensor_row(ids) ? place + 1 : place);
    bool padded = label_is_padding(label);
    if (place + 1 < tensor_row(ids) && !padded)
        return (int)ids->data[row * tensor_row(ids) + place + 1];
    if (record->steps)
        return is_decoded(record, ids, row, place) ? choice_of(record, place) : -1;
    return word_called(words, "<end>");
}

static int word_of_row(const Record *record, const Tensor *tensor, int row) {
    int words = tensor_row(tensor);
    const Tensor *ids = record->run ? tape_find(record->run, "decoder.ids") : NULL;
    int step;
    address_behind_step(tensor->name, &step);
    if (tensor->rank == 2) return best_of(tensor, row * words);
    int places = tensor->axis[1].size;
    if (step >= 0) return row % places == places - 1 ? choice_of(record, step) : -1;
    if (!ids || tensor_row(ids) != places) return -1;
    return next_word(record, ids, &tensor->axis[tensor->rank - 1], row / places,
                     row % places);
}

const unsigned char *taken_cells(const Record *record, const Tensor *tensor,
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
