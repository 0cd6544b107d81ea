/* Lenses of small models of every preset: their results agree with the run, and do not
 * change it. In the build with doubles gradients equal slopes. */
#include "lens/lens.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>

#include "small_model.h"

enum { CELLS_TRIED = 24 };
static const double rounding = sizeof(Number) == sizeof(double) ? 1e-9 : 1e-5;

typedef struct {
    Arena arena;
    Model model;
    Tape run, lens;
    Story story;
} Fixture;

/* Use a small mask value, so that it does not round away the differences from which
 * slopes are computed: kit-as-written masks a whole row. */
static void open_preset(Fixture *f, const char *preset) {
    *f = (Fixture){0};
    make_with(&f->model, preset, "mask_value=-1e4", &f->arena);
    network_run(&f->run, &f->model.network, &source, &target);
    if (f->run.failed) fail_msg("%s: %s", preset, f->run.error.message);
    f->story = (Story){.record = {.run = &f->run, .weights = &f->model.weights},
                       .model = &f->model,
                       .row = 0,
                       .digits = 3,
                       .candidates = 3};
}

static void close_preset(Fixture *f) {
    tape_free(&f->lens);
    tape_free(&f->run);
    model_free(&f->model);
    arena_free(&f->arena);
}

static bool record(Fixture *f, const char *name, LensAim aim, Error *error) {
    return lens_record(lens_find(name), &f->lens, &f->story, &aim, error);
}

/* d logits / d embedding, by changing a number slightly in both directions. */
static double slope(Fixture *f, const Tensor *logits, int cell, Tensor *by, int moved) {
    const double step = 1e-5;
    Number before = by->data[moved];
    by->data[moved] = before + (Number)step;
    tape_rerun(&f->run, by->step + 1);
    double above = (double)logits->data[cell];
    by->data[moved] = before - (Number)step;
    tape_rerun(&f->run, by->step + 1);
    double below = (double)logits->data[cell];
    by->data[moved] = before;
    tape_rerun(&f->run, by->step + 1);
    return (above - below) / (2 * step);
}

static void check_slopes(Fixture *f, const char *preset, const char *address) {
    const Tensor *logits = tape_find(&f->run, "logits");
    Tensor *by = tape_find(&f->run, address);
    if (!logits || !by) return;
    int cell = tensor_size(logits) / 3;
    const Number *gradient = lens_gradient(&f->run, logits, cell, by, &f->arena);
    for (int i = 0; i < CELLS_TRIED; i++) {
        int moved = i * tensor_size(by) / CELLS_TRIED;
        double expected = slope(f, logits, cell, by, moved);
        if (fabs((double)gradient[moved] - expected) > 1e-6 * (1 + fabs(expected)))
            fail_msg("%s: gradient by %s[%d] is %g, the slope %g", preset, address,
                     moved, (double)gradient[moved], expected);
    }
}

static void gradients_equal_slopes(void **state) {
    (void)state;
    if (sizeof(Number) < sizeof(double)) skip(); /* floats lack precision */
    for (const Preset *preset = presets; preset->name; preset++) {
        Fixture f;
        open_preset(&f, preset->name);
        check_slopes(&f, preset->name, "encoder.embedding");
        check_slopes(&f, preset->name, "decoder.embedding");
        close_preset(&f);
    }
}

static void gradients_stay_nowhere(void **state) {
    (void)state;
    Fixture f;
    Error error;
    open_preset(&f, "paper");
    Tensor *weight = f.model.weights.weight[0].tensor;
    Number *own = ARENA_ARRAY(&f.arena, Number, tensor_size(weight));
    weight->grad = own; /* as if something were being trained */
    assert_true(record(&f, "gradient", (LensAim){1, 4}, &error));
    for (int s = 0; s < f.run.count; s++) {
        assert_null(f.run.step[s].output->grad);
        assert_false(f.run.step[s].output->grad_written);
    }
    for (int i = 0; i < tensor_size(weight); i++) assert_true(own[i] == 0);
    assert_false(weight->grad_written);
    weight->grad = NULL;
    close_preset(&f);
}

