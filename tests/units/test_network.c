/* The three types of model with one interface: each preset is complete, learns, and is
 * described in stages; inconsistent options are rejected in one sentence. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "model/generate.h"
#include "model/network.h"
#include "ops/ops.h"
#include "walk/walk.h"

#include <cmocka.h> /* it has a macro named fail */

#include "small_model.h"

static const int expected_ids[] = {8, 4, 6, 2, 6, 9, 3, 2};
static const int expected_label[] = {1, 0};

static void make(Model *model, const char *preset, Arena *arena) {
    make_with(model, preset, "", arena);
}

static bool has_logits(const Preset *preset) {
    return strcmp(preset->name, "minimal") != 0 &&
           strcmp(preset->name, "single-head") != 0;
}

static Tensor *expected(Tape *tape, const Tensor *logits) {
    bool labels = logits->rank == 2;
    Axis axis[] = {{.name = "batch", .size = ROWS}, {.name = "token", .size = LENGTH}};
    Tensor *tensor = tape_given(tape, "wanted", labels ? 1 : 2, axis);
    const int *id = labels ? expected_label : expected_ids;
    for (int i = 0; i < tensor_size(tensor); i++) tensor->data[i] = (Number)id[i];
    return tensor;
}

static Tensor *loss_of(Tape *tape, const Model *model) {
    Tensor *logits = network_run(tape, &model->network, &source, &target);
    if (tape->failed) fail_msg("%s: %s", model->config.preset, tape->error.message);
    if (model->config.label_activation == LABEL_SIGMOID)
        return binary_cross_entropy(tape, "loss", logits, expected(tape, logits), 0);
    return cross_entropy(tape, "loss", logits, expected(tape, logits),
                         (CrossEntropy){-1, 0});
}

static double loss_at(const Model *model) {
    Tape tape = {0};
    double loss = (double)loss_of(&tape, model)->data[0];
    tape_free(&tape);
    return loss;
}

static void move(Weights *weights, double step) {
    for (int w = 0; w < weights->count; w++) {
        Tensor *tensor = weights->weight[w].tensor;
        for (int i = 0; tensor->grad_written && i < tensor_size(tensor); i++)
            tensor->data[i] += (Number)(step * (double)tensor->grad[i]);
    }
}

/* Compute the gradients of the weights, in `arena`. */
static void find_gradients(Tape *tape, Model *model, Arena *arena) {
    Weights *weights = &model->weights;
    for (int w = 0; w < weights->count; w++) {
        Tensor *tensor = weights->weight[w].tensor;
        tensor->grad = ARENA_ARRAY(arena, Number, tensor_size(tensor));
        tensor->grad_written = false;
    }
    tape_backward(tape, loss_of(tape, model));
}

/* Return the norm of the gradient of all weights. */
static double gradient_length(Model *model, Arena *arena) {
    Tape tape = {.learns = true};
    const Weights *weights = &model->weights;
    find_gradients(&tape, model, arena);
    double square = 0;
    for (int w = 0; w < weights->count; w++) {
        const Tensor *tensor = weights->weight[w].tensor;
        for (int i = 0; tensor->grad_written && i < tensor_size(tensor); i++)
            square += pow((double)tensor->grad[i], 2);
    }
    tape_free(&tape);
    return sqrt(square);
}

/* Run `check` on a small model of each preset that can learn. */
static void check_each_preset(void (*check)(Model *model, Arena *arena)) {
    for (const Preset *preset = presets; preset->name; preset++) {
        if (!has_logits(preset)) continue;
        static const char *const options[] = {
            "", "norm_type=rms activation=silu final_norm=true",
            "position=rotary feed_forward_gate=true activation=gelu_tanh "
            "key_value_heads=1 mask_value=-30", /* -1e9 would drown the scores */
        };
        for (size_t o = 0; o < sizeof options / sizeof *options; o++) {
            Arena arena = {0};
            Config config;
            Error error;
            Model model;
            if (!config_preset(&config, preset->name, &arena, &error))
                fail_msg("%s", error.message);
            bool has_layers = config.d_ff > 0;
            if (has_layers || o == 0) {
                make_with(&model, preset->name, options[o], &arena);
                check(&model, &arena);
                model_free(&model);
            }
            arena_free(&arena);
        }
    }
}

