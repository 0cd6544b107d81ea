#include "base/language.h"
#include "kernel/vector.h"
#include "ops/ops.h"
#include "ops/shape.h"
#include "ops/term.h"

static bool shape(const Step *step, int *rank, Axis *axis, Error *error) {
    return shape_factor(step, 1, error) && shape_factor(step, 2, error) &&
           shape_as_input(step, rank, axis, error);
}

/* y = (x - mean) / sqrt(variance + epsilon) gain + bias, row by row. The mean and
 * inv_std = 1 / sqrt(variance + epsilon) are saved for backward. */
CLONES static void forward(Step *step, Arena *arena) {
    const Number *x = step->input[0]->data;
    const Number *gain = step->input[1]->data;
    const Number *bias = step->input[2]->data;
    Number *y = step->output->data;
    int rows = shape_rows(step->input[0]);
    int size = tensor_row(step->input[0]);
    if (!step->kept) step->kept = ARENA_ARRAY(arena, Number, 2 * rows);
    Number *stored = step->kept;
    for (int row = 0; row < rows; row++, x += size, y += size, stored += 2) {
        double sum, squares;
        SUM(sum, size, x[i]);
        Number mean = (Number)(sum / size);
        /* Subtract the mean first: the mean of the squares minus the squared mean would
         * lose all digits of a row that is far from 0. */
        SUM(squares, size, (x[i] - mean) * (x[i] - mean));
        Number inv_std = (Number)(1 / sqrt(squares / size + step->setting.number));
        stored[0] = mean;
        stored[1] = inv_std;
#pragma omp simd
        for (int i = 0; i < size; i++)
            y[i] = (x[i] - mean) * inv_std * gain[i] + bias[i];
    }
}

/* dx_i = (du_i - mean of du - u_i mean of du u) inv_std, where u = (x - mean) inv_std
 * and du = dy gain: every x also affects the mean and deviation of its row. */
CLONES static void backward_x(const Step *step) {
    const Number *x = step->input[0]->data;
    const Number *gain = step->input[1]->data;
    const Number *dy = step->output->grad;
    const Number *stored = step->kept;
    Number *dx = step->input[0]->grad;
    Number keep = tensor_grad_factor(step->input[0]);
    int rows = shape_rows(step->input[0]);
    int size = tensor_row(step->input[0]);
    for (int row = 0; row < rows;
         row++, x += size, dx += size, dy += size, stored += 2) {
        Number mean = stored[0];
        Number inv_std = stored[1];
        Number mean_du = 0;
        Number mean_du_u = 0;
#pragma omp simd reduction(+ : mean_du, mean_du_u)
        for (int i = 0; i < size; i++) {
            Number du = dy[i] * gain[i];
            mean_du += du;
            mean_du_u += du * ((x[i] - mean) * inv_std);
        }
        mean_du /= (Number)size;
        mean_du_u /= (Number)size;
#pragma omp simd
        for (int i = 0; i < size; i++) {
            Number u = (x[i] - mean) * inv_std;
            Number du = dy[i] * gain[i];
            dx[i] = kept(keep, dx[i]) + (du - mean_du - u * mean_du_u) * inv_std;
        }
    }
}

/* dgain = sum of dy u over the rows */
CLONES static void backward_gain(const Step *step) {
    const Number *x = step->input[0]->data;
    const Number *dy = step->output->grad;
    const Number *stored = step->kept;
    Number *dgain = step->input[1]->grad;
    Number keep = tensor_grad_factor(step->input[1]);
    int rows = shape_rows(step->input[0]);
    int size = tensor_row(step->input[0]);
    for (int i = 0; i < size; i++) dgain[i] = kept(keep, dgain[i]);
    for (int row = 0; row < rows; row++, x += size, dy += size, stored += 2) {
        Number mean = stored[0];
        Number inv_std = stored[1];
#pragma omp simd
        for (int i = 0; i < size; i++) dgain[i] += dy[i] * ((x[i] - mean) * inv_std);
    }
}

/* dbias = sum of dy over the rows */
static void backward(const Step *step, Arena *scratch) {
    (void)scratch;
    const Tensor *x = step->input[0];
    Tensor *bias = step->input[2];
    if (x->grad) backward_x(step);
    if (step->input[1]->grad) backward_gain(step);
    if (bias->grad)
        vector_add_rows(bias->grad, step->output->grad, tensor_grad_factor(bias),
                        shape_rows(x), tensor_row(x));
}

static double mean_of(const Number *row, int size) {
    double sum = 0;
    for (int i = 0; i < size; i++) sum += (double)row[i];
    return sum / size;
}

static double variance_of(const Number *row, int size, double mean) {
    double sum = 0;
    for (int i = 0; i < size; i++)
        sum += ((double)row[i] - mean) * ((double)row[i] - mean);
    return sum / size;
}

/* The terms of an explanation, and how they combine into the cell. */
enum {
    NORM_X,
    NORM_MEAN,
    NORM_VARIANCE,
    NORM_EPSILON,
    NORM_GAIN,
    NORM_BIAS,
    NORM_TERMS
};

static double combine(const Explanation *explanation) {
    const Term *term = explanation->term;
    double deviation = sqrt(term[NORM_VARIANCE].value + term[NORM_EPSILON].value);
    return (term[NORM_X].value - term[NORM_MEAN].value) / deviation *
               term[NORM_GAIN].value +
           term[NORM_BIAS].value;
}

