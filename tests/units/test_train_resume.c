/* Trainings that are stopped and resumed, with the same result as without a stop. */
#include <math.h>

#include "learn/pictures.h"

#include "curves.h"
#include "training_run.h"

static void resuming_goes_on_as_if_nothing_had_happened(void **state) {
    (void)state;
    static const char *const threads[] = {"threads=1", "threads=2"};
    for (int t = 0; t < 2; t++) {
        Arena arena = {0};
        TrainingRun whole = {.replaces = true,
                             .set = {output("whole", &arena), "steps=40", threads[t]},
                             .sets = 3};
        TrainingRun first = {.replaces = true,
                             .set = {output("half", &arena), "steps=20", threads[t]},
                             .sets = 3};
        TrainingRun second = {.resumes = true,
                              .set = {output("half", &arena), "steps=40", threads[t]},
                              .sets = 3};
        must_train(&whole);
        must_train(&first);
        assert_int_equal(first.trained.steps, 20);
        must_train(&second);
        assert_int_equal(second.trained.steps, 40);
        assert_true(second.trained.loss == whole.trained.loss);
        check_same_curves("whole/train.csv", "half/train.csv", 40);
        check_same_files("whole/checkpoint.safetensors", "half/checkpoint.safetensors");
        check_same_files("whole/model.safetensors", "half/model.safetensors");
        check_same_files("whole/snapshots.safetensors", "half/snapshots.safetensors");
        arena_free(&arena);
    }
}

/* Stopped in the middle of the second epoch of 10 batches. */
static void rmsprop_and_a_partial_epoch_resume(void **state) {
    (void)state;
    Arena arena = {0};
    TrainingRun whole = {
        .replaces = true,
        .set = {output("rms", &arena), "steps=20", "optimizer=rmsprop"},
        .sets = 3};
    TrainingRun first = {
        .replaces = true,
        .set = {output("pms", &arena), "steps=13", "optimizer=rmsprop"},
        .sets = 3};
    TrainingRun second = {
        .resumes = true,
        .set = {output("pms", &arena), "steps=20", "optimizer=rmsprop"},
        .sets = 3};
    TrainingRun other = {
        .resumes = true, .set = {output("pms", &arena), "steps=30"}, .sets = 2};
    must_train(&whole);
    must_train(&first);
    must_train(&second);
    check_same_curves("rms/train.csv", "pms/train.csv", 20);
    check_same_files("rms/model.safetensors", "pms/model.safetensors");
    check_error(&other, "belongs to another recipe");
    Curve curve = curve_of("pms/train.csv");
    for (int p = 0; p < curve.count; p++)
        assert_int_equal(isfinite(curve.point[p].train_accuracy),
                         curve.point[p].step % 10 == 0);
    curve_free(&curve);
    arena_free(&arena);
}

/* A fifth of 75 rows is 15, which leaves 60: 8 batches of 8. */
static void part_of_the_data_is_held_out(void **state) {
    (void)state;
    Arena arena = {0};
    TrainingRun share = {.replaces = true,
                         .set = {output("share", &arena), "epochs=2",
                                 "validation=", "validation_share=0.2"},
                         .sets = 4};
    TrainingRun both = {.replaces = true,
                        .set = {output("both", &arena), "validation_share=0.2"},
                        .sets = 2};
    must_train(&share);
    assert_int_equal(share.trained.steps, 16);
    assert_true(isfinite(share.trained.accuracy));
    check_error(&both, "\"validation\" and \"validation_share\" are both set");
    arena_free(&arena);
}

/* Stopped between two snapshots, of which the first is at step 0 and the last at 20. */
static void resuming_takes_no_additional_snapshot(void **state) {
    (void)state;
    Arena arena = {0};
    TrainingRun whole = {
        .replaces = true,
        .set = {output("seen", &arena), "steps=20", "snapshot_every=10"},
        .sets = 3};
    TrainingRun first = {
        .replaces = true,
        .set = {output("torn", &arena), "steps=13", "snapshot_every=10"},
        .sets = 3};
    TrainingRun second = {
        .resumes = true,
        .set = {output("torn", &arena), "steps=20", "snapshot_every=10"},
        .sets = 3};
    must_train(&whole);
    must_train(&first);
    must_train(&second);
    check_same_files("seen/snapshots.safetensors", "torn/snapshots.safetensors");
    arena_free(&arena);
}

/* At the end of the first epoch: before the validation, and between it and the other
 * work after the step, which also starts the next epoch. */
static void work_stopped_after_a_step_is_done_when_resumed(void **state) {
    (void)state;
    static const char *const places[] = {"step 10: epoch 1", "step 10: validation"};
    for (int p = 0; p < 2; p++) {
        Arena arena = {0};
        TrainingRun whole = {
            .replaces = true, .set = {output("all", &arena), "steps=25"}, .sets = 2};
        TrainingRun first = {.replaces = true,
                             .set = {output("cut", &arena), "steps=25"},
                             .sets = 2,
                             .stop_at = places[p],
                             .stop_by = SIGTERM};
        TrainingRun second = {
            .resumes = true, .set = {output("cut", &arena), "steps=25"}, .sets = 2};
        must_train(&whole);
        must_train(&first);
        assert_int_equal(first.trained.signal, SIGTERM);
        assert_int_equal(first.trained.steps, 10);
        Curve cut = curve_of("cut/train.csv");
        assert_int_equal(cut.count, 9);
        curve_free(&cut);
        must_train(&second);
        check_same_curves("all/train.csv", "cut/train.csv", 25);
        check_same_files("all/checkpoint.safetensors", "cut/checkpoint.safetensors");
        check_same_files("all/model.safetensors", "cut/model.safetensors");
        check_same_files("all/snapshots.safetensors", "cut/snapshots.safetensors");
        arena_free(&arena);
    }
}

static int run_all(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(resuming_goes_on_as_if_nothing_had_happened),
        cmocka_unit_test(rmsprop_and_a_partial_epoch_resume),
        cmocka_unit_test(part_of_the_data_is_held_out),
        cmocka_unit_test(resuming_takes_no_additional_snapshot),
        cmocka_unit_test(work_stopped_after_a_step_is_done_when_resumed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

int main(void) {
    return run_in_folder(run_all);
}
