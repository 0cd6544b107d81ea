#include "text/unicode.h"

#include <assert.h>
#include <ctype.h>
#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <utf8proc.h>

#include "base/interrupt.h"

enum {
    REPLACEMENT = 0xFFFD,
    ZERO_WIDTH_JOINER = 0x200D,
    KEYCAP = 0x20E3,
    EMOJI_VARIATION = 0xFE0F,
    COMBINING_CLASSES = 256,
};

/* Table 3-7 of the Unicode standard: possible first bytes of a multi-byte character,
 * and the second bytes they allow. Any further byte is 80..BF. */
typedef struct {
    unsigned char first, last;
    int length;
    unsigned char lowest, highest;
} Lead;

static const Lead leads[] = {
    {0xC2, 0xDF, 2, 0x80, 0xBF}, {0xE0, 0xE0, 3, 0xA0, 0xBF},
    {0xE1, 0xEC, 3, 0x80, 0xBF}, {0xED, 0xED, 3, 0x80, 0x9F},
    {0xEE, 0xEF, 3, 0x80, 0xBF}, {0xF0, 0xF0, 4, 0x90, 0xBF},
    {0xF1, 0xF3, 4, 0x80, 0xBF}, {0xF4, 0xF4, 4, 0x80, 0x8F},
};

int unicode_decode(const char *text, size_t left, int *length) {
    unsigned char byte = (unsigned char)text[0];
    *length = 1;
    if (byte < 0x80) return byte;
    const Lead *lead = leads;
    const Lead *end = leads + sizeof leads / sizeof *leads;
    while (lead < end && (byte < lead->first || byte > lead->last)) lead++;
    if (lead == end) return REPLACEMENT;
    int code = byte & (0x7F >> lead->length);
    for (; *length < lead->length; ++*length) {
        if ((size_t)*length >= left) return REPLACEMENT;
        unsigned char next = (unsigned char)text[*length];
        bool second = *length == 1;
        if (next < (second ? lead->lowest : 0x80)) return REPLACEMENT;
        if (next > (second ? lead->highest : 0xBF)) return REPLACEMENT;
        code = code << 6 | (next & 0x3F);
    }
    return code;
}

/* No malformed part of three bytes starts with EF. */
bool unicode_is_malformed(const char *text, int code, int length) {
    return code == REPLACEMENT && !(length == 3 && (unsigned char)text[0] == 0xEF);
}

Clean unicode_valid(const char *bytes, size_t size, Arena *arena) {
    char *text = arena_take_raw(arena, 3 * size + 1);
    Clean clean = {.text = text};
    for (size_t i = 0; i < size && !interrupt_signal();) {
        int length;
        int code = unicode_decode(bytes + i, size - i, &length);
        bool bad = code == 0 || unicode_is_malformed(bytes + i, code, length);
        int written = bad ? 3 : length;
        memcpy(text + clean.length, bad ? "\xEF\xBF\xBD" : bytes + i, (size_t)written);
        clean.length += written;
        clean.malformed += bad;
        i += (size_t)length;
    }
    text[clean.length] = '\0';
    return clean;
}

static int combining_class(int code) {
    return utf8proc_get_property(code)->combining_class;
}

/* A stable sort by combining class; utf8proc's own is quadratic in the length of a run
 * of marks. */
static void order_marks(int32_t *mark, int32_t *copy, size_t count) {
    size_t place[COMBINING_CLASSES + 1] = {0};
    for (size_t i = 0; i < count; i++) place[combining_class(mark[i]) + 1]++;
    for (int i = 0; i < COMBINING_CLASSES; i++) place[i + 1] += place[i];
    memcpy(copy, mark, count * sizeof *mark);
    for (size_t i = 0; i < count; i++)
        mark[place[combining_class(copy[i])]++] = copy[i];
}

static const utf8proc_option_t taken_apart[] = {
    [FORM_C] = UTF8PROC_DECOMPOSE | UTF8PROC_STABLE,
    [FORM_D] = UTF8PROC_DECOMPOSE | UTF8PROC_STABLE,
    [FORM_KC] = UTF8PROC_DECOMPOSE | UTF8PROC_STABLE | UTF8PROC_COMPAT,
    [FORM_KD] = UTF8PROC_DECOMPOSE | UTF8PROC_STABLE | UTF8PROC_COMPAT,
};

