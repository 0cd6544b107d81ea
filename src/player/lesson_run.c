#include "player/lesson_run.h"

#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/interrupt.h"
#include "base/language.h"
#include "player/enact.h"
#include "player/lessons.h"
#include "player/line.h"
#include "player/player.h"
#include "player/scratch_folder.h"
#include "session/refusal.h"
#include "text/unicode.h"

/* The line as it stands at a prompt. */
static void echo(Session *session, const char *line, size_t length) {
    session_clear(session);
    page_gap(&session->page);
    page_line(&session->page, "> %s", unicode_escape(line, length, &session->scratch));
}

static bool type(Session *session, const char *line, size_t length, Error *error) {
    echo(session, line, length);
    return dispatch_line(session, line, length, error);
}

static bool type_text(Session *session, const char *line, Error *error) {
    return type(session, line, strlen(line), error);
}

/* A line that the lesson itself gives for an answer. */
static bool type_known(Session *session, const char *line, Error *error) {
    echo(session, line, strlen(line));
    return enact_rehearsed(session, line, session->player.folder, error);
}

static bool goes_on(const Session *session) {
    return session->player.is_open && !session->done;
}

/* As at a prompt a line that fails is no end. */
static bool type_answers(Session *session, Bytes answers, Error *error) {
    const char *line = answers.bytes;
    const char *end = line + answers.size;
    while (line < end && goes_on(session)) {
        const char *newline = memchr(line, '\n', (size_t)(end - line));
        size_t length = (size_t)((newline ? newline : end) - line);
        if (!type(session, line, length, error)) refusal_say(session, "", error);
        if (!interrupt_none(error)) return false;
        line += length + (newline != NULL);
    }
    return true;
}

/* In `arena`: what the session computes goes with its next line. */
static bool right_answer(Session *session, const Quiz *question, Arena *arena,
                         const char **right, Error *error) {
    const char *answer;
    AtHand at_hand = enact_at_hand(session);
    if (!judge_right_answer(question, &at_hand, &answer, error)) return false;
    *right = arena_copy(arena, answer, strlen(answer));
    return true;
}

/* As it would be typed; NULL where none is known. */
static const char *wrong_answer(const Quiz *question, const char *right, Arena *arena) {
    if (question->asks == ASKS_NUMBER)
        return arena_print(arena, "%.10g", strtod(right, NULL) + 1);
    for (int c = 0; c < question->choices; c++)
        if (!question->choice[c].is_right) return arena_print(arena, "%d", c + 1);
    return NULL;
}

static bool still_asks(const Session *session, const Quiz *question) {
    const Player *player = &session->player;
    return player->is_open && player->asks &&
           player->lesson.step[player->at].question == question;
}

static bool take_hints(Session *session, const Quiz *question, Error *error) {
    for (int h = 0; h < question->hints && still_asks(session, question); h++)
        if (!type_text(session, ":hint", error)) return false;
    return true;
}

static bool type_right(Session *session, const Quiz *question, const char *right,
                       Error *error) {
    if (question->asks != ASKS_STATE)
        return !still_asks(session, question) || type_known(session, right, error);
    for (int c = 0; c < question->commands && still_asks(session, question); c++)
        if (!type_known(session, question->command[c], error)) return false;
    return true;
}

static bool try_answers(Session *session, const Quiz *question, Arena *arena,
                        Error *error) {
    const char *right;
    if (!right_answer(session, question, arena, &right, error)) return false;
    const char *wrong = wrong_answer(question, right, arena);
    if (question->predicts)
        return take_hints(session, question, error) &&
               type_known(session, wrong ? wrong : right, error);
    return (!wrong || type_text(session, wrong, error)) &&
           take_hints(session, question, error) &&
           type_right(session, question, right, error);
}

/* Where the lesson stands, and that it goes no further. */
static bool fail_here(const Session *session, const char *reason, Error *error) {
    const Player *player = &session->player;
    const Lesson *lesson = &player->lesson;
    return fail(error, "%s:%d: %s", lesson->path, lesson->step[player->at].line,
                reason);
}

static bool answer(Session *session, Arena *arena, Error *error) {
    const Quiz *question = session->player.lesson.step[session->player.at].question;
    Error reason;
    if (!try_answers(session, question, arena, &reason))
        return interrupt_none(error) && fail_here(session, reason.message, error);
    return !still_asks(session, question) ||
           fail_here(session, said(N_("its answer is not taken for right")), error);
}

static bool type_all(Session *session, Arena *arena, Error *error) {
    while (goes_on(session)) {
        bool done = session->player.asks ? answer(session, arena, error)
                                         : type_text(session, "", error);
        if (!done) return false;
    }
    return true;
}

static bool came_to_its_end(const Session *session, Arena *arena, Error *error) {
    const Player *player = &session->player;
    const Lesson *lesson = &player->lesson;
    if (player->at == lesson->steps) return true;
    return fail_here(session,
                     say(arena, "the lesson stopped here, after step %d of %d",
                         pages_stops(lesson, player->at),
                         pages_stops(lesson, lesson->steps)),
                     error);
}

/* In `session`, which is not the person's own. */
static bool rehearse(Session *session, const char *path, const Bytes *answers,
                     Arena *arena, Error *error) {
    const char *folder = scratch_folder_make(arena, error);
    if (!folder) return false;
    bool begun =
        player_begin(session, path, folder, error) && page_done(&session->page, error);
    page_flush(&session->page);
    bool done = begun &&
                (answers ? type_answers(session, *answers, error)
                         : type_all(session, arena, error)) &&
                came_to_its_end(session, arena, error);
    scratch_folder_remove(folder);
    return done;
}

static bool rehearse_alone(Session *session, const char *path, const Bytes *answers,
                           Error *error) {
    Arena arena = {0};
    Session *own = session_new(&arena);
    own->options = session->options;
    own->page.window = session->page.window;
    own->messages.window = session->messages.window;
    own->reads_lines = true;
    bool done = rehearse(own, path, answers, &arena, error);
    session_free(own);
    arena_free(&arena);
    language_choose(session->options.language);
    return done;
}

bool lesson_run(Session *session, const Arguments *arguments, Error *error) {
    enum { ANSWERS_LARGEST = 1 << 20 };
    Arena *arena = &session->scratch;
    const char *file = arguments_flag(arguments, "answers");
    Bytes answers;
    if (arguments->words != 2)
        return fail_usage(error,
                          "lesson run takes one lesson: its number, or its file");
    if (file && !file_read(file, ANSWERS_LARGEST, arena, &answers, error)) return false;
    const char *path = lessons_find(arguments->word[1], arena, error);
    return path && rehearse_alone(session, path, file ? &answers : NULL, error);
}
