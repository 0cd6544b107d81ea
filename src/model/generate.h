/* generate.h - decoding: from a source sentence to target tokens, one after the other.
 */
#pragma once

#include "model/model.h"

typedef struct {
    int *id; /* what was chosen, without <start>; with <end> if it came */
    int count;
    bool ended;   /* false: the limit came first */
    bool is_full; /* nothing was chosen: the prompt has max_length tokens */
} Generated;

/* How many tokens may be generated: 50 more than the source has, as in the paper
 * (section 6.1), at most max_length; after a prompt, as many as max_length leaves room
 * for, which may be none. */
int generate_limit(const Config *config, const Encoded *source);

/* What a target begins with, in `arena`: <start>, or without an encoder the prompt. */
Ids generate_prompt(const Model *model, const Encoded *source, Arena *arena);

/* Greedy decoding from what the encoder made of one sentence: at each step the most
 * probable token, the lower id of equals, until <end> or `limit` tokens; INT_MAX: as
 * many as generate_limit() allows, and behind a prompt 100. The tape has
 * the tensors of every step T under "step.T.", the last of them the "choice", which
 * the next step reads; ids lie in its arena. Keys and values are kept from step to step
 * where that gives the same numbers, unless `cached` is false. It stops, without <end>,
 * behind a step whose logits hold no number (generate_ranks), which took id 0. A model
 * that cannot generate fails the tape. */
Generated generate_from(Tape *tape, const Model *model, const Encoded *source,
                        int limit, bool cached);

/* Does the last row of the logits hold a number, by which a token can be chosen? False
 * where all are NaN or -inf: every choice is as good as another. */
bool generate_ranks(const Tensor *logits);

/* The steps of `generated`, which greedy decoding left on the tape, once more after
 * something that they read was changed, as if it would choose the same tokens; true
 * where it does. All steps run one operation before any runs the next, so that each
 * weight is read from memory once: this takes half the time of decoding. It needs keys
 * and values that were kept, since then no step reads more than earlier steps' results
 * of the same operation. Where it is false, what is on the tape means nothing. */
bool generate_again(Tape *tape, const Generated *generated);

/* Who takes the next token instead of greedy decoding. `choose` gets the logits
 * [1, target, vocabulary] of step `step`, of which the last row counts, and gives an id
 * of the vocabulary, or TAKES_BEST. */
enum { TAKES_BEST = -1 };
typedef struct {
    int (*choose)(void *state, int step, const Tensor *logits);
    void *state;
} Chooser;

/* Like generate_from(), save that `chooser` takes the tokens: a "choice" of its own is
 * given to the tape, not computed. Keys and values are kept where that is possible. */
Generated generate_chosen(Tape *tape, const Model *model, const Encoded *source,
                          int limit, const Chooser *chooser);

/* Greedy decoding from ids of one row, which go through the encoder first, on the same
 * tape.
 */
Generated generate(Tape *tape, const Model *model, const Ids *source, int limit,
                   bool cached);