/* Return the last recorded tensor whose address ends this way. */
static const Tensor *last_called(const Tape *tape, const char *name) {
    const Tensor *last = NULL;
    for (int e = 0; e < tape->entries; e++)
        if (strcmp(tape->entry[e].name, name) == 0) last = tape->entry[e].tensor;
    return last;
}

static void the_last_layer_predicts_what_the_model_predicts(void **state) {
    (void)state;
    int read = 0;
    for (const Preset *preset = presets; preset->name; preset++) {
        Fixture f;
        Error error;
        open_preset(&f, preset->name);
        const Tensor *expected = tape_find(&f.run, "probabilities");
        if (record(&f, "logit", (LensAim){0}, &error)) {
            const Tensor *found = last_called(&f.lens, "probabilities");
            assert_int_equal(tensor_size(found), tensor_size(expected));
            for (int i = 0; i < tensor_size(found); i++)
                assert_true(fabs((double)(found->data[i] - expected->data[i])) <=
                            rounding);
            read++;
        }
        close_preset(&f);
    }
    assert_true(read >= 9);
}

/* A causal encoder sees no later tokens through any number of layers. */
static void rollout_rows_sum_to_1(void **state) {
    (void)state;
    for (const Preset *preset = presets; preset->name; preset++) {
        Fixture f;
        Error error;
        open_preset(&f, preset->name);
        const Tensor *last = record(&f, "rollout", (LensAim){0}, &error)
                                 ? last_called(&f.lens, "rollout")
                                 : NULL;
        for (int row = 0; last && row < tensor_size(last) / tensor_row(last); row++) {
            double sum = 0;
            for (int k = 0; k < tensor_row(last); k++)
                sum += (double)last->data[row * tensor_row(last) + k];
            assert_true(fabs(sum - 1) <= rounding);
        }
        close_preset(&f);
    }
}

static void entropies_are_within_the_max(void **state) {
    (void)state;
    Fixture f;
    Error error;
    open_preset(&f, "paper");
    assert_true(record(&f, "entropy", (LensAim){0}, &error));
    for (int e = 0; e < f.lens.entries; e++) {
        const Entry *entry = &f.lens.entry[e];
        if (strcmp(entry->name, "entropy") == 0)
            for (int i = 0; i < tensor_size(entry->tensor); i++)
                assert_true(entry->tensor->data[i] >= 0 &&
                            entry->tensor->data[i] <= 2 + (Number)rounding);
        if (strncmp(entry->name, "distance", 8) == 0)
            for (int i = 0; i < tensor_size(entry->tensor); i++)
                assert_true(entry->tensor->data[i] >= 0 && entry->tensor->data[i] <= 1);
    }
    close_preset(&f);
}

/* For each sentence of the batch, all of it and one position. */
static void check_shown(Fixture *f, const Lens *lens) {
    Page page = {.arena = &f->arena};
    for (f->story.row = 0; f->story.row < ROWS; f->story.row++) {
        Error error;
        lens->say(&f->lens, &f->story, LENS_ROW_ALL, &page);
        lens->say(&f->lens, &f->story, 0, &page);
        assert_false(page.failed);
        Figure figure = lens->figure(&f->lens, &f->story, LENS_ROW_ALL, &f->arena);
        if (!figure_text(&figure, 80, (Colors){0}, &f->arena, &error))
            fail_msg("%s: %s", lens->name, error.message);
    }
}

static void check_lens(const char *preset, const Lens *lens) {
    Fixture f;
    Error error;
    open_preset(&f, preset);
    if (record(&f, lens->name, (LensAim){0}, &error))
        check_shown(&f, lens);
    else
        assert_non_null(strstr(error.message, lens->name));
    close_preset(&f);
}

static void each_lens_has_text_and_a_figure(void **state) {
    (void)state;
    for (const Preset *preset = presets; preset->name; preset++)
        for (const Lens *lens = lenses; lens->name; lens++)
            check_lens(preset->name, lens);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(gradients_equal_slopes),
        cmocka_unit_test(gradients_stay_nowhere),
        cmocka_unit_test(the_last_layer_predicts_what_the_model_predicts),
        cmocka_unit_test(rollout_rows_sum_to_1),
        cmocka_unit_test(entropies_are_within_the_max),
        cmocka_unit_test(each_lens_has_text_and_a_figure),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
