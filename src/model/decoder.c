#include "model/decoder.h"

#include "model/mask.h"
#include "ops/ops.h"

static Norm layer_norm_new(Weights *weights, const char *place, const char *name,
                           const Config *config) {
    if (config->norm == NORM_NONE) return (Norm){0};
    return weights_norm(weights, arena_print(&weights->arena, "%s.%s", place, name),
                        config->d_model, config->layer_norm_epsilon);
}

static DecoderLayer layer_new(Weights *weights, int number, const Config *config) {
    Arena *arena = &weights->arena;
    const char *place = arena_print(arena, "model.decoder.layers.%d", number);
    DecoderLayer layer = {0};
    layer.self_attention =
        attention_new(weights, arena_print(arena, "%s.self_attn", place), config);
    layer.norm_1 = layer_norm_new(weights, place, "self_attn_layer_norm", config);
    layer.cross_attention =
        attention_new(weights, arena_print(arena, "%s.encoder_attn", place), config);
    layer.norm_2 = layer_norm_new(weights, place, "encoder_attn_layer_norm", config);
    if (config->d_ff == 0) return layer;
    layer.feed_forward = feed_forward_new(weights, place, config);
    layer.norm_3 = layer_norm_new(weights, place, "final_layer_norm", config);
    return layer;
}

Decoder decoder_new(Weights *weights, const Config *config, Tensor *table) {
    Decoder decoder = {.embedding = {.table = table}};
    bool without = config->as_written & DECODER_WITHOUT_POSITIONS;
    decoder.embedding.has_positions = config->position != POSITION_NONE && !without;
    if (!without)
        decoder.embedding.position = position_new(weights, "model.decoder", config);
    for (int n = 0; n < config->decoder_layers; n++)
        decoder.layer[n] = n && config->share_layers ? decoder.layer[0]
                                                     : layer_new(weights, n, config);
    if (config->final_norm)
        decoder.final_norm = weights_norm(weights, "model.decoder.layer_norm",
                                          config->d_model, config->layer_norm_epsilon);
    return decoder;
}

/* The target looks back at itself. */
static Tensor *look_back(Tape *tape, const Attention *attention, const Config *config,
                         const DecoderInput *input, Memory *memory, Tensor *x) {
    Look look = {
        .query = x,
        .key = x,
        .value = x,
        .padding = input->padding,
        .mask_flags = mask_flags_decoder(config),
        .memory = memory,
    };
    return attention_run(tape, "self_attention", attention, config, &look);
}

/* The target asks the source. As one tutorial wrote it, the source asks itself and the
 * target gives the answers, which works only when both are of one length. */
static Tensor *look_across(Tape *tape, const Attention *attention, const Config *config,
                           const DecoderInput *input, Memory *memory, Tensor *x) {
    Look look = {
        .query = x,
        .key = input->source,
        .value = input->source,
        .padding = input->source_padding,
        .mask_flags = mask_flags(config),
        .memory = memory,
        .key_is_remembered = true,
    };
    if (config->as_written & CROSS_QUERY_FROM_ENCODER) {
        look.query = input->source;
        look.value = x;
        if (x && x->axis[1].size != input->source->axis[1].size)
            return tape_fail(tape,
                             "cross_query_from_encoder needs a source and a target of "
                             "one length, but they have %d and %d tokens",
                             input->source->axis[1].size, x->axis[1].size);
    }
    return attention_run(tape, "cross_attention", attention, config, &look);
}

static Tensor *layer_run(Tape *tape, const Decoder *decoder, int number,
                         const Config *config, const DecoderInput *input, Tensor *x) {
    const DecoderLayer *layer = &decoder->layer[number];
    DecoderMemory *memory = input->memory;
    bool from_norm = config->as_written & RESIDUAL_FROM_NORM;

    Sublayer first = sublayer_begin(tape, &layer->norm_1, config, 1, x);
    Tensor *back =
        look_back(tape, &layer->self_attention, config, input,
                  memory ? &memory->self_attention[number] : NULL, first.inside);
    x = sublayer_end(tape, &first, config, from_norm, back);

    Sublayer second = sublayer_begin(tape, &layer->norm_2, config, 2, x);
    Tensor *across =
        look_across(tape, &layer->cross_attention, config, input,
                    memory ? &memory->cross_attention[number] : NULL, second.inside);
    x = sublayer_end(tape, &second, config, from_norm, across);
    if (config->d_ff == 0) return x;

    Sublayer third = sublayer_begin(tape, &layer->norm_3, config, 3, x);
    Tensor *thought =
        feed_forward_run(tape, &layer->feed_forward, config, third.inside);
    return sublayer_end(tape, &third, config, from_norm, thought);
}

Tensor *decoder_run(Tape *tape, const Decoder *decoder, const Config *config,
                    const DecoderInput *input) {
    int first = input->memory ? input->memory->tokens : 0;
    Tensor *x = embedding_run(tape, &decoder->embedding, config, input->ids, first);
    for (int n = 0; n < config->decoder_layers; n++) {
        const char *before = tape_enter_number(tape, n);
        x = layer_run(tape, decoder, n, config, input, x);
        tape_leave(tape, before);
    }
    if (!config->final_norm) return tape_alias(tape, "output", x);
    return layer_norm(tape, "output", x, &decoder->final_norm);
}
