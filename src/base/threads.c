#include "base/threads.h"

#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>

#include "base/system.h"

enum { THREADS_MAX = 64, SPINS = 4000 };

/* A number that one thread increments and another waits for. Waiting spins for some
 * tens of microseconds, the usual pause between pieces of work, and then sleeps. */
typedef struct {
    atomic_uint value;
    atomic_bool sleeping;
    pthread_mutex_t mutex;
    pthread_cond_t raised;
} Latch;

/* The first thread to claim a part runs it: the helper, or the caller if the helper has
 * not claimed it by the time the caller has finished its own part. So a helper whose
 * core is busy with another program delays nothing. */
typedef struct {
    Latch work, done;
    atomic_uint claimed; /* the last value of `work` that was claimed */
    bool running;
} Helper;

/* helper[p] runs part p. The calling thread runs part 0, and the part of any helper
 * that could not be started. */
static struct {
    Helper helper[THREADS_MAX];
    ThreadWork *work;
    void *context;
    int parts;
    int limit;
    pthread_mutex_t busy;
} pool = {.busy = PTHREAD_MUTEX_INITIALIZER};

static _Thread_local bool inside;

static void latch_raise(Latch *latch) {
    atomic_fetch_add(&latch->value, 1);
    /* A thread announces that it will sleep before it checks the value one last
     * time. */
    if (!atomic_load(&latch->sleeping)) return;
    pthread_mutex_lock(&latch->mutex);
    pthread_cond_signal(&latch->raised);
    pthread_mutex_unlock(&latch->mutex);
}

/* Wait until the value is no longer `old`. */
static void latch_wait(Latch *latch, unsigned old) {
    for (int spin = 0; spin < SPINS; spin++) {
        if (atomic_load(&latch->value) != old) return;
#if defined(__x86_64__) || defined(__i386__)
        __builtin_ia32_pause();
#else
        sched_yield();
#endif
    }
    pthread_mutex_lock(&latch->mutex);
    atomic_store(&latch->sleeping, true);
    while (atomic_load(&latch->value) == old)
        pthread_cond_wait(&latch->raised, &latch->mutex);
    atomic_store(&latch->sleeping, false);
    pthread_mutex_unlock(&latch->mutex);
}

/* A round is numbered by the value of the latch `work` and is claimed once. */
static bool claim(Helper *helper, unsigned round) {
    unsigned before = round - 1;
    return atomic_compare_exchange_strong(&helper->claimed, &before, round);
}

static void *help(void *argument) {
    Helper *helper = argument;
    /* Leave signals from outside to the main thread, which has the terminal. */
    static const int own[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL,
                              SIGABRT, SIGSYS, SIGTRAP};
    sigset_t set;
    sigfillset(&set);
    for (size_t s = 0; s < sizeof own / sizeof *own; s++) sigdelset(&set, own[s]);
    pthread_sigmask(SIG_BLOCK, &set, NULL);
    inside = true;
    for (unsigned old = 0;; old++) {
        latch_wait(&helper->work, old);
        if (!claim(helper, old + 1)) continue;
        pool.work(pool.context, (int)(helper - pool.helper), pool.parts);
        latch_raise(&helper->done);
    }
    return NULL;
}

static bool start(Helper *helper) {
    if (helper->running) return true;
    pthread_t thread;
    pthread_mutex_init(&helper->work.mutex, NULL);
    pthread_mutex_init(&helper->done.mutex, NULL);
    pthread_cond_init(&helper->work.raised, NULL);
    pthread_cond_init(&helper->done.raised, NULL);
    if (pthread_create(&thread, NULL, help, helper) != 0) return false;
    pthread_detach(thread);
    return helper->running = true;
}

/* Return the number of cores that this process may use, possibly fewer than the machine
 * has. */
static int cores(void) {
    static atomic_int known;
    int count = known;
    if (count > 0) return count;
    count = system_cores();
    if (count > THREADS_MAX) count = THREADS_MAX;
    known = count;
    return count;
}

int threads_count(void) {
    return pool.limit > 0 ? pool.limit : cores();
}

void threads_limit(int count) {
    pool.limit = count < THREADS_MAX ? count : THREADS_MAX;
}

bool threads_help(void) {
    return !inside && threads_count() > 1;
}

void threads_run(ThreadWork *work, void *context) {
    int parts = threads_count();
    if (parts == 1 || inside || pthread_mutex_trylock(&pool.busy) != 0) {
        for (int part = 0; part < parts; part++) work(context, part, parts);
        return;
    }
    inside = true;
    unsigned before[THREADS_MAX] = {0};
    bool helped[THREADS_MAX] = {false};
    pool.work = work;
    pool.context = context;
    pool.parts = parts;
    for (int part = 1; part < parts; part++) {
        Helper *helper = &pool.helper[part];
        helped[part] = start(helper);
        if (!helped[part]) continue;
        before[part] = atomic_load(&helper->done.value);
        latch_raise(&helper->work);
    }
    for (int part = 0; part < parts; part++) {
        Helper *helper = &pool.helper[part];
        if (helped[part] && claim(helper, atomic_load(&helper->work.value)))
            helped[part] = false;
        if (!helped[part]) work(context, part, parts);
    }
    for (int part = 1; part < parts; part++)
        if (helped[part]) latch_wait(&pool.helper[part].done, before[part]);
    inside = false;
    pthread_mutex_unlock(&pool.busy);
}
