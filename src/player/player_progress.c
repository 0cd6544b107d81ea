#include "player/player_progress.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/language.h"
#include "player/lessons.h"

/* Nothing is saved from here on, which the line at hand will say. */
static void stop_saving(Player *player, const Error *error) {
    player->path = NULL;
    player->is_lost = true;
    player->lost = *error;
}

static const char *path_of(const Lesson *lesson, Arena *arena, const char **folder,
                           Error *error) {
    if (!state_folder("lessons", arena, folder, error)) return NULL;
    return progress_path(*folder, lessons_key(lesson, arena), lesson->language, arena);
}

/* Keep a file that cannot be read under another name. */
static void set_aside(Session *session, const Error *reason) {
    Player *player = &session->player;
    Page *messages = &session->messages;
    const char *kept;
    Error error;
    page_line(messages, "%s", session_safe(session, reason->message));
    if (progress_set_aside(player->path, "refused", &session->scratch, &kept, &error)) {
        page_line(messages, N_("it is kept as %s, and the lesson begins anew"),
                  session_safe(session, kept));
        return;
    }
    page_line(messages, "%s", session_safe(session, error.message));
    player->path = NULL; /* rather nothing is saved than something lost */
}

void player_progress_load(Session *session) {
    Player *player = &session->player;
    const Lesson *lesson = &player->lesson;
    LessonProgress kept;
    Error error;
    player->progress = progress_begin(lesson, &player->arena);
    progress_follow(&player->progress, lesson);
    if (!player->keeps) return;
    player->path = path_of(lesson, &player->arena, &player->place, &error);
    if (!player->path) {
        stop_saving(player, &error);
        return;
    }
    if (!file_exists(player->path)) return;
    if (!progress_read(&kept, player->path, lesson, &player->arena, &error)) {
        set_aside(session, &error);
        return;
    }
    player->progress = kept;
    player->kept_step = kept.step;
    player->kept_at = kept.changed;
    bool changed = progress_follow(&player->progress, lesson);
    if (changed && player->progress.step)
        page_note(&session->page,
                  "The lesson has changed since you were here; answers to questions "
                  "that are as they were still count.");
    if (changed || player->progress.done || player->progress.step >= lesson->steps)
        return;
    player->at = pages_taken_up(lesson, player->progress.step);
    if (player->at == 0) return;
    player->is_moved = true;
    page_note(&session->page, "You were here before: it goes on where you left it; "
                              ":back goes back.");
}

/* Take in what another program has kept of the lesson since. One that is behind does
 * not take its step back; who goes back here alone does. */
static bool take_in(Player *player, Error *error) {
    Arena scratch = {0};
    LessonProgress other;
    bool done = !file_exists(player->path);
    if (!done &&
        progress_read(&other, player->path, &player->lesson, &scratch, error)) {
        bool is_ours = player->kept_at && other.step == player->kept_step &&
                       strcmp(other.changed, player->kept_at) == 0;
        progress_merge(&player->progress, &other, !is_ours);
        done = true;
    }
    arena_free(&scratch);
    return done;
}

void player_progress_save(Session *session) {
    static const double patience = 2; /* seconds */
    Player *player = &session->player;
    FolderLock lock = {.file = -1};
    Error error;
    player->progress.step = player->at;
    if (!player->path) return;
    bool kept = folder_lock(&lock, player->place, patience, &error) &&
                take_in(player, &error) &&
                progress_save(&player->progress, player->path, &error);
    folder_unlock(&lock);
    player->kept_step = player->progress.step;
    player->kept_at = player->progress.changed;
    if (!kept) stop_saving(player, &error);
}

bool player_progress_is_saved(Session *session, Error *error) {
    Player *player = &session->player;
    if (!player->is_lost) return true;
    player->is_lost = false;
    return fail(error, "how far you are is not kept: %s", player->lost.message);
}

const LessonProgress *player_progress_of(const Lesson *lesson, Arena *arena) {
    Error error;
    const char *folder;
    const char *path = path_of(lesson, arena, &folder, &error);
    LessonProgress *progress = ARENA_ARRAY(arena, LessonProgress, 1);
    if (!path || !file_exists(path) ||
        !progress_read(progress, path, NULL, arena, &error))
        return NULL;
    return progress;
}

static int by_lesson(const void *a, const void *b) {
    const LessonProgress *one = a;
    const LessonProgress *other = b;
    int order = strcmp(one->lesson, other->lesson);
    return order ? order : strcmp(one->language, other->language);
}

bool player_progress_all(Arena *arena, const LessonProgress **kept, int *count,
                         Error *error) {
    enum { MOST = 1000 };
    const char *folder;
    *count = 0;
    if (!state_folder("lessons", arena, &folder, error)) return false;
    LessonProgress *all = ARENA_ARRAY(arena, LessonProgress, MOST);
    DIR *files = opendir(folder);
    if (!files) return fail(error, "cannot read %s: %s", folder, error_reason(errno));
    for (const struct dirent *entry; *count < MOST && (entry = readdir(files));) {
        Error unread;
        if (file_has_ending(entry->d_name, ".json") &&
            progress_read(&all[*count], file_join(arena, folder, entry->d_name), NULL,
                          arena, &unread))
            ++*count;
    }
    closedir(files);
    qsort(all, (size_t)*count, sizeof *all, by_lesson);
    *kept = all;
    return true;
}
