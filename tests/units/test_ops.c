/* Every operation is tested for the same properties: its gradient is the slope of its
 * output; its explanation, combined by its rule, equals the cell, and so does what
 * :because follows back to its inputs; its record is complete. A new operation needs
 * rows in ops_cases.h. Also built with -DNUMBER=double, where the tests are more
 * precise. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/random.h"
#include "ops_cases.h"
#include "tensor/flow.h"

#include <cmocka.h> /* last: it has a macro named fail */

/* In float, rounding errors hide a small change. */
static bool is_double(void) {
    return sizeof(Number) == sizeof(double);
}

/* Never near 0, where relu has no slope. */
static Number some_number(Random *random) {
    double size = 0.1 + random_unit(random);
    return (Number)(random_below(random, 2) ? size : -size);
}

static Tensor *given(Tape *tape, const Case *c, int input, Random *random) {
    Axis axis[RANK_MAX];
    int rank = 0;
    for (; rank < RANK_MAX && c->size[input][rank]; rank++)
        axis[rank] = (Axis){.name = "axis", .size = c->size[input][rank]};
    char name[] = "input 0";
    name[strlen(name) - 1] = (char)('0' + input);
    Tensor *tensor = tape_given(tape, name, rank, axis);
    for (int i = 0; i < tensor_size(tensor); i++)
        tensor->data[i] = op_learns(c->op, input)
                              ? some_number(random)
                              : (Number)random_below(random, c->choices);
    return tensor;
}

/* Run a case as the only step on `tape`, which is set up to learn. */
static Step *run_case(Tape *tape, const Case *c) {
    *tape = (Tape){.learns = true};
    Random random = random_new(7);
    Tensor *input[INPUTS_MAX];
    int inputs = 0;
    while (inputs < INPUTS_MAX && c->size[inputs][0]) {
        input[inputs] = given(tape, c, inputs, &random);
        inputs++;
    }
    if (!tape_run(tape, c->op, "output", input, inputs, c->setting))
        fail_msg("%s", tape->error.message);
    return &tape->step[0];
}

/* Each cell has a different weight, so that errors do not cancel. Cells that stay
 * infinite are skipped. */
static double cell_weight(int cell) {
    return 1 + cell * 7 % 5 * 0.25;
}

static double weighed_sum(const Tensor *tensor) {
    double sum = 0;
    for (int i = 0; i < tensor_size(tensor); i++)
        if (isfinite(tensor->data[i])) sum += cell_weight(i) * (double)tensor->data[i];
    return sum;
}

static double slope(Step *step, Number *number, Arena *arena) {
    const Number nudge = is_double() ? (Number)1e-5 : (Number)0x1p-6;
    Number before = *number;
    *number = before + nudge;
    step->op->forward(step, arena);
    double above = weighed_sum(step->output);
    *number = before - nudge;
    step->op->forward(step, arena);
    double below = weighed_sum(step->output);
    *number = before;
    return (above - below) / (2 * (double)nudge);
}

static void backward_of_weighed_sum(Step *step, Arena *arena) {
    step->op->forward(step, arena);
    for (int i = 0; i < tensor_size(step->output); i++)
        step->output->grad[i] = (Number)cell_weight(i);
    step->op->backward(step, arena);
}

static void check_gradient(const Case *c, Step *step, double times, Arena *arena) {
    double tolerance = is_double() ? 1e-6 : 2e-2;
    for (int n = 0; n < step->inputs; n++) {
        if (!op_learns(c->op, n)) continue;
        Tensor *x = step->input[n];
        for (int i = 0; i < tensor_size(x); i++) {
            double expected = times * slope(step, &x->data[i], arena);
            double found = (double)x->grad[i];
            if (!(fabs(found - expected) <= tolerance * fmax(1, fabs(expected))))
                fail_msg("case %d, %s: gradient of number %d of input %d is %.12g, but "
                         "the slope is %.12g",
                         (int)(c - cases), c->op->name, i, n, found, expected);
        }
    }
}

static void poison_gradients(Step *step) {
    for (int n = 0; n < step->inputs; n++)
        for (int i = 0; i < tensor_size(step->input[n]); i++)
            step->input[n]->grad[i] = (Number)NAN;
}

static void the_gradient_is_the_slope_and_adds_up(void **state) {
    (void)state;
    for (const Case *c = cases; c < cases + CASES; c++) {
        Tape tape;
        Step *step = run_case(&tape, c);
        poison_gradients(step);
        backward_of_weighed_sum(step, &tape.arena);
        check_gradient(c, step, 1, &tape.arena);
        backward_of_weighed_sum(step, &tape.arena);
        check_gradient(c, step, 2, &tape.arena);
        tape_free(&tape);
    }
}

static void an_input_without_a_gradient_gets_none(void **state) {
    (void)state;
    for (const Case *c = cases; c < cases + CASES; c++) {
        Tape tape;
        Step *step = run_case(&tape, c);
        for (int n = 0; n < step->inputs; n++) step->input[n]->grad = NULL;
        backward_of_weighed_sum(step, &tape.arena);
        for (int n = 0; n < step->inputs; n++)
            assert_false(step->input[n]->grad_written);
        tape_free(&tape);
    }
}

