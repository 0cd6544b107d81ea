/* flow.h - one word followed down through all layers of a stack: of what it is made, if
 * each token is half itself (the residual path) and half what it looked at. That is
 * attention rollout, section 3 of Abnar and Zuidema 2020 for the row of one word.
 *
 * The plan is plan_flow() of figure_draw.h; flow_of() alone computes. */
#pragma once

#include "chart/matrix.h"

typedef struct {
    int words, layers;
    int chosen; /* the word that is followed */
    /* [layers + 1, words]: how much of it stands at each word below layer 0, 1 ..., and
     * behind the last, where it is all at the chosen one. Each row sums to 1. */
    double *share;
    double *line; /* [layers, from, to]: what goes down from a word to a word */
} Flow;

/* Follow word `chosen` down. Each layer has `heads` matrices [words, words], of which
 * the mean counts; what is hidden is 0. In `arena`. */
Flow flow_of(const Matrix *const *layer, int layers, int heads, int chosen,
             Arena *arena);
