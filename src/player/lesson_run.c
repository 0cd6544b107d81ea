#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/interrupt.h"
#include "base/language.h"
#include "player/lesson_exec.h"
#include "player/lessons.h"
#include "player/line.h"
#include "player/player.h"
#include "prompt/error_print.h"

/* Print the line as at a prompt. */
static void echo(Session *session, const char *line) {
    session_clear(session);
    page_gap(&session->page);
    page_line(&session->page, "> %s", session_safe(session, line));
}

static bool type(Session *session, const char *line, Error *error) {
    echo(session, line);
    return line_run(session, line, error);
}

/* Run a line that the lesson gives as an answer, with the rights of a lesson. */
static bool type_known(Session *session, const char *line, Error *error) {
    echo(session, line);
    return lesson_exec_by(session, line_run, line, session->lesson.player->folder,
                          error);
}

/* Run all lines of a file of answers. As at a prompt, continue after a failure. */
static bool type_answers(Session *session, Bytes answers, Arena *arena, Error *error) {
    while (answers.size && session->lesson.is_open && !session->input.done) {
        if (!type(session, file_line(&answers, arena), error))
            error_print(session, "", error);
        if (!interrupt_none(error)) return false;
    }
    return true;
}

static bool still_asks(const Session *session, const Quiz *question) {
    const Player *player = session->lesson.player;
    return session->lesson.is_open && player->asks &&
           player->lesson.step[player->at].question == question;
}

/* Type a wrong answer, ask for the hints, and (not for a prediction) the right one. */
static bool try_answers(Session *session, const Quiz *question, Arena *arena,
                        Error *error) {
    const char *right;
    AtHand at_hand = lesson_exec_at_hand(session);
    if (!judge_right_answer(question, &at_hand, &right, error)) return false;
    right = arena_copy(arena, right, strlen(right)); /* the next line frees it */
    const char *wrong = NULL;                        /* or none is known */
    for (int c = 0; c < question->choices && !wrong; c++)
        if (!question->choice[c].is_right) wrong = arena_print(arena, "%c", 'a' + c);
    if (question->asks == ASKS_NUMBER)
        wrong = arena_print(arena, "%.10g", strtod(right, NULL) + 1);
    if (wrong && !question->predicts && !type(session, wrong, error)) return false;
    for (int h = 0; h < question->hints && still_asks(session, question); h++)
        if (!type(session, ":hint", error)) return false;
    if (question->predicts) return type_known(session, wrong ? wrong : right, error);
    if (question->asks != ASKS_STATE)
        return !still_asks(session, question) || type_known(session, right, error);
    for (int c = 0; c < question->commands && still_asks(session, question); c++)
        if (!type_known(session, question->command[c], error)) return false;
    return true;
}

/* Fail with the line where the lesson stopped. */
static bool fail_here(const Session *session, const char *reason, Error *error) {
    const Player *player = session->lesson.player;
    const Lesson *lesson = &player->lesson;
    return fail(error, "%s:%d: %s", lesson->path, lesson->step[player->at].line,
                reason);
}

static bool type_all(Session *session, Arena *arena, Error *error) {
    const Player *player = session->lesson.player;
    Error reason;
    while (session->lesson.is_open && !session->input.done) {
        const Quiz *question = player->lesson.step[player->at].question;
        if (!player->asks) {
            if (!type(session, "", error)) return false;
        } else if (!try_answers(session, question, arena, &reason)) {
            return interrupt_none(error) && fail_here(session, reason.message, error);
        } else if (still_asks(session, question)) {
            return fail_here(session, tr(N_("its answer is not accepted as right")),
                             error);
        }
    }
    return true;
}

static bool run(Session *session, const char *path, const Bytes *answers, Arena *arena,
                Error *error) {
    FolderLock scratch;
    if (!scratch_folder_make(&scratch, arena, error)) return false;
    bool done = player_begin(session, path, scratch.folder, error) &&
                page_done(&session->page, error);
    page_flush(&session->page);
    done = done && (answers ? type_answers(session, *answers, arena, error)
                            : type_all(session, arena, error));
    const Player *player = session->lesson.player;
    const Lesson *lesson = done ? &player->lesson : NULL;
    if (done && player->at != lesson->steps)
        done = fail_here(session,
                         trf(arena, "the lesson stopped here, after step %d of %d",
                             pages_stops(lesson, player->at),
                             pages_stops(lesson, lesson->steps)),
                         error);
    scratch_folder_remove(&scratch);
    return done;
}

bool lesson_run(Session *session, const Arguments *arguments, Error *error) {
    enum { ANSWERS_LARGEST = 1 << 20 };
    Arena *arena = &session->scratch;
    const char *file = arguments_flag(arguments, "answers");
    Bytes answers;
    if (arguments->words != 2)
        return fail_usage(error,
                          "lesson run takes one lesson; give its number or its file");
    if (file && !file_read(file, ANSWERS_LARGEST, arena, &answers, error)) return false;
    const char *path = lessons_find(arguments->word[1], arena, error);
    if (!path) return false;
    Arena lesson = {0};
    Session *own = session_new(&lesson);
    own->options = session->options;
    own->page.window = session->page.window;
    own->messages.window = session->messages.window;
    own->input.by_line = true;
    if (file) answers = file_without_mark(answers);
    bool done = run(own, path, file ? &answers : NULL, &lesson, error);
    session_free(own);
    arena_free(&lesson);
    language_choose(session->options.language);
    return done;
}
