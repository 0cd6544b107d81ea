#include "base/system.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <malloc.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/arena.h"

FILE *system_stream(void *owner,
                    ssize_t (*write)(void *owner, const char *bytes, size_t size),
                    int (*close)(void *owner)) {
    return fopencookie(owner, "w",
                       (cookie_io_functions_t){.write = write, .close = close});
}

bool system_program(char *path, size_t size) {
    ssize_t length = readlink("/proc/self/exe", path, size - 1);
    path[length > 0 ? length : 0] = '\0';
    return length > 0;
}

int system_cores(void) {
    cpu_set_t set;
    return sched_getaffinity(0, sizeof set, &set) == 0 ? CPU_COUNT(&set) : 1;
}

bool system_rename_new(const char *from, const char *to) {
    return renameat2(AT_FDCWD, from, AT_FDCWD, to, RENAME_NOREPLACE) == 0;
}

int system_open_folder(int folder, const char *name) {
    return openat(folder, name, O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
}

/* Increment it to make glibc look at LANGUAGE again; gettext's manual, 11.3. */
extern int _nl_msg_cat_cntr; // NOLINT(bugprone-*,readability-*)

void system_language_changed(void) {
    _nl_msg_cat_cntr++;
}

void system_large_pages(void *memory, size_t bytes) {
    madvise(memory, bytes, MADV_HUGEPAGE);
}

void system_drop_pages(void *pages, size_t bytes) {
    madvise(pages, bytes, MADV_DONTNEED);
}

/* A sanitizer replaces malloc itself. */
#if !defined(SANITIZES_ADDRESSES) && !defined(SANITIZES_THREADS)
/* We name the parameters ourselves. */
/* NOLINTBEGIN(readability-inconsistent-declaration-parameter-name) */

/* The functions that are replaced here: the C library's, or those of an allocator that
 * was loaded earlier. */
static struct {
    void *(*malloc)(size_t bytes);
    void *(*calloc)(size_t count, size_t bytes);
    void *(*realloc)(void *old, size_t bytes);
    void *(*aligned_alloc)(size_t alignment, size_t bytes);
} next;

/* `function` is the address of a member of `next`. */
static void find(const char *name, void *function) {
    void *found = dlsym(RTLD_NEXT, name);
    if (!found) abort();
    memcpy(function, &found, sizeof found);
}

/* The first request comes from the loader, long before there are threads. Older
 * libraries allocate memory inside dlsym(): refuse those requests. */
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

/* A command frees its arenas, and the next command needs the same amount of memory. If
 * the C library returned it to the kernel in between, the kernel would have to map and
 * clear every page again; ":because" took four times as long. */
__attribute__((constructor)) static void keep_freed_memory(void) {
    mallopt(M_MMAP_THRESHOLD, ARENA_GROWTH_MAX / 2); /* larger values are refused */
    mallopt(M_TRIM_THRESHOLD, 4 * ARENA_GROWTH_MAX);
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
    /* realloc() to 0 bytes returns NULL on purpose. */
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
