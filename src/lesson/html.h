/* html.h - the words of a lesson as HTML.
 *
 * A lesson comes from anywhere: nothing of it becomes a tag or a script, and the only
 * addresses are those of lessons beside it. What a terminal would obey, and marks that
 * turn the direction of text, are written out as <U+202E>. */
#pragma once

#include "base/builder.h"
#include "lesson/markdown.h"

enum { HTML_LISTS_MAX = 16 };

/* A page that is written, and what of it is open. */
typedef struct {
    Builder text;
    int lists;                            /* each with an item that is open, too */
    bool is_numbered[HTML_LISTS_MAX + 1]; /* from 1 on */
    const char *open;                     /* what closes a quote or a table, or NULL */
} Html;

/* Words in one line, as they stand; and where `code` is in backticks. */
void html_text(Builder *html, const char *text);
void html_marked(Builder *html, const char *text);

/* Lines of a terminal, for a <pre>: what is not ASCII takes as many columns as there,
 * whatever the fonts. */
void html_lines(Builder *html, const char *text);

/* "data:image/png;base64,..." */
void html_data(Builder *html, const char *media_type, Bytes bytes);

/* A part of the text. Items, rows and quotes join those before them, until
 * html_close(). */
void html_part(Html *html, const Passage *part);
void html_close(Html *html);

/* What is around a page: one file that needs nothing else, no network, fonts that
 * systems have, and no script but the one of this program that the head names. */
typedef struct {
    const char *title, *language; /* "en", "ko" */
    const char *style;            /* rules behind those of every page, or NULL */
    const char *script; /* the digest of what may run, "sha256-...", or NULL: nothing */
} HtmlHead;

/* Up to the body; what its caller writes there ends within <main>, as html_end() does.
 */
void html_begin(Builder *html, const HtmlHead *head);
void html_end(Builder *html);
