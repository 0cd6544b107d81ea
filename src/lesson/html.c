#include "lesson/html.h"

#include <ctype.h>
#include <string.h>

#include "base/file.h"
#include "canvas/picture.h"
#include "text/unicode.h"

/* Write characters escaped for text and attribute values. */
static void escape(Builder *html, const char *text, size_t length) {
    build_text(html, html_escape(arena_copy(html->arena, text, length), html->arena));
}

static void safe_text(Builder *html, const char *text, size_t length) {
    const char *safe = unicode_escape(text, length, html->arena);
    escape(html, safe, strlen(safe));
}

void html_text(Builder *html, const char *text) {
    safe_text(html, text, strlen(text));
}

void html_marked(Builder *html, const char *text) {
    for (const char *open; (open = strchr(text, '`'));) {
        const char *close = strchr(open + 1, '`');
        if (!close) break;
        safe_text(html, text, (size_t)(open - text));
        build_text(html, "<code>");
        safe_text(html, open + 1, (size_t)(close - open - 1));
        build_text(html, "</code>");
        text = close + 1;
    }
    html_text(html, text);
}

/* Return the length of "03-positions" in "03-positions.md" or "03-positions.md#why"; 0
 * for all links except those to lessons in the same folder. */
static size_t lesson_linked(const char *target) {
    static const char ending[] = ".md";
    size_t length = strcspn(target, "#");
    size_t name = length - strlen(ending);
    if (length <= strlen(ending) || !isalnum((unsigned char)*target)) return 0;
    if (strncmp(target + name, ending, strlen(ending)) != 0) return 0;
    for (size_t i = 0; i < name; i++)
        if (!isalnum((unsigned char)target[i]) && !strchr("-_.", target[i])) return 0;
    return name;
}

/* Write formatted text, in an element unless `tag` is "". A link to 03-positions.md
 * becomes one to 03-positions.html; other links become plain text. */
static void element(Builder *html, const char *tag, const Words *words) {
    static const char *const tags[] = {[SPAN_CODE] = "code",
                                       [SPAN_STRONG] = "strong",
                                       [SPAN_EMPHASIS] = "em",
                                       [SPAN_LINK] = NULL};
    if (*tag) build(html, "<%s>", tag);
    for (int s = 0; s < words->count; s++) {
        const Span *span = &words->span[s];
        const char *mark = tags[span->kind];
        size_t name = span->target ? lesson_linked(span->target) : 0;
        if (name) build(html, "<a href=\"%.*s.html\">", (int)name, span->target);
        if (mark) build(html, "<%s>", mark);
        html_text(html, span->text);
        if (mark) build(html, "</%s>", mark);
        if (name) build_text(html, "</a>");
    }
    if (*tag) build(html, "</%s>", tag);
}

/* A fallback font may draw Hangul or an arrow with another width, so put such letters
 * in boxes as wide as their terminal columns. Each syllable has its own box, because a
 * row of syllables may label columns. */
static void line(Builder *html, const char *text) {
    Arena *arena = html->arena;
    while (*text) {
        size_t length = 0;
        while ((unsigned char)text[length] - 1U < 127) length++;
        escape(html, text, length);
        text += length;
        /* A run of one-column letters. */
        for (length = 0; (unsigned char)text[length] >= 128;) {
            size_t letter = (size_t)unicode_grapheme(text + length);
            if (unicode_width(arena_copy(arena, text + length, letter)) > 1) break;
            length += letter;
        }
        if (length) {
            int columns = unicode_width(arena_copy(arena, text, length));
            build(html, "<span style=\"width:%dch\">", columns);
            escape(html, text, length);
            build_text(html, "</span>");
            text += length;
        }
        if ((unsigned char)*text < 128) continue;
        length = (size_t)unicode_grapheme(text);
        build_text(html, "<i>");
        escape(html, text, length);
        build_text(html, "</i>");
        text += length;
    }
}

void html_lines(Builder *html, const char *text) {
    while (*text) {
        size_t length = strcspn(text, "\n");
        line(html, unicode_escape(text, length, html->arena));
        text += length;
        if (*text) build_text(html, "\n");
        text += *text == '\n';
    }
}

