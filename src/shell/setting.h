/* setting.h - how numbers are shown: the options that `:options` lists and changes. */
#pragma once

#include "shell/session.h"

typedef struct {
    const char *name;
    const char *help;
    size_t offset; /* of its int in Options */
    int least, most;
    const char *(*choice)(int i); /* the name of value i, NULL after the last; or NULL:
                                   * a number */
} DisplaySetting;

extern const DisplaySetting settings[]; /* ends with a row without name */

/* Set "name=value". Fails with what it must be. */
bool setting_set(Options *options, const char *assignment, Error *error);

/* The value as text, in `arena`. */
const char *setting_print(const DisplaySetting *setting, const Options *options,
                          Arena *arena);
