#include "model/transformer.h"

#include "model/mask.h"
#include "ops/ops.h"

static Linear head_new(Weights *weights, const Config *config, Tensor *table) {
    Axis vocabulary = {.name = "vocabulary", .size = config->target_vocabulary};
    if (!config->tie_embeddings)
        return weights_linear(weights, "lm_head", vocabulary, config->d_model);
    Tensor *bias =
        weights_add(weights, "lm_head", "bias", INITIAL_ZERO, 1, &vocabulary);
    return (Linear){table, bias};
}

Transformer transformer_new(Weights *weights, const Config *config) {
    Transformer model = {0};
    Tensor *source = embedding_source_table(weights, config);
    model.encoder = encoder_new(weights, config, source);
    if (config->decoder_layers == 0) return model;
    Tensor *target = embedding_target_table(weights, config, source);
    model.decoder = decoder_new(weights, config, target);
    model.head = head_new(weights, config, target);
    return model;
}

Tensor *transformer_encode(Tape *tape, const Transformer *model, const Config *config,
                           const Ids *source) {
    return encoder_read(tape, &model->encoder, config, source);
}

/* The padding mask of all target tokens, those in the memory too. */
static Tensor *target_padding(Tape *tape, const Config *config, const Ids *target,
                              Tensor *ids, const DecoderMemory *memory) {
    if (!memory || memory->tokens == 0) return padding_mask(tape, config, ids);
    const char *before = tape_enter(tape, "all");
    Tensor *all = ids_given(tape, target, "target", 0);
    tape_leave(tape, before);
    return padding_mask(tape, config, all);
}

Tensor *transformer_decode(Tape *tape, const Transformer *model, const Config *config,
                           const Ids *target, DecoderMemory *memory) {
    const char *before = tape_enter(tape, "decoder");
    Tensor *ids = ids_given(tape, target, "target", memory ? memory->tokens : 0);
    DecoderInput input = {
        .ids = ids,
        .padding = target_padding(tape, config, target, ids, memory),
        .source = tape_find(tape, "encoder.output"),
        .source_padding = tape_find(tape, "encoder.padding_mask"),
        .memory = memory,
    };
    Tensor *output = decoder_run(tape, &model->decoder, config, &input);
    tape_leave(tape, before);
    if (memory) memory->tokens = target->length;
    Tensor *logits = linear(tape, "logits", output, &model->head);
    if (!tape->learns) softmax(tape, "probabilities", logits);
    return logits;
}

Tensor *transformer_run(Tape *tape, const Transformer *model, const Config *config,
                        const Ids *source, const Ids *target) {
    Tensor *output = transformer_encode(tape, model, config, source);
    if (config->decoder_layers == 0) return output;
    return transformer_decode(tape, model, config, target, NULL);
}

bool transformer_remembers(const Config *config) {
    const double hides = -1e4; /* exp of it is 0 in float, whatever stands beside it */
    int late = MASK_HIDES_SELF | CROSS_QUERY_FROM_ENCODER;
    return config->causal && config->mask_value <= hides &&
           !(config->as_written & late);
}
