/* html.h - the text of a lesson as HTML.
 *
 * A lesson may come from anywhere: nothing in it becomes a tag or a script, and its
 * links lead only to lessons in the same folder. Terminal control characters, and marks
 * that change the direction of text, are written as <U+202E>. */
#pragma once

#include "base/builder.h"
#include "lesson/markdown.h"

enum { HTML_LISTS_MAX = 16 };

/* A page in progress and its open elements. */
typedef struct {
    Builder text;
    int lists;                            /* depth of lists; each has an open item */
    bool is_numbered[HTML_LISTS_MAX + 1]; /* by depth, from 1 */
    const char *open; /* end tag of the open quote or table, or NULL */
} Html;

/* Write text on one line, escaped; html_marked() also formats `code` in backticks. */
void html_text(Builder *html, const char *text);
void html_marked(Builder *html, const char *text);

/* Write terminal lines for a <pre>. Non-ASCII characters take up the width of their
 * columns in any font. */
void html_lines(Builder *html, const char *text);

/* "data:image/png;base64,..." */
void html_data(Builder *html, const char *media_type, Bytes bytes);

/* Write a part of the text. Items, rows and quotes continue those before them until
 * html_close(). */
void html_part(Html *html, const Passage *part);
void html_close(Html *html);

/* The frame of a page: a single file that needs no network, uses system fonts, and runs
 * no script except this program's. */
typedef struct {
    const char *title, *language; /* "en", "ko" */
    const char *style;            /* styles in addition to the common ones, or NULL */
    const char *script; /* digest of the allowed script, "sha256-...", or NULL: none */
} HtmlHead;

/* Fail unless the path is a name for a page, such as walk.html. */
bool html_is_name(const char *path, Error *error);

/* Write everything before the body. The caller's text goes into <main>, which
 * html_end() closes. */
void html_begin(Builder *html, const HtmlHead *head);
void html_end(Builder *html);
