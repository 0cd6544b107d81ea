/* lesson_report.h - what a class made of its lessons, for the teacher. */
#pragma once

#include "command/command.h"
#include "session/session.h"

/* `lesson report FOLDER`: say, for the files of progress below the folder (see
 * lesson/report.h), what each student made of each lesson, and which questions most of
 * them missed. Of the flags it reads "csv": print instead a row for each student,
 * lesson and question, for a spreadsheet; "output": draw students by questions, too;
 * and "force". Fails, after all that could be said, where a file could not be read,
 * each of which is named in the messages. */
bool lesson_report(Session *session, const Arguments *arguments, Error *error);
