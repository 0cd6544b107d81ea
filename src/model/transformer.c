#include "model/transformer.h"

#include "ops/ops.h"

Transformer transformer_new(Weights *weights, const Config *config) {
    Transformer model = {0};
    Tensor *source =
        config->encoder_layers ? embedding_source_table(weights, config) : NULL;
    if (config->encoder_layers) model.encoder = encoder_new(weights, config, source);
    if (config->masked_words)
        model.masked_words = masked_words_new(weights, config, source);
    if (config->decoder_layers == 0) return model;
    Tensor *target = embedding_target_table(weights, config, source);
    model.decoder = decoder_new(weights, config, target);
    model.head = output_layer_new(weights, config, target);
    return model;
}

Encoded transformer_encode(Tape *tape, const Transformer *model, const Ids *source) {
    if (model->encoder.layers == 0)
        return embedding_fits(tape, &model->decoder.embedding, "prompt", source->length)
                   ? (Encoded){.prompt = *source}
                   : (Encoded){0};
    return encoder_run(tape, &model->encoder, source);
}

Tensor *transformer_decode(Tape *tape, const Transformer *model, const Encoded *source,
                           Tensor *target, DecoderCache *cache) {
    Where before = tape_enter_stack(tape, "decoder");
    Tensor *output = decoder_run(tape, &model->decoder, source, target, cache);
    tape_leave(tape, before);
    Tensor *logits = linear(tape, "logits", output, &model->head);
    if (!tape->learns) softmax(tape, "probabilities", logits);
    return logits;
}

bool transformer_can_cache(const Config *config) {
    const double hides = -1e4; /* exp(hides - any score) is 0 in float */
    int late = MASK_HIDES_SELF | CROSS_QUERY_FROM_ENCODER;
    return config->causal && config->mask_value <= hides &&
           !(config->as_written & late);
}
