#include <string.h>

#include "base/language.h"
#include "kernel/gemm.h"
#include "ops/ops.h"
#include "ops/shape.h"
#include "ops/term.h"

/* Both operations: Z[i,j] = sum over k of X[i,k] times Y[k,j] for matmul, Y[j,k] for
 * dot. Matrix m of X is multiplied by matrix m % others of Y. */
typedef struct {
    int matrices, others, i, j, k;
    bool dots;
} Sizes;

static Sizes sizes(const Step *step) {
    const Tensor *x = step->input[0];
    const Tensor *y = step->input[1];
    bool dots = step->op == &op_dot;
    return (Sizes){.matrices = shape_matrices(x),
                   .others = shape_matrices(y),
                   .i = shape_axis(x, 2)->size,
                   .j = shape_axis(y, dots ? 2 : 1)->size,
                   .k = tensor_row(x),
                   .dots = dots};
}

/* Return the index of number [k,j] in the matrix of Y for matrix `m` of X. */
static int cell_of_y(const Sizes *s, int m, int k, int j) {
    return m % s->others * s->j * s->k + (s->dots ? j * s->k + k : k * s->j + j);
}

static bool shape(const Step *step, int *rank, Axis *axis, Error *error) {
    const Op *op = step->op;
    if (!multiply_ready(error)) return false;
    const Tensor *x = step->input[0];
    const Tensor *y = step->input[1];
    if (y->rank < 2 || x->rank < y->rank)
        return fail(error,
                    "%s: %s %s must have at least two axes, and %s %s at least as many",
                    op->name, y->name, shape_text(y).text, x->name, shape_text(x).text);
    const Axis *inner_x = shape_axis(x, 1);
    const Axis *inner_y = shape_axis(y, op == &op_dot ? 1 : 2);
    bool fits = inner_x->size == inner_y->size;
    for (int back = 3; back <= y->rank; back++)
        fits = fits && shape_axis(x, back)->size == shape_axis(y, back)->size;
    if (!fits)
        return fail(error,
                    "%s: %s of %s %s must be as many as %s of %s %s, and the axes "
                    "before the last two must be equal",
                    op->name, inner_x->name, x->name, shape_text(x).text, inner_y->name,
                    y->name, shape_text(y).text);
    *rank = x->rank;
    for (int a = 0; a < *rank - 1; a++) axis[a] = x->axis[a];
    axis[*rank - 1] = *shape_axis(y, op == &op_dot ? 2 : 1);
    return true;
}

/* Z = X Y, matrix by matrix; dot: Z = X Y^T */
static void forward(Step *step, Arena *arena) {
    (void)arena;
    Sizes s = sizes(step);
    for (int m = 0; m < s.matrices; m++)
        gemm(&(Product){.a = step->input[0]->data + m * s.i * s.k,
                        .b = step->input[1]->data + m % s.others * s.j * s.k,
                        .b_transposed = s.dots,
                        .z = step->output->data + m * s.i * s.j,
                        .rows = s.i,
                        .columns = s.j,
                        .inner = s.k});
}

static void backward(const Step *step, Arena *scratch) {
    (void)scratch;
    Sizes s = sizes(step);
    Tensor *x = step->input[0];
    Tensor *y = step->input[1];
    /* dX = dZ Y^T for matmul, dZ Y for dot. */
    if (x->grad) {
        Number keep = tensor_grad_factor(x);
        for (int m = 0; m < s.matrices; m++)
            gemm(&(Product){.a = step->output->grad + m * s.i * s.j,
                            .b = y->data + m % s.others * s.j * s.k,
                            .b_transposed = !s.dots,
                            .z = x->grad + m * s.i * s.k,
                            .rows = s.i,
                            .columns = s.k,
                            .inner = s.j,
                            .keep = keep});
    }

    /* dY = X^T dZ for matmul, dZ^T X for dot, summed over all matrices of X that use
     * this matrix of Y. */
    if (y->grad && s.matrices > 0) {
        Number keep = tensor_grad_factor(y);
        for (int m = 0; m < s.matrices; m++) {
            const Number *left = x->data + m * s.i * s.k;
            const Number *dz = step->output->grad + m * s.i * s.j;
            gemm(&(Product){.a = s.dots ? dz : left,
                            .a_transposed = true,
                            .b = s.dots ? left : dz,
                            .z = y->grad + m % s.others * s.j * s.k,
                            .rows = s.dots ? s.j : s.k,
                            .columns = s.dots ? s.k : s.j,
                            .inner = s.i,
                            .keep = m < s.others ? keep : 1});
        }
    }
}

