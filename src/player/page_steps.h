/* page_steps.h - the steps of a lesson written as HTML, with what they print. */
#pragma once

#include "lesson/html.h"
#include "player/enact.h"
#include "player/recorder.h"

/* A lesson that is done while it is written. */
typedef struct {
    Session *session; /* of its own */
    Lesson lesson;
    Recorder recorder;  /* of that session */
    const char *folder; /* for what it writes and draws */
    Arena *arena;       /* of the lesson and of the page */
    Html html;
} LessonPage;

/* A paragraph, where `code` may stand in backticks. */
void sheet_paragraph(LessonPage *sheet, const char *text);

/* Do the step, and write it: words; a line with what it prints; a picture; a question
 * with its hints and its answer behind something to open. What fails says so in its
 * place. */
void sheet_step(LessonPage *sheet, const LessonStep *step);
