#include "model/mask.h"

#include "ops/ops.h"

MaskRule mask_padding_only(const Config *config) {
    return (MaskRule){
        .hides = !(config->as_written & PADDING_NOT_HIDDEN),
        .setting = {.flags = config->mask_mode == MASK_MODE_ADD ? MASK_ADD : 0,
                    .value = config->mask_value},
    };
}

/* Some layers may have no window: every full_attention_every-th one sees all keys. */
static int window_of(const Config *config, int layer) {
    int every = config->full_attention_every;
    bool is_full = every && layer % every == config->full_attention_first;
    return is_full ? 0 : config->attention_window;
}

MaskRule mask_of_encoder(const Config *config, int layer) {
    MaskRule rule = mask_padding_only(config);
    rule.setting.window = window_of(config, layer);
    if (config->encoder_causal) rule.setting.flags |= MASK_LATER;
    return rule;
}

MaskRule mask_of_decoder(const Config *config, int layer) {
    MaskRule rule = mask_padding_only(config);
    rule.setting.window = window_of(config, layer);
    if (!config->causal) return rule;
    rule.setting.flags |= MASK_LATER;
    if (config->as_written & MASK_HIDES_SELF) rule.setting.flags |= MASK_SELF;
    return rule;
}

Tensor *padding_mask(Tape *tape, int pad_id, Tensor *ids) {
    return equals(tape, "padding_mask", ids, pad_id);
}

Tensor *mask_scores(Tape *tape, const char *name, const MaskRule *rule, Tensor *scores,
                    Tensor *padding) {
    if (!rule->hides) return scores;
    return mask(tape, name, scores, padding, rule->setting);
}
