#include "learn/schedule.h"

#include <math.h>
#include <stddef.h>

const char *const schedule_kinds[] = {"paper", "constant", "cosine", NULL};

/* Both parts meet at step = warmup. */
static double paper(const Schedule *schedule, double step) {
    double warmup = schedule->warmup;
    double rise = warmup > 0 ? step * pow(warmup, -1.5) : INFINITY;
    return schedule->factor / sqrt(schedule->d_model) * fmin(1 / sqrt(step), rise);
}

static double constant(const Schedule *schedule, double step) {
    (void)step;
    return schedule->rate;
}

static double cosine(const Schedule *schedule, double step) {
    const double pi = 3.14159265358979323846;
    double warmup = schedule->warmup;
    if (step <= warmup) return schedule->rate * step / warmup;
    double done = (step - warmup) / (schedule->steps - warmup);
    return done < 1 ? schedule->rate * (1 + cos(pi * done)) / 2 : 0;
}

typedef double Rate(const Schedule *schedule, double step);
static Rate *const rates[] = {paper, constant, cosine}; /* by ScheduleKind */

double schedule_rate(const Schedule *schedule, int step) {
    return rates[schedule->kind](schedule, step);
}
