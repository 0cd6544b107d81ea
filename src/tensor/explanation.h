/* explanation.h - how one cell was computed: terms, and the rule that combines them. */
#pragma once

#include "base/arena.h"
#include "tensor/tensor.h"

/* A number that went into a cell, and where it comes from. */
typedef struct {
    const Tensor *tensor; /* NULL: a constant or an intermediate number */
    int cell;
} Place;

typedef struct {
    double value; /* the number that the rule combines: 0.31 * -0.52, or exp(-0.84) */
    const char *text; /* its computation as displayed: "0.31 × -0.52", "exp(-0.84)" */
    Place place[2];   /* positions of the numbers in `text`; the second may be empty */
} Term;

typedef struct Explanation Explanation;

/* How terms make a cell. A property test combines the terms of every operation. */
typedef struct {
    const char *name; /* as displayed: "sum", "this one over the sum of all" */
    double (*combine)(const Explanation *explanation);
    /* Return the formula with its numbers, in `arena`; NULL: the list of terms is
     * enough. */
    const char *(*line)(const Explanation *explanation, Arena *arena);
} Rule;

struct Explanation {
    const Rule *rule;
    const char
        *formula;     /* with the roles filled in: "query · key, summed over d_head" */
    const char *note; /* a sentence about what is special in this cell, or NULL */
    Term *term;
    int count;
    int chosen; /* rule_quotient: index of the numerator */
};

extern const Rule rule_sum;      /* sum of all terms */
extern const Rule rule_quotient; /* term[chosen] / sum of all terms */
extern const Rule rule_mean;     /* mean of all terms */
extern const Rule rule_sigmoid;  /* 1 / (1 + exp(-sum of all terms)) */
extern const Rule rule_tanh;     /* tanh of the sum of all terms */
extern const Rule rule_largest;  /* index of the largest term, from 0 */
extern const Rule rule_chosen;   /* only term[chosen]; the others for comparison */

/* Return the sum of the terms' absolute values: the scale for rounding errors. */
double explanation_size(const Explanation *explanation);
