#include "learn/slow_step.h"

#include <math.h>
#include <string.h>

#include "learn/trainer.h"
#include "model/network.h"

static size_t bytes_of(const SlowStep *step) {
    return step->adam.size * sizeof(Number);
}

void slow_step_begin(SlowStep *step, const Model *model, bool dropout_on) {
    Model plain = *model;
    Config *config = &plain.config;
    *step = (SlowStep){0};
    if (!dropout_on)
        config->dropout = config->attention_dropout = config->activation_dropout = 0;
    model_twin(&step->model, &plain);
    Weights *weights = &step->model.weights;
    const AdamOptions options = {.beta_1 = 0.9, .beta_2 = 0.98, .epsilon = 1e-9};
    step->adam = adam_new(weights, &options);
    step->gradient = adam_gradient(&step->adam, weights, &weights->arena);
    Number **row[] = {&step->after, &step->mean, &step->square};
    for (int r = 0; r < 3; r++) {
        *row[r] = arena_take_raw(&step->arena, bytes_of(step));
        memset(*row[r], 0, bytes_of(step));
    }
}

void slow_step_free(SlowStep *step) {
    tape_free(&step->tape);
    model_free(&step->model);
    arena_free(&step->arena);
    *step = (SlowStep){0};
}

/* Copy the numbers of `model`, which has the same tensors, into the twin. */
static void read_numbers(SlowStep *step, const Model *model) {
    for (int w = 0; w < model->weights.count; w++) {
        const Tensor *from = model->weights.weight[w].tensor;
        memcpy(step->model.weights.weight[w].tensor->data, from->data,
               (size_t)tensor_size(from) * sizeof(Number));
    }
}

void slow_step_write(const SlowStep *step, Model *model) {
    for (int w = 0; w < model->weights.count; w++) {
        Tensor *to = model->weights.weight[w].tensor;
        memcpy(to->data, step->after + adam_offset(&model->weights, w),
               (size_t)tensor_size(to) * sizeof(Number));
    }
}

/* Copy ids and labels to `arena`: the step is examined after the typed sentence and its
 * labels are gone. */
static Ids own_labels(const Ids *ids, Arena *arena) {
    if (!ids->labels) return *ids;
    const char **label = ARENA_ARRAY(arena, const char *, ids->rows * ids->length);
    for (int i = 0; i < ids->rows * ids->length; i++)
        if (ids->labels[i])
            label[i] = arena_copy(arena, ids->labels[i], strlen(ids->labels[i]));
    return (Ids){ids->id, ids->rows, ids->length, label};
}

static Tensor *run_to_loss(SlowStep *step, Tape *tape, const SlowTask *task) {
    tape_reset(tape);
    tape->seed = step->options.seed;
    const Ids source = own_labels(&task->source, &tape->arena);
    const Ids target = own_labels(&task->target, &tape->arena);
    step->logits = network_run(tape, &step->model.network, &source, &target);
    return loss_run(tape, &step->model.config, step->logits, &task->expected,
                    step->options.smoothing);
}

/* Take a step of Adam, and compute the loss after it; the logits are still those from
 * before. */
static bool take_step(SlowStep *step, const SlowTask *task, Error *error) {
    if (!adam_step(&step->adam, step->options.rate, &step->gradient, 1, &step->norm))
        return fail(error, "the gradient is not finite, so there is no step to take");
    Tape tape = {.dropout_on = step->options.dropout_on};
    Tensor *logits = step->logits;
    const Tensor *loss = run_to_loss(step, &tape, task);
    step->logits = logits;
    if (loss) step->loss_after = (double)loss->data[0];
    bool done = tape_done(&tape, error);
    tape_free(&tape);
    return done;
}

bool slow_step_run(SlowStep *step, const Model *model, const SlowTask *task,
                   const SlowOptions *options, Error *error) {
    Tape *tape = &step->tape;
    const Weights *weights = &step->model.weights;
    int steps = step->adam.step;
    step->options = *options;
    tape->learns = true;
    read_numbers(step, model);
    step->loss = run_to_loss(step, tape, task);
    if (!tape_done(tape, error)) return false;
    if (!isfinite((double)step->loss->data[0]))
        return fail(error, "the loss is %g, so there is nothing to learn",
                    (double)step->loss->data[0]);
    for (int w = 0; w < weights->count; w++)
        weights->weight[w].tensor->grad_written = false;
    tape_backward(tape, step->loss);
    /* What does not affect the loss has gradient 0. */
    for (int t = 0; t < weights->count + tape->entries; t++) {
        const Tensor *tensor = t < weights->count
                                   ? weights->weight[t].tensor
                                   : tape->entry[t - weights->count].tensor;
        if (tensor->grad && !tensor->grad_written)
            memset(tensor->grad, 0, (size_t)tensor_size(tensor) * sizeof(Number));
    }
    if (!tape_done(tape, error)) return false;
    /* Save Adam's state, so that a step that fails can be undone. */
    memcpy(step->mean, step->adam.mean, bytes_of(step));
    memcpy(step->square, step->adam.square, bytes_of(step));
    bool done = take_step(step, task, error);
    memcpy(step->after, step->adam.value, bytes_of(step));
    read_numbers(step, model);
    if (done) return true;
    memcpy(step->adam.mean, step->mean, bytes_of(step));
    memcpy(step->adam.square, step->square, bytes_of(step));
    step->adam.step = steps;
    return false;
}

AdamChange slow_step_change(const SlowStep *step, int w, int cell) {
    const Adam *adam = &step->adam;
    const AdamOptions *options = &adam->options;
    size_t i = adam_offset(&step->model.weights, w) + (size_t)cell;
    AdamChange change = {
        .before = (double)adam->value[i],
        .gradient = (double)step->gradient[i],
        .mean_before = (double)step->mean[i],
        .square_before = (double)step->square[i],
        .mean = (double)adam->mean[i],
        .square = (double)adam->square[i],
        .after = (double)step->after[i],
        .step = adam->step,
    };
    change.mean_corrected = change.mean / (1 - pow(options->beta_1, adam->step));
    change.square_corrected = change.square / (1 - pow(options->beta_2, adam->step));
    change.change = -step->options.rate * change.mean_corrected /
                    (sqrt(change.square_corrected) + options->epsilon);
    return change;
}

void slow_step_largest(const SlowStep *step, int *w, int *cell) {
    const double about = 0.99;
    const Weights *weights = &step->model.weights;
    double max = 0;
    double steepest = -1;
    *w = *cell = 0;
    for (size_t i = 0; i < step->adam.size; i++)
        max = fmax(max, fabs((double)step->after[i] - (double)step->adam.value[i]));
    for (int t = 0; t < weights->count; t++) {
        size_t start = adam_offset(weights, t);
        for (int c = 0; c < tensor_size(weights->weight[t].tensor); c++) {
            size_t i = start + (size_t)c;
            double moved = fabs((double)step->after[i] - (double)step->adam.value[i]);
            double steep = fabs((double)step->gradient[i]);
            if (moved < about * max || steep <= steepest) continue;
            steepest = steep;
            *w = t;
            *cell = c;
        }
    }
}
