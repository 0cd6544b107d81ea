#include <math.h>

#include "explain/flow.h"
#include "ops/ops.h"

/* One step on the way back. */
typedef struct {
    const Record *record;
    const Step *step;
    const Flow *flow; /* of its output */
    Arena *arena;
    Flow *into;
    double constant;
} Back;

static double slope_at(const Flow *flow, int cell) {
    bool inside = cell >= flow->from && cell < flow->from + flow->count;
    return inside ? flow->slope[cell - flow->from] : 0;
}

/* All of input `i` that can take part, `from` up to and without `to`. */
static Flow *open(Back *back, int i, int from, int to) {
    Flow *into = &back->into[i];
    into->tensor = back->step->input[i];
    flow_widen(into, from, to, back->arena);
    return into;
}

static void pass(Back *back, int i, int cell, double slope) {
    open(back, i, cell, cell + 1)->slope[cell - back->into[i].from] += slope;
}

/* The rows of `width` numbers that the flow touches. */
static int first_row(const Flow *flow, int width) {
    return flow->from / width;
}

static int end_row(const Flow *flow, int width) {
    return (flow->from + flow->count + width - 1) / width;
}

/* y = W x + b: x gets the slope of y times W */
static void back_linear(Back *back) {
    const Step *step = back->step;
    const Number *weight = step->input[1]->data;
    int in = tensor_row(step->input[0]);
    int out = tensor_row(step->output);
    int end = end_row(back->flow, out);
    int row = first_row(back->flow, out);
    Flow *x = open(back, 0, row * in, end * in);
    for (; row < end; row++)
        for (int o = 0; o < out; o++) {
            double slope = slope_at(back->flow, row * out + o);
            if (slope == 0) continue;
            double *to = x->slope + (row * in - x->from);
            for (int k = 0; k < in; k++) to[k] += slope * (double)weight[o * in + k];
            if (step->inputs > 2)
                back->constant += slope * (double)step->input[2]->data[o];
        }
}

static double mean_of(const Number *x, int size) {
    double sum = 0;
    for (int i = 0; i < size; i++) sum += (double)x[i];
    return sum / size;
}

static double steepness_of(const Number *x, int size, double epsilon) {
    double mean = mean_of(x, size);
    double sum = 0;
    for (int i = 0; i < size; i++) sum += ((double)x[i] - mean) * ((double)x[i] - mean);
    return 1 / sqrt(sum / size + epsilon);
}

/* y = (x - mean) steepness gain + bias: only the steepness is taken as it is, the mean
 * is a sum of x as well. */
static void back_norm(Back *back) {
    const Step *step = back->step;
    int size = tensor_row(step->output);
    int end = end_row(back->flow, size);
    int row = first_row(back->flow, size);
    Flow *x = open(back, 0, row * size, end * size);
    for (; row < end; row++) {
        double *to = x->slope + (row * size - x->from);
        double steepness =
            steepness_of(step->input[0]->data + row * size, size, step->setting.number);
        double sum = 0;
        for (int i = 0; i < size; i++) {
            double slope = slope_at(back->flow, row * size + i);
            to[i] = slope * steepness * (double)step->input[1]->data[i];
            sum += to[i];
            back->constant += slope * (double)step->input[2]->data[i];
        }
        for (int i = 0; i < size; i++) to[i] -= sum / size;
    }
}

/* y = x times something of its own: y / x is taken as it is */
static void back_ratio(Back *back) {
    const Step *step = back->step;
    Flow *x = open(back, 0, back->flow->from, back->flow->from + back->flow->count);
    for (int i = 0; i < back->flow->count; i++) {
        double number = (double)step->input[0]->data[x->from + i];
        double made = (double)step->output->data[x->from + i];
        if (number != 0) x->slope[i] = back->flow->slope[i] * made / number;
    }
}

static void back_scale(Back *back) {
    Flow *x = open(back, 0, back->flow->from, back->flow->from + back->flow->count);
    for (int i = 0; i < back->flow->count; i++)
        x->slope[i] = back->flow->slope[i] * back->step->setting.number;
}

/* What was put in the place of a score, or added to it, is the same for every sentence.
 */
static void back_mask(Back *back) {
    const Step *step = back->step;
    for (int i = 0; i < back->flow->count; i++) {
        int cell = back->flow->from + i;
        double slope = back->flow->slope[i];
        if (slope == 0) continue;
        bool passes = !mask_reasons(step, cell) || step->setting.count & MASK_ADD;
        double before = passes ? (double)step->input[0]->data[cell] : 0;
        if (passes) pass(back, 0, cell, slope);
        double more = (double)step->output->data[cell] - before;
        if (more != 0) back->constant += slope * more;
    }
}

static void back_add(Back *back) {
    int size = tensor_size(back->step->input[1]);
    flow_add(&back->into[0],
             &(Flow){back->step->input[0], back->flow->from, back->flow->count,
                     back->flow->slope},
             back->arena);
    for (int i = 0; i < back->flow->count; i++)
        if (back->flow->slope[i] != 0)
            pass(back, 1, (back->flow->from + i) % size, back->flow->slope[i]);
}

/* A row of `width` numbers from `cell` of the output on is a row of an input: the
 * explanation of its first number says where it lies. */
static void move_row(Back *back, int cell, int width) {
    const Step *step = back->step;
    bool any = false;
    for (int i = 0; i < width; i++) any = any || slope_at(back->flow, cell + i) != 0;
    if (!any) return;
    Explanation explanation = {0};
    step->op->explain(step, cell, back->arena, &explanation);
    const Place *place = &explanation.term[0].place[0];
    int input = 0;
    while (input < step->inputs && step->input[input] != place->tensor) input++;
    if (input == step->inputs) return;
    Flow *x = open(back, input, place->cell, place->cell + width);
    for (int i = 0; i < width; i++)
        x->slope[place->cell + i - x->from] += slope_at(back->flow, cell + i);
}

