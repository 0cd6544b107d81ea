#include "base/language.h"
#include "kernel/vector.h"
#include "ops/ops.h"
#include "ops/shape.h"
#include "ops/term.h"

/* The gain is the second input; rms_plain has none. */

static bool shape(const Step *step, int *rank, Axis *axis, Error *error) {
    return (step->inputs == 1 || shape_factor(step, 1, error)) &&
           shape_as_input(step, rank, axis, error);
}

static double gain_at(const Step *step, int column) {
    return step->inputs > 1 ? (double)step->input[1]->data[column] : 1;
}

/* y = x / sqrt(mean of x^2 + epsilon) gain, row by row: Zhang and Sennrich 2019,
 * arXiv:1910.07467. inv_std, 1 / the root, is saved for backward. */
CLONES static void forward(Step *step, Arena *arena) {
    const Number *x = step->input[0]->data;
    const Number *gain = step->inputs > 1 ? step->input[1]->data : NULL;
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
        for (int i = 0; i < size; i++) y[i] = x[i] * inv_std * (gain ? gain[i] : 1);
    }
}

/* dx_i = (du_i - u_i mean of du u) inv_std, where u = x inv_std and du = dy gain: every
 * x also affects the divisor of its row. dgain = sum of dy u over the rows. */
CLONES static void backward(const Step *step, Arena *scratch) {
    (void)scratch;
    const Number *x = step->input[0]->data;
    const Number *gain = step->inputs > 1 ? step->input[1]->data : NULL;
    const Number *dy = step->output->grad;
    Number *dx = step->input[0]->grad;
    Number *dgain = gain ? step->input[1]->grad : NULL;
    Number keep = dx ? tensor_grad_factor(step->input[0]) : 0;
    int rows = shape_rows(step->input[0]);
    int size = tensor_row(step->input[0]);
    if (dgain) tensor_begin_grad(step->input[1]);
    for (int row = 0; row < rows; row++, x += size, dy += size) {
        Number inv_std = step->kept[row];
        if (dx) {
            Number mean = 0;
#pragma omp simd reduction(+ : mean)
            for (int i = 0; i < size; i++)
                mean += dy[i] * (gain ? gain[i] : 1) * (x[i] * inv_std);
            mean /= (Number)size;
#pragma omp simd
            for (int i = 0; i < size; i++)
                dx[i] =
                    kept(keep, dx[i]) +
                    (dy[i] * (gain ? gain[i] : 1) - x[i] * inv_std * mean) * inv_std;
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

/* The terms of an explanation, and how they combine into the cell. */
enum { RMS_X, RMS_SQUARE, RMS_EPSILON, RMS_GAIN, RMS_TERMS };

static double combine(const Explanation *explanation) {
    const Term *term = explanation->term;
    double gain = explanation->count > RMS_GAIN ? term[RMS_GAIN].value : 1;
    return term[RMS_X].value / sqrt(term[RMS_SQUARE].value + term[RMS_EPSILON].value) *
           gain;
}

static const char *line(const Explanation *explanation, Arena *arena) {
    const Term *term = explanation->term;
    const char *normed = arena_print(arena, "%.4g / √(%.4g + %.0e)", term[RMS_X].value,
                                     term[RMS_SQUARE].value, term[RMS_EPSILON].value);
    return explanation->count > RMS_GAIN
               ? arena_print(arena, "%s × %.4g", normed, term[RMS_GAIN].value)
               : normed;
}

static const Rule rule_plain = {
    .name = N_("x / √(rms² + ε)"), .combine = combine, .line = line};
static const Rule rule_gain = {
    .name = N_("x / √(rms² + ε) × gain"), .combine = combine, .line = line};

static void explain(const Step *step, int cell, Arena *arena,
                    Explanation *explanation) {
    const Tensor *x = step->input[0];
    int size = tensor_row(x);
    const bool has_gain = step->inputs > 1;
    const char *axis = shape_axis(x, 1)->name;
    Place number = {x, cell};
    *explanation = terms_new(
        arena, has_gain ? &rule_gain : &rule_plain,
        has_gain
            ? trf(arena, "x / √(rms² + ε) × gain, rms: the root mean square along %s",
                  axis)
            : trf(arena, "x / √(rms² + ε), rms: the root mean square along %s", axis),
        has_gain ? RMS_TERMS : RMS_GAIN);
    Term *term = explanation->term;
    term[RMS_X] = (Term){term_at(number), tr("x, the number itself"), {number}};
    term[RMS_SQUARE] =
        (Term){mean_square(x->data + cell - cell % size, size),
               trf(arena, "rms², the mean square of the %d numbers of the row", size),
               {{0}}};
    term[RMS_EPSILON] =
        (Term){step->setting.number, tr("ε, which keeps the root from being 0"), {{0}}};
    if (!has_gain) return;
    Place gain = {step->input[1], cell % size};
    term[RMS_GAIN] = (Term){term_at(gain), tr("gain"), {gain}};
}

/* The root is treated as a constant: the rest is proportional to x. */
static void relevance(Back *back) {
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
        x->slope[i] = flow->slope[i] * inv_std * gain_at(step, cell % size);
    }
}

/* dy_j/dx_i = gain_j inv_std ([j = i] - u_i u_j / n), where u = x inv_std */
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
                       gain_at(step, j));
    }
}

#define RMS                                                                            \
    .shape = shape, .forward = forward, .backward = backward, .explain = explain,      \
    .relevance = relevance, .slopes = slopes

const Op op_rms_norm = {
    .name = "rms_norm",
    .formula = N_("$y = $0 / √(rms² + $n) · gain"),
    .inputs_min = 2,
    .inputs_max = 2,
    .learned = 3,
    RMS,
    .code = CODE("$y = $0 / numpy.sqrt(($0 ** 2).mean(-1, keepdims=True) + $n) * $1",
                 "$y = $0 * torch.rsqrt(($0 ** 2).mean(-1, keepdim=True) + $n) * $1"),
    .says = N_("RMSNorm divides each row by its root mean square, which then becomes "
               "1. Then a learned weight (gain) scales each column."),
};

const Op op_rms_plain = {
    .name = "rms_plain",
    .formula = N_("$y = $0 / √(rms² + $n)"),
    .inputs_min = 1,
    .inputs_max = 1,
    .learned = 1,
    RMS,
    .code = CODE("$y = $0 / numpy.sqrt(($0 ** 2).mean(-1, keepdims=True) + $n)",
                 "$y = $0 * torch.rsqrt(($0 ** 2).mean(-1, keepdim=True) + $n)"),
    .says = N_("This norm divides each row by its root mean square, which then becomes "
               "1. It has no weights."),
};

Tensor *rms_norm(Tape *tape, const char *name, Tensor *x, const Norm *norm) {
    return tape_run(tape, &op_rms_norm, name, (Tensor *[]){x, norm->gain}, 2,
                    (Setting){.number = norm->epsilon});
}

Tensor *rms_plain(Tape *tape, const char *name, Tensor *x, double epsilon) {
    return tape_run(tape, &op_rms_plain, name, (Tensor *[]){x}, 1,
                    (Setting){.number = epsilon});
}
