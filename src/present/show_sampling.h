/* show_sampling.h - sample sentences at random, and show how one token is sampled. */
#pragma once

#include "model/sampling.h"
#include "session/session.h"

typedef struct {
    Sampling sampling;
    int seed, count; /* of the sentences */
} SampleOptions;

/* Sample the sentences and print them, grouping equal ones. */
bool show_samples(Session *session, const SampleOptions *options, Error *error);

/* Show one step of the current decoding: from the logits to the distribution, and the
 * token that the seed selects. */
bool show_sampling_step(Session *session, const SampleOptions *options, int step,
                        Error *error);
