/* terminal.h - the size of the user's terminal, and how to leave it as it was.
 *
 * Line editing changes the terminal's settings. If a signal then ended the program, the
 * terminal would be left unusable: typed text would not be echoed. So the signals that
 * end a process are handled here by restoring the settings first. */
#pragma once

#include <stdbool.h>

typedef struct {
    int rows, columns;
} TerminalSize;

/* Return the size of the terminal on standard output, at most TERMINAL_MAX each way.
 * If it is unknown, use LINES and COLUMNS, or else 24 x 80. */
TerminalSize terminal_size(void);
enum { TERMINAL_MAX = 1000 };

/* Remove LINES and COLUMNS from the environment if they are not possible sizes of a
 * terminal: libraries trust them, however large. */
void terminal_clean_environment(void);

/* From now on, any signal that ends the program, except SIGKILL, first restores the
 * terminal of standard input to its current state; then the program ends by that
 * signal. Signals caught by interrupt_catch() are not affected. Calling it again only
 * reinstalls handlers that a library has replaced. */
void terminal_keep(void);

/* Set escape sequences that are written to the terminal first, to undo earlier ones;
 * NULL: none. The text must stay valid. */
void terminal_undo(const char *escapes);

/* From now on Ctrl-Z restores the terminal before the program stops. With false, it
 * just stops. */
void terminal_catch_stop(bool catches);

/* Was the program stopped and continued since the last call? If so, the terminal is in
 * its state from before the program started. */
bool terminal_went_on(void);

/* Silence standard error, because libraries would write over the screen; restore it. */
void terminal_hush_errors(void);
void terminal_hear_errors(void);

/* Return the next key typed at the terminal of standard input, without echo and without
 * waiting for Enter. 0 for a key that sends several bytes, such as an arrow. -1 at the
 * end of the input, or if interrupt_signal() returns a signal. */
int terminal_key(void);

/* Is there typed input that was not read yet? */
bool terminal_key_waits(void);
