#include "model/seq2seq.h"

#include <math.h>

#include "ops/ops.h"

Seq2seq seq2seq_new(Weights *weights, const Config *config) {
    Axis vocabulary = {.name = "vocabulary", .size = config->target_vocabulary};
    Seq2seq model = {
        .keys_are_last_state = config->as_written & KEYS_ARE_LAST_STATE,
        .lstm_restarts = config->as_written & LSTM_RESTARTS,
        .cell_for_state = config->as_written & CELL_FOR_STATE,
        .scale_scores = config->scale_scores,
    };
    Tensor *source = embedding_source_table(weights, config);
    Tensor *target = embedding_target_table(weights, config, source);
    model.source = embedding_new(weights, NULL, config, source);
    model.target = embedding_new(weights, NULL, config, target);
    model.encoder = lstm_new(weights, "model.encoder.lstm", config);
    model.decoder = lstm_new(weights, "model.decoder.lstm", config);
    model.head = weights_linear(weights, "lm_head", vocabulary, 2 * config->hidden_size,
                                config->logits_bias);
    return model;
}

Encoded seq2seq_encode(Tape *tape, const Seq2seq *model, const Ids *source) {
    Where before = tape_enter_stack(tape, "encoder");
    Tensor *ids = ids_given(tape, source, "source");
    Tensor *x = embedding_run(tape, &model->source, ids, 0);
    LstmState *state = lstm_run(tape, &model->encoder, &(LstmInput){.x = x});
    Encoded encoded = {0};
    if (state) {
        Axis tokens = x->axis[1];
        encoded.last = state[tokens.size - 1];
        tape_alias(tape, "last_state", encoded.last.h);
        tape_alias(tape, "last_cell", encoded.last.c);
        encoded.output = lstm_states(tape, "output", state, tokens);
    }
    tape_leave(tape, before);
    return encoded;
}

/* softmax(Q K^T / sqrt(d_k)) K: the keys are also the values. The scores' axes are
 * renamed to `query` and `key`. */
static Tensor *look_up(Tape *tape, const Seq2seq *model, Tensor *query, Tensor *keys) {
    Tensor *scores = dot(tape, "scores", query, keys);
    if (!scores) return NULL;
    tensor_name_axis(scores, scores->rank - 2, "query");
    tensor_name_axis(scores, scores->rank - 1, "key");
    if (model->scale_scores)
        scores = scale(tape, "scaled", scores, 1 / sqrt(tensor_row(query)));
    Tensor *weights = softmax(tape, "weights", scores);
    return matmul(tape, "context", weights, keys);
}

/* In one tutorial, the only key in a step is a state: first the encoder's last one,
 * then the decoder's previous one. It has no token axis, so the sentences in a batch
 * attend to each other. */
static Tensor *look_across_batch(Tape *tape, const Seq2seq *model,
                                 const LstmState *state, const Encoded *source,
                                 Axis tokens) {
    Tensor **context = ARENA_ARRAY(&tape->arena, Tensor *, tokens.size);
    for (int t = 0; t < tokens.size; t++) {
        Where before = tape_enter_layer(tape, t);
        Tensor *keys = t == 0 ? source->last.h : state[t - 1].h;
        context[t] = look_up(tape, model, state[t].h, keys);
        tape_leave(tape, before);
        if (!context[t]) return NULL;
        tensor_name_axis(context[t], 0, "batch");
    }
    Tensor *all = stack(tape, "context", context, tokens.size);
    if (all) all->axis[1] = tokens;
    return all;
}

/* Concatenate what the decoder's states attend to with the states (or the mistake: the
 * cells). */
static Tensor *attend(Tape *tape, const Seq2seq *model, const LstmState *state,
                      const Encoded *source, Axis tokens) {
    Tensor *states = lstm_states(tape, "output", state, tokens);
    Tensor *beside =
        model->cell_for_state ? lstm_cells(tape, "cells", state, tokens) : states;
    Where before = tape_enter(tape, "attention");
    Tensor *context = model->keys_are_last_state
                          ? look_across_batch(tape, model, state, source, tokens)
                          : look_up(tape, model, states, source->output);
    Tensor *concat = concatenate(tape, "concat", context, beside);
    tensor_name_axis(concat, 2, "both");
    tape_leave(tape, before);
    return concat;
}

Tensor *seq2seq_decode(Tape *tape, const Seq2seq *model, const Encoded *source,
                       Tensor *target) {
    Where before = tape_enter_stack(tape, "decoder");
    LstmInput input = {
        .x = embedding_run(tape, &model->target, target, 0),
        .before = model->lstm_restarts ? (LstmState){0} : source->last,
        .restarts = model->lstm_restarts,
    };
    LstmState *state = lstm_run(tape, &model->decoder, &input);
    Tensor *concat =
        state ? attend(tape, model, state, source, input.x->axis[1]) : NULL;
    tape_leave(tape, before);
    Tensor *logits = linear(tape, "logits", concat, &model->head);
    tensor_name_axis(logits, 1, "target");
    if (!tape->learns) softmax(tape, "probabilities", logits);
    return logits;
}
