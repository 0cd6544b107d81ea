/* Extreme cases: rows without visible keys, the shortest and the longest sentence,
 * logits that overflow. Results are finite, or there is an error. */
#include <fenv.h>
#include <float.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/random.h"
#include "model/generate.h"
#include "model/network.h"
#include "ops/ops.h"

#include <cmocka.h> /* last: it has a macro named fail */

enum { LONGEST = 16, WORDS = 11, ROWS = 2 };

static void make(Model *model, const char *preset, const char *more) {
    static const char *const tiny[][2] = {
        {"d_model", "8"},
        {"source_vocabulary", "11"},
        {"target_vocabulary", "11"},
        {"max_length", "16"},
    };
    Arena arena = {0};
    Config config;
    Error error;
    assert_true(config_preset(&config, preset, &arena, &error));
    for (size_t t = 0; t < sizeof tiny / sizeof *tiny; t++)
        assert_true(config_set(&config, tiny[t][0], tiny[t][1], &arena, &error));
    if (config.model_type != MODEL_SEQ2SEQ)
        if (config.encoder_type != ENCODER_RNN)
            assert_true(config_set(&config, "attention_heads", "2", &arena, &error));
    if (config.d_ff) config.d_ff = 12;
    if (more) assert_true(config_set(&config, "mask_value", more, &arena, &error));
    if (!model_new(model, &config, 3, NULL, &error))
        fail_msg("%s: %s", preset, error.message);
    arena_free(&arena);
}

static void assert_all_finite(const Tape *tape, const char *preset) {
    for (int e = 0; e < tape->entries; e++) {
        const Tensor *tensor = tape->entry[e].tensor;
        bool may_hide = strstr(tensor->name, "mask") != NULL;
        for (int i = 0; i < tensor_size(tensor); i++)
            if (!isfinite(tensor->data[i]) &&
                !(may_hide && tensor->data[i] == -INFINITY))
                fail_msg("%s: %s[%d] is %g", preset, tensor->name, i,
                         (double)tensor->data[i]);
    }
}

/* Every row of attention weights sums to 1, or to 0 if all keys are masked. Returns how
 * many rows are masked. */
static int check_weights(const Tape *tape, const char *preset) {
    int nothing = 0;
    for (int e = 0; e < tape->entries; e++) {
        const Tensor *tensor = tape->entry[e].tensor;
        const char *dot = strrchr(tensor->name, '.');
        if (!dot || strcmp(dot, ".weights") != 0) continue;
        int row = tensor_row(tensor);
        for (int start = 0; start < tensor_size(tensor); start += row) {
            double sum = 0;
            for (int i = 0; i < row; i++) sum += (double)tensor->data[start + i];
            if (sum == 0)
                nothing++;
            else if (!(fabs(sum - 1) <= 1e-5))
                fail_msg("%s: a row of %s sums to %g", preset, tensor->name, sum);
        }
    }
    return nothing;
}

/* A batch of two: `length` tokens, and `short_length` tokens followed by padding. */
static Ids ids_of(int *id, int length, int short_length, int first) {
    for (int row = 0; row < ROWS; row++)
        for (int i = 0; i < length; i++)
            id[row * length + i] = row && i >= short_length ? 0
                                   : i == 0                 ? first
                                                            : 3 + (i + row) % 8;
    return (Ids){id, ROWS, length, NULL};
}

/* Run forward; return how many rows are fully masked. */
static int run(const Model *model, int sources, int targets, int short_length) {
    int source_id[ROWS * LONGEST];
    int target_id[ROWS * LONGEST];
    Ids source = ids_of(source_id, sources, short_length, 5);
    Ids target = ids_of(target_id, targets, short_length, model->config.start_id);
    const char *preset = model->config.preset;
    Tape tape = {0};
    network_run(&tape, &model->network, &source, &target);
    if (tape.failed) fail_msg("%s: %s", preset, tape.error.message);
    assert_all_finite(&tape, preset);
    int nothing = check_weights(&tape, preset);
    tape_free(&tape);
    return nothing;
}

