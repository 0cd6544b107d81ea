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

/* Does it show a tensor under an address that ends so? */
bool stage_shows(const Stage *stage, const char *ending);
