#include "explain/flow_way.h"

/* The sizes of a product Z[i,j] = sum over k of X[i,k] Y, with Y [k,j], or [j,k] for
 * dot.
 */
typedef struct {
    int rows, columns, inner, others; /* matrices of Y */
} Sizes;

static Sizes sizes_of(const Step *step) {
    const Tensor *x = step->input[0];
    const Tensor *y = step->input[1];
    int columns = tensor_row(step->output);
    int inner = tensor_row(x);
    return (Sizes){x->axis[x->rank - 2].size, columns, inner,
                   tensor_size(y) / (columns * inner)};
}

/* Where numbers [i,k] of X and [k,j] of Y lie for cell [i,j] of Z. */
static int x_cell(const Sizes *s, int cell, int k) {
    return cell / s->columns * s->inner + k;
}

static int y_cell(const Sizes *s, int cell, int k, bool dots) {
    int matrix = cell / s->columns / s->rows % s->others;
    int j = cell % s->columns;
    return matrix * s->columns * s->inner +
           (dots ? j * s->inner + k : k * s->columns + j);
}

/* Give each number of input `i` (0: X, 1: Y) `share` × the slope × its factor. */
static void back_product(Back *back, int i, double share) {
    const Step *step = back->step;
    Sizes s = sizes_of(step);
    bool dots = step->op == &op_dot;
    for (int c = 0; c < back->flow->count; c++) {
        int cell = back->flow->from + c;
        double slope = share * back->flow->slope[c];
        for (int k = 0; k < s.inner && slope != 0; k++) {
            int x = x_cell(&s, cell, k);
            int y = y_cell(&s, cell, k, dots);
            double factor =
                (double)(i ? step->input[0]->data[x] : step->input[1]->data[y]);
            if (factor != 0) back_pass(back, i, i ? y : x, slope * factor);
        }
    }
}

bool flow_mixes(const Record *record, const Step *step) {
    if (step->op != &op_matmul) return false;
    const Step *weights = record_step(record, step->input[0]);
    if (weights && weights->op == &op_dropout)
        weights = record_step(record, weights->input[0]);
    return weights && weights->op == &op_softmax;
}

/* Attention weights are taken as they are, and so is a matrix of :toy. */
void back_matmul(Back *back) {
    back_product(back, flow_mixes(back->record, back->step), 1);
}

void back_dot(Back *back) {
    back_product(back, 0, 0.5);
    back_product(back, 1, 0.5);
}
