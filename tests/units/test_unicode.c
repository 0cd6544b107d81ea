#include <stdlib.h>
#include <string.h>

#include "text/unicode.h"
#include "units/unicode_inputs.h"

#include <cmocka.h> /* last: it has a macro named fail */

#define FFFD "\xEF\xBF\xBD"

static void one_replacement_for_each_maximal_malformed_part(void **state) {
    static const struct {
        const char *bytes;
        size_t size;
        const char *text;
        int malformed;
    } cases[] = {
        {"abc", 3, "abc", 0},
        {"한글", 6, "한글", 0},
        {"\xF0\x9F\x98\x80", 4, "😀", 0},
        {FFFD, 3, FFFD, 0}, /* a valid character */
        {"a\0b", 3, "a" FFFD "b", 1},
        {"\x80", 1, FFFD, 1},          /* a continuation byte without a start */
        {"\x80\xBF", 2, FFFD FFFD, 2}, /* each one separately */
        {"\xC0\xAF", 2, FFFD FFFD, 2}, /* overlong */
        {"\xE0\x80\xAF", 3, FFFD FFFD FFFD, 3},
        {"\xF0\x80\x80\xAF", 4, FFFD FFFD FFFD FFFD, 4},
        {"\xED\xA0\x80", 3, FFFD FFFD FFFD, 3},          /* a surrogate */
        {"\xF4\x90\x80\x80", 4, FFFD FFFD FFFD FFFD, 4}, /* above U+10FFFF */
        {"\xF8\x88\x80\x80\x80", 5, FFFD FFFD FFFD FFFD FFFD, 5},
        {"\xFE\xFF", 2, FFFD FFFD, 2},
        {"\xEB\x82", 2, FFFD, 1}, /* truncated: one part */
        {"\xEB\x82\x98\xEB\x82", 5, "나" FFFD, 1},
        {"\xF0\x9F\x98", 3, FFFD, 1},
        {"\xF0\x9F\x98X", 4, FFFD "X", 1},
        {"\xE2\x82\xE2\x82\xAC", 5, FFFD "€", 1},
        /* the example of the Unicode standard, section 3.9, table 3-8 */
        {"\x61\xF1\x80\x80\xE1\x80\xC2\x62\x80\x63\x80\xBF\x64", 13,
         "a" FFFD FFFD FFFD "b" FFFD "c" FFFD FFFD "d", 6},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        Clean clean = unicode_clean(cases[i].bytes, cases[i].size, &arena);
        assert_string_equal(clean.text, cases[i].text);
        assert_int_equal(clean.length, strlen(cases[i].text));
        assert_int_equal(clean.malformed, cases[i].malformed);
        assert_false(clean.was_decomposed);
    }
}

/* Sequences of 2 and of 3 bytes that start at least one character. */
static unsigned char begins_2[1 << 16];
static unsigned char begins_3[1 << 24];

static unsigned bytes_of(const unsigned char *text, int count) {
    unsigned value = 0;
    for (int i = 0; i < count; i++) value = value << 8 | text[i];
    return value;
}

static void check_decoder(const unsigned char *text, int size) {
    utf8proc_int32_t expected;
    ptrdiff_t used = utf8proc_iterate(text, size, &expected);
    if (used <= 0) {
        expected = 0xFFFD;
        used = 1;
        if (size >= 2 && begins_2[bytes_of(text, 2)]) used = 2;
        if (size >= 3 && begins_3[bytes_of(text, 3)]) used = 3;
    }
    int length;
    /* In a copy of the exact size, the address sanitizer detects reads beyond it. */
    char *exact = malloc((size_t)size);
    assert_non_null(exact);
    memcpy(exact, text, (size_t)size);
    int code = unicode_decode(exact, (size_t)size, &length);
    free(exact);
    assert_int_equal(code, expected);
    assert_int_equal(length, used);
}

static void the_decoder_agrees_with_utf8proc(void **state) {
    (void)state;
    unsigned char text[4];
    for (int code = 0x80; code < 0x110000; code++) {
        if (code >= 0xD800 && code < 0xE000) continue;
        int length = encode(code, (char *)text);
        if (length > 2) begins_2[bytes_of(text, 2)] = 1;
        if (length > 3) begins_3[bytes_of(text, 3)] = 1;
    }
    for (int first = 0; first < 256; first++)
        for (int second = 0; second < 256; second++) {
            text[0] = (unsigned char)first;
            text[1] = (unsigned char)second;
            check_decoder(text, 1);
            check_decoder(text, 2);
        }
    Random random = random_new(1);
    for (int i = 0; i < 1000000; i++) {
        for (int k = 0; k < 4; k++) {
            /* Mostly bytes of multi-byte characters, near the ends of their ranges. */
            int byte = random_below(&random, 4) ? 0x80 + random_below(&random, 128)
                                                : random_below(&random, 256);
            text[k] = (unsigned char)byte;
        }
        check_decoder(text, 1 + random_below(&random, 4));
    }
}

