/* `make test` checks each promise on a sample of its cases, `make test-all` on all of
 * them. tests/terminal/program.py has the same for scripts. */
#ifndef GLASSBOX_TESTS_SAMPLE_H
#define GLASSBOX_TESTS_SAMPLE_H

#include <stdbool.h>
#include <stdlib.h>

/* Does this run check every case? */
static inline bool checks_all(void) {
    return getenv("GLASSBOX_TEST_ALL") != NULL;
}

/* Is case `number` of the sample, which has one of `every` cases? For a table of rows
 * and columns give row + column: if `every` is at most the length of the shorter axis,
 * each row and each column has a case. */
static inline bool in_sample(int number, int every) {
    return checks_all() || number % every == 0;
}

#endif
