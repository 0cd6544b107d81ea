/* followed.h - the head and the pair of tokens that a walk follows through an
 * attention: from query and key by way of the score, the scaled and the masked score
 * to the weight, to the value it takes and to its place among the heads.
 *
 * It is the pair that tells most of the sentence, of a prompt if it can, or what the
 * person chose with :follow. Padding takes no part, as everywhere in a story. */
#pragma once

#include "explain/role.h"
#include "walk/here.h"

/* One matrix for each head, [batch, head, query, key], or of an LSTM's attention
 * [batch, query, key]: what is told of is the story's sentence, without its padding. */
typedef struct {
    const Telling *asked;
    const Tensor *tensor;
    int heads, queries, keys;
    int query_axis;
    const unsigned char *hidden; /* by cell, or NULL */
} HeadMatrix;

/* False where the tensor is NULL or no such matrix. */
bool heads_read(const Telling *asked, const Tensor *tensor, HeadMatrix *matrix);

int heads_cell(const HeadMatrix *m, int head, int query, int key);
double heads_value(const HeadMatrix *m, int head, int query, int key);
bool heads_hides(const HeadMatrix *m, int head, int query, int key);

/* Are the tokens that ask and those that answer the same sentence? */
bool heads_of_same_tokens(const HeadMatrix *m);

/* What each head does in the story's sentence, in the arena of `asked`; of tokens
 * without words nothing. */
HeadRoles *heads_roles(const HeadMatrix *m);

/* A token that asks and one that answers. */
typedef struct {
    int head, query, key;
    int cell; /* -1: there is no such pair */
    double value;
    const char *asks, *answers;
} Pair;

/* Does it get twice as much as all keys that its query sees would get alike? */
bool pair_stands_out(const HeadMatrix *m, const Pair *pair);

/* The pair with the largest value of that head, of two different tokens that are no
 * marks and that the mask does not hide; first those that stand out. */
Pair largest_pair(const HeadMatrix *m, int head);

/* What largest_pair() leaves out: "punctuation and tokens like <end> aside". */
const char *left_out(const HeadMatrix *m);

/* What is followed through an attention. */
typedef struct {
    HeadMatrix weights;
    Pair pair;      /* its cell is one of the weights; -1: there is nothing to follow */
    bool is_chosen; /* by the person */
} Followed;

/* Through the attention that the stage at hand is of. */
Followed followed_in_stage(const Telling *asked);

/* Through that of these weights. */
Followed followed_in(const Telling *asked, const Tensor *weights);

/* The token that a walk follows through rows of features: the query of the pair that is
 * followed through the self-attention of the stage's layer; without one the token with
 * the longest label. */
int followed_token(const Telling *asked, const Tensor *rows);

/* The longest token beside that one, or itself: of a piece of a word little can be told
 * without the others. */
int followed_word(const Telling *asked, const Tensor *rows);

/* The tensor beside another, with that last name: beside
 * "encoder.0.self_attention.weights" the "scores"; or NULL. */
const Tensor *tensor_beside(const Telling *asked, const Tensor *tensor,
                            const char *name);

/* Where the numbers of a head begin in the row of a token, in which those of all heads
 * stand, and how many they are; of a tensor that has a row for each head all of it. */
int followed_columns(const Followed *followed, const Tensor *tensor, int *first);

/* For each cell of a tensor of that attention 1 where it belongs to what is followed,
 * in the arena of `asked`; NULL where none does. */
const unsigned char *followed_marks(const Telling *asked, const Followed *followed,
                                    const Tensor *tensor);
