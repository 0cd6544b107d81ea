/* schedule.h - how large the steps are: the learning rate of each step. */
#pragma once

typedef enum { SCHEDULE_PAPER, SCHEDULE_CONSTANT, SCHEDULE_COSINE } ScheduleKind;

/* Their names, ending with NULL. */
extern const char *const schedule_kinds[];

typedef struct {
    int kind; /* ScheduleKind */
    int d_model;
    int warmup;    /* steps in which the rate grows; not of `constant` */
    double factor; /* paper: what its rate is multiplied with */
    double rate;   /* constant: the rate; cosine: the highest one */
    int steps;     /* cosine: where the rate arrives at 0 */
} Schedule;

/* The learning rate of `step`, counted from 1. paper: factor d_model^-0.5
 * min(step^-0.5, step warmup^-1.5), section 5.3. cosine: rate step / warmup, then half
 * a cosine down to 0. */
double schedule_rate(const Schedule *schedule, int step);
