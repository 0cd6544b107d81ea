#include "player/player.h"

#include <string.h>

#include "base/interrupt.h"
#include "base/language.h"
#include "player/enact.h"
#include "player/player_keep.h"
#include "player/player_say.h"
#include "session/refusal.h"

static Player *open_player(Session *session, Error *error) {
    if (session->player.is_open) return &session->player;
    fail(error, "no lesson is open; :lesson lists them");
    return NULL;
}

const char *player_name(Session *session) {
    const Lesson *lesson = &session->player.lesson;
    const char *title = session_safe(session, lesson->title);
    if (lesson->number < 0) return title;
    return say(&session->scratch, "Lesson %d: %s", lesson->number, title);
}

const Quiz *player_question(const Session *session) {
    const Player *player = &session->player;
    return player->lesson.step[player->at].question;
}

bool player_right_answer(Session *session, const char **answer, Error *error) {
    const Quiz *question = player_question(session);
    AtHand at_hand = enact_at_hand(session);
    if (!judge_right_answer(question, &at_hand, answer, error)) return false;
    if (question->asks == ASKS_CHOICE)
        *answer = arena_print(at_hand.arena, "%s) %s", *answer,
                              question->choice[(*answer)[0] - '1'].text);
    return true;
}

bool player_wants_answer(const Session *session) {
    const Player *player = &session->player;
    return player->is_open && player->asks &&
           player_question(session)->asks != ASKS_STATE;
}

static void keep_session(Session *session) {
    Player *player = &session->player;
    player->depth = session->options.depth;
    player->language = session->options.language;
}

static bool open_lesson(Session *session, const char *path, const char *scratch,
                        Error *error) {
    Player *player = &session->player;
    Lesson *lesson = &player->lesson;
    if (!lesson_read(lesson, path, &player->arena, error)) return false;
    keep_session(session);
    player->folder = scratch;
    player->shares_folder = enact_shares_folder(lesson, &player->arena);
    if (scratch && !enact_bring_files(lesson, scratch, &session->messages, error))
        return false;
    /* Where none can be made, a lesson that wants none is played all the same. */
    if (!scratch &&
        !(player->folder =
              enact_folder(lesson, &session->messages, &player->arena, error)) &&
        player->shares_folder)
        return false;
    return enact_begin(session, lesson, error);
}

bool player_begin(Session *session, const char *path, const char *scratch,
                  Error *error) {
    Player *player = &session->player;
    if (player->is_open) return fail(error, "a lesson is open; :stop leaves it");
    arena_reset(&player->arena);
    *player = (Player){.arena = player->arena, .keeps = !scratch};
    if (!open_lesson(session, path, scratch, error)) return false;
    const Lesson *lesson = &player->lesson;
    player->is_open = true;
    player_say_findings(lesson, &session->messages);
    page_line(&session->page, N_("%s   (about %d minutes)"), player_name(session),
              lesson->minutes);
    player_keep_begin(session);
    return player_next(session, error);
}

ProgressAnswer *player_answers(Session *session) {
    const Quiz *question = player_question(session);
    ProgressAnswer *answer = progress_answer(&session->player.progress, question->id);
    answer->ask = question->ask;
    return answer;
}

static void close_lesson(Session *session) {
    Player *player = &session->player;
    player_keep(session);
    player->is_open = player->asks = false;
    session->options.depth = player->depth;
    session->options.language = player->language;
    language_choose(player->language);
}

/* The lesson is at its end. */
static void end(Session *session) {
    Player *player = &session->player;
    player->progress.done = true;
    Page *page = &session->page;
    ProgressScore score = progress_score(&player->progress);
    page_gap(page);
    page_prose(page, say(page->arena, "%s: done.", player_name(session)));
    if (score.all)
        page_prose(page, say(page->arena,
                             "%d of %d questions right, %d of them at the first try.",
                             score.right, score.all, score.first));
    if (player->keeps && player->lesson.number >= 0)
        page_hint(page, N_("the next one"),
                  arena_print(page->arena, ":lesson %d", player->lesson.number + 1));
    close_lesson(session);
}

static void say_onward(Session *session) {
    const Player *player = &session->player;
    Page *page = &session->page;
    page_gap(page);
    if (player->asks)
        page_note(page, ":hint   :answer   :skip");
    else
        page_note(page, "Enter goes on (%d of %d)",
                  pages_stops(&player->lesson, player->at),
                  pages_stops(&player->lesson, player->lesson.steps));
}

/* Ask the question at hand. */
static void ask(Session *session) {
    Player *player = &session->player;
    player->asks = true;
    player_say_question(player_question(session), &session->page);
    say_onward(session);
}

/* Stand where the lesson does, whatever was done in between. */
static bool move_back(Session *session, Error *error) {
    Player *player = &session->player;
    if (!player->is_moved) return true;
    player->is_moved = false;
    return enact_again(session, &player->lesson, player->at, player->folder, error);
}

/* The line itself, and what it prints. One that fails in a lesson shows how it fails.
 */
