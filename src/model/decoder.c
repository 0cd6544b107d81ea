#include "model/decoder.h"

#include "ops/ops.h"

static DecoderLayer layer_new(Weights *weights, int number, const Config *config) {
    Arena *arena = &weights->arena;
    const char *place = arena_print(arena, "model.decoder.layers.%d", number);
    const char *self = arena_print(arena, "%s.self_attn", place);
    const char *cross = arena_print(arena, "%s.encoder_attn", place);
    DecoderLayer layer = {0};
    layer.self_attention =
        attention_new(weights, self, config, mask_of_decoder(config, number));
    if (config->position == POSITION_ROTARY &&
        !(config->as_written & DECODER_WITHOUT_POSITIONS))
        layer.self_attention.rotary_base = config->rotary_base;
    layer.around_self_attention =
        add_norm_new(weights, place, "self_attn_layer_norm", 1, config);
    bool has_cross = config->encoder_layers > 0;
    if (has_cross) {
        layer.cross_attention =
            attention_new(weights, cross, config, mask_padding_only(config));
        layer.around_cross_attention =
            add_norm_new(weights, place, "encoder_attn_layer_norm", 2, config);
    }
    if (config->d_ff == 0) return layer;
    layer.feed_forward = feed_forward_new(weights, place, config);
    layer.around_feed_forward =
        add_norm_new(weights, place, "final_layer_norm", has_cross ? 3 : 2, config);
    return layer;
}

Decoder decoder_new(Weights *weights, const Config *config, Tensor *table) {
    bool without_positions = config->as_written & DECODER_WITHOUT_POSITIONS;
    Decoder decoder = {
        .embedding = embedding_new(weights, without_positions ? NULL : "model.decoder",
                                   config, table),
        .layers = config->decoder_layers,
        .has_cross_attention = config->encoder_layers > 0,
        .has_feed_forward = config->d_ff > 0,
        .cross_query_from_encoder = config->as_written & CROSS_QUERY_FROM_ENCODER,
        .has_final_norm = config->final_norm,
        .pad_id = config->pad_id,
    };
    for (int n = 0; n < decoder.layers; n++)
        decoder.layer[n] = n && config->share_layers ? decoder.layer[0]
                                                     : layer_new(weights, n, config);
    if (decoder.has_final_norm)
        decoder.final_norm = weights_norm(weights, "model.decoder.layer_norm", config);
    return decoder;
}

/* Self-attention: the target attends to itself. */
static Tensor *self_attention(Tape *tape, const DecoderLayer *layer, Tensor *x,
                              Tensor *padding, int first, KeyValueCache *cache) {
    const AddNorm *around = &layer->around_self_attention;
    Tensor *input = sublayer_input(tape, around, x);
    const AttentionInput itself = {.query = input,
                                   .key = input,
                                   .value = input,
                                   .padding = padding,
                                   .first = first,
                                   .cache = cache};
    Tensor *seen =
        attention_run(tape, "self_attention", &layer->self_attention, &itself);
    return sublayer_output(tape, around, x, input, seen);
}

/* Cross-attention: the target attends to the source. One tutorial used the source as
 * queries and the target as keys and values, which works only if both have the same
 * length. */
static Tensor *cross_attention(Tape *tape, const Decoder *decoder,
                               const DecoderLayer *layer, Tensor *x,
                               const Encoded *source, KeyValueCache *cache) {
    const AddNorm *around = &layer->around_cross_attention;
    Tensor *input = sublayer_input(tape, around, x);
    AttentionInput asked = {.query = input,
                            .key = source->output,
                            .value = source->output,
                            .padding = source->padding,
                            .cache = cache};
    if (decoder->cross_query_from_encoder) {
        const int sources = source->output ? source->output->axis[1].size : 0;
        const int targets = x ? x->axis[1].size : 0;
        if (source->output && x && sources != targets) {
            tape_fail(tape,
                      "cross_query_from_encoder needs a source and a target of the "
                      "same length, but they have %d and %d tokens",
                      sources, targets);
            return NULL;
        }
        asked.query = source->output;
        asked.value = input;
    }
    Tensor *found =
        attention_run(tape, "cross_attention", &layer->cross_attention, &asked);
    return sublayer_output(tape, around, x, input, found);
}

static Tensor *feed_forward(Tape *tape, const DecoderLayer *layer, Tensor *x) {
    Tensor *input = sublayer_input(tape, &layer->around_feed_forward, x);
    Tensor *output = feed_forward_run(tape, &layer->feed_forward, input);
    return sublayer_output(tape, &layer->around_feed_forward, x, input, output);
}

Tensor *decoder_run(Tape *tape, const Decoder *decoder, const Encoded *source,
                    Tensor *ids, DecoderCache *cache) {
    Tensor *padding = padding_mask(tape, decoder->pad_id, ids);
    if (cache) padding = cache_padding(tape, cache, padding);
    int first = cache ? cache->tokens : 0;
    Tensor *x = embedding_run(tape, &decoder->embedding, ids, first);
    for (int n = 0; n < decoder->layers; n++) {
        const DecoderLayer *layer = &decoder->layer[n];
        Where before = tape_enter_layer(tape, n);
        x = self_attention(tape, layer, x, padding, first,
                           cache ? &cache->self_attention[n] : NULL);
        if (decoder->has_cross_attention)
            x = cross_attention(tape, decoder, layer, x, source,
                                cache ? &cache->cross_attention[n] : NULL);
        if (decoder->has_feed_forward) x = feed_forward(tape, layer, x);
        tape_leave(tape, before);
    }
    Tensor *output = decoder->has_final_norm
                         ? normalize(tape, "output", x, &decoder->final_norm)
                         : tape_alias(tape, "output", x);
    if (cache && output) cache->tokens += ids->axis[1].size;
    return output;
}
