#include "lesson/typed_text.h"

#include <ctype.h>
#include <string.h>

#include "base/builder.h"
#include "text/unicode.h"

/* Characters that are replaced or removed. */
static const TypedSign signs[] = {
    {"\u2212", "-"}, {"\u2010", "-"}, {"\u2013", "-"}, {"\u2044", "/"},
    {"\u2018", ""},  {"\u2019", ""},  {"\u201c", ""},  {"\u201d", ""},
    {"\u00ab", ""},  {"\u00bb", ""},  {"\u300c", ""},  {"\u300d", ""},
    {"`", ""},       {"'", ""},       {"\"", ""},      {NULL, NULL},
};

/* Words before the answer, in order of removal, and after it. */
static const struct {
    const char *first, *second;
} openings[] = {{"my", "answer"}, {"the", "answer"}, {"answer", ""}, {"choice", ""},
                {"is", ""},       {"it", "is"},      {"its", ""},    {"they", "are"},
                {"정답은", ""},   {"답은", ""},      {"정답", ""},   {"답", ""},
                {"보기", ""}};
static const char *const endings[] = {"입니다", "이에요", "예요"};

size_t typed_opening(const char *text, const char *const *words) {
    while (*words && strncmp(text, *words, strlen(*words)) != 0) words++;
    return *words ? strlen(*words) : 0;
}

const char *typed_replace(const char *text, const TypedSign *table, Arena *arena) {
    Builder replaced = {.arena = arena};
    while (*text) {
        const TypedSign *sign = table;
        while (sign->typed && strncmp(text, sign->typed, strlen(sign->typed)) != 0)
            sign++;
        build_text(&replaced, sign->typed ? sign->read : arena_copy(arena, text, 1));
        text += sign->typed ? strlen(sign->typed) : 1;
    }
    return builder_text(&replaced);
}

/* Convert to lowercase and replace characters. */
static char *in_plain_signs(const char *typed, Arena *arena) {
    Builder plain = {.arena = arena};
    char letter[5];
    typed = typed_replace(typed, signs, arena);
    for (int length; *typed; typed += length) {
        int code = unicode_decode(typed, strnlen(typed, 4), &length);
        letter[unicode_encode(unicode_lower(code), letter)] = '\0';
        bool is_blank = code < 0x80 && isspace(code);
        bool is_first = plain.count == 0 || plain.text[plain.count - 1] == ' ';
        if (!is_blank || !is_first) build_text(&plain, is_blank ? " " : letter);
    }
    const char *text = builder_text(&plain);
    return arena_copy(arena, text, strlen(text));
}

/* Remove the end of a sentence, but not the whole text. */
static void cut_end(char *text) {
    size_t length = strlen(text);
    while (length > 1 && strchr(".!? ", text[length - 1])) length--;
    text[length] = '\0';
}

/* Return the length of the two words and the blanks after them; 0 if the text does not
 * start with them. */
static size_t opening_length(const char *text, const char *first, const char *second) {
    const char *const word[] = {first, second};
    size_t length = 0;
    for (int w = 0; w < 2 && *word[w]; w++) {
        size_t end = length + strlen(word[w]);
        if (strncmp(text + length, word[w], strlen(word[w])) != 0) return 0;
        length = end + strspn(text + end, " :");
        if (length == end || !text[length]) return 0;
    }
    return length;
}

const char *typed_normal(const char *typed, Arena *arena) {
    /* Mark superscripts and fractions, which normal form KC would lose. */
    Builder marked = {.arena = arena};
    for (int length, at = 0; typed[at]; at += length) {
        int code = unicode_decode(typed + at, strnlen(typed + at, 4), &length);
        bool is_raised = code == 0xb2 || code == 0xb3 || code == 0xb9 ||
                         (code >= 0x2070 && code <= 0x2079);
        bool is_fraction =
            (code >= 0xbc && code <= 0xbe) || (code >= 0x2150 && code <= 0x215e);
        const char *letter = arena_copy(arena, typed + at, (size_t)length);
        build(&marked, is_raised ? "^%s" : is_fraction ? " (%s)" : "%s", letter);
    }
    char *text = in_plain_signs(
        unicode_normalize(builder_text(&marked), marked.count, FORM_KC, arena).text,
        arena);
    cut_end(text);
    for (size_t o = 0; o < sizeof openings / sizeof *openings; o++)
        text += opening_length(text, openings[o].first, openings[o].second);
    for (size_t e = 0; e < sizeof endings / sizeof *endings; e++) {
        size_t length = strlen(text);
        size_t more = strlen(endings[e]);
        if (length > more && strcmp(text + length - more, endings[e]) == 0)
            text[length - more] = '\0';
    }
    cut_end(text);
    return *text ? text : typed; /* a quote may be a token */
}

const char *typed_bare(const char *typed, const char *left_out, Arena *arena) {
    const char *normal = typed_normal(typed, arena);
    char *bare = arena_copy(arena, normal, strlen(normal));
    char *end = bare;
    for (const char *c = normal; *c; c++) {
        if (*c == '0' && c[1] == 'x' && isxdigit((unsigned char)c[2]))
            c++;
        else if (*c != ' ' && !strchr(left_out, *c))
            *end++ = *c;
    }
    *end = '\0';
    return bare;
}

bool typed_is_same(const char *a, const char *b, const char *left_out, Arena *arena) {
    return strcmp(typed_bare(a, left_out, arena), typed_bare(b, left_out, arena)) == 0;
}
