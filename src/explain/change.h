/* change.h - manual changes to a run: a list whose first `done` are in effect; the
 * others were undone.
 *
 * A change is data: tensors by address, a slice of each, and their new numbers. A tape
 * that is recorded or rerun calls the list after each step (TapeHook, tensor/tape.h),
 * so a change takes effect whenever its tensor is computed: the run is as if each of
 * these tensors had these numbers.
 *
 * The run reads the whole target at once; decoding reads one token per step. Position t
 * of a decoder's tensor is computed in step t: with a KV cache (model/cache.h), the
 * only row of the step is row t of the run; without, it is row t of the step. In both
 * cases the last row of step T is position T, so a change of decoder.0.norm_1[target=3]
 * is also in effect in decoding step 3. Tensors that no step computes, such as
 * decoder.ids, can be changed only in the run. */
#pragma once

#include "explain/record.h"

/* New numbers for a slice of one tensor. */
typedef struct {
    const char *address; /* of the run, a decoding step, or a weight */
    int rank;
    int from[RANK_MAX], to[RANK_MAX]; /* to[a] ALL: the whole axis */
    const Number *value; /* one per cell, or one for all; NULL: copy the first input */
    int values;
    Number *before; /* of a weight: the original numbers */
} Override;

enum { ALL = -1 };

typedef struct {
    const char *text; /* as typed: ":mask encoder.0 head 2" */
    Override *override;
    int count, capacity;
    bool of_weights;   /* kept when the sentence changes */
    bool holds_target; /* no decoding step computes its tensor: keep the target */
} Change;

typedef struct Changes {
    Arena arena; /* of the changes */
    Change *change;
    int count, capacity;
    int done;       /* number in effect; the others can be redone */
    long long made; /* number of tensors seen: the cost of a new run */
    TapeHook hook;  /* to install on tapes */
    int prompt;     /* target tokens that the first decoding step reads */
} Changes;

enum { CHANGES_MAX = 1000 };

/* Append a change after those in effect and discard the undone ones. It is not yet in
 * effect: changes->done stays. Fail if there are CHANGES_MAX. */
bool changes_push(Changes *changes, const Change *change, Error *error);

/* Discard the changes that are not in effect. */
void changes_forget_undone(Changes *changes);

/* Keep only changes of weights that are in effect. Return true if others were in
 * effect. */
bool changes_keep_weights(Changes *changes);

/* Return the hook that changes what a tape computes. */
const TapeHook *changes_hook(Changes *changes);

/* Write the change's numbers to the existing tensors. */
void change_apply(const Change *change, const Tape *run, const Weights *weights);

/* Restore the weights that the change altered. */
void change_restore(const Change *change, const Weights *weights);

/* Return the first step of `run` that reads what the change alters or, if `anew`, that
 * must be rerun to undo it; run->count: none. */
int change_first_step(const Change *change, const Tape *run, const Weights *weights,
                      bool anew);

/* Return true if axis `a` of a tensor of the run or a step holds target positions. */
bool change_is_target(const Tensor *tensor, int a);

/* Return true if any change, even an undone one, alters this address. */
bool changes_alter(const Changes *changes, const char *address);

/* Return the last change in effect for the cell, or NULL. `changes` may be NULL. */
const Change *changes_of_cell(const Changes *changes, const Tensor *tensor, int cell);

/* Return the changes in effect, separated by "; ", in `arena`; "" if there are none. */
const char *changes_text(const Changes *changes, Arena *arena);