static void only_inputs_that_learn_get_a_gradient(void **state) {
    (void)state;
    for (const Case *c = cases; c < cases + CASES; c++) {
        Tape tape;
        Step *step = run_case(&tape, c);
        backward_of_weighed_sum(step, &tape.arena);
        for (int n = 0; n < step->inputs; n++)
            assert_int_equal(step->input[n]->grad_written, op_learns(c->op, n));
        tape_free(&tape);
    }
}

static void check_places(const Step *step, const Term *term) {
    for (int p = 0; p < 2; p++) {
        const Tensor *tensor = term->place[p].tensor;
        bool found = !tensor;
        for (int n = 0; n < step->inputs; n++) found |= step->input[n] == tensor;
        assert_true(found);
        if (tensor) assert_in_range(term->place[p].cell, 0, tensor_size(tensor) - 1);
    }
}

static void check_explanation(const Case *c, Step *step, int cell, Arena *arena) {
    Explanation explanation = {0};
    c->op->explain(step, cell, arena, &explanation);
    assert_non_null(explanation.formula);
    for (int t = 0; t < explanation.count; t++) {
        assert_non_null(explanation.term[t].text);
        check_places(step, &explanation.term[t]);
    }
    double found = explanation.rule->combine(&explanation);
    double expected = (double)step->output->data[cell];
    double tolerance = (is_double() ? 1e-9 : 1e-5) * explanation_size(&explanation);
    if (found != expected && !(fabs(found - expected) <= tolerance))
        fail_msg("case %d, %s: cell %d is %.12g, but explained as %.12g",
                 (int)(c - cases), c->op->name, cell, expected, found);
}

static void the_explanation_makes_the_cell(void **state) {
    (void)state;
    for (const Case *c = cases; c < cases + CASES; c++) {
        Tape tape;
        Step *step = run_case(&tape, c);
        for (int cell = 0; cell < tensor_size(step->output); cell++)
            check_explanation(c, step, cell, &tape.arena);
        tape_free(&tape);
    }
}

/* Changing one number of the first input does not change the other numbers of the
 * output. */
static void check_place(Step *step, int place, Arena *arena) {
    const Tensor *y = step->output;
    size_t bytes = (size_t)tensor_size(y) * sizeof *y->data;
    Number *x = &step->input[0]->data[place];
    Number *before = arena_take_raw(arena, bytes);
    step->op->forward(step, arena);
    memcpy(before, y->data, bytes);
    *x += 1;
    step->op->forward(step, arena);
    for (int i = 0; i < tensor_size(y); i++)
        if (i != place && y->data[i] != before[i])
            fail_msg("%s: number %d made number %d", step->op->name, place, i);
    *x -= 1;
    step->op->forward(step, arena);
}

static void check_moved(const Step *step, int cell, Arena *arena) {
    Explanation explanation = {0};
    step->op->explain(step, cell, arena, &explanation);
    Place from = step->op->from(step, cell);
    assert_int_equal(explanation.count, 1);
    assert_ptr_equal(explanation.term[0].place[0].tensor, from.tensor);
    assert_int_equal(explanation.term[0].place[0].cell, from.cell);
    assert_true(from.tensor->data[from.cell] == step->output->data[cell]);
}

static void numbers_come_from_the_position_in_the_record(void **state) {
    (void)state;
    for (const Case *c = cases; c < cases + CASES; c++) {
        Tape tape;
        Step *step = run_case(&tape, c);
        for (int i = 0; i < tensor_size(step->output); i++) {
            if (c->op->reach == REACH_PLACE) check_place(step, i, &tape.arena);
            if (c->op->reach == REACH_MOVED) check_moved(step, i, &tape.arena);
        }
        tape_free(&tape);
    }
}

/* The expected sum when a number is followed back to the inputs: the number, or the
 * argument of σ. */
static double followed(const Step *step, int cell, Arena *arena) {
    Explanation explanation = {0};
    step->op->explain(step, cell, arena, &explanation);
    if (explanation.rule != &rule_sigmoid) return (double)step->output->data[cell];
    double sum = 0;
    for (int t = 0; t < explanation.count; t++) sum += explanation.term[t].value;
    return sum;
}

static void check_because(const Step *step, int cell, bool mixes, Arena *arena) {
    const double slope = cell_weight(cell);
    const Flow flow = flow_cell(step->output, cell, slope, arena);
    Flow into[INPUTS_MAX] = {{0}};
    Back back = {step, &flow, mixes, arena, into, 0};
    const Op *op = step->op;
    (op->relevance              ? op->relevance
     : op->reach == REACH_PLACE ? relevance_ratio
                                : relevance_moved)(&back);
    double found = back.constant;
    double size = fabs(back.constant);
    for (int n = 0; n < step->inputs; n++)
        for (int i = 0; into[n].tensor && i < into[n].count; i++) {
            assert_ptr_equal(into[n].tensor, step->input[n]);
            double part =
                into[n].slope[i] * (double)into[n].tensor->data[into[n].from + i];
            found += part;
            size += fabs(part);
        }
    double expected = slope * followed(step, cell, arena);
    if (!(fabs(found - expected) <= (is_double() ? 1e-9 : 1e-5) * (size + 1)))
        fail_msg("%s: cell %d is %.12g, but followed back it is %.12g", op->name, cell,
                 expected, found);
}

