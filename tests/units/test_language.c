/* Korean particles follow the sound of the text before them; sentences without a
 * translation stay as they are. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "base/language.h"

#include <cmocka.h>

static const struct {
    const char *given, *expected;
} cases[] = {
    {"모델{은/는} 큽니다", "모델은 큽니다"},
    {"헤드{은/는} 넷입니다", "헤드는 넷입니다"},
    {"토큰{이/가} 둘", "토큰이 둘"},
    {"친구{을/를} 만났다", "친구를 만났다"},
    {"부산{으로/로}", "부산으로"},
    {"서울{으로/로}", "서울로"},
    {"서울{을/를}", "서울을"},
    {"학교{으로/로}", "학교로"},
    {"값 3{은/는}", "값 3은"},
    {"값 4{은/는}", "값 4는"},
    {"값 7{으로/로}", "값 7로"},
    {"0.90{이/가}", "0.90이"},
    {"93 %{이/가}", "93 %가"},
    {"\"친구\"{을/를}", "\"친구\"를"},
    {"<end>{을/를}", "<end>를"},
    {"token{은/는}", "token은"},
    {"label{으로/로}", "label로"},
    {"padding{이/가}", "padding이"},
    {"tag{이/가}", "tag가"},
    {"L{이/가}", "L이"},
    {"R{으로/로}", "R로"},
    {"layer{을/를}", "layer를"},
    {"a.png{을/를}", "a.png를"},
    {"a.npz{이/가}", "a.npz가"},
    {"map{은/는}", "map은"},
    {"What{은/는}", "What은"},
    {"logit{이/가}", "logit이"},
    {"heat{을/를}", "heat를"},
    {"weight{을/를}", "weight를"},
    {"apple{으로/로}", "apple로"},
    {"'apple'{이/가}", "'apple'이"},
    {"softmax{은/는}", "softmax는"},
    {"{은/는}", "는"},
    {"{0, 1/2} stays", "{0, 1/2} stays"},
    {"a {brace", "a {brace"},
    {"책{과/와} 친구{과/와}", "책과 친구와"},
    {"{은}", "{은}"},
    {"{", "{"},
};

static void particles_fit(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[64];
        snprintf(text, sizeof text, "%s", cases[i].given);
        language_fit(text);
        assert_string_equal(text, cases[i].expected);
    }
}

static void what_has_no_translation_stays(void **state) {
    (void)state;
    Arena arena = {0};
    language_begin(NULL);
    for (int l = 0; languages[l]; l++) {
        language_choose(l);
        assert_string_equal(trf(&arena, "%d times, never said", 3),
                            "3 times, never said");
        assert_string_equal(tr(""), "");
    }
    language_choose(2);
    assert_string_equal(language_name(), "ko");
    arena_free(&arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(particles_fit),
        cmocka_unit_test(what_has_no_translation_stays),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
