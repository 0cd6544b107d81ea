#include "explain/hidden.h"

#include <stdio.h>
#include <string.h>

#include "base/language.h"
#include "explain/change.h"
#include "ops/ops.h"
#include "text/label.h"

const unsigned char *masked_cells(const Record *record, const Tensor *tensor,
                                  Arena *arena) {
    if (gradients_have(record->gradients, tensor))
        tensor = record->gradients->of[tensor - record->gradients->tensor];
    /* The step that masks: its own, or the one before the softmax. */
    const Step *step = record_step(record, tensor);
    if (step && step->op == &op_softmax) step = record_step(record, step->input[0]);
    if (!step || step->op != &op_mask) return NULL;
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
    return tr("1 is masked, 0 is visible; many tutorials use the opposite");
}

/* Return the first mask with a window, else the first of later keys, else the first. */
static const Step *first_mask(const Tape *tape) {
    const Step *first = NULL;
    for (int s = 0; s < tape->count; s++) {
        const Step *step = &tape->step[s];
        if (step->op != &op_mask) continue;
        if (step->setting.window) return step;
        bool is_more = step->setting.count & MASK_LATER &&
                       !(first && first->setting.count & MASK_LATER);
        if (!first || is_more) first = step;
    }
    return first;
}

Tensor *mask_kept(const Tape *tape, const Tensor *mask, Arena *arena) {
    const Tensor *scores = first_mask(tape)->input[0];
    const Axis axis[] = {
        scores->axis[0], {.name = "head", .size = 1}, scores->axis[2], scores->axis[3]};
    const char *name = arena_print(arena, "1 - %s", mask->name);
    Tensor *kept = tensor_new(arena, name, 4, axis);
    const int keys = axis[3].size;
    const int queries = axis[2].size;
    for (int cell = 0; cell < tensor_size(kept); cell++) {
        const int row = mask->rank == 2 ? cell / keys / queries : cell / keys;
        kept->data[cell] = 1 - mask->data[row * keys + cell % keys];
    }
    kept->holds_ids = true;
    return kept;
}

int unpadded_size(const Axis *axis, int row) {
    int size = axis->size;
    while (size > 1 && label_is_padding(axis_label(axis, row, size - 1))) size--;
    return size;
}

/* Return the tensor of a mask. If the run's numbers were changed, reuse the existing
 * one. */
static Tensor *marks(Tape *tape, const char *name, int rank, const Axis *axis) {
    char address[32];
    snprintf(address, sizeof address, "mask.%s", name);
    Tensor *mask = tape_find(tape, address);
    if (!mask) mask = tape_given(tape, name, rank, axis);
    if (mask) mask->holds_ids = true;
    return mask;
}

/* Set 1 where one of `reasons` masks the key for the query. */
static void matrix(Tape *tape, const char *name, const Step *step, int reasons) {
    const Tensor *scores = step->input[0];
    const Axis axis[] = {scores->axis[0], scores->axis[2], scores->axis[3]};
    Tensor *mask = marks(tape, name, 3, axis);
    if (!mask) return;
    int heads = scores->axis[1].size;
    int size = axis[1].size * axis[2].size;
    for (int cell = 0; cell < tensor_size(mask); cell++) {
        int batch = cell / size;
        int first_head = batch * heads * size + cell % size;
        mask->data[cell] = (mask_reasons(step, first_head) & reasons) != 0;
    }
}

void mask_matrices(Tape *tape) {
    const Step *step = tape->failed ? NULL : first_mask(tape);
    if (!step) return;
    Where before = tape_enter(tape, "mask");
    const Axis axis[] = {step->input[0]->axis[0], step->input[0]->axis[3]};
    Tensor *padding = marks(tape, "padding", 2, axis);
    for (int cell = 0; padding && cell < tensor_size(padding); cell++)
        padding->data[cell] = step->input[1]->data[cell];
    bool later = step->setting.count & MASK_LATER;
    if (later) matrix(tape, "look_ahead", step, MASK_LATER | MASK_SELF);
    if (step->setting.window) matrix(tape, "window", step, MASK_FAR);
    if (later || step->setting.window)
        matrix(tape, "combined", step,
               MASK_LATER | MASK_SELF | MASK_PADDING | MASK_FAR);
    tape_leave(tape, before);
}
