#include "base/language.h"
#include "kernel/vector.h"
#include "ops/ops.h"
#include "ops/shape.h"
#include "ops/term.h"

static bool shape(const Step *step, int *rank, Axis *axis, Error *error) {
    const Tensor *x = step->input[0];
    int heads = step->setting.count;
    if (!shape_rank(step->op, x, 4, "batch, head, token, d_head", error)) return false;
    if (heads < 1 || x->axis[1].size < 1 || heads % x->axis[1].size != 0)
        return fail(error,
                    "repeat_heads: the %d heads of %s cannot be shared equally by %d",
                    x->axis[1].size, x->name, heads);
    shape_as_input(step, rank, axis, error);
    axis[1].size = heads;
    return true;
}

/* The size of one head, and the input head that becomes output head `head`. Heads are
 * numbered through the whole batch. */
static int head_size(const Step *step) {
    return step->output->axis[2].size * step->output->axis[3].size;
}

static int source_of(const Step *step, int head) {
    int share = step->output->axis[1].size / step->input[0]->axis[1].size;
    return head / share;
}

/* Head h uses key head h / (heads / key heads): grouped-query attention, Ainslie et al.
 * 2023, arXiv:2305.13245. */
static void forward(Step *step, Arena *arena) {
    (void)arena;
    int size = head_size(step);
    const Axis *axis = step->output->axis;
    for (int h = 0; h < axis[0].size * axis[1].size; h++)
        vector_add(step->output->data + h * size,
                   step->input[0]->data + source_of(step, h) * size, 1, 0, size);
}

/* dx = sum of dy over the heads of a group */
static void backward(const Step *step, Arena *scratch) {
    (void)scratch;
    Tensor *x = step->input[0];
    if (!x->grad) return;
    tensor_begin_grad(x);
    int size = head_size(step);
    const Axis *axis = step->output->axis;
    for (int h = 0; h < axis[0].size * axis[1].size; h++)
        vector_add(x->grad + source_of(step, h) * size, step->output->grad + h * size,
                   1, 1, size);
}

static Place from(const Step *step, int cell) {
    int size = head_size(step);
    return (Place){step->input[0], source_of(step, cell / size) * size + cell % size};
}

static void explain(const Step *step, int cell, Arena *arena,
                    Explanation *explanation) {
    Place place = from(step, cell);
    const char *formula =
        trf(arena, "the same number: head %d uses head %d of %s",
            tensor_index(step->output, 1, cell),
            tensor_index(place.tensor, 1, place.cell), place.tensor->short_name);
    *explanation = terms_new(arena, &rule_sum, formula, 1);
    explanation->term[0] = term_same(arena, place);
}

/* $r: how many heads share a key head. */
static const char *code_word(const Step *step, char letter, Arena *arena) {
    (void)letter;
    return arena_print(arena, "%d",
                       step->output->axis[1].size / step->input[0]->axis[1].size);
}

const Op op_repeat_heads = {
    .name = "repeat_heads",
    .formula = N_("$y[head] = $0[the head of its group]"),
    .inputs_min = 1,
    .inputs_max = 1,
    .learned = 1,
    .reach = REACH_MOVED,
    .shape = shape,
    .forward = forward,
    .backward = backward,
    .explain = explain,
    .from = from,
    .code =
        CODE("$y = numpy.repeat($0, $r, axis=1)", "$y = $0.repeat_interleave($r, 1)"),
    .code_word = code_word,
    .says = N_("Several heads share one key and value head: each has its own queries, "
               "but they are compared with the same keys and add up the same values."),
};

Tensor *repeat_heads(Tape *tape, const char *name, Tensor *x, int heads) {
    return tape_run(tape, &op_repeat_heads, name, &x, 1, (Setting){.count = heads});
}