void html_data(Builder *html, const char *media_type, Bytes bytes) {
    static const char digits[] =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    build(html, "data:%s;base64,", media_type);
    for (size_t i = 0; i < bytes.size; i += 3) {
        /* Three bytes make four digits; "=" fills the last group. */
        unsigned bits = 0;
        for (size_t b = i; b < i + 3; b++)
            bits = bits << 8 | (b < bytes.size ? (unsigned char)bytes.bytes[b] : 0);
        char four[] = {digits[bits >> 18], digits[bits >> 12 & 63],
                       digits[bits >> 6 & 63], digits[bits & 63], '\0'};
        if (i + 2 >= bytes.size) four[3] = '=';
        if (i + 1 >= bytes.size) four[2] = '=';
        build_text(html, four);
    }
}

static void close_lists(Html *html, int level) {
    for (; html->lists > level; html->lists--)
        build_text(&html->text,
                   html->is_numbered[html->lists] ? "</li></ol>\n" : "</li></ul>\n");
}

static void close_to(Html *html, int level) {
    if (html->open) build_text(&html->text, html->open);
    html->open = NULL;
    close_lists(html, level);
}

void html_close(Html *html) {
    close_to(html, 0);
}

/* Write an item, opening the lists between the current depth and the item's. */
static void item(Html *html, const Passage *part) {
    Builder *text = &html->text;
    int level = part->level < HTML_LISTS_MAX ? part->level : HTML_LISTS_MAX;
    bool is_numbered = part->number > 0;
    close_to(html, level);
    if (html->lists == level && html->is_numbered[level] != is_numbered)
        close_lists(html, level - 1);
    if (html->lists == level) build_text(text, "</li>\n<li>");
    while (html->lists < level) {
        bool numbers = ++html->lists == level && is_numbered;
        html->is_numbered[html->lists] = numbers;
        if (numbers)
            build(text, "<ol start=\"%d\">\n<li>", part->number);
        else
            build_text(text, "<ul>\n<li>");
    }
    element(text, "", &part->words);
}

/* Continue the open quote or table, or start one. */
static void open_block(Html *html, const char *begin, const char *end, bool is_new) {
    if (html->open == end && !is_new) return;
    html_close(html);
    build_text(&html->text, begin);
    html->open = end;
}

void html_part(Html *html, const Passage *part) {
    static const char quote_end[] = "</blockquote>\n";
    static const char table_end[] = "</table></div>\n";
    Builder *text = &html->text;
    const char heading[] = {'h', (char)('0' + part->level), '\0'};
    switch (part->kind) {
    case PASSAGE_HEADING:
        html_close(html);
        element(text, heading, &part->words);
        build_text(text, "\n");
        break;
    case PASSAGE_PROSE: /* a paragraph of an item stays in it */
        close_to(html, part->level);
        element(text, "p", &part->words);
        build_text(text, "\n");
        break;
    case PASSAGE_ITEM:
        item(html, part);
        break;
    case PASSAGE_QUOTE:
        open_block(html, "<blockquote>\n", quote_end, false);
        element(text, "p", &part->words);
        build_text(text, "\n");
        break;
    case PASSAGE_CODE:
        html_close(html);
        build_text(text, "<pre tabindex=\"0\">");
        html_lines(text, part->text);
        build_text(text, "</pre>\n");
        break;
    case PASSAGE_ROW:
        open_block(html, "<div class=\"wide\"><table>\n", table_end, part->is_head);
        build_text(text, "<tr>");
        for (int c = 0; c < part->cells; c++)
            element(text, part->is_head ? "th" : "td", &part->cell[c]);
        build_text(text, "</tr>\n");
        break;
    default:
        html_close(html);
        build_text(text, "<hr>\n");
    }
}

/* In terminal lines, Latin fonts come first: NanumGothicCoding draws an arrow as wide
 * as a syllable. Boxes keep Hangul in its columns; see html_lines(). In print, the page
 * is black on white, without closed answers. */
static const char style[] = {
#include "page.css.inc"
};

/* With this policy a browser loads nothing and runs only the named script, whatever the
 * page contains. */
static const char policy[] =
    "default-src 'none'; img-src data:; style-src 'unsafe-inline'";

bool html_is_name(const char *path, Error *error) {
    return file_has_ending(path, ".html") || file_has_ending(path, ".htm") ||
           fail(error, "%s: expected a name ending in .html", path);
}

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
