/* Differences between the tutorials and the paper: each option has its documented
 * effect. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include "learn/trainer.h"
#include "model/network.h"
#include "ops/ops.h"

#include <cmocka.h> /* it has a macro named fail */

#include "small_model.h"

typedef struct {
    Arena arena;
    Model model;
    Tape tape;
} Fixture;

static Fixture run(const char *preset, const char *options, bool learns) {
    Fixture fixture = {.tape = {.learns = learns, .seed = 7}};
    make_with(&fixture.model, preset, options, &fixture.arena);
    network_run(&fixture.tape, &fixture.model.network, &source, &target);
    if (fixture.tape.failed) fail_msg("%s: %s", preset, fixture.tape.error.message);
    return fixture;
}

static void finish(Fixture *fixture) {
    tape_free(&fixture->tape);
    model_free(&fixture->model);
    arena_free(&fixture->arena);
}

static Tensor *find(const Fixture *fixture, const char *address) {
    Tensor *tensor = tape_find(&fixture->tape, address);
    if (!tensor) fail_msg("there is no %s", address);
    return tensor;
}

/* Is the tensor at that address an input of the step that made the other? */
static bool reads(const Fixture *fixture, const char *made, const char *address) {
    const Step *step = &fixture->tape.step[find(fixture, made)->step];
    const Tensor *input = find(fixture, address);
    for (int i = 0; i < step->inputs; i++)
        if (step->input[i] == input) return true;
    return false;
}

/* A fraction of the numbers is 0, the others are divided by 1 - fraction. */
static void check_dropped(const Fixture *fixture, const char *before, const char *after,
                          double share) {
    const Tensor *x = find(fixture, before);
    const Tensor *y = find(fixture, after);
    int dropped = 0;
    for (int i = 0; i < tensor_size(x); i++) {
        double stays = (double)x->data[i] / (1 - share);
        bool is_dropped = y->data[i] == 0 && x->data[i] != 0;
        dropped += is_dropped;
        if (!is_dropped && fabs((double)y->data[i] - stays) > 1e-6)
            fail_msg("%s[%d] is %g, not %g", after, i, (double)y->data[i], stays);
    }
    assert_in_range(dropped, 1, tensor_size(x) * 3 / 5);
}

static void attention_weights_are_dropped_while_learning(void **state) {
    (void)state;
    static const char *const box[] = {"encoder.0.self_attention",
                                      "decoder.0.self_attention",
                                      "decoder.1.cross_attention"};
    Fixture fixture = run("pytorch", "attention_dropout=0.3", true);
    Arena *arena = &fixture.arena;
    for (size_t b = 0; b < sizeof box / sizeof *box; b++) {
        const char *dropped = arena_print(arena, "%s.weights_dropped", box[b]);
        check_dropped(&fixture, arena_print(arena, "%s.weights", box[b]), dropped, 0.3);
        assert_true(reads(&fixture, arena_print(arena, "%s.context", box[b]), dropped));
    }
    finish(&fixture);
}

static void activated_numbers_are_dropped_while_learning(void **state) {
    (void)state;
    Fixture fixture = run("pytorch", "activation_dropout=0.3", true);
    const char *const dropped = "encoder.1.feed_forward.activated_dropped";
    check_dropped(&fixture, "encoder.1.feed_forward.activated", dropped, 0.3);
    assert_true(reads(&fixture, "encoder.1.feed_forward.output", dropped));
    finish(&fixture);
}

static void nothing_is_dropped_without_learning(void **state) {
    (void)state;
    Fixture fixture =
        run("pytorch", "attention_dropout=0.3 activation_dropout=0.3", false);
    assert_true(reads(&fixture, "encoder.0.self_attention.context",
                      "encoder.0.self_attention.weights"));
    assert_true(reads(&fixture, "encoder.0.feed_forward.output",
                      "encoder.0.feed_forward.activated"));
    assert_null(tape_find(&fixture.tape, "encoder.0.self_attention.weights_dropped"));
    finish(&fixture);
}

static void only_the_presets_that_have_it_drop_inside(void **state) {
    (void)state;
    for (const Preset *preset = presets; preset->name; preset++) {
        Arena arena = {0};
        Config config;
        Error error;
        assert_true(config_preset(&config, preset->name, &arena, &error));
        bool expected = strncmp(preset->name, "pytorch", 7) == 0;
        bool others = strcmp(preset->name, "gpt2") == 0 || /* attn_pdrop */
                      strcmp(preset->name, "bert") == 0;
        assert_true((config.attention_dropout == 0.1) == (expected || others));
        assert_true((config.activation_dropout == 0.1) == expected);
        arena_free(&arena);
    }
}

