/* lens_habit.h - looks that need no content, such as "always at the first token": what
 * the lens of entropy compares heads with. */
#pragma once

#include "tensor/tape.h"

/* Attention weights [batch, head, query, key], and who may be seen. */
typedef struct {
    const Tensor *weights;
    const Step *mask;         /* NULL: nothing is hidden */
    bool across, looks_ahead; /* keys of the other side; keys behind the query */
} Look;

/* Which key a query has all its weight on; `last` is the last that is not padding. */
typedef struct {
    const char *name;
    const char *called;
    bool across; /* makes sense where the source is looked at, too */
    bool ahead;  /* only where all keys may be seen: else it is the token itself */
    int (*key)(int query, int last); /* NULL: on all alike */
} Habit;

extern const Habit habits[]; /* ends with a row without name */

bool habit_fits(const Habit *habit, const Look *look);

/* The habit as weights [batch, query, key], under its name. */
Tensor *habit_pattern(Tape *lens, const Habit *habit, const Look *look);

/* The most bits that each query could have, "most" [batch, query, 1]: log2 of how many
 * keys it may see; where all are hidden it sees them all alike. */
Tensor *habit_most(Tape *lens, const Look *look);
