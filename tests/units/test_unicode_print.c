#include <locale.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>

#include "text/unicode.h"
#include "units/unicode_inputs.h"

#include <cmocka.h> /* last: it has a macro named fail */

static void width_agrees_with_the_c_library(void **state) {
    (void)state;
    if (!setlocale(LC_CTYPE, "C.UTF-8")) skip();
    int compared = 0;
    for (int code = 1; code < 0x110000; code++) {
        int expected = wcwidth((wchar_t)code);
        /* Formatting characters are never printed: unicode_escape() writes their
         * numbers. */
        if (expected < 0 || utf8proc_category(code) == UTF8PROC_CATEGORY_CF) continue;
        char text[8] = {0};
        encode(code, text);
        assert_int_equal(unicode_width(text), expected);
        compared++;
    }
    setlocale(LC_CTYPE, "C");
    assert_true(compared > 200000);
}

static void widths_are_in_cells(void **state) {
    static const struct {
        const char *text;
        int cells;
    } cases[] = {
        {"", 0},
        {"abc", 3},
        {"한글", 4},
        {"\u1112\u1161\u11ab", 2},
        {"e\u0301", 1},
        {"ㅋㅋ", 4},
        {"漢字", 4},
        {"α·─★", 4},
        {"\U0001F1F0\U0001F1F7", 2},
        {"\U0001FAE8", 2},
        {"\xFF", 1},
        {"\u2764\uFE0F", 1},
        {"1\uFE0F\u20E3", 1},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++)
        assert_int_equal(unicode_width(cases[i].text), cases[i].cells);
}

static void a_grapheme_is_what_readers_see_as_one_character(void **state) {
    static const char *const letters[] = {
        "a",
        "나",
        "\u1112\u1161\u11ab",
        "e\u0301",
        "\r\n",
        "\xEB\x82",
        "\U0001F1F0\U0001F1F7",                       /* a flag */
        "\U0001F468\u200D\U0001F469\u200D\U0001F467", /* a family */
        "\U0001F44D\U0001F3FD",                       /* a skin tone */
        "1\uFE0F\u20E3",                              /* a keycap */
        "\u2764\uFE0F\u200D\U0001F525",
    };
    (void)state;
    assert_int_equal(unicode_grapheme(""), 0);
    for (size_t i = 0; i < COUNT(letters); i++) {
        int length = (int)strlen(letters[i]);
        assert_int_equal(unicode_grapheme(letters[i]), length);
        const char *more = arena_print(&arena, "%sx", letters[i]);
        assert_int_equal(unicode_grapheme(more), length);
    }
}

static void what_is_unsafe_to_print_is_written_out(void **state) {
    static const struct {
        const char *text, *escaped;
    } cases[] = {
        {"나는 a student.", "나는 a student."},
        {"\x1B[31m", "<1B>[31m"},
        {"a\nb\tc\r\x7F", "a<0A>b<09>c<0D><7F>"},
        {"\xC2\x9B", "<U+009B>"},
        {"\u202E\u202A\u2066\u2069", "<U+202E><U+202A><U+2066><U+2069>"},
        {"a\u200Bb\uFEFF\u2028\u2029", "a<U+200B>b<U+FEFF><U+2028><U+2029>"},
        {"\u200E\u200F\u200C\u061C", "<U+200E><U+200F><U+200C><U+061C>"},
        {"\xEB\x82", "<EB 82>"},
        {"\x98\xEB", "<98 EB>"},
        {"나\xEB\x82는", "나<EB 82>는"},
        {"\x1B\xFF", "<1B><FF>"},
        {"a\u200Db", "a<U+200D>b"}, /* a joiner outside an emoji */
        {"\u200D\U0001F525", "<U+200D>\U0001F525"},
        {"\U0001F525\u200D", "\U0001F525<U+200D>"},
        {"\U0001F525\u200D\u200D\U0001F525", "\U0001F525<U+200D><U+200D>\U0001F525"},
        {"\U0001F525\uFE0F\uFE0F\u200D\U0001F525",
         "\U0001F525\uFE0F<U+FE0F><U+200D>\U0001F525"},
        {"a\uFE0F", "a<U+FE0F>"},
        {"1\uFE0F", "1<U+FE0F>"},
        {"\u0131\uFE0F\u20E3", "\u0131<U+FE0F>\u20E3"},
        {"\U000E0041", "<U+E0041>"},
        {"a\U000E0101\u034F\u3164",
         "a<U+E0101><U+034F><U+3164>"}, /* they are invisible */
        {"\U0001F468\u200D\U0001F469\u200D\U0001F467",
         "\U0001F468\u200D\U0001F469\u200D\U0001F467"},
        {"\u2764\uFE0F\u200D\U0001F525", "\u2764\uFE0F\u200D\U0001F525"},
        {"\U0001F469\U0001F3FD\u200D\U0001F680",
         "\U0001F469\U0001F3FD\u200D\U0001F680"},
        {"1\uFE0F\u20E3", "1\uFE0F\u20E3"},
        {"\U0001F1F0\U0001F1F7", "\U0001F1F0\U0001F1F7"},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++)
        assert_string_equal(
            unicode_escape(cases[i].text, strlen(cases[i].text), &arena),
            cases[i].escaped);
    assert_string_equal(unicode_escape("a\0b", 3, &arena), "a<00>b");
    assert_string_equal(unicode_escape("", 0, &arena), "");
}