static void every_hangul_syllable_composes(void **state) {
    (void)state;
    for (int i = 0; i < 11172; i++) {
        char parts[16] = {0};
        char whole[8] = {0};
        int size = encode(0x1100 + i / 588, parts);
        size += encode(0x1161 + i % 588 / 28, parts + size);
        if (i % 28) size += encode(0x11A7 + i % 28, parts + size);
        encode(0xAC00 + i, whole);
        assert_int_equal(unicode_width(parts), 2);
        assert_int_equal(unicode_grapheme(parts), size);
        Clean clean = unicode_clean(parts, (size_t)size, &arena);
        assert_string_equal(clean.text, whole);
        assert_true(clean.was_decomposed);
        clean = unicode_clean(whole, strlen(whole), &arena);
        assert_string_equal(clean.text, whole);
        assert_false(clean.was_decomposed);
    }
}

static void cleaning_agrees_with_utf8proc(void **state) {
    (void)state;
    Random random = random_new(2);
    for (int i = 0; i < 20000; i++) {
        char text[200];
        int size = random_text(&random, text, 40);
        utf8proc_uint8_t *expected = utf8proc_NFC((const utf8proc_uint8_t *)text);
        Clean clean = unicode_clean(text, (size_t)size, &arena);
        assert_string_equal(clean.text, (const char *)expected);
        assert_int_equal(clean.was_decomposed, strcmp(text, clean.text) != 0);
        free(expected);
        arena_reset(&arena);
    }
}

static void every_code_point_can_be_cleaned_and_escaped(void **state) {
    (void)state;
    enum { TIMES = 8 };
    for (int code = 1; code < 0x110000; code++) {
        if (code >= 0xD800 && code < 0xE000) continue;
        char text[4 * TIMES];
        int size = 0;
        for (int i = 0; i < TIMES; i++) size += encode(code, text + size);
        Clean clean = unicode_clean(text, (size_t)size, &arena);
        assert_int_equal(clean.malformed, 0);
        Clean again = unicode_clean(clean.text, (size_t)clean.length, &arena);
        assert_string_equal(again.text, clean.text);
        unicode_escape(text, (size_t)size, &arena);
        arena_reset(&arena);
    }
}

static void a_long_run_of_marks_is_put_in_order(void **state) {
    (void)state;
    enum { PAIRS = 256 * 1024 };
    char *text = arena_take(&arena, 4 * PAIRS + 1);
    for (int i = 0; i < PAIRS; i++) memcpy(text + 4 * i, "\u0301\u0323", 4);
    Clean clean = unicode_clean(text, 4 * PAIRS, &arena);
    assert_int_equal(clean.length, 4 * PAIRS);
    assert_memory_equal(clean.text, "\u0323\u0323", 4);
}

static void kinds_are_those_of_unicode(void **state) {
    static const struct {
        int code;
        Kind kind;
    } cases[] = {
        {'a', KIND_LETTER},    {0xAC00, KIND_LETTER}, {0x3131, KIND_LETTER},
        {0x4E00, KIND_LETTER}, {0x301, KIND_LETTER},  {0x11A8, KIND_LETTER},
        {'7', KIND_NUMBER},    {0xBD, KIND_NUMBER},   {0x2167, KIND_NUMBER},
        {' ', KIND_SPACE},     {'\n', KIND_SPACE},    {0x85, KIND_SPACE},
        {0xA0, KIND_SPACE},    {0x3000, KIND_SPACE},  {0x2028, KIND_SPACE},
        {0x200B, KIND_OTHER},  {'.', KIND_OTHER},     {'_', KIND_OTHER},
        {0x1F600, KIND_OTHER}, {0xFFFD, KIND_OTHER},  {0x1B, KIND_OTHER},
        {0, KIND_OTHER},       {0x3002, KIND_OTHER},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++)
        assert_int_equal(unicode_kind(cases[i].code), cases[i].kind);
}

#define TEST(name) cmocka_unit_test_teardown(name, reset)

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(one_replacement_for_each_maximal_malformed_part),
        TEST(the_decoder_agrees_with_utf8proc),
        TEST(every_hangul_syllable_composes),
        TEST(cleaning_agrees_with_utf8proc),
        TEST(every_code_point_can_be_cleaned_and_escaped),
        TEST(a_long_run_of_marks_is_put_in_order),
        TEST(kinds_are_those_of_unicode),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
