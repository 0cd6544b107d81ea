#include "player/player.h"

#include <string.h>

#include "base/interrupt.h"
#include "base/language.h"
#include "command/command.h"
#include "lesson/typed_number.h"
#include "lesson/typed_text.h"
#include "player/lesson_exec.h"
#include "player/lesson_say.h"
#include "player/lessons.h"
#include "player/player_progress.h"
#include "prompt/error_print.h"
#include "prompt/line_edit.h"
#include "session/sentence.h"

/* For a line that changes nothing, such as :hint. */
static bool lesson_is_open(Session *session, Error *error) {
    if (!session->lesson.is_open)
        return fail(error, "no lesson is open; :lesson lists them");
    session->lesson.player->was_own = true;
    return true;
}

const char *player_name(Session *session) {
    const Lesson *lesson = &session->lesson.player->lesson;
    const char *title = session_safe(session, lesson->title);
    if (lesson->number < 0) return title;
    return trf(&session->scratch, "Lesson %d: %s", lesson->number, title);
}

static const Quiz *question_at(const Player *player) {
    return player->lesson.step[player->at].question;
}

bool player_refuses(Session *session, const char *line) {
    const Player *player = session->lesson.player;
    if (!session->lesson.is_open || !player->asks ||
        question_at(player)->asks != ASKS_STATE)
        return false;
    const Quiz *question = question_at(player);
    Arena *arena = &session->scratch;
    TypedNumber number;
    const char *word = line + strspn(line, " \t");
    word = arena_copy(arena, word, strcspn(word, " \t"));
    const char *normal = typed_normal(line, arena);
    bool is_closed = strpbrk(line, ".!?") != NULL;
    bool is_sentence = !command_find(word) && !option_find(config_keys, word) &&
                       !typed_number_read(line, &number, arena) &&
                       (is_closed || strchr(normal, ' '));
    for (int c = 0; c < question->commands; c++)
        is_sentence = is_sentence || *question->command[c] != ':';
    if (is_sentence) return false;
    page_note(&session->page,
              "this needs a command, which starts with a colon; \"%s\" was not run",
              session_safe(session, line));
    return true;
}

bool player_wants_answer(const Session *session) {
    const Player *player = session->lesson.player;
    return session->lesson.is_open && player->asks &&
           question_at(player)->asks != ASKS_STATE;
}

bool player_means_token(const Session *session, const char *line) {
    bool is_mark = strcmp(line, "?") == 0 || strcmp(line, "？") == 0;
    return player_wants_answer(session) && is_mark &&
           question_at(session->lesson.player)->asks == ASKS_TOKEN;
}

/* Return the saved answer of the current question. */
static ProgressAnswer *answer_at(Player *player) {
    const Quiz *question = question_at(player);
    ProgressAnswer *answer = progress_answer(&player->progress, question->id);
    answer->ask = question->ask;
    return answer;
}

/* Remember the state of the session before the lesson. */
static void keep_own(Session *session) {
    Player *player = session->lesson.player;
    const Run *run = session->run;
    Arena *arena = &session->lesson.arena;
    player->depth = session->options.depth;
    player->language = session->options.language;
    player->stage = run->stage;
    if (session->has_model && session->model.path && *session->model.path)
        player->model =
            arena_copy(arena, session->model.path, strlen(session->model.path));
    if (!run->is_made) return;
    player->source = sentence_print(&run->source, arena);
    player->takes_ids = !run->source.sentence[0].text;
    if (run->target_given) player->target = sentence_print(&run->target, arena);
}

/* Restore the user's own state. If that fails, discard the lesson's sentence. */
static void give_back_own(Session *session) {
    const Player *player = session->lesson.player;
    Error error;
    Request request = {.source = player->source, .target = player->target};
    if (player->takes_ids)
        request = (Request){.source_ids = player->source, .target_ids = player->target};
    session->options.depth = player->depth;
    session->options.language = player->language;
    language_choose(player->language);
    session_forget(session);
    bool is_other = player->model && (session->variant.is_on || !session->model.path ||
                                      strcmp(player->model, session->model.path) != 0);
    if ((is_other && !session_open(session, player->model, &error)) || !player->source)
        return;
    if (!session_run(session, &request, &error)) return;
    session->run->stage = player->stage;
}

static void close_lesson(Session *session, bool says_own) {
    Player *player = session->lesson.player;
    player_save_progress(session);
    session->lesson.is_open = player->asks = false;
    give_back_own(session);
    if (says_own && session->run->is_made)
        page_line(&session->page, N_("Here is your own sentence again: %s"),
                  session_safe(session, player->source));
}

