/* window_draw.h - how the text window draws each kind of block. */
#pragma once

#include "shell/window_text.h"

typedef void WindowDraw(TextWindow *text, const Block *block);

/* window_words.c */
WindowDraw window_heading, window_answer, window_section, window_gap, window_prose,
    window_item, window_note, window_line, window_document, window_formula, window_hint,
    window_shape;

/* window_rows.c */
WindowDraw window_list, window_ranking, window_rankings, window_choices, window_tokens,
    window_sample, window_merges, window_frequencies;

/* window_numbers.c */
WindowDraw window_numbers, window_table, window_figure;

/* window_terms.c */
WindowDraw window_terms;

/* window_tree.c */
WindowDraw window_tree;

/* window_progress.c */
WindowDraw window_progress, window_counting;

/* The table of one matrix of the block, in `arena`. */
Table window_numbers_table(const NumbersBlock *numbers, const Matrix *matrix,
                           Arena *arena);

/* Take back the lines that progress would write again: something else is to stand
 * there. */
void window_progress_clear(TextWindow *text);

/* `words` behind `indent` spaces, in as many lines as it takes, broken at spaces. */
void window_folded(TextWindow *text, int indent, const char *words);

/* `sentence` in lines that are not too long to be read. */
void window_sentence(TextWindow *text, const char *sentence);
