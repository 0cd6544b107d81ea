#include "lesson/report_files.h"

#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/interrupt.h"
#include "base/language.h"
#include "text/unicode.h"

/* A walk through the folders. */
typedef struct {
    Report *report;
    Arena *arena;        /* of what is kept */
    const char *student; /* whose folder it is in */
    int files;
    int of_student; /* files, and their bytes: */
    long long bytes;
    const char *too_much; /* why the student is left out, or NULL */
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
    struct stat status;
    if (lstat(path, &status) == 0 && S_ISREG(status.st_mode)) {
        visit->bytes += status.st_size;
        if (++visit->of_student > STUDENT_FILES_MAX)
            visit->too_much = say(visit->arena,
                                  "%s is left out: there are more than %d files of "
                                  "progress",
                                  visit->student, STUDENT_FILES_MAX);
        else if (visit->bytes > STUDENT_BYTES_MAX)
            visit->too_much =
                say(visit->arena,
                    "%s is left out: the files of progress have more than "
                    "%d MiB together",
                    visit->student, STUDENT_BYTES_MAX >> 20);
        if (visit->too_much) return interrupt_none(error);
    }
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

/* What stands in a folder, up to `most` names. */
static bool list(const char *folder, int most, Names *names, Arena *arena,
                 Error *error) {
    DIR *all = opendir(folder);
    if (!all) return fail(error, "cannot read %s: %s", folder, error_reason(errno));
    for (const struct dirent *entry; names->count < most && (entry = readdir(all));) {
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

/* Hidden ones are of other programs, such as those that macOS lays beside a file. */
static bool is_progress(const char *name) {
    return *name != '.' && file_has_ending(name, ".json");
}

/* Behind the folder of a student. One with too much in it is left out, for the sake of
 * all others. */
static void leave_student(Visit *visit, const Visit *before) {
    Report *report = visit->report;
    if (visit->too_much) {
        while (report->sheets &&
               report->sheet[report->sheets - 1].name == visit->student)
            report->sheets--;
        visit->files = before->files;
        add_refusal(visit, visit->too_much);
    }
    visit->student = before->student;
    visit->of_student = before->of_student;
    visit->bytes = before->bytes;
    visit->too_much = before->too_much;
}

/* Level 0 is the class, level 1 a student. A link could lead in a circle, to another
 * student, or anywhere. */
static bool visit_folder(Visit *visit, const char *folder, int level, Error *error) {
    Arena names_arena = {0};
    Names names = {0};
    Error problem;
    int most = level == 0 ? REPORT_FILES_MAX + 1 : STUDENT_NAMES_MAX + 1;
    bool done = list(folder, most, &names, &names_arena, &problem);
    if (!done && level == 0) return fail(error, "%s", problem.message);
    if (!done) add_refusal(visit, problem.message);
    if (level > 0 && names.count == most)
        visit->too_much =
            say(visit->arena, "%s is left out: a folder holds more than %d names",
                visit->student, STUDENT_NAMES_MAX);
    done = interrupt_none(error);
    for (int n = 0; done && !visit->too_much && n < names.count; n++) {
        const char *name = names.name[n];
        const char *path = file_join(&names_arena, folder, name);
        struct stat status;
        if (lstat(path, &status) != 0) continue;
        bool is_link = S_ISLNK(status.st_mode);
        if (is_link && (level == 0 || is_progress(name))) {
            fail(&problem, "%s is a link; links are not followed", path);
            add_refusal(visit, problem.message);
        } else if (S_ISDIR(status.st_mode) && level <= REPORT_LEVELS_MAX) {
            const Visit before = *visit;
            if (level == 0) visit->student = safe(name, visit->arena);
            if (level == 0) visit->of_student = 0;
            if (level == 0) visit->bytes = 0;
            done = visit_folder(visit, path, level + 1, error);
            if (level == 0) leave_student(visit, &before);
        } else if (is_progress(name) && !is_link) {
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
    if (!visit_folder(&visit, folder, 0, error)) return false;
    if (visit.too_much) leave_student(&visit, &(Visit){0});
    return true;
}