bool player_begin(Session *session, const char *path, const char *scratch,
                  Error *error) {
    enum { SAID_MAX = 5 };
    Arena *arena = &session->lesson.arena;
    bool was_open = session->lesson.is_open;
    if (was_open &&
        (scratch || !session->lesson.player->keeps || session->lesson.is_typing))
        return fail(error, "a lesson is open; leave it with :stop");
    if (was_open) {
        Lesson readable; /* keep the open lesson if the new one cannot be played */
        if (!lesson_read(&readable, path, &session->scratch, error)) return false;
        page_line(&session->page,
                  N_("%s: left; next time it continues where you "
                     "stopped"),
                  player_name(session));
        close_lesson(session, false);
    }
    arena_reset(arena);
    Player *player = session->lesson.player = ARENA_ARRAY(arena, Player, 1);
    Lesson *lesson = &player->lesson;
    player->keeps = !scratch;
    if (!lesson_read(lesson, path, arena, error)) return false;
    keep_own(session);
    player->folder = scratch;
    player->shares_folder = lesson_exec_shares_folder(lesson, arena);
    if (scratch && !lessons_bring_files(lesson, scratch, &session->messages, error))
        return false;
    if (!scratch)
        player->folder = lessons_folder(lesson, &session->messages, arena, error);
    /* Without a folder, lessons that need none can still be played. */
    if (!player->folder && player->shares_folder) return false;
    if (!lesson_exec_begin(session, lesson, error)) return false;
    session->lesson.is_open = true;
    player->was_own = was_open;
    lesson_say_findings(lesson, 0, SAID_MAX, &session->messages);
    page_line(&session->page, N_("%s   (about %d minutes)"), player_name(session),
              lesson->minutes);
    player_load_progress(session);
    return player_next(session, error);
}

static void say_keys(Session *session) {
    const Player *player = session->lesson.player;
    Page *page = &session->page;
    page_gap(page);
    if (player->asks)
        page_note(page, ":hint   :answer   :skip");
    else
        page_note(page, "Enter continues (%d of %d)",
                  pages_stops(&player->lesson, player->at),
                  pages_stops(&player->lesson, player->lesson.steps));
}

/* Save the progress; close a finished lesson. Return true if the lesson continues. */
static bool keep_or_end(Session *session) {
    Player *player = session->lesson.player;
    Page *page = &session->page;
    if (player->at < player->lesson.steps) {
        player_save_progress(session);
        return true;
    }
    player->progress.done = true;
    ProgressScore score = progress_score(&player->progress);
    page_gap(page);
    page_prose(page, trf(page->arena, "%s: finished.", player_name(session)));
    if (score.all)
        page_prose(page,
                   trf(page->arena,
                       player->lesson.predictions
                           ? N_("%d of %d questions right, %d of them at the "
                                "first try. Predictions do not count.")
                           : N_("%d of %d questions right, %d of them at the first "
                                "try."),
                       score.right, score.all, score.first));
    const char *next = arena_print(page->arena, "%d", player->lesson.number + 1);
    Error none;
    if (player->keeps && player->lesson.number >= 0 &&
        lessons_find(next, page->arena, &none))
        page_hint(page, N_("the next lesson"),
                  arena_print(page->arena, ":lesson %s", next));
    close_lesson(session, true);
    return false;
}

static void ask(Session *session) {
    Player *player = session->lesson.player;
    Error error;
    Judgement judgement;
    AtHand at_hand = lesson_exec_at_hand(session);
    player->asks = true;
    player->unmet = NULL;
    player->unmet_changes = session->what_if.changes.done;
    if (question_at(player)->asks == ASKS_STATE &&
        judge(question_at(player), NULL, &at_hand, &judgement, &error))
        player->unmet = judgement.reply
                            ? arena_copy(&session->lesson.arena, judgement.reply,
                                         strlen(judgement.reply))
                            : NULL;
    lesson_say_question(question_at(session->lesson.player), &session->page);
    say_keys(session);
}

/* Restore the lesson's run if the user has done something else. */
static bool move_back(Session *session, Error *error) {
    Player *player = session->lesson.player;
    if (!player->is_moved) return true;
    player->is_moved = false;
    return lesson_exec_replay(session, &player->lesson, player->at, player->folder,
                              error);
}

