/* show_forks.h - sentences that part at a token that was picked, side by side. */
#pragma once

#include "session/session.h"

/* What was decoded before, which the next decoding would overwrite. */
typedef struct {
    int number; /* of the fork */
    Generated generated;
    const double *log_probability; /* of each token, and of all */
    double sum;
} Before;
Before show_forks_remember(const Session *session, Arena *arena);

/* That beside what the session holds now, in which `step` was picked. */
void show_forks_both(Session *session, const Before *before, int step);

/* The sentence of a fork, and its log probability. */
void show_forks_sentence(Session *session, int number);

/* A line for each fork; the session has noted the model's own. */
void show_forks_list(Session *session);
