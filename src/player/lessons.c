#include "player/lessons.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "base/interrupt.h"
#include "base/language.h"
#include "base/options.h"
#include "session/program.h"
#include "text/unicode.h"

enum { PROGRESS_MAX = 200 };

static int by_number(const void *a, const void *b) {
    const Lesson *one = a;
    const Lesson *other = b;
    int order = (one->number > other->number) - (one->number < other->number);
    return order ? order : strcmp(one->name, other->name);
}

bool lessons_list(LessonList *list, Arena *arena, Error *error) {
    *list = (LessonList){ARENA_ARRAY(arena, Lesson, PROGRESS_MAX), 0};
    const char *lessons = program_folder("lessons", arena);
    if (!lessons) return true;
    const char *folder = file_join(arena, lessons, language_name());
    if (!file_exists(folder)) folder = file_join(arena, lessons, "en");
    DIR *all = opendir(folder);
    bool done = all || fail(error, "cannot read %s: %s", folder, error_reason(errno));
    for (const struct dirent *entry; all && (entry = readdir(all));) {
        if (!strchr("0123456789", entry->d_name[0]) ||
            !file_has_ending(entry->d_name, ".md") || list->count == PROGRESS_MAX)
            continue;
        const char *path = file_join(arena, folder, entry->d_name);
        if (lesson_read_head(&list->lesson[list->count], path, arena, error))
            list->count++;
        else
            done = false;
    }
    if (all) closedir(all);
    qsort(list->lesson, (size_t)list->count, sizeof *list->lesson, by_number);
    return done;
}

/* Return the name of a lesson's progress file and folder: the lesson's name and, for
 * lessons that are not part of the program, a hash of its path. */
static const char *key_of(const Lesson *lesson, Arena *arena) {
    char path[PATH_MAX];
    char ours[PATH_MAX];
    const char *folder = program_folder("lessons", arena);
    if (!realpath(lesson->path, path)) snprintf(path, sizeof path, "%s", lesson->path);
    if (folder && realpath(folder, ours) && strncmp(path, ours, strlen(ours)) == 0 &&
        path[strlen(ours)] == '/')
        return lesson->name;
    uint32_t hash = 2166136261u; /* FNV-1a */
    for (const char *c = path; *c; c++) hash = (hash ^ (unsigned char)*c) * 16777619u;
    return arena_print(arena, "%s-%08x", lesson->name, (unsigned)hash);
}

const char *lessons_find(const char *name, Arena *arena, Error *error) {
    long long number;
    if (!option_whole(name, &number)) return name;
    LessonList list;
    Error unread;
    lessons_list(&list, arena, &unread);
    for (int l = 0; l < list.count; l++)
        if (list.lesson[l].number == number) return list.lesson[l].path;
    if (list.count == 0)
        fail(error, "this program came without lessons; give the file of one");
    else
        fail(error, "there is no lesson %lld; the lessons are %d to %d", number,
             list.lesson[0].number, list.lesson[list.count - 1].number);
    return NULL;
}

const char *lessons_place(const Lesson *lesson, Arena *arena) {
    const char *slash = strrchr(lesson->path, '/');
    return slash ? arena_copy(arena, lesson->path, (size_t)(slash - lesson->path))
                 : ".";
}

/* Return true for a file (S_IFREG) or folder (S_IFDIR), but not for a link to one. */
static bool is_plain(const char *path, mode_t type) {
    struct stat status;
    return lstat(path, &status) == 0 && (status.st_mode & S_IFMT) == type;
}

static bool bring(const char *from, const char *to, Page *messages, Error *error) {
    enum { LARGEST = 1 << 20 };
    Arena arena = {0};
    Bytes bytes;
    Bytes old;
    Error unread;
    const char *kept = NULL;
    bool done = file_read_regular(from, LARGEST, &arena, &bytes, error);
    bool differs =
        done && is_plain(to, S_IFREG) &&
        !(file_read_regular(to, LARGEST, &arena, &old, &unread) &&
          old.size == bytes.size && memcmp(old.bytes, bytes.bytes, bytes.size) == 0);
    done = done && (!differs || progress_set_aside(to, "kept", &arena, &kept, error)) &&
           file_save(to, bytes.bytes, bytes.size, true, error);
    if (done && kept)
        page_line(messages,
                  "%s was changed; your version is kept as %s, and the lesson's file "
                  "is restored",
                  unicode_escape(to, strlen(to), messages->arena),
                  unicode_escape(kept, strlen(kept), messages->arena));
    arena_free(&arena);
    return done;
}

