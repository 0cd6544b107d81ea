/* html_frame.h - what stands around a page of HTML: its head, how it looks, its end.
 *
 * One file that needs nothing else: no network, fonts that systems have, and no script
 * but the one of this program that the head names. */
#pragma once

#include "base/builder.h"

typedef struct {
    const char *title, *language; /* "en", "ko" */
    const char *style;            /* rules behind those of every page, or NULL */
    const char *script; /* the digest of what may run, "sha256-...", or NULL: nothing */
} HtmlHead;

/* Up to the body; what its caller writes there ends within <main>, as html_end() does.
 */
void html_begin(Builder *html, const HtmlHead *head);
void html_end(Builder *html);
