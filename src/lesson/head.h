/* head.h - the lines between --- and --- at the top of a lesson. */
#pragma once

#include "lesson/lesson.h"

/* Take them in, with findings where they are wrong or missing; `text` goes on behind
 * them, in the line that is returned. What is missing gets what is usual. */
int lesson_take_head(Lesson *lesson, Bytes *text);
