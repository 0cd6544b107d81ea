/* op.h - a kind of operation, and one step of a run.
 *
 * Everything the program knows about an operation is in its record (Op): how it runs
 * forward and backward, and how each reader of a run describes it.
 * tests/units/test_ops.c finds missing fields. */
#pragma once

#include "base/arena.h"
#include "base/error.h"
#include "tensor/explanation.h"
#include "tensor/tensor.h"

typedef struct Op Op;
typedef struct Step Step;
typedef struct Back Back; /* tensor/flow.h */

/* The constants of one step; each operation documents which it reads. */
typedef struct {
    double number; /* scale: the factor. mask: the value of masked scores. layer norm:
                      epsilon. dropout: rate */
    int count;     /* split_heads: heads. mask, sinusoid: see ops.h */
    int window;    /* mask: keys at this distance or farther are masked; 0: none */
    unsigned long long seed; /* dropout */
} Setting;

/* Where in the model a step is, and how its address starts. */
typedef struct {
    const char *prefix; /* "encoder.0.self_attention", or NULL: no particular place */
    const char *place;  /* the prefix up to the layer: "encoder.0", "encoder", or "" */
    const char *stack;  /* "encoder", "decoder", or "" outside both */
    int layer;          /* of the stack, or the token that an LSTM reads; or NOWHERE */
    const char *box;    /* "self_attention", "feed_forward" ..., or "" */
    int step;           /* decoding step, or NOWHERE */
} Where;

struct Step {
    const Op *op;
    Tensor **input;
    int inputs;
    Setting setting;
    Tensor *output;
    Where where;
    Number *kept; /* saved by forward for backward, or NULL */
};

/* Which input numbers an output number depends on, as far as one word can tell. For
 * most operations this is enough to follow numbers through a run. */
typedef enum {
    REACH_MANY,  /* on more than one number */
    REACH_PLACE, /* on the number of the first input at the same position */
    REACH_MOVED, /* it is an unchanged number of an input; its row is also a row of the
                    input. Op.from says which */
} Reach;

/* The languages of `:code`. */
typedef enum { CODE_NUMPY, CODE_TORCH, CODE_LANGUAGES } CodeLanguage;

/* How a step is written in each language. In a line $y is the output, $0, $1 ... are
 * the inputs, $* all of them, $n the number of the setting, $c its count, $s the sizes
 * of the output ("1, 11, 96"), and any other letter is replaced by Op.code_word. */
typedef struct {
    bool (*holds)(const Step *step); /* NULL: for every step of this kind */
    const char *line[CODE_LANGUAGES];
} Code;

/* For an operation with the same lines for every step; and for one without lines, which
 * `:code` rejects. */
#define CODE(...) ((const Code[]){{.line = {__VA_ARGS__}}, {0}})
#define CODE_NONE ((const Code[]){{0}})

/* How a number of the output depends on a number of an input. */
typedef struct {
    int output; /* index of the output number */
    double by;
    Place factor;     /* where `by` is, if it is a number of the run */
    const char *text; /* how `by` was computed; NULL: show it as a number */
} Slope;

typedef struct {
    Arena *arena;
    Slope *slope;
    int count, capacity;
} Slopes;

/* Everything about one kind of operation, in one place. */
struct Op {
    const char *name;
    /* What a step computes, with placeholders for names: $y the output, $0, $1 ... the
     * inputs, $n the number of the setting. See formula_print(). */
    const char *formula;
    /* The same if it depends on the step, in `arena`; NULL: it does not. */
    const char *(*formula_of)(const Step *step, Arena *arena);
    int inputs_min, inputs_max;
    unsigned learned; /* bit i: input i receives a gradient; ~0u: all inputs do */
    Reach reach;

    /* Set the axes of the output, or fail with a message that names the tensors and
     * axes that clash. */
    bool (*shape)(const Step *step, int *rank, Axis *axis, Error *error);
    void (*forward)(Step *step, Arena *arena); /* fill output->data */
    /* Add to each learned input->grad, using tensor_grad_factor(). */
    void (*backward)(const Step *step, Arena *scratch);
    /* Get the terms that output->data[cell] was computed from. */
    void (*explain)(const Step *step, int cell, Arena *arena, Explanation *explanation);
    /* REACH_MOVED: return the input number that output->data[cell] is a copy of. */
    Place (*from)(const Step *step, int cell);

    /* Pass a flow from the output to the inputs for `:because`, so that the sum of
     * slope × number is preserved; use relevance_ends() if the numbers have no origin.
     * NULL: derived from `reach`; required for REACH_MANY. */
    void (*relevance)(Back *back);
    /* Get the derivatives of all output numbers that depend on number `cell` of a
     * learned input. NULL: call backward for one number at a time. */
    void (*slopes)(const Step *step, int input, int cell, Slopes *slopes);
    /* Its lines in NumPy and PyTorch: the first entry that holds for the step is used;
     * an entry without lines ends the list. code_word() replaces the operation's own
     * letters, in `arena`. */
    const Code *code;
    const char *(*code_word)(const Step *step, char letter, Arena *arena);
    /* Of an activation: its name in the map, and a sentence for stages where an option
     * selects it. NULL for other operations. */
    const char *title, *says;
    bool shares;  /* its rows are probabilities, like attention weights */
    bool mixes;   /* a product in which the first input has weights that mix rows of the
                     second */
    bool centres; /* normalizes rows, so show the mean and deviation of the rows that it
                     reads and writes */
};
