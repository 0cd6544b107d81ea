#include "model/classifier.h"

#include <string.h>

#include "ops/ops.h"
#include "text/unicode.h"

/* Only the second of two labels. */
static Axis second(Axis label) {
    label.size = 1;
    label.labels++;
    label.names = NULL; /* the names are for both labels */
    return label;
}

Classifier classifier_new(Weights *weights, const Config *config,
                          VocabularyLabels labels) {
    Arena *arena = &weights->arena;
    /* Copied, because a Config may move, and safe to print: they come from a file. */
    const char **name = ARENA_ARRAY(arena, const char *, config->label_count);
    for (int l = 0; l < config->label_count; l++)
        name[l] = unicode_escape(config->labels[l], strlen(config->labels[l]), arena);
    Axis label = {.name = "label",
                  .size = config->label_count,
                  .labels = name,
                  .label_rows = 1,
                  .names = labels.names,
                  .name_rows = labels.name_rows};
    Classifier classifier = {
        .type = (EncoderType)config->encoder_type,
        .pad_id = config->pad_id,
        .mean_with_padding = config->as_written & MEAN_WITH_PADDING,
    };
    classifier.label = label;
    classifier.is_sigmoid = config->label_activation == LABEL_SIGMOID;
    bool is_rnn = config->encoder_type == ENCODER_RNN;
    classifier.table = embedding_source_table(weights, config);
    if (is_rnn) {
        classifier.embedding = embedding_new(weights, NULL, config, classifier.table);
        classifier.rnn = rnn_new(weights, "model.encoder.rnn", config);
    } else {
        classifier.encoder = encoder_new(weights, config, classifier.table);
    }
    classifier.head = weights_linear(
        weights, "classification_head", classifier.is_sigmoid ? second(label) : label,
        is_rnn ? config->hidden_size : config->d_model, config->logits_bias);
    return classifier;
}

Encoded classifier_encode(Tape *tape, const Classifier *classifier, const Ids *source) {
    if (classifier->type != ENCODER_RNN)
        return encoder_run(tape, &classifier->encoder, source);
    Where before = tape_enter_stack(tape, "encoder");
    Tensor *ids = ids_given(tape, source, "source");
    Tensor *padding = padding_mask(tape, classifier->pad_id, ids);
    Tensor *x = embedding_run(tape, &classifier->embedding, ids, 0);
    Tensor *output = rnn_run(tape, &classifier->rnn, x);
    tape_leave(tape, before);
    return (Encoded){.output = output, .padding = padding};
}

Tensor *classifier_decide(Tape *tape, const Classifier *classifier,
                          const Encoded *source) {
    Where before = tape_enter_stack(tape, "encoder");
    /* One row per sentence. */
    Tensor *sentence =
        classifier->type == ENCODER_RNN
            ? last_token(tape, "last_state", source->output, source->padding)
            : mean(tape, "mean", source->output,
                   classifier->mean_with_padding ? NULL : source->padding);
    tape_leave(tape, before);
    Tensor *logits = linear(tape, "logits", sentence, &classifier->head);
    if (tape->learns) return logits;
    if (classifier->is_sigmoid) {
        Tensor *pair = sigmoid_pair(tape, "probabilities", logits);
        if (pair) pair->axis[1] = classifier->label;
    } else {
        softmax(tape, "probabilities", logits);
    }
    return logits;
}
