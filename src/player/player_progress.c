#include "player/player_progress.h"

#include <string.h>

#include "base/file.h"
#include "base/language.h"
#include "player/lessons.h"

/* Stop saving, and report it with the current line. */
static void stop_saving(Player *player, const Error *error) {
    player->path = NULL;
    player->is_lost = true;
    player->lost = *error;
}

void player_load_progress(Session *session) {
    Player *player = session->lesson.player;
    const Lesson *lesson = &player->lesson;
    LessonProgress kept;
    Error error;
    player->progress = progress_begin(lesson, &session->lesson.arena);
    if (!player->keeps) return;
    player->path =
        lessons_progress_path(lesson, &session->lesson.arena, &player->place, &error);
    if (!player->path) {
        stop_saving(player, &error);
        return;
    }
    if (!file_exists(player->path)) return;
    if (!progress_read(&kept, player->path, lesson, &session->lesson.arena, &error)) {
        Page *messages = &session->messages;
        const char *aside;
        page_line(messages, "%s", session_safe(session, error.message));
        if (progress_set_aside(player->path, "refused", &session->scratch, &aside,
                               &error)) {
            page_line(messages, N_("it was kept as %s, and the lesson starts again"),
                      session_safe(session, aside));
        } else {
            page_line(messages, "%s", session_safe(session, error.message));
            player->path = NULL; /* do not save, to avoid losing data */
        }
        return;
    }
    player->progress = kept;
    player->kept_step = kept.step;
    player->kept_at = kept.changed;
    bool changed = progress_follow(&player->progress, lesson);
    if (changed && player->progress.step)
        page_note(&session->page,
                  "The lesson has changed since you were here; answers to unchanged "
                  "questions still count.");
    if (changed || player->progress.done || player->progress.step >= lesson->steps)
        return;
    player->at = pages_taken_up(lesson, player->progress.step);
    if (player->at == 0) return;
    player->is_moved = true;
    page_note(&session->page, "You were here before, so the lesson continues where "
                              "you left it; :back goes back.");
}

void player_save_progress(Session *session) {
    static const double patience = 2; /* seconds */
    Player *player = session->lesson.player;
    FolderLock lock = {.file = -1};
    Error error;
    player->progress.step = player->at;
    if (!player->path) return;
    bool kept = folder_lock(&lock, player->place, patience, &error);
    if (kept && file_exists(player->path)) {
        /* Merge progress that another program saved since. An older step in the file
         * does not replace the current one; going back in this program does. */
        Arena scratch = {0};
        LessonProgress other;
        kept = progress_read(&other, player->path, &player->lesson, &scratch, &error);
        bool is_ours = kept && player->kept_at && other.step == player->kept_step &&
                       strcmp(other.changed, player->kept_at) == 0;
        if (kept) progress_merge(&player->progress, &other, !is_ours);
        arena_free(&scratch);
    }
    kept = kept && progress_save(&player->progress, player->path, &error);
    folder_unlock(&lock);
    player->kept_step = player->progress.step;
    player->kept_at = player->progress.changed;
    if (!kept) stop_saving(player, &error);
}

bool player_is_saved(Session *session, Error *error) {
    Player *player = session->lesson.player;
    if (!player || !player->is_lost) return true;
    player->is_lost = false;
    return fail(error, "your progress cannot be kept: %s", player->lost.message);
}
