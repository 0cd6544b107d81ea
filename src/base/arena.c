#include "base/arena.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/system.h"

/* Tell the address sanitizer which bytes of an arena are in use, so that it reports
 * access to bytes that are not yet taken or were given back. */
#ifdef SANITIZES_ADDRESSES
#include <sanitizer/asan_interface.h>
enum { GUARD_BYTES = 64 }; /* after each allocation */
#else
#define ASAN_POISON_MEMORY_REGION(start, bytes) ((void)(start), (void)(bytes))
#define ASAN_UNPOISON_MEMORY_REGION(start, bytes) ((void)(start), (void)(bytes))
enum { GUARD_BYTES = 0 };
#endif

enum {
    FIRST_BYTES = 64 * 1024,
    ALIGNMENT = 64,
    LARGE_PAGE = 2 * 1024 * 1024,
};

struct Chunk {
    Chunk *next;
    size_t used, size;
    _Alignas(ALIGNMENT) char bytes[];
};

static size_t aligned(size_t bytes, size_t alignment) {
    size_t size;
    if (!size_align(bytes, alignment, &size)) memory_none(bytes);
    return size;
}

/* Add a chunk after the last one. Sizes double, so that the chain stays short. Large
 * chunks use huge pages: a page fault costs the kernel about the same for every page
 * size, and reading weights once per sentence is a third faster. */
static Chunk *add_chunk(Arena *arena, Chunk *last, size_t bytes) {
    size_t room, usual = last ? 2 * (last->size + sizeof(Chunk)) : FIRST_BYTES;
    if (usual > ARENA_GROWTH_MAX) usual = ARENA_GROWTH_MAX;
    if (!size_add(bytes, sizeof(Chunk), &room)) memory_none(bytes);
    if (room < usual) room = usual;
    size_t alignment = room >= LARGE_PAGE ? LARGE_PAGE : ALIGNMENT;
    room = aligned(room, alignment);
    Chunk *chunk = aligned_alloc(alignment, room);
    if (!chunk) memory_none(room);
    if (alignment == LARGE_PAGE) system_large_pages(chunk, room);
    *chunk = (Chunk){.size = room - sizeof(Chunk)};
    ASAN_POISON_MEMORY_REGION(chunk->bytes, chunk->size);
    if (last)
        last->next = chunk;
    else
        arena->first = chunk;
    return chunk;
}

static bool has_room(const Chunk *chunk, size_t bytes) {
    return chunk->size - chunk->used >= bytes;
}

/* Allocate from the current chunk, from one kept by a reset, or from a new one. */
static void *take(Arena *arena, size_t bytes, size_t alignment) {
    /* Ask for `alignment` extra bytes, so that the start can be moved up to its
     * boundary. */
    size_t room;
    if (!size_add(bytes, alignment + GUARD_BYTES, &room)) memory_none(bytes);
    Chunk *chunk = arena->current;
    while (chunk && !has_room(chunk, room) && chunk->next) {
        chunk = chunk->next;
        chunk->used = 0;
    }
    if (!chunk || !has_room(chunk, room)) chunk = add_chunk(arena, chunk, room);
    arena->current = chunk;
    size_t start = aligned(chunk->used, alignment);
    chunk->used = start + bytes + GUARD_BYTES;
    ASAN_UNPOISON_MEMORY_REGION(chunk->bytes + start, bytes);
    return chunk->bytes + start;
}

void *arena_take(Arena *arena, size_t bytes) {
    return memset(take(arena, bytes, sizeof(max_align_t)), 0, bytes);
}

void *arena_take_raw(Arena *arena, size_t bytes) {
    return take(arena, bytes, ALIGNMENT);
}

char *arena_copy(Arena *arena, const char *text, size_t length) {
    char *copy = arena_take(arena, length + 1);
    if (length) memcpy(copy, text, length);
    return copy;
}

