/* The tree of :because. For every model and every address: the values of branches add
 * up to their parent, the fractions to 1, and the numbers shown are those of the
 * run. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "change/toy.h"
#include "model/generate.h"
#include "ops/ops.h"
#include "why/because.h"
#include "why/flow_back.h"

#include <cmocka.h> /* last: it has a macro named fail */

#include "sample.h"
#include "units/small_model.h"

/* A float has 24 bits, and thousands of them are added. */
static const double close_enough = 1e-4;

/* Parameters of a check. */
typedef struct {
    const Record *record;
    const Because *because;
    const char *model;
} Checked;

static void check_close(const Checked *checked, const char *what, double found,
                        double expected, double size) {
    const double vanishes = 1e-30; /* below the precision of a product of floats */
    if (fabs(found - expected) <= close_enough * size + vanishes) return;
    fail_msg("%s %s: %s is %.9g, not %.9g", checked->model, checked->because->address,
             what, found, expected);
}

/* The scale of rounding errors: differences of large numbers have few digits. */
static double size_of(const Flow *flow) {
    double size = 0;
    for (int i = 0; i < flow->count; i++)
        if (flow->slope[i] != 0)
            size += fabs(flow->slope[i] * (double)flow->tensor->data[flow->from + i]);
    return size;
}

static void check_node(const Checked *checked, const BecauseNode *node) {
    double value = node->rest_value;
    double size = fabs(node->rest_value) + size_of(&node->part.flow);
    double share = node->rest_share;
    for (int c = 0; c < node->children; c++) {
        value += node->child[c].part.value;
        size += fabs(node->child[c].part.value);
        share += node->child[c].share;
        assert_non_null(node->child[c].text);
        assert_true(*node->child[c].text);
        check_node(checked, &node->child[c]);
    }
    if (node->place.tensor)
        assert_true(node->place.cell >= 0 &&
                    node->place.cell < tensor_size(node->place.tensor));
    if (node->children == 0) return;
    check_close(checked, node->text ? node->text : "the root", value, node->part.value,
                size + fabs(node->part.value));
    check_close(checked, "the sum of the shares", share, 1, 1);
}

/* Effect of a score on a softmax: the score minus the mean of the others. */
static double above_others(const Step *softmax, int cell) {
    const Tensor *x = softmax->input[0];
    int size = tensor_row(x);
    int row = cell / size * size;
    double sum = 0;
    int others = 0;
    for (int i = row; i < row + size; i++) {
        if (i == cell || softmax->output->data[i] == 0) continue;
        sum += (double)x->data[i];
        others++;
    }
    return others ? (double)x->data[cell] - sum / others : 0;
}

static void check_root(const Checked *checked, const Tensor *tensor, int cell) {
    const Because *because = checked->because;
    const Step *step = record_step(checked->record, tensor);
    assert_true(because->value == (double)tensor->data[cell]);
    if (!step) {
        assert_non_null(because->given);
        return;
    }
    if (because->root.children == 0) return;
    double value = because->root.part.value;
    if (step->op == &op_softmax)
        check_close(checked, "the followed score", value, above_others(step, cell),
                    1 + fabs(value));
    else if (step->op == &op_lstm_gate && because->root.part.kind == PART_FOLLOWED)
        check_close(checked, "the followed sum", 1 / (1 + exp(-value)), because->value,
                    1);
    else if (because->root.part.kind != PART_FOLLOWED)
        check_close(checked, "the root", value, because->value, 1 + fabs(value));
}

static int trees, branches;

static void check_cell(const Record *record, const char *model, const Tensor *tensor,
                       int cell) {
    Arena arena = {0};
    const Because because = because_of(record, tensor, cell, &arena);
    Checked checked = {record, &because, model};
    check_root(&checked, tensor, cell);
    check_node(&checked, &because.root);
    trees++;
    for (int number = 1; number <= because.numbers; number += 3) {
        Because opened;
        assert_true(because_open(record, &because, number, &arena, &opened));
        const Checked again = {record, &opened, model};
        check_node(&again, &opened.root);
        branches++;
    }
    Because none;
    assert_false(because_open(record, &because, 0, &arena, &none));
    assert_false(because_open(record, &because, because.numbers + 1, &arena, &none));
    arena_free(&arena);
}

