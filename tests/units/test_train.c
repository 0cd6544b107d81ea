/* Training steps: dropout, threads, numeric overflow, and whether the model learns. */
#include <math.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "base/interrupt.h"
#include "base/random.h"
#include "base/threads.h"
#include "learn/trainer.h"
#include "model/generate.h"
#include "ops/ops.h"

#include <cmocka.h> /* last: it has a macro named fail */

enum { VOCABULARY = 14, FIRST_WORD = 4 };

static void check_near(double found, double expected, double tolerance) {
    if (!(fabs(found - expected) <= tolerance * fabs(expected)))
        fail_msg("found %.12g, not %.12g", found, expected);
}

/* Sentences of words and, as their targets, the same words reversed. */
typedef struct {
    Arena arena;
    Model model;
    Examples examples;
    Batches batches;
    Trainer trainer;
} Reversal;

static void make_examples(Reversal *reversal, int count, int shortest, int longest) {
    Random random = random_new(7);
    Arena *arena = &reversal->arena;
    reversal->examples.example = ARENA_ARRAY(arena, Example, count);
    reversal->examples.count = count;
    for (int e = 0; e < count; e++) {
        int words = shortest + random_below(&random, longest - shortest + 1);
        int *source = ARENA_ARRAY(arena, int, words + 1);
        int *target = ARENA_ARRAY(arena, int, words);
        for (int w = 0; w < words; w++)
            source[w] = target[words - 1 - w] =
                FIRST_WORD + random_below(&random, VOCABULARY - FIRST_WORD);
        source[words] = 2;
        reversal->examples.example[e] =
            (Example){source, target, words + 1, words, 1, 2};
    }
}

/* `rate`: 0, so that nothing is learned, or 1. */
typedef struct {
    double dropout, rate;
    bool shares, ties; /* one table for both sides, and for the output */
} Taught;

static void reversal_open_as(Reversal *reversal, Taught taught, int count, int batch) {
    Config config;
    Error error;
    *reversal = (Reversal){0};
    assert_true(config_preset(&config, "paper", &reversal->arena, &error));
    config.d_model = 32;
    config.attention_heads = 2;
    config.d_ff = 64;
    config.encoder_layers = config.decoder_layers = 1;
    config.source_vocabulary = config.target_vocabulary = VOCABULARY;
    config.max_length = 16;
    config.dropout = taught.dropout;
    config.share_embeddings = taught.shares;
    config.tie_embeddings = taught.ties;
    if (!model_new(&reversal->model, &config, 3, NULL, &error))
        fail_msg("%s", error.message);
    make_examples(reversal, count, 2, 6);
    reversal->batches =
        batches_new(&reversal->examples, (BatchSize){.sentences = batch, .seed = 5},
                    &reversal->arena);
    TrainerOptions options = {
        .adam = {0.9, 0.98, 1e-9, 0},
        .schedule = {.kind = SCHEDULE_PAPER,
                     .d_model = 32,
                     .warmup = 300,
                     .factor = taught.rate},
        .seed = 11,
    };
    reversal->trainer = trainer_new(&reversal->model, &options);
}

static void reversal_open(Reversal *reversal, double dropout, int count, int batch) {
    reversal_open_as(reversal, (Taught){.dropout = dropout, .rate = 1}, count, batch);
}

static void reversal_close(Reversal *reversal) {
    trainer_free(&reversal->trainer);
    model_free(&reversal->model);
    arena_free(&reversal->arena);
}

static double reversal_step(Reversal *reversal, int step) {
    Learned learned;
    Error error;
    int batch = step % reversal->batches.count;
    if (batch == 0) batches_plan(&reversal->batches, step / reversal->batches.count);
    if (!trainer_step(&reversal->trainer, &reversal->batches, batch, &learned, &error))
        fail_msg("%s", error.message);
    return learned.loss;
}

static void it_learns_to_reverse_a_sentence(void **state) {
    (void)state;
    Reversal reversal;
    Measured measured;
    Error error;
    reversal_open(&reversal, 0, 4000, 32);
    for (int step = 0; step < 2000; step++) reversal_step(&reversal, step);
    assert_true(
        trainer_measure(&reversal.trainer, &reversal.batches, &measured, &error));
    if (!(measured.accuracy > 0.98)) fail_msg("accuracy %g", measured.accuracy);
    assert_true(measured.loss < 0.1);
    /* A sentence that has not been seen: 13 4 9 7 11. */
    int id[] = {13, 4, 9, 7, 11, 2};
    int expected[] = {11, 7, 9, 4, 13, 2};
    Ids source = {id, 1, 6, NULL};
    Tape tape = {0};
    Generated made = generate(&tape, &reversal.model, &source, 10, true);
    assert_int_equal(made.count, 6);
    assert_memory_equal(made.id, expected, sizeof expected);
    tape_free(&tape);
    reversal_close(&reversal);
}

