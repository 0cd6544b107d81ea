/* show_sampling.h - sentences drawn by chance, and how one token of them is. */
#pragma once

#include "model/sampling.h"
#include "session/session.h"

typedef struct {
    Sampling sampling;
    int seed, count; /* of the sentences */
} SampleWish;

/* Draw the sentences and say what came, the same ones together. */
bool show_samples(Session *session, const SampleWish *wish, Error *error);

/* At a step of the decoding at hand: from logits to the distribution, and the token
 * that the seed draws there. */
bool show_sampling_step(Session *session, const SampleWish *wish, int step,
                        Error *error);
