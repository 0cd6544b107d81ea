#include "text/split.h"

#include <string.h>

#include "text/bytepair.h"
#include "text/unicode.h"

/* ---- Finding matches ---- */

bool find_text(const TextStep *step, const char *text, int length, int from,
               TextMatch *match) {
    size_t size = strlen(step->pattern);
    if (size == 0 || from >= length) return false;
    const char *found =
        memmem(text + from, (size_t)(length - from), step->pattern, size);
    if (found) *match = (TextMatch){(int)(found - text), (int)size};
    return found;
}

/* As in regular expressions: \p{L}, \p{N}, \s and everything else. Marks are in the
 * rest. */
typedef enum { CLASS_LETTER, CLASS_NUMBER, CLASS_SPACE, CLASS_REST, CLASS_END } Class;

static Class class_at(const char *text, int length, int at, int *bytes) {
    *bytes = 0;
    if (at >= length) return CLASS_END;
    int code = unicode_decode(text + at, (size_t)(length - at), bytes);
    switch (unicode_kind(code)) {
    case KIND_LETTER:
        return unicode_category(code)[0] == 'L' ? CLASS_LETTER : CLASS_REST;
    case KIND_NUMBER:
        return CLASS_NUMBER;
    case KIND_SPACE:
        return CLASS_SPACE;
    default:
        return CLASS_REST;
    }
}

/* Return the end of the run of one class that starts at `at`, of at most `max`
 * characters. */
static int after_run(const char *text, int length, int at, Class class, int max) {
    int bytes;
    for (; max > 0 && class_at(text, length, at, &bytes) == class; max--) at += bytes;
    return at;
}

/* \s+(?!\S)|\s+ : the last of several spaces belongs to the text after them. */
static int behind_spaces(const char *text, int length, int at) {
    int end = after_run(text, length, at, CLASS_SPACE, length);
    if (end == length) return end;
    int last = end - 1;
    while ((text[last] & 0xC0) == 0x80) last--;
    return last > at ? last : end;
}

/* " ?" and a run of one class. */
static int behind_word(const char *text, int length, int at) {
    int bytes;
    int word = at + (text[at] == ' ');
    Class class = class_at(text, length, word, &bytes);
    if (class == CLASS_SPACE || class == CLASS_END) return at;
    return after_run(text, length, word, class, length);
}

/* Return the end of 's, 't, 're, 've, 'm, 'll or 'd; `at` if there is none. */
static int behind_contraction(const char *text, int length, int at, bool any_case) {
    static const char *const endings[] = {"s", "t", "re", "ve", "m", "ll", "d"};
    if (text[at] != '\'') return at;
    for (size_t e = 0; e < sizeof endings / sizeof *endings; e++) {
        int size = (int)strlen(endings[e]);
        const char *after = text + at + 1;
        if (at + 1 + size <= length &&
            (any_case ? strncasecmp(after, endings[e], (size_t)size)
                      : memcmp(after, endings[e], (size_t)size)) == 0)
            return at + 1 + size;
    }
    enum { LONG_S_BYTES = 2 }; /* ſ is another case of s */
    if (any_case && at + LONG_S_BYTES < length && memcmp(text + at + 1, "ſ", 2) == 0)
        return at + 1 + LONG_S_BYTES;
    return at;
}

static bool find_gpt2(const TextStep *step, const char *text, int length, int from,
                      TextMatch *match) {
    (void)step;
    if (from >= length) return false;
    int end = behind_contraction(text, length, from, false);
    if (end == from) end = behind_word(text, length, from);
    if (end == from) end = behind_spaces(text, length, from);
    *match = (TextMatch){from, end - from};
    return true;
}

static bool is_line_end(char byte) {
    return byte == '\r' || byte == '\n';
}

/* [^\r\n\p{L}\p{N}]?\p{L}+ */
static int behind_letters(const char *text, int length, int at) {
    int bytes, ignored;
    Class class = class_at(text, length, at, &bytes);
    int begin = at;
    if (class != CLASS_LETTER && class != CLASS_NUMBER && !is_line_end(text[at]))
        begin += bytes;
    if (class_at(text, length, begin, &ignored) != CLASS_LETTER) return at;
    return after_run(text, length, begin, CLASS_LETTER, length);
}

/*  ?[^\s\p{L}\p{N}]+[\r\n]* */
static int behind_marks(const char *text, int length, int at) {
    int begin = at + (text[at] == ' ');
    int end = after_run(text, length, begin, CLASS_REST, length);
    if (end == begin) return at;
    while (end < length && is_line_end(text[end])) end++;
    return end;
}

