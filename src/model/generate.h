/* generate.h - decoding: from a source sentence to target tokens, one after the
 * other. */
#pragma once

#include "model/model.h"

typedef struct {
    int *id; /* the chosen tokens, without <start>; with <end> if it was chosen */
    int count;
    bool ended;   /* false: the limit was reached */
    bool is_full; /* nothing was chosen: the prompt already has max_length tokens */
} Generated;

/* Return how many tokens may be generated: 50 more than the source has, as in the paper
 * (section 6.1), at most max_length; after a prompt, the remainder of max_length,
 * possibly 0. */
int generate_limit(const Config *config, const Encoded *source);

/* Return the start of a target, in `arena`: <start>, or without an encoder the
 * prompt. */
Ids generate_prompt(const Model *model, const Encoded *source, Arena *arena);

/* Greedy decoding from the encoder's output for one sentence: at each step choose the
 * most probable token, the lower id of equal ones, until <end> or `limit` tokens.
 * INT_MAX: as many as generate_limit() allows, and after a prompt 100. The tape has the
 * tensors of every step T under "step.T."; the last one, "choice", is the input of the
 * next step. Ids are in the tape's arena. Keys and values are cached if that gives the
 * same numbers, unless `cached` is false. If all logits of a step are NaN or -inf
 * (generate_ranks), it chooses id 0 and stops without <end>. A model that cannot
 * generate fails the tape. */
Generated generate_from(Tape *tape, const Model *model, const Encoded *source,
                        int limit, bool cached);

/* Does the last row of the logits contain a number to choose by? False if all are NaN
 * or -inf. */
bool generate_ranks(const Tensor *logits);

/* Run the steps of `generated`, which greedy decoding left on the tape, again after one
 * of their inputs was changed, assuming the same choices; true if the choices are the
 * same. All steps run one operation before any runs the next, so that each weight is
 * read from memory once; this takes half the time of decoding. It requires cached keys
 * and values, since then a step reads only earlier results of the same operation. If it
 * returns false, the numbers on the tape are invalid. */
bool generate_again(Tape *tape, const Generated *generated);

/* Chooses tokens instead of greedy decoding. `choose` gets the logits [1, target,
 * vocabulary] of step `step`, of which the last row counts, and returns an id of the
 * vocabulary, or TAKES_BEST. */
enum { TAKES_BEST = -1 };
typedef struct {
    int (*choose)(void *state, int step, const Tensor *logits);
    void *state;
} Chooser;

/* Like generate_from(), but `chooser` chooses the tokens: such a "choice" is given to
 * the tape, not computed. Keys and values are cached if possible. */
Generated generate_chosen(Tape *tape, const Model *model, const Encoded *source,
                          int limit, const Chooser *chooser);

/* Greedy decoding from ids of one row; runs the encoder first, on the same tape. */
Generated generate(Tape *tape, const Model *model, const Ids *source, int limit,
                   bool cached);
