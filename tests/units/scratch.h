/* scratch.h - the memory of a test program, freed between its tests. */
#pragma once

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/arena.h"

#define COUNT(table) (sizeof(table) / sizeof *(table))

static Arena arena;

/* For cmocka, as setup or teardown. */
static inline int reset(void **state) {
    (void)state;
    arena_free(&arena);
    return 0;
}
