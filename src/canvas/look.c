#include "canvas/look.h"

#include <math.h>
#include <string.h>

#include "text/unicode.h"

const Look look_plain = {LOOK_DEFAULT, LOOK_DEFAULT, .bold = false};
const Look look_bold = {LOOK_DEFAULT, LOOK_DEFAULT, .bold = true};
const Look look_faint = {LOOK_DEFAULT, LOOK_DEFAULT, .faint = true};

static bool is_same(const Look *a, const Look *b) {
    return a->ink == b->ink && a->paper == b->paper && a->bold == b->bold &&
           a->faint == b->faint && a->turned == b->turned &&
           a->underlined == b->underlined;
}

/* Return the span at the end of the text. */
static LookSpan last_span(const Styled *styled) {
    return styled->spans ? styled->span[styled->spans - 1]
                         : (LookSpan){.look = look_plain};
}

static void begin_span(Styled *styled, Look look, int item) {
    LookSpan last = last_span(styled);
    if (is_same(&last.look, &look) && last.item == item) return;
    if (styled->spans && last.from == styled->text.count) styled->spans--;
    ARENA_GROW(styled->text.arena, styled->span, styled->spans, styled->capacity);
    styled->span[styled->spans++] = (LookSpan){styled->text.count, look, item};
}

void styled_look(Styled *styled, Look look) {
    begin_span(styled, look, last_span(styled).item);
}

void styled_item(Styled *styled, int item) {
    begin_span(styled, last_span(styled).look, item);
}

void styled_add(Styled *styled, Look look, const char *format, ...) {
    va_list arguments;
    styled_look(styled, look);
    va_start(arguments, format);
    build_text(&styled->text, arena_print_list(styled->text.arena, format, arguments));
    va_end(arguments);
}

void styled_add_part(Styled *styled, const Styled *other, int from, int to) {
    for (int at = from, end; at < to; at = end) {
        LookSpan span;
        end = styled_span(other, at, &span);
        if (end > to) end = to;
        begin_span(styled, span.look, span.item);
        build_bytes(&styled->text, other->text.text + at, (size_t)(end - at));
    }
}

const char *styled_text(const Styled *styled) {
    return styled ? builder_text(&styled->text) : NULL;
}

int styled_span(const Styled *styled, int byte, LookSpan *span) {
    int next = 0; /* the first span after the byte */
    for (int end = styled->spans; next < end;) {
        int middle = (next + end) / 2;
        if (styled->span[middle].from > byte)
            end = middle;
        else
            next = middle + 1;
    }
    *span = next ? styled->span[next - 1] : (LookSpan){.look = look_plain};
    return next < styled->spans ? styled->span[next].from : styled->text.count;
}

static void write_color(FILE *out, int base, int color, Colors colors) {
    if (color == LOOK_DEFAULT) return;
    if (colors == COLORS_256)
        fprintf(out, ";%d;5;%d", base, color);
    else
        fprintf(out, ";%d;2;%d;%d;%d", base, color >> 16, color >> 8 & 0xff,
                color & 0xff);
}

static void write_look(FILE *out, const Look *look, Colors colors) {
    fprintf(out, "\x1b[0%s%s%s%s", look->bold ? ";1" : "", look->faint ? ";2" : "",
            look->underlined ? ";4" : "", look->turned ? ";7" : "");
    write_color(out, 38, look->ink, colors);
    write_color(out, 48, look->paper, colors);
    fputc('m', out);
}

void styled_write(const Styled *styled, int from, int to, Colors colors, FILE *out) {
    Look look = look_plain;
    for (int at = from, end; at < to; at = end) {
        LookSpan span;
        end = styled_span(styled, at, &span);
        if (end > to) end = to;
        if (colors && !is_same(&span.look, &look)) write_look(out, &span.look, colors);
        look = span.look;
        fwrite(styled->text.text + at, 1, (size_t)(end - at), out);
    }
    if (colors && !is_same(&look, &look_plain)) write_look(out, &look_plain, colors);
}

/* Return the number of bytes at `text` that fit into `width`, at least one letter, for
 * a word that is wider than a line. An address is broken before its bracket. */
static size_t broken_length(const char *text, int width) {
    int fits = 0, used = 0;
    for (int letter; (letter = unicode_grapheme(text + fits)) > 0; fits += letter) {
        used += unicode_part_width(text + fits, letter);
        if (fits > 0 && used > width) break;
    }
    const char *bracket = fits > 1 ? memchr(text + 1, '[', (size_t)fits - 1) : NULL;
    if (bracket) return (size_t)(bracket - text);
    int whole = unicode_whole_numbers(text, fits);
    return (size_t)(whole > 0 ? whole : fits);
}

/* Look only one line ahead, so that folding a text takes linear time. */
size_t look_fold(const char *text, int width) {
    enum { LONGEST = 4 };
    int fits = 0;
    for (int end = 0, used = 0, bytes; used <= width; end += bytes) {
        bool ends_word = text[end] == ' ' && end > 0 && text[end - 1] != ' ';
        if (ends_word || !text[end]) fits = end;
        if (!text[end]) return (size_t)fits;
        unicode_decode(text + end, LONGEST, &bytes);
        used += unicode_part_width(text + end, bytes);
    }
    return fits > 0 ? (size_t)fits : broken_length(text, width);
}

const char *look_bar(double share, int max, Arena *arena) {
    static const char *const eighths[] = {"", "▏", "▎", "▍", "▌", "▋", "▊", "▉"};
    int length = (int)lround(share * max * 8);
    const char *cells = "";
    for (int i = 0; i < length / 8; i++) cells = arena_print(arena, "%s█", cells);
    return arena_print(arena, "%s%s", cells, eighths[length % 8]);
}