static void check_same_gradients(const Trainer *a, const Trainer *b) {
    for (int r = 0; r < a->replicas; r++)
        assert_memory_equal(a->replica[r].gradient, b->replica[r].gradient,
                            a->adam.size * sizeof(Number));
}

/* Tables, of which a batch uses some rows, and weights that are used completely; also
 * if one is both, if something was measured in between, and if a thread had no sentence
 * of a batch. */
static void a_batch_leaves_no_gradient_to_the_next(void **state) {
    (void)state;
    const Taught kinds[] = {
        {0}, {.shares = true}, {.ties = true}, {.shares = true, .ties = true}};
    for (int k = 0; k < 4; k++) {
        Reversal many;
        Reversal one;
        Measured measured;
        Error error;
        reversal_open_as(&many, kinds[k], 29, 4);
        reversal_open_as(&one, kinds[k], 29, 4);
        assert_int_equal(many.batches.count, 8);
        for (int step = 0; step < 8; step++) reversal_step(&many, step);
        assert_true(trainer_measure(&many.trainer, &many.batches, &measured, &error));
        reversal_step(&many, 6);
        batches_plan(&one.batches, 0);
        reversal_step(&one, 6);
        check_same_gradients(&many.trainer, &one.trainer);
        reversal_close(&many);
        reversal_close(&one);
    }
}

static void two_threads_learn_the_same_as_one(void **state) {
    (void)state;
    double loss[2][30];
    for (int threads = 1; threads <= 2; threads++) {
        Reversal reversal;
        threads_limit(threads);
        reversal_open(&reversal, 0, 300, 7);
        for (int step = 0; step < 30; step++)
            loss[threads - 1][step] = reversal_step(&reversal, step);
        reversal_close(&reversal);
    }
    threads_limit(0);
    for (int step = 0; step < 30; step++)
        check_near(loss[1][step], loss[0][step], 1e-3);
}

static void same_seed_gives_the_same_bits_with_dropout_and_threads(void **state) {
    (void)state;
    double loss[2][20];
    for (int run = 0; run < 2; run++) {
        Reversal reversal;
        reversal_open(&reversal, 0.3, 300, 8);
        for (int step = 0; step < 20; step++)
            loss[run][step] = reversal_step(&reversal, step);
        reversal_close(&reversal);
    }
    assert_memory_equal(loss[0], loss[1], sizeof loss[0]);
}

static void dropout_is_on_the_tape_only_while_learning(void **state) {
    (void)state;
    Reversal reversal;
    Measured measured;
    Error error;
    reversal_open(&reversal, 0.3, 40, 8);
    reversal_step(&reversal, 0);
    const Tape *tape = &reversal.trainer.replica[0].tape;
    static const char *const places[] = {
        "encoder.input_dropped", "decoder.input_dropped", "encoder.0.dropped_1",
        "encoder.0.dropped_2",   "decoder.0.dropped_1",   "decoder.0.dropped_2",
        "decoder.0.dropped_3",
    };
    for (size_t p = 0; p < sizeof places / sizeof *places; p++) {
        const Tensor *tensor = tape_find(tape, places[p]);
        if (!tensor) fail_msg("there is no %s", places[p]);
        int zeros = 0;
        for (int i = 0; i < tensor_size(tensor); i++) zeros += tensor->data[i] == 0;
        assert_in_range(zeros, tensor_size(tensor) / 5, tensor_size(tensor) * 2 / 5);
    }
    assert_true(
        trainer_measure(&reversal.trainer, &reversal.batches, &measured, &error));
    for (size_t p = 0; p < sizeof places / sizeof *places; p++)
        assert_null(tape_find(tape, places[p]));
    reversal_close(&reversal);
}

