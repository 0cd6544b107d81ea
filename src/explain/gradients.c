#include "explain/gradients.h"

#include <math.h>
#include <string.h>

#include "base/language.h"
#include "ops/term.h"

static void add_one(Gradients *gradients, const Tensor *tensor, Arena *arena) {
    if (!tensor->grad || tensor->holds_ids || tensor_size(tensor) == 0 ||
        gradients_of(gradients, tensor))
        return;
    Tensor *gradient = &gradients->tensor[gradients->count];
    *gradient = *tensor;
    gradient->name = arena_print(arena, "%s.grad", tensor->name);
    gradient->short_name = "grad";
    gradient->data = tensor->grad;
    gradient->grad = NULL;
    gradient->step = STEP_NONE;
    gradients->of[gradients->count++] = tensor;
}

Gradients gradients_new(const Tape *tape, const Weights *weights, Arena *arena) {
    int max = tape->entries + weights->count;
    Gradients gradients = {.tape = tape,
                           .tensor = ARENA_ARRAY(arena, Tensor, max),
                           .of = ARENA_ARRAY(arena, const Tensor *, max)};
    for (int e = 0; e < tape->entries; e++)
        add_one(&gradients, tape->entry[e].tensor, arena);
    for (int w = 0; w < weights->count; w++)
        add_one(&gradients, weights->weight[w].tensor, arena);
    return gradients;
}

const Tensor *gradients_find(const Gradients *gradients, const char *name) {
    for (int g = 0; gradients && g < gradients->count; g++)
        if (strcmp(gradients->tensor[g].name, name) == 0) return &gradients->tensor[g];
    return NULL;
}

const Tensor *gradients_of(const Gradients *gradients, const Tensor *tensor) {
    for (int g = 0; g < gradients->count; g++)
        if (gradients->of[g] == tensor) return &gradients->tensor[g];
    return NULL;
}

bool gradients_have(const Gradients *gradients, const Tensor *tensor) {
    return gradients && tensor >= gradients->tensor &&
           tensor < gradients->tensor + gradients->count;
}

/* Return the gradient of the input that backward computes from the output gradient
 * `given`. The step itself does not change. */
static double probe(const Step *step, int input, int cell, Number *given) {
    Arena scratch = {0};
    Step copy = *step;
    Tensor output = *copy.output;
    Tensor *all = ARENA_ARRAY(&scratch, Tensor, copy.inputs);
    copy.input = ARENA_ARRAY(&scratch, Tensor *, copy.inputs);
    for (int i = 0; i < copy.inputs; i++) {
        all[i] = *step->input[i];
        all[i].grad = NULL;
        all[i].grad_written = false;
        copy.input[i] = &all[i];
    }
    Tensor *asked = copy.input[input];
    asked->grad = ARENA_ARRAY(&scratch, Number, tensor_size(asked));
    output.grad = given;
    copy.output = &output;
    copy.op->backward(&copy, &scratch);
    double slope = asked->grad_written ? (double)asked->grad[cell] : 0;
    arena_free(&scratch);
    return slope;
}

/* If there is no Op.slopes, find the derivatives by trying each output that the input
 * reaches. For operations that only move numbers, each goes to one cell or none, so a
 * single call with the cell numbers is enough. */
static void probe_slopes(const Step *step, int input, int cell, Slopes *slopes) {
    Arena scratch = {0};
    const Reach reach = step->op->reach;
    int size = tensor_size(step->output);
    Number *given = ARENA_ARRAY(&scratch, Number, size);
    for (int j = 0; j < size && reach == REACH_MOVED; j++) given[j] = (Number)(j + 1);
    int place =
        reach == REACH_MOVED ? (int)lround(probe(step, input, cell, given)) - 1 : cell;
    for (int j = 0; j < size; j++) {
        if (reach != REACH_MANY && j != place) continue;
        memset(given, 0, (size_t)size * sizeof *given);
        given[j] = 1;
        double slope = probe(step, input, cell, given);
        if (slope != 0) slopes_add(slopes, j, slope);
    }
    arena_free(&scratch);
}

/* The terms of one step: gradient of each output × its derivative. */
typedef struct {
    Term *term;
    int count, capacity;
} Terms;

static void add_terms(const Gradients *gradients, const Step *step, int input, int cell,
                      Terms *terms, Arena *arena) {
    if (!op_learns(step->op, input) || !step->op->backward ||
        !step->output->grad_written)
        return;
    const Tensor *gradient = gradients_of(gradients, step->output);
    Slopes slopes = {.arena = arena};
    (step->op->slopes ? step->op->slopes : probe_slopes)(step, input, cell, &slopes);
    for (int s = 0; s < slopes.count; s++) {
        const Slope *slope = &slopes.slope[s];
        const double above = (double)step->output->grad[slope->output];
        const char *text =
            slope->text ? slope->text
                        : arena_print(arena, "%s × %s", term_number(arena, above),
                                      term_number(arena, slope->by));
        ARENA_GROW(arena, terms->term, terms->count, terms->capacity);
        terms->term[terms->count++] =
            (Term){above * slope->by, text, {{gradient, slope->output}, slope->factor}};
    }
}

void gradients_explain(const Gradients *gradients, const Tensor *tensor, int cell,
                       Arena *arena, Explanation *explanation) {
    const Tape *tape = gradients->tape;
    const Tensor *of = gradients->of[tensor - gradients->tensor];
    Terms terms = {0};
    const char *formula =
        N_("for each number computed from this one: its gradient × how much it moves "
           "with this one");
    for (int s = 0; s < tape->count; s++)
        for (int i = 0; i < tape->step[s].inputs; i++)
            if (tape->step[s].input[i] == of)
                add_terms(gradients, &tape->step[s], i, cell, &terms, arena);
    const bool is_loss = tape->count && of->step == tape->count - 1;
    if (is_loss) {
        ARENA_GROW(arena, terms.term, terms.count, terms.capacity);
        terms.term[terms.count++] = (Term){1, tr("the loss moves with itself"), {{0}}};
    }
    *explanation = terms_new(arena, &rule_sum, formula, terms.count);
    if (terms.count)
        memcpy(explanation->term, terms.term, (size_t)terms.count * sizeof(Term));
    else
        explanation->note = tr("the loss does not depend on this number");
}
