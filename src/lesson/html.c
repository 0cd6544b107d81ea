#include "lesson/html.h"

#include <ctype.h>
#include <string.h>

#include "text/unicode.h"

/* Characters that are safe to print, as text or as the value of an attribute. */
static void escape(Builder *html, const char *text, size_t length) {
    static const char *const entity[128] = {['&'] = "&amp;",
                                            ['<'] = "&lt;",
                                            ['>'] = "&gt;",
                                            ['"'] = "&quot;",
                                            ['\''] = "&#39;"};
    for (size_t i = 0; i < length; i++) {
        unsigned char byte = (unsigned char)text[i];
        const char one[] = {text[i], '\0'};
        build_text(html, byte < 128 && entity[byte] ? entity[byte] : one);
    }
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

/* The length of "03-positions" in "03-positions.md" or "03-positions.md#why"; 0 where
 * it may be anything else than a lesson beside this one. */
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

static void span(Builder *html, const Span *span) {
    static const char *const tags[] = {
        [SPAN_CODE] = "code", [SPAN_STRONG] = "strong", [SPAN_EMPHASIS] = "em"};
    const char *tag = span->kind == SPAN_LINK ? NULL : tags[span->kind];
    size_t name = span->target ? lesson_linked(span->target) : 0;
    if (name) build(html, "<a href=\"%.*s.html\">", (int)name, span->target);
    if (tag) build(html, "<%s>", tag);
    html_text(html, span->text);
    if (tag) build(html, "</%s>", tag);
    if (name) build_text(html, "</a>");
}

void html_words(Builder *html, const Words *words) {
    for (int s = 0; s < words->count; s++) span(html, &words->span[s]);
}

static size_t ascii_length(const char *text) {
    size_t length = 0;
    while ((unsigned char)text[length] - 1U < 127) length++;
    return length;
}

/* A run of letters that are no ASCII and take one column each. */
static size_t narrow_length(const char *text, Arena *arena) {
    size_t length = 0;
    while ((unsigned char)text[length] >= 128) {
        size_t letter = (size_t)unicode_grapheme(text + length);
        if (unicode_width(arena_copy(arena, text + length, letter)) > 1) break;
        length += letter;
    }
    return length;
}

/* A font of its own may stand in for Hangul or for an arrow, with other widths: such
 * letters stand in boxes of as many columns as in a terminal, each syllable in its
 * own, since a row of them may be the names of columns. */
static void line(Builder *html, const char *text) {
    Arena *arena = html->arena;
    while (*text) {
        size_t ascii = ascii_length(text);
        escape(html, text, ascii);
        text += ascii;
        size_t narrow = narrow_length(text, arena);
        if (narrow) {
            int columns = unicode_width(arena_copy(arena, text, narrow));
            build(html, "<span style=\"width:%dch\">", columns);
            escape(html, text, narrow);
            build_text(html, "</span>");
            text += narrow;
        }
        if ((unsigned char)*text < 128) continue;
        size_t wide = (size_t)unicode_grapheme(text);
        build_text(html, "<i>");
        escape(html, text, wide);
        build_text(html, "</i>");
        text += wide;
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
        /* Three bytes are four digits; what is missing of the last ones is "=". */
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

static void close_list(Html *html) {
    build_text(&html->text,
               html->is_numbered[html->lists] ? "</li></ol>\n" : "</li></ul>\n");
    html->lists--;
}

static void close_lists(Html *html, int level) {
    while (html->lists > level) close_list(html);
}

static void open_list(Html *html, int number) {
    html->is_numbered[++html->lists] = number > 0;
    if (number > 0)
        build(&html->text, "<ol start=\"%d\">\n<li>", number);
    else
        build_text(&html->text, "<ul>\n<li>");
}

static void close_block(Html *html) {
    if (html->open) build_text(&html->text, html->open);
    html->open = NULL;
}

void html_close(Html *html) {
    close_block(html);
    close_lists(html, 0);
}

static void item(Html *html, const Passage *part) {
    int level = part->level < HTML_LISTS_MAX ? part->level : HTML_LISTS_MAX;
    bool is_numbered = part->number > 0;
    close_block(html);
    close_lists(html, level);
    if (html->lists == level && html->is_numbered[level] != is_numbered)
        close_list(html);
    if (html->lists == level) {
        build_text(&html->text, "</li>\n<li>");
    } else {
        while (html->lists < level - 1) open_list(html, 0);
        open_list(html, part->number);
    }
    html_words(&html->text, &part->words);
}

static void quote(Html *html, const Passage *part) {
    static const char end[] = "</blockquote>\n";
    if (html->open != end) {
        html_close(html);
        build_text(&html->text, "<blockquote>\n");
        html->open = end;
    }
    build_text(&html->text, "<p>");
    html_words(&html->text, &part->words);
    build_text(&html->text, "</p>\n");
}

static void row(Html *html, const Passage *part) {
    static const char end[] = "</table></div>\n";
    if (html->open != end || part->is_head) {
        html_close(html);
        build_text(&html->text, "<div class=\"wide\"><table>\n");
        html->open = end;
    }
    const char *tag = part->is_head ? "th" : "td";
    build_text(&html->text, "<tr>");
    for (int c = 0; c < part->cells; c++) {
        build(&html->text, "<%s>", tag);
        html_words(&html->text, &part->cell[c]);
        build(&html->text, "</%s>", tag);
    }
    build_text(&html->text, "</tr>\n");
}

/* A paragraph of an item stays within it. */
static void prose(Html *html, const Passage *part, const char *tag) {
    close_block(html);
    close_lists(html, part->kind == PASSAGE_PROSE ? part->level : 0);
    build(&html->text, "<%s>", tag);
    html_words(&html->text, &part->words);
    build(&html->text, "</%s>\n", tag);
}

static void heading(Html *html, const Passage *part) {
    const char tag[] = {'h', (char)('0' + part->level), '\0'};
    prose(html, part, tag);
}

static void code(Html *html, const Passage *part) {
    html_close(html);
    build_text(&html->text, "<pre tabindex=\"0\">");
    html_lines(&html->text, part->text);
    build_text(&html->text, "</pre>\n");
}

static void rule(Html *html) {
    html_close(html);
    build_text(&html->text, "<hr>\n");
}

void html_part(Html *html, const Passage *part) {
    switch (part->kind) {
    case PASSAGE_HEADING:
        heading(html, part);
        break;
    case PASSAGE_PROSE:
        prose(html, part, "p");
        break;
    case PASSAGE_ITEM:
        item(html, part);
        break;
    case PASSAGE_QUOTE:
        quote(html, part);
        break;
    case PASSAGE_CODE:
        code(html, part);
        break;
    case PASSAGE_ROW:
        row(html, part);
        break;
    default:
        rule(html);
    }
}
