/* claims_rows.h - the same for rows: embedding, add and norm, feed-forward, recurrent
 * networks, output. */
#pragma once

#include "units/claims_attention.h"

/* Mean 0 and deviation 1, or root mean square 1, before the weights of the norm. */
static inline bool norms_rows(const Claimed *claimed) {
    const Step *step = NULL;
    for (int t = 0; t < claimed->stage->tensors; t++) {
        const Step *made = made_by(claimed, claimed->stage->tensor[t]);
        if (made && strstr("layer_norm rms_norm rms_plain", made->op->name))
            step = made;
    }
    if (!step) return false;
    const int size = tensor_row(step->output);
    for (int row = 0; row < tensor_size(step->output); row += size) {
        double sum = 0;
        double squares = 0;
        double before = 0;
        for (int i = 0; i < size; i++) {
            double x = (double)step->output->data[row + i];
            double bias = step->inputs > 2 ? (double)step->input[2]->data[i] : 0;
            double gain = step->inputs > 1 ? (double)step->input[1]->data[i] : 1;
            x = (x - bias) / gain;
            sum += x / size;
            squares += x * x / size;
            before += fabs((double)step->input[0]->data[row + i]);
        }
        if (step->op->centres && fabs(sum) > 1e-3) return false;
        if (before > 0.1 && fabs(sqrt(squares) - 1) > 0.02) return false;
    }
    return true;
}

/* Return the addition of the stage; its second input is the sublayer's output. */
static inline const Step *addition(const Claimed *claimed) {
    for (int t = 0; t < claimed->stage->tensors; t++) {
        const Step *step = made_by(claimed, claimed->stage->tensor[t]);
        if (step && strcmp(step->op->name, "add") == 0) return step;
    }
    return NULL;
}

static inline bool adds_two(const Claimed *claimed) {
    const Step *step = addition(claimed);
    for (int i = 0; step && i < tensor_size(step->output); i++) {
        int other = i % tensor_size(step->input[1]);
        if (!is_near((double)step->output->data[i],
                     (double)step->input[0]->data[i] +
                         (double)step->input[1]->data[other]))
            return false;
    }
    return step;
}

/* Does a step between them read `from` and lead to `to`? */
static inline bool leads_to(const Claimed *claimed, const Tensor *from,
                            const Tensor *to) {
    if (from == to) return true;
    const Step *step = made_by(claimed, to);
    for (int i = 0; step && i < step->inputs; i++)
        if (step->input[i]->step != STEP_NONE && step->input[i]->step >= from->step &&
            leads_to(claimed, from, step->input[i]))
            return true;
    return false;
}

/* The sublayer's output is computed from the number it is added to. */
static inline bool adds_its_input(const Claimed *claimed) {
    const Step *step = addition(claimed);
    return step && adds_two(claimed) &&
           leads_to(claimed, step->input[0], step->input[1]);
}

/* A box for the whole layer also makes this claim: for the encoder only about the
 * second addition. */
static inline bool adds_to_norm(const Claimed *claimed) {
    static const char *const norms[] = {"layer_norm", "rms_norm", "rms_plain", NULL};
    const bool is_encoder = strcmp(claimed->stage->stack, "encoder") == 0;
    for (int n = is_encoder ? 2 : 1; n <= (is_encoder ? 2 : 3); n++) {
        const Step *step = made_by(
            claimed,
            at_place(claimed, arena_print(&claimed->fixture->arena, "add_%d", n)));
        if (!step || !is_of(claimed, step->input[0], norms)) return false;
    }
    return true;
}

static inline bool norms_before(const Claimed *claimed) {
    const Step *norm = made_by(claimed, last_part(claimed));
    static const char *const adds[] = {"add", NULL};
    return norms_rows(claimed) && (!is_of(claimed, norm->input[0], adds) ||
                                   config_of(claimed)->norm == NORM_PRE);
}

static inline bool is_d_ff_wide(const Claimed *claimed) {
    return tensor_row(claimed->stage->tensor[0]) == config_of(claimed)->d_ff;
}

static inline bool is_d_model_wide(const Claimed *claimed) {
    return tensor_row(last_part(claimed)) == config_of(claimed)->d_model;
}

static inline bool is_projected_back(const Claimed *claimed) {
    const Tensor *output = beside(claimed, "output");
    return output && tensor_row(output) == config_of(claimed)->d_model;
}

