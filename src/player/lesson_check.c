#include <dirent.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/interrupt.h"
#include "base/language.h"
#include "lesson/expect.h"
#include "lesson/quoted.h"
#include "player/lesson_exec.h"
#include "player/lesson_say.h"
#include "player/lessons.h"

/* State of a check. */
typedef struct {
    Session *session; /* of the recorder */
    Lesson lesson;
    Recorder recorder;
    Arena *arena; /* of the lesson */
    ShownNumbers shown;
} Check;

static void find(Check *check, int line, const char *text) {
    findings_add(&check->lesson.findings, line, "%s", text);
}

static bool looks_like_address(const char *code) {
    return (strncmp(code, "encoder.", 8) == 0 || strncmp(code, "decoder.", 8) == 0 ||
            strncmp(code, "model.", 6) == 0) &&
           strchr(code, '[') && !strstr(code, "...") && !strstr(code, "…");
}

/* Check that links lead to lessons in the same folder, and that code that looks like an
 * address exists in the run: `encoder.0.self_attention.weights[head=1]`. */
static void check_words(Check *check, const Words *words, int line) {
    Lesson *lesson = &check->lesson;
    Arena *arena = check->arena;
    Record record = session_record(check->session);
    for (int s = 0; s < words->count; s++) {
        const char *target = words->span[s].target;
        if (!target) continue;
        const char *file = arena_copy(arena, target, strcspn(target, "#"));
        if (strchr(file, ':') || *file == '/' ||
            (*file &&
             !file_exists(file_join(arena, lessons_place(lesson, arena), file))))
            findings_add(&lesson->findings, line,
                         N_("the link leads to %s, but there is no such lesson"),
                         target);
    }
    for (int s = 0; check->session->run->is_made && s < words->count; s++) {
        const char *code = words->span[s].text;
        Slice slice;
        Error error;
        if (words->span[s].kind == SPAN_CODE && looks_like_address(code) &&
            !record_slice(&record, code, arena, &slice, &error))
            find(check, line, error.message);
    }
}

/* Check that the numbers in a text were printed in the lesson. */
static void check_quoted(Check *check, const char *text, int line) {
    for (const char *number; (number = quoted_missing(&check->shown, &text));)
        findings_add(&check->lesson.findings, line,
                     N_("%s is quoted, but no output of this lesson shows it"), number);
}

static void check_all_quoted(Check *check) {
    const Lesson *lesson = &check->lesson;
    for (int s = 0; s < lesson->steps; s++) {
        const LessonStep *step = &lesson->step[s];
        if (step->kind == STEP_WORDS && step->part->kind != PASSAGE_CODE) {
            check_quoted(check, words_plain(&step->part->words, check->arena),
                         step->line);
        } else if (step->kind == STEP_QUESTION) {
            check_quoted(check, step->question->ask, step->question->line);
            check_quoted(check, step->question->why, step->question->line);
        }
    }
}

/* Return true if the folder has a lesson with this number: "03-positions.md". */
static bool is_beside(const Check *check, int number) {
    DIR *all = opendir(lessons_place(&check->lesson, check->arena));
    bool found = false;
    for (const struct dirent *entry; all && !found && (entry = readdir(all));) {
        char *end;
        long its_number = strtol(entry->d_name, &end, 10);
        found = end != entry->d_name && *end == '-' && its_number == number &&
                file_has_ending(entry->d_name, ".md");
    }
    if (all) closedir(all);
    return found;
}

/* Check that something is shown after a prediction, before the next question. */
static void check_predictions(Check *check) {
    const Lesson *lesson = &check->lesson;
    for (int s = 0; s < lesson->steps; s++) {
        const LessonStep *step = &lesson->step[s];
        if (!step->question || !step->question->predicts) continue;
        int next = s + 1;
        while (next < lesson->steps && lesson->step[next].kind == STEP_WORDS) next++;
        if (next == lesson->steps || lesson->step[next].kind == STEP_QUESTION)
            findings_add(&check->lesson.findings, step->line,
                         N_("a prediction must be followed by the block that shows "
                            "whether it was right"));
    }
}

/* Run the line and compare its output with the expected output. */
static void check_typed(Check *check, const LessonStep *step) {
    Arena *arena = check->arena;
    Findings *findings = &check->lesson.findings;
    const TypedLine *typed = &step->typed;
    Error error;
    Parting parting;
    if (!lesson_exec_allows(typed->text, check->recorder.scratch.folder, arena,
                            &error)) {
        find(check, typed->line, error.message);
        return;
    }
    const char *printed = recorder_run(&check->recorder, typed->text);
    shown_numbers_add(&check->shown, typed->text);
    shown_numbers_add(&check->shown, printed);
    if (step->kind == STEP_FIGURE) {
        if (!strstr(printed, step->file))
            findings_add(findings, typed->line, N_("the figure cannot be drawn: %s"),
                         printed);
        return;
    }
    if (expect_same(typed->expected, printed, arena, &parting)) return;
    int line = typed->expected_line + parting.line;
    if (!parting.printed)
        findings_add(findings, line, N_("expected '%s', but nothing more is printed"),
                     parting.expected);
    else if (!parting.expected)
        findings_add(findings, typed->line, N_("more is printed than expected: '%s'"),
                     parting.printed);
    else
        findings_add(findings, line, N_("expected '%s', printed '%s'"),
                     parting.expected, parting.printed);
}

/* Check that each choice and wrong number is judged as written, and that a condition is
 * false before its answer and true after it. */
