/* pages.h - a lesson page by page: words, and the line, figure or question that they
 * lead to. */
#pragma once

#include "lesson/lesson.h"

/* The step behind the page that begins with step `from`: it ends with a line, a figure
 * or a question, or in front of a heading. */
int pages_end(const Lesson *lesson, int from);

/* Where the page begins that comes `back` pages before the one with step `step`. */
int pages_before(const Lesson *lesson, int step, int back);

/* Where to go on another day with step `step` at hand: with the page before, which it
 * speaks of, unless a question stands there that was answered. */
int pages_taken_up(const Lesson *lesson, int step);

/* Does the step open a page, since it is a heading? */
bool pages_opens(const Lesson *lesson, int step);

/* How many lines, figures and questions there are in front of step `to`. */
int pages_stops(const Lesson *lesson, int to);
