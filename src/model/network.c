#include "model/network.h"

/* What one type of model does in its own way. */
typedef struct {
    void (*build)(Model *model);
    Tensor *(*encode)(Tape *tape, const Model *model, const Ids *source);
    Tensor *(*decode)(Tape *tape, const Model *model, const Ids *target,
                      DecoderMemory *memory);
    bool (*remembers)(const Config *config);
    const char *(*alignment)(const Config *config, Arena *arena);
    const char *(*describe)(const Config *config, Arena *arena);
    bool reads_padding;
    const char *silent; /* without a decoder: why it generates nothing */
} Network;

/* Rows of the tables and logits are called by their words. */
static void label_vocabulary(Tensor *tensor, const Tokenizer *tokenizer) {
    if (!tensor) return;
    tensor->axis[0].labels = tokenizer->label;
    tensor->axis[0].label_rows = 1;
}

static void label_target(const Model *model, Tensor *table, const Linear *head) {
    label_vocabulary(table, &model->target);
    label_vocabulary(head->weight, &model->target);
    label_vocabulary(head->bias, &model->target);
}

static void transformer_build(Model *model) {
    Transformer *transformer = &model->transformer;
    *transformer = transformer_new(&model->weights, &model->config);
    label_vocabulary(transformer->encoder.embedding.table, &model->source);
    if (model->config.decoder_layers)
        label_target(model, transformer->decoder.embedding.table, &transformer->head);
}

static Tensor *encode_transformer(Tape *tape, const Model *model, const Ids *source) {
    return transformer_encode(tape, &model->transformer, &model->config, source);
}

static Tensor *decode_transformer(Tape *tape, const Model *model, const Ids *target,
                                  DecoderMemory *memory) {
    if (model->config.decoder_layers == 0) return tape_find(tape, "encoder.output");
    return transformer_decode(tape, &model->transformer, &model->config, target,
                              memory);
}

static const char *transformer_alignment(const Config *config, Arena *arena) {
    return arena_print(arena, "decoder.%d.cross_attention.weights",
                       config->decoder_layers - 1);
}

static const char *transformer_describe(const Config *config, Arena *arena) {
    const char *layers =
        config->decoder_layers
            ? arena_print(arena, "encoder-decoder, %d+%d layers",
                          config->encoder_layers, config->decoder_layers)
            : arena_print(arena, "encoder, %d layer%s", config->encoder_layers,
                          config->encoder_layers == 1 ? "" : "s");
    return arena_print(arena, "%s, d_model %d, %d head%s", layers, config->d_model,
                       config->attention_heads,
                       config->attention_heads == 1 ? "" : "s");
}

static void classifier_build(Model *model) {
    model->classifier = classifier_new(&model->weights, &model->config);
    label_vocabulary(model->classifier.encoder.embedding.table, &model->source);
}

static Tensor *encode_classifier(Tape *tape, const Model *model, const Ids *source) {
    return classifier_encode(tape, &model->classifier, &model->config, source);
}

static Tensor *decide(Tape *tape, const Model *model, const Ids *target,
                      DecoderMemory *memory) {
    (void)target;
    (void)memory;
    return classifier_decide(tape, &model->classifier, &model->config);
}

static const char *classifier_describe(const Config *config, Arena *arena) {
    return arena_print(arena, "classifier of %d labels, %s", config->label_count,
                       transformer_describe(config, arena));
}

static void seq2seq_build(Model *model) {
    Seq2seq *seq2seq = &model->seq2seq;
    *seq2seq = seq2seq_new(&model->weights, &model->config);
    label_vocabulary(seq2seq->source.table, &model->source);
    label_target(model, seq2seq->target.table, &seq2seq->head);
}

static Tensor *encode_seq2seq(Tape *tape, const Model *model, const Ids *source) {
    return seq2seq_encode(tape, &model->seq2seq, &model->config, source);
}

static Tensor *decode_seq2seq(Tape *tape, const Model *model, const Ids *target,
                              DecoderMemory *memory) {
    (void)memory;
    return seq2seq_decode(tape, &model->seq2seq, &model->config, target);
}

static bool remembers_nothing(const Config *config) {
    (void)config;
    return false;
}

static const char *seq2seq_alignment(const Config *config, Arena *arena) {
    (void)config;
    (void)arena;
    return "decoder.attention.weights";
}

static const char *seq2seq_describe(const Config *config, Arena *arena) {
    return arena_print(arena, "two LSTMs with attention, d_model %d, hidden_size %d",
                       config->d_model, config->hidden_size);
}

static const Network networks[] = {
    [MODEL_TRANSFORMER] =
        {
            .build = transformer_build,
            .encode = encode_transformer,
            .decode = decode_transformer,
            .remembers = transformer_remembers,
            .alignment = transformer_alignment,
            .describe = transformer_describe,
            .silent = "this model has no decoder and generates nothing",
        },
    [MODEL_CLASSIFIER] =
        {
            .build = classifier_build,
            .encode = encode_classifier,
            .decode = decide,
            .remembers = remembers_nothing,
            .describe = classifier_describe,
            .silent = "this model is a classifier: it gives a sentence a label and "
                      "generates no text",
        },
    [MODEL_SEQ2SEQ] =
        {
            .build = seq2seq_build,
            .encode = encode_seq2seq,
            .decode = decode_seq2seq,
            .remembers = remembers_nothing,
            .alignment = seq2seq_alignment,
            .describe = seq2seq_describe,
            .reads_padding = true,
        },
};

static const Network *network_of(const Model *model) {
    return &networks[model->config.model_type];
}

void network_build(Model *model) {
    network_of(model)->build(model);
}

Tensor *network_encode(Tape *tape, const Model *model, const Ids *source) {
    return network_of(model)->encode(tape, model, source);
}

Tensor *network_decode(Tape *tape, const Model *model, const Ids *target,
                       DecoderMemory *memory) {
    return network_of(model)->decode(tape, model, target, memory);
}

Tensor *network_run(Tape *tape, const Model *model, const Ids *source,
                    const Ids *target) {
    network_encode(tape, model, source);
    return network_decode(tape, model, target, NULL);
}

bool network_remembers(const Model *model) {
    return network_of(model)->remembers(&model->config);
}

bool network_reads_padding(const Model *model) {
    return network_of(model)->reads_padding;
}

bool network_generates(const Model *model, Error *error) {
    const Config *config = &model->config;
    if (config->decoder_layers == 0)
        return fail(error, "%s", network_of(model)->silent);
    if (config->as_written & CROSS_QUERY_FROM_ENCODER)
        return fail(
            error,
            "this model needs a target as long as the source "
            "(cross_query_from_encoder), so it cannot generate one: give --target");
    return true;
}

const char *network_alignment(const Model *model, Arena *arena) {
    if (model->config.decoder_layers == 0) return NULL;
    return network_of(model)->alignment(&model->config, arena);
}

const char *network_describe(const Model *model, Arena *arena) {
    return network_of(model)->describe(&model->config, arena);
}
