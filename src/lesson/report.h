/* report.h - the results of a class: the progress files in a folder, by student, lesson
 * and question.
 *
 * Each subfolder belongs to a student with its name, and may have files at any level;
 * files in the folder itself belong to a student with the folder's name. Links in the
 * folder are not followed. All texts are safe to print. */
#pragma once

#include "lesson/progress.h"

enum {
    REPORT_LEVELS_MAX =
        4, /* of a student's subfolders: .local/state/glassbox/lessons */
    REPORT_FILES_MAX = 20000,
    STUDENT_FILES_MAX = 500,       /* of one student; a student with more is left out */
    STUDENT_NAMES_MAX = 10 * 1000, /* in one folder of a student */
    STUDENT_BYTES_MAX = 16 << 20,  /* of all files of a student */
    REPORT_LESSONS_MAX = 1000
};

/* A student's progress in a lesson. */
typedef struct {
    int student, lesson; /* indices in the report */
    const char *name;    /* of the student */
    LessonProgress progress;
} StudentLesson;

/* A lesson in one language. */
typedef struct {
    const char *name, *language;
    const char *label; /* short and unique: "4", "4 (ko)", or its name */
} ReportLesson;

typedef struct {
    int lesson, number;
    const char *id, *ask;
    const char *label; /* "4.1": the first of lesson 4 */
    /* Number of students: */
    int answered, first; /* who answered; correctly at the first try */
    int missed;          /* who never succeeded, or saw the answer */
    int tries, hints;    /* total of those who answered */
} ReportQuestion;

typedef struct {
    const char **student; /* in alphabetical order, like the lessons */
    int students;
    ReportLesson *lesson;
    int lessons;
    ReportQuestion *question; /* in the order of the lessons */
    int questions;
    StudentLesson *sheet; /* by student, then lesson; the latest of duplicates */
    int sheets, capacity;
    const char **refused; /* sentences: why files and folders could not be read */
    int refusals, refused_capacity;
} Report;

/* Read all files below `folder` into `arena`. Fail if interrupted, or if the folder
 * itself cannot be read or has more than REPORT_FILES_MAX files or REPORT_LESSONS_MAX
 * lessons. */
bool report_read(Report *report, const char *folder, Arena *arena, Error *error);

/* Return the student's progress in the lesson, or NULL. */
const StudentLesson *report_sheet(const Report *report, int student, int lesson);

/* Return the index of the question that a sheet's answer belongs to; -1: it does not
 * count. */
int report_question(const Report *report, const StudentLesson *sheet,
                    const ProgressAnswer *answer);
