#include "model/sampling.h"

#include <math.h>
#include <stdlib.h>

static const Number *last_row(const Tensor *logits) {
    return logits->data + tensor_size(logits) - tensor_row(logits);
}

/* exp(-inf) is 0, so NaN is never drawn. */
static double number_of(Number logit) {
    return isnan(logit) ? -INFINITY : (double)logit;
}

static double largest(const double *x, int count) {
    double max = -INFINITY;
    for (int i = 0; i < count; i++) max = fmax(max, x[i]);
    return max;
}

/* Infinite logits share all the probability, as in the limit. */
static void take_limit(double *x, int count) {
    if (largest(x, count) < INFINITY) return;
    for (int i = 0; i < count; i++) x[i] = x[i] == INFINITY ? 0 : -INFINITY;
}

/* log of the sum of exp(x); subtract the largest so that nothing overflows. */
static double log_sum(const double *x, int count) {
    double max = largest(x, count);
    if (isinf(max)) return max;
    double sum = 0;
    for (int i = 0; i < count; i++) sum += exp(x[i] - max);
    return max + log(sum);
}

double *sampling_log_probability(const Tensor *logits, Arena *arena) {
    int count = tensor_row(logits);
    double *x = ARENA_ARRAY(arena, double, count);
    for (int i = 0; i < count; i++) x[i] = number_of(last_row(logits)[i]);
    take_limit(x, count);
    double all = log_sum(x, count);
    for (int i = 0; i < count; i++) x[i] = isinf(all) ? NAN : x[i] - all;
    return x;
}

/* Sort by probability; of equal ones, the lower id comes first. */
static int compare(const void *a, const void *b) {
    const SamplingToken *first = a;
    const SamplingToken *second = b;
    if (first->logit != second->logit) return first->logit > second->logit ? -1 : 1;
    return first->id < second->id ? -1 : 1;
}

static double kept_sum(const Distribution *distribution) {
    double sum = 0;
    for (int i = 0; i < distribution->kept; i++) sum += distribution->token[i].softmax;
    return sum;
}

/* Keep the fewest tokens that have at least `top_p` of the remaining probability. */
static void cut_top_p(Distribution *distribution, double top_p) {
    const double limit = top_p * kept_sum(distribution);
    if (top_p >= 1) return;
    double sum = 0;
    int kept = 0;
    while (kept < distribution->kept && sum < limit)
        sum += distribution->token[kept++].softmax;
    if (kept == 0) kept = 1;
    for (int i = kept; i < distribution->kept; i++)
        distribution->token[i].cut = SAMPLING_TOP_P;
    distribution->kept = kept;
}

Distribution sampling_distribution(const Tensor *logits, const Sampling *sampling,
                                   Arena *arena) {
    int count = tensor_row(logits);
    Distribution distribution = {.token = ARENA_ARRAY(arena, SamplingToken, count),
                                 .count = count};
    for (int i = 0; i < count; i++) {
        double logit = number_of(last_row(logits)[i]);
        distribution.token[i] = (SamplingToken){
            .id = i, .logit = logit, .scaled = logit / sampling->temperature};
    }
    qsort(distribution.token, (size_t)count, sizeof *distribution.token, compare);
    double *scaled = ARENA_ARRAY(arena, double, count);
    for (int i = 0; i < count; i++) scaled[i] = distribution.token[i].scaled;
    /* If only a low temperature makes them infinite, choose the first instead. */
    if (distribution.token[0].logit == INFINITY) take_limit(scaled, count);
    double log_all = log_sum(scaled, count);
    for (int i = 0; i < count; i++) /* not numbers: the first */
        distribution.token[i].softmax =
            isinf(log_all) ? i == 0 : exp(scaled[i] - log_all);
    const int top_k = sampling->top_k;
    distribution.kept = top_k && top_k < count ? top_k : count;
    for (int i = distribution.kept; i < count; i++)
        distribution.token[i].cut = SAMPLING_TOP_K;
    cut_top_p(&distribution, sampling->top_p);
    /* Normalize the probabilities of the tokens that are kept, and compute running
     * sums. */
    double all = kept_sum(&distribution);
    double sum = 0;
    for (int i = 0; i < distribution.count; i++) {
        SamplingToken *token = &distribution.token[i];
        token->share = i < distribution.kept ? token->softmax / all : 0;
        sum += token->share;
        token->sum = sum;
    }
    return distribution;
}

int sampling_draw(const Distribution *distribution, double unit) {
    int drawn = 0;
    /* Rounding may leave the last sum slightly below 1. */
    while (drawn + 1 < distribution->kept && distribution->token[drawn].sum <= unit)
        drawn++;
    return drawn;
}

/* A sentence being drawn. */
typedef struct {
    const Sampling *sampling;
    Random *random;
    Tape *tape;
    Arena *arena;
    double log_probability, log_drawn;
} Drawing;

static int draw(void *state, int step, const Tensor *logits) {
    Drawing *drawing = state;
    if (!generate_ranks(logits)) {
        tape_fail(drawing->tape,
                  "the logits of step %d are not numbers, so nothing can be drawn",
                  step);
        return 0;
    }
    Distribution distribution =
        sampling_distribution(logits, drawing->sampling, drawing->arena);
    const SamplingToken *token =
        &distribution.token[sampling_draw(&distribution, random_unit(drawing->random))];
    drawing->log_drawn += log(token->share);
    drawing->log_probability +=
        sampling_log_probability(logits, drawing->arena)[token->id];
    return token->id;
}

Sampled sampling_run(Tape *tape, const Model *model, const Encoded *source, int limit,
                     const Sampling *sampling, Random *random) {
    Drawing drawing = {
        .sampling = sampling, .random = random, .tape = tape, .arena = &tape->arena};
    const Chooser chooser = {draw, &drawing};
    return (Sampled){
        .generated = generate_chosen(tape, model, source, limit, &chooser),
        .log_probability = drawing.log_probability,
        .log_drawn = drawing.log_drawn,
    };
}