static inline bool activates(const Claimed *claimed) {
    const Step *step = made_by(claimed, last_part(claimed));
    if (step && strcmp(step->op->name, "multiply") == 0)
        step = made_by(claimed, step->input[0]);
    for (int i = 0; step && i < tensor_size(step->output); i++) {
        const double x = (double)step->input[0]->data[i];
        const double y = (double)step->output->data[i];
        const bool is_relu = strcmp(step->op->name, "relu") == 0;
        const bool grows = fabs(y) > fabs(x) && !is_near(y, x);
        if (is_relu ? y != fmax(x, 0) : y * x < 0 || grows) return false;
        if (!is_relu && fabs(x) > 12 && !is_near(y, fmax(x, 0))) return false;
    }
    return step;
}

static inline bool multiplies_by_gate(const Claimed *claimed) {
    const Step *step = made_by(claimed, part(claimed, "gated"));
    for (int i = 0; step && i < tensor_size(step->output); i++)
        if (!is_near((double)step->output->data[i],
                     (double)step->input[0]->data[i] * (double)step->input[1]->data[i]))
            return false;
    return step;
}

/* No step reads the output of the activation. */
static inline bool activation_is_not_read(const Claimed *claimed) {
    const Tape *tape = &claimed->fixture->tape;
    const Tensor *activated = beside(claimed, "activated");
    for (int s = 0; activated && s < tape->count; s++)
        for (int i = 0; i < tape->step[s].inputs; i++)
            if (tape->step[s].input[i] == activated) return false;
    return activated;
}

static inline bool is_linear(const Claimed *claimed) {
    static const char *const linear[] = {"linear", NULL};
    return is_of(claimed, claimed->stage->tensor[0], linear);
}

static inline bool has_no_positions(const Claimed *claimed) {
    return !in_stack(claimed, "position");
}

static inline bool decoder_has_no_positions(const Claimed *claimed) {
    return !tape_find(&claimed->fixture->tape, "decoder.position");
}

static inline bool has_no_scaled_embedding(const Claimed *claimed) {
    return !in_stack(claimed, "embedding_scaled");
}

static inline bool has_no_scaled_scores(const Claimed *claimed) {
    return !beside(claimed, "scaled");
}

static inline bool has_no_output_projection(const Claimed *claimed) {
    return !beside(claimed, "output_projection") && !reads_weights(claimed);
}

static inline bool has_no_feed_forward(const Claimed *claimed) {
    return !at_place(claimed, "feed_forward.hidden");
}

static inline bool sum_is_not_normed(const Claimed *claimed) {
    static const char *const norms[] = {"layer_norm", "rms_norm", "rms_plain", NULL};
    return !is_of(claimed, at_place(claimed, "norm_1"), norms);
}

static inline bool has_no_add_and_norm(const Claimed *claimed) {
    static const char *const adds[] = {"add", NULL};
    return !is_of(claimed, at_place(claimed, "add_1"), adds) &&
           sum_is_not_normed(claimed);
}

static inline bool scales_by_root_of_d_model(const Claimed *claimed) {
    const Step *step = made_by(claimed, last_part(claimed));
    return step &&
           is_near((double)step->output->data[0],
                   (double)step->input[0]->data[0] * sqrt(config_of(claimed)->d_model));
}

/* The weights of the second layer next to those of the first. */
static inline const Tensor *matrix_of(const Claimed *claimed, const char *stack,
                                      int layer) {
    const Step *step =
        made_by(claimed, tape_find(&claimed->fixture->tape,
                                   arena_print(&claimed->fixture->arena,
                                               "%s.%d.self_attention.query_projection",
                                               stack, layer)));
    return step ? step->input[1] : NULL;
}

static inline bool layers_share(const Claimed *claimed) {
    const Tensor *second = matrix_of(claimed, claimed->stage->stack, 1);
    return !second || second == matrix_of(claimed, claimed->stage->stack, 0);
}

static inline bool layers_differ(const Claimed *claimed) {
    return matrix_of(claimed, claimed->stage->stack, 1) !=
           matrix_of(claimed, claimed->stage->stack, 0);
}

static inline bool sides_differ(const Claimed *claimed) {
    return matrix_of(claimed, "encoder", 0) != matrix_of(claimed, "decoder", 0);
}

