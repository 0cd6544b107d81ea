#include "base/clock.h"

#include <time.h>

double clock_seconds(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

const char *clock_date(Arena *arena) {
    char text[sizeof "2026-11-22T02:49:54Z" + 8];
    time_t now = time(NULL);
    struct tm date;
    if (!gmtime_r(&now, &date) ||
        !strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &date))
        text[0] = '\0';
    return arena_print(arena, "%s", text);
}