static void check_question(Check *check, const Quiz *question) {
    Findings *findings = &check->lesson.findings;
    bool is_state = question->asks == ASKS_STATE;
    const char *answer = NULL;
    Error error;
    Judgement judgement;
    AtHand at_hand = lesson_exec_at_hand(check->session);
    if (is_state ? !judge(question, NULL, &at_hand, &judgement, &error)
                 : !judge_right_answer(question, &at_hand, &answer, &error)) {
        find(check, question->line, error.message);
        return;
    }
    /* Numbers in a question or its answers count as printed. */
    ShownNumbers *shown = &check->shown;
    if (answer) shown_numbers_add(shown, answer);
    for (int c = 0; c < question->choices; c++)
        shown_numbers_add(shown, question->choice[c].text);
    for (int c = 0; c < question->conditions; c++)
        shown_numbers_add(shown, question->condition[c]);
    for (int c = 0; c < question->commands; c++)
        shown_numbers_add(shown, question->command[c]);
    if (!is_state && !lesson_exec_accepts(check->session, question, answer, &error)) {
        find(check, question->line, error.message);
        return;
    }
    for (int c = 0; question->asks == ASKS_CHOICE && c < question->choices; c++) {
        const Choosable *choice = &question->choice[c];
        if (!judge(question, choice->text, &at_hand, &judgement, &error) ||
            (judgement.verdict == JUDGED_RIGHT) != choice->is_right)
            findings_add(findings, question->line,
                         N_("the choice '%s' cannot be told from the others"),
                         choice->text);
    }
    for (int c = 0; question->asks == ASKS_NUMBER && c < question->choices; c++) {
        const Choosable *miss = &question->choice[c];
        const Quiz alone = {.asks = ASKS_NUMBER,
                            .expected = miss->text,
                            .tolerance = question->tolerance};
        if (!judge_right_answer(&alone, &at_hand, &answer, &error) ||
            !judge(question, answer, &at_hand, &judgement, &error))
            find(check, question->line, error.message);
        else if (judgement.verdict == JUDGED_RIGHT || judgement.reply != miss->reply)
            findings_add(findings, question->line,
                         N_("the wrong number '%s' cannot be told from the others"),
                         miss->text);
    }
    if (!is_state) return;
    if (judgement.verdict == JUDGED_RIGHT)
        findings_add(findings, question->line,
                     N_("the condition to reach is true already"));
    if (!lesson_exec_answer(check->session, question, check->recorder.scratch.folder,
                            &error))
        findings_add(findings, question->answer_line, N_("its answer fails: %s"),
                     error.message);
    else if (!lesson_exec_accepts(check->session, question, NULL, &error))
        find(check, question->answer_line, error.message);
}

static bool check_lesson(Check *check, Error *error) {
    Lesson *lesson = &check->lesson;
    Error reason;
    for (int n = 0; n < lesson->needs; n++)
        if (!is_beside(check, lesson->need[n]))
            findings_add(&lesson->findings, lesson->needs_line,
                         N_("it needs lesson %d, but the folder does not have it"),
                         lesson->need[n]);
    check_predictions(check);
    if (!lesson->model) return true; /* another one would print other numbers */
    if (!lesson_exec_begin(check->session, lesson, &reason)) {
        find(check, lesson->model_line, reason.message);
        return true;
    }
    if (!scratch_folder_make(&check->recorder.scratch, check->arena, error))
        return false;
    if (!lessons_bring_files(lesson, check->recorder.scratch.folder,
                             &check->session->messages, &reason))
        find(check, lesson->files_line, reason.message);
    for (int s = 0; s < lesson->steps && interrupt_none(&reason); s++) {
        const LessonStep *step = &lesson->step[s];
        session_clear(check->session);
        const Passage *part = step->part;
        if (step->kind == STEP_WORDS) {
            const char *words = words_plain(&part->words, check->arena);
            if (s == 0 && part->kind == PASSAGE_HEADING &&
                lesson->title != lesson->name && strcmp(words, lesson->title) != 0)
                findings_add(&lesson->findings, part->line,
                             N_("the heading is '%s', but title: is '%s'"), words,
                             lesson->title);
            if (part->kind == PASSAGE_CODE)
                shown_numbers_add(&check->shown, part->text);
            check_words(check, &part->words, part->line);
            for (int c = 0; c < part->cells; c++)
                check_words(check, &part->cell[c], part->line);
        } else if (step->kind == STEP_QUESTION) {
            check_question(check, step->question);
        } else {
            check_typed(check, step);
        }
    }
    check_all_quoted(check);
    return true;
}

/* Return the number of findings in the file. */
static int check_file(Session *session, const char *path) {
    Page *page = &session->page;
    Arena arena = {0};
    Check check = {.arena = &arena, .shown = {.arena = &arena}};
    Findings *findings = &check.lesson.findings;
    Error error;
    int count = 1;
    if (!lesson_read(&check.lesson, path, &arena, &error)) {
        page_line(page, "%s", session_safe(session, error.message));
    } else {
        recorder_begin(&check.recorder, &arena);
        check.session = check.recorder.session;
        if (!check_lesson(&check, &error)) find(&check, 1, error.message);
        recorder_end(&check.recorder, session);
        count = findings->count;
        findings_sort(findings);
        lesson_say_findings(&check.lesson, 0, count, page);
    }
    page_flush(page);
    arena_free(&arena);
    return count;
}

bool lesson_check(Session *session, const Arguments *arguments, Error *error) {
    int findings = 0;
    if (arguments->words < 2)
        return fail_usage(error, "lesson check needs lesson files");
    for (int w = 1; w < arguments->words && interrupt_none(error); w++)
        findings += check_file(session, arguments->word[w]);
    if (interrupt_signal()) return interrupt_none(error);
    if (findings)
        return fail(error, "problems: %d; files: %d", findings, arguments->words - 1);
    page_line(&session->page, N_("no problems; files: %d"), arguments->words - 1);
    return true;
}
