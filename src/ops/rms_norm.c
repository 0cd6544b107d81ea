#include "base/language.h"
#include "kernel/vector.h"
#include "ops/ops.h"
#include "ops/shape.h"
#include "ops/term.h"

static bool shape(const Step *step, int *rank, Axis *axis, Error *error) {
    return shape_factor(step, 1, error) && shape_as_input(step, rank, axis, error);
}

/* y = x / sqrt(mean of x^2 + epsilon) gain, row by row: Zhang and Sennrich 2019,
 * arXiv:1910.07467. The inv_std, 1 / the root, is
 * kept for the gradient. */
CLONES static void forward(Step *step, Arena *arena) {
    const Number *x = step->input[0]->data;
    const Number *gain = step->input[1]->data;
    Number *y = step->output->data;
    int rows = shape_rows(step->input[0]);
    int size = tensor_row(step->input[0]);
    if (!step->kept) step->kept = ARENA_ARRAY(arena, Number, rows);
    for (int row = 0; row < rows; row++, x += size, y += size) {
        double squares;
        SUM(squares, size, x[i] * x[i]);
        Number inv_std = (Number)(1 / sqrt(squares / size + step->setting.number));
        step->kept[row] = inv_std;
#pragma omp simd
        for (int i = 0; i < size; i++) y[i] = x[i] * inv_std * gain[i];
    }
}

/* dx_i = (du_i - u_i mean of du u) inv_std, for u = x inv_std and du = dy gain:
 * moving one x moves what its row is divided by, too. dgain = the sum of dy u over the
 * rows. */
CLONES static void backward(const Step *step, Arena *scratch) {
    (void)scratch;
    const Number *x = step->input[0]->data;
    const Number *gain = step->input[1]->data;
    const Number *dy = step->output->grad;
    Number *dx = step->input[0]->grad;
    Number *dgain = step->input[1]->grad;
    Number keep = dx ? tensor_grad_factor(step->input[0]) : 0;
    int rows = shape_rows(step->input[0]);
    int size = tensor_row(step->input[0]);
    if (dgain) tensor_begin_grad(step->input[1]);
    for (int row = 0; row < rows; row++, x += size, dy += size) {
        Number inv_std = step->kept[row];
        if (dx) {
            Number mean = 0;
#pragma omp simd reduction(+ : mean)
            for (int i = 0; i < size; i++) mean += dy[i] * gain[i] * (x[i] * inv_std);
            mean /= (Number)size;
#pragma omp simd
            for (int i = 0; i < size; i++)
                dx[i] = kept(keep, dx[i]) +
                        (dy[i] * gain[i] - x[i] * inv_std * mean) * inv_std;
            dx += size;
        }
        if (!dgain) continue;
#pragma omp simd
        for (int i = 0; i < size; i++) dgain[i] += dy[i] * (x[i] * inv_std);
    }
}

static double mean_square(const Number *row, int size) {
    double sum = 0;
    for (int i = 0; i < size; i++) sum += (double)row[i] * (double)row[i];
    return sum / size;
}

/* The terms of an explanation, and how they make the cell. */
enum { RMS_X, RMS_SQUARE, RMS_EPSILON, RMS_GAIN, RMS_TERMS };

static double combine(const Explanation *explanation) {
    const Term *term = explanation->term;
    return term[RMS_X].value / sqrt(term[RMS_SQUARE].value + term[RMS_EPSILON].value) *
           term[RMS_GAIN].value;
}

static const char *line(const Explanation *explanation, Arena *arena) {
    const Term *term = explanation->term;
    return arena_print(arena, "%.4g / √(%.4g + %.0e) × %.4g", term[RMS_X].value,
                       term[RMS_SQUARE].value, term[RMS_EPSILON].value,
                       term[RMS_GAIN].value);
}

static const Rule rule_rms = {
    .name = N_("x / √(rms² + ε) × gain"), .combine = combine, .line = line};

static void explain(const Step *step, int cell, Arena *arena,
                    Explanation *explanation) {
    const Tensor *x = step->input[0];
    int size = tensor_row(x);
    Place number = {x, cell};
    Place gain = {step->input[1], cell % size};
    *explanation = terms_new(
        arena, &rule_rms,
        trf(arena, "x / √(rms² + ε) × gain, rms: the root mean square along %s",
            shape_axis(x, 1)->name),
        RMS_TERMS);
    Term *term = explanation->term;
    term[RMS_X] = (Term){term_at(number), tr("x, the number itself"), {number}};
    term[RMS_SQUARE] =
        (Term){mean_square(x->data + cell - cell % size, size),
               trf(arena, "rms², the mean square of the %d numbers of the row", size),
               {{0}}};
    term[RMS_EPSILON] =
        (Term){step->setting.number, tr("ε, which keeps the root from being 0"), {{0}}};
    term[RMS_GAIN] = (Term){term_at(gain), tr("gain"), {gain}};
}

/* The root is taken as it is: what is left is in proportion to x. */
static void because(Back *back) {
    const Step *step = back->step;
    int size = tensor_row(step->output);
    const Flow *flow = back->flow;
    Flow *x = back_open(back, 0, flow->from, flow->from + flow->count);
    double inv_std = 0;
    for (int i = 0; i < flow->count; i++) {
        int cell = flow->from + i;
        if (i == 0 || cell % size == 0)
            inv_std =
                1 / sqrt(mean_square(step->input[0]->data + cell - cell % size, size) +
                         step->setting.number);
        x->slope[i] =
            flow->slope[i] * inv_std * (double)step->input[1]->data[cell % size];
    }
}

/* dy_j/dx_i = gain_j inv_std (1 for j = i - u_i u_j / n), with u = x inv_std */
static void slopes(const Step *step, int input, int cell, Slopes *slopes) {
    const Number *x = step->input[0]->data;
    int size = tensor_row(step->input[0]);
    for (int r = 0; r < shape_rows(step->input[0]) && input == 1; r++)
        slopes_add(slopes, r * size + cell,
                   (double)x[r * size + cell] * (double)step->kept[r]);
    int start = cell - cell % size;
    for (int j = 0; j < size && input == 0; j++) {
        double inv_std = (double)step->kept[cell / size];
        double own = (double)x[cell] * inv_std;
        double other = (double)x[start + j] * inv_std;
        slopes_add(slopes, start + j,
                   ((start + j == cell) - own * other / size) * inv_std *
                       (double)step->input[1]->data[j]);
    }
}

const Op op_rms_norm = {
    .name = "rms_norm",
    .formula = N_("$y = $0 / √(rms² + $n) · gain"),
    .inputs_least = 2,
    .inputs_most = 2,
    .learned = 3,
    .shape = shape,
    .forward = forward,
    .backward = backward,
    .explain = explain,
    .because = because,
    .slopes = slopes,
    .code = CODE("$y = $0 / numpy.sqrt(($0 ** 2).mean(-1, keepdims=True) + $n) * $1",
                 "$y = $0 * torch.rsqrt(($0 ** 2).mean(-1, keepdim=True) + $n) * $1"),
    .says = N_("RMSNorm divides each row by its root mean square, so that all rows are "
               "of one size, then stretches it by weights, one for each column."),
};

Tensor *rms_norm(Tape *tape, const char *name, Tensor *x, const Norm *norm) {
    return tape_run(tape, &op_rms_norm, name, (Tensor *[]){x, norm->gain}, 2,
                    (Setting){.number = norm->epsilon});
}
