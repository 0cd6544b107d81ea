/* A training step on every preset: gradients equal slopes, the terms of a gradient add
 * up to it, and the step equals a trainer's. Also in the build with doubles. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <math.h>

#include "explain/gradients.h"
#include "learn/slow_step.h"
#include "learn/trainer.h"
#include "sample.h"

#include <cmocka.h> /* last: it has a macro named fail */

#include "units/small_model.h"

static Arena scratch;

static int reset(void **state) {
    (void)state;
    arena_free(&scratch);
    return 0;
}

enum { SAMPLES = 6 };

static const int expected_ids[] = {8, 4, 6, 2, 6, 9, 3, 0};
static const int expected_labels[] = {1, 0};

typedef struct {
    Model model;
    SlowStep step;
    Gradients gradients;
} Studied;

static bool has_loss(const Config *config) {
    return config->decoder_layers || config->model_type == MODEL_CLASSIFIER;
}

static bool learn(Studied *learned, const char *preset, double smoothing) {
    Error error;
    /* With -1e9 a score would lose the digits that its slope depends on. */
    make_with(&learned->model, preset, "mask_value=-1e3", &scratch);
    const Config *config = &learned->model.config;
    bool labels = config->model_type == MODEL_CLASSIFIER;
    if (!has_loss(config)) {
        model_free(&learned->model);
        return false;
    }
    const SlowTask task = {
        source,
        target,
        {labels ? expected_labels : expected_ids, ROWS, labels ? 1 : LENGTH, NULL}};
    const SlowOptions options = {.rate = 0.01, .smoothing = smoothing};
    slow_step_begin(&learned->step, &learned->model, false);
    if (!slow_step_run(&learned->step, &learned->model, &task, &options, &error))
        fail_msg("%s: %s", preset, error.message);
    learned->gradients =
        gradients_new(&learned->step.tape, &learned->step.model.weights, &scratch);
    return true;
}

static void forget(Studied *learned) {
    slow_step_free(&learned->step);
    model_free(&learned->model);
    arena_free(&scratch);
}

/* The slope of the loss along one number, which the steps from `from` on read. */
static double slope_at(Tape *tape, Number *number, int from) {
    const double little = 1e-5;
    const Number before = *number;
    const Number *loss = tape->step[tape->count - 1].output->data;
    *number = before + (Number)little;
    tape_rerun(tape, from);
    double above = (double)loss[0];
    *number = before - (Number)little;
    tape_rerun(tape, from);
    double below = (double)loss[0];
    *number = before;
    tape_rerun(tape, from);
    return (above - below) / (2 * little);
}

/* Aliases share a tensor; a step's output is read by later steps. In `make test` check
 * one gradient in four, different ones for the next preset. */
static void check_slopes(Studied *learned, const char *preset, int place) {
    Tape *tape = &learned->step.tape;
    for (int g = 0; g < learned->gradients.count; g++) {
        const Tensor *of = learned->gradients.of[g];
        if (!in_sample(g + place, 4)) continue;
        int size = tensor_size(of);
        for (int s = 0; s < SAMPLES; s++) {
            int cell = (int)((long long)size * s / SAMPLES);
            double slope = slope_at(tape, &of->data[cell], of->step + 1);
            double found = (double)learned->gradients.tensor[g].data[cell];
            if (of->step == tape->count - 1) slope = 1;
            if (!(fabs(found - slope) <= 1e-7 + 1e-4 * fabs(slope)))
                fail_msg("%s: %s[%d]: gradient %.10g, slope %.10g", preset, of->name,
                         cell, found, slope);
        }
    }
}

static void every_gradient_shown_equals_the_slope(void **state) {
    (void)state;
    if (sizeof(Number) < sizeof(double)) skip();
    for (const Preset *preset = presets; preset->name; preset++) {
        Studied learned;
        if (!learn(&learned, preset->name, 0.1)) continue;
        check_slopes(&learned, preset->name, (int)(preset - presets));
        forget(&learned);
    }
}

