/* Whole trainings: the files they write, and how they continue. */
#include <signal.h>

#include "learn/training.h"
#include "model/model.h"

#include "curves.h"
#include "training_run.h"

/* A training that was killed after saving its curve and before saving its
 * checkpoint. */
static void points_after_the_checkpoint_are_dropped(void **state) {
    (void)state;
    Arena arena = {0};
    Error error;
    TrainingRun first = {
        .replaces = true, .set = {output("killed", &arena), "steps=10"}, .sets = 2};
    TrainingRun more = {
        .resumes = true, .set = {output("killed", &arena), "steps=20"}, .sets = 2};
    TrainingRun again = more;
    must_train(&first);
    Bytes old = bytes_of("killed/checkpoint.safetensors", &arena);
    must_train(&more);
    Bytes curve = bytes_of("killed/train.csv", &arena);
    Bytes snapshots = bytes_of("killed/snapshots.safetensors", &arena);
    assert_true(file_save(in_folder("killed/checkpoint.safetensors", &arena), old.bytes,
                          old.size, true, &error));
    assert_true(file_save(in_folder("before.csv", &arena), curve.bytes, curve.size,
                          true, &error));
    assert_true(file_save(in_folder("before.safetensors", &arena), snapshots.bytes,
                          snapshots.size, true, &error));
    must_train(&again);
    check_same_curves("before.csv", "killed/train.csv", 20);
    check_same_files("before.safetensors", "killed/snapshots.safetensors");
    arena_free(&arena);
}

/* Partial files of a training that was killed are removed; files of the user with
 * similar names stay. */
static void only_partial_files_are_removed(void **state) {
    (void)state;
    static const char *const names[] = {"train.csv.saving-glassbox-aB3dE6",
                                        "train.csv.before", "train.csv-my-backups-01",
                                        "train.csv.saving", "notes.csv.saving-aB3dE6"};
    Arena arena = {0};
    Error error;
    const char *kept = in_folder("kept", &arena);
    assert_true(file_make_folder(kept, &error));
    for (int i = 0; i < 5; i++)
        assert_true(file_save(file_join(&arena, kept, names[i]), "x", 1, true, &error));
    TrainingRun run = {
        .replaces = true, .set = {output("kept", &arena), "steps=1"}, .sets = 2};
    must_train(&run);
    for (int i = 0; i < 5; i++)
        assert_int_equal(file_exists(file_join(&arena, kept, names[i])), i > 0);
    arena_free(&arena);
}

static void the_output_is_a_model_with_its_number_of_steps(void **state) {
    (void)state;
    Arena arena = {0};
    Model model;
    Error error;
    TrainingRun run = {.replaces = true,
                       .set = {output("out", &arena), "steps=12", "plot=svg"},
                       .sets = 3};
    must_train(&run);
    if (!model_open(&model, in_folder("out", &arena), &error))
        fail_msg("%s", error.message);
    assert_string_equal(model.steps, "12");
    assert_string_equal(model.seed, "1");
    assert_true(model.has_target_files);
    model_free(&model);
    static const char *const files[] = {"out/loss.svg", "out/learning_rate.svg",
                                        "out/train.csv",
                                        "out/decoder.0.cross_attention.weights.svg"};
    for (size_t f = 0; f < sizeof files / sizeof *files; f++)
        assert_true(bytes_of(files[f], &arena).size > 100);
    arena_free(&arena);
}

/* The labels come from the data; the recipe can also list them, in an order. */
static void a_classifier_learns_the_labels_of_its_data(void **state) {
    (void)state;
    Arena arena = {0};
    Model model;
    Error error;
    const char *rows = "text,label\n";
    for (int i = 0; i < 40; i++)
        rows =
            arena_print(&arena, "%sa %d,%s\n", rows, i % 7, i % 7 < 3 ? "low" : "high");
    assert_true(
        file_save(in_folder("labels.csv", &arena), rows, strlen(rows), true, &error));
    const char *recipe =
        "{\"preset\": \"classifier\", \"data\": \"labels.csv\", \"warmup\": 50,"
        " \"validation\": \"labels.csv\", \"source\": \"text\", \"steps\": 150,"
        " \"batch\": 8, \"validate_every\": 150, \"plot\": \"none\","
        " \"model\": {\"d_model\": 16, \"attention_heads\": 2, \"d_ff\": 16,"
        " \"encoder_layers\": 1, \"dropout\": 0}, \"output\": \"class\"}";
    assert_true(file_save(in_folder("labels.json", &arena), recipe, strlen(recipe),
                          true, &error));
    TrainingRun run = {.recipe = "labels.json"};
    must_train(&run);
    assert_true(run.trained.accuracy == 1);
    if (!model_open(&model, in_folder("class", &arena), &error))
        fail_msg("%s", error.message);
    assert_int_equal(model.config.label_count, 2);
    assert_string_equal(model.config.labels[0], "low");
    model_free(&model);
    TrainingRun other = {.recipe = "labels.json",
                         .replaces = true,
                         .set = {"model.labels=high,middle"},
                         .sets = 1};
    check_error(&other, "labels.csv:2: the label 'low' is not one of the model's 2");
    arena_free(&arena);
}

