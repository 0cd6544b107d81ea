#include "model/encoder.h"

#include "ops/ops.h"

static EncoderLayer layer_new(Weights *weights, int number, const Config *config) {
    Arena *arena = &weights->arena;
    const char *place = arena_print(arena, "model.encoder.layers.%d", number);
    EncoderLayer layer = {0};
    layer.self_attention =
        attention_new(weights, arena_print(arena, "%s.self_attn", place), config,
                      mask_of_encoder(config, number));
    if (config->position == POSITION_ROTARY)
        layer.self_attention.rotary_base = config->rotary_base;
    layer.around_attention =
        add_norm_new(weights, place, "self_attn_layer_norm", 1, config);
    /* The tutorial that adds to the norm by mistake does not do so in this sublayer. */
    layer.around_attention.from_norm = false;
    if (config->d_ff == 0) return layer;
    layer.feed_forward = feed_forward_new(weights, place, config);
    layer.around_feed_forward =
        add_norm_new(weights, place, "final_layer_norm", 2, config);
    return layer;
}

Encoder encoder_new(Weights *weights, const Config *config, Tensor *table) {
    Encoder encoder = {
        .embedding = embedding_new(weights, "model.encoder", config, table),
        .layers = config->encoder_layers,
        .has_feed_forward = config->d_ff > 0,
        .has_final_norm = config->final_norm,
        .pad_id = config->pad_id,
    };
    for (int n = 0; n < encoder.layers; n++)
        encoder.layer[n] = n && config->share_layers ? encoder.layer[0]
                                                     : layer_new(weights, n, config);
    if (encoder.has_final_norm)
        encoder.final_norm = weights_norm(weights, "model.encoder.layer_norm", config);
    return encoder;
}

/* Every token attends to all tokens or, with encoder_causal, only to itself and earlier
 * ones. */
static Tensor *attend(Tape *tape, const EncoderLayer *layer, Tensor *x,
                      Tensor *padding) {
    Tensor *input = sublayer_input(tape, &layer->around_attention, x);
    const AttentionInput itself = {
        .query = input, .key = input, .value = input, .padding = padding};
    Tensor *seen =
        attention_run(tape, "self_attention", &layer->self_attention, &itself);
    return sublayer_output(tape, &layer->around_attention, x, input, seen);
}

/* Then each token is transformed separately. */
static Tensor *feed_forward(Tape *tape, const EncoderLayer *layer, Tensor *x) {
    Tensor *input = sublayer_input(tape, &layer->around_feed_forward, x);
    Tensor *output = feed_forward_run(tape, &layer->feed_forward, input);
    return sublayer_output(tape, &layer->around_feed_forward, x, input, output);
}

Encoded encoder_run(Tape *tape, const Encoder *encoder, const Ids *source) {
    Where before = tape_enter_stack(tape, "encoder");
    Tensor *ids = ids_given(tape, source, "source");
    Tensor *padding = padding_mask(tape, encoder->pad_id, ids);
    Tensor *x = embedding_run(tape, &encoder->embedding, ids, 0);
    for (int n = 0; n < encoder->layers; n++) {
        const EncoderLayer *layer = &encoder->layer[n];
        Where outside = tape_enter_layer(tape, n);
        x = attend(tape, layer, x, padding);
        if (encoder->has_feed_forward) x = feed_forward(tape, layer, x);
        tape_leave(tape, outside);
    }
    Tensor *output = encoder->has_final_norm
                         ? normalize(tape, "output", x, &encoder->final_norm)
                         : tape_alias(tape, "output", x);
    tape_leave(tape, before);
    return (Encoded){.output = output, .padding = padding};
}
