/* about.h - what a model is for, in the words of those who made it: about.json. */
#pragma once

#include "base/arena.h"
#include "base/error.h"

enum { ABOUT_EXAMPLES = 4 };

typedef struct {
    const char *purpose; /* a line: "turns everyday Korean into English" */
    const char *knows;   /* what it knows, and what not; a sentence */
    const char *example[ABOUT_EXAMPLES]; /* sentences to try */
} About;

/* The folder's about.json in the language of the program, in `arena`. What it does not
 * hold is "", and all of it where there is no such file. Fails where it cannot be read
 * or is no JSON map; `about` can be used all the same. */
bool about_read(About *about, const char *folder, Arena *arena, Error *error);
