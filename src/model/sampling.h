/* sampling.h - draw the next token at random, and record every step from the logits to
 * the distribution it is drawn from.
 *
 * The logits are divided by the temperature (Ackley, Hinton and Sejnowski 1985). After
 * the softmax, the k most probable tokens are kept (top-k: Fan, Lewis and Dauphin
 * 2018), and of these the fewest that together have at least p (top-p, nucleus:
 * Holtzman et al. 2020). The others become 0, and the kept ones are normalized. */
#pragma once

#include "base/random.h"
#include "model/generate.h"

typedef struct {
    double temperature; /* above 0; 1: the model's probabilities */
    int top_k;          /* 0: keep all */
    double top_p;       /* above 0; 1: keep all */
} Sampling;

/* Why a token can be drawn or not. */
typedef enum { SAMPLING_KEPT, SAMPLING_TOP_K, SAMPLING_TOP_P } SamplingCut;

/* One token at all stages. */
typedef struct {
    int id;
    double logit, scaled; /* scaled: logit / temperature */
    double softmax;       /* of the scaled logits */
    SamplingCut cut;
    double share; /* 0 if it was cut, else its normalized probability */
    double sum;   /* of the probabilities up to this one */
} SamplingToken;

typedef struct {
    SamplingToken *token; /* most probable first; equal ones by id */
    int count, kept;      /* the first `kept` can be drawn */
} Distribution;

/* Return log softmax of the last row of logits [batch, target, vocabulary]: log P of
 * each token, in `arena`. A NaN logit counts as impossible; if all are NaN or -inf
 * (generate_ranks), the result is NaN. Infinite ones share all the probability, as in
 * softmax(). */
double *sampling_log_probability(const Tensor *logits, Arena *arena);

/* Return the distribution of the last row of the logits, in `arena`; if all are NaN or
 * -inf (generate_ranks), only the first token. */
Distribution sampling_distribution(const Tensor *logits, const Sampling *sampling,
                                   Arena *arena);

/* Return the index of the token drawn by `unit`, in [0, 1): the first whose sum is
 * larger. */
int sampling_draw(const Distribution *distribution, double unit);

/* A sentence that was drawn. */
typedef struct {
    Generated generated;
    double log_probability; /* in the model, without cuts */
    double log_drawn;       /* of drawing it */
} Sampled;

/* Draw a sentence, like generate_from(): one number of `random` per token. Fails the
 * tape if all logits of a step are NaN or -inf. */
Sampled sampling_run(Tape *tape, const Model *model, const Encoded *source, int limit,
                     const Sampling *sampling, Random *random);
