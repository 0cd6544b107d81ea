/* text.h - the window of the prompt: blocks as lines of text.
 *
 * Lines are written immediately, so long output can be watched and interrupted, and a
 * pipe gets each result when it is flushed. */
#pragma once

#include <stdio.h>

#include "page/page.h"

typedef struct {
    Window window; /* this window, for a page */
    FILE *out;
    Styled *kept; /* what `out` writes is kept here with its looks, for a screen or a
                     pager; NULL: it goes to a terminal or a file */
    int file;     /* descriptor of the output, also while a pager collects the lines */
    bool is_terminal;
    const int *width;   /* columns set by the user; 0: those of the terminal */
    const int *color;   /* an index of color_modes */
    Arena arena;        /* emptied after each block */
    int progress_lines; /* lines at the end that the next progress report replaces */
    double shown;       /* time of the last progress report, in seconds */
    bool failed;        /* the current block failed with this error */
    Error error;
} TextWindow;

/* Return a window on `out`, in `arena`. It reads `width` and `color` each time. */
TextWindow *window_text_new(Arena *arena, FILE *out, const int *width,
                            const int *color);

/* Free the memory that was used for drawing. */
void window_text_free(TextWindow *text);

/* The width to print within, and the colors of the output. */
int window_text_width(const TextWindow *text);
Colors window_text_colors(const TextWindow *text);

/* The names of the values of `color`: "auto", then those of Colors; terminated by NULL.
 */
extern const char *const color_modes[];

/* The loss so far as a curve of `rows` rows (NULL with fewer than two losses), and
 * "step 3 of 100  loss 2.1000  ..."; in `arena`. Also used by the screen. */
const Styled *progress_curve(const ProgressBlock *progress, int width, int rows,
                             Colors colors, Arena *arena);
const char *progress_facts(const ProgressBlock *progress, Arena *arena);

/* Shared by the window's files: text_list.c, text_terms.c and progress.c. */
typedef void WindowDraw(TextWindow *text, const Block *block);
WindowDraw window_list, window_terms, window_tree, window_progress, window_counting;

/* Limit a slice with long rows to `max` numbers, if possible from the block's first
 * column. Return how many are omitted. */
int window_first_columns(const NumbersBlock *numbers, Slice *slice, int max);

/* Return the table of one matrix of the block, in `arena`. */
Table window_numbers_table(const NumbersBlock *numbers, Matrix *matrix, Arena *arena);

/* Remove the progress lines before other output. */
void window_progress_clear(TextWindow *text);

/* The lines from here on show the term or branch of this number; 0: none. */
void window_item(TextWindow *text, int number);

/* Write `words` indented by `indent` spaces, wrapped at spaces. */
void window_folded(TextWindow *text, int indent, const char *words);