/* Check the first, the last and a middle number of one in `every` tensors. No model has
 * that many in a layer, so all kinds are covered; those at the end are always
 * checked. */
static void check_tape(const Record *record, const char *model, const Tape *tape,
                       int every) {
    for (int e = 0; e < tape->entries; e++) {
        if (e % every && e + 3 < tape->entries) continue;
        const Tensor *tensor = tape->entry[e].tensor;
        int size = tensor_size(tensor);
        const int cells[] = {0, size / 3, size - 1};
        for (int c = 0; c < 3; c++)
            if (size && isfinite((double)tensor->data[cells[c]]))
                check_cell(record, model, tensor, cells[c]);
    }
}

static void check_model(const Model *model, const char *name, const Ids *read,
                        const Ids *written, int every) {
    Tape run = {0};
    Tape steps = {0};
    const Ids first = {read->id, 1, read->length, NULL};
    Error silent;
    bool generates =
        model->config.decoder_layers > 0 && network_generates(&model->config, &silent);
    network_run(&run, &model->network, read,
                model->config.decoder_layers ? written : NULL);
    if (generates) generate(&steps, model, &first, 3, true);
    if (run.failed || steps.failed)
        fail_msg("%s: %s", name, run.failed ? run.error.message : steps.error.message);
    const Record record = {
        .run = &run, .steps = generates ? &steps : NULL, .weights = &model->weights};
    check_tape(&record, name, &run, every);
    if (generates) check_tape(&record, name, &steps, every);
    check_cell(&record, name, model->weights.weight[0].tensor, 0);
    tape_free(&run);
    tape_free(&steps);
}

static void every_preset_adds_up(void **state) {
    (void)state;
    static const char *const options[] = {
        "",
        "norm=pre final_norm=true position=learned activation=gelu",
        "norm=none residual=false mask_mode=add",
        "norm_type=rms activation=silu",
        "norm=pre norm_type=rms position=rotary feed_forward_gate=true activation=silu "
        "key_value_heads=1",
        "feed_forward_gate=true activation=gelu_tanh",
        "norm=pre final_norm=true norm_type=rms feed_forward_output_activation=silu",
        "scale_scores=false attention_output_activation=relu encoder_causal=true",
        "scale_embedding=false position=none attention_output_projection=false",
    };
    for (const Preset *preset = presets; preset->name; preset++)
        for (size_t o = 0; o < sizeof options / sizeof *options; o++) {
            Arena arena = {0};
            Config config;
            Error error;
            Model model;
            assert_true(config_preset(&config, preset->name, &arena, &error));
            bool plain = config.model_type == MODEL_SEQ2SEQ || config.d_ff == 0;
            if (o == 0 ? in_sample((int)(preset - presets), 2)
                       : !plain && in_sample((int)(preset - presets) + (int)o, 8)) {
                make_with(&model, preset->name, options[o], &arena);
                check_model(&model,
                            arena_print(&arena, "%s %s", preset->name, options[o]),
                            &source, &target, 7);
                model_free(&model);
            }
            arena_free(&arena);
        }
}

static void every_shipped_model_adds_up(void **state) {
    (void)state;
    static const char *const models[] = {"ko-en", "en-ko", "chatbot", "classifier",
                                         "seq2seq-ko-en"};
    static const int read[] = {20, 31, 42, 53, 2};
    static const int written[] = {1, 25, 36, 47};
    const Ids from = {read, 1, 5, NULL};
    const Ids to = {written, 1, 4, NULL};
    for (size_t m = 0; m < sizeof models / sizeof *models; m++) {
        Arena arena = {0};
        Model model;
        Error error;
        const char *path = arena_print(&arena, "assets/models/%s", models[m]);
        if (!model_open(&model, path, &error)) fail_msg("%s", error.message);
        check_model(&model, models[m], &from, &to, 13);
        model_free(&model);
        arena_free(&arena);
    }
    assert_true(trees > 3000 && branches > 3000);
}