/* \s*[\r\n]+ */
static int behind_line_ends(const char *text, int length, int at) {
    int end = after_run(text, length, at, CLASS_SPACE, length);
    while (end > at && !is_line_end(text[end - 1])) end--;
    return end;
}

static bool find_by_words(const char *text, int length, int from, int digits,
                          TextMatch *match) {
    if (from >= length) return false;
    int end = behind_contraction(text, length, from, true);
    if (end == from) end = behind_letters(text, length, from);
    if (end == from) end = after_run(text, length, from, CLASS_NUMBER, digits);
    if (end == from) end = behind_marks(text, length, from);
    if (end == from) end = behind_line_ends(text, length, from);
    if (end == from) end = behind_spaces(text, length, from);
    *match = (TextMatch){from, end - from};
    return true;
}

static bool find_qwen(const TextStep *step, const char *text, int length, int from,
                      TextMatch *match) {
    (void)step;
    return find_by_words(text, length, from, 1, match);
}

static bool find_llama3(const TextStep *step, const char *text, int length, int from,
                        TextMatch *match) {
    (void)step;
    return find_by_words(text, length, from, 3, match);
}

static bool find_several_spaces(const TextStep *step, const char *text, int length,
                                int from, TextMatch *match) {
    (void)step;
    for (int at = from; at + 1 < length; at++) {
        if (text[at] != ' ' || text[at + 1] != ' ') continue;
        int end = at;
        while (end < length && text[end] == ' ') end++;
        *match = (TextMatch){at, end - at};
        return true;
    }
    return false;
}

static const struct {
    const char *expression;
    TextFind *find;
} expressions[] = {
    {"'s|'t|'re|'ve|'m|'ll|'d| ?\\p{L}+| ?\\p{N}+| ?[^\\s\\p{L}\\p{N}]+|\\s+(?!\\S)|"
     "\\s+",
     find_gpt2},
    {"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\\r\\n\\p{L}\\p{N}]?\\p{L}+|\\p{N}| "
     "?[^\\s\\p{L}\\p{N}]+[\\r\\n]*|\\s*[\\r\\n]+|\\s+(?!\\S)|\\s+",
     find_qwen},
    {"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\\r\\n\\p{L}\\p{N}]?\\p{L}+|\\p{N}{1,3}| "
     "?[^\\s\\p{L}\\p{N}]+[\\r\\n]*|\\s*[\\r\\n]+|\\s+(?!\\S)|\\s+",
     find_llama3},
    {" {2,}", find_several_spaces},
};

TextFind *find_expression(const char *expression) {
    for (size_t e = 0; e < sizeof expressions / sizeof *expressions; e++)
        if (strcmp(expressions[e].expression, expression) == 0)
            return expressions[e].find;
    return NULL;
}

/* Find the next character for which `is` returns true. */
static bool find_letter(bool (*is)(int code), const char *text, int length, int from,
                        TextMatch *match) {
    for (int at = from, bytes; at < length; at += bytes) {
        int code = unicode_decode(text + at, (size_t)(length - at), &bytes);
        if (!is(code)) continue;
        *match = (TextMatch){at, bytes};
        return true;
    }
    return false;
}

static bool is_number(int code) {
    return unicode_category(code)[0] == 'N';
}

static bool is_space(int code) {
    return unicode_kind(code) == KIND_SPACE;
}

static bool is_punctuation(int code) {
    if (code < 0x80)
        return code > ' ' && code < 0x7F &&
               strchr("!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~", code);
    return unicode_category(code)[0] == 'P';
}

static bool find_number(const TextStep *step, const char *text, int length, int from,
                        TextMatch *match) {
    (void)step;
    return find_letter(is_number, text, length, from, match);
}

static bool find_space(const TextStep *step, const char *text, int length, int from,
                       TextMatch *match) {
    (void)step;
    return find_letter(is_space, text, length, from, match);
}

static bool find_punctuation(const TextStep *step, const char *text, int length,
                             int from, TextMatch *match) {
    (void)step;
    return find_letter(is_punctuation, text, length, from, match);
}

/* ---- Splitting at matches ---- */

typedef struct {
    int start, end;
    bool is_match;
} Segment;

/* Split the part into matches and the text between them. */
static int segments_of(const TextStep *step, TextPart part, Segment **segment,
                       TextRoom *room) {
    int count = 0, capacity = 0, at = 0;
    TextMatch match;
    *segment = NULL;
    while (step->find(step, part.text, part.length, at, &match) &&
           text_room_has(room, 4 * sizeof **segment)) {
        ARENA_GROW(room->arena, *segment, count, capacity);
        if (match.start > at)
            (*segment)[count++] = (Segment){at, match.start, step->invert};
        at = match.start + match.length;
        ARENA_GROW(room->arena, *segment, count, capacity);
        (*segment)[count++] = (Segment){match.start, at, !step->invert};
    }
    ARENA_GROW(room->arena, *segment, count, capacity);
    if (at < part.length)
        (*segment)[count++] = (Segment){at, part.length, step->invert};
    return count;
}

