/* lines.h - attention weights as lines between two columns of words: lines.c draws
 * them, and lines_text.c describes them in words. */
#pragma once

#include "figure/figure_draw.h"

/* No word is chosen: all lines are strong. */
enum { LINES_ALL = -1 };

/* Two columns of words, and the heads between them. */
typedef struct {
    const char *title; /* above it; "": there is only one pair */
    const Matrix *head;
    int heads; /* all between the same words */
    const char *const *asking, *const *asked;
    int row, column; /* the word whose lines are strong, or LINES_ALL */
    Point at;        /* its corner, relative to the drawing */
    Box between;     /* where the lines run, relative to its corner */
    double width, height;
} LinesPair;

typedef struct {
    LinesPair *pair;
    int count, capacity;
    const char *left_title, *right_title;
    double min;   /* weaker weights have no line */
    int per_row;  /* pairs side by side */
    double pitch; /* distance between words */
    double words; /* from a pair's corner down to its first word */
    /* In pictures: the legend's corner, the number of heads per column, the distance
     * between its columns, and the position of the weights below them. */
    Point legend;
    int heads_down;
    double heads_across, legend_weights;
} Lines;

/* Return the number of the head in its layer. */
int lines_head(const Matrix *head);

/* Does a weight have no line? It is too weak, masked, or NaN. The padding of a shorter
 * sentence also has queries, but nothing uses them. */
bool lines_lack(const Lines *lines, const Matrix *head, int row, int column);

/* Plan the lines as text: for each word those with the largest weights. */
void lines_plan_text(Work *work, const Lines *lines);

/* Set the description of the picture. */
void lines_describe(Work *work, const Lines *lines);
