/* parts.h - the contributions to a flow, one level at a time: sublayers, heads, tokens,
 * words. */
#pragma once

#include "why/flow_back.h"

typedef enum {
    PART_PLAIN,    /* a number, or numbers without a name */
    PART_FOLLOWED, /* replaces a number that is not a sum */
    PART_BOX,      /* the output of a sublayer, an LSTM or an RNN */
    PART_HEAD,     /* the output of one head */
    PART_TOKEN,    /* the contribution of one token */
    PART_FACTOR,   /* one side of a product: a query or a key */
    PART_WORD,     /* a row of the embedding: the word itself */
    PART_POSITION, /* its position in the sentence */
    PART_GIVEN,    /* an input */
    PART_CONSTANT  /* biases: the same for every sentence */
} PartKind;

typedef struct {
    PartKind kind;
    Flow flow;     /* without a tensor: PART_CONSTANT */
    double value;  /* its contribution; the sum over all parts is the number */
    Place weight;  /* first attention weight of the row that averaged the tokens of
                      `flow`; for a token, its own weight. Or empty */
    Where where;   /* where the flow's tensor was computed in the model */
    bool on_steps; /* on the tape of the decoding */
} Part;

typedef struct {
    Part *part;
    int count, capacity;
} Parts;

/* Return the number itself as a part. A number that is not a sum is replaced by one: a
 * probability or an attention weight by its score minus the mean of the others, a
 * choice by the logit of the chosen token, σ by its argument. The part is then of
 * another tensor. */
Part parts_whole(const Record *record, const Tensor *tensor, int cell, Arena *arena);

/* Return the contributions to the part, largest first, in `arena`; none if it starts
 * here. */
Parts parts_of(const Record *record, const Part *part, Arena *arena);

/* Return true if the part can be split further. */
bool parts_open(const Part *part);

/* The axis of heads, and the axis of tokens (the last but one); -1: none. */
int parts_head_axis(const Tensor *tensor);
int parts_token_axis(const Tensor *tensor);
