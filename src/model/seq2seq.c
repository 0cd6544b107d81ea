#include "model/seq2seq.h"

#include "ops/ops.h"

Seq2seq seq2seq_new(Weights *weights, const Config *config) {
    Axis vocabulary = {.name = "vocabulary", .size = config->target_vocabulary};
    Seq2seq model = {0};
    Tensor *source = embedding_source_table(weights, config);
    model.source.table = source;
    model.target.table = embedding_target_table(weights, config, source);
    model.encoder = lstm_new(weights, "model.encoder.lstm", config);
    model.decoder = lstm_new(weights, "model.decoder.lstm", config);
    model.head =
        weights_linear(weights, "lm_head", vocabulary, 2 * config->hidden_size);
    return model;
}

static Tensor *encode(Tape *tape, const Seq2seq *model, const Config *config,
                      const Ids *source) {
    Tensor *ids = ids_given(tape, source, "source", 0);
    Tensor *x = embedding_run(tape, &model->source, config, ids, 0);
    Thought *thought = lstm_read(tape, &model->encoder, &(Reading){.x = x});
    if (!thought) return NULL;
    const Thought *last = &thought[x->axis[1].size - 1];
    tape_alias(tape, "last_state", last->state);
    tape_alias(tape, "last_cell", last->cell);
    return lstm_states(tape, "output", thought, x->axis[1]);
}

Tensor *seq2seq_encode(Tape *tape, const Seq2seq *model, const Config *config,
                       const Ids *source) {
    const char *before = tape_enter(tape, "encoder");
    Tensor *output = encode(tape, model, config, source);
    tape_leave(tape, before);
    return output;
}

/* What the decoder's states find among the encoder's, beside the states themselves. As
 * one tutorial wrote it, the only key is the encoder's last state: then the keys of a
 * sentence are the sentences of the batch. */
static Tensor *look_back(Tape *tape, const Config *config, Tensor *query,
                         Tensor *beside) {
    bool last = config->as_written & KEYS_ARE_LAST_STATE;
    Tensor *keys = tape_find(tape, last ? "encoder.last_state" : "encoder.output");
    const char *before = tape_enter(tape, "attention");
    Tensor *scores = dot(tape, "scores", query, keys);
    tensor_name_axis(scores, 1, "query");
    tensor_name_axis(scores, 2, "key");
    Tensor *weights = softmax(tape, "weights", scores);
    Tensor *context = matmul(tape, "context", weights, keys);
    Tensor *concat = concatenate(tape, "concat", context, beside);
    tensor_name_axis(concat, 2, "both");
    tape_leave(tape, before);
    return concat;
}

static Tensor *decode(Tape *tape, const Seq2seq *model, const Config *config,
                      const Ids *target) {
    Reading reading = {.restarts = config->as_written & LSTM_RESTARTS};
    Tensor *ids = ids_given(tape, target, "target", 0);
    reading.x = embedding_run(tape, &model->target, config, ids, 0);
    if (!reading.restarts)
        reading.before = (Thought){tape_find(tape, "encoder.last_state"),
                                   tape_find(tape, "encoder.last_cell")};
    Thought *thought = lstm_read(tape, &model->decoder, &reading);
    if (!thought) return NULL;
    Axis tokens = reading.x->axis[1];
    Tensor *states = lstm_states(tape, "output", thought, tokens);
    bool cells = config->as_written & CELL_FOR_STATE;
    return look_back(tape, config, states,
                     cells ? lstm_cells(tape, "cells", thought, tokens) : states);
}

Tensor *seq2seq_decode(Tape *tape, const Seq2seq *model, const Config *config,
                       const Ids *target) {
    const char *before = tape_enter(tape, "decoder");
    Tensor *concat = decode(tape, model, config, target);
    tape_leave(tape, before);
    Tensor *logits = linear(tape, "logits", concat, &model->head);
    tensor_name_axis(logits, 1, "target");
    if (!tape->learns) softmax(tape, "probabilities", logits);
    return logits;
}
