/* here_matrix.h - attention as those see it who tell of it: by head, query and key. */
#pragma once

#include "walk/here_ask.h"

/* One matrix for each head, [batch, head, query, key], or of an LSTM's attention
 * [batch, query, key]: what is told of is the story's sentence, without its padding. */
typedef struct {
    const Telling *asked;
    const Tensor *tensor;
    int heads, queries, keys;
    int query_axis;
    const unsigned char *hidden; /* by cell, or NULL */
} HeadMatrix;

/* False where the tensor is none such, or nothing of the sentence is in it. */
bool heads_read(const Telling *asked, const Tensor *tensor, HeadMatrix *matrix);

int heads_cell(const HeadMatrix *m, int head, int query, int key);
double heads_value(const HeadMatrix *m, int head, int query, int key);
bool heads_hides(const HeadMatrix *m, int head, int query, int key);

/* What the tokens are called in a sentence. */
const char *heads_query(const HeadMatrix *m, int query);
const char *heads_key(const HeadMatrix *m, int key);

/* The pair of a head with the largest value, of two tokens with a meaning that can be
 * seen, and whose query is not `but`; false: there is none. */
bool heads_pair(const HeadMatrix *m, int head, int but, int pair[2]);
