/* Lessons as text: Markdown, questions, expected and computed output. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "lesson/expect.h"
#include "lesson/judge.h"
#include "lesson/markdown.h"

#include <cmocka.h> /* last: it has a macro named fail */

static bool agrees(const char *expected, const char *printed) {
    Arena arena = {0};
    Parting parting;
    bool same = expect_same(expected, printed, &arena, &parting);
    arena_free(&arena);
    return same;
}

static void expected_lines_match_the_output(void **state) {
    (void)state;
    assert_true(agrees("a\nb\n", "a\nb\n"));
    assert_true(agrees("a\nb\n", "\n\na  \n\n\nb\n\n"));
    assert_true(agrees("...\nb\n", "x\ny\nb\n"));
    assert_true(agrees("...\n", ""));
    assert_true(agrees("a ... c\n", "a b b c\n"));
    assert_true(agrees("...\nb\n...\n", "b\n"));
    assert_true(agrees("b\n...\nd\n", "b\nc\nb\nd\n"));
    assert_false(agrees("a\n", "a\nb\n"));
    assert_false(agrees("", "a\n"));
    assert_false(agrees("a\n", ""));
    assert_false(agrees("...\nb\n", "a\nc\n"));
}

static const char *instead(const char *expected, const char *printed, Arena *arena) {
    Parting parting;
    assert_false(expect_same(expected, printed, arena, &parting));
    return parting.printed;
}

static void a_difference_shows_the_line_printed_instead(void **state) {
    (void)state;
    Arena arena = {0};
    static const char printed[] =
        "\nhead\n\n  Two dogs were chased.     92% each\nend\n";
    assert_string_equal(
        instead("...\nTwo dogs were chasing.     92% each\n", printed, &arena),
        "  Two dogs were chased.     92% each");
    assert_string_equal(
        instead("head\n...\n  Two dogs are…\n  ...\nend\n", printed, &arena),
        "  Two dogs were chased.     92% each");
    assert_null(instead("...\nnone\n...\n  Two ...\nhead\nend\n", printed, &arena));
    arena_free(&arena);
}

static void the_last_digit_may_be_one_off(void **state) {
    (void)state;
    assert_true(agrees("sum 0.87\n", "sum 0.88\n"));
    assert_true(agrees("-1.00 2.5\n", "-1.01 2.4\n"));
    assert_true(agrees("-0.00\n", "0.01\n"));
    assert_false(agrees("0.87\n", "0.89\n"));
    assert_false(agrees("0.87\n", "0.870\n"));
    assert_true(agrees("a =   0.92119\n", "a =  0.921191\n"));
    assert_false(agrees("0.92119\n", "0.921211\n"));
    assert_false(agrees("87\n", "88\n"));
}

static void many_dots_take_no_time(void **state) {
    (void)state;
    char expected[400] = "";
    char printed[4000] = "";
    for (int i = 0; i < 60; i++) strcat(expected, "...a");
    strcat(expected, "b");
    memset(printed, 'a', sizeof printed - 1);
    assert_false(agrees(expected, printed));
    char lines[1000] = "";
    for (int i = 0; i < 100; i++) strcat(lines, "...\na\n");
    strcat(lines, "b\n");
    for (int i = 0; i + 1 < (int)sizeof printed - 1; i += 2)
        memcpy(printed + i, "a\n", 2);
    assert_false(agrees(lines, printed));
}

static const char *read_block(const char *text, Quiz *question, Arena *arena) {
    Findings findings = {.arena = arena};
    question_read(question, text, 10, &findings);
    const char *found = "";
    for (int f = 0; f < findings.count; f++)
        found = arena_print(arena, "%s%d: %s\n", found, findings.finding[f].line,
                            findings.finding[f].text);
    return found;
}

