#include "model/transformer.h"

#include "model/mask.h"
#include "ops/ops.h"

static Tensor *table_new(Weights *weights, const char *name, int words,
                         const Config *config) {
    Axis axis[] = {{.name = "vocabulary", .size = words},
                   {.name = "d_model", .size = config->d_model}};
    return weights_add(weights, "model", name, INITIAL_EMBEDDING, 2, axis);
}

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
    bool shared = config->share_embeddings;
    Tensor *source =
        table_new(weights, shared ? "shared.weight" : "encoder.embed_tokens.weight",
                  config->source_vocabulary, config);
    model.encoder = encoder_new(weights, config, source);
    if (config->decoder_layers == 0) return model;
    Tensor *target = shared ? source
                            : table_new(weights, "decoder.embed_tokens.weight",
                                        config->target_vocabulary, config);
    model.decoder = decoder_new(weights, config, target);
    model.head = head_new(weights, config, target);
    return model;
}

/* The ids from column `first` on, as a tensor [batch, axis]. */
static Tensor *given_ids(Tape *tape, const Ids *ids, const char *axis_name, int first) {
    Axis axis[] = {{.name = "batch", .size = ids->rows},
                   {.name = axis_name,
                    .size = ids->length - first,
                    .labels = ids->labels,
                    .label_rows = ids->rows}};
    /* With a memory there is one row: its labels from `first` on are those needed. */
    if (ids->labels && first) axis[1].labels = ids->labels + first;
    Tensor *tensor = tape_given(tape, "ids", 2, axis);
    if (!tensor) return NULL;
    tensor->holds_ids = true;
    for (int row = 0; row < ids->rows; row++)
        for (int i = first; i < ids->length; i++)
            tensor->data[row * axis[1].size + i - first] =
                (Number)ids->id[row * ids->length + i];
    return tensor;
}

Tensor *transformer_encode(Tape *tape, const Transformer *model, const Config *config,
                           const Ids *source) {
    const char *before = tape_enter(tape, "encoder");
    Tensor *ids = given_ids(tape, source, "source", 0);
    Tensor *padding = padding_mask(tape, config, ids);
    Tensor *output = encoder_run(tape, &model->encoder, config, ids, padding);
    tape_leave(tape, before);
    return output;
}

/* The padding mask of all target tokens, those in the memory too. */
static Tensor *target_padding(Tape *tape, const Config *config, const Ids *target,
                              Tensor *ids, const DecoderMemory *memory) {
    if (!memory || memory->tokens == 0) return padding_mask(tape, config, ids);
    const char *before = tape_enter(tape, "all");
    Tensor *all = given_ids(tape, target, "target", 0);
    tape_leave(tape, before);
    return padding_mask(tape, config, all);
}

Tensor *transformer_decode(Tape *tape, const Transformer *model, const Config *config,
                           const Ids *target, DecoderMemory *memory) {
    const char *before = tape_enter(tape, "decoder");
    Tensor *ids = given_ids(tape, target, "target", memory ? memory->tokens : 0);
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
    Tensor *logits =
        linear(tape, "logits", output, model->head.weight, model->head.bias);
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