static void what_is_followed_back_adds_up(void **state) {
    (void)state;
    for (const Case *c = cases; c < cases + CASES; c++) {
        if (c->op->relevance == relevance_ends) continue;
        Tape tape;
        const Step *step = run_case(&tape, c);
        for (int cell = 0; cell < tensor_size(step->output); cell++)
            for (int mixes = 0; mixes < 2; mixes++)
                if (isfinite(step->output->data[cell]))
                    check_because(step, cell, mixes, &tape.arena);
        tape_free(&tape);
    }
}

static void the_slopes_of_a_number_make_its_gradient(void **state) {
    (void)state;
    for (const Case *c = cases; c < cases + CASES; c++) {
        if (!c->op->slopes) continue;
        Tape tape;
        Step *step = run_case(&tape, c);
        backward_of_weighed_sum(step, &tape.arena);
        for (int n = 0; n < step->inputs; n++)
            for (int i = 0; op_learns(c->op, n) && i < tensor_size(step->input[n]);
                 i++) {
                Slopes slopes = {.arena = &tape.arena};
                c->op->slopes(step, n, i, &slopes);
                double sum = 0;
                for (int s = 0; s < slopes.count; s++) {
                    assert_in_range(slopes.slope[s].output, 0,
                                    tensor_size(step->output) - 1);
                    sum += slopes.slope[s].by * cell_weight(slopes.slope[s].output);
                }
                double found = (double)step->input[n]->grad[i];
                if (!(fabs(found - sum) <=
                      (is_double() ? 1e-9 : 1e-4) * fmax(1, fabs(sum))))
                    fail_msg("%s: the gradient of number %d of input %d is %.12g, but "
                             "its slopes make %.12g",
                             c->op->name, i, n, found, sum);
            }
        tape_free(&tape);
    }
}

/* Every placeholder of the lines is known, or known to the operation. */
static void check_code(const Op *op, const Code *code) {
    for (int l = 0; l < CODE_LANGUAGES; l++) {
        if (!code->line[l]) fail_msg("%s has no lines of code %d", op->name, l);
        for (const char *c = strchr(code->line[l], '$'); c; c = strchr(c + 1, '$')) {
            bool is_input = c[1] >= '0' && c[1] - '0' < op->inputs_max;
            if (!is_input && !strchr("y*ncs", c[1]) && !op->code_word)
                fail_msg("%s: nobody knows $%c", op->name, c[1]);
        }
    }
}

static void every_record_is_complete(void **state) {
    (void)state;
    for (const Op *const *next = ops; *next; next++) {
        const Op *op = *next;
        int found = 0;
        for (int i = 0; i < CASES; i++) found += cases[i].op == op;
        if (!found) fail_msg("%s has no case", op->name);
        assert_non_null(op->formula);
        if (op->reach == REACH_MANY && !op->relevance)
            fail_msg("%s: nothing says how :because follows it", op->name);
        if (op->reach == REACH_MOVED && !op->from)
            fail_msg("%s: nothing says where its numbers come from", op->name);
        if (!op->code)
            fail_msg("%s has no lines of code, nor says that it has none", op->name);
        for (const Code *code = op->code; code->line[0]; code++) check_code(op, code);
    }
}

static void every_activation_has_a_description(void **state) {
    (void)state;
    assert_string_equal(activation_names[ACTIVATION_NONE], "none");
    for (int a = 1; activation_names[a]; a++) {
        Tape tape = {0};
        const Axis axis = {.name = "axis", .size = 2};
        activate(&tape, "y", a, tape_given(&tape, "x", 1, &axis));
        assert_string_equal(tape.step[0].op->name, activation_names[a]);
        assert_int_equal(tape.step[0].op->reach, REACH_PLACE);
        if (!tape.step[0].op->says || !tape.step[0].op->title)
            fail_msg("%s has no title or sentence", activation_names[a]);
        tape_free(&tape);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_record_is_complete),
        cmocka_unit_test(every_activation_has_a_description),
        cmocka_unit_test(the_gradient_is_the_slope_and_adds_up),
        cmocka_unit_test(an_input_without_a_gradient_gets_none),
        cmocka_unit_test(only_inputs_that_learn_get_a_gradient),
        cmocka_unit_test(the_explanation_makes_the_cell),
        cmocka_unit_test(numbers_come_from_the_position_in_the_record),
        cmocka_unit_test(what_is_followed_back_adds_up),
        cmocka_unit_test(the_slopes_of_a_number_make_its_gradient),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