bool player_next(Session *session, Error *error) {
    Player *player = session->lesson.player;
    const Lesson *lesson = &player->lesson;
    if (player->asks) {
        ask(session);
        return true;
    }
    Page *page = &session->page;
    Error reason;
    if (!move_back(session, error)) return false;
    for (int to = pages_end(lesson, player->at); player->at < to; player->at++) {
        const LessonStep *step = &lesson->step[player->at];
        if (step->kind == STEP_QUESTION) {
            ask(session);
            break;
        }
        if (step->kind == STEP_WORDS) {
            if (player->at || !pages_opens(lesson, 0)) /* the title is done */
                lesson_say_part(lesson, player->at, page);
            continue;
        }
        page_gap(page);
        page_line(page, "> %s", session_safe(session, step->typed.text));
        if (session->input.is_prompt &&
            history_add(&session->input.history, step->typed.text))
            line_edit_remember(step->typed.text);
        page_flush(page);
        if (!lesson_exec(session, step->typed.text, player->folder, &reason)) {
            page->failed = false; /* the lesson continues after a line that fails */
            error_print(session, "", &reason);
        }
        if (step->kind == STEP_FIGURE)
            page_note(page, "in %s", session_safe(session, player->folder));
    }
    if (keep_or_end(session) && !player->asks) say_keys(session);
    return true;
}

static void leave_question(Player *player) {
    player->asks = false;
    player->missed = 0;
    player->is_moved = player->is_moved || question_at(player)->asks == ASKS_STATE;
    player->at++;
}

/* Finish the current question: show its explanation, and continue. */
static void explain_and_go_on(Session *session) {
    Page *page = &session->page;
    page_prose(page, session_safe(session, question_at(session->lesson.player)->why));
    leave_question(session->lesson.player);
    if (keep_or_end(session)) say_keys(session);
}

/* Return how many changes of the run are one try to reach the condition: as many as in
 * the lesson's answer. */
static int changes_of_try(const Quiz *question) {
    int changes = 0;
    for (int c = 0; c < question->commands; c++)
        changes += strcmp(question->command[c], ":reset") != 0;
    return changes ? changes : 1;
}

/* Judge an answer or, with NULL, the condition of a question. If the condition is
 * false, report the difference, once per change. */
static bool take(Session *session, const char *typed, Error *error) {
    Player *player = session->lesson.player;
    const Quiz *question = question_at(player);
    ProgressAnswer *answer = answer_at(player);
    Page *page = &session->page;
    Judgement judgement;
    AtHand at_hand = lesson_exec_at_hand(session);
    if (!judge(question, typed, &at_hand, &judgement, error)) {
        if (typed) return false;
        judgement = (Judgement){JUDGED_WRONG, error->message};
    }
    bool is_right = judgement.verdict == JUDGED_RIGHT;
    if (!is_right && !typed) {
        const char *unmet = judgement.reply;
        int changes = session->what_if.changes.done;
        bool has_changed =
            changes > player->unmet_changes || session->outcome.did >= DID_RUN;
        if (has_changed && ++player->missed % changes_of_try(question) == 0) {
            answer->tries++;
            player_save_progress(session);
        }
        if (unmet &&
            (has_changed || !player->unmet || strcmp(unmet, player->unmet) != 0)) {
            page_gap(page);
            page_prose(page, session_safe(session, unmet));
            player->unmet = arena_copy(&session->lesson.arena, unmet, strlen(unmet));
        }
        player->unmet_changes = changes;
        return true;
    }
    if (judgement.verdict == JUDGED_NO_ANSWER) {
        page_prose(page, session_safe(session, judgement.reply));
        return true;
    }
    answer->tries++;
    answer->right = is_right && !answer->shown;
    answer->skipped = false;
    if (typed) answer->last = progress_text(typed, player->progress.arena);
    page_gap(page);
    const char *right = NULL;
    if (!is_right && question->predicts &&
        !lesson_exec_right_answer(session, question, &right, error))
        return false;
    page_prose(page, is_right ? tr(N_("Right."))
                     : right  ? trf(page->arena, "The result is different: %s",
                                    session_safe(session, right))
                              : tr(N_("Not quite.")));
    if (!is_right && judgement.reply)
        page_prose(page, session_safe(session, judgement.reply));
    if (right) page_gap(page);
    if (is_right || right) { /* a prediction has one try */
        explain_and_go_on(session);
        return true;
    }
    player_save_progress(session);
    page_note(page, ":hint   :answer   :skip");
    return true;
}

/* Return true if a wrong answer may be an ordinary sentence. "이" is also a number. */
static bool could_be_sentence(const Quiz *question, const char *typed) {
    const char *second = strchr(typed, ' ');
    bool has_three_words = second && strchr(second + 1, ' ');
    return question->asks == ASKS_TEXT || (question->asks == ASKS_TOKEN && second) ||
           (question->asks == ASKS_NUMBER && has_three_words &&
            !strpbrk(typed, "0123456789"));
}

