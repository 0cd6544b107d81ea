/* threads.h - split one piece of work over the processor cores.
 *
 * The only threads of the program: one helper for each additional core, started at
 * first use. BLAS runs single-threaded, because two thread pools slow each other
 * down. */
#pragma once

#include <stdbool.h>

/* Called once for each part, concurrently: `part` of `parts`. */
typedef void ThreadWork(void *context, int part, int parts);

/* Run work(context, part, parts) for every part and return when all are done. Inside
 * such work, or on a single core, the parts run one after the other. */
void threads_run(ThreadWork *work, void *context);

/* Return the number of parts: the number of cores, or the limit of threads_limit(). */
int threads_count(void);

/* Would threads_run() run its parts concurrently if called now? */
bool threads_help(void);

/* Use at most `count` threads from now on; 0: one for each core. */
void threads_limit(int count);
