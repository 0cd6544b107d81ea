/* capture.h - what commands say, kept as lines for a pane instead of printed. */
#pragma once

#include "base/builder.h"
#include "session/session.h"
#include "window/text.h"

/* Lines of text with looks, each without its end. */
typedef struct {
    Arena arena;
    const char *const *line;
    int count;
} Lines;

/* A window in the place of a session's own. */
typedef struct {
    Session *session;
    const Window *page, *messages; /* the session's own */
    Window window;                 /* leaves out what stands in another pane */
    bool drops_numbers;
    /* Shows what is not kept: how far something is; or NULL. */
    void (*follow)(void *follower, const Block *block);
    void *follower;
    int width, color;
    TextWindow *text;
    Arena arena;
    FILE *out;
    Builder printed;
} Capture;

/* From now on what the session says is kept, `width` cells wide and with these colours.
 * False where there is no memory for it. */
bool capture_begin(Capture *capture, Session *session, int width, Colors colors);

/* The session has its own windows again, and `lines` what was said. */
void capture_end(Capture *capture, Lines *lines);

/* What stands on the session's page, once more for another width. */
void lines_of_page(Session *session, int width, Colors colors, bool drops_numbers,
                   Lines *lines);

/* A copy of the lines of a text, without blank ones before the first and behind the
 * last. */
void lines_take(Lines *lines, const char *text);

/* Add copies of `more`; first forget what there is, unless it `stays`. */
void lines_add(Lines *lines, bool stays, const Lines *more);

void lines_free(Lines *lines);
