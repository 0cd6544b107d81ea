/* lesson.h - a lesson as read from its file: prose, commands and their output, figures,
 * questions. lessons/WRITING.md documents the format for authors. */
#pragma once

#include "lesson/markdown.h"
#include "lesson/question.h"

/* A line to type, and its expected output: "..." matches anything. */
typedef struct {
    int line;         /* in the file */
    const char *text; /* a sentence, a command with its colon, or "" for Enter */
    const char *expected;
    int expected_line; /* where the expected output starts in the file */
} TypedLine;

typedef enum {
    STEP_WORDS,  /* text to read */
    STEP_TYPED,  /* a line to type */
    STEP_FIGURE, /* a :draw without -o, and the file to write */
    STEP_QUESTION
} StepKind;

/* A step of the lesson. */
typedef struct {
    StepKind kind;
    int line;
    const Passage *part;  /* for words */
    TypedLine typed;      /* for a typed line or a figure */
    const char *file;     /* for a figure */
    const Quiz *question; /* for a question; numbered from 0: */
    int number;
} LessonStep;

enum { NEEDS_MAX = 30, FILES_MAX = 9, LESSON_BLOCKS_MAX = 1000 };

typedef struct {
    const char *path;
    const char *name; /* its file's name: "04-one-query-by-hand" */
    int number;       /* 4; -1: the name has no number */
    const char *title, *language, *model;
    int minutes, depth; /* depth: an index of depths[] */
    int need[NEEDS_MAX], needs;
    const char *file[FILES_MAX]; /* files in its folder that it reads */
    int files;
    int needs_line, model_line, files_line; /* lines in the file; 1: not given */
    Markdown markdown;
    LessonStep *step;
    int steps, capacity;
    int questions, predictions; /* predictions are not counted as questions */
    const char *digest;         /* of the whole text: changes with it */
    Findings findings;          /* errors in the lesson, ordered by line */
} Lesson;

/* Read the file into `arena`. Fail only if there is nothing to read; invalid blocks are
 * skipped, with a finding. */
bool lesson_read(Lesson *lesson, const char *path, Arena *arena, Error *error);

/* Parse the contents of a file at `path`. */
bool lesson_parse(Lesson *lesson, const char *path, Bytes text, Arena *arena,
                  Error *error);

/* Read only the header: title, minutes. */
bool lesson_read_head(Lesson *lesson, const char *path, Arena *arena, Error *error);

/* Pages of a lesson: text up to a line to type, a figure or a question. */

/* Return the step after the page that starts at step `from`. The last step of a page is
 * a line, a figure, a question, or the one before a heading. */
int pages_end(const Lesson *lesson, int from);

/* Return the first step of the page that is `back` pages before the page of step
 * `step`. */
int pages_before(const Lesson *lesson, int step, int back);

/* Return where to resume a lesson at step `step`: at the previous page, for context,
 * unless that page ends with a question. */
int pages_taken_up(const Lesson *lesson, int step);

/* Return true if the step is a heading that starts a page. */
bool pages_opens(const Lesson *lesson, int step);

/* Return the number of lines, figures and questions before step `to`. */
int pages_stops(const Lesson *lesson, int to);
