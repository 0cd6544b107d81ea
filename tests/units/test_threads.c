#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <time.h>

#include <cmocka.h>

#include "base/threads.h"

static bool refuses_threads;

/* Replaces the library's function: a system that has no more threads. */
int pthread_create(pthread_t *thread, const pthread_attr_t *attributes,
                   void *(*start)(void *), void *argument) {
    typedef int Create(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);
    if (refuses_threads) return EAGAIN;
    Create *create;
    *(void **)&create = dlsym(RTLD_NEXT, "pthread_create");
    return create(thread, attributes, start, argument);
}

enum { PARTS_MAX = 64 };

typedef struct {
    atomic_int calls[PARTS_MAX];
    atomic_int parts, on_caller;
    pthread_t caller;
} Count;

static void count_call(void *context, int part, int parts) {
    Count *count = context;
    atomic_fetch_add(&count->calls[part], 1);
    count->parts = parts;
    if (pthread_equal(pthread_self(), count->caller))
        atomic_fetch_add(&count->on_caller, 1);
}

static Count counted(void) {
    static Count count;
    for (int part = 0; part < PARTS_MAX; part++) count.calls[part] = 0;
    count.on_caller = 0;
    count.caller = pthread_self();
    threads_run(count_call, &count);
    return count;
}

static void assert_each_part_once(Count *count, int parts) {
    assert_int_equal(count->parts, parts);
    for (int part = 0; part < PARTS_MAX; part++)
        assert_int_equal(count->calls[part], part < parts);
}

static void every_part_runs_if_no_thread_can_be_started(void **state) {
    (void)state;
    threads_limit(4);
    refuses_threads = true;
    Count count = counted();
    refuses_threads = false;
    assert_each_part_once(&count, 4);
    assert_int_equal(count.on_caller, 4);
}

static void every_part_runs_once(void **state) {
    (void)state;
    for (int limit = 1; limit <= 5; limit++) {
        threads_limit(limit);
        for (int round = 0; round < 200; round++) {
            Count count = counted();
            assert_each_part_once(&count, limit);
            assert_true(count.on_caller >= 1); /* also a part that no helper claimed */
        }
    }
}

static void helpers_wake_after_they_slept(void **state) {
    (void)state;
    threads_limit(2);
    for (int round = 0; round < 5; round++) {
        nanosleep(&(struct timespec){.tv_nsec = 5000000}, NULL);
        Count count = counted();
        assert_each_part_once(&count, 2);
    }
}

static void count_nested(void *context, int part, int parts) {
    Count *count = context;
    threads_run(count_call, &count[part]);
    (void)parts;
}

static void nested_work_runs_part_after_part_on_the_same_thread(void **state) {
    (void)state;
    static Count count[3];
    threads_limit(3);
    for (int part = 0; part < 3; part++) count[part].caller = pthread_self();
    threads_run(count_nested, count);
    for (int part = 0; part < 3; part++) {
        assert_each_part_once(&count[part], 3);
        bool by_caller = count[part].on_caller > 0;
        assert_int_equal(count[part].on_caller, by_caller ? 3 : 0);
        assert_true(by_caller || part > 0);
    }
}

static void the_limit_can_be_reset(void **state) {
    (void)state;
    threads_limit(0);
    int cores = threads_count();
    assert_true(cores >= 1);
    threads_limit(7);
    assert_int_equal(threads_count(), 7);
    threads_limit(0);
    assert_int_equal(threads_count(), cores);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_part_runs_if_no_thread_can_be_started),
        cmocka_unit_test(every_part_runs_once),
        cmocka_unit_test(helpers_wake_after_they_slept),
        cmocka_unit_test(nested_work_runs_part_after_part_on_the_same_thread),
        cmocka_unit_test(the_limit_can_be_reset),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