static void check_slope(Model *model, Arena *arena) {
    double length = gradient_length(model, arena);
    const bool sharp = sizeof(Number) == sizeof(double);
    const double nudge = sharp ? 1e-6 : 4e-4;
    move(&model->weights, nudge / length);
    double above = loss_at(model);
    move(&model->weights, -2 * nudge / length);
    double slope = (above - loss_at(model)) / (2 * nudge);
    if (!(fabs(slope - length) <= (sharp ? 1e-4 : 0.03) * length))
        fail_msg("%s: the gradient is %g long, but the slope is %g",
                 model->config.preset, length, slope);
}

/* Move along the gradient in both directions: the loss must change as its norm
 * predicts. With doubles the step can be so short that hardly any ReLU switches. */
static void the_gradient_of_each_model_is_the_slope_of_its_loss(void **state) {
    (void)state;
    check_each_preset(check_slope);
}

/* The gradients of the weights are those of `before`, bit for bit. */
static void check_gradients(const char *preset, const Weights *weights,
                            const Number *const *before) {
    for (int w = 0; w < weights->count; w++) {
        const Tensor *tensor = weights->weight[w].tensor;
        if (memcmp(tensor->grad, before[w],
                   (size_t)tensor_size(tensor) * sizeof(Number)) != 0)
            fail_msg("%s: the gradient of %s is another one when it is lent", preset,
                     tensor->name);
    }
}

static void check_lending(Model *model, Arena *arena) {
    const Weights *weights = &model->weights;
    const Number **before = ARENA_ARRAY(arena, const Number *, weights->count);
    Tape keeps = {.learns = true};
    Tape recycles = {.learns = true, .recycles = true};
    find_gradients(&keeps, model, arena);
    for (int w = 0; w < weights->count; w++)
        before[w] = weights->weight[w].tensor->grad;
    find_gradients(&recycles, model, arena);
    check_gradients(model->config.preset, weights, before);
    for (int s = 0; s < recycles.count; s++) {
        assert_non_null(keeps.step[s].output->grad);
        assert_null(recycles.step[s].output->grad);
    }
    tape_free(&keeps);
    tape_free(&recycles);
}

static void lent_memory_changes_no_gradient(void **state) {
    (void)state;
    check_each_preset(check_lending);
}

/* More of them than an unsigned has bits. */
static void each_of_many_inputs_gets_a_gradient(void **state) {
    (void)state;
    enum { MANY = 40 };
    for (int recycles = 0; recycles < 2; recycles++) {
        Tape tape = {.learns = true, .recycles = recycles};
        Number grad[MANY] = {0};
        Tensor *input[MANY];
        for (int i = 0; i < MANY; i++) {
            const Axis axis[] = {{.name = "batch", .size = 1},
                                 {.name = "d", .size = 1}};
            input[i] = tape_given(&tape, "x", 2, axis);
            input[i]->grad = &grad[i];
            input[i]->data[0] = 1;
            input[i] = scale(&tape, "twice", input[i], 2);
        }
        tape_backward(&tape, stack(&tape, "pile", input, MANY));
        for (int i = 0; i < MANY; i++) assert_true(grad[i] == 2);
        tape_free(&tape);
    }
}

/* Recycling saves at least a third of the memory of a tape that keeps every
 * gradient. */
