#include "learn/adam.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "base/threads.h"
#include "kernel/vector.h"

const char *const optimizer_kinds[] = {"adam", "rmsprop", NULL};

enum { BLOCK = 4096 }; /* numbers that fit into the L1 cache */

static size_t room(const Tensor *tensor) {
    size_t size = (size_t)tensor_size(tensor);
    return (size + ADAM_STEP - 1) / ADAM_STEP * ADAM_STEP;
}

size_t adam_offset(const Weights *weights, int w) {
    size_t offset = 0;
    for (int before = 0; before < w; before++)
        offset += room(weights->weight[before].tensor);
    return offset;
}

static Number *zeros(Arena *arena, size_t size) {
    Number *row = arena_take_raw(arena, size * sizeof *row);
    return memset(row, 0, size * sizeof *row);
}

Adam adam_new(Weights *weights, const AdamOptions *options) {
    Arena *arena = &weights->arena;
    Adam adam = {.options = *options, .size = adam_offset(weights, weights->count)};
    adam.value = zeros(arena, adam.size);
    adam.mean = zeros(arena, adam.size);
    adam.square = zeros(arena, adam.size);
    Number *to = adam.value;
    for (int w = 0; w < weights->count; w++) {
        Tensor *tensor = weights->weight[w].tensor;
        memcpy(to, tensor->data, (size_t)tensor_size(tensor) * sizeof *to);
        tensor->data = to;
        to += room(tensor);
    }
    return adam;
}

Number *adam_gradient(const Adam *adam, Weights *weights, Arena *arena) {
    Number *row = zeros(arena, adam->size);
    size_t offset = 0;
    for (int w = 0; w < weights->count; w++) {
        Tensor *tensor = weights->weight[w].tensor;
        tensor->grad = row + offset;
        offset += room(tensor);
    }
    return row;
}

#define ROOT _Generic((Number)0, float : sqrtf, double : sqrt)

/* The factors of one step: see adapt(). */
typedef struct {
    Number clipping, beta_1, beta_2, rate, root_factor, epsilon;
} Factors;

/* Adam, Kingma and Ba 2015, algorithm 1, where g is the clipped gradient:
 *     m = beta_1 m + (1 - beta_1) g
 *     v = beta_2 v + (1 - beta_2) g^2
 *     value = value - rate m / (sqrt(v) + epsilon)
 * rate and root_factor include the bias corrections of m and v, which start at 0. */
CLONES static void adapt(const Adam *adam, const Factors *factors, size_t start,
                         const Number *restrict gradient, int size) {
    const Factors f = *factors;
    Number *restrict value = adam->value + start;
    Number *restrict mean = adam->mean + start;
    Number *restrict square = adam->square + start;
#pragma omp simd
    for (int i = 0; i < size; i++) {
        Number g = gradient[i] * f.clipping;
        Number m = f.beta_1 * mean[i] + (1 - f.beta_1) * g;
        Number v = f.beta_2 * square[i] + (1 - f.beta_2) * g * g;
        mean[i] = m;
        square[i] = v;
        value[i] -= f.rate * m / (ROOT(v) * f.root_factor + f.epsilon);
    }
}

/* RMSprop, Hinton 2012, lecture 6e:
 *     v = rho v + (1 - rho) g^2
 *     value = value - rate g / (sqrt(v) + epsilon)
 * where rho is beta_2. v starts at 0 and is not corrected. */
CLONES static void adapt_by_root(const Adam *adam, const Factors *factors, size_t start,
                                 const Number *restrict gradient, int size) {
    const Factors f = *factors;
    Number *restrict value = adam->value + start;
    Number *restrict square = adam->square + start;
#pragma omp simd
    for (int i = 0; i < size; i++) {
        Number g = gradient[i] * f.clipping;
        Number v = f.beta_2 * square[i] + (1 - f.beta_2) * g * g;
        square[i] = v;
        value[i] -= f.rate * g / (ROOT(v) + f.epsilon);
    }
}

CLONES static double square_sum(const Number *x, int size) {
    double total;
    SUM(total, size, x[i] * x[i]);
    return total;
}

/* One pass over the row, split over the threads. */
typedef struct {
    const Adam *adam;
    Number *const *gradient;
    int count;
    Factors factors;
    double squares[ADAM_GRADIENTS]; /* by thread */
    bool measures, adapts;
} Pass;

