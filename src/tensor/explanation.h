/* explanation.h - what one cell was made of: terms, and the rule that combines them. */
#pragma once

#include "base/arena.h"
#include "tensor/tensor.h"

/* A number that went into a cell, and where it can be followed. */
typedef struct {
    const Tensor *tensor; /* NULL: a constant or a number made on the way */
    int cell;
} Place;

typedef struct {
    double value;     /* what the rule combines: 0.31 * -0.52, or exp(-0.84) */
    const char *text; /* how it came about, as printed: "0.31 × -0.52", "exp(-0.84)" */
    Place place[2];   /* where the numbers in `text` stand; the second may be empty */
} Term;

typedef struct Explanation Explanation;

/* How terms make a cell. A property test combines the terms of every operation. */
typedef struct {
    const char *name; /* as shown: "sum", "this one over the sum of all" */
    double (*combine)(const Explanation *explanation);
    /* The numbers in their formula, in `arena`; NULL: the terms are as good. */
    const char *(*line)(const Explanation *explanation, Arena *arena);
} Rule;

struct Explanation {
    const Rule *rule;
    const char
        *formula;     /* with the roles filled in: "query · key, summed over d_head" */
    const char *note; /* a sentence on what is special about this cell, or NULL */
    Term *term;
    int count;
    int chosen; /* rule_quotient: which term is above the line */
};

extern const Rule rule_sum;      /* all terms added */
extern const Rule rule_quotient; /* term[chosen] / all terms added */
extern const Rule rule_mean;     /* all terms added / how many */
extern const Rule rule_sigmoid;  /* 1 / (1 + exp(-all terms added)) */
extern const Rule rule_tanh;     /* tanh of all terms added */
extern const Rule rule_largest;  /* the place of the largest term, counted from 0 */
extern const Rule rule_chosen; /* term[chosen] alone; the others are shown beside it */

/* Sum of the terms' absolute values: the scale that a rounding error is seen against.
 */
double explanation_size(const Explanation *explanation);
