/* change.h - what a person changed by hand in a run: a list of rows, of which the first
 * `done` hold and the others were undone.
 *
 * A change is data: tensors by address, a slice of each, and the numbers that stand
 * there instead. Whoever records or re-runs a tape asks the list after each step
 * (TapeHook, tensor/tape.h), so a change holds wherever its tensor is made anew: a run
 * with changes is the run that would have been, had each of these tensors come out so.
 *
 * The run reads the whole target at once, a decoding a token a step. Number t along the
 * target of a decoder's tensor is made by step t: where a step remembers what came
 * before (model/cache.h), its only row is row t of the run; where it reads everything
 * again, its row t is. Either way the last row of step T is at place T, and so a
 * change of decoder.0.norm_1[target=3] holds in step 3 of the decoding, too. What no
 * step makes, such as decoder.ids, can be changed in the run alone. */
#pragma once

#include "explain/record.h"

/* Some numbers of one tensor, and what they are instead. */
typedef struct {
    const char *address; /* of the run, of a step of the decoding, or of a weight */
    int rank;
    int from[RANK_MAX], to[RANK_MAX]; /* to[a] ALL: however many there are */
    const Number *value; /* one for each, or one for all; NULL: as the first input */
    int values;
    Number *before; /* of a weight: what it was */
} Override;

enum { ALL = -1 };

typedef struct {
    const char *text; /* as one would type it: ":mask encoder.0 head 2" */
    Override *override;
    int count, capacity;
    bool of_weights;   /* it outlives the sentence */
    bool holds_target; /* no step of the decoding makes it: the target stays */
    int joined;        /* bytes of Changes.text up to its end; changes_push() sets it */
} Change;

/* The overrides of one address, oldest first, so that a tensor finds its own. */
typedef struct {
    const char *address; /* NULL: a free place of the table */
    struct {
        int change;
        const Override *override;
    } * row;
    int count, capacity;
} Altered;

typedef struct Changes {
    Arena arena; /* of the rows */
    Change *change;
    int count, capacity;
    int done;   /* those that hold; the others can be done again */
    char *text; /* of all, "; " between them */
    int bytes, room;
    Altered *altered; /* a hash table by address */
    int addresses, places;
    long long made; /* tensors that it was asked about: what a re-run cost */
    TapeHook hand;  /* to be given to tapes */
    int prompt;     /* tokens of the target that the first step of a decoding reads */
} Changes;

enum { CHANGES_MAX = 1000 };

/* Add a row behind those that hold; the undone ones are forgotten. It does not hold
 * yet: changes->done stays. Fails where there are CHANGES_MAX. */
bool changes_push(Changes *changes, const Change *change, Error *error);

/* Forget the rows that do not hold. */
void changes_forget_undone(Changes *changes);

/* Forget every change but those of weights that hold; true where others did hold. */
bool changes_keep_weights(Changes *changes);

/* The hand that changes what a tape makes. */
const TapeHook *changes_hand(Changes *changes);

/* Put the numbers of the change into the tensors there are. */
void change_apply(const Change *change, const Tape *run, const Weights *weights);

/* The weights of the change as they were before it. */
void change_restore(const Change *change, const Weights *weights);

/* The first step of `run` that reads what the change alters, or, where `anew`, that
 * must run to undo it; run->count: none. */
int change_first_step(const Change *change, const Tape *run, const Weights *weights,
                      bool anew);

/* Does axis `a` of a tensor, of the run or of a step, count the places of the target?
 */
bool change_is_target(const Tensor *tensor, int a);

/* Does any of the rows, undone ones too, speak of this address? */
bool changes_alter(const Changes *changes, const char *address);

/* The last change that holds for the cell, or NULL. `changes` may be NULL. */
const Change *changes_of_cell(const Changes *changes, const Tensor *tensor, int cell);

/* Those that hold, "; " between them, in `arena`; "" without any. */
const char *changes_text(const Changes *changes, Arena *arena);
