/* tape.h - the record of every operation, in the order it ran.
 *
 * One record, four readers: tape_backward() runs it in reverse to compute gradients,
 * walk/walk.c shows it stage by stage, why/cell.c asks a step how one number was
 * computed, and a trace writes it to a file. So the program shows exactly what ran. */
#pragma once

#include "base/arena.h"
#include "base/error.h"
#include "tensor/op.h"
#include "tensor/tensor.h"

/* Does that input receive a gradient? */
bool op_learns(const Op *op, int input);

/* A hook that changes numbers manually: called after each tensor is computed, or
 * recomputed, before anything reads it. `step` is NULL for a tensor that was given. */
typedef struct {
    void (*made)(void *state, Tensor *tensor, const Step *step);
    void *state;
} TapeHook;

/* An address and its tensor: the output of a step, a given tensor, or an alias. */
typedef struct {
    const char *address; /* "encoder.0.self_attention.scores" */
    const char *part;    /* its end, after the place: "self_attention.scores" */
    const char *name;    /* its last part: "scores" */
    Where where;
    Tensor *tensor;
} Entry;

/* Limits. All tensors of a run: 2 GiB of floats; a sentence takes a thousandth of it
 * per token in the base model. All runs that are kept at the same time, with their
 * gradients: 4 GiB. A training tape, which recycles its gradients, has only the first
 * limit, per thread. */
enum { TAPE_NUMBERS_MAX = 1 << 29, TAPE_HELD_MAX = 1 << 30 };

typedef struct {
    Arena arena;    /* owns every tensor that the steps make */
    size_t numbers; /* in all tensors */
    Step *step;
    int count, capacity;
    Entry *entry; /* every address, in the order of creation */
    int entries, entry_capacity;
    Where where;   /* where the next step is recorded */
    bool learns;   /* tensors get a grad */
    bool recycles; /* recycle gradients: a grad exists only until it is passed on, see
                   tape_backward() */
    const TapeHook *hook;    /* or NULL: nothing is changed manually */
    bool dropout_on;         /* apply dropout even if nothing is learned */
    unsigned long long seed; /* seed of dropout */
    Error error;             /* the first failure; after it every call does nothing */
    bool failed;
} Tape;

/* How far a tape has been recorded: see tape_cut(). */
typedef struct {
    Tape tape;
    ArenaMark arena;
} TapeMark;

/* NULL, except in tests: gets the numbers that a step computed, forward or backward,
 * and may change their last bits. See tests/hazards/noise.c. */
extern void (*tape_noise)(const Step *step, void *numbers, size_t count,
                          size_t bytes_each);

/* Run `op` on `inputs` tensors, record it, and return its output (owned by the tape).
 * After a failure, return NULL and accept NULL inputs, so that model code needs no
 * checks: call tape_done() once, at the end. */
Tensor *tape_run(Tape *tape, const Op *op, const char *name, Tensor *const *input,
                 int inputs, Setting setting);

/* Add a tensor that is given, not computed, such as the ids of a sentence. It is in the
 * tape's arena, under its address; its numbers are not set yet. */
Tensor *tape_given(Tape *tape, const char *name, int rank, const Axis *axis);

/* Call this after setting the numbers of a given tensor. Returns the tensor. */
Tensor *tape_set(Tape *tape, Tensor *tensor);

/* Add a second address for `tensor`, for a step that does nothing. Returns the
 * tensor. */
Tensor *tape_alias(Tape *tape, const char *name, Tensor *tensor);

/* Enter a part of the model; addresses then start with its name: after
 * tape_enter_stack(tape, "encoder"), "input" is recorded as "encoder.input". A stack
 * contains numbered layers (an LSTM: tokens), and both contain boxes: tape_enter(tape,
 * "self_attention"). Decoding steps contain all of these. Each function returns the
 * place to pass to tape_leave(). */
Where tape_enter_step(Tape *tape, int step);
Where tape_enter_stack(Tape *tape, const char *stack);
Where tape_enter_layer(Tape *tape, int layer);
Where tape_enter(Tape *tape, const char *box);
void tape_leave(Tape *tape, Where before);

/* Return the tensor at `address`, or NULL. The address must be complete; the current
 * place does not matter. */
Tensor *tape_find(const Tape *tape, const char *address);

/* If the tape has failed, return false and its first failure. */
bool tape_done(const Tape *tape, Error *error);

/* Record a failure outside an operation; the first failure is kept. Returns NULL. */
__attribute__((format(printf, 2, 3))) Tensor *tape_fail(Tape *tape, const char *format,
                                                        ...);

/* Fill every grad with d(sum of `loss`)/d(tensor), from the last step to the first.
 * Tensors whose grad_written stays false have no influence on the loss. If the tape
 * recycles gradients, a grad is taken back as soon as its step has passed it on, and
 * its memory, which is still in the cache, goes to the next one of the same size: then
 * only weights have a grad before and after this call. Fails the tape if a signal
 * interrupts it. */
void tape_backward(Tape *tape, Tensor *loss);

/* Run the recorded steps again, starting at number `from`, into the same tensors, after
 * one of their inputs was changed: a weight, a given tensor, or an earlier result.
 * Fails the tape if an input no longer fits, such as an id outside the table. */
void tape_rerun(Tape *tape, int from);

/* The same up to, but not including, step `to`. */
void tape_rerun_part(Tape *tape, int from, int to);

/* tape_cut() forgets everything recorded since tape_mark(), including a failure. The
 * numbers of the remaining tensors are not restored. */
TapeMark tape_mark(const Tape *tape);
void tape_cut(Tape *tape, const TapeMark *mark);

/* Forget all steps and tensors, and keep up to 64 MiB of memory for the next run. */
void tape_reset(Tape *tape);

/* Free the memory. */
void tape_free(Tape *tape);
