/* letters.h - texts laid out in the fonts of this machine. The only home of Pango,
 * which starts with the first text. A text is laid out once and may be drawn many
 * times. */
#pragma once

#include "canvas/canvas.h"

/* Units of body text, and from line to line. */
enum { LETTERS_BODY = 13, LETTERS_LINE = 19 };

typedef struct {
    const char *text;
    double size; /* of the style */
    bool bold;
    double width, height;
    double rise; /* from the middle of the line down to the baseline */
    int missing; /* letters that no font here has */
    void *layout;
} TextRun;

enum { LETTERS_RUNS = 1024 };

typedef struct {
    Arena *arena;
    const char *families; /* asked for by name */
    double body;          /* units of body text */
    bool whole;           /* letters stand on whole units, as pixels want them */
    void *context;        /* of Pango */
    TextRun *run[LETTERS_RUNS];
    int missing;         /* letters, in what was drawn */
    const char *lacking; /* a text of which letters are missing */
} Letters;

/* Letters of the family `font`, NULL: whichever is here; body text is `body` units high
 * (0: LETTERS_BODY). Until letters_close() they hold handles of the library. */
Letters *letters_new(Arena *arena, const char *font, double body, bool whole);

/* Is there a family of that name? Fails with the nearest ones. */
bool letters_check(const char *font, Error *error);

/* The text in that style; it stays with the letters. */
TextRun *letters_run(Letters *letters, Style style, const char *text);

/* A package of Debian with letters of `text`: those that fewest fonts have come first.
 */
const char *letters_package(const char *text);

/* Draw with `cairo`, a cairo_t *, the top left corner at its current point. */
void letters_show(const TextRun *run, void *cairo);

void letters_close(Letters *letters);

/* What the drawing libraries warn of, which would go to standard error. */
typedef struct {
    char text[256]; /* the first one, "" if there is none */
} LibraryWarning;

/* Load them, and keep what they warn of from now on in `warning`, until
 * letters_listen_no_more(). Where the libraries would abort, the program ends with one
 * sentence and status 1. */
bool letters_listen(LibraryWarning *warning, Error *error);
void letters_listen_no_more(void);

/* A sentence about the picture `name`, in `arena`; NULL if there was no warning. */
const char *letters_warning(const LibraryWarning *warning, const char *name,
                            Arena *arena);