static void explain(const Step *step, int cell, Arena *arena,
                    Explanation *explanation) {
    const Tensor *x = step->input[0];
    const Tensor *y = step->input[1];
    Sizes s = sizes(step);
    int matrix = cell / (s.i * s.j);
    int row = cell / s.j; /* counted through all matrices */
    int column = cell % s.j;
    const char *formula = trf(
        arena, s.dots ? N_("%s · %s, summed over %s") : N_("%s × %s, summed over %s"),
        x->short_name, y->short_name, shape_axis(x, 1)->name);
    *explanation = terms_new(arena, &rule_sum, formula, s.k);
    for (int k = 0; k < s.k; k++) {
        int other = cell_of_y(&s, matrix, k, column);
        explanation->term[k] =
            term_product(arena, (Place){x, row * s.k + k}, (Place){y, other});
    }
}

/* Pass `share` × slope × the other factor to each number of input `i` (0: X, 1: Y). */
static void pass_product(Back *back, int i, double share) {
    const Step *step = back->step;
    Sizes s = sizes(step);
    for (int c = 0; c < back->flow->count; c++) {
        int cell = back->flow->from + c;
        double slope = share * back->flow->slope[c];
        for (int k = 0; k < s.k && slope != 0; k++) {
            int x = cell / s.j * s.k + k;
            int y = cell_of_y(&s, cell / (s.i * s.j), k, cell % s.j);
            double factor =
                (double)(i ? step->input[0]->data[x] : step->input[1]->data[y]);
            if (factor != 0) back_pass(back, i, i ? y : x, slope * factor);
        }
    }
}

/* Attention weights are treated as constants, and so are the matrices of :toy. */
static void relevance_matmul(Back *back) {
    pass_product(back, back->mixes, 1);
}

static void relevance_dot(Back *back) {
    pass_product(back, 0, 0.5);
    pass_product(back, 1, 0.5);
}

/* Each matrix of Y is used several times. */
static void slopes(const Step *step, int input, int cell, Slopes *slopes) {
    Sizes s = sizes(step);
    for (int j = 0; j < s.j && input == 0; j++) {
        int other = cell_of_y(&s, cell / (s.i * s.k), cell % s.k, j);
        slopes_add_factor(slopes, cell / s.k * s.j + j, (Place){step->input[1], other});
    }
    int place = cell % (s.j * s.k);
    int k = s.dots ? place % s.k : place / s.j;
    int j = s.dots ? place / s.k : place % s.j;
    for (int m = cell / (s.j * s.k); m < s.matrices && input == 1; m += s.others)
        for (int i = m * s.i; i < (m + 1) * s.i; i++)
            slopes_add_factor(slopes, i * s.j + j,
                              (Place){step->input[0], i * s.k + k});
}

const Op op_matmul = {
    .name = "matmul",
    .formula = "$y = $0 · $1",
    .inputs_min = 2,
    .inputs_max = 2,
    .learned = 3,
    .shape = shape,
    .forward = forward,
    .backward = backward,
    .explain = explain,
    .relevance = relevance_matmul,
    .slopes = slopes,
    .code = CODE("$y = $0 @ $1", "$y = $0 @ $1"),
    .mixes = true,
};

const Op op_dot = {
    .name = "dot",
    .formula = "$y = $0 · $1ᵀ",
    .inputs_min = 2,
    .inputs_max = 2,
    .learned = 3,
    .shape = shape,
    .forward = forward,
    .backward = backward,
    .explain = explain,
    .relevance = relevance_dot,
    .slopes = slopes,
    .code = CODE("$y = $0 @ $1.swapaxes(-1, -2)", "$y = $0 @ $1.transpose(-1, -2)"),
};

Tensor *matmul(Tape *tape, const char *name, Tensor *x, Tensor *y) {
    return tape_run(tape, &op_matmul, name, (Tensor *[]){x, y}, 2, (Setting){0});
}

Tensor *dot(Tape *tape, const char *name, Tensor *x, Tensor *y) {
    return tape_run(tape, &op_dot, name, (Tensor *[]){x, y}, 2, (Setting){0});
}
