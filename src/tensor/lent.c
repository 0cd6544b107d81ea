#include "tensor/lent.h"

/* The last one is likely to be in the caches still. */
static Number *find_spare(Lent *lent, int size) {
    int s = lent->count - 1;
    while (s >= 0 && lent->spare[s].size != size) s--;
    if (s < 0) return NULL;
    Number *numbers = lent->spare[s].numbers;
    for (lent->count--; s < lent->count; s++) lent->spare[s] = lent->spare[s + 1];
    return numbers;
}

void lent_give(Lent *lent, Tensor *tensor, Arena *arena) {
    if (tensor->grad) return;
    int size = tensor_size(tensor);
    tensor->grad = find_spare(lent, size);
    if (!tensor->grad)
        tensor->grad = arena_take_raw(arena, (size_t)size * sizeof *tensor->grad);
}

void lent_take_back(Lent *lent, Tensor *tensor, Arena *arena) {
    if (!tensor->grad) return;
    ARENA_GROW(arena, lent->spare, lent->count, lent->capacity);
    lent->spare[lent->count++] = (Spare){tensor->grad, tensor_size(tensor)};
    tensor->grad = NULL;
}
