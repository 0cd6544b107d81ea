#include "player/lessons.h"

#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/language.h"
#include "base/options.h"
#include "session/program.h"

enum { LESSONS_MAX = 200 };

static int by_number(const void *a, const void *b) {
    const Lesson *one = a;
    const Lesson *other = b;
    int order = (one->number > other->number) - (one->number < other->number);
    return order ? order : strcmp(one->name, other->name);
}

static bool is_lesson(const char *name) {
    size_t length = strlen(name);
    return name[0] != '.' && length > 3 && strcmp(name + length - 3, ".md") == 0 &&
           strchr("0123456789", name[0]);
}

static const char *folder_of(const char *language, Arena *arena) {
    const char *lessons = program_folder("lessons", arena);
    return lessons ? file_join(arena, lessons, language) : NULL;
}

bool lessons_list(LessonList *list, Arena *arena, Error *error) {
    *list = (LessonList){ARENA_ARRAY(arena, Lesson, LESSONS_MAX), 0};
    const char *folder = folder_of(language_name(), arena);
    if (!folder || !file_exists(folder)) folder = folder_of("en", arena);
    if (!folder) return true;
    DIR *all = opendir(folder);
    bool done = all || fail(error, "cannot read %s: %s", folder, error_reason(errno));
    for (const struct dirent *entry; all && (entry = readdir(all));) {
        if (!is_lesson(entry->d_name) || list->count == LESSONS_MAX) continue;
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

const char *lessons_key(const Lesson *lesson, Arena *arena) {
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
        fail(error, "no lessons came with this program; give the file of one");
    else
        fail(error, "there is no lesson %lld; they are %d to %d", number,
             list.lesson[0].number, list.lesson[list.count - 1].number);
    return NULL;
}