static void a_model_is_not_overwritten_unasked(void **state) {
    (void)state;
    Arena arena = {0};
    TrainingRun first = {
        .replaces = true, .set = {output("kept", &arena), "steps=2"}, .sets = 2};
    TrainingRun again = {.set = {output("kept", &arena), "steps=3"}, .sets = 2};
    must_train(&first);
    check_error(&again, "already has a model; continue with --resume");
    arena_free(&arena);
}

/* Training refuses to overwrite each of its output files, also if it is a symbolic
 * link. */
static void other_files_are_not_overwritten_unasked(void **state) {
    (void)state;
    Arena arena = {0};
    Error error;
    Recipe recipe;
    const char *name;
    int names = 0;
    if (!recipe_read(&recipe, in_folder("recipe.json", &arena), NULL, 0, &arena,
                     &error))
        fail_msg("%s", error.message);
    recipe.plot = PLOT_PNG;
    assert_true(file_make_folder(in_folder("foreign", &arena), &error));
    for (; (name = training_output(&recipe, names, &arena)); names++) {
        const char *path = file_join(&arena, in_folder("foreign", &arena), name);
        TrainingRun run = {.set = {output("foreign", &arena), "steps=2", "plot=png"},
                           .sets = 3};
        if (names % 2)
            assert_int_equal(symlink("/nowhere", path), 0);
        else
            assert_true(file_save(path, "mine", 4, false, &error));
        check_error(&run, names ? "already exists; overwrite it with --force"
                                : "already has a model");
        assert_non_null(strstr(run.error.message, names ? name : "foreign"));
        if (names % 2 == 0)
            assert_string_equal(
                bytes_of(arena_print(&arena, "foreign/%s", name), &arena).bytes,
                "mine");
        unlink(path);
    }
    assert_int_equal(names, 9 + 3 + 1); /* pictures of the curve, of a snapshot */
    arena_free(&arena);
}

/* Not even if it may replace files; also under another name. */
static void inputs_are_never_overwritten(void **state) {
    (void)state;
    Arena arena = {0};
    Error error;
    Bytes pairs = bytes_of("pairs.tsv", &arena);
    const char *own = in_folder("own", &arena);
    const char *curve = file_join(&arena, own, "train.csv");
    assert_true(file_make_folder(own, &error));
    assert_true(file_save(curve, pairs.bytes, pairs.size, false, &error));
    TrainingRun data = {.replaces = true,
                        .set = {output("own", &arena), "steps=2",
                                arena_print(&arena, "data=%s", curve)},
                        .sets = 3};
    check_error(&data, "own/train.csv, which is its data");
    TrainingRun validation = {.replaces = true,
                              .set = {output("own", &arena), "steps=2",
                                      arena_print(&arena, "validation=%s", curve)},
                              .sets = 3};
    check_error(&validation, "which is its validation data");
    assert_int_equal(symlink(curve, in_folder("link.tsv", &arena)), 0);
    TrainingRun linked = {
        .replaces = true,
        .set = {output("own", &arena), "steps=2",
                arena_print(&arena, "data=%s", in_folder("link.tsv", &arena))},
        .sets = 3};
    check_error(&linked, "which is its data");
    assert_string_equal(bytes_of("own/train.csv", &arena).bytes, pairs.bytes);
    arena_free(&arena);
}

