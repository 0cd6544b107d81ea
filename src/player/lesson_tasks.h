/* lesson_tasks.h - what `:lesson` does for those who write and teach lessons. */
#pragma once

#include "command/command.h"
#include "session/session.h"

/* `lesson check FILE ...`: each block runs, each answer passes its own check, each
 * wrong choice fails, links and addresses exist. A line "FILE:LINE: ..." for each
 * finding; fails where there are any. */
bool lesson_check(Session *session, const Arguments *arguments, Error *error);

/* `lesson page LESSON -o FILE`: one file of HTML that needs nothing else, with what
 * each line of the lesson prints now, its figures, and its questions with hints and
 * answers to be opened. */
bool lesson_page(Session *session, const Arguments *arguments, Error *error);

/* `lesson report FOLDER`: for the files of progress below the folder (lesson/report.h),
 * what each student made of each lesson, and which questions most of them missed. With
 * "csv" a row for each student, lesson and question; with "output" a figure, too.
 * Fails, after all that could be said, where a file could not be read. */
bool lesson_report(Session *session, const Arguments *arguments, Error *error);

/* `lesson run LESSON`: the transcript as the player shows it. With --answers the lines
 * of that file are typed as a student would type them. Without it each question gets a
 * wrong answer where one is known, its hints, and the right one; a prediction, which
 * has one try, its hints and the wrong one. No progress and no files are kept. Fails
 * where the lesson did not come to its end. */
bool lesson_run(Session *session, const Arguments *arguments, Error *error);