bool lessons_bring_files(const Lesson *lesson, const char *folder, Page *messages,
                         Error *error) {
    Arena arena = {0};
    bool done = true;
    /* "lessons/files" next to "lessons/en/04-name.md" */
    const char *files = file_join(&arena, lessons_place(lesson, &arena), "../files");
    if (lesson->files && !is_plain(files, S_IFDIR))
        done =
            fail(error, "the lesson comes with files, but %s is not a folder", files);
    for (int f = 0; done && f < lesson->files; f++) {
        const char *name = lesson->file[f];
        const char *from = file_join(&arena, files, name);
        done = is_plain(from, S_IFREG)
                   ? bring(from, file_join(&arena, folder, name), messages, error)
                   : fail(error, "the lesson comes with %s, but %s is not a file", name,
                          from);
    }
    arena_free(&arena);
    return done;
}

const char *lessons_folder(const Lesson *lesson, Page *messages, Arena *arena,
                           Error *error) {
    const char *data = state_base("XDG_DATA_HOME", ".local/share", arena);
    if (!data) {
        fail(error, "there is no folder for the lesson's files; set HOME or "
                    "XDG_DATA_HOME to a folder that exists");
        return NULL;
    }
    if (lesson->name[0] == '.' || lesson->name[0] == '\0') {
        fail(error, "a lesson that writes files needs a name that does not start "
                    "with a dot");
        return NULL;
    }
    const char *folder = file_join(arena, file_join(arena, data, "glassbox/lessons"),
                                   key_of(lesson, arena));
    if (!file_make_private_folder(folder, error)) return NULL;
    if (!is_plain(folder, S_IFDIR)) {
        fail(error, "%s is a link; a lesson writes only into its own folder", folder);
        return NULL;
    }
    return lessons_bring_files(lesson, folder, messages, error) ? folder : NULL;
}

const char *lessons_progress_path(const Lesson *lesson, Arena *arena,
                                  const char **folder, Error *error) {
    if (!state_folder("lessons", arena, folder, error)) return NULL;
    return progress_path(*folder, key_of(lesson, arena), lesson->language, arena);
}

const LessonProgress *lessons_progress(const Lesson *lesson, Arena *arena) {
    Error error;
    const char *folder;
    const char *path = lessons_progress_path(lesson, arena, &folder, &error);
    LessonProgress *progress = ARENA_ARRAY(arena, LessonProgress, 1);
    bool is_kept =
        path && file_exists(path) && progress_read(progress, path, NULL, arena, &error);
    return is_kept ? progress : NULL;
}

static int by_name(const void *a, const void *b) {
    const LessonProgress *one = a;
    const LessonProgress *other = b;
    int order = strcmp(one->lesson, other->lesson);
    return order ? order : strcmp(one->language, other->language);
}

const LessonProgress *lessons_last_progress(Arena *arena) {
    const char *folder = state_path("lessons", arena);
    DIR *files = folder ? opendir(folder) : NULL;
    const char *last = NULL;
    struct timespec newest = {0};
    for (const struct dirent *entry; files && (entry = readdir(files));) {
        struct stat status;
        if (!file_has_ending(entry->d_name, ".json") ||
            fstatat(dirfd(files), entry->d_name, &status, 0) != 0)
            continue;
        const struct timespec *changed = &status.st_mtim;
        if (last &&
            (changed->tv_sec < newest.tv_sec ||
             (changed->tv_sec == newest.tv_sec && changed->tv_nsec <= newest.tv_nsec)))
            continue;
        newest = *changed;
        last = file_join(arena, folder, entry->d_name);
    }
    if (files) closedir(files);
    LessonProgress *progress = ARENA_ARRAY(arena, LessonProgress, 1);
    Error unread;
    return last && progress_read(progress, last, NULL, arena, &unread) ? progress
                                                                       : NULL;
}

