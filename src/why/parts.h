/* parts.h - what a flow is made of: sublayers, heads, tokens, words; one level at a
 * time.
 */
#pragma once

#include "why/flow_back.h"

typedef enum {
    PART_PLAIN,    /* a number, or numbers that have no name of their own */
    PART_FOLLOWED, /* what is followed instead of a number that is no sum */
    PART_BOX,      /* what a sublayer, an LSTM or an RNN gave */
    PART_HEAD,     /* what one head found */
    PART_TOKEN,    /* what comes from one token */
    PART_FACTOR,   /* one side of a product: a query, a key */
    PART_WORD,     /* a row of the embedding: the word itself */
    PART_POSITION, /* its place in the sentence */
    PART_GIVEN,    /* numbers that nothing computed */
    PART_CONSTANT  /* biases: the same for every sentence */
} PartKind;

typedef struct {
    PartKind kind;
    Flow flow;    /* without a tensor: PART_CONSTANT */
    double value; /* of the number that is followed; those of all parts add up to it */
    Place weight; /* of attention: the first of the row that mixed the tokens of `flow`;
                     of a token the one weight that it has. Or empty */
    Where where;  /* in the model the tensor of the flow was made */
    bool on_steps; /* on the tape of the decoding */
} Part;

typedef struct {
    Part *part;
    int count, capacity;
} Parts;

/* The number itself. What has no parts that add up to it is replaced: a probability or
 * an attention weight by its score less the mean of the others, a choice by the logit
 * of what was chosen, σ of a sum by the sum. The part is of another tensor then. */
Part parts_whole(const Record *record, const Tensor *tensor, int cell, Arena *arena);


/* What the part is made of, largest first, in `arena`; none where it begins. */
Parts parts_of(const Record *record, const Part *part, Arena *arena);

/* Can it be taken apart further? */
bool parts_open(const Part *part);

/* The axis of heads, and of tokens (the last but one); -1: none. */
int parts_head_axis(const Tensor *tensor);
int parts_token_axis(const Tensor *tensor);
