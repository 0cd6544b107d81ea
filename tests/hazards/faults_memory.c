/* Loaded by LD_PRELOAD between the program and the C library: the n-th request for
 * memory fails.
 *   FAULT_AT=n          which one, from 1; 0: none, only count them
 *   FAULT_FOREVER=1     and all that follow
 *   FAULT_CALL=mmap     requests for whole pages instead, as OpenBLAS makes them
 *   FAULT_COUNT=FILE    gets the count, as an int */
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/* In a file, so that it outlives a process that is killed. */
static _Atomic int *_Atomic count;

static void *next(const char *name) {
    return dlsym(RTLD_NEXT, name);
}

static void *real_mmap(void *at, size_t bytes, int use, int kind, int file,
                       off_t from) {
    static void *(*real)(void *, size_t, int, int, int, off_t);
    if (!real) *(void **)&real = next("mmap");
    return real(at, bytes, use, kind, file, from);
}

static void start(void) {
    static _Atomic int unseen;
    const char *path = getenv("FAULT_COUNT");
    int file = path ? open(path, O_RDWR | O_CLOEXEC) : -1;
    void *page = MAP_FAILED;
    if (file >= 0)
        page =
            real_mmap(NULL, sizeof *count, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    if (file >= 0) close(file);
    count = page == MAP_FAILED ? &unseen : page;
}

static bool fails_now(const char *call) {
    const char *at = getenv("FAULT_AT");
    const char *chosen = getenv("FAULT_CALL");
    if (!at || (chosen && strcmp(chosen, call) != 0)) return false;
    if (!chosen && strcmp(call, "malloc") != 0) return false;
    if (!count) start();
    int number = atomic_fetch_add(count, 1) + 1;
    int expected = (int)strtol(at, NULL, 10);
    if (number != expected &&
        !(expected && number > expected && getenv("FAULT_FOREVER")))
        return false;
    errno = ENOMEM;
    return true;
}

void *malloc(size_t bytes) {
    static void *(*real)(size_t);
    if (!real) *(void **)&real = next("malloc");
    return fails_now("malloc") ? NULL : real(bytes);
}

void *calloc(size_t items, size_t bytes) {
    static void *(*real)(size_t, size_t);
    if (!real) *(void **)&real = next("calloc");
    return fails_now("malloc") ? NULL : real(items, bytes);
}

void *realloc(void *old, size_t bytes) {
    static void *(*real)(void *, size_t);
    if (!real) *(void **)&real = next("realloc");
    return fails_now("malloc") ? NULL : real(old, bytes);
}

void *aligned_alloc(size_t alignment, size_t bytes) {
    static void *(*real)(size_t, size_t);
    if (!real) *(void **)&real = next("aligned_alloc");
    return fails_now("malloc") ? NULL : real(alignment, bytes);
}

void *mmap(void *at, size_t bytes, int use, int kind, int file, off_t from) {
    return fails_now("mmap") ? MAP_FAILED : real_mmap(at, bytes, use, kind, file, from);
}
