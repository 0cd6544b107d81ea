#include "explain/gradient_way.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "base/language.h"
#include "ops/ops.h"
#include "ops/shape.h"
#include "ops/term.h"

void gradient_add(GradientWay *way, Term term) {
    ARENA_GROW(way->arena, way->term, way->count, way->capacity);
    way->term[way->count++] = term;
}

static Place gradient_place(const GradientWay *way, int output) {
    return (Place){gradients_of(way->gradients, way->step->output), output};
}

/* The output cell `output` moves with the number by `slope`, which stands at `factor`
 * where it is a number of the run. */
static void add_slope(GradientWay *way, int output, double slope, Place factor) {
    const Place gradient = gradient_place(way, output);
    const double above = (double)way->step->output->grad[output];
    const char *text =
        arena_print(way->arena, "%s × %s", term_number(way->arena, above),
                    term_number(way->arena, slope));
    gradient_add(way, (Term){above * slope, text, {gradient, factor}});
}

static void add_factor(GradientWay *way, int output, Place factor) {
    add_slope(way, output, (double)factor.tensor->data[factor.cell], factor);
}

/* y[r,o] = sum of x[r,i] W[o,i] + b[o] */
static void way_linear(GradientWay *way) {
    const Tensor *x = way->step->input[0];
    const Tensor *weight = way->step->input[1];
    int in = tensor_row(x);
    int out = tensor_row(way->step->output);
    int rows = shape_rows(x);
    if (way->input == 0)
        for (int o = 0; o < out; o++)
            add_factor(way, way->cell / in * out + o,
                       (Place){weight, o * in + way->cell % in});
    for (int r = 0; r < rows && way->input == 1; r++)
        add_factor(way, r * out + way->cell / in, (Place){x, r * in + way->cell % in});
    for (int r = 0; r < rows && way->input == 2; r++)
        add_slope(way, r * out + way->cell, 1, (Place){0});
}

/* Z[i,j] = sum over k of X[i,k] Y[k,j], or of dot X[i,k] Y[j,k], matrix by matrix;
 * matrices of Y are used again and again. */
static void way_matmul(GradientWay *way) {
    const Tensor *x = way->step->input[0];
    const Tensor *y = way->step->input[1];
    bool dots = way->step->op == &op_dot;
    int rows = shape_axis(x, 2)->size;
    int inner = tensor_row(x);
    int columns = tensor_row(way->step->output);
    int others = shape_matrices(y);
    int size = columns * inner;
    int matrix = way->cell / (way->input ? size : rows * inner);
    int place = way->cell % (way->input ? size : inner);
    for (int j = 0; j < columns && way->input == 0; j++) {
        int cell =
            matrix % others * size + (dots ? j * inner + place : place * columns + j);
        add_factor(way, way->cell / inner * columns + j, (Place){y, cell});
    }
    int k = dots ? place % inner : place / columns;
    int j = dots ? place / inner : place % columns;
    for (int m = matrix; m < shape_matrices(x) && way->input == 1; m += others)
        for (int i = 0; i < rows; i++)
            add_factor(way, (m * rows + i) * columns + j,
                       (Place){x, (m * rows + i) * inner + k});
}

/* dy_j/dx_i = y_i (1 - y_i) for j = i, else -y_i y_j */
static void way_softmax(GradientWay *way) {
    const Tensor *y = way->step->output;
    int size = tensor_row(y);
    int start = way->cell - way->cell % size;
    double here = (double)y->data[way->cell];
    for (int j = start; j < start + size; j++)
        add_slope(way, j, (double)y->data[j] * ((j == way->cell) - here), (Place){0});
}

/* y_j = u_j gain_j + bias_j with u = (x - mean) steepness, and dy_j/dx_i = gain_j
 * steepness (1 for j = i - 1/n - u_i u_j / n) */
static void way_norm(GradientWay *way) {
    const Step *step = way->step;
    const Number *x = step->input[0]->data;
    int size = tensor_row(step->input[0]);
    int rows = shape_rows(step->input[0]);
    for (int r = 0; r < rows; r++) {
        double mean = (double)step->kept[2 * r];
        double steepness = (double)step->kept[2 * r + 1];
        int start = r * size;
        if (way->input == 2) add_slope(way, start + way->cell, 1, (Place){0});
        if (way->input == 1)
            add_slope(way, start + way->cell,
                      ((double)x[start + way->cell] - mean) * steepness, (Place){0});
        if (way->input || way->cell / size != r) continue;
        double own = ((double)x[way->cell] - mean) * steepness;
        for (int j = start; j < start + size; j++) {
            double other = ((double)x[j] - mean) * steepness;
            double slope = (j == way->cell) - 1.0 / size - own * other / size;
            add_slope(way, j,
                      slope * steepness * (double)step->input[1]->data[j - start],
                      (Place){0});
        }
    }
}

