/* tape.h - the record of every operation, in the order it ran.
 *
 * One record, four readers: tape_backward() runs it in reverse for the gradients,
 * walk/walk.c shows it stage by stage, why/cell.c asks a step where one number
 * came from, and a trace writes it to a file. What is shown is what ran. */
#pragma once

#include "base/arena.h"
#include "base/error.h"
#include "tensor/op.h"
#include "tensor/tensor.h"

/* Does that input receive a gradient? */
bool op_learns(const Op *op, int input);

/* Who changes numbers by hand: asked after each tensor is made, or made again, and
 * before anything reads it. `step` is NULL where the tensor was given. */
typedef struct {
    void (*made)(void *state, Tensor *tensor, const Step *step);
    void *state;
} TapeHook;

/* An address and what lies there: outputs of steps, what was given, second names. */
typedef struct {
    const char *address; /* "encoder.0.self_attention.scores" */
    const char *part;    /* its end, behind the place: "self_attention.scores" */
    const char *name;    /* the last of it: "scores" */
    Where where;
    Tensor *tensor;
} Entry;

/* All tensors of a run together: 2 GiB of floats. A sentence of the base model takes a
 * thousandth of it for each token. All runs that are kept at the same time, with their
 * gradients: 4 GiB; a training, which recycles its gradients, has only the first limit,
 * for each thread. */
enum { TAPE_NUMBERS_MAX = 1 << 29, TAPE_HELD_MAX = 1 << 30 };

typedef struct {
    Arena arena;    /* owns every tensor that the steps made */
    size_t numbers; /* that all of them hold */
    Step *step;
    int count, capacity;
    Entry *entry; /* every address, in the order it was made */
    int entries, entry_capacity;
    Where where;             /* what is being recorded */
    bool learns;             /* tensors get a grad */
    bool lends;              /* only while it is passed on: see tape_backward() */
    const TapeHook *hand;    /* or NULL: nobody changes anything */
    bool drops;              /* dropout drops, though nothing is learned */
    unsigned long long seed; /* which numbers dropout drops follows from it */
    Error error;             /* the first failure; after it every call does nothing */
    bool failed;
} Tape;

/* How far a tape has come: see tape_cut(). */
typedef struct {
    Tape tape;
    ArenaMark arena;
} TapeMark;

/* NULL, but in tests: is shown the numbers that a step computed, forwards or backwards,
 * and may move their last bits. See tests/hazards/noise.c. */
extern void (*tape_noise)(const Step *step, void *numbers, size_t count,
                          size_t bytes_each);

/* Run `op` on `inputs` tensors, record it, return its output (owned by the tape).
 * After a failure returns NULL and takes NULL inputs, so that a whole model is written
 * without a check per line; look at tape->failed once, at the end. */
Tensor *tape_run(Tape *tape, const Op *op, const char *name, Tensor *const *input,
                 int inputs, Setting setting);

/* A tensor that is given rather than computed, such as the ids of a sentence, in the
 * tape's arena and under its address; its numbers are not yet set. */
Tensor *tape_given(Tape *tape, const char *name, int rank, const Axis *axis);

/* Its numbers are set: to be called by whoever sets them. Returns the tensor. */
Tensor *tape_set(Tape *tape, Tensor *tensor);

/* A second address of `tensor`, for a step that does nothing. Returns the tensor. */
Tensor *tape_alias(Tape *tape, const char *name, Tensor *tensor);

/* What follows is there, and its address begins so: after tape_enter_stack(tape,
 * "encoder"), "input" is recorded as "encoder.input". A stack has layers by number (an
 * LSTM tokens), both have boxes: tape_enter(tape, "self_attention"). A decoding has
 * steps, around all of these. Each returns what to hand back to tape_leave(). */
Where tape_enter_step(Tape *tape, int step);
Where tape_enter_stack(Tape *tape, const char *stack);
Where tape_enter_layer(Tape *tape, int layer);
Where tape_enter(Tape *tape, const char *box);
void tape_leave(Tape *tape, Where before);

/* The tensor at `address`, or NULL. The full address; the place does not matter. */
Tensor *tape_find(const Tape *tape, const char *address);

/* False and its first failure, where it has failed. */
bool tape_done(const Tape *tape, Error *error);

/* Record a failure that is not an operation's; the first one stays. Returns NULL. */
__attribute__((format(printf, 2, 3))) Tensor *tape_fail(Tape *tape, const char *format,
                                                        ...);

/* Fill every grad with d(sum of `loss`)/d(tensor), from the last step to the first.
 * Tensors whose grad_written stays false have no influence on the loss. A tape that
 * lends takes a grad back once its step has passed it on, and gives its memory to the
 * next one of the same size, which finds it in the nearest caches: what the steps made
 * has no grad before and behind this call, weights have. Fails the tape where a signal
 * stops it. */
void tape_backward(Tape *tape, Tensor *loss);

/* Run the recorded steps again from number `from` on, into the same tensors, after
 * something that they read was changed: a weight, what was given, a tensor made before.
 * Fails the tape where an input no longer fits, such as an id that no table has. */
void tape_rerun(Tape *tape, int from);

/* The same up to, and without, step `to`. */
void tape_rerun_part(Tape *tape, int from, int to);

/* All that is recorded now; tape_cut() forgets what was recorded since, a failure,
 * too. The numbers of what stays are left as they are. */
TapeMark tape_mark(const Tape *tape);
void tape_cut(Tape *tape, const TapeMark *mark);

/* Forget all steps and tensors, and keep the memory for the next run, unless it is
 * more than 64 MiB. */
void tape_reset(Tape *tape);

/* Give the memory back. */
void tape_free(Tape *tape);