/* Whole rows that stand elsewhere now. */
static void back_moved(Back *back) {
    const Step *step = back->step;
    int row = tensor_row(step->output);
    int width = tensor_row(step->input[0]) < row ? tensor_row(step->input[0]) : row;
    if (step->op == &op_concatenate) {
        for (int r = first_row(back->flow, row); r < end_row(back->flow, row); r++) {
            move_row(back, r * row, width);
            move_row(back, r * row + width, row - width);
        }
        return;
    }
    for (int r = first_row(back->flow, width); r < end_row(back->flow, width); r++)
        move_row(back, r * width, width);
}

/* y = the sum of x / how many, over the tokens that count */
static void back_mean(Back *back) {
    const Step *step = back->step;
    const Tensor *x = step->input[0];
    int width = tensor_row(x);
    int tokens = x->axis[1].size;
    for (int i = 0; i < back->flow->count; i++) {
        int cell = back->flow->from + i;
        int batch = cell / width;
        const Number *padding =
            step->inputs > 1 ? step->input[1]->data + batch * tokens : NULL;
        int count = 0;
        for (int t = 0; t < tokens; t++) count += !padding || padding[t] == 0;
        for (int t = 0; t < tokens && back->flow->slope[i] != 0; t++)
            if (!padding || padding[t] == 0)
                pass(back, 0, (batch * tokens + t) * width + cell % width,
                     back->flow->slope[i] / count);
    }
}

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
            if (factor != 0) pass(back, i, i ? y : x, slope * factor);
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
static void back_matmul(Back *back) {
    back_product(back, flow_mixes(back->record, back->step), 1);
}

static void back_dot(Back *back) {
    back_product(back, 0, 0.5);
    back_product(back, 1, 0.5);
}

/* The cell of what a token [batch, token, width] gave and of what the state [batch,
 * width] gave, for cell [batch, hidden] of a sum of the two, `part` numbers into it. */
static void back_sum(Back *back, int token, int part, bool is_bent) {
    const Step *step = back->step;
    const Tensor *from_input = step->input[0];
    int tokens = from_input->axis[1].size;
    int width = tensor_row(from_input);
    int hidden = tensor_row(step->output);
    for (int i = 0; i < back->flow->count; i++) {
        int cell = back->flow->from + i;
        int batch = cell / hidden;
        int x = (batch * tokens + token) * width + part + cell % hidden;
        int z = batch * width + part + cell % hidden;
        double sum = (double)from_input->data[x] + (double)step->input[1]->data[z];
        double ratio = is_bent && sum != 0 ? (double)step->output->data[cell] / sum : 1;
        double slope = back->flow->slope[i] * ratio;
        if (slope == 0) continue;
        pass(back, 0, x, slope);
        pass(back, 1, z, slope);
    }
}

/* tanh(x + z); of σ(x + z) the sum itself is followed. */
static void back_gate(Back *back) {
    int gate = back->step->setting.count % GATES;
    int hidden = tensor_row(back->step->output);
    back_sum(back, back->step->setting.count / GATES, gate * hidden, gate == GATE_CELL);
}

static void back_rnn_state(Back *back) {
    back_sum(back, back->step->setting.count, 0, true);
}

/* c' = f c + i g, the gates as they are */
static void back_lstm_cell(Back *back) {
    for (int i = 0; i < back->flow->count; i++) {
        int cell = back->flow->from + i;
        for (int gate = 0; gate <= 2; gate += 2) {
            double slope =
                back->flow->slope[i] * (double)back->step->input[gate]->data[cell];
            if (slope != 0) pass(back, gate + 1, cell, slope);
        }
    }
}

/* h = o tanh(c): h / c is taken as it is */
static void back_lstm_state(Back *back) {
    for (int i = 0; i < back->flow->count; i++) {
        int cell = back->flow->from + i;
        double number = (double)back->step->input[1]->data[cell];
        double made = (double)back->step->output->data[cell];
        if (number != 0 && back->flow->slope[i] != 0)
            pass(back, 1, cell, back->flow->slope[i] * made / number);
    }
}

/* How each operation hands on. Those without a row are where a number begins. */
static const struct {
    const Op *op;
    void (*back)(Back *back);
} ways[] = {
    {&op_linear, back_linear},
    {&op_layer_norm, back_norm},
    {&op_relu, back_ratio},
    {&op_gelu, back_ratio},
    {&op_dropout, back_ratio},
    {&op_scale, back_scale},
    {&op_mask, back_mask},
    {&op_add, back_add},
    {&op_split_heads, back_moved},
    {&op_merge_heads, back_moved},
    {&op_append, back_moved},
    {&op_concatenate, back_moved},
    {&op_stack, back_moved},
    {&op_last_token, back_moved},
    {&op_mean, back_mean},
    {&op_matmul, back_matmul},
    {&op_dot, back_dot},
    {&op_lstm_gate, back_gate},
    {&op_rnn_state, back_rnn_state},
    {&op_lstm_cell, back_lstm_cell},
    {&op_lstm_state, back_lstm_state},
};

bool flow_back(const Record *record, const Step *step, const Flow *flow, Arena *arena,
               Flow *into, double *constant) {
    for (size_t w = 0; w < sizeof ways / sizeof *ways; w++) {
        if (ways[w].op != step->op) continue;
        Back back = {record, step, flow, arena, into, 0};
        for (int i = 0; i < step->inputs; i++) into[i] = (Flow){0};
        ways[w].back(&back);
        *constant = back.constant;
        return true;
    }
    return false;
}
