#include "model/cache.h"

#include <stdio.h>

#include "ops/ops.h"

DecoderCache decoder_cache_new(void) {
    DecoderCache cache = {0};
    for (int n = 0; n < LAYERS_MAX; n++) cache.cross_attention[n].is_complete = true;
    return cache;
}

/* "key", or with rotary position embeddings "key_rotated". */
typedef struct {
    char text[32];
} KeptName;

static KeptName kept_name(const Projection *projection) {
    KeptName name;
    snprintf(name.text, sizeof name.text, "%s%s", projection->name,
             projection->rotary_base > 0 ? "_rotated" : "");
    return name;
}

Tensor *cache_project(Tape *tape, const Projection *projection, Tensor **kept,
                      bool is_complete) {
    if (!*kept) return *kept = project_rotated(tape, projection, projection->name);
    if (is_complete) {
        tape_alias(tape, kept_name(projection).text, *kept);
        return *kept;
    }
    /* Project the new tokens and append them to those in the cache. */
    char fresh[32];
    snprintf(fresh, sizeof fresh, "%s_new", projection->name);
    *kept = append(tape, kept_name(projection).text, *kept,
                   project_rotated(tape, projection, fresh));
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
