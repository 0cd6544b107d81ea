#include "model/encoder.h"

#include "model/mask.h"
#include "ops/ops.h"

static EncoderLayer layer_new(Weights *weights, int number, const Config *config) {
    Arena *arena = &weights->arena;
    const char *place = arena_print(arena, "model.encoder.layers.%d", number);
    EncoderLayer layer = {0};
    layer.self_attention =
        attention_new(weights, arena_print(arena, "%s.self_attn", place), config);
    if (config->norm != NORM_NONE)
        layer.norm_1 =
            weights_norm(weights, arena_print(arena, "%s.self_attn_layer_norm", place),
                         config->d_model, config->layer_norm_epsilon);
    if (config->d_ff == 0) return layer;
    layer.feed_forward = feed_forward_new(weights, place, config);
    if (config->norm != NORM_NONE)
        layer.norm_2 =
            weights_norm(weights, arena_print(arena, "%s.final_layer_norm", place),
                         config->d_model, config->layer_norm_epsilon);
    return layer;
}

Encoder encoder_new(Weights *weights, const Config *config, Tensor *table) {
    Encoder encoder = {.embedding = {.table = table}};
    encoder.embedding.has_positions = config->position != POSITION_NONE;
    encoder.embedding.position = position_new(weights, "model.encoder", config);
    for (int n = 0; n < config->encoder_layers; n++)
        encoder.layer[n] = n && config->share_layers ? encoder.layer[0]
                                                     : layer_new(weights, n, config);
    if (config->final_norm)
        encoder.final_norm = weights_norm(weights, "model.encoder.layer_norm",
                                          config->d_model, config->layer_norm_epsilon);
    return encoder;
}

/* x looks at itself, then each token is thought over alone. */
static Tensor *layer_run(Tape *tape, const EncoderLayer *layer, const Config *config,
                         Tensor *x, Tensor *padding) {
    Sublayer first = sublayer_begin(tape, &layer->norm_1, config, 1, x);
    Look look = {
        .query = first.inside,
        .key = first.inside,
        .value = first.inside,
        .padding = padding,
        .mask_flags = mask_flags(config),
    };
    Tensor *seen =
        attention_run(tape, "self_attention", &layer->self_attention, config, &look);
    x = sublayer_end(tape, &first, config, false, seen);
    if (config->d_ff == 0) return x;

    bool from_norm = config->as_written & RESIDUAL_FROM_NORM;
    Sublayer second = sublayer_begin(tape, &layer->norm_2, config, 2, x);
    Tensor *thought =
        feed_forward_run(tape, &layer->feed_forward, config, second.inside);
    return sublayer_end(tape, &second, config, from_norm, thought);
}

Tensor *encoder_run(Tape *tape, const Encoder *encoder, const Config *config,
                    Tensor *ids, Tensor *padding) {
    Tensor *x = embedding_run(tape, &encoder->embedding, config, ids, 0);
    for (int n = 0; n < config->encoder_layers; n++) {
        const char *before = tape_enter_number(tape, n);
        x = layer_run(tape, &encoder->layer[n], config, x, padding);
        tape_leave(tape, before);
    }
    if (!config->final_norm) return tape_alias(tape, "output", x);
    return layer_norm(tape, "output", x, &encoder->final_norm);
}

Tensor *encoder_read(Tape *tape, const Encoder *encoder, const Config *config,
                     const Ids *source) {
    const char *before = tape_enter(tape, "encoder");
    Tensor *ids = ids_given(tape, source, "source", 0);
    Tensor *padding = padding_mask(tape, config, ids);
    Tensor *output = encoder_run(tape, encoder, config, ids, padding);
    tape_leave(tape, before);
    return output;
}
