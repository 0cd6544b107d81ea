/* letters.h - texts laid out in the fonts of this machine. The only home of Pango,
 * which starts with the first text; that takes some tens of milliseconds.
 *
 * A text is laid out once and may be drawn many times; what is kept lives in the arena
 * and, until letters_close(), holds handles of the library. */
#pragma once

#include "canvas/canvas.h"

/* Units of body text, and from line to line. */
enum { LETTERS_BODY = 13, LETTERS_LINE = 19 };

typedef struct Letters Letters;

typedef struct {
    const char *text;
    double size; /* of the style */
    bool bold;
    double width, height;
    double rise; /* from the middle of the line down to the baseline */
    int missing; /* letters that no font here has */
    void *layout;
} TextRun;

/* Letters of the family `font`, NULL: whichever is here; body text is `body` units high
 * (0: LETTERS_BODY). With `whole` letters stand on whole units, as pixels want them. */
Letters *letters_new(Arena *arena, const char *font, double body, bool whole);

/* Is there a family of that name? Fails with the nearest ones. */
bool letters_check(const char *font, Error *error);

/* How high body text is, in units. */
double letters_body(const Letters *letters);

/* The same for a layout that measures in lines. */
Metrics letters_metrics(const Letters *letters);

/* The text in that style; it stays with the letters. */
TextRun *letters_run(Letters *letters, Style style, const char *text);

/* Say that a text was drawn, so that letters which are missing are counted once. */
void letters_count(Letters *letters, TextRun *run);

/* How many letters are missing in what was drawn; `*text` is one text that lacks some.
 */
int letters_missing(const Letters *letters, const char **text);

/* A package of Debian with letters of `text`: those that fewest fonts have come first.
 */
const char *letters_package(const char *text);

/* Draw with `cairo`, a cairo_t *, the top left corner at its current point. */
void letters_show(const TextRun *run, void *cairo);

void letters_close(Letters *letters);

/* What the drawing libraries warn of while they work. By themselves they would print it
 * on standard error, over whatever the terminal shows. */
typedef struct {
    char text[256]; /* the first one, "" if there is none */
} LibraryWarning;

/* Keep what they warn of from now on in `warning`, until it is NULL. A failure from
 * which the libraries cannot go on, and would abort, ends the program with one sentence
 * and status 1. */
void letters_listen(LibraryWarning *warning);

/* A sentence about the picture `name`, in `arena`; NULL if there was no warning. */
const char *letters_warning(const LibraryWarning *warning, const char *name,
                            Arena *arena);
