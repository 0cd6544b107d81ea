#include "learn/progress.h"

#include "base/clock.h"

Progress progress_new(Page *page, int first, int total) {
    return (Progress){.page = page,
                      .first = first,
                      .step = first,
                      .total = total,
                      .began = clock_seconds()};
}

double progress_speed(const Progress *progress) {
    double seconds = clock_seconds() - progress->began;
    return seconds > 0 ? (double)progress->tokens / seconds : 0;
}

static void keep_loss(Progress *progress) {
    long long place =
        (long long)(progress->step - 1) * PROGRESS_LOSSES / progress->total;
    int p = place < PROGRESS_LOSSES ? (int)place : PROGRESS_LOSSES - 1;
    progress->losses[p] +=
        (progress->loss - progress->losses[p]) / ++progress->counts[p];
}

/* What is left takes as long for each step as what was done. */
static double seconds_left(const Progress *progress) {
    int done = progress->step - progress->first;
    return (clock_seconds() - progress->began) / done *
           (progress->total - progress->step);
}

static void say(const Progress *progress, bool ended) {
    page_progress(progress->page, &(ProgressBlock){
                                      .step = progress->step,
                                      .total = progress->total,
                                      .loss = progress->loss,
                                      .speed = progress_speed(progress),
                                      .seconds = seconds_left(progress),
                                      .losses = progress->losses,
                                      .counts = progress->counts,
                                      .shares = PROGRESS_LOSSES,
                                      .ended = ended,
                                      .watch = progress->watch,
                                      .watched = progress->watched,
                                  });
}

void progress_step(Progress *progress, int step, double loss, long long tokens) {
    progress->step = step;
    progress->loss = loss;
    progress->tokens += tokens;
    /* Batches of so many tokens are not as many in each epoch. */
    if (step > progress->total) progress->total = step;
    keep_loss(progress);
    say(progress, false);
}

void progress_pause(Progress *progress) {
    progress->paused = clock_seconds();
}

void progress_continue(Progress *progress) {
    progress->began += clock_seconds() - progress->paused;
}

void progress_end(const Progress *progress) {
    if (progress->step > progress->first) say(progress, true);
}
