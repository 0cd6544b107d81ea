#include "text/normalize.h"

#include <string.h>

#include "text/unicode.h"

void normalize_form(const TextStep *step, TextPart part, TextParts *out,
                    TextRoom *room) {
    /* A byte becomes at most six code points, each of which may be transformed. */
    enum { EACH = 6 * 4 + 9 };
    if (!text_room_has(room, EACH * ((size_t)part.length + 1))) return;
    Normalized normal =
        unicode_normalize(part.text, part.length, step->form, room->arena);
    int *origin = ARENA_ARRAY(room->arena, int, normal.length + 1);
    for (int i = 0; i <= normal.length; i++) {
        origin[i] = part.origin[normal.origin[i]];
        /* Bytes inside an unchanged character keep their own origin. */
        bool inside = i > 0 && i < normal.length && (normal.text[i] & 0xC0) == 0x80;
        int back = 1;
        while (inside && (normal.text[i - back] & 0xC0) == 0x80) back++;
        int from = normal.origin[i] + back;
        if (inside && from < part.length && part.text[from] == normal.text[i])
            origin[i] = part.origin[from];
    }
    text_parts_add(out, (TextPart){normal.text, origin, normal.length, -1}, room);
}

/* Write the transformed character. */
typedef void WriteLetter(int code, const char *letter, int bytes, TextPart part, int at,
                         TextWriter *writer);

static TextPart by_letter(TextPart part, WriteLetter *write, TextRoom *room) {
    /* At most, a character grows from 2 bytes to 3, or by a space on each side. */
    TextWriter writer;
    if (!text_writer(&writer, 3 * (size_t)part.length, room)) return part;
    for (int i = 0, bytes; i < part.length; i += bytes) {
        int code = unicode_decode(part.text + i, (size_t)(part.length - i), &bytes);
        write(code, part.text + i, bytes, part, i, &writer);
    }
    return text_written(&writer, part);
}

static void write_as_it_is(const char *letter, int bytes, TextPart part, int at,
                           TextWriter *writer) {
    (void)letter;
    text_keep(writer, part, at, at + bytes);
}

static void write_lower(int code, const char *letter, int bytes, TextPart part, int at,
                        TextWriter *writer) {
    enum { I_WITH_DOT = 0x130 }; /* only its lower case is two characters */
    char lower[4];
    int lowered = unicode_lower(code);
    if (code == I_WITH_DOT)
        text_write(writer, "i\u0307", 3, part.origin[at]);
    else if (lowered == code)
        write_as_it_is(letter, bytes, part, at, writer);
    else
        text_write(writer, lower, unicode_encode(lowered, lower), part.origin[at]);
}

void normalize_lowercase(const TextStep *step, TextPart part, TextParts *out,
                         TextRoom *room) {
    (void)step;
    text_parts_add(out, by_letter(part, write_lower, room), room);
}

static void write_without_marks(int code, const char *letter, int bytes, TextPart part,
                                int at, TextWriter *writer) {
    if (unicode_category(code)[0] != 'M')
        write_as_it_is(letter, bytes, part, at, writer);
}

void normalize_strip_accents(const TextStep *step, TextPart part, TextParts *out,
                             TextRoom *room) {
    (void)step;
    text_parts_add(out, by_letter(part, write_without_marks, room), room);
}

static void write_without_accents(int code, const char *letter, int bytes,
                                  TextPart part, int at, TextWriter *writer) {
    if (strcmp(unicode_category(code), "Mn") != 0)
        write_as_it_is(letter, bytes, part, at, writer);
}

/* Drop control characters, and replace every space by U+0020. */
static void write_clean(int code, const char *letter, int bytes, TextPart part, int at,
                        TextWriter *writer) {
    const char *category = unicode_category(code);
    bool is_space = unicode_kind(code) == KIND_SPACE;
    bool is_plain_control = code == '\t' || code == '\n' || code == '\r';
    bool is_control = category[0] == 'C' && strcmp(category, "Cn") != 0;
    if (code == 0xFFFD || (is_control && !is_plain_control)) return;
    if (is_space || is_plain_control)
        text_write(writer, " ", 1, part.origin[at]);
    else
        write_as_it_is(letter, bytes, part, at, writer);
}

