/* labels.h - the words along an axis: level where they fit, sloping or upright where
 * they would touch, every second or fifth where even that is too much. */
#pragma once

#include "canvas/canvas.h"

typedef struct {
    const char *const *text;
    int count;
    double pitch; /* from one to the next */
    int step;     /* every step-th is shown */
    Style style;
    double extent; /* how much room they take across the axis */
    double hang;   /* which part of its length a sloping label reaches to its left */
    bool below;    /* the axis: they stand under it; if not, above */
} Labels;

/* How `count` labels stand along a level axis. `words` may turn; numbers, of which a
 * few are enough, never do. `below` is the side of the axis. */
Labels labels_across(Canvas *canvas, const char *const *text, int count, double pitch,
                     bool words, bool below);

/* How they stand in front of an upright axis. */
Labels labels_down(Canvas *canvas, const char *const *text, int count, double pitch);

/* Draw them; `at` is the edge of the axis at the middle of the first one. */
void labels_draw_across(const Labels *labels, Canvas *canvas, Point at);
void labels_draw_down(const Labels *labels, Canvas *canvas, Point at);

/* `texts` cut to `cells` letters of single width, in `arena`. */
const char **labels_cut(const char *const *text, int count, int cells, Arena *arena);

/* The same cut to `letters` of any width. */
const char **labels_shorten(const char *const *text, int count, int letters,
                            Arena *arena);
