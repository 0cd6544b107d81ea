/* strip.h - a decoding step by step, as the sentence is read: for each step the word
 * that was said and those that came next, each with a bar for its share. */
#pragma once

#include "view/canvas.h"

typedef struct {
    const char *label;
    double share; /* 0 to 1 */
} StripWord;

typedef struct {
    const StripWord *word; /* the first was said; the others are the best besides */
    int words;
    double others; /* the share of all that are not there */
} StripStep;

typedef struct {
    const StripStep *step;
    int count;
    const char *note; /* below the drawing; or NULL */
} Strip;

typedef struct {
    const Strip *strip;
    bool plain;
    int per_row;               /* steps side by side */
    double label, bar, number; /* how wide each is */
    double across, down;       /* from step to step, from row to row */
    double width, height;
} StripLayout;

/* How the steps stand on the canvas, with plain words or with "·" before them; what is
 * kept lives in `arena`. */
StripLayout strip_plan(const Strip *strip, bool plain, Canvas *canvas, Arena *arena);

/* Draw with the top left corner at `at`. */
void strip_draw(const StripLayout *layout, Canvas *canvas, Point at, Arena *arena);
