/* html_frame.h - what stands around a page of HTML: its head, how it looks, its end.
 *
 * One file that needs nothing else: no script, no network, fonts that systems have. */
#pragma once

#include "base/builder.h"

/* Up to where the text begins. `language`: "en", "ko". */
void html_begin(Builder *html, const char *title, const char *language);
void html_end(Builder *html);