bool player_guesses_again(Session *session, const char *typed) {
    const Player *player = session->lesson.player;
    if (player->asks || player->is_moved || player->at == 0) return false;
    const LessonStep *step = &player->lesson.step[player->at - 1];
    if (step->kind != STEP_QUESTION || step->question->asks == ASKS_STATE) return false;
    Error error;
    Judgement judgement;
    AtHand at_hand = lesson_exec_at_hand(session);
    if (!judge(step->question, typed, &at_hand, &judgement, &error) ||
        judgement.verdict == JUDGED_NO_ANSWER ||
        (judgement.verdict == JUDGED_WRONG && could_be_sentence(step->question, typed)))
        return false;
    page_note(&session->page, "this question is answered; Enter continues");
    return true;
}

bool player_take(Session *session, const char *typed, Error *error) {
    /* The question is about the lesson's run, not about later experiments. Copy the
     * line: the lines that are run again overwrite the scratch memory. */
    const char *kept = arena_copy(&session->lesson.arena, typed, strlen(typed));
    return move_back(session, error) && take(session, kept, error);
}

bool player_follow(Session *session, Error *error) {
    Player *player = session->lesson.player;
    bool was_own = player->was_own;
    player->was_own = false;
    if (!session->lesson.is_open || was_own) return true;
    player->is_moved = true;
    int at = player->at;
    bool waits = player->asks && question_at(player)->asks == ASKS_STATE;
    if (waits && !take(session, NULL, error)) return false;
    if (session->lesson.is_open && player->at == at) say_keys(session);
    return true;
}

bool player_back(Session *session, Error *error) {
    Player *player = session->lesson.player;
    if (!lesson_is_open(session, error)) return false;
    /* A waiting question is on the current page; else that page is complete. */
    player->at = pages_before(&player->lesson, player->at, player->asks ? 1 : 2);
    player->asks = false;
    player->is_moved = true;
    return player_next(session, error);
}

bool player_stop(Session *session, const Arguments *arguments, Error *error) {
    (void)arguments;
    if (!lesson_is_open(session, error)) return false;
    page_line(&session->page, N_("%s: left; :lesson lists the lessons"),
              player_name(session));
    close_lesson(session, true);
    return true;
}

static bool question_waits(Session *session, Error *error) {
    return lesson_is_open(session, error) &&
           (session->lesson.player->asks ||
            fail(error, "there is no open question; Enter "
                        "continues"));
}

bool player_hint(Session *session, const Arguments *arguments, Error *error) {
    (void)arguments;
    if (!question_waits(session, error)) return false;
    const Quiz *question = question_at(session->lesson.player);
    ProgressAnswer *answer = answer_at(session->lesson.player);
    Page *page = &session->page;
    bool is_last = answer->hints >= question->hints;
    int hint = is_last ? question->hints - 1 : answer->hints++;
    player_save_progress(session);
    page_gap(page);
    page_prose(page, session_safe(session, question->hint[hint]));
    if (answer->hints < question->hints)
        page_note(page, "%d of %d hints; :hint gives the next", answer->hints,
                  question->hints);
    else
        page_note(page, "that was the last hint; :answer shows the answer");
    return true;
}

bool player_answer(Session *session, const Arguments *arguments, Error *error) {
    (void)arguments;
    if (!question_waits(session, error)) return false;
    Page *page = &session->page;
    const Quiz *question = question_at(session->lesson.player);
    const char *answer;
    answer_at(session->lesson.player)->shown = true;
    if (!lesson_exec_right_answer(session, question, &answer, error)) return false;
    page_gap(page);
    if (question->asks != ASKS_STATE)
        page_prose(page,
                   trf(page->arena, "The answer: %s", session_safe(session, answer)));
    for (int c = 0; c < question->commands; c++)
        page_line(page, "    %s", session_safe(session, question->command[c]));
    explain_and_go_on(session);
    return true;
}

bool player_skip(Session *session, const Arguments *arguments, Error *error) {
    (void)arguments;
    if (!question_waits(session, error)) return false;
    answer_at(session->lesson.player)->skipped = true;
    leave_question(session->lesson.player);
    return player_next(session, error);
}

bool player_where(Session *session, const Arguments *arguments, Error *error) {
    (void)arguments;
    if (!lesson_is_open(session, error)) return false;
    const Player *player = session->lesson.player;
    const Lesson *lesson = &player->lesson;
    ProgressScore score = progress_score(&player->progress);
    page_line(&session->page, N_("%s: %d of %d, %d of %d questions right"),
              player_name(session), pages_stops(lesson, player->at),
              pages_stops(lesson, lesson->steps), score.right, score.all);
    if (player->shares_folder)
        page_line(&session->page, N_("it writes to %s"),
                  session_safe(session, player->folder));
    return true;
}
