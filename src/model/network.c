#include "model/network.h"

#include "base/language.h"

/* The functions of one type of model. */
typedef struct {
    void (*build)(Network *network, Weights *weights, const Config *config,
                  VocabularyLabels labels);
    Encoded (*encode)(Tape *tape, const Network *network, const Ids *source);
    Tensor *(*decode)(Tape *tape, const Network *network, const Encoded *source,
                      Tensor *target, DecoderCache *cache);
    bool (*can_cache)(const Config *config); /* NULL: it cannot */
    const char *(*alignment)(const Config *config, Arena *arena);
    const char *(*describe)(const Config *config, Arena *arena);
    bool reads_padding;
    const char *silent; /* why it cannot generate, if it has no decoder */
} Kind;

/* Label the rows of the tables and logits with their words. */
static void label_rows(Tensor *tensor, const char *const *labels) {
    if (!tensor) return;
    tensor->axis[0].labels = labels;
    tensor->axis[0].label_rows = 1;
}

static void label_target(Tensor *table, const Linear *head, const char *const *labels) {
    label_rows(table, labels);
    label_rows(head->weight, labels);
    label_rows(head->bias, labels);
}

static void transformer_build(Network *network, Weights *weights, const Config *config,
                              VocabularyLabels labels) {
    Transformer *transformer = &network->transformer;
    *transformer = transformer_new(weights, config);
    if (config->encoder_layers)
        label_rows(transformer->encoder.embedding.table, labels.source);
    if (config->decoder_layers)
        label_target(transformer->decoder.embedding.table, &transformer->head,
                     labels.target);
    if (config->masked_words)
        label_target(NULL, &transformer->masked_words.head, labels.source);
}

static Encoded encode_transformer(Tape *tape, const Network *network,
                                  const Ids *source) {
    return transformer_encode(tape, &network->transformer, source);
}

static Tensor *decode_transformer(Tape *tape, const Network *network,
                                  const Encoded *source, Tensor *target,
                                  DecoderCache *cache) {
    const Transformer *transformer = &network->transformer;
    if (transformer->masked_words.head.weight)
        return masked_words_run(tape, &transformer->masked_words, source->output);
    if (transformer->decoder.layers == 0) return source->output;
    return transformer_decode(tape, transformer, source, target, cache);
}

static const char *transformer_alignment(const Config *config, Arena *arena) {
    return arena_print(arena, "decoder.%d.%s_attention.weights",
                       config->decoder_layers - 1,
                       config->encoder_layers ? "cross" : "self");
}

static const char *transformer_describe(const Config *config, Arena *arena) {
    const char *layers =
        config->encoder_layers == 0
            ? trf(arena,
                  config->decoder_layers == 1 ? N_("decoder-only, %d layer")
                                              : N_("decoder-only, %d layers"),
                  config->decoder_layers)
        : config->decoder_layers
            ? trf(arena, "encoder-decoder, %d+%d layers", config->encoder_layers,
                  config->decoder_layers)
            : trf(arena,
                  config->encoder_layers == 1 ? N_("encoder, %d layer")
                                              : N_("encoder, %d layers"),
                  config->encoder_layers);
    return trf(arena,
               config->attention_heads == 1 ? N_("%s, d_model %d, %d head")
                                            : N_("%s, d_model %d, %d heads"),
               layers, config->d_model, config->attention_heads);
}

static void classifier_build(Network *network, Weights *weights, const Config *config,
                             VocabularyLabels labels) {
    network->classifier = classifier_new(weights, config, labels);
    label_rows(network->classifier.table, labels.source);
}

static Encoded encode_classifier(Tape *tape, const Network *network,
                                 const Ids *source) {
    return classifier_encode(tape, &network->classifier, source);
}

static Tensor *decide(Tape *tape, const Network *network, const Encoded *source,
                      Tensor *target, DecoderCache *cache) {
    (void)target;
    (void)cache;
    return classifier_decide(tape, &network->classifier, source);
}

static const char *classifier_describe(const Config *config, Arena *arena) {
    const char *encoder = config->encoder_type == ENCODER_RNN
                              ? trf(arena, "plain RNN, d_model %d, hidden_size %d",
                                    config->d_model, config->hidden_size)
                              : transformer_describe(config, arena);
    return trf(arena, "classifier of %d labels, %s", config->label_count, encoder);
}

