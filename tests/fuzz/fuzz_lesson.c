/* A lesson: read it, make its words safe to print, ask its questions without a model,
 * and compare the expected output of its commands with itself. */
#include "base/language.h"
#include "fuzz.h"
#include "lesson/expect.h"
#include "lesson/judge.h"
#include "lesson/lesson.h"
#include "text/unicode.h"

/* The time of a comparison is proportional to the product of both lengths. */
enum { COMPARED_BYTES_MAX = 2048 };

static void check_text(const char *text, Arena *arena) {
    const char *safe = unicode_escape(text, strlen(text), arena);
    must_be_safe(safe, strlen(safe), false);
}

static void check_words(const Passage *part, Arena *arena) {
    check_text(words_plain(&part->words, arena), arena);
    for (int c = 0; c < part->cells; c++)
        check_text(words_plain(&part->cell[c], arena), arena);
}

static void check_typed(const TypedLine *typed, Arena *arena) {
    Parting parting;
    MUST(strlen(typed->text) <= LESSON_LINE_MAX + 256);
    if (strlen(typed->expected) > COMPARED_BYTES_MAX) return;
    MUST(expect_same(typed->expected, typed->expected, arena, &parting));
    if (!expect_same(typed->expected, typed->text, arena, &parting))
        MUST(parting.line >= 0 && (parting.expected || parting.printed));
}

static void answer(const Quiz *question, const char *typed, const AtHand *at_hand) {
    Judgement judgement;
    Error error = {0};
    if (!judge(question, typed, at_hand, &judgement, &error)) {
        MUST(*error.message);
        return;
    }
    MUST(judgement.verdict != JUDGED_NO_ANSWER || judgement.reply);
    if (judgement.reply) check_text(judgement.reply, at_hand->arena);
}

static void check_question(const Quiz *question, Arena *arena) {
    static const char *const typed[] = {
        "",    "1",        "2) ",    "-0,5",
        "3/4", "encoder.", "0.87 %", "encoder.0.self_attention.weights[head=0]"};
    const AtHand at_hand = {.answer = "I met a friend.", .arena = arena};
    const char *right;
    Error error = {0};
    MUST(question->ask && question->why && question->hints);
    check_text(question->ask, arena);
    for (size_t t = 0; t < sizeof typed / sizeof *typed; t++)
        answer(question, typed[t], &at_hand);
    for (int c = 0; c < question->choices; c++)
        answer(question, question->choice[c].text, &at_hand);
    if (judge_right_answer(question, &at_hand, &right, &error))
        answer(question, right, &at_hand);
    else
        MUST(*error.message);
}

static void check_step(const LessonStep *step, Arena *arena) {
    switch (step->kind) {
    case STEP_WORDS:
        check_words(step->part, arena);
        break;
    case STEP_QUESTION:
        check_question(step->question, arena);
        break;
    default:
        check_typed(&step->typed, arena);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    Arena arena = {0};
    Arena scratch = {0};
    Lesson lesson;
    Error error = {0};
    const char *text = arena_copy(&arena, (const char *)data, size);
    if (lesson_parse(&lesson, "lessons/en/04-any.md", (Bytes){text, size}, &arena,
                     &error)) {
        MUST(lesson.number == 4 && lesson.title && lesson.minutes > 0);
        for (int s = 0; s < lesson.steps; s++) {
            check_step(&lesson.step[s], &scratch);
            arena_reset(&scratch);
        }
        for (int f = 0; f < lesson.findings.count; f++)
            MUST(lesson.findings.finding[f].line > 0);
    } else {
        MUST(*error.message);
    }
    arena_free(&scratch);
    arena_free(&arena);
    return 0;
}
