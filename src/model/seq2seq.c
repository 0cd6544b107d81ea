#include "model/seq2seq.h"

#include "ops/ops.h"

Seq2seq seq2seq_new(Weights *weights, const Config *config) {
    Axis vocabulary = {.name = "vocabulary", .size = config->target_vocabulary};
    Seq2seq model = {
        .keys_are_last_state = config->as_written & KEYS_ARE_LAST_STATE,
        .lstm_restarts = config->as_written & LSTM_RESTARTS,
        .cell_for_state = config->as_written & CELL_FOR_STATE,
    };
    Tensor *source = embedding_source_table(weights, config);
    Tensor *target = embedding_target_table(weights, config, source);
    model.source = embedding_new(weights, NULL, config, source);
    model.target = embedding_new(weights, NULL, config, target);
    model.encoder = lstm_new(weights, "model.encoder.lstm", config);
    model.decoder = lstm_new(weights, "model.decoder.lstm", config);
    model.head =
        weights_linear(weights, "lm_head", vocabulary, 2 * config->hidden_size);
    return model;
}

static Encoded encode(Tape *tape, const Seq2seq *model, const Ids *source) {
    Tensor *ids = ids_given(tape, source, "source");
    Tensor *x = embedding_run(tape, &model->source, ids, 0);
    LstmState *state = lstm_run(tape, &model->encoder, &(LstmInput){.x = x});
    if (!state) return (Encoded){0};
    Axis tokens = x->axis[1];
    LstmState last = state[tokens.size - 1];
    tape_alias(tape, "last_state", last.h);
    tape_alias(tape, "last_cell", last.c);
    return (Encoded){.output = lstm_states(tape, "output", state, tokens),
                     .last = last};
}

Encoded seq2seq_encode(Tape *tape, const Seq2seq *model, const Ids *source) {
    Where before = tape_enter_stack(tape, "encoder");
    Encoded encoded = encode(tape, model, source);
    tape_leave(tape, before);
    return encoded;
}

/* softmax(Q K^T) K: the decoder's states ask, the encoder's answer. */
static Tensor *look_up(Tape *tape, Tensor *query, Tensor *keys) {
    Tensor *scores = dot(tape, "scores", query, keys);
    tensor_name_axis(scores, 1, "query");
    tensor_name_axis(scores, 2, "key");
    Tensor *weights = softmax(tape, "weights", scores);
    return matmul(tape, "context", weights, keys);
}

/* What the decoder's states find among the encoder's, beside the states themselves. As
 * one tutorial wrote it, the only key is the encoder's last state: then the keys of a
 * sentence are the sentences of the batch. */
static Tensor *attend(Tape *tape, const Seq2seq *model, const Encoded *source,
                      Tensor *query, Tensor *beside) {
    Where before = tape_enter(tape, "attention");
    Tensor *keys = model->keys_are_last_state ? source->last.h : source->output;
    Tensor *context = look_up(tape, query, keys);
    Tensor *concat = concatenate(tape, "concat", context, beside);
    tensor_name_axis(concat, 2, "both");
    tape_leave(tape, before);
    return concat;
}

static Tensor *decode(Tape *tape, const Seq2seq *model, const Encoded *source,
                      Tensor *target) {
    LstmInput input = {
        .x = embedding_run(tape, &model->target, target, 0),
        .before = model->lstm_restarts ? (LstmState){0} : source->last,
        .restarts = model->lstm_restarts,
    };
    LstmState *state = lstm_run(tape, &model->decoder, &input);
    if (!state) return NULL;
    Axis tokens = input.x->axis[1];
    Tensor *states = lstm_states(tape, "output", state, tokens);
    Tensor *beside =
        model->cell_for_state ? lstm_cells(tape, "cells", state, tokens) : states;
    return attend(tape, model, source, states, beside);
}

Tensor *seq2seq_decode(Tape *tape, const Seq2seq *model, const Encoded *source,
                       Tensor *target) {
    Where before = tape_enter_stack(tape, "decoder");
    Tensor *concat = decode(tape, model, source, target);
    tape_leave(tape, before);
    Tensor *logits = linear(tape, "logits", concat, &model->head);
    tensor_name_axis(logits, 1, "target");
    if (!tape->learns) softmax(tape, "probabilities", logits);
    return logits;
}
