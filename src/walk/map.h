/* map.h - Figure 1 of the paper for this model and this run: its boxes, their tensors,
 * and the walk's current box.
 *
 * The boxes follow from the options (a table in map.c), their shapes from a run's tape.
 * Repeated layers are drawn once: one box stands for that box in every layer. */
#pragma once

#include "chart/diagram.h"
#include "store/config.h"
#include "tensor/tape.h"
#include "walk/walk.h"

/* A box and the addresses that belong to it. Parts are addresses without stack and
 * layer: the part of "encoder.0.self_attention.weights" is "self_attention.weights". */
typedef struct {
    const char *stack; /* "encoder", "decoder", or "" after both */
    const char *part;  /* of the tensor whose shape the box shows */
    const char *holds; /* other parts, separated by |; a part that ends in a dot matches
                          as a prefix */
    const char *axes;  /* axis names of that tensor, shown before a run */
    const char *address;  /* of that tensor, in the current layer */
    const Tensor *tensor; /* on the tape, or NULL without a run */
    bool layered;         /* every layer has this box */
} MapBox;

typedef struct {
    MapBox *box; /* diagram.box[i] is the drawing of box[i] */
    Diagram diagram;
    const Tape *run;
    int here;  /* the current box of the walk, or -1 */
    int layer; /* the layer that is shown: the walk's current one, or the first */
} Map;

/* Return the map of a model with these options, in `arena`. `run` provides the shapes;
 * NULL: show the names of the axes instead. `here` is the walk's current address in the
 * run, or NULL. */
Map map_new(const Config *config, const Tape *run, const char *here, Arena *arena);

/* Return the box of an address in the run; if the address is an alias without a box,
 * the box of the tensor's first name. Return -1 if no box has it (masks). If `layer` is
 * not NULL, set it to the layer (the token of an LSTM) or NOWHERE. */
int map_find(const Map *map, const char *address, int *layer);

/* Return the address of the box's tensor in layer `layer`, in `arena`. `layer` is
 * ignored for boxes outside of layers. */
const char *map_address(const Map *map, int box, int layer, Arena *arena);

/* Return the first stage of a walk over the same run that shows this tensor; its name
 * can be given to :goto. NULL: the model has no such layer. */
const Stage *map_stage(const Map *map, int box, int layer, const Walk *walk);
