/* With the address sanitizer: which parts of an arena can be accessed. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"

#include <cmocka.h>

/* gcc defines a macro for this, clang has a feature test. */
#ifndef __has_feature
#define __has_feature(name) 0
#endif
#if defined(__SANITIZE_ADDRESS__) || __has_feature(address_sanitizer)
#include <sanitizer/asan_interface.h>
enum { IS_GUARDED = 1 };
static int is_closed(const char *byte) {
    return __asan_address_is_poisoned(byte);
}
#else
enum { IS_GUARDED = 0 };
static int is_closed(const char *byte) {
    (void)byte;
    return 0;
}
#endif

static void allocated_bytes_are_open_and_the_next_are_not(void **state) {
    (void)state;
    if (!IS_GUARDED) skip();
    Arena arena = {0};
    for (size_t size = 1; size < 200; size++) {
        const char *taken = arena_take(&arena, size);
        const char *next = arena_take_raw(&arena, size);
        for (size_t i = 0; i < size; i++) assert_false(is_closed(taken + i));
        assert_true(is_closed(taken + size));
        assert_true(is_closed(next + size));
    }
    arena_free(&arena);
}

static void freed_bytes_are_closed_until_they_are_reused(void **state) {
    (void)state;
    if (!IS_GUARDED) skip();
    Arena arena = {0};
    const char *first = arena_take(&arena, 100);
    const char *large = arena_take_raw(&arena, 1 << 20);
    arena_reset(&arena);
    assert_true(is_closed(first));
    assert_true(is_closed(large));
    assert_ptr_equal(arena_take(&arena, 100), first);
    assert_false(is_closed(first));
    assert_true(is_closed(large));
    arena_free(&arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(allocated_bytes_are_open_and_the_next_are_not),
        cmocka_unit_test(freed_bytes_are_closed_until_they_are_reused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