static void a_question_is_read(void **state) {
    (void)state;
    Arena arena = {0};
    Quiz question;
    const char *found =
        read_block("ask: Which key,\n  of these?\nwrong: a -- no\nright: b\n"
                   "hint: Look.\nwhy: So.\n",
                   &question, &arena);
    assert_string_equal(found, "");
    assert_string_equal(question.ask, "Which key, of these?");
    assert_int_equal(question.choices, 2);
    assert_string_equal(question.choice[0].reply, "no");
    assert_true(question.choice[1].is_right);
    found = read_block("ask: a\nright: b\nhint: c\nwhy: d\n", &question, &arena);
    assert_string_equal(found, "10: no choice is wrong\n");
    found = read_block("ask: a\n\nnumbr: 1\nhint: c\nwhy: d\n", &question, &arena);
    assert_non_null(
        strstr(found, "12: a question has no \"numbr:\"; did you mean number"));
    found = read_block("ask: a\nnumber: 1 +- x\nhint: c\nwhy: d\n", &question, &arena);
    assert_non_null(strstr(found, "11: 'x'"));
    found =
        read_block("ask: a\ntext: 1\ntoken: 2\nhint: c\nwhy: d\n", &question, &arena);
    assert_non_null(strstr(found, "12: \"token:\" asks for another kind"));
    arena_free(&arena);
}

static Verdict judged(const char *block, const char *typed) {
    Arena arena = {0};
    Quiz question;
    Error error;
    Judgement judgement;
    const AtHand at_hand = {.answer = "I met a friend.", .arena = &arena};
    assert_string_equal(
        read_block(arena_print(&arena, "ask: a\n%shint: c\nwhy: d\n", block), &question,
                   &arena),
        "");
    assert_true(judge(&question, typed, &at_hand, &judgement, &error));
    arena_free(&arena);
    return judgement.verdict;
}

static void right_answers_are_accepted(void **state) {
    (void)state;
    static const char choice[] = "wrong: the row\nright: `the` column\n";
    assert_int_equal(judged(choice, "2"), JUDGED_RIGHT);
    assert_int_equal(judged(choice, " 2) "), JUDGED_RIGHT);
    assert_int_equal(judged(choice, "The column."), JUDGED_RIGHT);
    assert_int_equal(judged(choice, "(2)"), JUDGED_RIGHT);
    assert_int_equal(judged(choice, "2번"), JUDGED_RIGHT);
    assert_int_equal(judged(choice, "②"), JUDGED_RIGHT);
    assert_int_equal(judged(choice, "1"), JUDGED_WRONG);
    assert_int_equal(judged(choice, "3"), JUDGED_NO_ANSWER);
    assert_int_equal(judged(choice, "column"), JUDGED_NO_ANSWER);
    static const char number[] = "number: 0.874\n";
    assert_int_equal(judged(number, "0.87"), JUDGED_RIGHT);
    assert_int_equal(judged(number, "0,87"), JUDGED_RIGHT);
    assert_int_equal(judged(number, "87 %"), JUDGED_RIGHT);
    assert_int_equal(judged(number, "7/8"), JUDGED_RIGHT);
    assert_int_equal(judged(number, "0.9"), JUDGED_WRONG);
    assert_int_equal(judged(number, "much"), JUDGED_NO_ANSWER);
    assert_int_equal(judged("number: 4\n", "4.0"), JUDGED_RIGHT);
    assert_int_equal(judged("number: 4\n", "4.1"), JUDGED_WRONG);
    assert_int_equal(judged("number: 66\n", "66칸"), JUDGED_RIGHT);
    assert_int_equal(judged("number: 66\n", "66 tokens"), JUDGED_RIGHT);
    assert_int_equal(judged("number: 66\n", "12*11/2"), JUDGED_RIGHT);
    assert_int_equal(judged("number: -inf\n", "-inf"), JUDGED_RIGHT);
    assert_int_equal(judged("text: soft max | 소프트맥스\n", "soft-max."),
                     JUDGED_RIGHT);
    assert_int_equal(judged("text: soft max | 소프트맥스\n", "Softmax"), JUDGED_RIGHT);
    assert_int_equal(judged("text: soft max | 소프트맥스\n", "소프트 맥스"),
                     JUDGED_RIGHT);
    assert_int_equal(judged("text: = answer\n", "i met a friend."), JUDGED_RIGHT);
    assert_int_equal(judged("token: ·부산\n", "부산"), JUDGED_RIGHT);
    assert_int_equal(judged("true: answer = I met a friend.\nanswer: :undo\n", NULL),
                     JUDGED_RIGHT);
    assert_int_equal(judged("true: answer != I met a friend.\nanswer: :undo\n", NULL),
                     JUDGED_WRONG);
}

