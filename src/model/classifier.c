#include "model/classifier.h"

#include <string.h>

#include "text/unicode.h"

/* Of their own, since a Config moves about; safe to print, since it comes from a file.
 */
static const char *const *copy_labels(Weights *weights, const Config *config) {
    const char **label =
        ARENA_ARRAY(&weights->arena, const char *, config->label_count);
    for (int l = 0; l < config->label_count; l++) {
        const char *name = config->labels[l];
        label[l] = unicode_escape(name, strlen(name), &weights->arena);
    }
    return label;
}

Classifier classifier_new(Weights *weights, const Config *config) {
    Axis label = {.name = "label",
                  .size = config->label_count,
                  .labels = copy_labels(weights, config),
                  .label_rows = 1};
    Classifier classifier = {
        .mean_with_padding = config->as_written & MEAN_WITH_PADDING,
    };
    Tensor *table = embedding_source_table(weights, config);
    classifier.encoder = encoder_new(weights, config, table);
    classifier.head =
        weights_linear(weights, "classification_head", label, config->d_model);
    return classifier;
}

Encoded classifier_encode(Tape *tape, const Classifier *classifier, const Ids *source) {
    return encoder_run(tape, &classifier->encoder, source);
}

Tensor *classifier_decide(Tape *tape, const Classifier *classifier,
                          const Encoded *source) {
    Where before = tape_enter_stack(tape, "encoder");
    Tensor *sentence = mean(tape, "mean", source->output,
                            classifier->mean_with_padding ? NULL : source->padding);
    tape_leave(tape, before);
    Tensor *logits = linear(tape, "logits", sentence, &classifier->head);
    if (!tape->learns) softmax(tape, "probabilities", logits);
    return logits;
}
