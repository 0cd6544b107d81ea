/* walk.h - a run as stages in teaching order: the tape read forwards. */
#pragma once

#include "store/config.h"
#include "tensor/tape.h"
#include "walk/stage.h"

/* One stop of the walk: a row of the table and the tensors that it shows. */
typedef struct {
    const StageKind *kind;
    const char *title;
    const char *place; /* "encoder.0", "decoder", "" */
    const char *name;  /* for goto: "encoder.0.scores" */
    const Tensor *tensor[STAGE_PARTS];
    const char *address[STAGE_PARTS]; /* under which each stands here, */
    const char *part[STAGE_PARTS];    /* its end: "self_attention.scores" */
    const char *called[STAGE_PARTS];  /* the last of it: "scores" */
    const char *stack;                /* "encoder", "decoder" or "" */
    bool is_first; /* of the stack that runs first: a decoder's only without encoder */
    int layer;     /* of the stack, or the token that an LSTM reads; -1: of none */
    int tensors;
} Stage;

typedef struct {
    Stage *stage;
    int count;
} Walk;

/* The stages of what is on the tape of a model of these options, in `arena`; titles
 * have the words of sentence `row` of the batch. */
Walk walk_new(const Tape *tape, const Config *config, int row, Arena *arena);

/* The first stage from `from` on (then from the start) whose name, or the end of it, is
 * `name`, or else one of whose addresses ends so; -1 if there is none. */
int walk_find(const Walk *walk, const char *name, int from);

/* How much of a run a walk stops at: every tensor, the steps within the boxes of
 * Figure 1, or the boxes. From the finest to the coarsest. */
typedef enum { DEPTH_NUMBERS, DEPTH_STEPS, DEPTH_BOXES, DEPTH_KINDS } Depth;

/* Their names, by depth, ending with NULL. */
extern const char *const depths[];

/* The coarsest depth at which the walk stops at this stage. What a layer above the
 * first does again, or an LSTM at the tokens behind the first, is told once: there the
 * walk stops at the boxes when it goes by steps, and at every tensor when by numbers.
 */
Depth depth_of(const Stage *stage);

/* What a stage stands for where only boxes are told: a row for each. */
typedef struct {
    const char *name;    /* of the stage: StageKind.name */
    const char *stack;   /* only in that one; NULL: in both */
    const char *address; /* only if the stage shows a tensor under an address that ends
                            so; NULL: whatever it shows */
    const char *when;    /* only in a model of these options; NULL: in any */
    const char *title;
    const char *text;
} BoxKind;

/* The row of the stage in a model of these options, or NULL. */
const BoxKind *box_of(const Stage *stage, const Config *config);