static void recycled_memory_is_used_again(void **state) {
    (void)state;
    size_t bytes[2];
    for (int recycles = 0; recycles < 2; recycles++) {
        Tape tape = {.learns = true, .recycles = recycles};
        Tensor *x = tape_given(
            &tape, "x", 2,
            (Axis[]){{.name = "row", .size = 64}, {.name = "d", .size = 1024}});
        memset(x->data, 0, (size_t)tensor_size(x) * sizeof(Number));
        x = scale(&tape, "first", x, 1);
        for (int i = 0; i < 100; i++) x = scale(&tape, "more", x, 1);
        tape_backward(&tape, x);
        bytes[recycles] = arena_bytes(&tape.arena);
        tape_free(&tape);
    }
    assert_true(3 * bytes[1] < 2 * bytes[0]);
}

static void every_address_of_a_model_is_unique(void **state) {
    (void)state;
    for (const Preset *preset = presets; preset->name; preset++) {
        Arena arena = {0};
        Model model;
        Tape tape = {0};
        make(&model, preset->name, &arena);
        network_run(&tape, &model.network, &source, &target);
        for (int e = 0; e < tape.entries; e++)
            for (int before = 0; before < e; before++)
                assert_string_not_equal(tape.entry[e].address,
                                        tape.entry[before].address);
        tape_free(&tape);
        model_free(&model);
        arena_free(&arena);
    }
}

static void options_that_do_not_fit_are_refused_in_one_sentence(void **state) {
    (void)state;
    static const struct {
        const char *preset, *options, *message;
    } misfits[] = {
        {"classifier", "decoder_layers=1",
         "decoder_layers must be 0 in a model of type classifier"},
        {"seq2seq", "norm_type=rms",
         "norm_type must be layer in a model of type seq2seq"},
        {"classifier", "labels=one",
         "labels has 1 names; a classifier needs two or more, as in --labels "
         "bad,good"},
        {"classifier", "label_activation=sigmoid labels=a,b,c",
         "label_activation is sigmoid, which needs two labels; labels "
         "has 3"},
        {"paper", "label_activation=sigmoid",
         "label_activation must be softmax in a model of type transformer"},
        {"classifier", "as_written=lstm_restarts",
         "as_written has lstm_restarts, which needs model_type seq2seq"},
        {"classifier-rnn", "d_ff=8",
         "d_ff must be 0 in a model of type classifier with an rnn"},
        {"classifier-rnn", "as_written=mean_with_padding",
         "as_written has mean_with_padding, which needs a classifier's mean"},
        {"paper", "encoder_type=rnn",
         "encoder_type must be transformer in a model of type transformer"},
        {"seq2seq", "hidden_size=0",
         "hidden_size must be 1 or more in a model of type seq2seq"},
        {"seq2seq", "encoder_layers=2",
         "encoder_layers must be 1 in a model of type seq2seq"},
        {"seq2seq", "tie_embeddings=true",
         "tie_embeddings must be false in a model of type seq2seq"},
        {"seq2seq", "as_written=mask_hides_self",
         "as_written has mask_hides_self, which needs a mask"},
        {"paper", "as_written=mean_with_padding",
         "as_written has mean_with_padding, which needs a classifier's mean"},
    };
    for (size_t m = 0; m < sizeof misfits / sizeof *misfits; m++) {
        Arena arena = {0};
        Config config;
        Error error;
        assert_true(
            configure(&config, misfits[m].preset, misfits[m].options, &arena, &error));
        assert_false(config_check(&config, &error));
        assert_string_equal(error.message, misfits[m].message);
        arena_free(&arena);
    }
}

static void a_classifier_names_its_labels_and_generates_nothing(void **state) {
    (void)state;
    Arena arena = {0};
    Model made;
    Tape tape = {0};
    Error error;
    make(&made, "classifier", &arena);
    Model model = made; /* as a session does: the labels must not be in `made` */
    memset(&made.config, 0, sizeof made.config);
    const Tensor *logits = network_run(&tape, &model.network, &source, NULL);
    assert_string_equal(logits->axis[1].name, "label");
    assert_string_equal(axis_label(&logits->axis[1], 1, 1), "positive");
    assert_false(network_generates(&model.config, &error));
    assert_non_null(strstr(error.message, "label"));
    tape_free(&tape);
    model_free(&model);
    arena_free(&arena);
}

