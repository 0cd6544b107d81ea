/* player_say.h - a lesson's words on a page. */
#pragma once

#include "lesson/lesson.h"
#include "page/page.h"

/* A part that is read: a heading, prose, a row of a table with those behind it that
 * follow in the lesson. */
void player_say_part(const Lesson *lesson, int step, Page *page);

/* A question, with its choices. */
void player_say_question(const Quiz *question, Page *page);

/* A text of a lesson, safe to print, in the page's arena. */
const char *player_safe(const char *text, Page *page);

/* What is wrong with the lesson, for whoever wrote it: the beginning of it. */
void player_say_findings(const Lesson *lesson, Page *page);
