/* lines.h - attention as lines between two columns of words: on the left those who ask,
 * on the right those who are asked, and a line for each weight, the stronger the wider
 * and clearer, in the colour of its head. In letters: for each word whom it asks most.
 *
 * The plan is plan_lines() of figure_work.h. */
#pragma once

#include "view/figure_work.h"
#include "view/strength.h"

/* No word is chosen: all lines are strong. */
enum { LINES_ALL = -1 };

/* Two columns of words, and the heads between them. */
typedef struct {
    const char *title; /* over it; "": there is but one */
    const Matrix *head;
    int heads; /* all between the same words */
    const char *const *asking, *const *asked;
    int row, column; /* the word whose lines alone are strong, or LINES_ALL */
    Point at;        /* its corner, from the drawing's own */
    Box between;     /* where the lines run, from its corner */
    double width, height;
} LinesPair;

typedef struct {
    LinesPair *pair;
    int count, capacity;
    const char *left_title, *right_title;
    double least; /* weaker ones have no line */
    int per_row;  /* pairs side by side */
    double pitch; /* from word to word */
    double words; /* how far below a pair's corner its first word stands */
    /* In pictures: the legend's corner, how many heads stand below each other in it and
     * how far apart side by side, and where the weights follow below them. */
    Point legend;
    int heads_down;
    double heads_across, legend_weights;
} Lines;

/* The colour of a head, by its number in the layer. */
Color lines_color(int head);

/* The number of the head in its layer. */
int lines_head(const Matrix *head);

/* A weight that has no line: too weak, hidden, or not a number. */
bool lines_leave_out(const Lines *lines, const Matrix *head, int row, int column);

/* Whether the line between them is strong. */
bool lines_chosen(const LinesPair *pair, int row, int column);

/* "나는 → <end> 0.28": whom each word of the first pair and head asks most, in the
 * arena. */
const char *lines_told(const Work *work, const Lines *lines);

/* The two ways to draw them: lines_picture.c and lines_text.c. */
void lines_plan_picture(Work *work);
void lines_plan_text(Work *work);