static bool type_line(Session *session, const LessonStep *step) {
    Player *player = &session->player;
    Error error;
    page_gap(&session->page);
    page_line(&session->page, "> %s", player_safe(step->typed.text, &session->page));
    page_flush(&session->page);
    if (!enact_typed(session, &step->typed, player->folder, &error)) {
        session->page.failed = false;
        refusal_say(session, "", &error);
    }
    if (step->kind == STEP_FIGURE)
        page_note(&session->page, "in %s", session_safe(session, player->folder));
    return interrupt_none(&error);
}

/* Show the page at hand: its words, and what it ends with. */
static void show_page(Session *session) {
    Player *player = &session->player;
    const Lesson *lesson = &player->lesson;
    for (int to = pages_end(lesson, player->at); player->at < to; player->at++) {
        const LessonStep *step = &lesson->step[player->at];
        if (step->kind == STEP_QUESTION) {
            ask(session);
            return;
        }
        if (step->kind != STEP_WORDS)
            type_line(session, step);
        else if (player->at || !pages_opens(lesson, 0)) /* the title was said */
            player_say_part(lesson, player->at, &session->page);
    }
}

bool player_next(Session *session, Error *error) {
    Player *player = &session->player;
    if (player->asks) {
        ask(session);
        return true;
    }
    if (!move_back(session, error)) return false;
    show_page(session);
    if (player->at == player->lesson.steps) {
        end(session);
        return true;
    }
    player_keep(session);
    if (!player->asks) say_onward(session);
    return true;
}

void player_go_on(Session *session) {
    Player *player = &session->player;
    const Quiz *question = player_question(session);
    Page *page = &session->page;
    page_prose(page, player_safe(question->why, page));
    player->asks = false;
    player->is_moved = player->is_moved || question->asks == ASKS_STATE;
    player->at++;
    if (player->at == player->lesson.steps) {
        end(session);
        return;
    }
    player_keep(session);
    say_onward(session);
}

/* It was tried once, and has come out otherwise. */
static bool end_prediction(Session *session, const char *reply, Error *error) {
    Page *page = &session->page;
    const char *right;
    if (!player_right_answer(session, &right, error)) return false;
    page_prose(
        page, say(page->arena, "It comes out otherwise: %s", player_safe(right, page)));
    if (reply) page_prose(page, player_safe(reply, page));
    page_gap(page);
    player_go_on(session);
    return true;
}

static bool take(Session *session, const char *typed, bool only_right, Error *error) {
    Player *player = &session->player;
    const Quiz *question = player_question(session);
    ProgressAnswer *answer = player_answers(session);
    Page *page = &session->page;
    Judgement judgement;
    AtHand at_hand = enact_at_hand(session);
    if (!judge(question, typed, &at_hand, &judgement, error)) return only_right;
    if (judgement.verdict != JUDGED_RIGHT && only_right) return true;
    if (judgement.verdict == JUDGED_NO_ANSWER) {
        page_note(page, "%s", player_safe(judgement.reply, page));
        return true;
    }
    answer->tries++;
    answer->right = judgement.verdict == JUDGED_RIGHT && !answer->shown;
    answer->skipped = false;
    if (typed) answer->last = progress_text(typed, player->progress.arena);
    page_gap(page);
    if (judgement.verdict == JUDGED_RIGHT) {
        page_prose(page, said(N_("Right.")));
        player_go_on(session);
        return true;
    }
    if (question->predicts) return end_prediction(session, judgement.reply, error);
    page_prose(page, said(N_("Not quite.")));
    if (judgement.reply) page_prose(page, player_safe(judgement.reply, page));
    player_keep(session);
    page_note(page, ":hint   :answer   :skip");
    return true;
}

bool player_take(Session *session, const char *typed, Error *error) {
    /* It is asked about the lesson's run, not about what was tried since. The line
     * itself goes with the scratch of the lines that are typed anew. */
    const char *kept = arena_copy(&session->player.arena, typed, strlen(typed));
    return move_back(session, error) && take(session, kept, false, error);
}

bool player_follow(Session *session, Error *error) {
    Player *player = &session->player;
    bool was_own = player->was_own;
    player->was_own = false;
    if (!player->is_open || was_own) return true;
    player->is_moved = true;
    int at = player->at;
    bool waits = player->asks && player_question(session)->asks == ASKS_STATE;
    if (waits && !take(session, NULL, true, error)) return false;
    if (player->is_open && player->at == at) say_onward(session);
    return true;
}

bool player_back(Session *session, Error *error) {
    Player *player = open_player(session, error);
    if (!player) return false;
    /* A question that waits stands on the page at hand; else that is behind us. */
    player->at = pages_before(&player->lesson, player->at, player->asks ? 1 : 2);
    player->asks = false;
    player->is_moved = player->was_own = true;
    return player_next(session, error);
}

bool player_stop(Session *session, Error *error) {
    const Player *player = open_player(session, error);
    if (!player) return false;
    page_line(&session->page, N_("%s: left; :lesson lists the lessons"),
              player_name(session));
    close_lesson(session);
    return true;
}