/* ---- Cases computed manually */

static Tensor *numbers(Tape *tape, const char *name, int rows, int columns,
                       const double *number) {
    const Axis axis[] = {{.name = "token", .size = rows},
                         {.name = "d_model", .size = columns}};
    Tensor *tensor = tape_given(tape, name, 2, axis);
    for (int i = 0; i < rows * columns; i++) tensor->data[i] = (Number)number[i];
    return tensor;
}

/* y = W (x + z) + b with x = (1, 2), z = (3, -1), W = (2, 1), b = 0.5: x contributes 4,
 * z 5, the bias 0.5. */
static void a_sum_splits_into_its_terms_and_the_bias(void **state) {
    (void)state;
    Tape tape = {0};
    Arena arena = {0};
    Tensor *x = numbers(&tape, "x", 1, 2, (double[]){1, 2});
    Tensor *z = numbers(&tape, "z", 1, 2, (double[]){3, -1});
    Tensor *weight = numbers(&tape, "weight", 1, 2, (double[]){2, 1});
    const Axis one = {.name = "out", .size = 1};
    Tensor *bias = tape_given(&tape, "bias", 1, &one);
    bias->data[0] = (Number)0.5;
    const Linear layer = {weight, bias};
    Tensor *y = linear(&tape, "y", add(&tape, "sum", x, z), &layer);
    const Record record = {.run = &tape};
    const Because because = because_of(&record, y, 0, &arena);
    const BecauseNode *root = &because.root;
    assert_int_equal(root->children, 3);
    static const double values[] = {5, 4, 0.5};
    for (int c = 0; c < 3; c++) {
        assert_true(fabs(root->child[c].part.value - values[c]) < 1e-6);
        assert_true(fabs(root->child[c].share - values[c] / 9.5) < 1e-6);
    }
    assert_ptr_equal(root->child[0].part.flow.tensor, z);
    assert_ptr_equal(root->child[1].part.flow.tensor, x);
    assert_int_equal(root->child[2].part.kind, PART_CONSTANT);
    arena_free(&arena);
    tape_free(&tape);
}

/* Scores 0 and log 3 give the weights 1/4 and 3/4; with the values 8 and -4: 2 and
 * -3. */
static void a_context_splits_by_weight_times_value(void **state) {
    (void)state;
    Tape tape = {0};
    Arena arena = {0};
    Error error;
    if (!toy_run(&tape, "query=1.0986123 keys=0|1 values=8|-4", &error))
        fail_msg("%s", error.message);
    const Record record = {.toy = &tape};
    const Because because = because_of(&record, tape_find(&tape, "context"), 0, &arena);
    const BecauseNode *root = &because.root;
    assert_int_equal(root->children, 2);
    assert_true(fabs(root->child[0].part.value - -3) < 1e-5);
    assert_true(fabs(root->child[1].part.value - 2) < 1e-5);
    assert_true(fabs(root->child[0].share - 0.6) < 1e-5);
    assert_string_equal(root->child[0].place.tensor->name, "weights");
    assert_true(
        fabs((double)root->child[0].place.tensor->data[root->child[0].place.cell] -
             0.75) < 1e-6);
    arena_free(&arena);
    tape_free(&tape);
}

/* For the weight 3/4, follow the score log 3, which is log 3 above the other; half of
 * it is the query's, half the key's. */
