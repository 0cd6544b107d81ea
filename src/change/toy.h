/* toy.h - attention over a few numbers that a person typed, small enough to be followed
 * with a pencil:
 *
 *     query=1,0,1 keys=1,0,0|0,1,1 values=1,2|3,4
 *     tokens=1,0|0,1 W_Q=1,2|3,4 W_K=1,0|0,1 W_V=5,6|7,8
 *
 * A comma is between numbers, a bar between rows. The second form makes queries,
 * keys and values of the tokens: Q = X W_Q and so on, with W as a lecture writes it,
 * [feature, d_head]. The operations are those of the models, so that everything else
 * can be asked of these numbers, too. */
#pragma once

#include "page/page.h"
#include "tensor/tape.h"

/* So many rows and columns at most: what a person can follow. */
enum { TOY_MOST = 16 };

/* Read `typed` and run it on `tape`, which is reset first: tokens, W_Q, W_K and W_V if
 * they were given, query, keys and values, scores, scaled, weights, context. Fails,
 * leaving the tape as it was, with what is missing or does not fit. */
bool toy_run(Tape *tape, const char *typed, Error *error);

/* The projections, if there are any, then each query: its scores, scaled, its weights,
 * and the context that they mix. */
void toy_say(const Tape *tape, Page *page);
