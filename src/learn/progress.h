/* progress.h - how far a training is, and how fast: kept here, and said again and again
 * for whoever looks. */
#pragma once

#include "page/page.h"

enum { PROGRESS_LOSSES = 96 };

typedef struct {
    Page *page;                            /* it is said there */
    const Tensor *(*watch)(void *watched); /* see ProgressBlock */
    void *watched;
    int first, step, total; /* the step it began with, the one it is at, the last */
    double loss;            /* of that step */
    double began, paused;   /* seconds of a clock */
    long long tokens;       /* since it began */
    double losses[PROGRESS_LOSSES]; /* means over equal shares of the steps */
    int counts[PROGRESS_LOSSES];    /* of how many steps */
} Progress;

/* `first` steps of `total` are done already. */
Progress progress_new(Page *page, int first, int total);

/* A step was done. */
void progress_step(Progress *progress, int step, double loss, long long tokens);

/* From here to progress_continue() the clock stands. */
void progress_pause(Progress *progress);
void progress_continue(Progress *progress);

/* Say it a last time, to be left there. */
void progress_end(const Progress *progress);

/* Source and target tokens a second, since it began. */
double progress_speed(const Progress *progress);
