/* error.h - one sentence for whatever went wrong outside the program: a file, a
 * typed word, a shape that the user chose. A function that can fail so returns bool
 * and takes an Error last. A broken promise between functions is an assert(). */
#pragma once

#include <stdbool.h>

typedef struct {
    char message[2048]; /* where, what was found, what was expected or what to do */
    char details[2048]; /* lines below it, each with a line end in front; or "". Unlike
                           the message they are safe to print as they are */
    bool is_usage;      /* what was typed is wrong, whatever the world is like */
    bool is_stop;       /* nothing is wrong: a signal asked for the end */
} Error;

/* Write the message and return false, so that a failure is one line:
 *     return fail(error, "%s:%d: unknown token '%s'", path, line, word); */
__attribute__((format(printf, 2, 3))) bool fail(Error *error, const char *format, ...);

/* The same for a command that is typed wrongly, such as an option out of its range. */
__attribute__((format(printf, 2, 3))) bool fail_usage(Error *error, const char *format,
                                                      ...);

/* What the system says of an errno, in the language of the program. */
const char *error_reason(int number);

/* Add a line below the message: what comes from outside in it is escaped already. */
__attribute__((format(printf, 2, 3))) void add_detail(Error *error, const char *format,
                                                      ...);
