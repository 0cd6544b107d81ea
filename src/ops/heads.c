/* Two operations that only swap the order of tokens and heads, in rows of d_head
 * numbers. Forward, backward and explain use the same function to find the source of an
 * output row. */
#include <limits.h>

#include "base/language.h"
#include "kernel/vector.h"
#include "ops/ops.h"
#include "ops/shape.h"
#include "ops/term.h"

/* For each sentence, the output has `outer` groups of `inner` rows, the input `inner`
 * groups of `outer` rows. */
typedef struct {
    bool splits; /* [batch, token, head x d_head] to [batch, head, token, d_head] */
    int batch, outer, inner, width;
} Order;

static Order order(const Step *step) {
    bool splits = step->op == &op_split_heads;
    const Axis *axis = splits ? step->output->axis : step->input[0]->axis;
    int heads = axis[1].size;
    int tokens = axis[2].size;
    return (Order){splits, axis[0].size, splits ? heads : tokens,
                   splits ? tokens : heads, axis[3].size};
}

/* Row `row` of the output is row source_row() of the input. */
static int source_row(const Order *o, int row) {
    int batch = row / o->inner / o->outer;
    return (batch * o->inner + row % o->inner) * o->outer + row / o->inner % o->outer;
}

static bool split_shape(const Step *step, int *rank, Axis *axis, Error *error) {
    const Tensor *x = step->input[0];
    int count = step->setting.count;
    if (!shape_rank(step->op, x, 3, "batch, token, d_model", error)) return false;
    if (count < 1 || tensor_row(x) % count != 0)
        return fail(error,
                    "split_heads: the %d numbers per row (%s) of %s cannot be shared "
                    "equally by %d heads",
                    tensor_row(x), x->axis[2].name, x->name, count);
    *rank = 4;
    axis[0] = x->axis[0];
    axis[1] = (Axis){.name = "head", .size = count};
    axis[2] = x->axis[1];
    axis[3] = (Axis){.name = "d_head", .size = tensor_row(x) / count};
    return true;
}

static bool merge_shape(const Step *step, int *rank, Axis *axis, Error *error) {
    const Tensor *x = step->input[0];
    if (!shape_rank(step->op, x, 4, "batch, head, token, d_head", error)) return false;
    long long width = (long long)x->axis[1].size * x->axis[3].size;
    if (width > INT_MAX)
        return fail(error, "merge_heads: the rows of %s %s would be too long", x->name,
                    shape_text(x).text);
    *rank = 3;
    axis[0] = x->axis[0];
    axis[1] = x->axis[2];
    axis[2] = (Axis){.name = "d_model", .size = (int)width};
    return true;
}

/* Return the first row of the input for group `group` of the output. */
static int group_source(const Order *o, int group) {
    return group / o->outer * o->inner * o->outer + group % o->outer;
}

/* y = keep y + x: rows of y are `y_step` numbers apart, those of x `x_step`. */
CLONES static void move_rows(Number *restrict y, int y_step, const Number *restrict x,
                             int x_step, Number keep, const Order *o) {
    for (int row = 0; row < o->inner; row++, y += y_step, x += x_step) {
#pragma omp simd
        for (int i = 0; i < o->width; i++) y[i] = kept(keep, y[i]) + x[i];
    }
}

/* split: y[h,t] = x[t,h]; merge: y[t,h] = x[h,t]; each a row of d_head numbers */
static void forward(Step *step, Arena *arena) {
    (void)arena;
    Order o = order(step);
    const Number *x = step->input[0]->data;
    for (int g = 0; g < o.batch * o.outer; g++)
        move_rows(step->output->data + g * o.inner * o.width, o.width,
                  x + group_source(&o, g) * o.width, o.outer * o.width, 0, &o);
}

/* split: dx[t,h] = dy[h,t]; merge: dx[h,t] = dy[t,h] */
static void backward(const Step *step, Arena *scratch) {
    (void)scratch;
    Order o = order(step);
    Tensor *x = step->input[0];
    const Number *dy = step->output->grad;
    if (!x->grad) return;
    Number keep = tensor_grad_factor(x);
    for (int g = 0; g < o.batch * o.outer; g++)
        move_rows(x->grad + group_source(&o, g) * o.width, o.outer * o.width,
                  dy + g * o.inner * o.width, o.width, keep, &o);
}

static Place from(const Step *step, int cell) {
    Order o = order(step);
    return (Place){step->input[0],
                   source_row(&o, cell / o.width) * o.width + cell % o.width};
}

static void explain(const Step *step, int cell, Arena *arena,
                    Explanation *explanation) {
    Order o = order(step);
    const Tensor *split = o.splits ? step->output : step->input[0];
    const Tensor *merged = o.splits ? step->input[0] : step->output;
    int source = from(step, cell).cell;
    int merged_cell = o.splits ? source : cell;
    int split_cell = o.splits ? cell : source;
    const char *formula = trf(arena, "the same number: %s %d is %s %d of head %d",
                              shape_axis(merged, 1)->name,
                              merged_cell % tensor_row(merged), split->axis[3].name,
                              split_cell % o.width, tensor_index(split, 1, split_cell));
    *explanation = terms_new(arena, &rule_sum, formula, 1);
    explanation->term[0] = term_same(arena, (Place){step->input[0], source});
}

/* $h: the sizes of the output before heads and tokens are transposed. */
static const char *code_word(const Step *step, char letter, Arena *arena) {
    (void)letter;
    const Axis *axis = step->output->axis;
    return arena_print(arena, "%d, %d, %d, %d", axis[0].size, axis[2].size,
                       axis[1].size, axis[3].size);
}

const Op op_split_heads = {
    .name = "split_heads",
    .formula = N_("$y[head, token] = the head's part of $0[token]"),
    .inputs_min = 1,
    .inputs_max = 1,
    .learned = 1,
    .reach = REACH_MOVED,
    .shape = split_shape,
    .forward = forward,
    .backward = backward,
    .explain = explain,
    .from = from,
    .code = CODE("$y = $0.reshape($h).swapaxes(1, 2)",
                 "$y = $0.reshape($h).transpose(1, 2)"),
    .code_word = code_word,
};

const Op op_merge_heads = {
    .name = "merge_heads",
    .formula = N_("$y[token] = the rows $0[head, token] of all heads, concatenated"),
    .inputs_min = 1,
    .inputs_max = 1,
    .learned = 1,
    .reach = REACH_MOVED,
    .shape = merge_shape,
    .forward = forward,
    .backward = backward,
    .explain = explain,
    .from = from,
    .code = CODE("$y = $0.swapaxes(1, 2).reshape($s)",
                 "$y = $0.transpose(1, 2).reshape($s)"),
};

Tensor *split_heads(Tape *tape, const char *name, Tensor *x, int heads) {
    return tape_run(tape, &op_split_heads, name, &x, 1, (Setting){.count = heads});
}

Tensor *merge_heads(Tape *tape, const char *name, Tensor *x) {
    return tape_run(tape, &op_merge_heads, name, &x, 1, (Setting){0});
}