static void check_terms(const Studied *learned, const char *preset) {
    const double rounding = sizeof(Number) < sizeof(double) ? 2e-4 : 1e-9;
    const Gradients *gradients = &learned->gradients;
    for (int g = 0; g < gradients->count; g++) {
        const Tensor *tensor = &gradients->tensor[g];
        for (int s = 0; s < SAMPLES; s++) {
            Arena memory = {0};
            Explanation explanation;
            int cell = (int)((long long)tensor_size(tensor) * s / SAMPLES);
            gradients_explain(gradients, tensor, cell, &memory, &explanation);
            double sum = 0;
            for (int t = 0; t < explanation.count; t++)
                sum += explanation.term[t].value;
            double scale = explanation_size(&explanation) + 1e-6;
            if (!(fabs(sum - (double)tensor->data[cell]) <= rounding * scale))
                fail_msg("%s: %s[%d] is %g, its terms add up to %g", preset,
                         tensor->name, cell, (double)tensor->data[cell], sum);
            if (explanation.count == 0) assert_non_null(explanation.note);
            arena_free(&memory);
        }
    }
}

static void the_terms_of_a_gradient_add_up_to_it(void **state) {
    (void)state;
    for (const Preset *preset = presets; preset->name; preset++) {
        Studied learned;
        if (!learn(&learned, preset->name, 0)) continue;
        check_terms(&learned, preset->name);
        forget(&learned);
    }
}

/* Adam's formula gives the change that the step made. */
static void the_terms_of_a_change_give_the_step(void **state) {
    (void)state;
    Studied learned;
    int w;
    int cell;
    assert_true(learn(&learned, "paper", 0));
    slow_step_largest(&learned.step, &w, &cell);
    const AdamChange change = slow_step_change(&learned.step, w, cell);
    double before = (double)learned.model.weights.weight[w].tensor->data[cell];
    assert_true(change.before == before);
    assert_true(fabs(change.before + change.change - change.after) < 1e-6);
    assert_true(fabs(change.change) > 0.009);
    assert_true(learned.step.loss_after < (double)learned.step.loss->data[0]);
    forget(&learned);
}

static void check_same(const SlowStep *step, const Model *model) {
    for (int t = 0; t < model->weights.count; t++) {
        const Tensor *tensor = model->weights.weight[t].tensor;
        size_t bytes = (size_t)tensor_size(tensor) * sizeof(Number);
        if (memcmp(step->after + adam_offset(&model->weights, t), tensor->data, bytes))
            fail_msg("%s differs", tensor->name);
    }
}

static void two_steps_are_those_of_a_trainer(void **state) {
    (void)state;
    static const int spoken[] = {8, 4, 6};
    Example example = {source_ids, spoken, LENGTH, LENGTH - 1, 1, 2};
    const Examples examples = {.example = &example, .count = 1};
    const Batches batches =
        batches_in_order(&examples, (BatchSize){.sentences = 1}, &scratch);
    const TrainerOptions options = {
        .adam = {0.9, 0.98, 1e-9, 0, 0},
        .schedule = {.kind = SCHEDULE_CONSTANT, .rate = 0.01}};
    const SlowTask task = {{source_ids, 1, LENGTH, NULL},
                           {target_ids, 1, LENGTH, NULL},
                           {expected_ids, 1, LENGTH, NULL}};
    const SlowOptions slow = {.rate = 0.01};
    Model model;
    Model slowly;
    SlowStep step;
    Error error;
    make_with(&model, "paper", "", &scratch);
    make_with(&slowly, "paper", "", &scratch);
    Trainer trainer = trainer_new(&model, &options);
    slow_step_begin(&step, &slowly, false);
    for (int s = 0; s < 2; s++) {
        Learned learned;
        assert_true(trainer_step(&trainer, &batches, 0, &learned, &error));
        assert_true(slow_step_run(&step, &slowly, &task, &slow, &error));
        assert_true((double)step.loss->data[0] == learned.loss);
        check_same(&step, &model);
        slow_step_write(&step, &slowly);
    }
    trainer_free(&trainer);
    slow_step_free(&step);
    model_free(&model);
    model_free(&slowly);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(every_gradient_shown_equals_the_slope, reset),
        cmocka_unit_test_teardown(the_terms_of_a_gradient_add_up_to_it, reset),
        cmocka_unit_test_teardown(the_terms_of_a_change_give_the_step, reset),
        cmocka_unit_test_teardown(two_steps_are_those_of_a_trainer, reset),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
