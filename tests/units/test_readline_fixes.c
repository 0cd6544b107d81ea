#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include <readline/history.h>
#include <readline/readline.h>

#include "prompt/readline_fixes.h"

#include "sample.h"

enum { SESSIONS = 1000, SAMPLE = 40, LINES = 5, KEYS = 60, LETTERS = 95, SECONDS = 20 };

static const char *const sent[] = {
    "\x1b[A", "\x1b[B", "\x1b[C", "\x1b[H", "\x1b[3~", "\x1b", "\x1b",
    "\x1b",   "\x7f",   "[",      "3",      "\t",      "O",    "c",
    "d",      "y",      "r",      "f",      "/",       "?",    "n",
    ".",      "@",      "\a",     "\x18",   "(",       ")",    "e",
    "\x12",   "\r",     "\x1b\a", "\x13",   "\x1b[3\t"};
enum { SENT = sizeof sent / sizeof *sent };

/* Global, because readline's callbacks get no user data. */
static struct {
    const char *next; /* bytes that readline has not read */
    bool is_done;
    int left; /* number of keys left in this line */
} typed;

static const char *any_key(void) {
    static char letter[2];
    if (rand() % 4) return sent[rand() % SENT];
    letter[0] = (char)(' ' + rand() % LETTERS);
    return letter;
}

static int has_byte(void) {
    return *typed.next != '\0';
}

static int next_byte(FILE *unused) {
    (void)unused;
    return *typed.next ? (unsigned char)*typed.next++ : EOF;
}

static int next_byte_of_line(FILE *unused) {
    if (!*typed.next && typed.left-- > 0) typed.next = any_key();
    if (typed.left < 0) rl_done = 1;
    return next_byte(unused);
}

static void take_line(char *line) {
    typed.is_done = true;
    free(line);
    rl_callback_handler_remove();
}

static void show_nothing(void) {}
static void show_no_matches(char **match, int count, int longest) {
    (void)match;
    (void)count;
    (void)longest;
}

static void begin(void) {
    alarm(SECONDS);
    rl_outstream = fopen("/dev/null", "w");
    rl_input_available_hook = has_byte;
    rl_redisplay_function = show_nothing;
    rl_prep_term_function = NULL;
    rl_deprep_term_function = NULL;
    rl_catch_signals = 0;
    rl_completion_display_matches_hook = show_no_matches;
    rl_completion_query_items = 0;
    rl_initialize();
    rl_variable_bind("bell-style", "none");
    readline_fix_keys();
    for (int line = 0; line < 3; line++)
        add_history((const char *[]){"one", "two three", "four 5"}[line]);
}

/* As on the screen: one key at a time. */
static void type_keys(void) {
    typed.is_done = false;
    rl_getc_function = next_byte;
    rl_callback_handler_install("", take_line);
    for (int key = rand() % KEYS; key > 0 && !typed.is_done; key--) {
        typed.next = any_key();
        while (has_byte() && !typed.is_done) readline_read_key(take_line);
    }
    if (!typed.is_done) readline_give_up();
}

/* As at the prompt. */
static void type_line(void) {
    typed.next = "";
    typed.left = rand() % KEYS;
    rl_getc_function = next_byte_of_line;
    free(readline(""));
}

static void play(void (*type)(void), int seed) {
    srand((unsigned)seed);
    begin();
    for (int line = 0; line < LINES; line++) {
        type();
        readline_fix_history();
    }
    _exit(0);
}

/* Return how a process ended, 0 if normally. */
static int status_of(pid_t session) {
    int status;
    assert_int_equal(waitpid(session, &status, 0), session);
    return status;
}

static void check_sessions(void (*type)(void)) {
    int sessions = checks_all() ? SESSIONS : SAMPLE;
    for (int seed = 0; seed < sessions; seed++) {
        pid_t session = fork();
        assert_true(session >= 0);
        if (session == 0) play(type, seed);
        int status = status_of(session);
        if (status != 0) fail_msg("seed %d: ended with status %d", seed, status);
    }
}

static void no_keys_break_the_prompt(void **state) {
    (void)state;
    check_sessions(type_line);
}

static void no_keys_break_the_screen(void **state) {
    (void)state;
    check_sessions(type_keys);
}

/* In a separate process, since readline keeps state between lines. */
static bool is_line(const char *(*made_of)(const char *keys), const char *keys,
                    const char *expected) {
    pid_t session = fork();
    assert_true(session >= 0);
    if (session == 0) {
        begin();
        const char *made = made_of(keys);
        _exit(made && strcmp(made, expected) == 0 ? 0 : 1);
    }
    return status_of(session) == 0;
}

static char taken[100];

static void keep_line(char *line) {
    (void)stpncpy(taken, line, sizeof taken - 1);
    take_line(line);
}

/* NULL: the keys do not end the line. */
static const char *made_on_screen(const char *keys) {
    rl_getc_function = next_byte;
    rl_callback_handler_install("", keep_line);
    typed.next = keys;
    while (has_byte() && !typed.is_done) readline_read_key(keep_line);
    return typed.is_done ? taken : NULL;
}

/* With the callback interface, one more key would be needed. */
static void enter_ends_a_line_after_a_number(void **state) {
    (void)state;
    assert_true(is_line(made_on_screen, "a\0333\r", "a"));
    assert_true(is_line(made_on_screen, "b\r", "b"));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_keys_break_the_prompt),
        cmocka_unit_test(no_keys_break_the_screen),
        cmocka_unit_test(enter_ends_a_line_after_a_number),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
