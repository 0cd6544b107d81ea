#include "base/memory.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/guard.h"

/* The first thread without memory ends the program, any other one waits for that. What
 * exit() calls may find no memory, either. */
void memory_none(size_t bytes) {
    static atomic_flag taken = ATOMIC_FLAG_INIT;
    static _Thread_local bool ending;
    if (ending) _exit(EXIT_FAILURE);
    ending = true;
    while (atomic_flag_test_and_set(&taken)) pause();
    fprintf(stderr, "glassbox: out of memory: %zu bytes more are needed\n", bytes);
    exit(EXIT_FAILURE);
}

/* The functions of the address sanitizer stay: they end the program themselves. */
#ifndef GUARDED
/* The names here are the C library's. */
/* NOLINTBEGIN(bugprone-reserved-*,readability-identifier-*,readability-inconsistent-*)
 */

/* The C library's functions, by the names that they keep when a program has its own. */
void *__libc_malloc(size_t bytes);
void *__libc_calloc(size_t count, size_t bytes);
void *__libc_realloc(void *old, size_t bytes);
void *__libc_memalign(size_t alignment, size_t bytes);

void *malloc(size_t bytes) {
    void *memory = __libc_malloc(bytes);
    if (!memory) memory_none(bytes);
    return memory;
}

void *calloc(size_t count, size_t bytes) {
    void *memory = __libc_calloc(count, bytes);
    if (!memory) memory_none(count * bytes);
    return memory;
}

void *realloc(void *old, size_t bytes) {
    void *memory = __libc_realloc(old, bytes);
    /* Of no bytes it makes NULL on purpose. */
    if (!memory && bytes) memory_none(bytes);
    return memory;
}

void *aligned_alloc(size_t alignment, size_t bytes) {
    void *memory = __libc_memalign(alignment, bytes);
    if (!memory) memory_none(bytes);
    return memory;
}

int posix_memalign(void **memory, size_t alignment, size_t bytes) {
    *memory = aligned_alloc(alignment, bytes);
    return 0;
}

/* NOLINTEND(bugprone-reserved-*,readability-identifier-*,readability-inconsistent-*)
 */
#endif