/* Return a normal form of valid text: decompose, order the marks, compose. */
static const char *normal_form(const char *text, int length, NormalForm form,
                               Arena *scratch, int *composed) {
    bool compose = form == FORM_C || form == FORM_KC;
    /* A character decomposes into at most 3 parts per 2 bytes of UTF-8, or 18 per 3
     * bytes in the compatibility forms. */
    size_t room = 6 * (size_t)length + 8;
    int32_t *code = arena_take_raw(scratch, room * sizeof *code);
    size_t count = 0;
    for (int i = 0; i < length && !interrupt_signal();) {
        int bytes;
        int whole = unicode_decode(text + i, (size_t)(length - i), &bytes);
        ptrdiff_t parts = utf8proc_decompose_char(
            whole, code + count, (ptrdiff_t)(room - count), taken_apart[form], NULL);
        count += (size_t)parts;
        assert(parts >= 0 && count < room);
        i += bytes;
    }
    int32_t *copy = arena_take_raw(scratch, count * sizeof *copy);
    for (size_t i = 0; i < count;) { /* each run of marks */
        size_t end = i;
        while (end < count && combining_class(code[end])) end++;
        if (end > i + 1) order_marks(code + i, copy, end - i);
        i = end + 1;
    }
    *composed = (int)utf8proc_reencode(
        code, (ptrdiff_t)count,
        UTF8PROC_STABLE | (compose ? UTF8PROC_COMPOSE : UTF8PROC_DECOMPOSE));
    return (const char *)code;
}

static int parts_of(int code, NormalForm form) {
    enum { PARTS_MAX = 32 };
    int32_t part[PARTS_MAX];
    return (int)utf8proc_decompose_char(code, part, PARTS_MAX, taken_apart[form], NULL);
}

/* When decomposed, both texts have the same characters, except for the order of marks:
 * character n of one comes from character n of the other. */
Normalized unicode_normalize(const char *text, int length, NormalForm form,
                             Arena *arena) {
    Arena scratch = {0};
    Normalized normal = {0};
    const char *formed = normal_form(text, length, form, &scratch, &normal.length);
    normal.text = arena_copy(arena, formed, (size_t)normal.length);
    int *origin = ARENA_ARRAY(arena, int, normal.length + 1);
    int from = 0, from_parts = 0, parts = 0;
    for (int i = 0, bytes; i < normal.length; i += bytes) {
        int code = unicode_decode(normal.text + i, (size_t)(normal.length - i), &bytes);
        while (from < length) {
            int size;
            int next = unicode_decode(text + from, (size_t)(length - from), &size);
            int count = parts_of(next, form);
            if (from_parts + count > parts) break;
            from_parts += count;
            from += size;
        }
        for (int b = 0; b < bytes; b++) origin[i + b] = from;
        parts += parts_of(code, form);
    }
    origin[normal.length] = length;
    normal.origin = origin;
    arena_free(&scratch);
    return normal;
}

Clean unicode_clean(const char *bytes, size_t size, Arena *arena) {
    assert(size < INT_MAX / 3);
    Arena scratch = {0};
    Clean clean = unicode_valid(bytes, size, &scratch);
    int length;
    const char *composed =
        normal_form(clean.text, clean.length, FORM_C, &scratch, &length);
    clean.was_decomposed =
        length != clean.length || memcmp(composed, clean.text, (size_t)length) != 0;
    clean.text = arena_copy(arena, composed, (size_t)length);
    clean.length = length;
    arena_free(&scratch);
    return clean;
}

int unicode_encode(int code_point, char *bytes) {
    return (int)utf8proc_encode_char(code_point, (utf8proc_uint8_t *)bytes);
}

