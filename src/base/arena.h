/* arena.h - memory by lifetime: allocate piece by piece, free everything at once.
 *
 * An arena belongs to a lifetime: the weights of a model, one run, one command. Single
 * allocations are never freed. No other module calls malloc. */
#pragma once

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>

typedef struct Chunk Chunk;
typedef struct ArenaEnd ArenaEnd;

typedef struct {
    Chunk *first;   /* a chain of chunks; zero-initialize for an empty arena */
    Chunk *current; /* the one being filled */
    ArenaEnd *ends; /* callbacks of arena_at_end(), last first */
} Arena;

/* Return zeroed memory that lives until arena_reset() or arena_free(). Never NULL: if
 * memory runs out, the program prints a message and exits with status 1. */
void *arena_take(Arena *arena, size_t bytes);

/* The same, aligned to 64 bytes and not zeroed: for large arrays about to be filled. */
void *arena_take_raw(Arena *arena, size_t bytes);

/* Return an array of `count` zeroed Types. */
#define ARENA_ARRAY(arena, Type, count)                                                \
    ((Type *)arena_take((arena), (size_t)(count) * sizeof(Type)))

/* Return a copy of `length` bytes of `text`, terminated by '\0'. */
char *arena_copy(Arena *arena, const char *text, size_t length);

/* Return a formatted string. */
__attribute__((format(printf, 2, 3), nonnull, returns_nonnull)) char *
arena_print(Arena *arena, const char *format, ...);

/* The same with a va_list. */
__attribute__((format(printf, 2, 0), nonnull, returns_nonnull)) char *
arena_print_list(Arena *arena, const char *format, va_list arguments);

/* Make room for one more item in an array that grows by doubling: call it before
 * writing items[count]. The old array stays in the arena until it is reset. */
#define ARENA_GROW(arena, items, count, capacity)                                      \
    ((count) < (capacity)                                                              \
         ? (void)0                                                                     \
         : (void)((items) = arena_grow((arena), (items), (count), &(capacity),         \
                                       sizeof *(items))))
__attribute__((returns_nonnull)) void *arena_grow(Arena *arena, const void *items,
                                                  int count, int *capacity,
                                                  size_t item_bytes);

/* Call end(state) when the arena is reset or freed. Use it for a resource that has the
 * arena's lifetime but is not arena memory, such as a mapped file. `state` may be in
 * the arena. Do not call arena_back() with a mark that is older than this call. */
void arena_at_end(Arena *arena, void (*end)(void *state), void *state);

/* Forget all allocations and keep the memory for the next round. */
void arena_reset(Arena *arena);

/* The most bytes that a growing arena requests at once, unless a single allocation is
 * larger. */
enum { ARENA_GROWTH_MAX = 64 * 1024 * 1024 };

/* Marks how far an arena is filled. arena_back() forgets everything allocated after the
 * mark. */
typedef struct {
    Chunk *current;
    size_t used;
} ArenaMark;
ArenaMark arena_mark(const Arena *arena);
void arena_back(Arena *arena, ArenaMark mark);

/* Return all memory to the system. */
void arena_free(Arena *arena);

/* Return how many bytes the arena has taken from the system. */
size_t arena_bytes(const Arena *arena);

/* malloc and its family are replaced for the whole process by functions that never
 * return NULL. The libraries' own error handling is not enough. We refused 96 requests,
 * one at a time, while drawing pictures, building pages and answering: 44 runs crashed
 * (fontconfig, Pango, GLib), 5 hung and 7 printed the message. A build with a sanitizer
 * keeps the sanitizer's allocator.
 *
 * Report that `bytes` more are needed and end the program with status 1, using
 * quick_exit(). Any thread may call it. */
_Noreturn void memory_none(size_t bytes);

/* Call this when the program is about to exit. From then on a library thread that runs
 * out of memory waits silently for the exit. If a thread ran out of memory earlier,
 * this call waits for that thread to end the program. */
void memory_none_ends(void);

/* Set a function that restores the terminal before the message is printed. */
void memory_none_begins(void (*give_back)(void));

/* Arithmetic on untrusted sizes: false on overflow. */
static inline bool size_add(size_t a, size_t b, size_t *sum) {
    return !__builtin_add_overflow(a, b, sum);
}

static inline bool size_multiply(size_t a, size_t b, size_t *product) {
    return !__builtin_mul_overflow(a, b, product);
}

/* Round `size` up to a multiple of `alignment`, which cannot be 0. */
static inline bool size_align(size_t size, size_t alignment, size_t *aligned) {
    size_t over = size % alignment;
    return size_add(size, over ? alignment - over : 0, aligned);
}