CLONES static void add_two(Number *restrict sum, const Number *restrict x,
                           const Number *restrict y, int size) {
#pragma omp simd
    for (int i = 0; i < size; i++) sum[i] = x[i] + y[i];
}

/* The update rules, by OptimizerKind. */
static void (*const steps_of[])(const Adam *adam, const Factors *factors, size_t start,
                                const Number *gradient, int size) = {
    [OPTIMIZER_ADAM] = adapt, [OPTIMIZER_RMSPROP] = adapt_by_root};

static void run_part(void *context, int part, int parts) {
    Pass *pass = context;
    Number sum[BLOCK];
    size_t steps = pass->adam->size / ADAM_STEP;
    size_t first = steps * (size_t)part / (size_t)parts * ADAM_STEP;
    size_t last = steps * (size_t)(part + 1) / (size_t)parts * ADAM_STEP;
    const Adam *adam = pass->adam;
    double squares = 0;
    for (size_t start = first; start < last; start += BLOCK) {
        int size = last - start < BLOCK ? (int)(last - start) : BLOCK;
        /* The sum of all gradients, in a fixed order so that results are reproducible.
         */
        const Number *gradient = pass->gradient[0] + start;
        if (pass->count > 1) {
            add_two(sum, gradient, pass->gradient[1] + start, size);
            for (int g = 2; g < pass->count; g++)
                vector_add(sum, pass->gradient[g] + start, 1, 1, size);
            gradient = sum;
        }
        if (pass->measures) squares += square_sum(gradient, size);
        if (pass->adapts)
            steps_of[adam->options.kind](adam, &pass->factors, start, gradient, size);
    }
    pass->squares[part] = squares;
}

/* Run one pass; return the norm if the pass measures it. */
static double run_pass(Pass *pass) {
    double squares = 0;
    threads_run(run_part, pass);
    for (int part = 0; part < threads_count(); part++) squares += pass->squares[part];
    return sqrt(squares);
}

bool adam_step(Adam *adam, double rate, Number *const *gradient, int count,
               double *norm) {
    assert(count >= 1 && threads_count() <= ADAM_GRADIENTS);
    const AdamOptions *options = &adam->options;
    Pass pass = {.adam = adam, .gradient = gradient, .count = count, .measures = true};
    double clipping = 1;
    if (options->clip > 0) {
        *norm = run_pass(&pass);
        if (!isfinite(*norm)) return false;
        if (*norm > options->clip) clipping = options->clip / *norm;
    }
    /* The means started at 0, which still has the weight beta^step: divide by 1 -
     * beta^step. RMSprop does not correct this. */
    double step = adam->step + 1;
    bool corrects = options->kind == OPTIMIZER_ADAM;
    pass.measures = options->clip == 0;
    pass.adapts = true;
    pass.factors = (Factors){
        .clipping = (Number)clipping,
        .beta_1 = (Number)options->beta_1,
        .beta_2 = (Number)options->beta_2,
        .rate = (Number)(corrects ? rate / (1 - pow(options->beta_1, step)) : rate),
        .root_factor = (Number)(1 / sqrt(1 - pow(options->beta_2, step))),
        .epsilon = (Number)options->epsilon,
    };
    double measured = run_pass(&pass);
    if (pass.measures) *norm = measured;
    if (!isfinite(*norm)) return false;
    adam->step++;
    return true;
}

const char *const schedule_kinds[] = {"paper", "constant", "cosine", NULL};

double schedule_rate(const Schedule *schedule, int number) {
    const double pi = 3.14159265358979323846;
    double step = number;
    double warmup = schedule->warmup;
    if (schedule->kind == SCHEDULE_PAPER) { /* both parts are equal at step = warmup */
        double rise = warmup > 0 ? step * pow(warmup, -1.5) : INFINITY;
        return schedule->factor / sqrt(schedule->d_model) * fmin(1 / sqrt(step), rise);
    }
    if (schedule->kind == SCHEDULE_CONSTANT) return schedule->rate;
    if (step <= warmup) return schedule->rate * step / warmup;
    double done = (step - warmup) / (schedule->steps - warmup);
    return done < 1 ? schedule->rate * (1 + cos(pi * done)) / 2 : 0;
}