static void one_token_and_the_longest_sentence_give_finite_numbers(void **state) {
    (void)state;
    for (const Preset *preset = presets; preset->name; preset++) {
        static Model model;
        make(&model, preset->name, NULL);
        bool equal = model.config.as_written & CROSS_QUERY_FROM_ENCODER;
        run(&model, 1, 1, 1);
        run(&model, LONGEST, LONGEST, 1);
        if (!equal) run(&model, 1, LONGEST, 1);
        if (!equal) run(&model, LONGEST, 1, 1);
        model_free(&model);
    }
}

static void a_sentence_of_only_padding_gives_finite_numbers(void **state) {
    (void)state;
    for (const Preset *preset = presets; preset->name; preset++) {
        static Model model;
        make(&model, preset->name, NULL);
        run(&model, 4, 4, 0);
        model_free(&model);
    }
}

static void a_row_that_may_look_at_nothing_has_weights_of_0(void **state) {
    (void)state;
    static Model model;
    make(&model, "kit-as-written", "-inf"); /* the mask hides the token itself */
    assert_int_not_equal(run(&model, 5, 5, 5), 0);
    model_free(&model);
    make(&model, "paper", NULL);
    assert_int_not_equal(run(&model, 5, 5, 0), 0);
    assert_int_equal(run(&model, 5, 5, 5), 0);
    model_free(&model);
}

static void one_token_too_many_is_reported_in_one_sentence(void **state) {
    (void)state;
    static Model model;
    int id[ROWS * (LONGEST + 1)];
    int start[ROWS] = {1, 1};
    make(&model, "paper", NULL);
    Ids source = ids_of(id, LONGEST + 1, LONGEST + 1, 5);
    Ids target = {start, ROWS, 1, NULL};
    Tape tape = {0};
    network_run(&tape, &model.network, &source, &target);
    assert_true(tape.failed);
    assert_non_null(strstr(tape.error.message, "17 tokens"));
    assert_non_null(strstr(tape.error.message, "at most 16"));
    tape_free(&tape);
    model_free(&model);
}

/* Decoding ends at its last position, whatever the weights are. */
static void decoding_ends_where_the_positions_end(void **state) {
    (void)state;
    static Model model;
    int id[LONGEST] = {5, 6, 7, 2};
    make(&model, "paper", NULL);
    for (int length = 1; length <= LONGEST; length++) {
        Tape tape = {0};
        Ids source = {id, 1, length, NULL};
        Generated made = generate(&tape, &model, &source, 1 << 30, true);
        if (tape.failed) fail_msg("%s", tape.error.message);
        assert_in_range(made.count, 1, LONGEST);
        tape_free(&tape);
    }
    model_free(&model);
}

static const float extreme[] = {
    1e38F,  -1e38F, FLT_MAX, -FLT_MAX, FLT_MIN, -FLT_MIN, 1e-45F,      -1e-45F,
    0,      -0.0F,  1,       -1,       88.8F,   -103.9F,  INFINITY,    -INFINITY,
    1e-38F, 3e38F,  -3e38F,  1e19F,    -1e19F,  1e-19F,   16777216.0F, -87.4F,
};
enum { EXTREMES = sizeof extreme / sizeof *extreme, FINITE = 14 };

static float draw(Random *random, bool infinite) {
    int which = random_below(random, EXTREMES);
    if (!infinite && isinf(extreme[which])) which = random_below(random, FINITE);
    return extreme[which];
}

static Tensor *given(Tape *tape, int rows, int columns) {
    Axis axis[] = {{.name = "row", .size = rows}, {.name = "column", .size = columns}};
    return tape_given(tape, "x", 2, axis);
}

static void check_row(const Tensor *x, const Tensor *y, int row) {
    int size = tensor_row(x);
    const Number *from = x->data + row * size;
    const Number *to = y->data + row * size;
    bool hidden = true;
    double sum = 0;
    for (int i = 0; i < size; i++) {
        hidden = hidden && from[i] == -INFINITY;
        sum += (double)to[i];
        assert_true(to[i] >= 0 && to[i] <= 1);
        for (int k = 0; k < i; k++) /* the order stays the same */
            assert_false(from[i] > from[k] && to[i] < to[k]);
    }
    if (!(fabs(sum - !hidden) <= 1e-6)) fail_msg("%d numbers sum to %.9g", size, sum);
}

