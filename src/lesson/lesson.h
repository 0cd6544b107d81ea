/* lesson.h - a lesson as its file says it: prose, commands and what they print,
 * figures, questions. lessons/WRITING.md is the format, for those who write. */
#pragma once

#include "lesson/markdown.h"
#include "lesson/question.h"

/* A line that is typed, and what it should print: "..." stands for anything. */
typedef struct {
    int line;         /* of the file */
    const char *text; /* a sentence, a command with its colon, or "" for Enter */
    const char *expected;
    int expected_line; /* of the file, where it begins */
} TypedLine;

typedef enum {
    STEP_WORDS,  /* something to read */
    STEP_TYPED,  /* a line that is typed */
    STEP_FIGURE, /* a :draw without -o, and the file it becomes */
    STEP_QUESTION
} StepKind;

/* Something that happens, one after the other. */
typedef struct {
    StepKind kind;
    int line;
    const Passage *part;  /* of words */
    TypedLine typed;      /* typed, or of a figure */
    const char *file;     /* of a figure */
    const Quiz *question; /* numbered from 0 on in their order: */
    int number;
} LessonStep;

enum { NEEDS_MAX = 30, FILES_MAX = 9, LESSON_BLOCKS_MAX = 1000 };

typedef struct {
    const char *path;
    const char *name; /* "04-one-query-by-hand", of its file */
    int number;       /* 4; -1: its name begins with none */
    const char *title, *language, *model;
    int minutes, depth; /* depth: an index of depths[] */
    int need[NEEDS_MAX], needs;
    const char *file[FILES_MAX]; /* beside it, which it reads */
    int files;
    int needs_line, model_line, files_line; /* of the file; 1: it does not say */
    Markdown markdown;
    LessonStep *step;
    int steps, capacity;
    int questions, predictions; /* predictions are not among the questions */
    const char *digest; /* of the whole text: it changes where the lesson does */
    Findings findings;  /* what is wrong with it, in the order of its lines */
} Lesson;

/* Read the file, all into `arena`. Fails only where there is nothing to read; a block
 * that is wrong is left out, with a finding, and the rest is as good as before. */
bool lesson_read(Lesson *lesson, const char *path, Arena *arena, Error *error);

/* The same of the bytes that a file at `path` would hold. */
bool lesson_parse(Lesson *lesson, const char *path, Bytes text, Arena *arena,
                  Error *error);

/* Only what is above the text: title, minutes. */
bool lesson_read_head(Lesson *lesson, const char *path, Arena *arena, Error *error);

/* A lesson page by page: words, and the line, figure or question that they lead to. */

/* The step behind the page that begins with step `from`: it ends with a line, a figure
 * or a question, or in front of a heading. */
int pages_end(const Lesson *lesson, int from);

/* Where the page begins that comes `back` pages before the one with step `step`. */
int pages_before(const Lesson *lesson, int step, int back);

/* Where to go on another day with step `step` at hand: with the page before, which it
 * speaks of, unless a question is there that was answered. */
int pages_taken_up(const Lesson *lesson, int step);

/* Does the step open a page, since it is a heading? */
bool pages_opens(const Lesson *lesson, int step);

/* How many lines, figures and questions there are in front of step `to`. */
int pages_stops(const Lesson *lesson, int to);
