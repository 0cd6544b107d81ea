/* guard.h - shows the address sanitizer what of an arena is in use: what was not taken
 * yet, or was given back, may not be touched. In other builds it is nothing. */
#pragma once

#include <stddef.h>

/* gcc says it by a name, clang by a feature. */
#ifndef __has_feature
#define __has_feature(name) 0
#endif
#if defined(__SANITIZE_ADDRESS__) || __has_feature(address_sanitizer)
#define GUARDED
#endif

/* A sanitizer has functions of its own in the place of malloc. */
#if defined(GUARDED) || defined(__SANITIZE_THREAD__) || __has_feature(thread_sanitizer)
#define OWN_ALLOCATOR
#endif

#ifdef GUARDED
#include <sanitizer/asan_interface.h>

enum { GUARD_BYTES = 64 }; /* behind each thing that is taken */

static inline void guard_open(const void *start, size_t bytes) {
    __asan_unpoison_memory_region(start, bytes);
}

static inline void guard_close(const void *start, size_t bytes) {
    __asan_poison_memory_region(start, bytes);
}

#else

enum { GUARD_BYTES = 0 };

static inline void guard_open(const void *start, size_t bytes) {
    (void)start;
    (void)bytes;
}

static inline void guard_close(const void *start, size_t bytes) {
    (void)start;
    (void)bytes;
}

#endif
