/* Nothing that a user can choose crashes the program: sizes that do not fit are
 * reported, sizes of 0 do no harm. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "ops/ops.h"
#include "units/counting.h"

#include <cmocka.h> /* last: it has a macro named fail */

static const Axis d_model_3 = {.name = "d_model", .size = 3};

static const struct {
    const Op *op;
    int rank[3], size[3][RANK_MAX];
    Setting setting;
    const char *message;
} misfits[] = {
    {&op_add,
     {2, 1},
     {{2, 3}, {4}},
     {.count = 0},
     "add: y [a 4] cannot be added to x [a 2, b 3]: the last axes differ"},
    {&op_add,
     {1, 2},
     {{3}, {1, 3}},
     {.count = 0},
     "add: y [a 1, b 3] cannot be added to x [a 3]: the last axes differ"},
    {&op_append,
     {4, 4},
     {{1, 2, 3, 4}, {1, 2, 3, 5}},
     {.count = 0},
     "append: x [a 1, b 2, c 3, d 4] and y [a 1, b 2, c 3, d 5] may differ only in c"},
    {&op_concatenate,
     {2, 2},
     {{2, 3}, {3, 3}},
     {.count = 0},
     "concatenate: x [a 2, b 3] and y [a 3, b 3] may differ only in b"},
    {&op_concatenate,
     {2, 1},
     {{2, 3}, {3}},
     {.count = 0},
     "concatenate: x [a 2, b 3] and y [a 3] may differ only in b"},
    {&op_cross_entropy,
     {2, 1},
     {{2, 3}, {3}},
     {.count = 0},
     "cross_entropy: x [a 2, b 3] must have the axes of y [a 3] and one more"},
    {&op_cross_entropy,
     {2, 1},
     {{3, 3}, {3}},
     {.count = 0},
     "cross_entropy: number 2 of y is 3, but x takes whole numbers from 0 to 2"},
    {&op_dot,
     {2, 2},
     {{2, 3}, {3, 2}},
     {.count = 0},
     "dot: b of x [a 2, b 3] must be as many as b of y [a 3, b 2], and the axes "
     "before the last two must be equal"},
    {&op_dropout,
     {1},
     {{3}},
     {.number = 1},
     "dropout: the rate must be at least 0 and less than 1, but it is 1"},
    {&op_embed,
     {2, 1},
     {{2, 3}, {2}},
     {.count = 0},
     "embed: number 1 of y is 2, but x takes whole numbers from 0 to 1"},
    {&op_embed,
     {2, 1},
     {{0, 3}, {1}},
     {.count = 0},
     "embed: number 0 of y is 1, but x takes whole numbers from 0 to -1"},
    {&op_layer_norm,
     {2, 1, 1},
     {{2, 3}, {3}, {2}},
     {.count = 0},
     "layer_norm: x has 3 numbers per row (b) but z is [a 2]"},
    {&op_linear,
     {2, 2},
     {{2, 64}, {16, 32}},
     {.count = 0},
     "linear: x has 64 numbers per row (b) but y takes 32"},
    {&op_linear,
     {2, 2, 1},
     {{2, 3}, {4, 3}, {5}},
     {.count = 0},
     "linear: y gives 4 numbers per row (a) but z is [a 5]"},
    {&op_lstm_gate,
     {3, 2},
     {{2, 3, 8}, {2, 6}},
     {.count = 0},
     "lstm_gate: x [a 2, b 3, c 8] and y [a 2, b 6] must agree in batch and in the "
     "last axis, which the 4 gates share equally"},
    {&op_lstm_gate,
     {3, 2},
     {{2, 3, 6}, {2, 6}},
     {.count = 0},
     "lstm_gate: x [a 2, b 3, c 6] and y [a 2, b 6] must agree in batch and in the "
     "last axis, which the 4 gates share equally"},
    {&op_lstm_gate,
     {3, 2},
     {{2, 3, 8}, {2, 8}},
     {.count = 3 * GATES},
     "lstm_gate: x [a 2, b 3, c 8] has no token 3"},
    {&op_lstm_state,
     {2, 2},
     {{2, 3}, {2, 4}},
     {.count = 0},
     "lstm_state: x [a 2, b 3] and y [a 2, b 4] must have the same shape"},
    {&op_mask,
     {4, 2},
     {{2, 1, 3, 3}, {2, 4}},
     {.count = 0},
     "mask: y [a 2, b 4] must agree in batch and key with x [a 2, b 1, c 3, d 3]"},
    {&op_matmul,
     {3, 3},
     {{2, 3, 4}, {1, 4, 5}},
     {.count = 0},
     "matmul: c of x [a 2, b 3, c 4] must be as many as b of y [a 1, b 4, c 5], "
     "and the axes before the last two must be equal"},
    {&op_matmul,
     {1, 1},
     {{2}, {2}},
     {.count = 0},
     "matmul: y [a 2] must have at least two axes, and x [a 2] at least as many"},
    {&op_matmul,
     {2, 3},
     {{3, 4}, {1, 4, 5}},
     {.count = 0},
     "matmul: y [a 1, b 4, c 5] must have at least two axes, and x [a 3, b 4] at least "
     "as many"},
    {&op_mean,
     {2},
     {{2, 3}},
     {.count = 0},
     "mean: x [a 2, b 3] must have the axes batch, token, feature"},
    {&op_mean,
     {3, 2},
     {{2, 3, 4}, {2, 4}},
     {.count = 0},
     "mean: y [a 2, b 4] must agree in batch and token with x [a 2, b 3, c 4]"},
    {&op_merge_heads,
     {3},
     {{2, 3, 4}},
     {.count = 0},
     "merge_heads: x [a 2, b 3, c 4] must have the axes batch, head, token, "
     "d_head"},
    {&op_sinusoid,
     {1},
     {{4}},
     {.count = 5},
     "sinusoid: d_model must be even, since a sine and a cosine share each "
     "frequency, but it is 5"},
    {&op_split_heads,
     {3},
     {{2, 3, 4}},
     {.count = 3},
     "split_heads: the 4 numbers per row (c) of x cannot be shared equally by 3 "
     "heads"},
    {&op_stack,
     {2, 2},
     {{2, 3}, {2, 4}},
     {.count = 0},
     "stack: x [a 2, b 3] and y [a 2, b 4] must have the same shape"},
    {&op_stack,
     {3},
     {{2, 3, 4}},
     {.count = 0},
     "stack: x [a 2, b 3, c 4] must have the axes batch, feature"},
};

