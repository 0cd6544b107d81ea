/* generate.h - decoding: generate the tokens of the target for a source sentence, one
 * by one. */
#pragma once

#include "model/model.h"

typedef struct {
    int *id; /* the chosen tokens without <start>, but with <end> if it was chosen */
    int count;
    bool ended;   /* false: the limit was reached */
    bool is_full; /* nothing was chosen: the prompt already has max_length tokens */
} Generated;

/* Return how many tokens may be generated: 50 more than the source has, as in the paper
 * (section 6.1), up to max_length; after a prompt, what is left of max_length, possibly
 * 0. */
int generate_limit(const Config *config, const Encoded *source);

/* Return the start of a target, in `arena`: <start>, or the prompt if there is no
 * encoder. */
Ids generate_prompt(const Model *model, const Encoded *source, Arena *arena);

/* Greedy decoding from the encoder's output for one sentence: at each step choose the
 * most probable token (of equal ones, the lowest id) until <end> or `limit` tokens.
 * INT_MAX: as many as generate_limit() allows, after a prompt at most 100. The tape has
 * the tensors of every step T under "step.T."; the last one, "choice", is the input of
 * the next step. Ids are in the tape's arena. Keys and values are cached if that gives
 * the same numbers, unless `cached` is false. If all logits of a step are NaN or -inf
 * (generate_ranks), it chooses id 0 and stops without <end>. A model that cannot
 * generate fails the tape. */
Generated generate_from(Tape *tape, const Model *model, const Encoded *source,
                        int limit, bool cached);

/* Can a token be chosen from the last row of the logits? False if all are NaN or
 * -inf. */
bool generate_ranks(const Tensor *logits);

/* After an input was changed, rerun the steps of `generated` that greedy decoding left
 * on the tape, assuming the same choices; true if the choices are the same. All steps
 * run one operation before any runs the next, so each weight is read from memory once;
 * this takes half the time of decoding. It requires cached keys and values, because
 * then a step reads only earlier results of the same operation. If it returns false,
 * the numbers on the tape are invalid. */
bool generate_again(Tape *tape, const Generated *generated);

/* Chooses tokens instead of greedy decoding. `choose` gets the logits [1, target,
 * vocabulary] of step `step`, whose last row counts, and returns an id of the
 * vocabulary, or TAKES_BEST. */
enum { TAKES_BEST = -1 };
typedef struct {
    int (*choose)(void *state, int step, const Tensor *logits);
    void *state;
} Chooser;

/* Like generate_from(), but `chooser` chooses the tokens: "choice" is then a given
 * tensor, not a computed one. Keys and values are cached if possible. */
Generated generate_chosen(Tape *tape, const Model *model, const Encoded *source,
                          int limit, const Chooser *chooser);

/* Greedy decoding from one row of ids; runs the encoder first, on the same tape. */
Generated generate(Tape *tape, const Model *model, const Ids *source, int limit,
                   bool cached);
