/* depth.h - how much of a run the walk stops at: the boxes of Figure 1, the steps
 * within them, or every tensor. */
#pragma once

#include "walk/walk.h"

/* From the finest to the coarsest. */
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
