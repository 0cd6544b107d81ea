/* interrupt.h - has someone asked the program to stop what it is doing?
 *
 * At the prompt Ctrl-C ends a computation and not the session. The signal is only noted
 * when it comes; work that can take long looks here between its steps, the tape before
 * each operation, and fails as it would for any other reason. */
#pragma once

#include <stdbool.h>

#include "base/error.h"

/* Note SIGINT, SIGTERM and SIGHUP from now on, instead of ending. Of the last two the
 * first is noted; a second one ends the program. */
void interrupt_catch(void);

/* A second one of these ends the program by `end`, a handler that does not return. */
void interrupt_second(void (*end)(int number));

/* SIGTERM and SIGHUP alone, where somebody else has caught them since. */
void interrupt_catch_ends(void);

/* Around work whose files or results would be lost where the program just ended: all
 * three are noted, where they are not ignored, a second one as the first. With false it
 * is as it was before; calls nest. Whoever ends the work then looks at
 * interrupt_signal(). Only the main thread may call it. */
void interrupt_guard(bool guards);

/* While this is so, interrupt_signal() knows of none: what is begun comes to its end,
 * such as a save. It is told afterwards. */
void interrupt_hold(bool holds);

/* The signal that was noted, or 0. Any thread may ask. */
int interrupt_signal(void);

/* The same, and it is answered with that: what is begun now runs until the next one. */
int interrupt_answer(void);

/* Note `number` as if it came now, unless it is 0: it was answered and is not done
 * with. */
void interrupt_again(int number);

/* Let output go on that Ctrl-S has stopped, as the terminal itself does at Ctrl-C: else
 * whatever is written last would wait until somebody comes. In the background that is
 * not ours to do. A signal that is noted does it; a handler may. */
void interrupt_resume_output(void);

/* End as the signal would have ended the program: the status is 128+n. */
void interrupt_end(int number);

/* True while nothing was noted; if not, fails with "stopped" and error->is_stop. */
bool interrupt_none(Error *error);

/* Wait until reading from `file` (POLLIN) or writing to it (POLLOUT) will not wait, or
 * its other end is gone; for -1 only a moment. Fails with "stopped" when a signal
 * comes: a call that waits by itself would go on waiting. */
bool interrupt_wait(int file, short events, Error *error);
