/* Different ways to write a right answer, and answers that are almost right:
 * judge_rows.txt. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/builder.h"
#include "base/file.h"
#include "lesson/judge.h"

#include <cmocka.h> /* last: it has a macro named fail */

enum { LIMIT = 1 << 20, CASES_MIN = 120, KOREAN_CASES_MIN = 60 };

static const char *const pieces[] = {"준호는", "·오늘", "·도서관", "에서", "·책",
                                     "을",     "·읽",   "었다",    ".",    "<end>"};

static Arena arena;
static int seen[2][2]; /* right and other rows, English and Korean */

static Quiz read_question(const char *block) {
    Findings findings = {.arena = &arena};
    Quiz question = {0};
    block = arena_print(&arena, "%shint: Divide.\nwhy: By definition.\n", block);
    if (!question_read(&question, block, 1, &findings))
        fail_msg("%s: %s", block, findings.finding[0].text);
    return question;
}

static bool is_korean(const char *text) {
    for (; *text; text++)
        if ((unsigned char)*text >= 0x80) return true;
    return false;
}

static void check_row(const Quiz *question, char kind, const char *row,
                      const AtHand *at_hand) {
    static const char arrow[] = " => ";
    const char *found = strstr(row, arrow);
    const char *typed =
        arena_copy(&arena, row, found ? (size_t)(found - row) : strlen(row));
    const char *expected = found ? found + strlen(arrow) : "";
    Verdict verdict = kind == '+'   ? JUDGED_RIGHT
                      : kind == '-' ? JUDGED_WRONG
                                    : JUDGED_NO_ANSWER;
    Judgement judgement;
    Error error;
    if (!judge(question, typed, at_hand, &judgement, &error))
        fail_msg("%s: %s", typed, error.message);
    const char *reply = judgement.reply ? judgement.reply : "";
    bool fits = *expected ? strncmp(reply, expected, strlen(expected)) == 0
                          : kind == '+' || !*reply;
    if (judgement.verdict == verdict && fits) return;
    print_error("%s\n  %c %s: judged %c, '%s'\n", question->ask, kind, typed,
                "+-?"[judgement.verdict], reply);
    seen[0][0] = -LIMIT;
}

static void every_row_is_judged_so(void **state) {
    (void)state;
    Bytes rows;
    Error error;
    Tape tape = {0};
    Builder block = {.arena = &arena};
    Quiz question;
    bool is_read = false;
    enum { PIECES = sizeof pieces / sizeof *pieces };
    tape_given(
        &tape, "ids", 1,
        &(Axis){.name = "source", .size = PIECES, .labels = pieces, .label_rows = 1});
    const AtHand at_hand = {.record.run = &tape, .arena = &arena};
    if (!file_read("tests/units/judge_rows.txt", LIMIT, &arena, &rows, &error))
        fail_msg("%s", error.message);
    while (rows.size) {
        const char *line = file_line(&rows, &arena);
        if (!*line || *line == '#') {
            block = (Builder){.arena = &arena};
            is_read = false;
        } else if (!strchr("+-?", *line)) {
            build(&block, "%s\n", line);
        } else {
            if (!is_read) question = read_question(builder_text(&block));
            is_read = true;
            seen[*line != '+'][is_korean(question.ask)]++;
            check_row(&question, *line, line + strlen("+ "), &at_hand);
        }
    }
    for (int kind = 0; kind < 2; kind++) {
        assert_true(seen[kind][1] >= KOREAN_CASES_MIN);
        assert_true(seen[kind][0] + seen[kind][1] >= CASES_MIN);
    }
    arena_free(&tape.arena);
    arena_free(&arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_row_is_judged_so),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
