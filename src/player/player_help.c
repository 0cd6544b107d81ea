/* What helps in a lesson: hints, answers, where one stands. */
#include "base/language.h"
#include "player/player.h"
#include "player/player_keep.h"
#include "player/player_say.h"

static bool lesson_is_open(Session *session, Error *error) {
    session->player.was_own = true;
    return session->player.is_open ||
           fail(error, "no lesson is open; :lesson lists them");
}

static bool question_waits(Session *session, Error *error) {
    return lesson_is_open(session, error) &&
           (session->player.asks || fail(error, "no question waits; Enter goes on"));
}

bool player_hint(Session *session, Error *error) {
    if (!question_waits(session, error)) return false;
    const Quiz *question = player_question(session);
    ProgressAnswer *answer = player_answers(session);
    Page *page = &session->page;
    bool is_last = answer->hints >= question->hints;
    int hint = is_last ? question->hints - 1 : answer->hints++;
    player_keep(session);
    page_gap(page);
    page_prose(page, player_safe(question->hint[hint], page));
    if (answer->hints < question->hints)
        page_note(page, "%d of %d hints; :hint gives the next", answer->hints,
                  question->hints);
    else
        page_note(page, "that was the last hint; :answer shows the answer");
    return true;
}

bool player_answer(Session *session, Error *error) {
    if (!question_waits(session, error)) return false;
    Page *page = &session->page;
    const Quiz *question = player_question(session);
    const char *answer;
    player_answers(session)->shown = true;
    if (!player_right_answer(session, &answer, error)) return false;
    page_gap(page);
    if (question->asks != ASKS_STATE)
        page_prose(page, say(page->arena, "The answer: %s", player_safe(answer, page)));
    for (int c = 0; c < question->commands; c++)
        page_line(page, "    %s", player_safe(question->command[c], page));
    player_go_on(session);
    return true;
}

bool player_skip(Session *session, Error *error) {
    if (!question_waits(session, error)) return false;
    Player *player = &session->player;
    player_answers(session)->skipped = true;
    player->asks = false;
    player->is_moved = player->is_moved || player_question(session)->asks == ASKS_STATE;
    player->at++;
    return player_next(session, error);
}

bool player_where(Session *session, Error *error) {
    if (!lesson_is_open(session, error)) return false;
    const Player *player = &session->player;
    const Lesson *lesson = &player->lesson;
    ProgressScore score = progress_score(&player->progress);
    page_line(&session->page, N_("%s: %d of %d, %d of %d questions right"),
              player_name(session), pages_stops(lesson, player->at),
              pages_stops(lesson, lesson->steps), score.right, score.all);
    if (player->shares_folder)
        page_line(&session->page, N_("it writes into %s"),
                  session_safe(session, player->folder));
    return true;
}