static void a_shape_that_does_not_fit_is_reported_in_one_sentence(void **state) {
    (void)state;
    for (size_t c = 0; c < sizeof misfits / sizeof *misfits; c++) {
        Tape tape = {0};
        Tensor *input[3];
        int inputs = 0;
        for (; inputs < 3 && misfits[c].rank[inputs]; inputs++)
            input[inputs] = counting(&tape, (const char *[]){"x", "y", "z"}[inputs],
                                     misfits[c].rank[inputs], misfits[c].size[inputs]);
        assert_null(
            tape_run(&tape, misfits[c].op, "out", input, inputs, misfits[c].setting));
        assert_true(tape.failed);
        assert_string_equal(tape.error.message + strlen("out: "), misfits[c].message);
        tape_free(&tape);
    }
}

static void after_a_failure_operations_take_null_and_do_nothing(void **state) {
    (void)state;
    Tape tape = {0};
    tape_fail(&tape, "first");
    CrossEntropy options = {0, 0};
    assert_null(linear(&tape, "y", NULL, &(Linear){0}));
    assert_null(layer_norm(&tape, "y", NULL, &(Norm){0}));
    assert_null(sinusoid(&tape, "y", d_model_3, 5, 0));
    assert_null(mask(&tape, "y", NULL, NULL, (MaskSetting){.flags = 0, .value = 0}));
    assert_null(cross_entropy(&tape, "y", NULL, NULL, options));
    assert_null(softmax(&tape, "y", NULL));
    assert_string_equal(tape.error.message, "first");
    tape_free(&tape);
}

static Tensor *gelu(Tape *tape, const char *name, Tensor *x) {
    return tape_run(tape, &op_gelu, name, &x, 1, (Setting){0});
}

