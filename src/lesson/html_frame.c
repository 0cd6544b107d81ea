#include "lesson/html_frame.h"

#include "lesson/html.h"

/* In a terminal's lines Latin fonts come first: NanumGothicCoding draws an arrow as
 * wide as a syllable. Boxes of a known width keep Hangul in its columns; see
 * html_lines(). A printed page is black on white, without answers that are closed. */
static const char style[] =
    ":root { color-scheme: light dark; --ink: #000; --paper: #fff; --soft: #555;\n"
    "  --line: #bbb; --box: #f5f5f5; --mark: #0b57d0 }\n"
    "@media (prefers-color-scheme: dark) { :root { --ink: #e6e6e6; --paper: #141414;\n"
    "  --soft: #a8a8a8; --line: #4a4a4a; --box: #1f1f1f; --mark: #8ab4f8 } }\n"
    "* { box-sizing: border-box }\n"
    "body { margin: 0; background: var(--paper); color: var(--ink); line-height: "
    "1.65;\n"
    "  font-family: system-ui, \"Apple SD Gothic Neo\", \"Malgun Gothic\",\n"
    "  \"Noto Sans KR\", \"Noto Sans CJK KR\", NanumGothic, sans-serif;\n"
    "  word-break: keep-all; overflow-wrap: anywhere }\n"
    "main { max-width: 46rem; margin: 0 auto; padding: 1rem }\n"
    "h1, h2, h3 { line-height: 1.3; margin: 1.6em 0 .6em }\n"
    "a, summary { color: var(--mark) }\n"
    "code, kbd, pre { font-family: ui-monospace, Menlo, Consolas,\n"
    "  \"DejaVu Sans Mono\", \"Noto Sans Mono\", \"Nanum Gothic Coding\",\n"
    "  NanumGothicCoding, D2Coding, \"Noto Sans Mono CJK KR\", GulimChe, monospace }\n"
    "code, kbd { font-size: .9em }\n"
    "pre { font-size: .8rem; line-height: 1.5; overflow-x: auto; padding: .7em .9em;\n"
    "  background: var(--box); border: 1px solid var(--line); border-radius: 4px }\n"
    "pre kbd { font-size: 1em; font-weight: bold }\n"
    "pre span, pre i { display: inline-block; font-style: normal }\n"
    "pre i { width: 2ch; text-align: center }\n"
    "img { max-width: 100%; height: auto; background: #fff }\n"
    "figure { margin: 1.2em 0 }\n"
    "figcaption, .about { color: var(--soft); font-size: .9em }\n"
    ".wide { overflow-x: auto }\n"
    "table { border-collapse: collapse }\n"
    "th, td { border: 1px solid var(--line); padding: .3em .6em; text-align: left;\n"
    "  vertical-align: top }\n"
    "blockquote { margin: 1em 0; padding: 0 1em; border-left: 3px solid var(--line) }\n"
    "section { margin: 1.4em 0; padding: .1em 1em; border-left: 4px solid var(--mark) "
    "}\n"
    ".label { font-weight: bold }\n"
    ".choices { list-style: none; padding-left: 1em }\n"
    "details { margin: .5em 0 }\n"
    "summary { cursor: pointer }\n"
    "@media print { :root { color-scheme: light; --ink: #000; --paper: #fff;\n"
    "  --soft: #000; --line: #888; --box: #fff; --mark: #000 }\n"
    "  body { font-size: 10.5pt } main { max-width: none; padding: 0 }\n"
    "  pre { font-size: 7.5pt } a { text-decoration: none }\n"
    "  h1, h2, h3 { break-after: avoid } pre, figure, tr { break-inside: avoid }\n"
    "  details:not([open]) { display: none } }\n";

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
    for (const char *const *part = head->style; part && *part; part++)
        build_text(html, *part);
    build_text(html, "</style>\n</head>\n<body>\n");
}

void html_end(Builder *html) {
    build_text(html, "</main>\n</body>\n</html>\n");
}
