/* arguments.h - the words and flags after the name of a command. */
#pragma once

#include <stdbool.h>

#include "base/arena.h"
#include "base/error.h"

/* Enough for every option of a model with its value. */
enum { WORDS_MAX = 256 };

/* A parsed line. Values are in the arena of the command. */
typedef struct {
    const struct Command *command;
    const char *word[WORDS_MAX]; /* without the command's name */
    int words;
    const char *flag[WORDS_MAX], *value[WORDS_MAX]; /* flags by their full name */
    int flags;
} Arguments;

/* Return the value of a flag: NULL if it was not given, "" for a switch. */
const char *arguments_flag(const Arguments *arguments, const char *name);

/* Join the words with spaces, in `arena`. */
const char *arguments_text(const Arguments *arguments, Arena *arena);

/* Return true if the user allows files to be overwritten. */
bool arguments_replace(const Arguments *arguments);

/* Set `*choice` to the index of a flag's value in `names` (terminated by NULL); leave
 * it unchanged if the flag was not given. Fail on other values. */
bool arguments_choice(const Arguments *arguments, const char *name,
                      const char *const *names, int *choice, Error *error);

/* Read a number from a flag, in [least, most] or, with `above`, (least, most]. Leave
 * `*number` unchanged if the flag was not given. Fail on other values. */
typedef struct {
    double min, max;
    bool above;
} Bounds;
bool arguments_real(const Arguments *arguments, const char *name, Bounds bounds,
                    double *number, Error *error);

/* Read a whole number from a flag; leave `*number` unchanged if it was not given. Fail
 * on other values. */
bool arguments_number(const Arguments *arguments, const char *name, int min, int max,
                      int *number, Error *error);

/* Return `text` as one shell word, in `arena`: quoted if necessary, and with escapes
 * for invisible characters. */
const char *shell_word(const char *text, Arena *arena);
