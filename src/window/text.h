/* text.h - the window of the prompt: blocks as lines of text.
 *
 * Lines go out as they are said, so that what is long can be watched and stopped, and a
 * pipe gets a result as soon as it is flushed. */
#pragma once

#include <stdio.h>

#include "page/page.h"

typedef struct {
    Window window; /* this one, for a page */
    FILE *out;
    int file; /* the descriptor behind it, also while a pager keeps the lines */
    bool is_terminal;
    const int *width;   /* the columns that the person wants; 0: as the terminal has */
    const int *color;   /* and the colours: an index of color_modes */
    Arena arena;        /* emptied after each block */
    int progress_lines; /* lines at the end of the terminal that progress writes again
                         */
    double shown;       /* when it did, in seconds of a clock */
    bool failed;        /* the block that is being drawn has, for this reason */
    Error error;
} TextWindow;

/* A window on `out`, in `arena`; it looks at the wishes each time. */
TextWindow *window_text_new(Arena *arena, FILE *out, const int *width,
                            const int *color);

/* Give back what it took for drawing. */
void window_text_free(TextWindow *text);

/* The width to print within, and the colours that the output has. */
int window_text_width(const TextWindow *text);

/* The names of the values of `color`, ending with NULL. */
extern const char *const color_modes[];

/* What progress.c shares with the screen: the losses so far as a curve of so many rows,
 * "" while there are fewer than two, and "step 3 of 100  loss 2.1000  ..."; in `arena`.
 */
const char *progress_curve(const ProgressBlock *progress, int width, int rows,
                           Colors colors, Arena *arena);
const char *progress_facts(const ProgressBlock *progress, Arena *arena);

/* What follows stays between the files of the window: text_list.c, text_terms.c and
 * progress.c. */
typedef void WindowDraw(TextWindow *text, const Block *block);
WindowDraw window_list, window_terms, window_tree, window_progress, window_counting;

/* Narrow a slice of long rows to `most` numbers, from the block's first column on as
 * far as there are so many; gives how many are left out. */
int window_first_columns(const NumbersBlock *numbers, Slice *slice, int most);

/* The table of one matrix of the block, in `arena`. */
Table window_numbers_table(const NumbersBlock *numbers, Matrix *matrix, Arena *arena);

/* Take back the lines that progress would write again: something else is to stand
 * there. */
void window_progress_clear(TextWindow *text);

/* `words` behind `indent` spaces, in as many lines as it takes, broken at spaces. */
void window_folded(TextWindow *text, int indent, const char *words);