static void places_and_steps_drop_different_numbers(void **state) {
    (void)state;
    Reversal reversal;
    reversal_open(&reversal, 0.5, 8, 8);
    const Tape *tape = &reversal.trainer.replica[0].tape;
    unsigned long long seeds[3] = {0};
    for (int step = 0; step < 3; step++) {
        reversal_step(&reversal, step);
        seeds[step] = tape->seed;
    }
    assert_true(seeds[0] != seeds[1] && seeds[1] != seeds[2] && seeds[0] != seeds[2]);
    const Step *one = &tape->step[tape_find(tape, "encoder.0.dropped_1")->step];
    const Step *other = &tape->step[tape_find(tape, "encoder.0.dropped_2")->step];
    assert_true(one->setting.seed != other->setting.seed);
    reversal_close(&reversal);
}

static void a_step_takes_no_memory_after_the_first_epoch(void **state) {
    (void)state;
    Reversal reversal;
    size_t before = 0;
    reversal_open(&reversal, 0.1, 200, 8);
    for (int step = 0; step < 60; step++) {
        if (step == 30) before = arena_bytes(&reversal.trainer.replica[0].tape.arena);
        reversal_step(&reversal, step);
    }
    assert_int_equal(arena_bytes(&reversal.trainer.replica[0].tape.arena), before);
    reversal_close(&reversal);
}

/* Check that the next step fails with a message that contains `part`. */
static void check_stops(Reversal *reversal, const char *part) {
    Learned learned;
    Error error = {0};
    assert_false(
        trainer_step(&reversal->trainer, &reversal->batches, 1, &learned, &error));
    if (!strstr(error.message, part)) fail_msg("%s", error.message);
}

static void a_weight_that_is_nan_is_named(void **state) {
    (void)state;
    Reversal reversal;
    reversal_open(&reversal, 0, 64, 8);
    reversal_step(&reversal, 0);
    Tensor *weight =
        weights_find(&reversal.model.weights, "model.decoder.layers.0.fc1.weight");
    weight->data[33] = (Number)NAN;
    check_stops(&reversal, "in the weight model.decoder.layers.0.fc1.weight[d_ff=1, "
                           "in=1]");
    reversal_close(&reversal);
}

static void the_first_tensor_that_overflows_is_named(void **state) {
    (void)state;
    Reversal reversal;
    reversal_open(&reversal, 0, 64, 8);
    reversal_step(&reversal, 0);
    Tensor *weight =
        weights_find(&reversal.model.weights, "model.encoder.layers.0.fc1.weight");
    for (int i = 0; i < tensor_size(weight); i++)
        weight->data[i] = (Number)(sizeof(Number) == 4 ? 3e38 : 1e308);
    check_stops(&reversal, "first in encoder.0.feed_forward.hidden[batch=0");
    reversal_close(&reversal);
}

static int went_back;

static void go_back_once(const Step *step, Arena *scratch) {
    went_back++;
    op_scale.backward(step, scratch);
    raise(SIGINT);
}

/* At any size: only the current backward step is lost, not the whole pass. */
static void a_signal_stops_a_step_on_its_way_back(void **state) {
    (void)state;
    Tape tape = {.learns = true};
    Error error;
    Op op = op_scale;
    op.backward = go_back_once;
    went_back = 0;
    const Axis axis = {.name = "token", .size = 2};
    Tensor *tensor = tape_given(&tape, "x", 1, &axis);
    for (int s = 0; s < 3; s++)
        tensor = tape_run(&tape, &op, "y", &tensor, 1, (Setting){.number = 2});
    interrupt_guard(true);
    tape_backward(&tape, tensor);
    assert_int_equal(interrupt_answer(), SIGINT);
    interrupt_guard(false);
    assert_false(tape_done(&tape, &error));
    assert_true(error.is_stop);
    assert_int_equal(went_back, 1);
    tape_free(&tape);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(it_learns_to_reverse_a_sentence),
        cmocka_unit_test(a_batch_leaves_no_gradient_to_the_next),
        cmocka_unit_test(two_threads_learn_the_same_as_one),
        cmocka_unit_test(same_seed_gives_the_same_bits_with_dropout_and_threads),
        cmocka_unit_test(dropout_is_on_the_tape_only_while_learning),
        cmocka_unit_test(places_and_steps_drop_different_numbers),
        cmocka_unit_test(a_step_takes_no_memory_after_the_first_epoch),
        cmocka_unit_test(a_weight_that_is_nan_is_named),
        cmocka_unit_test(the_first_tensor_that_overflows_is_named),
        cmocka_unit_test(a_signal_stops_a_step_on_its_way_back),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
