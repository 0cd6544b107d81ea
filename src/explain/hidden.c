#include "explain/hidden.h"

#include <string.h>

#include "base/language.h"
#include "explain/change.h"
#include "ops/ops.h"
#include "text/label.h"

/* The mask step that decides about the cells of `tensor`: its own, or that of the
 * scores which a softmax read. */
static const Step *mask_step(const Record *record, const Tensor *tensor) {
    const Step *step = record_step(record, tensor);
    if (step && step->op == &op_softmax) step = record_step(record, step->input[0]);
    return step && step->op == &op_mask ? step : NULL;
}

const unsigned char *masked_cells(const Record *record, const Tensor *tensor,
                                  Arena *arena) {
    const Step *step = mask_step(record, tensor);
    if (!step) return NULL;
    bool is_scores = step->output == tensor;
    int size = tensor_size(tensor);
    unsigned char *hidden = arena_take(arena, (size_t)size);
    bool any = false;
    for (int cell = 0; cell < size; cell++) {
        hidden[cell] = (is_scores || tensor->data[cell] == 0) &&
                       mask_reasons(step, cell) != 0 &&
                       !changes_of_cell(record->changes, tensor, cell);
        any = any || hidden[cell];
    }
    return any ? hidden : NULL;
}

const char *hidden_convention(const Tensor *tensor) {
    if (strncmp(tensor->name, "mask.", strlen("mask.")) != 0) return NULL;
    return said(
        "1 is hidden, 0 may be seen; many a tutorial writes it the other way round");
}

int unpadded_size(const Axis *axis, int row) {
    int size = axis->size;
    while (size > 1 && label_is_padding(axis_label(axis, row, size - 1))) size--;
    return size;
}
