/* clock.h - elapsed time, and the date. */
#pragma once

#include "base/arena.h"

/* Seconds since an arbitrary moment; never decreases. */
double clock_seconds(void);

/* Return the current UTC time to the second, in ISO 8601: "2026-11-22T02:49:54Z", in
 * `arena`; "" if the clock cannot be read. Sorting these strings sorts them by time. */
const char *clock_date(Arena *arena);
