/* progress.h - how far a training is: one line that is written again and again on a
 * terminal, else a line now and then. */
#pragma once

#include <stdbool.h>
#include <stdio.h>

enum { PROGRESS_LOSSES = 24 };

typedef struct {
    FILE *out;
    bool is_terminal;
    int width;                   /* of the terminal, in cells */
    int first, total;            /* the step it began with, and the last one */
    int every;                   /* plain lines: steps between two */
    double began, shown, paused; /* seconds of a clock */
    long long tokens;            /* since it began */
    double
        losses[PROGRESS_LOSSES]; /* means over equal shares of the steps: the curve */
    int counts[PROGRESS_LOSSES];
    bool has_line; /* the terminal's line is not empty */
} Progress;

/* `first` steps of `total` are done already. */
Progress progress_new(FILE *out, int first, int total);

/* A step was done. On a terminal at most ten times a second is something written. */
void progress_step(Progress *progress, int step, double loss, long long tokens);

/* Make room for a message on a line of its own; from here to progress_continue() the
 * clock stands. */
void progress_pause(Progress *progress);
void progress_continue(Progress *progress);

/* Source and target tokens a second, since it began. */
double progress_speed(const Progress *progress);