static void softmax_of_extremes_sums_to_1(void **state) {
    (void)state;
    enum { TIMES = 3000, COLUMNS_MAX = 70 };
    Random random = random_new(7);
    for (int t = 0; t < TIMES; t++) {
        Tape tape = {0};
        Tensor *x = given(&tape, 3, 1 + random_below(&random, COLUMNS_MAX));
        for (int i = 0; i < tensor_size(x); i++)
            x->data[i] = (Number)draw(&random, t % 2);
        if (t % 5 == 0)
            for (int i = 0; i < tensor_row(x); i++)
                x->data[i] = (Number)extreme[t % EXTREMES];
        Tensor *y = softmax(&tape, "y", x);
        for (int row = 0; row < 3; row++) check_row(x, y, row);
        tape_free(&tape);
    }
}

/* They do not trap if invalid operations are set to trap. */
static void softmax_and_norm_divide_by_no_zero_and_ask_for_no_nan(void **state) {
    (void)state;
    enum { SIZE = 67 };
    Random random = random_new(8);
    for (int t = 0; t < 300; t++) {
        Tape tape = {0};
        Tensor *x = given(&tape, 3, SIZE);
        Axis axis = {.name = "column", .size = SIZE};
        Tensor *gain = tape_given(&tape, "gain", 1, &axis);
        for (int i = 0; i < tensor_size(x); i++)
            x->data[i] = (Number)fmaxf(fminf(draw(&random, false), 1e38F), -1e38F);
        for (int i = 0; i < SIZE; i++) gain->data[i] = 1;
        feclearexcept(FE_ALL_EXCEPT);
        softmax(&tape, "y", x);
        assert_int_equal(fetestexcept(FE_INVALID | FE_DIVBYZERO), 0);
        for (int i = 0; i < tensor_size(x); i++) x->data[i] = 0; /* no variance */
        Tensor *normed = layer_norm(&tape, "n", x, &(Norm){gain, gain, 1e-5});
        assert_int_equal(fetestexcept(FE_INVALID | FE_DIVBYZERO), 0);
        for (int i = 0; i < tensor_size(x); i++) assert_true(normed->data[i] == 1);
        tape_free(&tape);
    }
}

static void a_loss_of_extreme_logits_is_right_or_infinite(void **state) {
    (void)state;
    Random random = random_new(9);
    for (int t = 0; t < 2000; t++) {
        Tape tape = {0};
        Tensor *x = given(&tape, 1, WORDS);
        Axis axis = {.name = "row", .size = 1};
        Tensor *expected = tape_given(&tape, "wanted", 1, &axis);
        expected->holds_ids = true;
        expected->data[0] = (Number)random_below(&random, WORDS);
        double max = -INFINITY;
        double sum = 0;
        for (int i = 0; i < WORDS; i++) x->data[i] = (Number)draw(&random, false);
        for (int i = 0; i < WORDS; i++) max = fmax(max, (double)x->data[i]);
        for (int i = 0; i < WORDS; i++) sum += exp((double)x->data[i] - max);
        double right = log(sum) + max - (double)x->data[(int)expected->data[0]];
        Tensor *loss = cross_entropy(&tape, "loss", x, expected, (CrossEntropy){-1, 0});
        double found = (double)loss->data[0];
        bool beyond = sizeof(Number) == sizeof(float) && right > (double)FLT_MAX;
        if (beyond ? found != INFINITY
                   : !(fabs(found - right) <= 1e-5 * fmax(1, right)))
            fail_msg("%.9g, not %.9g", found, right);
        tape_free(&tape);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_token_and_the_longest_sentence_give_finite_numbers),
        cmocka_unit_test(a_sentence_of_only_padding_gives_finite_numbers),
        cmocka_unit_test(a_row_that_may_look_at_nothing_has_weights_of_0),
        cmocka_unit_test(one_token_too_many_is_reported_in_one_sentence),
        cmocka_unit_test(decoding_ends_where_the_positions_end),
        cmocka_unit_test(softmax_of_extremes_sums_to_1),
        cmocka_unit_test(softmax_and_norm_divide_by_no_zero_and_ask_for_no_nan),
        cmocka_unit_test(a_loss_of_extreme_logits_is_right_or_infinite),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
