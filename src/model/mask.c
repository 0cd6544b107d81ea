#include "model/mask.h"

#include "ops/ops.h"

Tensor *padding_mask(Tape *tape, const Config *config, const Tensor *ids) {
    if (tape->failed) return NULL;
    Tensor *padding = tape_given(tape, "padding_mask", ids->rank, ids->axis);
    for (int i = 0, size = tensor_size(ids); padding && i < size; i++)
        padding->data[i] = ids->data[i] == (Number)config->pad_id;
    return padding;
}

int mask_flags(const Config *config) {
    return config->mask_mode == MASK_MODE_ADD ? MASK_ADD : 0;
}

int mask_flags_decoder(const Config *config) {
    int flags = mask_flags(config);
    if (!config->causal) return flags;
    bool hides_self = config->as_written & MASK_HIDES_SELF;
    return flags | MASK_LATER | (hides_self ? MASK_SELF : 0);
}