int unicode_grapheme(const char *text) {
    /* The '\0' after a text is not a continuation byte, so reading four bytes stops
     * there. */
    enum { LONGEST = 4 };
    if (!*text) return 0;
    int state = 0;
    int length;
    int code = unicode_decode(text, LONGEST, &length);
    int end = length;
    while (text[end]) {
        int next = unicode_decode(text + end, LONGEST, &length);
        if (utf8proc_grapheme_break_stateful(code, next, &state)) break;
        end += length;
        code = next;
    }
    return end;
}

/* Where terminals, and the C library, differ from utf8proc. wcwidth() does not work
 * here: in the "C" locale it knows only ASCII. */
static const struct {
    int first, last, cells;
} widths[] = {
    {0x1160, 0x11FF, 0}, /* vowels and final consonants of Hangul */
    {0xD7B0, 0xD7FF, 0}, /* more of them */
    {0x3248, 0x324F, 2}, /* circled numbers on squares */
    {0x4DC0, 0x4DFF, 2}, /* hexagrams */
};

int unicode_part_width(const char *text, int size) {
    int cells = 0;
    for (int i = 0, length; i < size; i += length) {
        int code = unicode_decode(text + i, (size_t)(size - i), &length);
        int width = utf8proc_charwidth(code);
        if (width == 0) width = utf8proc_category(code) == UTF8PROC_CATEGORY_MC;
        for (size_t w = 0; w < sizeof widths / sizeof *widths; w++)
            if (code >= widths[w].first && code <= widths[w].last)
                width = widths[w].cells;
        cells += width;
    }
    return cells;
}

int unicode_width(const char *text) {
    return unicode_part_width(text, (int)strlen(text));
}

static int break_class(int code) {
    return utf8proc_get_property(code)->boundclass;
}

static bool is_pictograph(int code) {
    return break_class(code) == UTF8PROC_BOUNDCLASS_EXTENDED_PICTOGRAPHIC;
}

/* Characters that cannot be written to a terminal: they would move, reverse or hide
 * other text. */
static bool is_hidden(int code) {
    const utf8proc_property_t *property = utf8proc_get_property(code);
    bool is_control = property->category >= UTF8PROC_CATEGORY_ZL &&
                      property->category <= UTF8PROC_CATEGORY_CF;
    return is_control || property->ignorable;
}

/* State of unicode_escape() inside an emoji. */
typedef struct {
    int last;      /* the previous code point */
    bool in_emoji; /* a pictograph and its modifiers came last */
} Emoji;

static bool belongs_to_emoji(Emoji emoji, int code, int next) {
    if (code == ZERO_WIDTH_JOINER) return emoji.in_emoji && is_pictograph(next);
    if (code != EMOJI_VARIATION) return false;
    bool is_base =
        emoji.last && emoji.last < 0x80 && strchr("0123456789#*", emoji.last);
    return is_pictograph(emoji.last) || (is_base && next == KEYCAP);
}

/* Write "<EB 82>": the malformed bytes at `text`, continuing the previous ones if
 * `inside`. */
static char *print_bytes(char *end, const char *text, int length, bool inside) {
    static const char digits[] = "0123456789ABCDEF";
    if (inside) end--; /* overwrite the '>' */
    for (int i = 0; i < length; i++) {
        *end++ = inside || i > 0 ? ' ' : '<';
        *end++ = digits[(unsigned char)text[i] >> 4];
        *end++ = digits[text[i] & 0xF];
    }
    *end++ = '>';
    return end;
}

const char *unicode_escape(const char *text, size_t length, Arena *arena) {
    /* A control character, such as <1B>, needs the most space: 4 bytes for one. */
    char *escaped = arena_take(arena, 4 * length + 1);
    char *end = escaped;
    Emoji emoji = {0};
    bool in_bytes = false;
    for (size_t i = 0, next; i < length; i = next) {
        int bytes;
        int code = unicode_decode(text + i, length - i, &bytes);
        next = i + (size_t)bytes;
        bool bad = unicode_is_malformed(text + i, code, bytes);
        int none;
        int code_after =
            next < length ? unicode_decode(text + next, length - next, &none) : 0;
        bool hidden = is_hidden(code) && !belongs_to_emoji(emoji, code, code_after);
        if (bad || (hidden && code < 0x80))
            end = print_bytes(end, text + i, bytes, bad && in_bytes);
        else if (hidden)
            end += sprintf(end, "<U+%04X>", (unsigned)code);
        else
            end = mempcpy(end, text + i, (size_t)bytes);
        bool extends = break_class(code) == UTF8PROC_BOUNDCLASS_EXTEND;
        if (hidden)
            emoji = (Emoji){0};
        else if (code != ZERO_WIDTH_JOINER) /* which a pictograph follows */
            emoji = (Emoji){code, is_pictograph(code) || (emoji.in_emoji && extends)};
        in_bytes = bad;
    }
    return escaped;
}

