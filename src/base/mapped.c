#include "base/mapped.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/language.h"
#include "base/system.h"

/* A mapped file, with the message for when it is cut short: a signal handler cannot
 * format text. */
typedef struct Mapping {
    struct Mapping *next;
    const char *path;
    struct stat opened; /* its status when it was mapped */
    char *start;
    size_t size;
    const char *lost;
} Mapping;

/* Globals, because a signal handler gets no user data. */
static _Atomic(Mapping *) mappings;
static pthread_mutex_t changing = PTHREAD_MUTEX_INITIALIZER;
static struct sigaction unmapped; /* the previous action for SIGBUS */
static void (*begins)(void);

void mapped_lost_begins(void (*give_back)(void)) {
    begins = give_back;
}

/* SIGBUS: a page of a mapped file could not be read. */
static void end_for_lost(int number, siginfo_t *signal, void *unused) {
    (void)unused;
    const char *address = signal->si_addr;
    for (const Mapping *m = mappings; m && signal->si_code > 0; m = m->next) {
        if (address < m->start || address >= m->start + m->size) continue;
        if (begins) begins();
        ssize_t written = write(STDERR_FILENO, m->lost, strlen(m->lost));
        _exit(written < 0 ? EXIT_FAILURE + 1 : EXIT_FAILURE);
    }
    sigaction(number, &unmapped, NULL);
    raise(number);
}

static void catch_lost(void) {
    struct sigaction action = {.sa_sigaction = end_for_lost};
    struct sigaction before;
    action.sa_flags = (int)(SA_SIGINFO | SA_ONSTACK | SA_NODEFER);
    sigemptyset(&action.sa_mask);
    sigaction(SIGBUS, NULL, &before);
    if (before.sa_flags & SA_SIGINFO && before.sa_sigaction == end_for_lost) return;
    unmapped = before;
    sigaction(SIGBUS, &action, NULL);
}

static void unmap(void *state) {
    Mapping *mapping = state;
    assert(mapping);
    pthread_mutex_lock(&changing);
    Mapping *before = mappings;
    while (before && before != mapping && before->next != mapping)
        before = before->next;
    if (before == mapping)
        mappings = mapping->next;
    else if (before)
        before->next = mapping->next;
    pthread_mutex_unlock(&changing);
    munmap(mapping->start, mapping->size);
}

static bool failed(Error *error, const char *path) {
    return fail(error, "cannot read %s: %s", path, error_reason(errno));
}

/* Map an open file privately, with write access: the file is never written, but single
 * numbers can be changed in memory. */
static bool map_opened(int file, const char *path, size_t limit, Arena *arena,
                       Bytes *bytes, Error *error) {
    struct stat status;
    if (fstat(file, &status) != 0) return failed(error, path);
    if (!S_ISREG(status.st_mode))
        return fail(error, "cannot read %s: it is a pipe or a device, not a file",
                    path);
    size_t size = (size_t)status.st_size;
    if (size > limit)
        return fail(error, "%s has %zu bytes; the limit here is %zu", path, size,
                    limit);
    void *start =
        mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_NORESERVE, file, 0);
    if (start == MAP_FAILED) return failed(error, path);
    Mapping *mapping = ARENA_ARRAY(arena, Mapping, 1);
    *mapping = (Mapping){.path = arena_copy(arena, path, strlen(path)),
                         .opened = status,
                         .start = start,
                         .size = size};
    mapping->lost =
        arena_print(arena, "glassbox: %s\n",
                    trf(arena,
                        "%s was cut short or became unreadable while its numbers were "
                        "in use; restore the whole file and open it again",
                        path));
    pthread_mutex_lock(&changing);
    catch_lost();
    mapping->next = mappings;
    mappings = mapping;
    pthread_mutex_unlock(&changing);
    arena_at_end(arena, unmap, mapping);
    *bytes = (Bytes){start, size};
    return true;
}

bool mapped_read(const char *path, size_t limit, Arena *arena, Bytes *bytes,
                 Error *error) {
    int file = file_open(path, O_NONBLOCK | O_NOCTTY);
    if (file < 0) return failed(error, path);
    bool done = map_opened(file, path, limit, arena, bytes, error);
    close(file);
    return done;
}

bool mapped_pays(const char *path) {
    size_t size;
    char first;
    return file_peek(path, &first, 1, &size) && size >= MAPPED_MIN;
}

static bool same_time(struct timespec a, struct timespec b) {
    return a.tv_sec == b.tv_sec && a.tv_nsec == b.tv_nsec;
}

const char *mapped_rewritten(void) {
    const char *path = NULL;
    pthread_mutex_lock(&changing);
    for (const Mapping *m = mappings; m && !path; m = m->next) {
        struct stat now;
        int file = file_open(m->path, O_NONBLOCK | O_NOCTTY);
        if (file < 0) continue;
        /* A file that was moved or replaced keeps its bytes until it is unmapped. */
        bool is_same = fstat(file, &now) == 0 && now.st_dev == m->opened.st_dev &&
                       now.st_ino == m->opened.st_ino;
        close(file);
        if (is_same && (now.st_size != m->opened.st_size ||
                        !same_time(now.st_mtim, m->opened.st_mtim) ||
                        !same_time(now.st_ctim, m->opened.st_ctim)))
            path = m->path;
    }
    pthread_mutex_unlock(&changing);
    return path;
}

void mapped_release(const void *bytes, size_t size) {
    uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
    uintptr_t start = ((uintptr_t)bytes + page - 1) / page * page;
    uintptr_t end = ((uintptr_t)bytes + size) / page * page;
    if (end <= start) return;
    void *first;
    memcpy(&first, &start, sizeof first);
    system_drop_pages(first, end - start);
}
