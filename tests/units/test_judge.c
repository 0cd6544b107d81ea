/* Ways to write a right answer, and answers that miss it narrowly. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "lesson/judge.h"

#include <cmocka.h> /* last: it has a macro named fail */

/* Questions, as their blocks say them. */
static const char HEADS[] = "ask: How wide?\nnumber: 153600\n"
                            "wrong: 96 -- That is one row.\n"
                            "wrong: 1600 -- That is the number of rows.\n";
static const char SHARE[] = "ask: Which share?\nnumber: 0.2041\n"
                            "wrong: 4.899 -- That is the root; divide by it.\n";
static const char LOSS[] = "ask: Which loss?\nnumber: 1.140\n"
                           "wrong: 0.495 -- That is the logarithm to base 10.\n"
                           "wrong: 1.645 -- That is the logarithm to base 2.\n";
static const char SCORE[] = "ask: Which score?\nnumber: -6.9282\n";
static const char ANGLE[] = "ask: Which sine?\nnumber: 0.8415\n"
                            "wrong: 0.01745 -- That is the sine of one degree.\n";
static const char MASKED[] = "ask: Which score?\nnumber: -inf\n";
static const char COUNT[] = "ask: How many?\nnumber: 3\n";
static const char PERCENT[] = "ask: How much?\nnumber: 0.87\n";
static const char BYTES[] = "ask: Which bytes?\ntext: ea b3 bc\n";
static const char NUMBERS[] = "ask: How many?\nwrong: 1 -- Too few.\nright: 3\n"
                              "wrong: 2 -- Not all.\n";
static const char WORDS[] =
    "ask: Which?\nwrong: the query -- It asks.\nright: the key\n"
    "wrong: the value -- It is carried on.\n";
static const char DIGITS[] = "ask: Who?\nwrong: 9.6 times, twice -- No.\n"
                             "right: 4.8 times, as before\n"
                             "right: Nobody: each row is alone\n";
static const char TEXT[] = "ask: Which norm?\ntext: pre-norm | pre norm\n";

typedef struct {
    const char *question, *typed;
    const char *reply; /* begins so; NULL: any, or none */
} Row;

static const Row right[] = {
    {HEADS, "153600", 0},
    {HEADS, "153,600", 0},
    {HEADS, "153 600", 0},
    {HEADS, "153.600", 0},
    {HEADS, "1600*96", 0},
    {HEADS, "1600 × 96", 0},
    {HEADS, "153600.0", 0},
    {HEADS, "153,600 numbers", 0},
    {HEADS, "153,600개", 0},
    {HEADS, "1.536e5", 0},
    {SHARE, "0.2041", 0},
    {SHARE, "0,2041", 0},
    {SHARE, ".204", 0},
    {SHARE, "20.41 %", 0},
    {SHARE, "20.4%", 0},
    {SHARE, "1/√24", 0},
    {SHARE, "1/sqrt(24)", 0},
    {SHARE, "1 / sqrt 24", 0},
    {SHARE, "24^-0.5", 0},
    {LOSS, "1.140", 0},
    {LOSS, "1,140", 0},
    {LOSS, "1.14", 0},
    {LOSS, "-ln(0.32)", 0},
    {SCORE, "-6.93", 0},
    {SCORE, "\u22126.9282", 0},
    {SCORE, "\u20136,93", 0},
    {SCORE, "-sqrt(48)", 0},
    {SCORE, "-√48", 0},
    {MASKED, "-inf", 0},
    {MASKED, "\u2212∞", 0},
    {COUNT, "3", 0},
    {COUNT, "3 heads", 0},
    {COUNT, "3개", 0},
    {COUNT, "6/2", 0},
    {PERCENT, "87 %", 0},
    {COUNT, "three", 0},
    {COUNT, "셋", 0},
    {COUNT, "세 개", 0},
    {COUNT, "３", 0},
    {COUNT, "heads = 3", 0},
    {COUNT, "답은 3", 0},
    {COUNT, "it is 3", 0},
    {SCORE, "-4√3", 0},
    {SCORE, "it falls by 6.93", 0},
    {SCORE, "6.93 less", 0},
    {DIGITS, "Nobody, each row is alone", 0},
    {HEADS, "1600 x 96", 0},
    {HEADS, "=1600*96", 0},
    {HEADS, "153.6k", 0},
    {HEADS, "십오만 삼천육백", 0},
    {SHARE, "20.4퍼센트", 0},
    {SHARE, "약 0.204", 0},
    {SHARE, "1/root(24)", 0},
    {SHARE, "24**-0.5", 0},
    {SHARE, "49분의 10", 0},
    {LOSS, "-log(0.32)", 0},
    {LOSS, "≈ 1.140", 0},
    {PERCENT, "e^-0.139", 0},
    {PERCENT, "e^2/(e+1+e^2) + 0.205", 0},
    {SCORE, "minus 6.93", 0},
    {BYTES, "EA:B3:BC", 0},
    {BYTES, "<EA B3> <BC>", 0},
    {BYTES, "EA B3 BC", 0},
    {BYTES, "0xEA 0xB3 0xBC", 0},
    {BYTES, "eab3bc", 0},
    {NUMBERS, "b", 0},
    {NUMBERS, "3", 0},
    {NUMBERS, "(b)", 0},
    {NUMBERS, "②", 0},
    {WORDS, "B)", 0},
    {WORDS, "2", 0},
    {WORDS, "2번", 0},
    {WORDS, "b번", 0},
    {WORDS, "The Key.", 0},
    {WORDS, "answer b", 0},
    {DIGITS, "4.8", 0},
    {DIGITS, "nobody", 0},
    {DIGITS, "Nobody.", 0},
    {TEXT, "Pre-Norm", 0},
    {TEXT, "prenorm", 0},
};

