#include "base/terminal.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/interrupt.h"
#include "base/mapped.h"

/* Globals, because a signal handler gets no user data. */
static struct termios kept;
static bool is_kept;
static bool is_ours[NSIG]; /* the signals that are handled here */
static _Atomic(const char *) undo;
static atomic_bool went_on;
static int errors = -1; /* the original standard error while it is silenced */

/* Return the value of an environment variable if it is a possible size, else 0. */
static int size_named(const char *name) {
    const char *text = getenv(name);
    if (!text) return 0;
    char *end;
    long number = strtol(text, &end, 10);
    return *end || number < 1 || number > TERMINAL_MAX ? 0 : (int)number;
}

static int choose_size(int told, const char *name, int usual) {
    if (told == 0) told = size_named(name);
    if (told == 0) return usual;
    return told < TERMINAL_MAX ? told : TERMINAL_MAX;
}

TerminalSize terminal_size(void) {
    enum { ROWS = 24, COLUMNS = 80 };
    struct winsize size;
    if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) != 0) size = (struct winsize){0};
    return (TerminalSize){choose_size(size.ws_row, "LINES", ROWS),
                          choose_size(size.ws_col, "COLUMNS", COLUMNS)};
}

void terminal_clean_environment(void) {
    static const char *const names[] = {"LINES", "COLUMNS"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (size_named(names[i]) == 0) unsetenv(names[i]);
}

/* Uses only functions that are safe in a handler. In the background the terminal
 * belongs to another program. */
static void restore(void) {
    if (tcgetpgrp(STDIN_FILENO) != getpgrp()) return;
    interrupt_resume_output();
    const char *escapes = undo;
    if (!escapes || write(STDOUT_FILENO, escapes, strlen(escapes)) >= 0)
        tcsetattr(STDIN_FILENO, TCSANOW, &kept);
}

static void put_back(int number) {
    restore();
    interrupt_end(number);
}

/* raise() stops the program until it is continued. If no shell could continue it, the
 * system does not stop it. */
static void stop(int number) {
    int cause = errno;
    restore();
    raise(number);
    went_on = true;
    terminal_catch_stop(true);
    errno = cause;
}

static void note_going_on(int unused) {
    (void)unused;
    went_on = true;
}

void terminal_catch_stop(bool catches) {
    struct sigaction before;
    struct sigaction action = {.sa_handler = catches ? stop : SIG_DFL};
    action.sa_flags = (int)(SA_RESTART | SA_RESETHAND | SA_NODEFER);
    sigemptyset(&action.sa_mask);
    sigaction(SIGTSTP, NULL, &before);
    if (before.sa_handler == SIG_IGN) return; /* no shell could continue it */
    sigaction(SIGTSTP, &action, NULL);
    action.sa_handler = catches ? note_going_on : SIG_DFL;
    action.sa_flags = SA_RESTART;
    sigaction(SIGCONT, &action, NULL);
}

bool terminal_went_on(void) {
    return atomic_exchange(&went_on, false);
}

void terminal_hush_errors(void) {
    int nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC);
    errors = fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
    if (nowhere >= 0 && errors >= 0) dup2(nowhere, STDERR_FILENO);
    if (nowhere >= 0) close(nowhere);
}

void terminal_hear_errors(void) {
    if (errors < 0) return;
    dup2(errors, STDERR_FILENO);
    close(errors);
    errors = -1;
}

static void give_back(void) {
    if (undo) restore();
    undo = NULL;
    terminal_hear_errors();
}

/* Called in a handler. */
static void give_back_now(void) {
    restore();
    undo = NULL;
    terminal_hear_errors();
}

void terminal_keep(void) {
    static const int ends[] = {SIGQUIT, SIGILL,    SIGTRAP, SIGABRT, SIGBUS,  SIGFPE,
                               SIGUSR1, SIGSEGV,   SIGUSR2, SIGPIPE, SIGALRM, SIGSTKFLT,
                               SIGXCPU, SIGVTALRM, SIGPROF, SIGIO,   SIGPWR,  SIGSYS};
    enum { STACK_BYTES = 1 << 16 };
    static char stack[STACK_BYTES];
    if (!is_kept && tcgetattr(STDIN_FILENO, &kept) != 0) return;
    if (!is_kept) {
        atexit(give_back);
        memory_none_begins(give_back);
        mapped_lost_begins(give_back_now);
        at_quick_exit(give_back); /* out of memory: base/arena.h */
        interrupt_second(put_back);
    }
    is_kept = true;
    /* After a stack overflow a handler needs another stack. */
    sigaltstack(&(stack_t){.ss_sp = stack, .ss_size = sizeof stack}, NULL);
    struct sigaction action = {.sa_handler = put_back};
    action.sa_flags = (int)(SA_ONSTACK | SA_RESETHAND | SA_NODEFER);
    sigemptyset(&action.sa_mask);
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
        struct sigaction before;
        sigaction(ends[i], NULL, &before);
        /* Under nohup, a sanitizer or a debugger, a handler was set before ours. */
        if (before.sa_handler == SIG_DFL) is_ours[ends[i]] = true;
        /* base/mapped.h passes on a SIGBUS that it does not handle. */
        bool is_taken = before.sa_flags & SA_SIGINFO;
        if (is_ours[ends[i]] && !is_taken) sigaction(ends[i], &action, NULL);
    }
}

void terminal_undo(const char *escapes) {
    undo = escapes;
}

bool terminal_key_waits(void) {
    struct pollfd input = {.fd = STDIN_FILENO, .events = POLLIN};
    return poll(&input, 1, 0) > 0;
}

/* Return the next byte; -1 if there is none. Does not block: Ctrl-C empties the input,
 * possibly after poll() has reported it. */
static int read_byte(void) {
    enum { MILLISECONDS = 100 }; /* delay of a signal just before poll() */
    struct pollfd input = {.fd = STDIN_FILENO, .events = POLLIN};
    while (!interrupt_signal()) {
        unsigned char byte;
        if (poll(&input, 1, MILLISECONDS) <= 0) continue;
        ssize_t count = read(STDIN_FILENO, &byte, 1);
        if (count == 1) return byte;
        bool is_empty = count == 0 && !(input.revents & (POLLHUP | POLLERR));
        if (!is_empty && (count == 0 || (errno != EINTR && errno != EAGAIN))) return -1;
    }
    return -1;
}

int terminal_key(void) {
    struct termios before;
    if (tcgetattr(STDIN_FILENO, &before) != 0) return -1;
    struct termios keys = before;
    keys.c_lflag &= ~(tcflag_t)(ICANON | ECHO);
    keys.c_cc[VMIN] = keys.c_cc[VTIME] = 0;
    tcsetattr(STDIN_FILENO, TCSANOW, &keys);
    int key = read_byte();
    bool is_long = key == '\x1b' || key >= 0x80;
    /* Skip the rest of a key that sends more than an escape: "[6~", "OP", a letter. */
    if (key == '\x1b' && terminal_key_waits()) {
        enum { FINAL = 0x40 }; /* bytes from here on end a sequence */
        int byte = read_byte();
        bool goes_on = byte == '[' || byte == 'O';
        while (goes_on) {
            byte = terminal_key_waits() ? read_byte() : -1;
            goes_on = byte >= 0 && byte < FINAL;
        }
    }
    tcsetattr(STDIN_FILENO, TCSANOW, &before);
    return is_long ? 0 : key;
}
