/* op.h - a kind of operation, and one step of a run.
 *
 * All that the program knows of an operation is in its record (Op): how it runs,
 * forwards and backwards, and what every reader of a run asks of it. What is missing is
 * found by tests/units/test_ops.c. */
#pragma once

#include "base/arena.h"
#include "base/error.h"
#include "tensor/explanation.h"
#include "tensor/tensor.h"

typedef struct Op Op;
typedef struct Step Step;
typedef struct Back Back; /* tensor/flow.h */

/* The constants of one step; each operation says which it reads. */
typedef struct {
    double number; /* scale: the factor. mask: what hides. layer norm: epsilon. dropout:
                      rate */
    int count;     /* split_heads: heads. mask, sinusoid: see ops.h */
    int window;    /* mask: keys so far away or farther are hidden; 0: none */
    unsigned long long seed; /* dropout */
} Setting;

/* Where in the model something stands, and how its address begins. */
typedef struct {
    const char *prefix; /* "encoder.0.self_attention", or NULL: nowhere in particular */
    const char *place;  /* the prefix up to the layer: "encoder.0", "encoder", or "" */
    const char *stack;  /* "encoder", "decoder", or "" outside of both */
    int layer;          /* of the stack, or the token that an LSTM reads; or NOWHERE */
    const char *box;    /* "self_attention", "feed_forward" ..., or "" */
    int step;           /* of a decoding, or NOWHERE */
} Where;

struct Step {
    const Op *op;
    Tensor **input;
    int inputs;
    Setting setting;
    Tensor *output;
    Where where;
    Number *kept; /* what forward left for backward, or NULL */
};

/* What a number of the output is made of, as far as a word says it. Whoever follows
 * numbers through a run needs no more than that of most operations. */
typedef enum {
    REACH_MANY,  /* of more than one number */
    REACH_PLACE, /* of the first input's at the same place */
    REACH_MOVED, /* it is a number of an input, which is in a row there as it is
                    here: Op.from says where */
} Reach;

/* The languages of `:code`. */
typedef enum { CODE_NUMPY, CODE_TORCH, CODE_LANGUAGES } CodeLanguage;

/* How a step is written in each. In a line $y stands for the output, $0, $1 ... for the
 * inputs, $* for all of them, $n for the number of the setting, $c for its count, $s
 * for the sizes of the output ("1, 11, 96"), and any other letter for what
 * Op.code_word says. */
typedef struct {
    bool (*holds)(const Step *step); /* NULL: for every step of that kind */
    const char *line[CODE_LANGUAGES];
} Code;

/* The lines of an operation that has the same for every step; and those of one that has
 * none, which `:code` refuses. */
#define CODE(...) ((const Code[]){{.line = {__VA_ARGS__}}, {0}})
#define CODE_NONE ((const Code[]){{0}})

/* How a number of the output moves with a number of an input. */
typedef struct {
    int output; /* which one */
    double by;
    Place factor;     /* where `by` stands, if it is a number of the run */
    const char *text; /* how `by` came about; NULL: it is said as a number */
} Slope;

typedef struct {
    Arena *arena;
    Slope *slope;
    int count, capacity;
} Slopes;

/* All there is to know about one kind of operation, in one place. */
struct Op {
    const char *name;
    /* What a step computes, the names to be filled in: $y the output, $0, $1 ... the
     * inputs, $n the number of the setting. See formula_print(). */
    const char *formula;
    /* The same where it depends on the step, in `arena`; NULL: it does not. */
    const char *(*formula_of)(const Step *step, Arena *arena);
    int inputs_least, inputs_most;
    unsigned learned; /* bit i: input i receives a gradient; ~0u: every input does */
    Reach reach;

    /* The axes of the output, or a message that names tensors and axes that clash. */
    bool (*shape)(const Step *step, int *rank, Axis *axis, Error *error);
    void (*forward)(Step *step, Arena *arena); /* fills output->data */
    /* Adds to each learned input->grad, by tensor_grad_factor(). */
    void (*backward)(const Step *step, Arena *scratch);
    /* The parts that output->data[cell] was made of. */
    void (*explain)(const Step *step, int cell, Arena *arena, Explanation *explanation);
    /* REACH_MOVED: the number of an input that output->data[cell] is. */
    Place (*from)(const Step *step, int cell);

    /* How `:because` hands a flow of the output on to the inputs, so that slope ×
     * number adds up to the same; because_ends() where numbers begin. NULL: as the
     * reach says, which REACH_MANY does not. */
    void (*because)(Back *back);
    /* How all numbers of the output move that were made of number `cell` of a learned
     * input. NULL: backward is asked, one number after the other. */
    void (*slopes)(const Step *step, int input, int cell, Slopes *slopes);
    /* Its lines in NumPy and PyTorch: the first that holds for the step; ends with a
     * row without lines. The letters that these have of their own, in `arena`. */
    const Code *code;
    const char *(*code_word)(const Step *step, char letter, Arena *arena);
    /* What a stage says of it where an option chooses among several, a sentence. */
    const char *says;
    bool shares;  /* its rows are shares, as attention weights are */
    bool mixes;   /* a product: shares as the first input mix the rows of the second */
    bool centres; /* mean and deviation of the rows that it reads and gives are worth a
                     look: they are what it is about */
};
