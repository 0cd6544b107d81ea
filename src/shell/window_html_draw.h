/* window_html_draw.h - how the window of a browser writes each kind of block. */
#pragma once

#include "shell/window_html.h"

typedef void HtmlDraw(HtmlWindow *window, const Block *block);

/* window_html_words.c */
HtmlDraw html_heading, html_answer, html_section, html_gap, html_prose, html_item,
    html_note, html_line, html_document, html_formula, html_hint, html_shape;

/* window_html_rows.c */
HtmlDraw html_list, html_ranking, html_rankings, html_choices, html_tokens, html_sample,
    html_merges, html_frequencies;

/* window_html_numbers.c */
HtmlDraw html_numbers, html_table, html_figure;

/* window_html_terms.c */
HtmlDraw html_terms, html_tree;

/* <tag>text</tag>; `tag` may bring attributes: "td class=\"numbers\"". */
void html_element(HtmlWindow *window, const char *tag, const char *text);

/* A table that may be wider than the page: it moves within its own frame. `kind` is its
 * class; headings: NULL behind the last one, or NULL for none. */
void html_open_table(HtmlWindow *window, const char *kind, const char *const *heading);
void html_close_table(HtmlWindow *window);

/* A cell with a bar for a share of 1, and the number in front of it. */
void html_bar_cell(HtmlWindow *window, double share, const char *text);
