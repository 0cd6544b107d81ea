/* claims_attention.h - check what a sentence of the walk claims about an attention, in
 * the run that it describes. Each check gets the stage, and returns whether the claim
 * is true. Include it after cmocka and map_fixture.h. */
#pragma once

#include <math.h>

#include "units/map_fixture.h"

#include "ops/ops.h"

typedef struct {
    Fixture *fixture;
    const Stage *stage;
} Claimed;

typedef bool Holds(const Claimed *claimed);

static inline bool is_near(double a, double b) {
    return fabs(a - b) <= 1e-4 * (1 + fabs(a) + fabs(b));
}

static inline const Config *config_of(const Claimed *claimed) {
    return &claimed->fixture->model.config;
}

static inline const Step *made_by(const Claimed *claimed, const Tensor *tensor) {
    return tensor && tensor->step != STEP_NONE
               ? &claimed->fixture->tape.step[tensor->step]
               : NULL;
}

/* Return the tensor of the stage with this name. */
static inline const Tensor *part(const Claimed *claimed, const char *called) {
    for (int t = 0; t < claimed->stage->tensors; t++)
        if (strcmp(claimed->stage->called[t], called) == 0)
            return claimed->stage->tensor[t];
    return NULL;
}

static inline const Tensor *last_part(const Claimed *claimed) {
    return claimed->stage->tensor[claimed->stage->tensors - 1];
}

/* Return the tensor with this name next to the first tensor of the stage: in the same
 * attention, the same feed-forward, the same layer. */
static inline const Tensor *beside(const Claimed *claimed, const char *called) {
    const char *address = claimed->stage->address[0];
    return tape_find(&claimed->fixture->tape,
                     arena_print(&claimed->fixture->arena, "%.*s.%s",
                                 (int)(strrchr(address, '.') - address), address,
                                 called));
}

/* Return a tensor at the place of the stage: "encoder.0.add_1", "decoder.output". */
static inline const Tensor *at_place(const Claimed *claimed, const char *name) {
    return tape_find(
        &claimed->fixture->tape,
        arena_print(&claimed->fixture->arena, "%s.%s", claimed->stage->place, name));
}

/* Return a tensor of the stage's side. */
static inline const Tensor *in_stack(const Claimed *claimed, const char *name) {
    return tape_find(
        &claimed->fixture->tape,
        arena_print(&claimed->fixture->arena, "%s.%s", claimed->stage->stack, name));
}

static inline bool is_of(const Claimed *claimed, const Tensor *tensor,
                         const char *const *names) {
    const Step *step = made_by(claimed, tensor);
    for (; step && *names; names++)
        if (strcmp(step->op->name, *names) == 0) return true;
    return false;
}

/* Weights or probabilities: from 0 to 1, and each row sums to 1. */
static inline bool sums_to_one(const Claimed *claimed) {
    const Tensor *tensor = part(claimed, "weights");
    if (!tensor) tensor = tape_find(&claimed->fixture->tape, "probabilities");
    if (!tensor) return false;
    const int size = tensor_row(tensor);
    for (int row = 0; row < tensor_size(tensor); row += size) {
        double sum = 0;
        for (int i = row; i < row + size; i++) {
            if (!(tensor->data[i] >= 0 && tensor->data[i] <= (Number)1.00001))
                return false;
            sum += (double)tensor->data[i];
        }
        if (!is_near(sum, 1)) return false;
    }
    return true;
}

/* Is any weight at such a position different from 0? */
typedef bool KeyIs(const Claimed *claimed, int row, int query, int key);

static inline bool any_weight(const Claimed *claimed, KeyIs *place) {
    const Tensor *weights = beside(claimed, "weights");
    if (!weights || weights->rank != 4) return false;
    const int keys = weights->axis[3].size;
    for (int i = 0; i < tensor_size(weights); i++)
        if (weights->data[i] != 0 && place(claimed, tensor_index(weights, 0, i),
                                           i / keys % weights->axis[2].size, i % keys))
            return true;
    return false;
}

static inline bool is_padding(const Claimed *claimed, int row, int query, int key) {
    (void)query;
    const Tensor *weights = beside(claimed, "weights");
    bool across = strcmp(claimed->stage->stack, "encoder") == 0 ||
                  strstr(claimed->stage->address[0], "cross_attention");
    const Tensor *ids =
        tape_find(&claimed->fixture->tape, across ? "encoder.ids" : "decoder.ids");
    return ids && ids->axis[1].size == weights->axis[3].size &&
           (int)ids->data[row * ids->axis[1].size + key] == config_of(claimed)->pad_id;
}

static inline bool is_later(const Claimed *claimed, int row, int query, int key) {
    (void)claimed;
    (void)row;
    return key > query;
}

