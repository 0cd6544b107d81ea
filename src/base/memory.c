#include "base/memory.h"

#include <dlfcn.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/guard.h"

/* Set once, before there are other threads. */
static void (*begins)(void);

void memory_none_begins(void (*give_back)(void)) {
    begins = give_back;
}

/* The first thread without memory ends the program, any other one waits for that. Not
 * by exit(): a library whose loading wanted the memory would tidy up what it has not
 * made yet. What is called at the end may find no memory, either. */
void memory_none(size_t bytes) {
    static atomic_flag taken = ATOMIC_FLAG_INIT;
    static _Thread_local bool ending;
    if (ending) _exit(EXIT_FAILURE);
    ending = true;
    while (atomic_flag_test_and_set(&taken)) pause();
    if (begins) begins();
    fprintf(stderr, "glassbox: out of memory: %zu bytes more are needed\n", bytes);
    /* A thread that waits may be in the midst of it. */
    if (ftrylockfile(stdout) == 0) fflush(stdout);
    quick_exit(EXIT_FAILURE);
}

#ifndef OWN_ALLOCATOR
/* The parameters have names of ours. */
/* NOLINTBEGIN(readability-inconsistent-declaration-parameter-name) */

/* The functions that these stand in front of: the C library's, or those of an allocator
 * that was loaded before it. */
static struct {
    void *(*malloc)(size_t bytes);
    void *(*calloc)(size_t count, size_t bytes);
    void *(*realloc)(void *old, size_t bytes);
    void *(*aligned_alloc)(size_t alignment, size_t bytes);
} next;

/* `function` is the address of one of them. */
static void find(const char *name, void *function) {
    void *found = dlsym(RTLD_NEXT, name);
    if (!found) abort();
    memcpy(function, &found, sizeof found);
}

/* The first request comes from the loader, long before there are threads. Older
 * libraries ask for memory in dlsym() itself: there they do without. */
static bool is_ready(void) {
    static bool searching;
    if (next.malloc) return true;
    if (searching) return false;
    searching = true;
    find("calloc", &next.calloc);
    find("realloc", &next.realloc);
    find("aligned_alloc", &next.aligned_alloc);
    find("malloc", &next.malloc);
    return true;
}

void *malloc(size_t bytes) {
    if (!is_ready()) return NULL;
    void *memory = next.malloc(bytes);
    if (!memory) memory_none(bytes);
    return memory;
}

void *calloc(size_t count, size_t bytes) {
    if (!is_ready()) return NULL;
    void *memory = next.calloc(count, bytes);
    if (!memory) memory_none(count * bytes);
    return memory;
}

void *realloc(void *old, size_t bytes) {
    if (!is_ready()) return NULL;
    void *memory = next.realloc(old, bytes);
    /* Of no bytes it makes NULL on purpose. */
    if (!memory && bytes) memory_none(bytes);
    return memory;
}

void *aligned_alloc(size_t alignment, size_t bytes) {
    if (!is_ready()) return NULL;
    void *memory = next.aligned_alloc(alignment, bytes);
    if (!memory) memory_none(bytes);
    return memory;
}

int posix_memalign(void **memory, size_t alignment, size_t bytes) {
    *memory = aligned_alloc(alignment, bytes);
    return 0;
}

/* NOLINTEND(readability-inconsistent-declaration-parameter-name) */
#endif
