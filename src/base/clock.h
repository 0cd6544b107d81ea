/* clock.h - how much time goes by, and what time it is. */
#pragma once

#include "base/arena.h"

/* Seconds since some moment, never going back. */
double clock_seconds(void);

/* "2026-11-22T02:49:54Z": now, to the second, in universal time (ISO 8601), in `arena`;
 * "" where the clock cannot say. A later one comes later in the alphabet, too. */
const char *clock_date(Arena *arena);