static Tensor *relu(Tape *tape, const char *name, Tensor *x) {
    return tape_run(tape, &op_relu, name, &x, 1, (Setting){0});
}

static void axes_without_a_place_do_no_harm(void **state) {
    (void)state;
    static const int zero_row[] = {2, 0};
    static const int no_rows[] = {0, 2};
    const int *sizes[] = {zero_row, no_rows};
    for (int s = 0; s < 2; s++) {
        Tape tape = {.learns = true};
        Tensor *x = counting(&tape, "x", 2, sizes[s]);
        Tensor *gain = COUNTING(&tape, "gain", 1, sizes[s][1]);
        Tensor *weight = COUNTING(&tape, "weight", 2, 3, sizes[s][1]);
        Tensor *bias = COUNTING(&tape, "bias", 1, 3);
        Tensor *ids = COUNTING(&tape, "ids", 1, 0);
        Tensor *expected = COUNTING(&tape, "wanted", 1, sizes[s][0]);
        Tensor *four = COUNTING(&tape, "four", 4, 1, 1, sizes[s][0], sizes[s][1]);
        Tensor *padding = COUNTING(&tape, "padding", 2, 1, sizes[s][1]);
        Tensor *norm = layer_norm(&tape, "norm", x, &(Norm){gain, gain, 1e-5});
        Tensor *sum = add(&tape, "sum", gelu(&tape, "gelu", norm),
                          softmax(&tape, "softmax", relu(&tape, "relu", x)));
        Tensor *y = linear(&tape, "y", dropout(&tape, "dropped", sum, 0.5, 1),
                           &(Linear){weight, bias});
        Tensor *product = dot(&tape, "dot", y, y);
        Tensor *mixed = matmul(&tape, "mixed", product, y);
        Tensor *hidden = mask(&tape, "mask", four, padding,
                              (MaskSetting){.flags = MASK_LATER, .value = -1});
        Tensor *longer = append(&tape, "longer", hidden, four);
        Tensor *flat = merge_heads(&tape, "flat", longer);
        split_heads(&tape, "heads", flat, 1);
        Tensor *both = concatenate(&tape, "both", x, x);
        Tensor *pile = stack(&tape, "pile", (Tensor *[]){both, both}, 2);
        Tensor *middle = mean(&tape, "middle", pile, NULL);
        Tensor *shared = dot(&tape, "shared", pile, both);
        Tensor *sums = COUNTING(&tape, "sums", 3, sizes[s][0], 1, 4 * sizes[s][1]);
        Tensor *more = COUNTING(&tape, "more", 2, sizes[s][0], 4 * sizes[s][1]);
        Tensor *gate = lstm_gate(&tape, "gate", sums, more, 0, GATE_CELL);
        Tensor *cell = lstm_cell(&tape, "cell", gate, gate, gate, gate);
        Tensor *thought = lstm_state(&tape, "thought", gate, cell);
        embed(&tape, "rows", x, ids);
        sinusoid(&tape, "position", (Axis){.name = "token", .size = sizes[s][0]}, 0, 0);
        for (int i = 0; i < sizes[s][0]; i++) expected->data[i] = -1;
        Tensor *loss =
            cross_entropy(&tape, "loss", x, expected, (CrossEntropy){-1, 0.1});
        if (tape.failed) fail_msg("%s", tape.error.message);
        assert_true(loss->data[0] == 0);
        tape_backward(&tape, loss);
        tape_backward(&tape, mixed);
        tape_backward(&tape, flat);
        tape_backward(&tape, middle);
        tape_backward(&tape, shared);
        tape_backward(&tape, thought);
        /* An empty sum is 0, and the bias is added to it. */
        for (int i = 0; i < tensor_size(y) && s == 0; i++)
            assert_float_equal(y->data[i], bias->data[i % 3], 1e-6);
        tape_free(&tape);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_shape_that_does_not_fit_is_reported_in_one_sentence),
        cmocka_unit_test(after_a_failure_operations_take_null_and_do_nothing),
        cmocka_unit_test(axes_without_a_place_do_no_harm),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