static void markdown_knows_its_lines(void **state) {
    (void)state;
    static const char text[] =
        "# A *title*\n\nSome `code` and\nmore.\n\n- one\n- two\n\n"
        "```glassbox\n> a\n```\n\n| a | b |\n|---|---|\n| 1 | 2 |\n";
    Arena arena = {0};
    Markdown markdown;
    Error error;
    assert_true(
        markdown_read(&markdown, (Bytes){text, strlen(text)}, 1, &arena, &error));
    static const PassageKind kinds[] = {PASSAGE_HEADING, PASSAGE_PROSE, PASSAGE_ITEM,
                                        PASSAGE_ITEM,    PASSAGE_CODE,  PASSAGE_ROW,
                                        PASSAGE_ROW};
    static const int lines[] = {1, 3, 6, 7, 9, 13, 15};
    assert_int_equal(markdown.count, 7);
    for (int p = 0; p < markdown.count; p++) {
        assert_int_equal(markdown.part[p].kind, kinds[p]);
        assert_int_equal(markdown.part[p].line, lines[p]);
    }
    assert_string_equal(words_plain(&markdown.part[1].words, &arena),
                        "Some `code` and more.");
    assert_string_equal(markdown.part[4].info, "glassbox");
    assert_string_equal(markdown.part[4].text, "> a\n");
    assert_string_equal(words_plain(&markdown.part[6].cell[1], &arena), "2");
    arena_free(&arena);
}

static void check_span(const Span *span, SpanKind kind, const char *text,
                       const char *target) {
    assert_int_equal(span->kind, kind);
    assert_string_equal(span->text, text);
    if (target)
        assert_string_equal(span->target, target);
    else
        assert_null(span->target);
}

static void marks_around_text_continue_after_it(void **state) {
    (void)state;
    static const char text[] = "**a `b` c** d [e `f` g](h.md) i";
    Arena arena = {0};
    Markdown markdown;
    Error error;
    assert_true(
        markdown_read(&markdown, (Bytes){text, strlen(text)}, 1, &arena, &error));
    assert_int_equal(markdown.count, 1);
    const Words *words = &markdown.part[0].words;
    assert_int_equal(words->count, 8);
    check_span(&words->span[0], SPAN_STRONG, "a ", NULL);
    check_span(&words->span[1], SPAN_CODE, "b", NULL);
    check_span(&words->span[2], SPAN_STRONG, " c", NULL);
    check_span(&words->span[3], SPAN_TEXT, " d ", NULL);
    check_span(&words->span[4], SPAN_LINK, "e ", "h.md");
    check_span(&words->span[5], SPAN_CODE, "f", "h.md");
    check_span(&words->span[6], SPAN_LINK, " g", "h.md");
    check_span(&words->span[7], SPAN_TEXT, " i", NULL);
    arena_free(&arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(expected_lines_match_the_output),
        cmocka_unit_test(a_difference_shows_the_line_printed_instead),
        cmocka_unit_test(the_last_digit_may_be_one_off),
        cmocka_unit_test(many_dots_take_no_time),
        cmocka_unit_test(a_question_is_read),
        cmocka_unit_test(right_answers_are_accepted),
        cmocka_unit_test(markdown_knows_its_lines),
        cmocka_unit_test(marks_around_text_continue_after_it),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
