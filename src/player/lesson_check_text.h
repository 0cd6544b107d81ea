/* lesson_check_text.h - what in the words of a lesson is not so. */
#pragma once

#include "lesson/lesson.h"
#include "session/session.h"

/* Add a finding for each link of `part` that leads to no lesson, and for each address
 * that the run at hand does not have. */
void lesson_check_words(Session *session, Lesson *lesson, const Passage *part);

/* Add one for each lesson that this one needs and that does not stand beside it. */
void lesson_check_needs(Lesson *lesson);

/* And for each prediction behind which nothing is shown. */
void lesson_check_predictions(Lesson *lesson);
