#include "base/arena.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "base/guard.h"
#include "base/memory.h"
#include "base/size.h"

enum {
    FIRST_BYTES = 64 * 1024,
    LARGEST_GROWTH = 64 * 1024 * 1024,
    ALIGNMENT = 64,
    LARGE_PAGE = 2 * 1024 * 1024,
    LARGE_LEAST = 4 * LARGE_PAGE,
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

/* Weights that are read once a sentence come from memory a third faster by large pages:
 * less time is spent on where a page lies. */
static void *take_pages(size_t bytes) {
    void *pages = aligned_alloc(LARGE_PAGE, bytes);
#ifdef MADV_HUGEPAGE
    if (pages) madvise(pages, bytes, MADV_HUGEPAGE);
#endif
    return pages;
}

/* `bytes` is a multiple of the alignment. */
static Chunk *chunk_new(size_t bytes) {
    Chunk *chunk = NULL;
    size_t room;
    if (!size_add(bytes, sizeof *chunk, &room)) memory_none(bytes);
    if (room < LARGE_LEAST)
        chunk = aligned_alloc(ALIGNMENT, aligned(room, ALIGNMENT));
    else
        chunk = take_pages(aligned(room, LARGE_PAGE));
    if (!chunk) memory_none(bytes);
    *chunk = (Chunk){.size = bytes};
    guard_close(chunk->bytes, bytes);
    return chunk;
}

static bool has_room(const Chunk *chunk, size_t bytes) {
    return chunk->size - chunk->used >= bytes;
}

/* A new chunk behind the last one. Chunks double, so that a chain stays short. */
static Chunk *add_chunk(Arena *arena, Chunk *last, size_t bytes) {
    size_t size = last ? 2 * last->size : FIRST_BYTES;
    if (size > LARGEST_GROWTH) size = LARGEST_GROWTH;
    Chunk *chunk = chunk_new(bytes > size ? aligned(bytes, ALIGNMENT) : size);
    if (last)
        last->next = chunk;
    else
        arena->first = chunk;
    return chunk;
}

/* The current chunk, one kept by a reset, or a new one. */
static Chunk *chunk_with_room(Arena *arena, size_t bytes) {
    Chunk *chunk = arena->current;
    while (chunk && !has_room(chunk, bytes) && chunk->next) {
        chunk = chunk->next;
        chunk->used = 0;
    }
    if (!chunk || !has_room(chunk, bytes)) chunk = add_chunk(arena, chunk, bytes);
    return arena->current = chunk;
}

static void *take(Arena *arena, size_t bytes, size_t alignment) {
    /* One alignment more than needed lets the start move up to its boundary. */
    size_t room;
    if (!size_add(bytes, alignment + GUARD_BYTES, &room)) memory_none(bytes);
    Chunk *chunk = chunk_with_room(arena, room);
    size_t start = aligned(chunk->used, alignment);
    chunk->used = start + bytes + GUARD_BYTES;
    guard_open(chunk->bytes + start, bytes);
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
    va_list again;
    va_copy(again, arguments);
    int length = vsnprintf(NULL, 0, format, arguments);
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

void arena_reset(Arena *arena) {
    arena->current = arena->first;
    if (arena->first) arena->first->used = 0;
    for (const Chunk *chunk = arena->first; chunk; chunk = chunk->next)
        guard_close(chunk->bytes, chunk->size);
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
    guard_close(mark.current->bytes + mark.used, mark.current->size - mark.used);
    for (const Chunk *chunk = mark.current->next; chunk; chunk = chunk->next)
        guard_close(chunk->bytes, chunk->size);
}

void arena_free(Arena *arena) {
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