static void without_an_output_projection_the_heads_are_the_output(void **state) {
    (void)state;
    Fixture fixture = run("single-head", "", false);
    assert_ptr_equal(find(&fixture, "encoder.0.self_attention.output"),
                     find(&fixture, "encoder.0.self_attention.concat"));
    for (int w = 0; w < fixture.model.weights.count; w++)
        assert_null(strstr(fixture.model.weights.weight[w].tensor->name, "out_proj"));
    finish(&fixture);
    fixture = run("paper",
                  "attention_output_projection=false attention_output_activation=relu",
                  false);
    const Tensor *output = find(&fixture, "decoder.0.cross_attention.output");
    assert_string_equal(fixture.tape.step[output->step].op->name, "relu");
    assert_true(reads(&fixture, "decoder.0.cross_attention.output",
                      "decoder.0.cross_attention.concat"));
    finish(&fixture);
}

/* Row 1 of the batch ends with padding. */
static void an_encoder_masks_padding_and_later_tokens(void **state) {
    (void)state;
    Fixture fixture = run("minimal", "encoder_causal=true", false);
    const Tensor *weights = find(&fixture, "encoder.0.self_attention.weights");
    for (int i = 0; i < tensor_size(weights); i++) {
        int row = tensor_index(weights, 0, i);
        int query = tensor_index(weights, 2, i);
        int key = tensor_index(weights, 3, i);
        bool is_padding = source_ids[row * LENGTH + key] == 0;
        assert_int_equal(weights->data[i] == 0, key > query || is_padding);
    }
    finish(&fixture);
}

static void causal_does_not_affect_an_encoder(void **state) {
    (void)state;
    Fixture fixture = run("minimal", "causal=true", false);
    const Tensor *weights = find(&fixture, "encoder.0.self_attention.weights");
    for (int key = 0; key < LENGTH; key++) assert_true(weights->data[key] > 0);
    finish(&fixture);
}

static void a_sigmoid_has_one_logit_and_two_probabilities(void **state) {
    (void)state;
    Fixture fixture = run("classifier-binary", "labels=bad,good", false);
    const Tensor *logits = find(&fixture, "logits");
    const Tensor *probabilities = find(&fixture, "probabilities");
    assert_int_equal(tensor_size(logits), ROWS);
    assert_string_equal(axis_label(&logits->axis[1], 0, 0), "good");
    assert_string_equal(axis_label(&probabilities->axis[1], 0, 0), "bad");
    assert_string_equal(axis_label(&probabilities->axis[1], 0, 1), "good");
    for (int row = 0; row < ROWS; row++) {
        double yes = 1 / (1 + exp(-(double)logits->data[row]));
        assert_true(fabs((double)probabilities->data[2 * row + 1] - yes) < 1e-6);
        assert_true(fabs((double)probabilities->data[2 * row] + yes - 1) < 1e-6);
    }
    finish(&fixture);
}

/* Accuracy counts the label with the larger probability. */
static void a_single_logit_above_0_predicts_the_second_label(void **state) {
    (void)state;
    Number data[] = {(Number)-0.1, (Number)0.1, 3};
    Number label[] = {0, 1, 0};
    Tensor logits = {.rank = 2, .axis = {{.size = 3}, {.size = 1}}, .data = data};
    Tensor expected = {.rank = 1, .axis = {{.size = 3}}, .data = label};
    const Config config = {.model_type = MODEL_CLASSIFIER};
    const Step loss = {.op = &op_binary_cross_entropy,
                       .input = (Tensor *[]){&logits, &expected}};
    assert_int_equal(loss_right(&config, &loss), 2);
}

/* The first of equal ones is the prediction; padding does not count. */
static void the_first_of_the_largest_logits_is_predicted(void **state) {
    (void)state;
    Tape tape = {0};
    const Number rows[][3] = {{1, 2, 2}, {1, 2, 2}, {3, 1, 2}, {0, 5, 1}};
    const int expected[] = {1, 2, 0, 1};
    const Config config = {.pad_id = 0};
    Tensor *logits = tape_given(&tape, "logits", 3,
                                (Axis[]){{.name = "batch", .size = 2},
                                         {.name = "t", .size = 2},
                                         {.name = "v", .size = 3}});
    memcpy(logits->data, rows, sizeof rows);
    const Tensor *loss =
        loss_run(&tape, &config, logits, &(Ids){expected, 2, 2, NULL}, 0);
    assert_false(tape.failed);
    assert_int_equal(loss_right(&config, &tape.step[loss->step]), 2);
    tape_free(&tape);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(attention_weights_are_dropped_while_learning),
        cmocka_unit_test(activated_numbers_are_dropped_while_learning),
        cmocka_unit_test(nothing_is_dropped_without_learning),
        cmocka_unit_test(without_an_output_projection_the_heads_are_the_output),
        cmocka_unit_test(an_encoder_masks_padding_and_later_tokens),
        cmocka_unit_test(causal_does_not_affect_an_encoder),
        cmocka_unit_test(a_sigmoid_has_one_logit_and_two_probabilities),
        cmocka_unit_test(a_single_logit_above_0_predicts_the_second_label),
        cmocka_unit_test(the_first_of_the_largest_logits_is_predicted),
        cmocka_unit_test(only_the_presets_that_have_it_drop_inside),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