char *arena_print_list(Arena *arena, const char *format, va_list arguments) {
    /* Most texts fit here, and vsnprintf() then runs once instead of twice. */
    char max[256];
    va_list again;
    va_copy(again, arguments);
    int length = vsnprintf(max, sizeof max, format, arguments);
    if (length >= 0 && (size_t)length < sizeof max) {
        va_end(again);
        return arena_copy(arena, max, (size_t)length);
    }
    char *text = arena_take(arena, (size_t)length + 1);
    vsnprintf(text, (size_t)length + 1, format, again);
    va_end(again);
    return text;
}

char *arena_print(Arena *arena, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    char *text = arena_print_list(arena, format, arguments);
    va_end(arguments);
    return text;
}

void *arena_grow(Arena *arena, const void *items, int count, int *capacity,
                 size_t item_bytes) {
    *capacity = *capacity ? 2 * *capacity : 16;
    void *larger = arena_take(arena, (size_t)*capacity * item_bytes);
    if (count) memcpy(larger, items, (size_t)count * item_bytes);
    return larger;
}

struct ArenaEnd {
    ArenaEnd *next;
    void (*end)(void *state);
    void *state;
};

void arena_at_end(Arena *arena, void (*end)(void *state), void *state) {
    ArenaEnd *first = ARENA_ARRAY(arena, ArenaEnd, 1);
    *first = (ArenaEnd){arena->ends, end, state};
    arena->ends = first;
}

static void call_ends(Arena *arena) {
    for (const ArenaEnd *end = arena->ends; end; end = end->next) end->end(end->state);
    arena->ends = NULL;
}

void arena_reset(Arena *arena) {
    call_ends(arena);
    arena->current = arena->first;
    if (arena->first) arena->first->used = 0;
    for (const Chunk *chunk = arena->first; chunk; chunk = chunk->next)
        ASAN_POISON_MEMORY_REGION(chunk->bytes, chunk->size);
}

ArenaMark arena_mark(const Arena *arena) {
    Chunk *current = arena->current;
    return (ArenaMark){current, current ? current->used : 0};
}

void arena_back(Arena *arena, ArenaMark mark) {
    if (!mark.current) {
        arena_reset(arena);
        return;
    }
    arena->current = mark.current;
    mark.current->used = mark.used;
    ASAN_POISON_MEMORY_REGION(mark.current->bytes + mark.used,
                              mark.current->size - mark.used);
    for (const Chunk *chunk = mark.current->next; chunk; chunk = chunk->next)
        ASAN_POISON_MEMORY_REGION(chunk->bytes, chunk->size);
}

void arena_free(Arena *arena) {
    call_ends(arena);
    for (Chunk *chunk = arena->first; chunk;) {
        Chunk *next = chunk->next;
        free(chunk);
        chunk = next;
    }
    *arena = (Arena){0};
}

size_t arena_bytes(const Arena *arena) {
    size_t bytes = 0;
    for (const Chunk *chunk = arena->first; chunk; chunk = chunk->next)
        bytes += chunk->size;
    return bytes;
}

/* Set once, before other threads start. */
static void (*begins)(void);

void memory_none_begins(void (*give_back)(void)) {
    begins = give_back;
}

/* Has a thread started to end the program? */
static atomic_flag is_ending = ATOMIC_FLAG_INIT;

void memory_none_ends(void) {
    while (atomic_flag_test_and_set(&is_ending)) pause();
}

/* The first thread that runs out of memory ends the program; the others wait for that.
 * Do not call exit(): a library that ran out of memory while it was loading would
 * destroy objects that it has not created yet. Functions called by quick_exit() may run
 * out of memory as well. */
void memory_none(size_t bytes) {
    static _Thread_local bool ending;
    if (ending) _exit(EXIT_FAILURE);
    ending = true;
    while (atomic_flag_test_and_set(&is_ending)) pause();
    if (begins) begins();
    fprintf(stderr, "glassbox: out of memory: %zu bytes more are needed\n", bytes);
    /* A waiting thread may be in the middle of writing to it. */
    if (ftrylockfile(stdout) == 0) fflush(stdout);
    quick_exit(EXIT_FAILURE);
}