static const char *line(const Explanation *explanation, Arena *arena) {
    const Term *term = explanation->term;
    return arena_print(arena, "(%.4g − %.4g) / √(%.4g + %.0e) × %.4g + %.4g",
                       term[NORM_X].value, term[NORM_MEAN].value,
                       term[NORM_VARIANCE].value, term[NORM_EPSILON].value,
                       term[NORM_GAIN].value, term[NORM_BIAS].value);
}

static const Rule rule_norm = {.name = N_("(x - mean) / √(variance + ε) × gain + bias"),
                               .combine = combine,
                               .line = line};

static void explain(const Step *step, int cell, Arena *arena,
                    Explanation *explanation) {
    const Tensor *x = step->input[0];
    int size = tensor_row(x);
    int i = cell % size;
    const Number *row = x->data + cell - i;
    double mean = mean_of(row, size);
    double variance = variance_of(row, size, mean);
    const char *formula = trf(
        arena, "(x - mean) / √(variance + ε) × gain + bias, mean and variance along %s",
        shape_axis(x, 1)->name);
    *explanation = terms_new(arena, &rule_norm, formula, NORM_TERMS);
    Term *term = explanation->term;
    Place number = {x, cell};
    Place gain = {step->input[1], i};
    Place bias = {step->input[2], i};
    term[NORM_X] = (Term){term_at(number), tr("x, the number itself"), {number}};
    term[NORM_MEAN] =
        (Term){mean, trf(arena, "mean of the %d numbers of the row", size), {{0}}};
    term[NORM_VARIANCE] = (Term){
        variance, trf(arena, "variance of the %d numbers of the row", size), {{0}}};
    term[NORM_EPSILON] =
        (Term){step->setting.number, tr("ε, which keeps the root from being 0"), {{0}}};
    term[NORM_GAIN] = (Term){term_at(gain), tr("gain"), {gain}};
    term[NORM_BIAS] = (Term){term_at(bias), tr("bias"), {bias}};
}

/* Only inv_std is treated as a constant; the mean is also a sum of x. */
static void relevance(Back *back) {
    const Step *step = back->step;
    int size = tensor_row(step->output);
    int end = back_end_row(back, size);
    int row = back_first_row(back, size);
    Flow *x = back_open(back, 0, row * size, end * size);
    for (; row < end; row++) {
        double *to = x->slope + (row * size - x->from);
        const Number *numbers = step->input[0]->data + row * size;
        double variance = variance_of(numbers, size, mean_of(numbers, size));
        double inv_std = 1 / sqrt(variance + step->setting.number);
        double sum = 0;
        for (int i = 0; i < size; i++) {
            double slope = back_slope(back, row * size + i);
            to[i] = slope * inv_std * (double)step->input[1]->data[i];
            sum += to[i];
            back->constant += slope * (double)step->input[2]->data[i];
        }
        for (int i = 0; i < size; i++) to[i] -= sum / size;
    }
}

/* y_j = u_j gain_j + bias_j, where u = (x - mean) inv_std, and dy_j/dx_i = gain_j
 * inv_std ([j = i] - 1/n - u_i u_j / n) */
static void slopes(const Step *step, int input, int cell, Slopes *slopes) {
    const Number *x = step->input[0]->data;
    int size = tensor_row(step->input[0]);
    int rows = shape_rows(step->input[0]);
    for (int r = 0; r < rows; r++) {
        double mean = (double)step->kept[2 * r];
        double inv_std = (double)step->kept[2 * r + 1];
        int start = r * size;
        if (input == 2) slopes_add(slopes, start + cell, 1);
        if (input == 1)
            slopes_add(slopes, start + cell,
                       ((double)x[start + cell] - mean) * inv_std);
        if (input || cell / size != r) continue;
        double own = ((double)x[cell] - mean) * inv_std;
        for (int j = start; j < start + size; j++) {
            double other = ((double)x[j] - mean) * inv_std;
            double slope = (j == cell) - 1.0 / size - own * other / size;
            slopes_add(slopes, j,
                       slope * inv_std * (double)step->input[1]->data[j - start]);
        }
    }
}

const Op op_layer_norm = {
    .name = "layer_norm",
    .formula = N_("$y = ($0 − mean) / √(variance + $n) · gain + bias"),
    .inputs_min = 3,
    .inputs_max = 3,
    .learned = 7,
    .shape = shape,
    .forward = forward,
    .backward = backward,
    .explain = explain,
    .relevance = relevance,
    .slopes = slopes,
    .code = CODE("centred = $0 - $0.mean(-1, keepdims=True)\n"
                 "deviation = numpy.sqrt($0.var(-1, keepdims=True) + $n)\n"
                 "$y = centred / deviation * $1 + $2",
                 "$y = F.layer_norm($0, $0.shape[-1:], $1, $2, eps=$n)"),
    .says = N_("Layer norm gives each row mean 0 and standard deviation 1. Then "
               "learned weights scale (gain) and shift (bias) each column."),
    .centres = true,
};

Tensor *layer_norm(Tape *tape, const char *name, Tensor *x, const Norm *norm) {
    return tape_run(tape, &op_layer_norm, name, (Tensor *[]){x, norm->gain, norm->bias},
                    3, (Setting){.number = norm->epsilon});
}
