#include "explain/flow_way.h"

#include <math.h>

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

/* y = W x + b: x gets the slope of y times W */
void back_linear(Back *back) {
    const Step *step = back->step;
    const Number *weight = step->input[1]->data;
    int in = tensor_row(step->input[0]);
    int out = tensor_row(step->output);
    int end = back_end_row(back, out);
    int row = back_first_row(back, out);
    Flow *x = back_open(back, 0, row * in, end * in);
    for (; row < end; row++)
        for (int o = 0; o < out; o++) {
            double slope = back_slope(back, row * out + o);
            if (slope == 0) continue;
            double *to = x->slope + (row * in - x->from);
            for (int k = 0; k < in; k++) to[k] += slope * (double)weight[o * in + k];
            if (step->inputs > 2)
                back->constant += slope * (double)step->input[2]->data[o];
        }
}

/* y = (x - mean) steepness gain + bias: only the steepness is taken as it is, the mean
 * is a sum of x as well. */
void back_norm(Back *back) {
    const Step *step = back->step;
    int size = tensor_row(step->output);
    int end = back_end_row(back, size);
    int row = back_first_row(back, size);
    Flow *x = back_open(back, 0, row * size, end * size);
    for (; row < end; row++) {
        double *to = x->slope + (row * size - x->from);
        double steepness =
            steepness_of(step->input[0]->data + row * size, size, step->setting.number);
        double sum = 0;
        for (int i = 0; i < size; i++) {
            double slope = back_slope(back, row * size + i);
            to[i] = slope * steepness * (double)step->input[1]->data[i];
            sum += to[i];
            back->constant += slope * (double)step->input[2]->data[i];
        }
        for (int i = 0; i < size; i++) to[i] -= sum / size;
    }
}

/* y = x times something of its own: y / x is taken as it is */
void back_ratio(Back *back) {
    const Step *step = back->step;
    Flow *x =
        back_open(back, 0, back->flow->from, back->flow->from + back->flow->count);
    for (int i = 0; i < back->flow->count; i++) {
        double number = (double)step->input[0]->data[x->from + i];
        double made = (double)step->output->data[x->from + i];
        if (number != 0) x->slope[i] = back->flow->slope[i] * made / number;
    }
}

void back_scale(Back *back) {
    Flow *x =
        back_open(back, 0, back->flow->from, back->flow->from + back->flow->count);
    for (int i = 0; i < back->flow->count; i++)
        x->slope[i] = back->flow->slope[i] * back->step->setting.number;
}

/* What was put in the place of a score, or added to it, is the same for every sentence.
 */
void back_mask(Back *back) {
    const Step *step = back->step;
    for (int i = 0; i < back->flow->count; i++) {
        int cell = back->flow->from + i;
        double slope = back->flow->slope[i];
        if (slope == 0) continue;
        bool passes = !mask_reasons(step, cell) || step->setting.count & MASK_ADD;
        double before = passes ? (double)step->input[0]->data[cell] : 0;
        if (passes) back_pass(back, 0, cell, slope);
        double more = (double)step->output->data[cell] - before;
        if (more != 0) back->constant += slope * more;
    }
}

void back_add(Back *back) {
    int size = tensor_size(back->step->input[1]);
    flow_add(&back->into[0],
             &(Flow){back->step->input[0], back->flow->from, back->flow->count,
                     back->flow->slope},
             back->arena);
    for (int i = 0; i < back->flow->count; i++)
        if (back->flow->slope[i] != 0)
            back_pass(back, 1, (back->flow->from + i) % size, back->flow->slope[i]);
}

/* y = the sum of x / how many, over the tokens that count */
void back_mean(Back *back) {
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
                back_pass(back, 0, (batch * tokens + t) * width + cell % width,
                          back->flow->slope[i] / count);
    }
}