static const char GOES_ON[] = "That is right as far as it goes.";
static const char NUMERAL[] = "Answer with a number.";
static const char CHOICE[] = "Answer with the letter of a choice, a to c";
static const char SIGN[] = "The sign is wrong.";
static const char HUNDRED[] = "It is a hundred times too large";

static const Row wrong[] = {
    {HEADS, "96", "That is one row."},
    {HEADS, "1600", "That is the number of rows."},
    {HEADS, "1,600", "That is the number of rows."},
    {HEADS, "153601", NULL},
    {HEADS, "15,3600", NULL},
    {HEADS, "1536", NULL},
    {HEADS, "-153,600", SIGN},
    {HEADS, "many", NUMERAL},
    {HEADS, "1600*", NUMERAL},
    {HEADS, "153,600,", NUMERAL},
    {HEADS, "0", NULL},
    {LOSS, "1.1", GOES_ON},
    {LOSS, "1.12", NULL},
    {SHARE, "4.899", "That is the root"},
    {SHARE, "√24", "That is the root"},
    {SHARE, "-0.2041", SIGN},
    {SHARE, "20.41", HUNDRED},
    {SHARE, "0.2041 %", NULL},
    {SHARE, "1/24", NULL},
    {SHARE, "0.22", NULL},
    {SHARE, "sqrt", NUMERAL},
    {LOSS, "0.495", "That is the logarithm to base 10."},
    {LOSS, "1.645", "That is the logarithm to base 2."},
    {LOSS, "1,645", "That is the logarithm to base 2."},
    {LOSS, "-1.140", SIGN},
    {LOSS, "ln(0.32)", SIGN},
    {LOSS, "11.4", NULL},
    {SCORE, "6.9282", SIGN},
    {SCORE, "√48", SIGN},
    {SCORE, "-48", NULL},
    {ANGLE, "0.01745", "That is the sine of one degree."},
    {ANGLE, "-0.8415", SIGN},
    {MASKED, "inf", SIGN},
    {MASKED, "0", NULL},
    {MASKED, "-1000000000", NULL},
    {COUNT, "-3", SIGN},
    {COUNT, "3.5", NULL},
    {COUNT, "heads", NUMERAL},
    {COUNT, "1/0", NULL},
    {COUNT, "3 4", NUMERAL},
    {PERCENT, "87", HUNDRED},
    {PERCENT, "0.87 %", NULL},
    {BYTES, "bc b3 ea", NULL},
    {BYTES, "ea b3", NULL},
    {NUMBERS, "1", "a) 1 -- Too few."},
    {NUMBERS, "2", "c) 2 -- Not all."},
    {NUMBERS, "c", "c) 2 -- Not all."},
    {NUMBERS, "4", CHOICE},
    {NUMBERS, "3번", CHOICE},
    {NUMBERS, "d", CHOICE},
    {WORDS, "1", "a) the query -- It asks."},
    {WORDS, "the value", "c) the value -- It is carried on."},
    {WORDS, "key", CHOICE},
    {TEXT, "post-norm", NULL},
};

static Judgement judged(const Row *row, Arena *arena) {
    Error error = {0};
    Findings findings = {.arena = arena};
    const AtHand at_hand = {.arena = arena};
    Judgement judgement = {0};
    Quiz question = {0};
    const char *block =
        arena_print(arena, "%shint: Divide.\nwhy: By definition.\n", row->question);
    if (!question_read(&question, block, 1, &findings))
        fail_msg("%s: %s", row->question, findings.finding[0].text);
    if (!judge(&question, row->typed, &at_hand, &judgement, &error))
        fail_msg("%s: %s", row->typed, error.message);
    return judgement;
}

static void forty_ways_are_right(void **state) {
    (void)state;
    Arena arena = {0};
    for (size_t r = 0; r < sizeof right / sizeof *right; r++)
        if (judged(&right[r], &arena).verdict != JUDGED_RIGHT)
            fail_msg("'%s' is refused: %s", right[r].typed, right[r].question);
    arena_free(&arena);
}

static void forty_misses_get_their_reply(void **state) {
    (void)state;
    Arena arena = {0};
    for (size_t r = 0; r < sizeof wrong / sizeof *wrong; r++) {
        const Row *row = &wrong[r];
        Judgement judgement = judged(row, &arena);
        const char *reply = judgement.reply ? judgement.reply : "";
        if (judgement.verdict == JUDGED_RIGHT)
            fail_msg("'%s' is taken: %s", row->typed, row->question);
        if (row->reply ? strncmp(reply, row->reply, strlen(row->reply)) != 0 : *reply)
            fail_msg("'%s' gets '%s': %s", row->typed, reply, row->question);
        bool is_none = row->reply == NUMERAL || row->reply == CHOICE;
        assert_int_equal(judgement.verdict, is_none ? JUDGED_NO_ANSWER : JUDGED_WRONG);
    }
    arena_free(&arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(forty_ways_are_right),
        cmocka_unit_test(forty_misses_get_their_reply),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