/* BERT's blocks of Chinese characters: each character becomes a word. Hangul and Kana
 * do not. */
static bool is_chinese(int code) {
    static const struct {
        int first, last;
    } blocks[] = {
        {0x4E00, 0x9FFF},   {0x3400, 0x4DBF},   {0x20000, 0x2A6DF}, {0x2A700, 0x2B73F},
        {0x2B740, 0x2B81F}, {0x2B920, 0x2CEAF}, {0xF900, 0xFAFF},   {0x2F800, 0x2FA1F},
    };
    for (size_t i = 0; i < sizeof blocks / sizeof *blocks; i++)
        if (code >= blocks[i].first && code <= blocks[i].last) return true;
    return false;
}

static void write_chinese_apart(int code, const char *letter, int bytes, TextPart part,
                                int at, TextWriter *writer) {
    bool apart = is_chinese(code);
    if (apart) text_write(writer, " ", 1, part.origin[at]);
    write_as_it_is(letter, bytes, part, at, writer);
    if (apart) text_write(writer, " ", 1, part.origin[at + bytes]);
}

void normalize_bert(const TextStep *step, TextPart part, TextParts *out,
                    TextRoom *room) {
    bool accents = step->accents_as_lowercase ? step->lowercase : step->accents;
    if (step->clean) part = by_letter(part, write_clean, room);
    if (step->chinese) part = by_letter(part, write_chinese_apart, room);
    if (accents) {
        TextParts apart = {0};
        normalize_form(&(TextStep){.form = FORM_D}, part, &apart, room);
        if (apart.count == 0) return;
        part = by_letter(apart.part[0], write_without_accents, room);
    }
    if (step->lowercase) part = by_letter(part, write_lower, room);
    text_parts_add(out, part, room);
}

TextPart normalize_with_front(TextPart part, const char *text, TextRoom *room) {
    int length = (int)strlen(text);
    TextWriter writer;
    if (!text_writer(&writer, (size_t)(length + part.length), room)) return part;
    text_write(&writer, text, length, part.origin[0]);
    text_keep(&writer, part, 0, part.length);
    return text_written(&writer, part);
}

void normalize_prepend(const TextStep *step, TextPart part, TextParts *out,
                       TextRoom *room) {
    text_parts_add(out, normalize_with_front(part, step->content, room), room);
}

TextPart normalize_with_replaced(const TextStep *step, TextPart part, TextRoom *room) {
    int length = (int)strlen(step->content);
    TextMatch match;
    size_t max = (size_t)part.length;
    for (int at = 0; step->find(step, part.text, part.length, at, &match);) {
        at = match.start + match.length;
        max += (size_t)length;
    }
    TextWriter writer;
    if (!text_writer(&writer, max, room)) return part;
    int at = 0;
    while (step->find(step, part.text, part.length, at, &match)) {
        text_keep(&writer, part, at, match.start);
        text_write(&writer, step->content, length, part.origin[match.start]);
        at = match.start + match.length;
    }
    text_keep(&writer, part, at, part.length);
    return text_written(&writer, part);
}

void normalize_replace(const TextStep *step, TextPart part, TextParts *out,
                       TextRoom *room) {
    text_parts_add(out, normalize_with_replaced(step, part, room), room);
}

void normalize_strip(const TextStep *step, TextPart part, TextParts *out,
                     TextRoom *room) {
    int bytes, end = 0;
    while (step->left && part.length > 0 &&
           unicode_kind(unicode_decode(part.text, (size_t)part.length, &bytes)) ==
               KIND_SPACE)
        part = text_part_within(part, bytes, part.length - bytes);
    for (int i = 0; i < part.length; i += bytes) {
        int code = unicode_decode(part.text + i, (size_t)(part.length - i), &bytes);
        if (unicode_kind(code) != KIND_SPACE) end = i + bytes;
    }
    if (step->right) part = text_part_within(part, 0, end);
    text_parts_add(out, part, room);
}
