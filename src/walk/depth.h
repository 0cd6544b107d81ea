/* depth.h - the four levels of detail of a walk: at which stages it stops, and the
 * title and text of each stop. */
#pragma once

#include "page/page.h"
#include "walk/walk.h"

/* Levels of detail, finest first: every tensor; the steps of every layer; the path,
 * which visits each stage of the paper once; the boxes of Figure 1. A stop at one depth
 * is also a stop at all finer depths. */
typedef enum { DEPTH_NUMBERS, DEPTH_STEPS, DEPTH_PATH, DEPTH_BOXES, DEPTH_KINDS } Depth;

/* Their names, indexed by Depth and terminated by NULL. */
extern const char *const depths[];

/* Return the coarsest depth at which the walk stops at this stage. A stage that repeats
 * (in layers or LSTM tokens after the first) has no stop at DEPTH_PATH: the walk by
 * steps stops only at its boxes, the walk by numbers at every tensor. */
Depth depth_of(const Stage *stage, const Config *config);

/* The words of a stop, which replace those of its stage; one row per stop. */
typedef struct {
    const char *name;    /* name of the stage: StageKind.name */
    const char *stack;   /* only in this stack; NULL: in both */
    const char *address; /* only if the stage shows a tensor whose address ends with
                            this; NULL: any tensor */
    const char *when;    /* only in a model with these options; NULL: in any */
    const char *title, *text; /* NULL: those of the stage */
    const char *covers;       /* preceding stages that this stop includes; NULL: none */
    const char *then;         /* the following stage that this stop includes */
    bool tells_layers;        /* the stop compares the layers of its stack */
} StopWords;

/* Return the row of the path for the stage in a model with these options, or NULL if
 * the path does not stop there. */
const StopWords *path_words(const Stage *stage, const Config *config);

/* Return the title and text of the stage at that depth; NULL: the stage's own. */
const StopWords *stop_words(const Stage *stage, const Config *config, Depth depth);

/* A walk's position and level of detail. */
typedef struct {
    HeadingBlock heading;
    const Walk *walk; /* the walk that contains the stop */
    Depth depth;
} StoryPlace;