static void way_add(GradientWay *way) {
    int size = tensor_size(way->step->input[way->input]);
    for (int j = way->cell; j < tensor_size(way->step->output); j += size)
        add_slope(way, j, 1, (Place){0});
}

/* Every place that chose the row. */
static void way_embed(GradientWay *way) {
    const Tensor *ids = way->step->input[1];
    int width = tensor_row(way->step->output);
    for (int t = 0; t < tensor_size(ids) && way->input == 0; t++)
        if ((int)ids->data[t] == way->cell / width)
            add_slope(way, t * width + way->cell % width, 1, (Place){0});
}

/* (p - what was wanted) / how many count, for the softmax p of the row. */
static void way_cross_entropy(GradientWay *way) {
    const Step *step = way->step;
    const Tensor *logits = step->input[0];
    const int size = tensor_row(logits);
    const int row = way->cell / size;
    const int wanted = (int)step->input[1]->data[row];
    const double smoothing = step->setting.number;
    int count = 0;
    for (int r = 0; r < tensor_size(step->input[1]); r++)
        count += (int)step->input[1]->data[r] != step->setting.count;
    if (wanted == step->setting.count) return;
    double share =
        exp((double)logits->data[way->cell] - (double)cross_entropy_most(step, row)) *
        (double)step->kept[2 * row + 1];
    double aim = (1 - smoothing) * (way->cell % size == wanted) + smoothing / size;
    gradient_add(way, (Term){(share - aim) / count,
                             say(way->arena, "(%s said − %s wanted) / %d places",
                                 term_number(way->arena, share),
                                 term_number(way->arena, aim), count),
                             {gradient_place(way, 0), {logits, way->cell}}});
}

/* What backward gives the number when the gradient of the output is as in `given`: the
 * step itself is left alone. */
static double probe(const GradientWay *way, Number *given) {
    Arena scratch = {0};
    Step copy = *way->step;
    Tensor output = *copy.output;
    Tensor *all = ARENA_ARRAY(&scratch, Tensor, copy.inputs);
    copy.input = ARENA_ARRAY(&scratch, Tensor *, copy.inputs);
    for (int i = 0; i < copy.inputs; i++) {
        all[i] = *way->step->input[i];
        all[i].grad = NULL;
        all[i].grad_written = false;
        copy.input[i] = &all[i];
    }
    Tensor *asked = copy.input[way->input];
    asked->grad = ARENA_ARRAY(&scratch, Number, tensor_size(asked));
    output.grad = given;
    copy.output = &output;
    copy.op->backward(&copy, &scratch);
    double slope = asked->grad_written ? (double)asked->grad[way->cell] : 0;
    arena_free(&scratch);
    return slope;
}

/* Where every number goes to one place of the output, or to none: numbering the places
 * tells which. */
static void way_moved(GradientWay *way) {
    int size = tensor_size(way->step->output);
    Arena scratch = {0};
    Number *given = ARENA_ARRAY(&scratch, Number, size);
    for (int j = 0; j < size; j++) given[j] = (Number)(j + 1);
    int place = (int)lround(probe(way, given)) - 1;
    if (place >= 0 && place < size) add_slope(way, place, 1, (Place){0});
    arena_free(&scratch);
}

static void add_probed(GradientWay *way, Number *given, int j) {
    given[j] = 1;
    double slope = probe(way, given);
    given[j] = 0;
    if (slope != 0) add_slope(way, j, slope, (Place){0});
}

/* The number of the same place alone. */
static void way_alone(GradientWay *way) {
    Arena scratch = {0};
    Number *given = ARENA_ARRAY(&scratch, Number, tensor_size(way->step->output));
    add_probed(way, given, way->cell);
    arena_free(&scratch);
}

/* Any step: one output after the other. */
static void way_probed(GradientWay *way) {
    int size = tensor_size(way->step->output);
    Arena scratch = {0};
    Number *given = ARENA_ARRAY(&scratch, Number, size);
    for (int j = 0; j < size; j++) add_probed(way, given, j);
    arena_free(&scratch);
}

static const struct {
    const Op *op;
    void (*way)(GradientWay *way);
} ways[] = {
    {&op_linear, way_linear},
    {&op_matmul, way_matmul},
    {&op_dot, way_matmul},
    {&op_softmax, way_softmax},
    {&op_layer_norm, way_norm},
    {&op_add, way_add},
    {&op_cross_entropy, way_cross_entropy},
    {&op_embed, way_embed},
};

/* That of all others. */
static void (*const by_reach[])(GradientWay *way) = {
    [REACH_MANY] = way_probed, [REACH_PLACE] = way_alone, [REACH_MOVED] = way_moved};

void gradient_way(GradientWay *way) {
    const Step *step = way->step;
    if (!op_learns(step->op, way->input) || !step->op->backward ||
        !step->output->grad_written)
        return;
    for (size_t w = 0; w < sizeof ways / sizeof *ways; w++)
        if (ways[w].op == step->op) {
            ways[w].way(way);
            return;
        }
    by_reach[step->op->reach](way);
}