/* The weights are in the checkpoint; a deleted curve starts again. */
/* Problems of a model name the recipe and the key that they come from. */
static void an_invalid_model_is_reported_with_its_recipe(void **state) {
    (void)state;
    Arena arena = {0};
    static const char *const wrong[][3] = {
        {"model.d_model=17", "model.attention_heads=1",
         "recipe.json: \"model\": d_model is 17"},
        {"model.d_model=16384", "model.d_ff=65536",
         "recipe.json: \"model\": with model"},
        {"tokenizer=bpe", "vocabulary=100",
         "recipe.json: \"vocabulary\": a vocabulary of byte pairs needs at least 260"},
        {"tokenizer=letters", "steps=2",
         "recipe.json: \"tokenizer\" is 'letters'; expected words, bpe or a folder "
         "with"},
    };
    for (int w = 0; w < 4; w++) {
        TrainingRun run = {.replaces = true,
                           .set = {output("never", &arena), wrong[w][0], wrong[w][1]},
                           .sets = 3};
        check_error(&run, wrong[w][2]);
    }
    TrainingRun typed = {.set = {output("never", &arena), "model.tokenizer=bpe"},
                         .sets = 2};
    check_error(&typed, "--set model.tokenizer=bpe: \"model.tokenizer\" follows");
    arena_free(&arena);
}

static void resuming_needs_no_curve(void **state) {
    (void)state;
    Arena arena = {0};
    TrainingRun first = {
        .replaces = true, .set = {output("bare", &arena), "steps=4"}, .sets = 2};
    TrainingRun second = {
        .resumes = true, .set = {output("bare", &arena), "steps=6"}, .sets = 2};
    must_train(&first);
    assert_int_equal(unlink(in_folder("bare/train.csv", &arena)), 0);
    must_train(&second);
    Curve curve = curve_of("bare/train.csv");
    assert_int_equal(curve.count, 2);
    assert_int_equal(curve.point[0].step, 5);
    curve_free(&curve);
    arena_free(&arena);
}

static void resuming_needs_the_same_recipe_and_data(void **state) {
    (void)state;
    Arena arena = {0};
    TrainingRun first = {
        .replaces = true, .set = {output("same", &arena), "steps=4"}, .sets = 2};
    must_train(&first);
    TrainingRun other = {
        .resumes = true, .set = {output("same", &arena), "batch=9"}, .sets = 2};
    check_error(&other, "belongs to another recipe");
    other.set[1] = "model.norm=pre";
    check_error(&other, "belongs to another recipe");
    const char *more =
        arena_print(&arena, "%s하나\tone\n", bytes_of("pairs.tsv", &arena).bytes);
    Error error;
    assert_true(
        file_save(in_folder("more.tsv", &arena), more, strlen(more), true, &error));
    other.set[1] = arena_print(&arena, "data=%s", in_folder("more.tsv", &arena));
    check_error(&other, "belongs to other data");
    const char *path = in_folder("same/vocab.json", &arena);
    const char *words = bytes_of("same/vocab.json", &arena).bytes;
    char *swapped = arena_print(&arena, "%s", words);
    memcpy(strstr(swapped, "하나"), "열나", strlen("열나"));
    assert_true(file_save(path, swapped, strlen(swapped), true, &error));
    other.sets = 1;
    check_error(&other, "or another vocabulary: one of them has changed");
    TrainingRun none = {.resumes = true, .set = {output("none", &arena)}, .sets = 1};
    check_error(&none, "none/vocab.json");
    arena_free(&arena);
}

/* The second one is the same as the first. */
static void a_signal_stops_and_saves(void **state) {
    (void)state;
    static const int numbers[] = {SIGINT, SIGTERM, SIGHUP};
    for (int n = 0; n < 3; n++) {
        Arena arena = {0};
        TrainingRun first = {.replaces = true,
                             .set = {output("stop", &arena), "steps=30"},
                             .sets = 2,
                             .stop_at = "encoder-decoder",
                             .stop_by = numbers[n]};
        must_train(&first);
        assert_int_equal(first.trained.signal, numbers[n]);
        assert_int_equal(first.trained.steps, 0);
        TrainingRun second = {
            .resumes = true, .set = {output("stop", &arena), "steps=5"}, .sets = 2};
        must_train(&second);
        assert_int_equal(second.trained.steps, 5);
        arena_free(&arena);
    }
}

static int run_all(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(points_after_the_checkpoint_are_dropped),
        cmocka_unit_test(only_partial_files_are_removed),
        cmocka_unit_test(the_output_is_a_model_with_its_number_of_steps),
        cmocka_unit_test(a_classifier_learns_the_labels_of_its_data),
        cmocka_unit_test(a_model_is_not_overwritten_unasked),
        cmocka_unit_test(other_files_are_not_overwritten_unasked),
        cmocka_unit_test(inputs_are_never_overwritten),
        cmocka_unit_test(an_invalid_model_is_reported_with_its_recipe),
        cmocka_unit_test(resuming_needs_no_curve),
        cmocka_unit_test(resuming_needs_the_same_recipe_and_data),
        cmocka_unit_test(a_signal_stops_and_saves),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

int main(void) {
    return run_in_folder(run_all);
}
