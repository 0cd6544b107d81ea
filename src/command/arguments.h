/* arguments.h - what follows the name of a command: words, and flags with their
 * values. */
#pragma once

#include <stdbool.h>

#include "base/arena.h"
#include "base/error.h"

/* Enough for every option of a model with its value at once. */
enum { WORDS_MAX = 256 };

/* A line taken apart. Values point into the arena of the command. */
typedef struct {
    const struct Command *command;
    const char *word[WORDS_MAX]; /* without the command's name */
    int words;
    const char *flag[WORDS_MAX], *value[WORDS_MAX]; /* flags by their full name */
    int flags;
} Arguments;

/* The value of a flag: NULL if it was not given, "" for a switch that was. */
const char *arguments_flag(const Arguments *arguments, const char *name);

/* The words as one text again, a space between them, in `arena`. */
const char *arguments_text(const Arguments *arguments, Arena *arena);

/* Does the person agree that a file is overwritten? */
bool arguments_replace(const Arguments *arguments);

/* Which of `names`, ending with NULL, a flag has for its value; `*choice` stays where
 * it was not given. Fails on other values. */
bool arguments_choice(const Arguments *arguments, const char *name,
                      const char *const *names, int *choice, Error *error);

/* A number given by a flag, from `least` (or above it, where `above`) to `most`;
 * `*number` stays where it was not given. Fails on other values. */
typedef struct {
    double least, most;
    bool above;
} Bounds;
bool arguments_real(const Arguments *arguments, const char *name, Bounds bounds,
                    double *number, Error *error);

/* A whole number given by a flag; `*number` stays where it was not given. Fails on
 * other values. */
bool arguments_number(const Arguments *arguments, const char *name, int least, int most,
                      int *number, Error *error);

/* `text` as one word of a shell, in `arena`: quoted where it must be, and spelled in
 * numbers where its letters would not show. */
const char *shell_word(const char *text, Arena *arena);