static void seq2seq_build(Network *network, Weights *weights, const Config *config,
                          VocabularyLabels labels) {
    Seq2seq *seq2seq = &network->seq2seq;
    *seq2seq = seq2seq_new(weights, config);
    label_rows(seq2seq->source.table, labels.source);
    label_target(seq2seq->target.table, &seq2seq->head, labels.target);
}

static Encoded encode_seq2seq(Tape *tape, const Network *network, const Ids *source) {
    return seq2seq_encode(tape, &network->seq2seq, source);
}

static Tensor *decode_seq2seq(Tape *tape, const Network *network, const Encoded *source,
                              Tensor *target, DecoderCache *cache) {
    (void)cache;
    return seq2seq_decode(tape, &network->seq2seq, source, target);
}

static const char *seq2seq_alignment(const Config *config, Arena *arena) {
    (void)config;
    (void)arena;
    return "decoder.attention.weights";
}

static const char *seq2seq_describe(const Config *config, Arena *arena) {
    return trf(arena, "two LSTMs with attention, d_model %d, hidden_size %d",
               config->d_model, config->hidden_size);
}

static const Kind kinds[] = {
    [MODEL_TRANSFORMER] =
        {
            .build = transformer_build,
            .encode = encode_transformer,
            .decode = decode_transformer,
            .can_cache = transformer_can_cache,
            .alignment = transformer_alignment,
            .describe = transformer_describe,
            .silent = N_("this model has no decoder and generates nothing"),
        },
    [MODEL_CLASSIFIER] =
        {
            .build = classifier_build,
            .encode = encode_classifier,
            .decode = decide,
            .describe = classifier_describe,
            .silent = N_("this model is a classifier: it gives a sentence a label and "
                         "generates no text"),
        },
    [MODEL_SEQ2SEQ] =
        {
            .build = seq2seq_build,
            .encode = encode_seq2seq,
            .decode = decode_seq2seq,
            .alignment = seq2seq_alignment,
            .describe = seq2seq_describe,
            .reads_padding = true,
        },
};

static const Kind *kind_of(const Config *config) {
    return &kinds[config->model_type];
}

Network network_new(Weights *weights, const Config *config, VocabularyLabels labels) {
    Network network = {.type = (ModelType)config->model_type};
    kind_of(config)->build(&network, weights, config, labels);
    return network;
}

Encoded network_encode(Tape *tape, const Network *network, const Ids *source) {
    return kinds[network->type].encode(tape, network, source);
}

Tensor *network_decode(Tape *tape, const Network *network, const Encoded *source,
                       Tensor *target, DecoderCache *cache) {
    return kinds[network->type].decode(tape, network, source, target, cache);
}

Tensor *network_target(Tape *tape, const Ids *target) {
    Where before = tape_enter_stack(tape, "decoder");
    Tensor *ids = ids_given(tape, target, "target");
    tape_leave(tape, before);
    return ids;
}

Tensor *network_run(Tape *tape, const Network *network, const Ids *source,
                    const Ids *target) {
    Encoded encoded = network_encode(tape, network, source);
    bool has_decoder =
        network->type == MODEL_SEQ2SEQ ||
        (network->type == MODEL_TRANSFORMER && network->transformer.decoder.layers > 0);
    Tensor *ids = has_decoder ? network_target(tape, target) : NULL;
    return network_decode(tape, network, &encoded, ids, NULL);
}

bool network_can_cache(const Config *config) {
    const Kind *family = kind_of(config);
    return family->can_cache && family->can_cache(config);
}

bool network_reads_padding(const Config *config) {
    return kind_of(config)->reads_padding;
}

bool network_mixes_batch(const Config *config) {
    return config->as_written & KEYS_ARE_LAST_STATE;
}

bool network_generates(const Config *config, Error *error) {
    if (config->masked_words)
        return fail(error, "this model is a masked language model: it predicts masked "
                           "words and generates no text");
    if (config->decoder_layers == 0)
        return fail(error, "%s", tr(kind_of(config)->silent));
    if (config->as_written & CROSS_QUERY_FROM_ENCODER)
        return fail(
            error,
            "this model needs a target as long as the source "
            "(cross_query_from_encoder), so it cannot generate one; give --target");
    return true;
}

const char *network_alignment(const Config *config, Arena *arena) {
    if (config->decoder_layers == 0 || network_mixes_batch(config)) return NULL;
    return kind_of(config)->alignment(config, arena);
}

const char *network_describe(const Config *config, Arena *arena) {
    return kind_of(config)->describe(config, arena);
}
