#include "lesson/report_files.h"

#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/interrupt.h"
#include "text/unicode.h"

/* A walk through the folders. */
typedef struct {
    Report *report;
    Arena *arena;        /* of what is kept */
    const char *student; /* whose folder it is in */
    int files;
} Visit;

/* A name or a text from outside, made safe. */
static const char *safe(const char *text, Arena *arena) {
    Clean clean = unicode_clean(text, strlen(text), arena);
    return unicode_escape(clean.text, (size_t)clean.length, arena);
}

static void make_safe(LessonProgress *progress) {
    Arena *arena = progress->arena;
    const char **const text[] = {&progress->lesson, &progress->language,
                                 &progress->title, &progress->changed};
    for (size_t t = 0; t < sizeof text / sizeof *text; t++)
        *text[t] = safe(*text[t], arena);
    for (int a = 0; a < progress->answers; a++) {
        ProgressAnswer *answer = &progress->answer[a];
        answer->id = safe(answer->id, arena);
        answer->ask = safe(answer->ask, arena);
        answer->last = safe(answer->last, arena);
    }
}

static void add_refusal(const Visit *visit, const char *sentence) {
    Report *report = visit->report;
    ARENA_GROW(visit->arena, report->refused, report->refusals,
               report->refused_capacity);
    report->refused[report->refusals++] = safe(sentence, visit->arena);
}

static bool add_file(Visit *visit, const char *path, Error *error) {
    Report *report = visit->report;
    Error problem;
    StudentLesson sheet = {.name = visit->student};
    if (++visit->files > REPORT_FILES_MAX)
        return fail(error,
                    "more than %d files of progress are too many to be read at once: "
                    "name a folder with fewer",
                    REPORT_FILES_MAX);
    if (!progress_read(&sheet.progress, path, NULL, visit->arena, &problem)) {
        add_refusal(visit, problem.message);
        return interrupt_none(error);
    }
    make_safe(&sheet.progress);
    ARENA_GROW(visit->arena, report->sheet, report->sheets, report->capacity);
    report->sheet[report->sheets++] = sheet;
    return true;
}

typedef struct {
    const char **name;
    int count, capacity;
} Names;

static int by_name(const void *a, const void *b) {
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* What stands in a folder. */
static bool list(const char *folder, Names *names, Arena *arena, Error *error) {
    DIR *all = opendir(folder);
    if (!all) return fail(error, "cannot read %s: %s", folder, error_reason(errno));
    for (const struct dirent *entry; (entry = readdir(all));) {
        if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0)
            continue;
        ARENA_GROW(arena, names->name, names->count, names->capacity);
        names->name[names->count++] = arena_print(arena, "%s", entry->d_name);
    }
    closedir(all);
    if (names->count == 0) return true;
    qsort(names->name, (size_t)names->count, sizeof *names->name, by_name);
    return true;
}

/* Below a student's folder no links are followed: they could lead in a circle. */
static bool is_folder(const char *path, bool follows) {
    struct stat status;
    return (follows ? stat : lstat)(path, &status) == 0 && S_ISDIR(status.st_mode);
}

/* Hidden ones are of other programs, such as those that macOS lays beside a file. */
static bool is_progress(const char *name) {
    return *name != '.' && file_has_ending(name, ".json");
}

/* Level 0 is the class, level 1 a student. */
static bool visit_folder(Visit *visit, const char *folder, int level, Error *error) {
    Arena names_arena = {0};
    Names names = {0};
    Error problem;
    bool done = list(folder, &names, &names_arena, &problem);
    if (!done && level == 0) return fail(error, "%s", problem.message);
    if (!done) add_refusal(visit, problem.message);
    const char *student = visit->student;
    done = interrupt_none(error);
    for (int n = 0; done && n < names.count; n++) {
        const char *name = names.name[n];
        const char *path = file_join(&names_arena, folder, name);
        bool is_deep = level > REPORT_LEVELS_MAX;
        if (!is_deep && is_folder(path, level == 0)) {
            if (level == 0) visit->student = safe(name, visit->arena);
            done = visit_folder(visit, path, level + 1, error);
            visit->student = student;
        } else if (is_progress(name)) {
            done = add_file(visit, path, error);
        }
    }
    arena_free(&names_arena);
    return done;
}

/* The name of the folder, whatever the path to it ("." for one). */
static const char *folder_name(const char *folder, Arena *arena) {
    char whole[PATH_MAX];
    const char *path = realpath(folder, whole) ? whole : folder;
    const char *slash = strrchr(path, '/');
    return safe(slash && slash[1] ? slash + 1 : path, arena);
}

bool report_files(Report *report, const char *folder, Arena *arena, Error *error) {
    Visit visit = {
        .report = report, .arena = arena, .student = folder_name(folder, arena)};
    return visit_folder(&visit, folder, 0, error);
}
