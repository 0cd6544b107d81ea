/* html.h - the window for pages in a browser: blocks as HTML.
 *
 * The caller (present/walk_page.c) writes the rest of the page: its head, sections and
 * styles. Attributes identify each number in a table: data-name of the table is the
 * tensor and data-fixed its constant indices; data-item of a row or column heading is
 * its part of the address; data-why of a cell (or of the table, for all cells) is its
 * explanation. */
#pragma once

#include "base/builder.h"
#include "explain/record.h"
#include "page/page.h"

typedef struct {
    Window window; /* this window, for a page */
    Builder *html;
    Record record;   /* of the numbers shown */
    Canvas *letters; /* measures the text of figures: a canvas of image.h */
    int tables;      /* tables with numbers, so far */
    int level;       /* of the open list; 0: none */
    Arena arena;     /* emptied after each block */
    bool failed;     /* the current block failed with this error */
    Error error;
} HtmlWindow;

/* Return a window that writes to `html`. The caller keeps the canvas `letters`. */
HtmlWindow *window_html_new(Arena *arena, Builder *html, const Record *record,
                            Canvas *letters);

/* Close an open list. */
void window_html_close(HtmlWindow *window);

/* Free the memory that was used for writing. */
void window_html_free(HtmlWindow *window);

/* Shared by the window's files: writes one kind of block. */
typedef void HtmlDraw(HtmlWindow *window, const Block *block);

/* html_numbers.c */
HtmlDraw html_numbers, html_table, html_figure;

/* Write <tag>text</tag> on its own line. `tag` may contain attributes: "p
 * class=\"line\"". */
void html_element(HtmlWindow *window, const char *tag, const char *text);
void html_paragraph(HtmlWindow *window, const char *tag, const char *text);
void html_close_table(HtmlWindow *window);
