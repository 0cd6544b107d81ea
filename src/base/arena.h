/* arena.h - memory by lifetime. Take as you go, give back all at once.
 *
 * An arena belongs to a lifetime: the weights of a model, one run, one command.
 * Nothing taken from it is freed alone. The only home of malloc. */
#pragma once

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>

typedef struct Chunk Chunk;
typedef struct ArenaEnd ArenaEnd;

typedef struct {
    Chunk *first;   /* a chain of chunks; zero-initialise to start empty */
    Chunk *current; /* the one being filled */
    ArenaEnd *ends; /* what arena_at_end() asked for, the last first */
} Arena;

/* Zeroed memory that lives until arena_reset() or arena_free(). Never NULL: out of
 * memory ends the program with a sentence and status 1. */
void *arena_take(Arena *arena, size_t bytes);

/* The same, aligned to 64 bytes and not zeroed: for large arrays about to be filled. */
void *arena_take_raw(Arena *arena, size_t bytes);

/* An array of `count` zeroed Types. */
#define ARENA_ARRAY(arena, Type, count)                                                \
    ((Type *)arena_take((arena), (size_t)(count) * sizeof(Type)))

/* A copy of `length` bytes of `text`, with a '\0' behind them. */
char *arena_copy(Arena *arena, const char *text, size_t length);

/* A formatted string. */
__attribute__((format(printf, 2, 3), nonnull, returns_nonnull)) char *
arena_print(Arena *arena, const char *format, ...);

/* The same for a function that takes a format itself. */
__attribute__((format(printf, 2, 0), nonnull, returns_nonnull)) char *
arena_print_list(Arena *arena, const char *format, va_list arguments);

/* Room for one more item in an array that grows by doubling: call it before writing
 * items[count]. The old array stays behind in the arena. */
#define ARENA_GROW(arena, items, count, capacity)                                      \
    ((count) < (capacity)                                                              \
         ? (void)0                                                                     \
         : (void)((items) = arena_grow((arena), (items), (count), &(capacity),         \
                                       sizeof *(items))))
__attribute__((returns_nonnull)) void *arena_grow(Arena *arena, const void *items,
                                                  int count, int *capacity,
                                                  size_t item_bytes);

/* Call end(state) when the arena is reset or freed: for what belongs to its lifetime
 * and is no memory of its own, such as a mapped file. `state` may lie in the arena;
 * arena_back() may not go back behind this call. */
void arena_at_end(Arena *arena, void (*end)(void *state), void *state);

/* Forget what was taken and keep the memory for the next round. */
void arena_reset(Arena *arena);

/* How far an arena is filled, to forget what is taken later and keep the rest. */
typedef struct {
    Chunk *current;
    size_t used;
} ArenaMark;
ArenaMark arena_mark(const Arena *arena);
void arena_back(Arena *arena, ArenaMark mark);

/* Give everything back to the system. */
void arena_free(Arena *arena);

/* How many bytes the arena holds from the system. */
size_t arena_bytes(const Arena *arena);

/* malloc and its kin are replaced for the whole process by functions that never return
 * NULL. The libraries' own handling is not enough: with it, of 96 requests refused one
 * at a time while pictures, pages and answers were made, 44 ended by a signal
 * (fontconfig, Pango, GLib), 5 hung and 7 printed the sentence. A build with a
 * sanitizer keeps the sanitizer's allocator.
 *
 * Say that `bytes` more are needed and end the program with status 1, by quick_exit().
 * Any thread may call it. */
_Noreturn void memory_none(size_t bytes);

/* The program is done: a thread of a library that is refused memory from now on waits
 * for its end and says nothing; one that was refused before ends it, and this waits. */
void memory_none_ends(void);

/* What puts the terminal in order before that is said. */
void memory_none_begins(void (*give_back)(void));

/* Arithmetic on sizes that come from outside: false at overflow. */
static inline bool size_add(size_t a, size_t b, size_t *sum) {
    return !__builtin_add_overflow(a, b, sum);
}

static inline bool size_multiply(size_t a, size_t b, size_t *product) {
    return !__builtin_mul_overflow(a, b, product);
}

/* The next multiple of `alignment`, which must not be 0. */
static inline bool size_align(size_t size, size_t alignment, size_t *aligned) {
    size_t over = size % alignment;
    return size_add(size, over ? alignment - over : 0, aligned);
}
