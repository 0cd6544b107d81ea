#include "lesson/report.h"

#include <assert.h>
#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/interrupt.h"
#include "base/language.h"
#include "text/unicode.h"

/* A walk through the folders. */
typedef struct {
    Report *report;
    Arena *arena;        /* of the result */
    const char *student; /* owner of the current folder */
    int files;
    int of_student; /* number and size of the student's files */
    long long bytes;
    const char *too_much; /* why the student is left out, or NULL */
} Visit;

/* Make a name or text from outside safe to print. */
static const char *safe(const char *text, Arena *arena) {
    Clean clean = unicode_clean(text, strlen(text), arena);
    return unicode_escape(clean.text, (size_t)clean.length, arena);
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
                    "more than %d files of progress cannot be read at once; name a "
                    "folder with fewer",
                    REPORT_FILES_MAX);
    struct stat status;
    if (lstat(path, &status) == 0 && S_ISREG(status.st_mode)) {
        visit->bytes += status.st_size;
        if (++visit->of_student > STUDENT_FILES_MAX)
            visit->too_much = trf(visit->arena,
                                  "%s is left out: there are more than %d files of "
                                  "progress",
                                  visit->student, STUDENT_FILES_MAX);
        else if (visit->bytes > STUDENT_BYTES_MAX)
            visit->too_much =
                trf(visit->arena,
                    "%s is left out: the files of progress have more than %d MiB in "
                    "total",
                    visit->student, STUDENT_BYTES_MAX >> 20);
        if (visit->too_much) return interrupt_none(error);
    }
    if (!progress_read(&sheet.progress, path, NULL, visit->arena, &problem)) {
        add_refusal(visit, problem.message);
        return interrupt_none(error);
    }
    LessonProgress *progress = &sheet.progress;
    progress->lesson = safe(progress->lesson, visit->arena);
    progress->language = safe(progress->language, visit->arena);
    progress->title = safe(progress->title, visit->arena);
    progress->changed = safe(progress->changed, visit->arena);
    for (int a = 0; a < progress->answers; a++) {
        ProgressAnswer *answer = &progress->answer[a];
        answer->id = safe(answer->id, visit->arena);
        answer->ask = safe(answer->ask, visit->arena);
        answer->last = safe(answer->last, visit->arena);
    }
    ARENA_GROW(visit->arena, report->sheet, report->sheets, report->capacity);
    report->sheet[report->sheets++] = sheet;
    return true;
}

