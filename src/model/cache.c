#include "model/cache.h"

#include <stdio.h>

#include "ops/ops.h"

DecoderCache decoder_cache_new(void) {
    DecoderCache cache = {0};
    for (int n = 0; n < LAYERS_MAX; n++) cache.cross_attention[n].is_complete = true;
    return cache;
}

Tensor *cache_project(Tape *tape, const Projection *projection, Tensor **kept,
                      bool is_complete) {
    if (!*kept) return *kept = project_rotated(tape, projection, projection->name);
    char name[32];
    snprintf(name, sizeof name, "%s%s", projection->name,
             projection->rotary_base > 0 ? "_rotated" : "");
    if (is_complete) return tape_alias(tape, name, *kept);
    /* Project the new tokens and append them to those in the cache. */
    char fresh[32];
    snprintf(fresh, sizeof fresh, "%s_new", projection->name);
    *kept = append(tape, name, *kept, project_rotated(tape, projection, fresh));
    if (*kept) {
        (*kept)->axis[2].labels = projection->padding->axis[1].labels;
        (*kept)->axis[2].label_rows = projection->padding->axis[1].label_rows;
    }
    return *kept;
}

Tensor *cache_padding(Tape *tape, DecoderCache *cache, Tensor *padding) {
    if (!cache->padding) return cache->padding = padding;
    Where before = tape_enter(tape, "all");
    Tensor *all = concatenate(tape, "padding_mask", cache->padding, padding);
    tape_leave(tape, before);
    if (all) {
        all->axis[1].labels = cache->padding->axis[1].labels;
        all->axis[1].label_rows = 1;
    }
    return cache->padding = all;
}
