/* Compared with published values, and some that can be computed manually. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "learn/bleu.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))

static void check_near(double found, double expected, double tolerance,
                       const char *what) {
    if (fabs(found - expected) <= tolerance) return;
    fail_msg("%s: found %.9f, expected %.9f", what, found, expected);
}

static double score_of(const char *said, const char *expected) {
    Bleu bleu = {0};
    bleu_add(&bleu, said, expected);
    return bleu_score(&bleu);
}

/* sacreBLEU's tests (test/test_bleu.py in its repository): the statistics of
 * test_case_scoring, and those of the example in its README: 82.4/50.0/45.5/37.5,
 * hyp_len 17, ref_len 18. Its example has two references, so only the counts can be
 * used. */
static void scores_are_those_that_sacrebleu_publishes(void **state) {
    (void)state;
    static const struct {
        const char *name;
        Bleu bleu;
        double score;
    } cases[] = {
        {"test_case_scoring",
         {.right = {9, 7, 5, 3}, .runs = {10, 8, 6, 4}, .said = 11, .expected = 11},
         83.75922397},
        {"README",
         {.right = {14, 7, 5, 3}, .runs = {17, 14, 11, 8}, .said = 17, .expected = 18},
         48.530827},
    };
    for (size_t i = 0; i < COUNT(cases); i++)
        check_near(bleu_score(&cases[i].bleu), cases[i].score, 1e-6, cases[i].name);
}

/* Counted manually. */
static void runs_count_once_for_each_in_the_reference(void **state) {
    (void)state;
    Bleu bleu = {0};
    bleu_add(&bleu, "the the the cat sat", "the cat and the dog sat");
    static const long long right[] = {4, 1, 0, 0}; /* the the cat sat; the cat */
    static const long long runs[] = {5, 4, 3, 2};
    for (int i = 0; i < BLEU_LONGEST; i++) {
        assert_int_equal(bleu.right[i], right[i]);
        assert_int_equal(bleu.runs[i], runs[i]);
    }
    assert_int_equal(bleu.said, 5);
    assert_int_equal(bleu.expected, 6);
}

static void scores_equal_manual_calculations(void **state) {
    (void)state;
    /* 3/4, 2/3, 1/2 and, smoothed, 1/2 of 1: (1/8)^(1/4) */
    check_near(score_of("this is a fest", "this is a test"), 100 * pow(1.0 / 8, 0.25),
               1e-9, "one word wrong");
    /* All correct, but 4 of 6 words: exp(1 - 6/4). */
    check_near(score_of("I met a friend", "I met a friend of mine"), 100 * exp(-0.5),
               1e-9, "too short");
    /* 4/6, 3/5, 2/4, 1/3, and no reward for being longer. */
    check_near(score_of("I met a friend of mine", "I met a friend"),
               100 * pow(4.0 / 6 * 3 / 5 * 2 / 4 * 1 / 3, 0.25), 1e-9, "too long");
    /* 2/4; 0 of 3, 2 and 1 count as 1/2, 1/4 and 1/8. */
    check_near(score_of("b x a y", "a c b d"),
               100 * pow(2.0 / 4 * (1.0 / 2 / 3) * (1.0 / 4 / 2) * (1.0 / 8), 0.25),
               1e-9, "no two together");
    check_near(score_of("나는 친구를 만났다.", "나는 친구를 만났다."), 100, 1e-9,
               "the same");
}

static void nothing_right_and_too_few_words_give_zero(void **state) {
    (void)state;
    check_near(score_of("a b c d", "e f g h"), 0, 0, "nothing right");
    check_near(score_of("", "a b c d"), 0, 0, "nothing said");
    check_near(score_of("good day.", "good day."), 0, 0, "three words");
    check_near(bleu_score(&(Bleu){0}), 0, 0, "no sentence");
}

static void a_corpus_is_the_sum_of_its_counts(void **state) {
    (void)state;
    Bleu whole = {0};
    Bleu first = {0};
    Bleu second = {0};
    bleu_add(&whole, "this is a fest", "this is a test");
    bleu_add(&whole, "good day.", "good day.");
    bleu_add(&first, "good day.", "good day.");
    bleu_add(&second, "this is a fest", "this is a test");
    bleu_join(&first, &second);
    assert_memory_equal(&whole, &first, sizeof whole);
    /* (3+3)/(4+3), (2+2)/(3+2), (1+1)/(2+1), 0/1 */
    check_near(bleu_score(&whole), 100 * pow(6.0 / 7 * 4 / 5 * 2 / 3 * 1 / 2, 0.25),
               1e-9, "two sentences");
}

/* According to the rules of "13a"; checked manually. */
static void words_are_split_as_in_13a(void **state) {
    (void)state;
    static const struct {
        const char *text, *words;
    } cases[] = {
        {"", ""},
        {"  two   words\t", "two words"},
        {"나는\u3000간다.", "나는 간다 ."},
        {"It wasn't well-known, no?", "It wasn't well-known , no ?"},
        {"3.14 and 1,000.", "3.14 and 1,000 ."},
        {"in 1990-2000", "in 1990 - 2000"},
        {".5 and 5.", ". 5 and 5 ."},
        {"wait...", "wait . . ."},
        {"A.B.", "A . B ."},
        {"(a/b) [c] {d} <e>", "( a / b ) [ c ] { d } < e >"},
        {"&quot;a&quot; &amp;lt; <skipped>b", "\" a \" < b"},
        {"50% of $3 #1 a@b x=y", "50 % of $ 3 # 1 a @ b x = y"},
        {"그래,그럼", "그래 , 그럼"},
    };
    Arena arena = {0};
    for (size_t i = 0; i < COUNT(cases); i++)
        assert_string_equal(bleu_words(cases[i].text, &arena), cases[i].words);
    arena_free(&arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(scores_are_those_that_sacrebleu_publishes),
        cmocka_unit_test(runs_count_once_for_each_in_the_reference),
        cmocka_unit_test(scores_equal_manual_calculations),
        cmocka_unit_test(nothing_right_and_too_few_words_give_zero),
        cmocka_unit_test(a_corpus_is_the_sum_of_its_counts),
        cmocka_unit_test(words_are_split_as_in_13a),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
