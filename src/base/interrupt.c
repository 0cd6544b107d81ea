#include "base/interrupt.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdatomic.h>
#include <stddef.h>
#include <termios.h>
#include <unistd.h>

/* A signal comes to the process, not to a session, and its handler takes no argument
 * of ours. Atomic, since it is set by one thread and read by all. */
static atomic_int noted;
static void (*second)(int number);

void interrupt_resume_output(void) {
    int cause = errno;
    if (tcgetpgrp(STDOUT_FILENO) == getpgrp()) {
        /* Going on ends only what was stopped in this way. */
        tcflow(STDOUT_FILENO, TCOOFF);
        tcflow(STDOUT_FILENO, TCOON);
    }
    errno = cause;
}

/* The first one has gone back to what it does by itself: SA_RESETHAND. */
static void prepare_second(int number) {
    struct sigaction action = {.sa_handler = second};
    action.sa_flags = (int)(SA_RESETHAND | SA_NODEFER);
    sigemptyset(&action.sa_mask);
    if (second) sigaction(number, &action, NULL);
}

static void note(int number) {
    if (number != SIGINT) prepare_second(number);
    /* Ctrl-C asks for less than the others: it never hides one of them. */
    int nothing = 0;
    if (number != SIGINT)
        noted = number;
    else
        atomic_compare_exchange_strong(&noted, &nothing, number);
    interrupt_resume_output();
}

void interrupt_second(void (*end)(int number)) {
    second = end;
}

static struct sigaction noting(int flags) {
    struct sigaction action = {.sa_handler = note, .sa_flags = flags};
    sigemptyset(&action.sa_mask);
    return action;
}

void interrupt_catch_ends(void) {
    static const int ends[] = {SIGTERM, SIGHUP};
    struct sigaction action = noting((int)(SA_RESTART | SA_RESETHAND));
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
        struct sigaction before;
        /* Under nohup a hang-up is to be ignored. */
        sigaction(ends[i], NULL, &before);
        if (before.sa_handler != SIG_IGN) sigaction(ends[i], &action, NULL);
    }
}

void interrupt_catch(void) {
    struct sigaction action = noting(SA_RESTART);
    sigaction(SIGINT, &action, NULL);
    interrupt_catch_ends();
}

int interrupt_signal(void) {
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
    return interrupt_signal() == 0 || fail(error, "stopped");
}

bool interrupt_wait(int file, short events, Error *error) {
    enum { SLICE_MILLISECONDS = 100 };
    struct pollfd wanted = {.fd = file, .events = events};
    do
        if (!interrupt_none(error)) return false;
    while (poll(&wanted, 1, SLICE_MILLISECONDS) <= 0 && file >= 0);
    return true;
}
