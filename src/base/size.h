/* size.h - arithmetic on sizes that come from outside: each says false at overflow. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

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
