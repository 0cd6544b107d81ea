#include "shell/player_keep.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/language.h"
#include "shell/player.h"

/* Nothing is kept from here on, which the line at hand will say. */
static void lose(Player *player, const Error *error) {
    player->path = NULL;
    player->is_lost = true;
    player->lost = *error;
}

static const char *path_of(const Lesson *lesson, Arena *arena, Error *error) {
    const char *folder;
    if (!progress_folder(arena, &folder, error)) return NULL;
    return progress_path(folder, lesson->name, lesson->language, arena);
}

/* A file that was refused is the person's all the same. */
static void set_aside(Session *session, const Error *refused) {
    Player *player = &session->player;
    Page *messages = &session->messages;
    const char *kept;
    Error error;
    page_line(messages, "%s", session_safe(session, refused->message));
    if (progress_set_aside(player->path, &session->scratch, &kept, &error)) {
        page_line(messages, N_("it is kept as %s, and the lesson begins anew"),
                  session_safe(session, kept));
        return;
    }
    page_line(messages, "%s", session_safe(session, error.message));
    player->path = NULL; /* rather nothing is kept than something lost */
}

static void take_up(Session *session) {
    Player *player = &session->player;
    const Lesson *lesson = &player->lesson;
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

void player_keep_begin(Session *session) {
    Player *player = &session->player;
    const Lesson *lesson = &player->lesson;
    LessonProgress kept;
    Error error;
    player->progress = progress_begin(lesson, &player->arena);
    progress_follow(&player->progress, lesson);
    if (!player->keeps) return;
    player->path = path_of(lesson, &player->arena, &error);
    if (!player->path) {
        lose(player, &error);
        return;
    }
    if (!file_exists(player->path)) return;
    if (!progress_read(&kept, player->path, lesson, &player->arena, &error)) {
        set_aside(session, &error);
        return;
    }
    player->progress = kept;
    take_up(session);
}

void player_keep(Session *session) {
    Player *player = &session->player;
    Error error;
    player->progress.step = player->at;
    if (!player->path) return;
    if (progress_save(&player->progress, player->path, &error)) return;
    lose(player, &error);
}

bool player_is_kept(Session *session, Error *error) {
    Player *player = &session->player;
    if (!player->is_lost) return true;
    player->is_lost = false;
    return fail(error, "how far you are is not kept: %s", player->lost.message);
}

const LessonProgress *player_kept(const Lesson *lesson, Arena *arena) {
    Error error;
    const char *path = path_of(lesson, arena, &error);
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

bool player_kept_all(Arena *arena, const LessonProgress **kept, int *count,
                     Error *error) {
    enum { MOST = 1000 };
    const char *folder;
    *count = 0;
    if (!progress_folder(arena, &folder, error)) return false;
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
