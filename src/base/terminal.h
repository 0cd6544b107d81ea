/* terminal.h - the person's terminal: how large it is, and that it stays as it was.
 *
 * Whoever edits a line changes the terminal's settings. A program that then ends by a
 * signal leaves a terminal behind in which nothing can be read or typed; so the signals
 * that end a process are answered by putting the settings back first. */
#pragma once

#include <stdbool.h>

typedef struct {
    int rows, columns;
} TerminalSize;

/* The size of the terminal behind standard output, at most TERMINAL_MOST each way;
 * where it does not say, what LINES and COLUMNS say, or else 24 x 80. */
TerminalSize terminal_size(void);
enum { TERMINAL_MOST = 1000 };

/* Take LINES and COLUMNS out of the environment where they are no sizes of a terminal:
 * libraries believe them, however large. */
void terminal_clean_environment(void);

/* From now on whatever signal ends the program, save SIGKILL, puts the terminal of
 * standard input into the state that it has now; then the program ends by that signal.
 * What is noted by interrupt_catch() is left alone. Called again, where a library has
 * answered a signal in its own way, it only takes that back. */
void terminal_keep(void);

/* What to write to the terminal before that, to end what was begun by escapes; NULL:
 * nothing. The text must stay. */
void terminal_undo(const char *escapes);


/* From now on Ctrl-Z puts the terminal back before the program stops; or, with false,
 * it just stops. */
void terminal_catch_stop(bool catches);

/* Has the program gone on after a stop since this was asked? Then the terminal is as it
 * was before the program began. */
bool terminal_went_on(void);

/* What is written to standard error goes nowhere: libraries would write over what is
 * shown; and it is heard again. */
void terminal_hush_errors(void);
void terminal_hear_errors(void);

/* The next key typed at the terminal of standard input, not echoed and without an Enter
 * behind it; 0 for one that sends more than a byte, such as an arrow. -1 at the end of
 * the input, or when interrupt_signal() has one. */
int terminal_key(void);

/* Was something typed that nobody has read yet? */
bool terminal_key_waits(void);
