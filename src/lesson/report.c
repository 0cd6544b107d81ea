#include "lesson/report.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "lesson/report_files.h"

static ReportLesson lesson_of(const StudentLesson *sheet) {
    return (ReportLesson){.name = sheet->progress.lesson,
                          .language = sheet->progress.language};
}

static int by_lesson(const void *one, const void *other) {
    const ReportLesson *a = one;
    const ReportLesson *b = other;
    int order = strcmp(a->name, b->name);
    return order ? order : strcmp(a->language, b->language);
}

static int by_student_and_lesson(const StudentLesson *a, const StudentLesson *b) {
    const ReportLesson of_a = lesson_of(a);
    const ReportLesson of_b = lesson_of(b);
    int order = strcmp(a->name, b->name);
    return order ? order : by_lesson(&of_a, &of_b);
}

/* By student, then lesson, and of the same the later first. */
static int by_student(const void *one, const void *other) {
    const StudentLesson *a = one;
    const StudentLesson *b = other;
    int order = by_student_and_lesson(a, b);
    return order ? order : strcmp(b->progress.changed, a->progress.changed);
}

/* Copies of a file, or older ones, count once. */
static void leave_out_older(Report *report) {
    int kept = 0;
    for (int s = 0; s < report->sheets; s++) {
        const StudentLesson *sheet = &report->sheet[s];
        const StudentLesson *before = &report->sheet[kept - (kept > 0)];
        if (kept && by_student_and_lesson(before, sheet) == 0) continue;
        report->sheet[kept++] = *sheet;
    }
    report->sheets = kept;
}

static void number_students(Report *report, Arena *arena) {
    report->student = ARENA_ARRAY(arena, const char *, report->sheets);
    for (int s = 0; s < report->sheets; s++) {
        StudentLesson *sheet = &report->sheet[s];
        if (s == 0 || strcmp(sheet[-1].name, sheet->name) != 0)
            report->student[report->students++] = sheet->name;
        sheet->student = report->students - 1;
    }
}

static void number_lessons(Report *report, Arena *arena) {
    ReportLesson *lesson = ARENA_ARRAY(arena, ReportLesson, report->sheets);
    for (int s = 0; s < report->sheets; s++) lesson[s] = lesson_of(&report->sheet[s]);
    qsort(lesson, (size_t)report->sheets, sizeof *lesson, by_lesson);
    int kept = 0;
    for (int l = 0; l < report->sheets; l++)
        if (kept == 0 || by_lesson(&lesson[kept - 1], &lesson[l]) != 0)
            lesson[kept++] = lesson[l];
    report->lesson = lesson;
    report->lessons = kept;
    for (int s = 0; s < report->sheets; s++) {
        const ReportLesson wanted = lesson_of(&report->sheet[s]);
        const ReportLesson *found =
            bsearch(&wanted, lesson, (size_t)kept, sizeof *lesson, by_lesson);
        assert(found);
        report->sheet[s].lesson = (int)(found - lesson);
    }
}

/* The number in front of the name of a lesson, or -1. */
static long number_of(const ReportLesson *lesson) {
    char *end;
    long number = strtol(lesson->name, &end, 10);
    return end != lesson->name && number >= 0 ? number : -1;
}

/* Is the name, or else its number, another lesson's, too? */
static bool is_shared(const Report *report, int lesson, bool name) {
    const ReportLesson *this = &report->lesson[lesson];
    for (int l = 0; l < report->lessons; l++) {
        const ReportLesson *other = &report->lesson[l];
        bool same_name = strcmp(other->name, this->name) == 0;
        if (l == lesson) continue;
        if (name ? same_name : !same_name && number_of(other) == number_of(this))
            return true;
    }
    return false;
}

static void label_lessons(const Report *report, Arena *arena) {
    for (int l = 0; l < report->lessons; l++) {
        ReportLesson *lesson = &report->lesson[l];
        long number = number_of(lesson);
        bool has_number = number >= 0 && !is_shared(report, l, false);
        lesson->label = has_number ? arena_print(arena, "%ld", number) : lesson->name;
        if (is_shared(report, l, true))
            lesson->label =
                arena_print(arena, "%s (%s)", lesson->label, lesson->language);
    }
}

/* By lesson, and in it by number, then by id: a lesson that was changed has several
 * of the same number. */
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
}

static void count_answers(const Report *report) {
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
    *report = (Report){0};
    if (!report_files(report, folder, arena, error)) return false;
    if (report->sheets == 0) return true;
    qsort(report->sheet, (size_t)report->sheets, sizeof *report->sheet, by_student);
    leave_out_older(report);
    number_students(report, arena);
    number_lessons(report, arena);
    if (report->lessons > REPORT_LESSONS_MAX)
        return fail(error, "%s holds progress in %d lessons; at most %d are told apart",
                    folder, report->lessons, REPORT_LESSONS_MAX);
    label_lessons(report, arena);
    list_questions(report, arena);
    count_answers(report);
    return true;
}

static int by_place(const void *one, const void *other) {
    const StudentLesson *a = one;
    const StudentLesson *b = other;
    return a->student != b->student ? a->student - b->student : a->lesson - b->lesson;
}

const StudentLesson *report_sheet(const Report *report, int student, int lesson) {
    const StudentLesson wanted = {.student = student, .lesson = lesson};
    return bsearch(&wanted, report->sheet, (size_t)report->sheets,
                   sizeof *report->sheet, by_place);
}

int report_question(const Report *report, const StudentLesson *sheet,
                    const ProgressAnswer *answer) {
    if (answer->number < 0) return -1;
    const ReportQuestion wanted = question_of(sheet, answer);
    const ReportQuestion *found =
        bsearch(&wanted, report->question, (size_t)report->questions,
                sizeof *report->question, by_question);
    assert(found);
    return (int)(found - report->question);
}