static bool may_be_printed(int code) {
    if (code < 0x20 || (code >= 0x7F && code <= 0x9F)) return false;
    if (code == 0x2028 || code == 0x2029 || code == 0xFEFF) return false;
    if (code >= 0x200B && code <= 0x200F) return code == 0x200D;
    if (code >= 0x202A && code <= 0x202E) return false;
    return code < 0x2066 || code > 0x2069;
}

static void no_bytes_get_through_that_would_move_other_text(void **state) {
    (void)state;
    Random random = random_new(3);
    for (int i = 0; i < 50000; i++) {
        char text[64];
        int size = random_below(&random, 60);
        for (int k = 0; k < size; k++) text[k] = (char)random_below(&random, 256);
        for (int k = 0; k + 3 < size; k += 8)
            encode(0x2000 + random_below(&random, 0x70), text + k);
        const char *escaped = unicode_escape(text, (size_t)size, &arena);
        for (int length; *escaped; escaped += length) {
            int code = unicode_decode(escaped, strlen(escaped), &length);
            assert_true(code != 0xFFFD || (unsigned char)*escaped == 0xEF);
            assert_true(may_be_printed(code) && code != 0x200D);
        }
        arena_reset(&arena);
    }
}

static void cutting_never_splits_a_letter(void **state) {
    (void)state;
    assert_string_equal(unicode_cut("나는 학생", 9, &arena), "나는 학생");
    assert_string_equal(unicode_cut("나는 학생", 8, &arena), "나는 학…");
    assert_string_equal(unicode_cut("나는 학생", 7, &arena), "나는 …");
    assert_string_equal(unicode_cut("나는", 1, &arena), "…");
    assert_string_equal(unicode_cut("나는", 0, &arena), "");
    assert_string_equal(unicode_pad("나는", 6, false, &arena), "나는  ");
    assert_string_equal(unicode_pad("나는", 6, true, &arena), "  나는");
    assert_string_equal(unicode_pad("나는", 4, true, &arena), "나는");
    assert_string_equal(unicode_pad("나는", 3, true, &arena), "나…");
    assert_string_equal(unicode_pad("나는", 2, true, &arena), " …");
    Random random = random_new(4);
    for (int i = 0; i < 20000; i++) {
        char text[200];
        random_text(&random, text, 30);
        int cells = random_below(&random, 20);
        const char *cut = unicode_cut(text, cells, &arena);
        const char *padded = unicode_pad(text, cells, i % 2, &arena);
        assert_true(unicode_width(cut) <= cells);
        assert_int_equal(unicode_width(padded), cells);
        if (strcmp(cut, text) != 0 && cells > 0) {
            size_t kept = strlen(cut) - strlen("…");
            size_t border = 0;
            while (border < kept) border += (size_t)unicode_grapheme(text + border);
            assert_int_equal(border, kept);
            assert_memory_equal(cut, text, kept);
        }
        arena_reset(&arena);
    }
}

#define TEST(name) cmocka_unit_test_teardown(name, reset)

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(width_agrees_with_the_c_library),
        TEST(widths_are_in_cells),
        TEST(a_grapheme_is_what_readers_see_as_one_character),
        TEST(what_is_unsafe_to_print_is_written_out),
        TEST(no_bytes_get_through_that_would_move_other_text),
        TEST(cutting_never_splits_a_letter),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
