/* about.h - what a model is for, in the words of those who made it: about.json. */
#pragma once

#include "base/arena.h"

enum { ABOUT_EXAMPLES = 4 };

typedef struct {
    const char *purpose; /* a line: "turns everyday Korean into English" */
    const char *knows;   /* what it knows, and what not; a sentence */
    const char *example[ABOUT_EXAMPLES]; /* sentences to try */
} About;

/* The folder's about.json in the language of the program, in `arena`. What it does not
 * hold, or where it cannot be read, is "": such a file is nothing to fail for. */
About about_read(const char *folder, Arena *arena);
