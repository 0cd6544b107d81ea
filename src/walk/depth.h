/* depth.h - how much of a run a walk stops at, and what a stop tells at each depth. */
#pragma once

#include "page/page.h"
#include "walk/walk.h"

/* Every tensor; the steps of all layers; the path, which is each stage of the paper
 * once; the boxes of Figure 1. From the finest to the coarsest. A stop of one depth is
 * one of all finer depths, too. */
typedef enum { DEPTH_NUMBERS, DEPTH_STEPS, DEPTH_PATH, DEPTH_BOXES, DEPTH_KINDS } Depth;

/* Their names, by depth, ending with NULL. */
extern const char *const depths[];

/* The coarsest depth at which the walk stops at this stage. What a layer above the
 * first does again, or an LSTM at the tokens behind the first, is told once: there the
 * walk stops at the boxes when it goes by steps, and at every tensor when by numbers.
 */
Depth depth_of(const Stage *stage, const Config *config);

/* What a stage stands for where fewer stages are told: a row for each. */
typedef struct {
    const char *name;    /* of the stage: StageKind.name */
    const char *stack;   /* only in that one; NULL: in both */
    const char *address; /* only if the stage shows a tensor under an address that ends
                            so; NULL: whatever it shows */
    const char *when;    /* only in a model of these options; NULL: in any */
    const char *title, *text; /* NULL: those of the stage */
    const char *covers;       /* stages before it that it tells, too; NULL: none */
    const char *then;         /* the same of one behind it */
    bool tells_layers;        /* it compares the layers of its stack */
} StopWords;

/* The row of the path for the stage in a model of these options; NULL: the path does
 * not stop there. */
const StopWords *path_words(const Stage *stage, const Config *config);

/* The title and text of the stage at that depth; NULL: the stage's own. */
const StopWords *stop_words(const Stage *stage, const Config *config, Depth depth);

/* Where a walk is, and how much is told there. */
typedef struct {
    HeadingBlock heading;
    const Walk *walk; /* that the stop is of */
    Depth depth;
} StoryPlace;