const LessonProgress *lessons_all_progress(Arena *arena, int *count, Error *error) {
    enum { SAVED_MAX = 1000 };
    const char *folder = state_path("lessons", arena);
    *count = 0;
    LessonProgress *all = ARENA_ARRAY(arena, LessonProgress, SAVED_MAX);
    DIR *files = folder ? opendir(folder) : NULL;
    if (!folder || (!files && errno == ENOENT)) return all; /* no lesson was started */
    if (!files) {
        fail(error, "cannot read %s: %s", folder, error_reason(errno));
        return NULL;
    }
    for (const struct dirent *entry; *count < SAVED_MAX && (entry = readdir(files));) {
        Error unread;
        if (file_has_ending(entry->d_name, ".json") &&
            progress_read(&all[*count], file_join(arena, folder, entry->d_name), NULL,
                          arena, &unread))
            ++*count;
    }
    closedir(files);
    qsort(all, (size_t)*count, sizeof *all, by_name);
    return all;
}

static int remove_one(const char *path, const struct stat *status, int kind,
                      struct FTW *where) {
    (void)status;
    (void)kind;
    (void)where;
    remove(path);
    return 0;
}

void folder_remove_all(const char *folder) {
    enum { OPEN_MAX = 8 };
    nftw(folder, remove_one, OPEN_MAX, FTW_DEPTH | FTW_PHYS | FTW_MOUNT);
}

/* A folder gets its name only when it is locked. Without a lock, remove_stale() of
 * another program would remove it. */
#define SCRATCH "glassbox-XXXXXX"
#define SCRATCH_UNLOCKED "glassbox.XXXXXX"

/* Remove the folders of programs that have ended: their locks are gone. */
static void remove_stale(const char *place) {
    enum { PREFIX = sizeof "glassbox-" - 1 };
    Arena arena = {0};
    DIR *all = opendir(place);
    for (const struct dirent *entry; all && (entry = readdir(all));) {
        struct stat status;
        if (strlen(entry->d_name) != strlen(SCRATCH) ||
            strncmp(entry->d_name, SCRATCH, PREFIX) != 0)
            continue;
        int folder = openat(dirfd(all), entry->d_name,
                            O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
        if (folder < 0) continue;
        if (fstat(folder, &status) == 0 && status.st_uid == geteuid() &&
            flock(folder, LOCK_EX | LOCK_NB) == 0)
            folder_remove_all(file_join(&arena, place, entry->d_name));
        close(folder);
    }
    if (all) closedir(all);
    arena_free(&arena);
}

bool scratch_folder_make(FolderLock *scratch, Arena *arena, Error *error) {
    const char *place = getenv("TMPDIR");
    if (!place || place[0] != '/') place = "/tmp";
    remove_stale(place);
    const char *unlocked = file_join(arena, place, SCRATCH_UNLOCKED);
    char *made = arena_copy(arena, unlocked, strlen(unlocked));
    interrupt_guard(true);
    if (mkdtemp(made)) {
        char *folder = arena_copy(arena, made, strlen(made));
        *strrchr(folder, '.') = '-';
        if (folder_lock(scratch, made, 0, error)) {
            scratch->folder = folder;
            if (rename(made, folder) == 0) return true;
            fail(error, "cannot rename %s to %s: %s", made, folder,
                 error_reason(errno));
            close(scratch->file);
        }
        remove(made);
    } else {
        fail(error, "cannot make a folder in %s: %s", place, error_reason(errno));
    }
    interrupt_guard(false);
    *scratch = (FolderLock){.file = -1};
    return false;
}

void scratch_folder_remove(FolderLock *scratch) {
    folder_remove_all(scratch->folder);
    folder_unlock(scratch);
    interrupt_guard(false);
}
