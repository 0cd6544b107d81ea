/* html.h - the window of a page in a browser: blocks as HTML.
 *
 * What is around them, the head of the page, its sections and its looks, is written
 * by whoever says the blocks (present/walk_page.c). A number in a table says by the
 * attributes around it which it is: the table has the tensor in data-name and what is
 * fixed of it in data-fixed, the headings of rows and columns their part of the address
 * in data-item, a cell in data-why how it came about, or the table does so for all of
 * its cells. */
#pragma once

#include "base/builder.h"
#include "explain/record.h"
#include "page/page.h"

typedef struct {
    Window window; /* this one, for a page */
    Builder *html;
    Record record;   /* of the numbers that are shown */
    Canvas *letters; /* measures those of figures: one of image.h */
    int tables;      /* with numbers, so far */
    int level;       /* of the list that is open; 0: none is */
    Arena arena;     /* emptied after each block */
    bool failed;     /* the block that is being written has, for this reason */
    Error error;
} HtmlWindow;

/* A window that writes to `html`; the canvas `letters` stays the caller's. */
HtmlWindow *window_html_new(Arena *arena, Builder *html, const Record *record,
                            Canvas *letters);

/* End what is open: a list. */
void window_html_close(HtmlWindow *window);

/* Give back what it took for writing. */
void window_html_free(HtmlWindow *window);

/* What follows stays between the files of the window: how each kind of block is
 * written. */
typedef void HtmlDraw(HtmlWindow *window, const Block *block);

/* html_numbers.c */
HtmlDraw html_numbers, html_table, html_figure;

/* <tag>text</tag>, in a line of its own; `tag` may bring attributes: "p
 * class=\"line\"". */
void html_element(HtmlWindow *window, const char *tag, const char *text);
void html_paragraph(HtmlWindow *window, const char *tag, const char *text);
void html_close_table(HtmlWindow *window);
