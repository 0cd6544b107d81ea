#include "model/mask.h"

MaskRule mask_padding_only(const Config *config) {
    return (MaskRule){
        .hides = !(config->as_written & PADDING_NOT_HIDDEN),
        .flags = config->mask_mode == MASK_MODE_ADD ? MASK_ADD : 0,
        .value = config->mask_value,
    };
}

MaskRule mask_of_encoder(const Config *config) {
    MaskRule rule = mask_padding_only(config);
    if (config->encoder_causal) rule.flags |= MASK_LATER;
    return rule;
}

MaskRule mask_of_decoder(const Config *config) {
    MaskRule rule = mask_padding_only(config);
    if (!config->causal) return rule;
    rule.flags |= MASK_LATER;
    if (config->as_written & MASK_HIDES_SELF) rule.flags |= MASK_SELF;
    return rule;
}

Tensor *padding_mask(Tape *tape, int pad_id, Tensor *ids) {
    return equals(tape, "padding_mask", ids, pad_id);
}

Tensor *mask_scores(Tape *tape, const char *name, const MaskRule *rule, Tensor *scores,
                    Tensor *padding) {
    if (!rule->hides) return scores;
    return mask(tape, name, scores, padding, rule->flags, rule->value);
}