static inline bool is_itself(const Claimed *claimed, int row, int query, int key) {
    (void)claimed;
    (void)row;
    return key == query && query > 0;
}

static inline bool is_far(const Claimed *claimed, int row, int query, int key) {
    (void)row;
    /* If everything is masked, the softmax is uniform. */
    bool all = query == 0 && config_of(claimed)->as_written & MASK_HIDES_SELF;
    return !all && abs(key - query) >= config_of(claimed)->attention_window;
}

static inline bool padding_gets_nothing(const Claimed *claimed) {
    return !any_weight(claimed, is_padding);
}

static inline bool hidden_get_nothing(const Claimed *claimed) {
    return config_of(claimed)->as_written & PADDING_NOT_HIDDEN ||
           padding_gets_nothing(claimed);
}

static inline bool later_get_nothing(const Claimed *claimed) {
    return !any_weight(claimed, is_later);
}

static inline bool both_get_nothing(const Claimed *claimed) {
    return !any_weight(claimed, is_later) && !any_weight(claimed, is_padding);
}

static inline bool later_get_something(const Claimed *claimed) {
    return any_weight(claimed, is_later);
}

static inline bool padding_gets_something(const Claimed *claimed) {
    const Tensor *ids = tape_find(&claimed->fixture->tape, "encoder.ids");
    for (int i = 0; i < tensor_size(ids); i++)
        if ((int)ids->data[i] == config_of(claimed)->pad_id)
            return any_weight(claimed, is_padding);
    return true;
}

static inline bool sees_no_self(const Claimed *claimed) {
    return !any_weight(claimed, is_itself);
}

static inline bool window_hides(const Claimed *claimed) {
    const Config *config = config_of(claimed);
    int every = config->full_attention_every;
    return (every && claimed->stage->layer % every == config->full_attention_first) ||
           !any_weight(claimed, is_far);
}

/* All weights of the first query are equal. */
static inline bool first_row_is_even(const Claimed *claimed) {
    const Tensor *weights = beside(claimed, "weights");
    for (int i = 1; i < tensor_row(weights); i++)
        if (!is_near((double)weights->data[i], (double)weights->data[0])) return false;
    return true;
}

/* Run again with a different last id: how much does the first row of the stack's output
 * change? */
static inline double change_by_last_id(const Claimed *claimed, const char *stack) {
    Fixture *fixture = claimed->fixture;
    const Config *config = config_of(claimed);
    const char *name = arena_print(&fixture->arena, "%s.output", stack);
    const Tensor *before = tape_find(&fixture->tape, name);
    Ids ids[2] = {{0}, {0}};
    static const char *const side[] = {"encoder", "decoder"};
    for (int s = 0; s < 2; s++) {
        const Tensor *given =
            tape_find(&fixture->tape, arena_print(&fixture->arena, "%s.ids", side[s]));
        if (!given) continue;
        int *id = ARENA_ARRAY(&fixture->arena, int, tensor_size(given));
        for (int i = 0; i < tensor_size(given); i++) id[i] = (int)given->data[i];
        int last = given->axis[1].size - 1;
        if (strcmp(side[s], stack) == 0) id[last] = id[last] == 5 ? 6 : 5;
        ids[s] = (Ids){id, given->axis[0].size, given->axis[1].size, NULL};
    }
    Tape tape = {0};
    network_run(&tape, &fixture->model.network,
                config->encoder_layers ? &ids[0] : &ids[1], &ids[1]);
    const Tensor *after = tape_find(&tape, name);
    double max = 0;
    if (before && after && !tape.failed)
        for (int i = 0; i < tensor_row(before); i++)
            max = fmax(max, fabs((double)before->data[i] - (double)after->data[i]));
    tape_free(&tape);
    return max;
}

static inline bool knows_nothing_later(const Claimed *claimed) {
    return change_by_last_id(claimed, claimed->stage->stack) < 1e-5;
}

static inline bool leaks(const Claimed *claimed) {
    return change_by_last_id(claimed, claimed->stage->stack) > 0;
}

/* Each value is multiplied by its attention weight, and the products are added. */
static inline bool mixes_values(const Claimed *claimed) {
    const Step *step = made_by(claimed, beside(claimed, "context"));
    if (!step) return false;
    const Tensor *weights = step->input[0];
    const Tensor *value = step->input[1];
    const int keys = tensor_row(weights);
    const int size = tensor_row(value);
    for (int d = 0; d < size; d++) {
        double sum = 0;
        for (int k = 0; k < keys; k++)
            sum += (double)weights->data[k] * (double)value->data[k * size + d];
        if (!is_near(sum, (double)step->output->data[d])) return false;
    }
    return true;
}

/* A score is the dot product of a query and a key; check the last one of the first
 * head. */
