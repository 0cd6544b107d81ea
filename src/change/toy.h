/* toy.h - attention over a few typed numbers, small enough to compute on paper:
 *
 *     query=1,0,1 keys=1,0,0|0,1,1 values=1,2|3,4
 *     tokens=1,0|0,1 W_Q=1,2|3,4 W_K=1,0|0,1 W_V=5,6|7,8
 *
 * Commas separate numbers, bars separate rows. The second form computes queries, keys
 * and values from the tokens: Q = X W_Q and so on, with W as in lectures, [feature,
 * d_head]. The operations are those of the models, so all other commands work on these
 * numbers. */
#pragma once

#include "page/page.h"
#include "tensor/tape.h"

/* Maximum number of rows and of columns: more are hard to follow. */
enum { TOY_MAX = 16 };

/* Read `typed` and run it on `tape`, which is reset first: tokens, W_Q, W_K and W_V if
 * given, query, keys and values, scores, scaled, weights, context. On failure, leave
 * the tape as it was and report what is missing or does not fit. */
bool toy_run(Tape *tape, const char *typed, Error *error);

/* Show the projections, if any, then for each query its scores, scaled scores, weights,
 * and context. */
void toy_say(const Tape *tape, Page *page);
