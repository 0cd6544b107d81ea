#include "lesson/html_frame.h"

#include "lesson/html.h"

/* In a terminal's lines Latin fonts come first: NanumGothicCoding draws an arrow as
 * wide as a syllable. Boxes of a known width keep Hangul in its columns; see
 * html_lines(). A printed page is black on white, without answers that are closed. */
static const char style[] = {
#include "page.css.inc"
};

/* A browser that reads the policy loads nothing, and runs nothing but what is named,
 * whatever stands in the page. */
static const char policy[] =
    "default-src 'none'; img-src data:; style-src 'unsafe-inline'";

void html_begin(Builder *html, const HtmlHead *head) {
    build_text(html, "<!DOCTYPE html>\n<html lang=\"");
    html_text(html, head->language);
    build_text(html, "\">\n<head>\n<meta charset=\"utf-8\">\n");
    build(html, "<meta http-equiv=\"Content-Security-Policy\" content=\"%s", policy);
    if (head->script) build(html, "; script-src '%s'", head->script);
    build_text(html, "\">\n<meta name=\"viewport\" content=\"width=device-width, "
                     "initial-scale=1\">\n<title>");
    html_text(html, head->title);
    build(html, "</title>\n<style>\n%s", style);
    if (head->style) build_text(html, head->style);
    build_text(html, "</style>\n</head>\n<body>\n");
}

void html_end(Builder *html) {
    build_text(html, "</main>\n</body>\n</html>\n");
}