static inline bool multiplies_queries_and_keys(const Claimed *claimed) {
    const Step *step = made_by(claimed, beside(claimed, "scores"));
    if (!step || step->output->rank < 3) return false;
    const Tensor *query = step->input[0];
    const Tensor *key = step->input[1];
    const int size = tensor_row(query);
    const int keys = tensor_row(step->output);
    for (int k = 0; k < keys; k++) {
        double sum = 0;
        for (int d = 0; d < size; d++)
            sum += (double)query->data[d] * (double)key->data[k * size + d];
        if (!is_near(sum, (double)step->output->data[k])) return false;
    }
    return true;
}

static inline bool divides_by_root(const Claimed *claimed) {
    const Step *step = made_by(claimed, beside(claimed, "scaled"));
    const Step *scores = step ? made_by(claimed, step->input[0]) : NULL;
    if (!scores) return false;
    const double root = sqrt(tensor_row(scores->input[0]));
    for (int i = 0; i < tensor_size(step->output); i++)
        if (!is_near((double)step->output->data[i] * root,
                     (double)step->input[0]->data[i]))
            return false;
    return true;
}

static inline bool larger_scores_weigh_more(const Claimed *claimed) {
    const Tensor *weights = beside(claimed, "weights");
    const Tensor *scores = beside(claimed, "scores");
    if (!weights || !scores || tensor_size(weights) != tensor_size(scores))
        return false;
    const int size = tensor_row(weights);
    for (int i = 0; i < tensor_size(weights); i++)
        for (int j = i - i % size; j < i - i % size + size; j++)
            if (weights->data[i] > 0 && scores->data[i] < scores->data[j] &&
                weights->data[j] > 0 && weights->data[i] > weights->data[j])
                return false;
    return true;
}

/* Queries, keys and values are made by three different weight matrices. */
static inline bool has_three_matrices(const Claimed *claimed) {
    const Tensor *weight[3] = {0};
    static const char *const called[] = {"query_projection", "key_projection",
                                         "value_projection"};
    for (int i = 0; i < 3; i++) {
        const Step *step = made_by(claimed, beside(claimed, called[i]));
        if (!step || step->input[1]->step != STEP_NONE) return false;
        weight[i] = step->input[1];
        for (int j = 0; j < i; j++)
            if (weight[j] == weight[i]) return false;
    }
    return true;
}

static inline bool reads_weights(const Claimed *claimed) {
    const Step *step = made_by(claimed, claimed->stage->tensor[0]);
    for (int i = 0; step && i < step->inputs; i++)
        if (step->input[i]->step == STEP_NONE && !step->input[i]->holds_ids)
            return true;
    return false;
}

static inline bool reads_no_weights(const Claimed *claimed) {
    return !reads_weights(claimed);
}

/* The rows are the rows of the table selected by the ids. */
static inline bool picks_rows(const Claimed *claimed) {
    const Step *step = made_by(claimed, claimed->stage->tensor[0]);
    if (!step || step->inputs != 2 || !step->input[1]->holds_ids) return false;
    const int size = tensor_row(step->output);
    for (int row = 0; row < tensor_size(step->output) / size; row++)
        if (memcmp(step->output->data + row * size,
                   step->input[0]->data + (int)step->input[1]->data[row] * size,
                   (size_t)size * sizeof(Number)) != 0)
            return false;
    return step->input[0]->step == STEP_NONE;
}

/* Head h has the numbers starting at h × d_head. */
static inline bool cuts_into_heads(const Claimed *claimed) {
    const Step *step = made_by(claimed, claimed->stage->tensor[0]);
    if (!step || step->output->rank != 4) return false;
    const int size = tensor_row(step->output);
    const int tokens = step->output->axis[2].size;
    const int columns = tensor_row(step->input[0]);
    for (int h = 0; h < step->output->axis[1].size; h++)
        for (int i = 0; i < tokens * size; i++)
            if (step->output->data[h * tokens * size + i] !=
                step->input[0]->data[i / size * columns + h * size + i % size])
                return false;
    return step->output->axis[1].size * size == columns;
}

static inline bool joins_heads(const Claimed *claimed) {
    const Step *step = made_by(claimed, part(claimed, "concat"));
    const Tensor *heads = step ? step->input[0] : NULL;
    if (!heads || heads->rank != 4) return false;
    const int size = tensor_row(heads);
    const int tokens = heads->axis[2].size;
    const int columns = tensor_row(step->output);
    for (int h = 0; h < heads->axis[1].size; h++)
        for (int i = 0; i < tokens * size; i++)
            if (heads->data[h * tokens * size + i] !=
                step->output->data[i / size * columns + h * size + i % size])
                return false;
    return true;
}
