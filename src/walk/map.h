/* map.h - Figure 1 of the paper for this model and this run: which boxes it has, the
 * tensor of each, and where among them a walk stands.
 *
 * The boxes follow from the options (a table in map_rows.c), their shapes from the tape
 * of a run. Layers that repeat stand once: a box stands for the same box of each. */
#pragma once

#include "chart/diagram.h"
#include "store/config.h"
#include "tensor/tape.h"
#include "walk/walk.h"

enum { MAP_HOLDS = 5 };

/* A box: which addresses it is about. Parts are written as they are behind stack and
 * layer: of "encoder.0.self_attention.weights" that is "self_attention.weights". */
typedef struct {
    const char *stack;        /* "encoder", "decoder", or "" behind both */
    const char *part;         /* of the tensor whose shape it shows */
    const char *const *holds; /* other parts; one that ends in a dot holds all that
                                 begins so */
    const char *axes;         /* what that tensor's are called before a run */
    const char *address;      /* of that tensor, in the layer that is shown */
    const Tensor *tensor;     /* on the tape, or NULL without a run */
    bool layered;             /* each layer has it */
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

/* "[4, 9, 9]", without a batch of one sentence; before a run the names of the axes,
 * "[head 4, source, source]". In `arena`. */
const char *map_shape(const MapBox *box, const Config *config, Arena *arena);

/* "encoder 0..1 ×2": what the frame holds, in `arena`; and what is to be noted of it,
 * "one layer used twice", or NULL. */
const char *map_title(const Config *config, bool is_decoder, Arena *arena);
const char *map_title_note(const Config *config, bool is_decoder, Arena *arena);

/* What the drawing does not say, in `arena`. */
const char *map_note(const Map *map, const Config *config, Arena *arena);

/* A row of the table: a box that models have where `when` holds. */
typedef struct {
    DiagramKind kind;
    const char *label;
    const char *stack, *part;
    const char *when; /* see config_holds(); NULL: always */
    const char
        *axes; /* before a run: "head,source,source"; "token" is that of the stack */
    const char *holds[MAP_HOLDS];
    bool framed;
    bool sublayer;            /* norm and add are around it */
    bool reads_both;          /* what the box below makes, and what that one reads */
    const char *from_encoder; /* what an arrow from the encoder brings: "K, V" */
} MapRow;

/* In the order in which they compute; ends with a row without label. */
extern const MapRow map_rows[];
