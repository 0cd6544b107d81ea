/* error.h - one sentence for anything that went wrong outside the program: a file, a
 * typed word, a shape that the user chose. A function that can fail returns bool and
 * takes an Error last. A broken contract between functions fails an assert(). */
#pragma once

#include <stdbool.h>

typedef struct {
    char message[2048]; /* place, what was found, what was expected or what to do */
    char details[2048]; /* lines to print below it, each starting with '\n'; or "".
                           Unlike the message, they are already escaped */
    bool is_usage;      /* what the user typed is wrong, whatever the files contain */
    bool is_stop;       /* not an error: a signal asked the program to stop */
} Error;

/* Write the message and return false, so that a failure is one line:
 *     return fail(error, "%s:%d: unknown token '%s'", path, line, word); */
__attribute__((format(printf, 2, 3))) bool fail(Error *error, const char *format, ...);

/* The same for a command that was typed wrong, such as an option out of range. */
__attribute__((format(printf, 2, 3))) bool fail_usage(Error *error, const char *format,
                                                      ...);

/* Return the system's message for an errno, in the program's language. */
const char *error_reason(int number);

/* Add a line below the message. Escape untrusted text before passing it. */
__attribute__((format(printf, 2, 3))) void add_detail(Error *error, const char *format,
                                                      ...);