/* The numbers of queries and keys are those of the two sides. */
static inline bool attends_from_to(const Claimed *claimed, const char *queries,
                                   const char *keys) {
    const Tensor *scores = beside(claimed, "scores");
    if (!scores) scores = at_place(claimed, "cross_attention.scores");
    const Tensor *query =
        tape_find(&claimed->fixture->tape,
                  arena_print(&claimed->fixture->arena, "%s.ids", queries));
    const Tensor *key = tape_find(
        &claimed->fixture->tape, arena_print(&claimed->fixture->arena, "%s.ids", keys));
    return scores && query && key &&
           scores->axis[scores->rank - 2].size == query->axis[1].size &&
           scores->axis[scores->rank - 1].size == key->axis[1].size;
}

static inline bool asks_from_target(const Claimed *claimed) {
    return attends_from_to(claimed, "decoder", "encoder");
}

static inline bool asks_from_source(const Claimed *claimed) {
    return attends_from_to(claimed, "encoder", "encoder");
}

/* Rotation keeps the length of pairs, and so of the row. */
static inline bool keeps_lengths(const Claimed *claimed) {
    const Step *step = made_by(claimed, claimed->stage->tensor[0]);
    double before = 0;
    double after = 0;
    for (int i = 0; step && i < tensor_size(step->output); i++) {
        before += (double)step->input[0]->data[i] * (double)step->input[0]->data[i];
        after += (double)step->output->data[i] * (double)step->output->data[i];
    }
    return step && is_near(before, after);
}

static inline bool repeats_heads(const Claimed *claimed) {
    const Step *step = made_by(claimed, beside(claimed, "key_shared"));
    if (!step) return false;
    const int heads = step->output->axis[1].size;
    const int shared = step->input[0]->axis[1].size;
    const int matrix = tensor_stride(step->output, 1);
    for (int h = 0; h < heads; h++)
        if (memcmp(step->output->data + h * matrix,
                   step->input[0]->data + h / (heads / shared) * matrix,
                   (size_t)matrix * sizeof(Number)) != 0)
            return false;
    return shared < heads;
}

/* The embedding table is the matrix of the logits. */
static inline bool ties_the_table(const Claimed *claimed) {
    const Tape *tape = &claimed->fixture->tape;
    const Step *logits = made_by(claimed, tape_find(tape, "logits"));
    const char *side = config_of(claimed)->decoder_layers ? "decoder" : "encoder";
    const Step *embedding = made_by(
        claimed,
        tape_find(tape, arena_print(&claimed->fixture->arena, "%s.embedding", side)));
    return logits && embedding && logits->input[1] == embedding->input[0];
}

static inline bool adds_a_bias(const Claimed *claimed) {
    const Step *logits = made_by(claimed, tape_find(&claimed->fixture->tape, "logits"));
    return logits && logits->inputs > 2;
}

static inline bool adds_no_bias(const Claimed *claimed) {
    return !adds_a_bias(claimed);
}

/* There is a row of weights for each word or label. */
static inline bool has_a_row_for_each(const Claimed *claimed) {
    const Tensor *logits = tape_find(&claimed->fixture->tape, "logits");
    const Step *step = made_by(claimed, logits);
    return step && step->input[1]->step == STEP_NONE &&
           step->input[1]->axis[0].size == tensor_row(logits) &&
           (config_of(claimed)->label_activation != LABEL_SIGMOID ||
            tensor_row(logits) == 1);
}

static inline bool marks_padding(const Claimed *claimed) {
    const Tensor *mask = claimed->stage->tensor[0];
    const Tensor *ids = in_stack(claimed, "ids");
    for (int i = 0; i < tensor_size(mask); i++)
        if ((mask->data[i] == 1) != ((int)ids->data[i] == config_of(claimed)->pad_id))
            return false;
    return true;
}

/* Return the number of tokens of a sentence without padding. */
static inline int length_of(const Claimed *claimed, int row) {
    const Tensor *ids = tape_find(&claimed->fixture->tape, "encoder.ids");
    int count = 0;
    for (int t = 0; t < ids->axis[1].size; t++)
        count +=
            (int)ids->data[row * ids->axis[1].size + t] != config_of(claimed)->pad_id;
    return count;
}

