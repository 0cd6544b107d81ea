/* walk.h - a run as a sequence of stages in teaching order. */
#pragma once

#include "store/config.h"
#include "tensor/tape.h"
#include "walk/stage.h"

/* One stage: a row of the table and the tensors that it shows. */
typedef struct {
    const StageKind *kind;
    const char *title;
    const char *place; /* "encoder.0", "decoder", "" */
    const char *name;  /* for :goto: "encoder.0.scores" */
    const Tensor *tensor[STAGE_PARTS];
    const char *address[STAGE_PARTS]; /* address of each tensor in this stage */
    const char *part[STAGE_PARTS]; /* the end of the address: "self_attention.scores" */
    const char *called[STAGE_PARTS]; /* the last part: "scores" */
    const char *stack;               /* "encoder", "decoder" or "" */
    bool is_first; /* in the first stack to run: the decoder if there is no encoder */
    int layer;     /* layer of the stack, or the token that an LSTM reads; -1: none */
    int tensors;
} Stage;

typedef struct {
    Stage *stage;
    int count;
} Walk;

/* Return the stages of a tape that was recorded by a model with these options, in
 * `arena`. Titles use the tokens of sentence `row` of the batch. */
Walk walk_new(const Tape *tape, const Config *config, int row, Arena *arena);

/* Return the first stage, starting at `from` and wrapping around, whose name is or ends
 * in `name`, else the first with an address that does; -1 if there is none. */
int walk_find(const Walk *walk, const char *name, int from);

/* Return true if the stage shows a tensor whose address ends in `ending`. */
bool stage_shows(const Stage *stage, const char *ending);