/* The second sentence of the batch has one padding token. */
static void padding_counts_in_the_mean_only_as_written(void **state) {
    (void)state;
    static const char *const preset[] = {"classifier", "classifier-as-written"};
    for (int p = 0; p < 2; p++) {
        Arena arena = {0};
        Model model;
        Tape tape = {0};
        make(&model, preset[p], &arena);
        network_run(&tape, &model.network, &source, NULL);
        const Tensor *mean = tape_find(&tape, "encoder.mean");
        Explanation explanation;
        const Step *step = &tape.step[mean->step];
        step->op->explain(step, tensor_row(mean), &tape.arena, &explanation);
        assert_int_equal(explanation.count, p == 0 ? LENGTH - 1 : LENGTH);
        tape_free(&tape);
        model_free(&model);
        arena_free(&arena);
    }
}

static void an_lstm_is_explained_token_by_token(void **state) {
    (void)state;
    Arena arena = {0};
    Model model;
    Tape tape = {0};
    make(&model, "seq2seq", &arena);
    network_run(&tape, &model.network, &source, &target);
    Walk walk = walk_new(&tape, &model.config, 0, &arena);
    for (int t = 0; t < LENGTH; t++) {
        const char *name = arena_print(&arena, "decoder.lstm.%d", t);
        int stage = walk_find(&walk, name, 0);
        assert_true(stage >= 0);
        assert_int_equal(walk.stage[stage].tensors, STAGE_PARTS);
        assert_string_equal(walk.stage[stage].address[STAGE_PARTS - 1],
                            arena_print(&arena, "%s.state", name));
    }
    int scores = walk_find(&walk, "scores", 0);
    assert_int_equal(walk.stage[scores].kind->look, LOOK_HEATMAP);
    const char *alignment = network_alignment(&model.config, &arena);
    assert_ptr_equal(tape_find(&tape, alignment), walk.stage[scores + 2].tensor[0]);
    tape_free(&tape);
    model_free(&model);
    arena_free(&arena);
}

/* The trainer uses this to avoid padding: the states after a sentence change if padding
 * follows. */
static void only_an_lstm_reads_padding(void **state) {
    (void)state;
    static const char *const preset[] = {"paper", "classifier", "classifier-rnn",
                                         "seq2seq"};
    for (size_t p = 0; p < sizeof preset / sizeof *preset; p++) {
        Arena arena = {0};
        Model model;
        Tape tape[2];
        make(&model, preset[p], &arena);
        const int start = model.config.start_id;
        const Ids one = {&start, 1, 1, NULL};
        double found[2];
        for (int padding = 0; padding < 2; padding++) {
            tape[padding] = (Tape){0};
            Ids ids = {source_ids + LENGTH, 1, LENGTH - 1 + padding, NULL};
            const Tensor *logits =
                network_run(&tape[padding], &model.network, &ids, &one);
            found[padding] = (double)logits->data[0];
            tape_free(&tape[padding]);
        }
        assert_int_equal(fabs(found[0] - found[1]) > 1e-5,
                         network_reads_padding(&model.config));
        model_free(&model);
        arena_free(&arena);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_gradient_of_each_model_is_the_slope_of_its_loss),
        cmocka_unit_test(lent_memory_changes_no_gradient),
        cmocka_unit_test(recycled_memory_is_used_again),
        cmocka_unit_test(each_of_many_inputs_gets_a_gradient),
        cmocka_unit_test(every_address_of_a_model_is_unique),
        cmocka_unit_test(options_that_do_not_fit_are_refused_in_one_sentence),
        cmocka_unit_test(a_classifier_names_its_labels_and_generates_nothing),
        cmocka_unit_test(padding_counts_in_the_mean_only_as_written),
        cmocka_unit_test(an_lstm_is_explained_token_by_token),
        cmocka_unit_test(only_an_lstm_reads_padding),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
