/* progress.h - how far a student is in a lesson, kept after every step as a small file.
 *
 * Answers belong to questions by the id of their blocks: where a lesson is changed, the
 * answers to questions that are as they were still count, and the others are kept. What
 * is read from a file may hold anything: unicode_escape() it where it is printed. */
#pragma once

#include "lesson/lesson.h"

enum {
    PROGRESS_ANSWERS_MAX = 2 * LESSON_BLOCKS_MAX,
    PROGRESS_COUNT_MAX = 1000 * 1000, /* of steps, tries, hints */
    PROGRESS_TEXT_MAX = 500           /* bytes; longer ones are kept cut */
};

typedef struct {
    const char *id;   /* of the question */
    int number;       /* of the question, from 0 on; -1: a prediction, or no longer in
                         the lesson: it does not count */
    const char *ask;  /* its words */
    const char *last; /* what was typed last, or "" */
    int tries, hints;
    bool right;
    bool shown;                 /* the answer was asked for */
    bool skipped;               /* the student went on without one */
    int kept_tries, kept_hints; /* in the file, when it was read or saved last */
} ProgressAnswer;

typedef struct {
    const char *lesson; /* "04-one-query-by-hand" */
    const char *language, *title;
    const char *digest; /* of the lesson that was worked on */
    int step, steps;    /* `step` of them are done */
    int questions;      /* that count */
    bool done;
    const char *changed; /* when it was saved last, as clock_date(); "" before */
    ProgressAnswer *answer;
    int answers, capacity;
    Arena *arena; /* of all of it */
} LessonProgress;

/* The student has yet to begin; all in `arena`. */
LessonProgress progress_begin(const Lesson *lesson, Arena *arena);

/* Make it one of the lesson as it is now: each question that counts has an answer, if
 * only an empty one. True where the lesson has changed since it was worked on last:
 * then `step` may be another one, and `done` is as it was. */
bool progress_follow(LessonProgress *progress, const Lesson *lesson);

/* The answer to the question with that id, added where there is none: good until the
 * next one is added. Where there is no room, one that does not count is forgotten. */
ProgressAnswer *progress_answer(LessonProgress *progress, const char *id);

/* How the questions were answered that count. */
typedef struct {
    int right, first; /* in the end; at the first try */
    int answered;     /* rightly, wrongly, or the answer was shown */
    int all;
} ProgressScore;
ProgressScore progress_score(const LessonProgress *progress);

/* 1: right at the first try, 0.5: right later, 0: missed, or the answer was shown; NaN:
 * not answered. */
double progress_share(const ProgressAnswer *answer);

/* "FOLDER/04-one-query-by-hand.en.json", in `arena`. */
const char *progress_path(const char *folder, const char *lesson, const char *language,
                          Arena *arena);

/* Read a file, all into `arena`. Fails where it cannot be read, was written by a later
 * glassbox, is of another lesson than `lesson` (NULL: of any), or is something else. */
bool progress_read(LessonProgress *progress, const char *path, const Lesson *lesson,
                   Arena *arena, Error *error);

/* Write it in the place of what is there, which stays where that fails. */
bool progress_save(LessonProgress *progress, const char *path, Error *error);

/* Rename a file whose place is needed to the first free one of PATH.ENDING,
 * PATH.ENDING-2, ...: `*kept`, in `arena`. */
bool progress_set_aside(const char *path, const char *ending, Arena *arena,
                        const char **kept, Error *error);

/* What another program has kept of the same lesson meanwhile: of each question the
 * answer that knows more, and where `goes_on` the step that is further on. */
void progress_merge(LessonProgress *progress, const LessonProgress *other,
                    bool goes_on);

/* `text` as a file of progress holds it: in normal form C, and not too long. In
 * `arena`. */
const char *progress_text(const char *text, Arena *arena);