void split_pattern(const TextStep *step, TextPart part, TextParts *out,
                   TextRoom *room) {
    Segment *segment;
    int count = segments_of(step, part, &segment, room);
    int start = 0;
    for (int i = 0; i < count; i++) {
        bool is_last = i + 1 == count;
        if (step->behavior == SPLIT_REMOVED && segment[i].is_match) {
            start = segment[i].end;
            continue;
        }
        /* A match is joined to the next segment, unless that is also a match. */
        if (step->behavior == SPLIT_WITH_NEXT && segment[i].is_match && !is_last &&
            !segment[i + 1].is_match)
            continue;
        const bool joins_next =
            !is_last && (step->behavior == SPLIT_WITH_PREVIOUS
                             ? segment[i + 1].is_match && !segment[i].is_match
                             : step->behavior == SPLIT_CONTIGUOUS &&
                                   segment[i + 1].is_match == segment[i].is_match);
        if (joins_next) continue;
        text_parts_add(out, text_part_within(part, start, segment[i].end - start),
                       room);
        start = segment[i].end;
    }
}

void split_byte_level(const TextStep *step, TextPart part, TextParts *out,
                      TextRoom *room) {
    TextParts pieces = {0};
    if (step->prefix_space && part.text[0] != ' ')
        part = normalize_with_front(part, " ", room);
    const TextStep words = {.find = find_gpt2, .behavior = SPLIT_ISOLATED};
    if (step->use_regex)
        split_pattern(&words, part, &pieces, room);
    else
        text_parts_add(&pieces, part, room);
    for (int i = 0; i < pieces.count; i++) {
        TextPart piece = pieces.part[i];
        TextWriter writer;
        if (text_writer(&writer, 2 * (size_t)piece.length, room)) {
            const char *word = bytepair_word(piece.text, piece.length, room->arena);
            for (int b = 0, bytes; b < piece.length; b++, word += bytes) {
                bytes = (*word & 0x80) ? 2 : 1; /* of the printable character */
                text_write(&writer, word, bytes, piece.origin[b]);
            }
            piece = text_written(&writer, piece);
        }
        text_parts_add(out, piece, room);
    }
}

void split_digits(const TextStep *step, TextPart part, TextParts *out, TextRoom *room) {
    const TextStep digits = {
        .find = find_number,
        .behavior = step->individual ? SPLIT_ISOLATED : SPLIT_CONTIGUOUS,
    };
    split_pattern(&digits, part, out, room);
}

void split_whitespace(const TextStep *step, TextPart part, TextParts *out,
                      TextRoom *room) {
    (void)step;
    const TextStep spaces = {.find = find_space, .behavior = SPLIT_REMOVED};
    split_pattern(&spaces, part, out, room);
}

void split_punctuation(const TextStep *step, TextPart part, TextParts *out,
                       TextRoom *room) {
    const TextStep marks = {.find = find_punctuation, .behavior = step->behavior};
    split_pattern(&marks, part, out, room);
}

void split_bert(const TextStep *step, TextPart part, TextParts *out, TextRoom *room) {
    TextParts words = {0};
    split_whitespace(step, part, &words, room);
    const TextStep marks = {.behavior = SPLIT_ISOLATED};
    for (int i = 0; i < words.count; i++)
        split_punctuation(&marks, words.part[i], out, room);
}

void split_metaspace(const TextStep *step, TextPart part, TextParts *out,
                     TextRoom *room) {
    const TextStep spaces = {
        .find = find_text, .pattern = " ", .content = step->content};
    part = normalize_with_replaced(&spaces, part, room);
    size_t size = strlen(step->content);
    bool has_one =
        (size_t)part.length >= size && memcmp(part.text, step->content, size) == 0;
    bool always =
        step->scheme ? strcmp(step->scheme, "always") == 0 : step->prefix_space;
    bool first =
        step->scheme && strcmp(step->scheme, "first") == 0 && part.origin[0] == 0;
    if (!has_one && (always || first))
        part = normalize_with_front(part, step->content, room);
    const TextStep cut = {
        .find = find_text, .pattern = step->content, .behavior = SPLIT_WITH_NEXT};
    if (step->split)
        split_pattern(&cut, part, out, room);
    else
        text_parts_add(out, part, room);
}
