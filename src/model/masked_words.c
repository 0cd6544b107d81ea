#include "model/masked_words.h"

#include "model/embedding.h"
#include "ops/ops.h"

MaskedWords masked_words_new(Weights *weights, const Config *config, Tensor *table) {
    Axis d_model = {.name = "d_model", .size = config->d_model};
    return (MaskedWords){
        .dense =
            weights_linear(weights, "lm_head.dense", d_model, config->d_model, true),
        .activation = (Activation)config->activation,
        .norm = weights_norm(weights, "lm_head.layer_norm", config),
        .head = output_layer_new(weights, config, table),
    };
}

Tensor *masked_words_run(Tape *tape, const MaskedWords *words, Tensor *output) {
    Tensor *x = linear(tape, "word_projection", output, &words->dense);
    x = activate(tape, "word_activated", words->activation, x);
    x = normalize(tape, "word_normed", x, &words->norm);
    Tensor *logits = linear(tape, "logits", x, &words->head);
    if (!tape->learns) softmax(tape, "probabilities", logits);
    return logits;
}