/* It is the mean of the rows of row 1 of the batch, with or without its padding. */
static inline bool is_mean(const Claimed *claimed, bool with_padding) {
    const Step *step = made_by(claimed, part(claimed, "mean"));
    if (!step) return false;
    const Tensor *rows = step->input[0];
    const int row = rows->axis[0].size - 1;
    const int size = tensor_row(rows);
    const int tokens = with_padding ? rows->axis[1].size : length_of(claimed, row);
    for (int d = 0; d < size; d++) {
        double sum = 0;
        for (int t = 0; t < tokens; t++)
            sum += (double)rows->data[(row * rows->axis[1].size + t) * size + d];
        if (!is_near(sum / tokens, (double)step->output->data[row * size + d]))
            return false;
    }
    return true;
}

static inline bool is_mean_of_tokens(const Claimed *claimed) {
    return is_mean(claimed, config_of(claimed)->as_written & MEAN_WITH_PADDING);
}

static inline bool is_mean_with_padding(const Claimed *claimed) {
    return is_mean(claimed, true);
}

static inline bool is_last_state(const Claimed *claimed) {
    const Tensor *last = part(claimed, "last_state");
    const int row = last->axis[0].size - 1;
    const Tensor *state =
        tape_find(&claimed->fixture->tape,
                  arena_print(&claimed->fixture->arena, "encoder.rnn.%d.state",
                              length_of(claimed, row) - 1));
    const int size = tensor_row(last);
    return state && memcmp(last->data + row * size, state->data + row * size,
                           (size_t)size * sizeof(Number)) == 0;
}

/* The numbers of a state are between -1 and 1. */
static inline bool is_bounded(const Claimed *claimed) {
    const Tensor *state = part(claimed, "state");
    for (int i = 0; state && i < tensor_size(state); i++)
        if (!(fabs((double)state->data[i]) <= 1)) return false;
    return state;
}

static inline bool is_zero(const Tensor *tensor) {
    for (int i = 0; tensor && i < tensor_size(tensor); i++)
        if (tensor->data[i] != 0) return false;
    return tensor;
}

/* The first step, or if they restart each step, starts with a zero cell. */
static inline bool begins_with_zeros(const Claimed *claimed) {
    const Tensor *cell = part(claimed, "cell");
    const Step *step = made_by(claimed, cell);
    const char *stack = claimed->stage->stack;
    if (step) return is_zero(step->input[1]);
    const char *const initial[] = {"rnn.initial_state", "lstm.initial_state",
                                   "lstm.initial_cell"};
    bool any = false;
    for (int i = 0; i < 3; i++) {
        const Tensor *tensor =
            tape_find(&claimed->fixture->tape, arena_print(&claimed->fixture->arena,
                                                           "%s.%s", stack, initial[i]));
        if (tensor && !is_zero(tensor)) return false;
        any |= tensor != NULL;
    }
    return any;
}

static inline bool goes_on(const Claimed *claimed) {
    const Step *step = made_by(claimed, part(claimed, "cell"));
    return step && !is_zero(step->input[1]);
}

static inline bool is_four_times_as_wide(const Claimed *claimed) {
    return tensor_row(claimed->stage->tensor[0]) == 4 * config_of(claimed)->hidden_size;
}

/* There are as many steps as tokens, including padding. */
static inline bool reads_padding(const Claimed *claimed) {
    const Tensor *ids = tape_find(&claimed->fixture->tape, "encoder.ids");
    return tape_find(&claimed->fixture->tape,
                     arena_print(&claimed->fixture->arena, "encoder.lstm.%d.cell",
                                 ids->axis[1].size - 1));
}

/* The second half of the row is the state, or the cell. */
static inline bool ends_with(const Claimed *claimed, const char *name) {
    const Tape *tape = &claimed->fixture->tape;
    const Step *step = made_by(claimed, tape_find(tape, "decoder.attention.concat"));
    return step && step->inputs == 2 &&
           step->input[1] == tape_find(tape, arena_print(&claimed->fixture->arena,
                                                         "decoder.%s", name));
}

static inline bool joins_context_and_state(const Claimed *claimed) {
    return ends_with(claimed, "output");
}

static inline bool joins_context_and_cell(const Claimed *claimed) {
    return ends_with(claimed, "cells");
}

/* Its columns are the sentences of the batch. */
static inline bool attends_across_batch(const Claimed *claimed) {
    const Tensor *scores = part(claimed, "scores");
    return scores && scores->rank == 2 &&
           scores->axis[0].size == scores->axis[1].size &&
           scores->axis[0].size ==
               tape_find(&claimed->fixture->tape, "encoder.ids")->axis[0].size;
}
