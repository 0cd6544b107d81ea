/* letters.h - text layout with the installed fonts. The only module that uses Pango,
 * which is initialized when the first text is laid out. A text is laid out once and can
 * be drawn many times. */
#pragma once

#include "canvas/canvas.h"

typedef struct {
    const char *text;
    double size; /* of the style */
    bool bold;
    double width, height;
    double rise; /* from the middle of the line down to the baseline */
    int missing; /* number of letters that no installed font has */
    void *layout;
} TextRun;

enum { LETTERS_RUNS = 1024 };

typedef struct {
    Arena *arena;
    const char *families; /* requested by name */
    double body;          /* height of body text in units */
    bool whole;           /* place letters at whole units, for pixels */
    void *context;        /* Pango's */
    TextRun *run[LETTERS_RUNS];
    int missing;         /* number of missing letters in everything drawn */
    const char *lacking; /* a text with missing letters */
} Letters;

/* Return letters of the family `font`, or of any installed one if NULL. Body text is
 * `body` units high (0: LETTERS_BODY). Until letters_close() they hold handles from the
 * library. */
Letters *letters_new(Arena *arena, const char *font, double body, bool whole);

/* Is there a family with that name? If not, fails with the nearest ones. */
bool letters_check(const char *font, Error *error);

/* Lay out a text in that style. The letters own the result. */
TextRun *letters_run(Letters *letters, Style style, const char *text);

/* Return a Debian package with fonts for `text`. Characters found in the fewest fonts
 * are checked first. */
const char *letters_package(const char *text);

/* Draw with `cairo`, a cairo_t *; the top left corner is at its current point. */
void letters_show(const TextRun *run, void *cairo);

void letters_close(Letters *letters);

/* Warnings of the drawing libraries, which they would print to standard error. */
typedef struct {
    char text[256]; /* the first warning, or "" */
} LibraryWarning;

/* Load the libraries, and collect their warnings in `warning` from now on, until
 * letters_listen_no_more(). If a library wants to abort, the program ends with one
 * sentence and status 1. */
bool letters_listen(LibraryWarning *warning, Error *error);
void letters_listen_no_more(void);

/* Return a sentence about the picture `name`, in `arena`; NULL if there was no
 * warning. */
const char *letters_warning(const LibraryWarning *warning, const char *name,
                            Arena *arena);
