/* The losses of the first steps equal those of PyTorch, from the same weights on the
 * same batches: see tests/reference/train_reference.py. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "base/json.h"
#include "base/threads.h"
#include "learn/trainer.h"

#include <cmocka.h> /* last: it has a macro named fail */

typedef struct {
    Arena arena;
    const Json *json;
    Model model;
    Examples examples;
    Batches batches;
    Trainer trainer;
} Fixture;

static double number(const Fixture *fixture, const char *key) {
    const Json *json = json_find(fixture->json, key);
    assert_non_null(json);
    return json->number;
}

static int optimizer(const Fixture *fixture) {
    const Json *json = json_find(fixture->json, "optimizer");
    int kind = 0;
    while (strcmp(optimizer_kinds[kind], json->text) != 0) kind++;
    return kind;
}

static const int *ids(Fixture *fixture, const Json *list) {
    int *id = ARENA_ARRAY(&fixture->arena, int, list->count);
    for (int i = 0; i < list->count; i++) id[i] = (int)list->child[i].whole;
    return id;
}

/* The batches exactly as in the file. */
static void read_batches(Fixture *fixture) {
    const Json *batches = json_find(fixture->json, "batches");
    int rows = batches->child[0].count;
    int count = batches->count * rows;
    Arena *arena = &fixture->arena;
    fixture->examples.example = ARENA_ARRAY(arena, Example, count);
    fixture->batches = (Batches){.examples = &fixture->examples,
                                 .order = ARENA_ARRAY(arena, int, count),
                                 .start = ARENA_ARRAY(arena, int, batches->count + 1),
                                 .count = batches->count};
    for (int e = 0; e < count; e++) {
        const Json *pair = &batches->child[e / rows].child[e % rows];
        fixture->examples.example[fixture->examples.count++] = (Example){
            .source = ids(fixture, &pair->child[0]),
            .target = ids(fixture, &pair->child[1]),
            .sources = pair->child[0].count,
            .targets = pair->child[1].count,
            .first = fixture->model.config.start_id,
            .last = fixture->model.config.end_id,
        };
        fixture->batches.order[e] = e;
    }
    for (int b = 0; b <= batches->count; b++) fixture->batches.start[b] = b * rows;
}

static void open_training(Fixture *fixture, const char *name) {
    Bytes bytes;
    Error error;
    Arena *arena = &fixture->arena;
    const char *path = arena_print(arena, "tests/reference/training/%s.json", name);
    if (!file_read(path, 1 << 20, arena, &bytes, &error) ||
        !json_read(bytes, path, arena, &fixture->json, &error))
        fail_msg("%s", error.message);
    path = arena_print(arena, "tests/reference/cases/%s",
                       json_find(fixture->json, "model")->text);
    if (!model_open(&fixture->model, path, &error)) fail_msg("%s", error.message);
    fixture->model.config.dropout = 0;
    read_batches(fixture);
    TrainerOptions options = {
        .adam = {number(fixture, "beta_1"), number(fixture, "beta_2"),
                 number(fixture, "epsilon"), number(fixture, "clip"),
                 optimizer(fixture)},
        .schedule = {.kind = SCHEDULE_PAPER,
                     .d_model = fixture->model.config.d_model,
                     .warmup = (int)number(fixture, "warmup"),
                     .factor = number(fixture, "factor")},
        .smoothing = number(fixture, "smoothing"),
    };
    fixture->trainer = trainer_new(&fixture->model, &options);
}

static void close_training(Fixture *fixture) {
    trainer_free(&fixture->trainer);
    model_free(&fixture->model);
    arena_free(&fixture->arena);
}

static void check_losses(const char *name, int threads) {
    Fixture fixture = {0};
    Learned learned;
    Error error;
    threads_limit(threads);
    open_training(&fixture, name);
    const Json *losses = json_find(fixture.json, "losses");
    assert_int_equal(losses->count, 20);
    assert_true(losses->child[19].number < losses->child[0].number);
    for (int s = 0; s < losses->count; s++) {
        double expected = losses->child[s].number;
        if (!trainer_step(&fixture.trainer, &fixture.batches, s, &learned, &error))
            fail_msg("%s: %s", name, error.message);
        if (!(fabs(learned.loss - expected) <= 1e-4 * expected))
            fail_msg("%s, %d thread(s), step %d: the loss is %.7f, not %.7f", name,
                     threads, s + 1, learned.loss, expected);
    }
    close_training(&fixture);
    threads_limit(0);
}

static void check_both(const char *name) {
    check_losses(name, 1);
    check_losses(name, 2);
}

static void losses_of_paper_equal_the_reference(void **state) {
    (void)state;
    check_both("paper");
}

static void losses_of_later_models_equal_the_reference(void **state) {
    (void)state;
    check_both("today");
}

static void losses_of_decoder_only_models_equal_the_reference(void **state) {
    (void)state;
    check_both("llama");
    check_both("qwen2");
}

static void losses_with_smoothing_and_clip_equal_the_reference(void **state) {
    (void)state;
    check_both("paper-smoothed");
}

static void losses_with_rmsprop_equal_the_reference(void **state) {
    (void)state;
    check_both("paper-rmsprop");
}

static void losses_of_prenorm_equal_the_reference(void **state) {
    (void)state;
    check_both("prenorm");
}

static void losses_of_kit_equal_the_reference(void **state) {
    (void)state;
    check_both("kit");
}

static void losses_of_classifier_equal_the_reference(void **state) {
    (void)state;
    check_both("classifier");
}

static void losses_of_a_sigmoid_equal_the_reference(void **state) {
    (void)state;
    check_both("classifier-binary");
}

static void losses_of_a_plain_rnn_equal_the_reference(void **state) {
    (void)state;
    check_both("classifier-rnn");
}

static void losses_of_seq2seq_equal_the_reference(void **state) {
    (void)state;
    check_both("seq2seq");
}

/* Its sentences depend on each other: on two threads the batch has to stay whole. */
static void losses_of_seq2seq_as_written_equal_the_reference(void **state) {
    (void)state;
    check_both("seq2seq-as-written");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(losses_of_paper_equal_the_reference),
        cmocka_unit_test(losses_of_later_models_equal_the_reference),
        cmocka_unit_test(losses_of_decoder_only_models_equal_the_reference),
        cmocka_unit_test(losses_with_smoothing_and_clip_equal_the_reference),
        cmocka_unit_test(losses_with_rmsprop_equal_the_reference),
        cmocka_unit_test(losses_of_prenorm_equal_the_reference),
        cmocka_unit_test(losses_of_kit_equal_the_reference),
        cmocka_unit_test(losses_of_classifier_equal_the_reference),
        cmocka_unit_test(losses_of_a_sigmoid_equal_the_reference),
        cmocka_unit_test(losses_of_a_plain_rnn_equal_the_reference),
        cmocka_unit_test(losses_of_seq2seq_equal_the_reference),
        cmocka_unit_test(losses_of_seq2seq_as_written_equal_the_reference),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
