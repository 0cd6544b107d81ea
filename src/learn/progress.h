/* progress.h - how far a training is: on a terminal a curve of the losses and a line
 * under it that are written again and again, else a line now and then. */
#pragma once

#include <stdbool.h>
#include <stdio.h>

enum { PROGRESS_LOSSES = 96 };

typedef struct {
    FILE *out;
    bool is_terminal;
    int first, step, total; /* the step it began with, the one it is at, the last */
    double loss;            /* of that step */
    int every;              /* plain lines: steps between two */
    double began, shown, paused;    /* seconds of a clock */
    long long tokens;               /* since it began */
    double losses[PROGRESS_LOSSES]; /* means over equal shares of the steps */
    int counts[PROGRESS_LOSSES];
    int lines; /* of the terminal's that are to be written again */
} Progress;

/* `first` steps of `total` are done already. */
Progress progress_new(FILE *out, int first, int total);

/* A step was done. On a terminal at most ten times a second is something written. */
void progress_step(Progress *progress, int step, double loss, long long tokens);

/* Make room for messages on lines of their own; from here to progress_continue() the
 * clock stands. */
void progress_pause(Progress *progress);
void progress_continue(Progress *progress);

/* Show it a last time, and leave it there. */
void progress_end(Progress *progress);

/* Source and target tokens a second, since it began. */
double progress_speed(const Progress *progress);