static bool is_of_number(char c) {
    return isdigit((unsigned char)c) || (c && strchr(".,+-eE", c));
}

int unicode_whole_numbers(const char *text, int end) {
    int from = end;
    int to = end;
    bool has_digit = false;
    while (from > 0 && is_of_number(text[from - 1])) from--;
    while (is_of_number(text[to])) to++;
    for (int i = from; i < to; i++) has_digit |= isdigit((unsigned char)text[i]) != 0;
    return has_digit && from < end && end < to ? from : end;
}

const char *unicode_cut(const char *text, int cells, Arena *arena) {
    if (unicode_width(text) <= cells) return arena_copy(arena, text, strlen(text));
    if (cells < 1) return "";
    int end = 0;
    for (int used = 0;;) {
        int length = unicode_grapheme(text + end);
        used += unicode_part_width(text + end, length);
        if (length == 0 || used > cells - 1) break;
        end += length;
    }
    return arena_print(arena, "%.*s…", unicode_whole_numbers(text, end), text);
}

const char *unicode_pad(const char *text, int cells, bool right, Arena *arena) {
    const char *cut = unicode_cut(text, cells, arena);
    int missing = cells - unicode_width(cut);
    if (missing <= 0) return cut;
    if (right) return arena_print(arena, "%*s%s", missing, "", cut);
    return arena_print(arena, "%s%*s", cut, missing, "");
}

Kind unicode_kind(int code_point) {
    if ((code_point >= '\t' && code_point <= '\r') || code_point == 0x85)
        return KIND_SPACE;
    utf8proc_category_t category = utf8proc_category(code_point);
    if (category >= UTF8PROC_CATEGORY_LU && category <= UTF8PROC_CATEGORY_ME)
        return KIND_LETTER;
    if (category >= UTF8PROC_CATEGORY_ND && category <= UTF8PROC_CATEGORY_NO)
        return KIND_NUMBER;
    if (category >= UTF8PROC_CATEGORY_ZS && category <= UTF8PROC_CATEGORY_ZP)
        return KIND_SPACE;
    return KIND_OTHER;
}

Writing unicode_writing(int code_point) {
    static const struct {
        int first, last;
        Writing writing;
    } blocks[] = {{0, 0x24f, WRITING_LATIN},        {0x1e00, 0x1eff, WRITING_LATIN},
                  {0x1100, 0x11ff, WRITING_HANGUL}, {0x3130, 0x318f, WRITING_HANGUL},
                  {0xa960, 0xa97f, WRITING_HANGUL}, {0xac00, 0xd7ff, WRITING_HANGUL},
                  {0xff21, 0xff5a, WRITING_LATIN}};
    for (size_t b = 0; b < sizeof blocks / sizeof *blocks; b++)
        if (code_point >= blocks[b].first && code_point <= blocks[b].last)
            return blocks[b].writing;
    return WRITING_OTHER;
}

const char *unicode_category(int code_point) {
    return utf8proc_category_string(code_point);
}

int unicode_lower(int code_point) {
    return utf8proc_tolower(code_point);
}

bool unicode_is_blank(const Clean *clean) {
    int length;
    for (int at = 0; at < clean->length; at += length) {
        size_t left = (size_t)(clean->length - at);
        int code = unicode_decode(clean->text + at, left, &length);
        if (unicode_kind(code) != KIND_SPACE) return false;
    }
    return true;
}
