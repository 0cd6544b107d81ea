/* progress.h - a student's progress in a lesson, saved to a small file after every
 * step.
 *
 * Answers are matched to questions by the ids of their blocks: when a lesson changes,
 * answers to unchanged questions still count, and the others are kept. Text from a file
 * may contain anything: use unicode_escape() to print it. */
#pragma once

#include "lesson/lesson.h"

enum {
    PROGRESS_ANSWERS_MAX = 2 * LESSON_BLOCKS_MAX,
    PROGRESS_COUNT_MAX = 1000 * 1000, /* of steps, tries, hints */
    PROGRESS_TEXT_MAX = 500           /* bytes; longer text is cut */
};

typedef struct {
    const char *id;  /* of the question */
    int number;      /* of the question, from 0; -1: does not count (a prediction, or no
                        longer in the lesson) */
    const char *ask; /* text of the question */
    const char *last; /* the last input, or "" */
    int tries, hints;
    bool right;
    bool shown;                 /* the student asked for the answer */
    bool skipped;               /* the student continued without an answer */
    int kept_tries, kept_hints; /* in the file when it was last read or saved */
} ProgressAnswer;

typedef struct {
    const char *lesson; /* "04-one-query-by-hand" */
    const char *language, *title;
    const char *digest; /* of the version last used */
    int step, steps;    /* `step` of them are done */
    int questions;      /* that count */
    bool done;
    const char *changed; /* date of the last save, as clock_date(); "" before */
    ProgressAnswer *answer;
    int answers, capacity;
    Arena *arena; /* of all of it */
} LessonProgress;

/* Return the progress of a student who has not started, in `arena`. */
LessonProgress progress_begin(const Lesson *lesson, Arena *arena);

/* Adapt it to the lesson's current version: add an empty answer for each new question
 * that counts. Return true if the lesson has changed since it was last used; then
 * `step` may change, but `done` does not. */
bool progress_follow(LessonProgress *progress, const Lesson *lesson);

/* Return the answer to the question with that id, adding it if necessary; valid until
 * the next is added. A full list drops an answer that does not count. */
ProgressAnswer *progress_answer(LessonProgress *progress, const char *id);

/* Results of the questions that count. */
typedef struct {
    int right, first; /* in the end; at the first try */
    int answered;     /* correct, wrong, or the answer was shown */
    int all;
} ProgressScore;
ProgressScore progress_score(const LessonProgress *progress);

/* Return 1 if correct at the first try, 0.5 if correct later, 0 if missed or the answer
 * was shown, NaN if not answered. */
double progress_share(const ProgressAnswer *answer);

/* "FOLDER/04-one-query-by-hand.en.json", in `arena`. */
const char *progress_path(const char *folder, const char *lesson, const char *language,
                          Arena *arena);

/* Read a file into `arena`. Fail if it cannot be read, was written by a newer version
 * of glassbox, belongs to a lesson other than `lesson` (NULL: any), or has another
 * format. */
bool progress_read(LessonProgress *progress, const char *path, const Lesson *lesson,
                   Arena *arena, Error *error);

/* Replace the file. If that fails, the old file stays. */
bool progress_save(LessonProgress *progress, const char *path, Error *error);

/* Rename a file that is in the way to the first free name of PATH.ENDING,
 * PATH.ENDING-2, ... and set `*kept` to it, in `arena`. */
bool progress_set_aside(const char *path, const char *ending, Arena *arena,
                        const char **kept, Error *error);

/* Merge the progress that another program saved for the same lesson: for each question,
 * keep the answer with more information; if `goes_on`, take the later step. */
void progress_merge(LessonProgress *progress, const LessonProgress *other,
                    bool goes_on);

/* Return `text`, in `arena`, in the form that progress files use: normal form C,
 * limited length. */
const char *progress_text(const char *text, Arena *arena);
