/* interrupt.h - has a signal asked the program to stop what it is doing?
 *
 * At the prompt Ctrl-C ends a computation, not the session. The handler only records
 * the signal. Work that can take a long time checks for it between its steps (the tape
 * does so before each operation) and fails as it would for any other reason. */
#pragma once

#include <stdbool.h>

#include "base/error.h"

/* From now on, record SIGINT, SIGTERM and SIGHUP instead of ending the program; but a
 * second SIGTERM or SIGHUP ends it. */
void interrupt_catch(void);

/* Let `end`, a handler that does not return, end the program at the second one. */
void interrupt_second(void (*end)(int number));

/* Catch SIGTERM and SIGHUP again, after a library has changed their handlers. */
void interrupt_catch_ends(void);

/* Protect work whose files or results would be lost if the program ended. All three
 * signals are recorded, unless they are ignored, and a second one is recorded like the
 * first. With false, restore the previous state; calls nest. After the work the caller
 * checks interrupt_signal(). Only the main thread may call it. */
void interrupt_guard(bool guards);

/* While held, interrupt_signal() returns 0, so that work such as a save is completed. A
 * signal that arrives meanwhile is returned afterwards. */
void interrupt_hold(bool holds);

/* Return the recorded signal, or 0. Any thread may call it. */
int interrupt_signal(void);

/* The same, and clear it: new work runs until the next signal. */
int interrupt_answer(void);

/* Record `number` as if it came now, unless it is 0. For a signal that was cleared but
 * is not handled yet. */
void interrupt_again(int number);

/* Resume output that Ctrl-S has stopped, as the terminal does at Ctrl-C; otherwise the
 * last output would wait for the user. Does nothing in the background. Called when a
 * signal is recorded; safe in a handler. */
void interrupt_resume_output(void);

/* End the program as the signal would have: the status is 128+n. */
void interrupt_end(int number);

/* True if no signal was recorded. Otherwise fails with "stopped" and error->is_stop. */
bool interrupt_none(Error *error);

/* Wait until `file` can be read (POLLIN) or written (POLLOUT) without blocking, or
 * until its other end is closed. If `file` is -1, wait only a moment. Fails with
 * "stopped" when a signal comes, unlike a blocking call, which would continue to
 * wait. */
bool interrupt_wait(int file, short events, Error *error);