static void a_weight_is_followed_by_its_score(void **state) {
    (void)state;
    Tape tape = {0};
    Arena arena = {0};
    Error error;
    if (!toy_run(&tape, "query=1.0986123 keys=0|1 values=8|-4", &error))
        fail_msg("%s", error.message);
    const Record record = {.toy = &tape};
    const Because because = because_of(&record, tape_find(&tape, "weights"), 1, &arena);
    assert_int_equal(because.root.children, 1);
    const BecauseNode *score = &because.root.child[0];
    assert_int_equal(score->part.kind, PART_FOLLOWED);
    assert_true(fabs(score->part.value - log(3)) < 1e-6);
    assert_int_equal(score->children, 2);
    assert_true(fabs(score->child[0].share - 0.5) < 1e-6);
    assert_string_equal(score->child[0].part.flow.tensor->name, "query");
    assert_string_equal(score->child[1].part.flow.tensor->name, "keys");
    arena_free(&arena);
    tape_free(&tape);
}

/* Row 1 of a norm over (1, 3): mean 2, deviation 1; y = gain (x - 2) + bias. The number
 * -1 is 1/2 - 3/2. */
static void a_norm_passes_its_numerator_on(void **state) {
    (void)state;
    Tape tape = {0};
    Arena arena = {0};
    Tensor *x = numbers(&tape, "x", 1, 2, (double[]){1, 3});
    const Axis two = {.name = "d_model", .size = 2};
    Tensor *gain = tape_given(&tape, "gain", 1, &two);
    Tensor *bias = tape_given(&tape, "bias", 1, &two);
    for (int i = 0; i < 2; i++) gain->data[i] = 2, bias->data[i] = 5;
    const Norm norm = {gain, bias, 0};
    Tensor *y = layer_norm(&tape, "y", x, &norm);
    const Record record = {.run = &tape};
    Flow flow = flow_cell(y, 0, 1, &arena);
    Flow into[3];
    double constant;
    assert_true(
        flow_back(&record, &tape.step[y->step], &flow, &arena, into, &constant));
    assert_true(fabs(constant - 5) < 1e-9);
    assert_true(fabs(into[0].slope[0] - 1) < 1e-9);
    assert_true(fabs(into[0].slope[1] - -1) < 1e-9);
    assert_null(into[1].tensor);
    assert_true(fabs(flow_value(&into[0]) + constant - (double)y->data[0]) < 1e-6);
    arena_free(&arena);
    tape_free(&tape);
}

/* "dog" is in the source and in the target, "a" only in the source. */
static void a_token_of_both_sides_is_printed_with_its_side(void **state) {
    (void)state;
    Arena arena = {0};
    static const char *const words[] = {"a", "dog"};
    Tensor *tensor[2];
    for (int side = 0; side < 2; side++) {
        const Axis axis[] = {{.name = "batch", .size = 1, .label_rows = 1},
                             {.name = side ? "target" : "source",
                              .size = 2,
                              .labels = words,
                              .label_rows = 1},
                             {.name = "d_model", .size = 2, .label_rows = 1}};
        tensor[side] = tensor_new(&arena, "embedding", 3, axis);
    }
    WordOrigin origin[] = {{tensor[0], 1, 5}, {tensor[1], 1, -3}, {tensor[0], 0, 2}};
    const Origins origins = {.origin = origin, .count = 3, .size = 10};
    assert_string_equal(origins_print(&origins, 3, &arena),
                        "source=dog 50%, target=dog −30%, a 20%");
    assert_string_equal(origins_print(&origins, 1, &arena), "dog 50%");
    arena_free(&arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_sum_splits_into_its_terms_and_the_bias),
        cmocka_unit_test(a_context_splits_by_weight_times_value),
        cmocka_unit_test(a_weight_is_followed_by_its_score),
        cmocka_unit_test(a_norm_passes_its_numerator_on),
        cmocka_unit_test(a_token_of_both_sides_is_printed_with_its_side),
        cmocka_unit_test(every_preset_adds_up),
        cmocka_unit_test(every_shipped_model_adds_up),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
