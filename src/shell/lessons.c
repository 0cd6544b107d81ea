#include "shell/lessons.h"

#include <dirent.h>
#include <stdlib.h>
#include <string.h>

#include "base/language.h"
#include "base/options.h"
#include "shell/program.h"

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

LessonList lessons_list(Arena *arena) {
    LessonList list = {ARENA_ARRAY(arena, Lesson, LESSONS_MAX), 0};
    const char *folder = folder_of(language_name(), arena);
    if (!folder || !file_exists(folder)) folder = folder_of("en", arena);
    DIR *all = folder ? opendir(folder) : NULL;
    for (const struct dirent *entry; all && (entry = readdir(all));) {
        Error unread;
        if (is_lesson(entry->d_name) && list.count < LESSONS_MAX &&
            lesson_read_head(&list.lesson[list.count],
                             file_join(arena, folder, entry->d_name), arena, &unread))
            list.count++;
    }
    if (all) closedir(all);
    qsort(list.lesson, (size_t)list.count, sizeof *list.lesson, by_number);
    return list;
}

const char *lessons_find(const char *name, Arena *arena, Error *error) {
    long long number;
    if (!option_whole(name, &number)) return name;
    LessonList list = lessons_list(arena);
    for (int l = 0; l < list.count; l++)
        if (list.lesson[l].number == number) return list.lesson[l].path;
    if (list.count == 0)
        fail(error, "no lessons came with this program; give the file of one");
    else
        fail(error, "there is no lesson %lld; they are %d to %d", number,
             list.lesson[0].number, list.lesson[list.count - 1].number);
    return NULL;
}
