/* followed.h - the head and the pair of tokens (query, key) that a walk follows through
 * an attention: from query and key to the score, the scaled score, the masked score and
 * the weight, then to the value and to the columns of the concatenated heads.
 *
 * The default is the pair that says most about the sentence, taken from the prompt if
 * possible; :follow chooses another. Padding is ignored. */
#pragma once

#include "explain/role.h"
#include "walk/here.h"

/* One matrix per head, [batch, head, query, key], or an LSTM's [batch, query, key],
 * restricted to the story's sentence without padding. */
typedef struct {
    const StageView *view;
    const Tensor *tensor;
    int heads, queries, keys;
    int query_axis;
    const unsigned char *hidden; /* 1 for each masked cell, or NULL */
} HeadMatrix;

/* Return false if the tensor is NULL or has another shape. */
bool heads_read(const StageView *view, const Tensor *tensor, HeadMatrix *matrix);

int heads_cell(const HeadMatrix *m, int head, int query, int key);
double heads_value(const HeadMatrix *m, int head, int query, int key);
bool heads_hides(const HeadMatrix *m, int head, int query, int key);

/* Return true if queries and keys are tokens of the same sentence. */
bool heads_of_same_tokens(const HeadMatrix *m);

/* Return what each head does in the story's sentence, allocated in the arena of
 * `view`. All counts are 0 if the tokens have no labels. */
HeadRoles *heads_roles(const HeadMatrix *m);

/* A query token and a key token. */
typedef struct {
    int head, query, key;
    int cell; /* -1: no such pair */
    double value;
    const char *asks, *answers;
} QueryKey;

/* Return true if the weight is at least twice the average of the visible keys. */
bool pair_stands_out(const HeadMatrix *m, const QueryKey *pair);

/* Return the head's largest pair of two different, unmasked tokens that are not marks.
 * Pairs that stand out come first. */
QueryKey largest_pair(const HeadMatrix *m, int head);

/* Return what largest_pair() leaves out: "apart from punctuation and tokens like
 * <end>". */
const char *left_out(const HeadMatrix *m);

/* The pair followed through one attention. */
typedef struct Followed {
    HeadMatrix weights;
    QueryKey pair;  /* `pair.cell` is a cell of `weights`; -1: nothing to follow */
    bool is_chosen; /* chosen by the user */
} Followed;

/* Return what is followed through the attention of the current stage. */
Followed followed_in_stage(const StageView *view);

/* Return what is followed through the attention with these weights. `view` keeps the
 * last one, because a stop asks for the same one several times. */
Followed followed_in(const StageView *view, const Tensor *weights);

/* Return the token whose row a walk follows: the query of the pair that is followed
 * through the self-attention of the stage's layer, or else the token with the longest
 * label. */
int followed_token(const StageView *view, const Tensor *rows);

/* Return the longest token next to followed_token(), or followed_token() itself: a
 * piece of a word says little without the other pieces. */
int followed_word(const StageView *view, const Tensor *rows);

/* Return the tensor `name` of the same box: the "scores" that belong to
 * "encoder.0.self_attention.weights"; or NULL. */
const Tensor *tensor_beside(const StageView *view, const Tensor *tensor,
                            const char *name);

/* Return how many columns the followed head has in a row that concatenates all heads,
 * and set `*first` to the first of them. If the tensor has one row per head, return the
 * whole row. */
int followed_columns(const Followed *followed, const Tensor *tensor, int *first);

/* Return the token of the followed pair whose row the tensor contains: the key for keys
 * and values, otherwise the query; 0 if nothing is followed. */
int followed_in_tensor(const Followed *followed, const Tensor *tensor);

/* Return the first cell of that token's row in the followed head. */
int followed_cell(const Followed *followed, const Tensor *tensor);

/* Return 1 for each cell of an attention's tensor that belongs to the followed pair, in
 * the arena of `view`, or NULL if no cell does. */
const unsigned char *followed_marks(const StageView *view, const Followed *followed,
                                    const Tensor *tensor);