static int by_name(const void *a, const void *b) {
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* List a folder, up to `max` names, sorted; -1 if it cannot be read. */
static int list(const char *folder, int max, const char ***names, Arena *arena,
                Error *error) {
    int count = 0;
    int capacity = 0;
    DIR *all = opendir(folder);
    *names = NULL;
    if (!all) {
        fail(error, "cannot read %s: %s", folder, error_reason(errno));
        return -1;
    }
    for (const struct dirent *entry; count < max && (entry = readdir(all));) {
        const char *name = entry->d_name;
        if (strcmp(name, ".") == 0 || strcmp(name, "..") == 0) continue;
        ARENA_GROW(arena, *names, count, capacity);
        (*names)[count++] = arena_copy(arena, name, strlen(name));
    }
    closedir(all);
    if (count) qsort(*names, (size_t)count, sizeof **names, by_name);
    return count;
}

/* Leave a student's folder. A student with too many files is left out so that the
 * others can be reported. */
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

/* Level 0 is the class, level 1 is a student. Links are skipped: they could lead in a
 * circle, to another student, or anywhere. */
static bool visit_folder(Visit *visit, const char *folder, int level, Error *error) {
    Arena arena = {0};
    const char **names;
    Error problem;
    int max = level == 0 ? REPORT_FILES_MAX + 1 : STUDENT_NAMES_MAX + 1;
    int count = list(folder, max, &names, &arena, &problem);
    if (count < 0 && level == 0) return fail(error, "%s", problem.message);
    if (count < 0) add_refusal(visit, problem.message);
    if (level > 0 && count == max)
        visit->too_much =
            trf(visit->arena, "%s is left out: its folder has more than %d files",
                visit->student, STUDENT_NAMES_MAX);
    bool done = interrupt_none(error);
    for (int n = 0; done && !visit->too_much && n < count; n++) {
        const char *name = names[n];
        const char *path = file_join(&arena, folder, name);
        struct stat status;
        if (lstat(path, &status) != 0) continue;
        /* Hidden files belong to other programs, for example on macOS. */
        bool is_progress = *name != '.' && file_has_ending(name, ".json");
        bool is_link = S_ISLNK(status.st_mode);
        if (is_link && (level == 0 || is_progress)) {
            fail(&problem, "%s is a link; links are not followed", path);
            add_refusal(visit, problem.message);
        } else if (S_ISDIR(status.st_mode) && level <= REPORT_LEVELS_MAX) {
            const Visit before = *visit;
            if (level == 0) {
                visit->student = safe(name, visit->arena);
                visit->of_student = 0;
                visit->bytes = 0;
            }
            done = visit_folder(visit, path, level + 1, error);
            if (level == 0) leave_student(visit, &before);
        } else if (is_progress && !is_link) {
            done = add_file(visit, path, error);
        }
    }
    arena_free(&arena);
    return done;
}

static int by_lesson(const void *one, const void *other) {
    const LessonProgress *a = &((const StudentLesson *)one)->progress;
    const LessonProgress *b = &((const StudentLesson *)other)->progress;
    int order = strcmp(a->lesson, b->lesson);
    return order ? order : strcmp(a->language, b->language);
}

/* By student, then lesson. */
static int compare_places(const StudentLesson *a, const StudentLesson *b) {
    int order = strcmp(a->name, b->name);
    return order ? order : by_lesson(a, b);
}

/* The same, then latest first. */
static int by_student(const void *one, const void *other) {
    const StudentLesson *a = one;
    const StudentLesson *b = other;
    int order = compare_places(a, b);
    return order ? order : strcmp(b->progress.changed, a->progress.changed);
}

/* Sort the sheets and number their students and lessons. Drop copies and older versions
 * of a file. */
static void number_sheets(Report *report, Arena *arena) {
    StudentLesson *sheet = report->sheet;
    int kept = 0;
    qsort(sheet, (size_t)report->sheets, sizeof *sheet, by_lesson);
    report->lesson = ARENA_ARRAY(arena, ReportLesson, report->sheets);
    for (int s = 0; s < report->sheets; s++) {
        if (s == 0 || by_lesson(&sheet[s - 1], &sheet[s]) != 0)
            report->lesson[report->lessons++] =
                (ReportLesson){.name = sheet[s].progress.lesson,
                               .language = sheet[s].progress.language};
        sheet[s].lesson = report->lessons - 1;
    }
    qsort(sheet, (size_t)report->sheets, sizeof *sheet, by_student);
    for (int s = 0; s < report->sheets; s++)
        if (kept == 0 || compare_places(&sheet[kept - 1], &sheet[s]) != 0)
            sheet[kept++] = sheet[s];
    report->sheets = kept;
    report->student = ARENA_ARRAY(arena, const char *, kept);
    for (int s = 0; s < kept; s++) {
        if (s == 0 || strcmp(sheet[s - 1].name, sheet[s].name) != 0)
            report->student[report->students++] = sheet[s].name;
        sheet[s].student = report->students - 1;
    }
}

/* Return the number at the start of the lesson's name, or -1. */
static long number_of(const ReportLesson *lesson) {
    char *end;
    long number = strtol(lesson->name, &end, 10);
    return end != lesson->name && number >= 0 ? number : -1;
}

/* Use longer labels for lessons that share a number or name. */
static void label_lessons(const Report *report, Arena *arena) {
    for (int l = 0; l < report->lessons; l++) {
        ReportLesson *lesson = &report->lesson[l];
        long number = number_of(lesson);
        bool shares_name = false;
        for (int o = 0; o < report->lessons; o++) {
            const ReportLesson *other = &report->lesson[o];
            bool same_name = strcmp(other->name, lesson->name) == 0;
            if (o != l && same_name) shares_name = true;
            if (!same_name && number_of(other) == number_of(lesson)) number = -1;
        }
        lesson->label = number >= 0 ? arena_print(arena, "%ld", number) : lesson->name;
        if (shares_name)
            lesson->label =
                arena_print(arena, "%s (%s)", lesson->label, lesson->language);
    }
}

/* By lesson, number, then id: a lesson that was changed has several questions with the
 * same number. */
static int by_question(const void *one, const void *other) {
    const ReportQuestion *a = one;
    const ReportQuestion *b = other;
    if (a->lesson != b->lesson) return a->lesson < b->lesson ? -1 : 1;
    if (a->number != b->number) return a->number < b->number ? -1 : 1;
    return strcmp(a->id, b->id);
}

static ReportQuestion question_of(const StudentLesson *sheet,
                                  const ProgressAnswer *answer) {
    return (ReportQuestion){.lesson = sheet->lesson,
                            .number = answer->number,
                            .id = answer->id,
                            .ask = answer->ask};
}

int report_question(const Report *report, const StudentLesson *sheet,
                    const ProgressAnswer *answer) {
    if (answer->number < 0) return -1;
    const ReportQuestion key = question_of(sheet, answer);
    const ReportQuestion *found =
        bsearch(&key, report->question, (size_t)report->questions,
                sizeof *report->question, by_question);
    assert(found);
    return (int)(found - report->question);
}

static void list_questions(Report *report, Arena *arena) {
    int capacity = 0;
    int all = 0;
    for (int s = 0; s < report->sheets; s++)
        for (int a = 0; a < report->sheet[s].progress.answers; a++) {
            const StudentLesson *sheet = &report->sheet[s];
            const ProgressAnswer *answer = &sheet->progress.answer[a];
            if (answer->number < 0) continue;
            ARENA_GROW(arena, report->question, all, capacity);
            report->question[all++] = question_of(sheet, answer);
        }
    if (all == 0) return;
    qsort(report->question, (size_t)all, sizeof *report->question, by_question);
    for (int q = 0; q < all; q++) {
        ReportQuestion *question = &report->question[q];
        const ReportQuestion *before = &report->question[report->questions - (q > 0)];
        if (q && by_question(question, before) == 0) continue;
        question->label =
            arena_print(arena, "%s.%d", report->lesson[question->lesson].label,
                        question->number + 1);
        report->question[report->questions++] = *question;
    }
    for (int s = 0; s < report->sheets; s++) {
        const StudentLesson *sheet = &report->sheet[s];
        for (int a = 0; a < sheet->progress.answers; a++) {
            const ProgressAnswer *answer = &sheet->progress.answer[a];
            int at = report_question(report, sheet, answer);
            double share = progress_share(answer);
            if (at < 0 || isnan(share)) continue;
            ReportQuestion *question = &report->question[at];
            question->answered++;
            question->first += share >= 1;
            question->missed += share <= 0;
            question->tries += answer->tries;
            question->hints += answer->hints;
        }
    }
}

bool report_read(Report *report, const char *folder, Arena *arena, Error *error) {
    char whole[PATH_MAX]; /* the folder may be "." */
    const char *path = realpath(folder, whole) ? whole : folder;
    const char *slash = strrchr(path, '/');
    Visit visit = {.report = report,
                   .arena = arena,
                   .student = safe(slash && slash[1] ? slash + 1 : path, arena)};
    *report = (Report){0};
    if (!visit_folder(&visit, folder, 0, error)) return false;
    if (visit.too_much) leave_student(&visit, &(Visit){0});
    if (report->sheets == 0) return true;
    number_sheets(report, arena);
    if (report->lessons > REPORT_LESSONS_MAX)
        return fail(error, "%s has progress in %d lessons; at most %d can be shown",
                    folder, report->lessons, REPORT_LESSONS_MAX);
    label_lessons(report, arena);
    list_questions(report, arena);
    return true;
}

static int by_place(const void *one, const void *other) {
    const StudentLesson *a = one;
    const StudentLesson *b = other;
    return a->student != b->student ? a->student - b->student : a->lesson - b->lesson;
}

const StudentLesson *report_sheet(const Report *report, int student, int lesson) {
    const StudentLesson key = {.student = student, .lesson = lesson};
    return bsearch(&key, report->sheet, (size_t)report->sheets, sizeof *report->sheet,
                   by_place);
}
