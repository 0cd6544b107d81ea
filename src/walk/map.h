/* map.h - Figure 1 of the paper for this model and this run: which boxes it has, the
 * tensor of each, and where among them a walk stands.
 *
 * The boxes follow from the options (a table in map.c), their shapes from the tape
 * of a run. Layers that repeat stand once: a box stands for the same box of each. */
#pragma once

#include "chart/diagram.h"
#include "store/config.h"
#include "tensor/tape.h"
#include "walk/walk.h"

/* A box: which addresses it is about. Parts are written as they are behind stack and
 * layer: of "encoder.0.self_attention.weights" that is "self_attention.weights". */
typedef struct {
    const char *stack;    /* "encoder", "decoder", or "" behind both */
    const char *part;     /* of the tensor whose shape it shows */
    const char *holds;    /* other parts, with | between them; one that ends in a dot
                             holds all that begins so */
    const char *axes;     /* what that tensor's are called before a run */
    const char *address;  /* of that tensor, in the layer that is shown */
    const Tensor *tensor; /* on the tape, or NULL without a run */
    bool layered;         /* each layer has it */
} MapBox;

typedef struct {
    MapBox *box; /* and beside it, by the same number, what is drawn of it: */
    Diagram diagram;
    const Tape *run;
    int here;  /* the box where the walk is, or -1 */
    int layer; /* that is shown: the one where the walk is, or the first */
} Map;

/* The map of a model of these options, in `arena`. `run`: whose shapes it shows; NULL:
 * the names of the axes instead. `here`: an address of that run, where the walk is,
 * or NULL. */
Map map_new(const Config *config, const Tape *run, const char *here, Arena *arena);

/* The box that an address of the run belongs to, a second name to that of the tensor
 * which it names; -1: no box has it (masks). `*layer`, which may be NULL, becomes the
 * layer, of an LSTM the token, or NOWHERE. */
int map_find(const Map *map, const char *address, int *layer);

/* The address of the tensor whose shape the box shows in the layer `layer`, in `arena`;
 * what is in no layer has one address for all. */
const char *map_address(const Map *map, int box, int layer, Arena *arena);

/* The first stage of the walk over the same run that shows this tensor: its name is
 * what :goto takes. NULL where the model has no such layer. */
const Stage *map_stage(const Map *map, int box, int layer, const Walk *walk);
