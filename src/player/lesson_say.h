/* lesson_say.h - the words of a lesson as blocks of a page. */
#pragma once

#include "lesson/lesson.h"
#include "page/page.h"

/* Add step `step`, which is words: a heading, a paragraph, an item, a table. */
void lesson_say_part(const Lesson *lesson, int step, Page *page);

/* Add what the question asks, with its choices. */
void lesson_say_question(const Quiz *question, Page *page);

/* Add the problems that were found in the lesson's file: those from number `from` up to
 * number `to`, and the count of those after them. */
void lesson_say_findings(const Lesson *lesson, int from, int to, Page *page);
