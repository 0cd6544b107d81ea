/* report.h - what a class made of its lessons: the files of progress below a folder,
 * put together by student, lesson and question.
 *
 * Each folder in it is a student's, named for the student, with files anywhere in it;
 * files that lie in the folder itself belong to a student of its name. No link below
 * the folder is followed. All texts are safe to print. */
#pragma once

#include "lesson/progress.h"

enum {
    REPORT_LEVELS_MAX =
        4, /* of folders in a student's: .local/state/glassbox/lessons */
    REPORT_FILES_MAX = 20000,
    STUDENT_FILES_MAX = 500,       /* of one student, who is left out beyond that */
    STUDENT_NAMES_MAX = 10 * 1000, /* in one folder of a student's */
    STUDENT_BYTES_MAX = 16 << 20,  /* of a student's files together */
    REPORT_LESSONS_MAX = 1000
};

/* A student in a lesson. */
typedef struct {
    int student, lesson; /* indices of the report's */
    const char *name;    /* of the student */
    LessonProgress progress;
} StudentLesson;

/* A lesson in one language. */
typedef struct {
    const char *name, *language;
    const char *label; /* short, and no other lesson's: "4", "4 (ko)", or its name */
} ReportLesson;

typedef struct {
    int lesson, number;
    const char *id, *ask;
    const char *label; /* "4.1": the first of lesson 4 */
    /* By how many students: */
    int answered, first; /* at all; rightly at the first try */
    int missed;          /* to the end, or the answer was shown */
    int tries, hints;    /* of those who answered, all together */
} ReportQuestion;

typedef struct {
    const char **student; /* in the order of the alphabet, as are the lessons */
    int students;
    ReportLesson *lesson;
    int lessons;
    ReportQuestion *question; /* in the order of the lessons */
    int questions;
    StudentLesson
        *sheet; /* by student, then lesson; of two of the same the later one */
    int sheets, capacity;
    const char **refused; /* sentences: why files and folders could not be read */
    int refusals, refused_capacity;
} Report;

/* Read all files below `folder`, into `arena`. Fails where the folder itself cannot be
 * read, holds more than REPORT_FILES_MAX files or REPORT_LESSONS_MAX lessons, or when
 * the program is interrupted. */
bool report_read(Report *report, const char *folder, Arena *arena, Error *error);

/* What the student made of the lesson, or NULL: nothing. */
const StudentLesson *report_sheet(const Report *report, int student, int lesson);

/* The index of the question that the answer of a sheet belongs to; -1: it does not
 * count. */
int report_question(const Report *report, const StudentLesson *sheet,
                    const ProgressAnswer *answer);
