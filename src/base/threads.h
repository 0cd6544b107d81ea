/* threads.h - one piece of work split over the processor cores.
 *
 * The program's only threads: a helper for each further core, started at the first use.
 * BLAS runs on one thread, since two owners of threads slow each other down. */
#pragma once

#include <stdbool.h>

/* Called once for each part, at the same time: `part` of `parts`. */
typedef void ThreadWork(void *context, int part, int parts);

/* Run work(context, part, parts) for every part and return when all are done. Inside
 * of such work, or where there is one core, the parts run one after the other. */
void threads_run(ThreadWork *work, void *context);

/* How many parts that will be: the number of cores, or what threads_limit() set. */
int threads_count(void);

/* Would threads_run() run its parts at the same time, here and now? */
bool threads_help(void);

/* Use at most `count` threads from now on; 0: one for each core. */
void threads_limit(int count);
