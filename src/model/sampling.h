/* sampling.h - the next token drawn by chance, and the whole way from logits to the
 * distribution that it is drawn from.
 *
 * The logits are divided by the temperature (Ackley, Hinton and Sejnowski 1985); of the
 * softmax the k most probable tokens stay (top-k: Fan, Lewis and Dauphin 2018), of
 * these the fewest that together have at least p (top-p, nucleus: Holtzman and others
 * 2020); the rest is 0, and what stays is divided by its sum. */
#pragma once

#include "base/random.h"
#include "model/generate.h"

typedef struct {
    double temperature; /* above 0; 1: the model's own probabilities */
    int top_k;          /* 0: all stay */
    double top_p;       /* above 0; 1: all stay */
} Sampling;

/* Why a token can be drawn or not. */
typedef enum { SAMPLING_KEPT, SAMPLING_TOP_K, SAMPLING_TOP_P } SamplingCut;

/* One token on the way. */
typedef struct {
    int id;
    double logit, scaled; /* scaled: logit / temperature */
    double softmax;       /* of the scaled ones */
    SamplingCut cut;
    double share; /* 0 where it was cut, else its part of what stayed */
    double sum;   /* of the shares up to it, the most probable first */
} SamplingToken;

typedef struct {
    SamplingToken *token; /* the most probable first, the lower id of equals */
    int count, kept;      /* the first `kept` can be drawn */
} Distribution;

/* log softmax of the last row of logits [batch, target, vocabulary]: log P of each
 * token, in `arena`. A logit that is not a number counts as impossible; where none is a
 * number (generate_ranks), NaN. Infinite ones share all there is, as with softmax(). */
double *sampling_log_probability(const Tensor *logits, Arena *arena);

/* The distribution of the last row of the logits, in `arena`; of one that holds no
 * number (generate_ranks) the first token alone. */
Distribution sampling_distribution(const Tensor *logits, const Sampling *sampling,
                                   Arena *arena);

/* The index of the token that a number from 0 up to, and without, 1 draws: the first
 * whose sum is larger than it. */
int sampling_draw(const Distribution *distribution, double unit);

/* A sentence that was drawn. */
typedef struct {
    Generated generated;
    double log_probability; /* of it by the model, whatever was cut */
    double log_drawn;       /* of it to be drawn */
} Sampled;

/* Draw a sentence as generate_from() chooses one: one number of `random` a token. Fails
 * the tape at a step whose logits hold no number. */
Sampled sampling_run(Tape *tape, const Model *model, const Encoded *source, int limit,
                     const Sampling *sampling, Random *random);
