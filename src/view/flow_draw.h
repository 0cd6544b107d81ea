/* flow_draw.h - a flow on its way to a canvas: what flow_plan.c checks and
 * flow_draw.c draws. */
#pragma once

#include "view/figure_work.h"
#include "view/flow.h"

typedef struct {
    Flow flow;
    const char *const *word;
    const char **layer;
    double pitch, across; /* from word to word, from layer to layer */
    Point first;          /* the first word below the first layer */
    double left;          /* where the words end */
    Point legend;
} FlowLayout;

/* Below it a line is as white as the paper. */
#define FLOW_LEAST 0.001

/* The words that the followed one is made of most, in the arena. */
const char *flow_told(const Work *work);

/* The two ways to draw work->own, a FlowLayout that has a flow, words and layers. */
void flow_plan_picture(Work *work);
void flow_plan_text(Work *work);
