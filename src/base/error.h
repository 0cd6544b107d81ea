/* error.h - one sentence for whatever went wrong outside the program: a file, a
 * typed word, a shape that the user chose. A function that can fail so returns bool
 * and takes an Error last. A broken promise between functions is an assert(). */
#pragma once

#include <stdbool.h>

typedef struct {
    char message[2048]; /* where, what was found, what was expected or what to do */
} Error;

/* Write the message and return false, so that a failure is one line:
 *     return fail(error, "%s:%d: unknown token '%s'", path, line, word); */
__attribute__((format(printf, 2, 3))) bool fail(Error *error, const char *format, ...);
