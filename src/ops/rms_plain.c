#include "base/language.h"
#include "kernel/vector.h"
#include "ops/ops.h"
#include "ops/shape.h"
#include "ops/term.h"

/* y = x / sqrt(mean of x^2 + epsilon), row by row: RMSNorm (Zhang and Sennrich 2019,
 * arXiv:1910.07467) without its gain. The inv_std, 1 / the root, is kept for the
 * gradient. */
CLONES static void forward(Step *step, Arena *arena) {
    const Number *x = step->input[0]->data;
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
        for (int i = 0; i < size; i++) y[i] = x[i] * inv_std;
    }
}

/* dx_i = (dy_i - y_i mean of dy y) inv_std: moving one x moves what its row is divided
 * by, too. */
CLONES static void backward(const Step *step, Arena *scratch) {
    (void)scratch;
    const Number *y = step->output->data;
    const Number *dy = step->output->grad;
    Number *dx = step->input[0]->grad;
    if (!dx) return;
    Number keep = tensor_grad_factor(step->input[0]);
    int rows = shape_rows(step->input[0]);
    int size = tensor_row(step->input[0]);
    for (int row = 0; row < rows; row++, y += size, dy += size, dx += size) {
        Number inv_std = step->kept[row];
        Number mean = 0;
#pragma omp simd reduction(+ : mean)
        for (int i = 0; i < size; i++) mean += dy[i] * y[i];
        mean /= (Number)size;
#pragma omp simd
        for (int i = 0; i < size; i++)
            dx[i] = kept(keep, dx[i]) + (dy[i] - y[i] * mean) * inv_std;
    }
}

static double mean_square(const Number *row, int size) {
    double sum = 0;
    for (int i = 0; i < size; i++) sum += (double)row[i] * (double)row[i];
    return sum / size;
}

/* The terms of an explanation, and how they make the cell. */
enum { RMS_X, RMS_SQUARE, RMS_EPSILON, RMS_TERMS };

static double combine(const Explanation *explanation) {
    const Term *term = explanation->term;
    return term[RMS_X].value / sqrt(term[RMS_SQUARE].value + term[RMS_EPSILON].value);
}

static const char *line(const Explanation *explanation, Arena *arena) {
    const Term *term = explanation->term;
    return arena_print(arena, "%.4g / √(%.4g + %.0e)", term[RMS_X].value,
                       term[RMS_SQUARE].value, term[RMS_EPSILON].value);
}

static const Rule rule_rms = {
    .name = N_("x / √(rms² + ε)"), .combine = combine, .line = line};

static void explain(const Step *step, int cell, Arena *arena,
                    Explanation *explanation) {
    const Tensor *x = step->input[0];
    int size = tensor_row(x);
    Place number = {x, cell};
    *explanation =
        terms_new(arena, &rule_rms,
                  trf(arena, "x / √(rms² + ε), rms: the root mean square along %s",
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
        x->slope[i] = flow->slope[i] * inv_std;
    }
}

/* dy_j/dx_i = inv_std (1 for j = i - y_i y_j / n) */
static void slopes(const Step *step, int input, int cell, Slopes *slopes) {
    (void)input;
    const Number *x = step->input[0]->data;
    int size = tensor_row(step->input[0]);
    int start = cell - cell % size;
    double inv_std = (double)step->kept[cell / size];
    double own = (double)x[cell] * inv_std;
    for (int j = 0; j < size; j++)
        slopes_add(slopes, start + j,
                   ((start + j == cell) - own * (double)x[start + j] * inv_std / size) *
                       inv_std);
}

const Op op_rms_plain = {
    .name = "rms_plain",
    .formula = N_("$y = $0 / √(rms² + $n)"),
    .inputs_least = 1,
    .inputs_most = 1,
    .learned = 1,
    .shape = shape_as_input,
    .forward = forward,
    .backward = backward,
    .explain = explain,
    .because = because,
    .slopes = slopes,
    .code = CODE("$y = $0 / numpy.sqrt(($0 ** 2).mean(-1, keepdims=True) + $n)",
                 "$y = $0 * torch.rsqrt(($0 ** 2).mean(-1, keepdim=True) + $n)"),
    .says =
        N_("This norm divides each row by its root mean square, so that all rows are "
           "of one size. It learns nothing."),
};

Tensor *rms_plain(Tape *tape, const char *name, Tensor *x, double epsilon) {
    return tape_run(tape, &op_rms_plain, name, (Tensor *[]){x}, 1,
                    (Setting){.number = epsilon});
}
