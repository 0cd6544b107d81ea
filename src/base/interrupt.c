#include "base/interrupt.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdatomic.h>
#include <stddef.h>
#include <termios.h>
#include <unistd.h>

/* Globals, because signals belong to the process and a handler gets no user data.
 * Atomic, because one thread sets them and all threads read them. */
static atomic_int noted;
static atomic_bool held;
static void (*second)(int number);

static const int ends[] = {SIGINT, SIGTERM, SIGHUP};
enum { ENDS = sizeof ends / sizeof *ends };
static struct sigaction unguarded[ENDS]; /* replaced by interrupt_guard() */
static int guards_open;

void interrupt_resume_output(void) {
    int cause = errno;
    if (tcgetpgrp(STDOUT_FILENO) == getpgrp()) {
        /* TCOON has an effect only after TCOOFF. */
        tcflow(STDOUT_FILENO, TCOOFF);
        tcflow(STDOUT_FILENO, TCOON);
    }
    errno = cause;
}

void interrupt_again(int number) {
    /* Ctrl-C is the weakest request: it never replaces another signal. */
    int nothing = 0;
    if (number != SIGINT && number)
        noted = number;
    else
        atomic_compare_exchange_strong(&noted, &nothing, number);
}

static void note(int number) {
    interrupt_again(number);
    interrupt_resume_output();
}

static void note_first(int number) {
    /* Do not use SA_RESETHAND, which restores the default action before the handler
     * runs: a second signal at that moment would go to another thread, which does not
     * block it, and end the program. */
    struct sigaction action = {.sa_handler = second ? second : SIG_DFL};
    sigemptyset(&action.sa_mask);
    sigaction(number, &action, NULL);
    note(number);
}

void interrupt_second(void (*end)(int number)) {
    second = end;
}

static struct sigaction noting(void (*handler)(int number)) {
    struct sigaction action = {.sa_handler = handler, .sa_flags = SA_RESTART};
    sigemptyset(&action.sa_mask);
    return action;
}

/* An ignored signal stays ignored: SIGHUP under nohup, SIGINT for background jobs of a
 * script. */
static void catch_one(int number, const struct sigaction *action) {
    struct sigaction before;
    sigaction(number, NULL, &before);
    if (before.sa_handler != SIG_IGN) sigaction(number, action, NULL);
}

void interrupt_catch_ends(void) {
    struct sigaction action = noting(note_first);
    for (int e = 0; e < ENDS; e++)
        if (ends[e] != SIGINT) catch_one(ends[e], &action);
}

void interrupt_catch(void) {
    struct sigaction action = noting(note);
    sigaction(SIGINT, &action, NULL);
    interrupt_catch_ends();
}

void interrupt_guard(bool guards) {
    struct sigaction action = noting(note);
    if (guards ? guards_open++ : --guards_open) return;
    for (int e = 0; e < ENDS; e++)
        if (guards) {
            sigaction(ends[e], NULL, &unguarded[e]);
            catch_one(ends[e], &action);
        } else {
            sigaction(ends[e], &unguarded[e], NULL);
        }
}

void interrupt_hold(bool holds) {
    held = holds;
}

int interrupt_signal(void) {
    if (atomic_load_explicit(&held, memory_order_relaxed)) return 0;
    return atomic_load_explicit(&noted, memory_order_relaxed);
}

int interrupt_answer(void) {
    return atomic_exchange(&noted, 0);
}

void interrupt_end(int number) {
    signal(number, SIG_DFL);
    raise(number);
}

bool interrupt_none(Error *error) {
    if (interrupt_signal() == 0) return true;
    fail(error, "stopped");
    error->is_stop = true;
    return false;
}

bool interrupt_wait(int file, short events, Error *error) {
    enum { SLICE_MILLISECONDS = 100 };
    struct pollfd awaited = {.fd = file, .events = events};
    do
        if (!interrupt_none(error)) return false;
    while (poll(&awaited, 1, SLICE_MILLISECONDS) <= 0 && file >= 0);
    return true;
}
