/* lessons.h - find lessons and their folders, and the tasks of `:lesson` for authors
 * and teachers. */
#pragma once

#include "command/command.h"
#include "lesson/progress.h"
#include "session/session.h"

typedef struct {
    Lesson *lesson; /* by number; only the header of each is read */
    int count;
} LessonList;

/* List the lessons of the program, in its language if they are translated; in `arena`.
 * If some cannot be read, fail and return the rest in the list. */
bool lessons_list(LessonList *list, Arena *arena, Error *error);

/* Return the path of a lesson: the file of that name, or the lesson with that number.
 * Fail with the available lessons. */
const char *lessons_find(const char *name, Arena *arena, Error *error);

/* Return the folder of the lesson's file, in `arena`. */
const char *lessons_place(const Lesson *lesson, Arena *arena);

/* Create the lesson's output folder in the user's data folder, with the lesson's files;
 * in `arena`. */
const char *lessons_folder(const Lesson *lesson, Page *messages, Arena *arena,
                           Error *error);

/* Copy the lesson's files into `folder`. A file that the user has changed is kept under
 * another name, which is reported. */
bool lessons_bring_files(const Lesson *lesson, const char *folder, Page *messages,
                         Error *error);

/* Return the path of the lesson's progress file, and create its folder; in `arena`. */
const char *lessons_progress_path(const Lesson *lesson, Arena *arena,
                                  const char **folder, Error *error);

/* Return the saved progress of a lesson, in `arena`: NULL if it was never started. */
const LessonProgress *lessons_progress(const Lesson *lesson, Arena *arena);

/* Return the saved progress of the last lesson, in `arena`; NULL if there is none or it
 * cannot be read. */
const LessonProgress *lessons_last_progress(Arena *arena);

/* Return the saved progress of all lessons, by file name, in `arena`, without
 * unreadable files. NULL on failure. */
const LessonProgress *lessons_all_progress(Arena *arena, int *count, Error *error);

/* Create a locked folder in $TMPDIR or /tmp: scratch->folder, in `arena`. First remove
 * the folders left by programs that have ended. Until it is removed, signals that would
 * end the program are deferred: see interrupt_guard(). */
bool scratch_folder_make(FolderLock *scratch, Arena *arena, Error *error);

/* Remove it with its contents. */
void scratch_folder_remove(FolderLock *scratch);

/* Remove a folder with its contents; links are removed, not followed. */
void folder_remove_all(const char *folder);

/* `lesson check FILE ...`: print a line "FILE:LINE: ..." for each block that does not
 * run, answer that is not accepted, and broken link or address. Fail if there are any.
 */
bool lesson_check(Session *session, const Arguments *arguments, Error *error);

/* `lesson page LESSON -o FILE`: write a self-contained HTML file with the current
 * output of each line, the figures and the questions. */
bool lesson_page(Session *session, const Arguments *arguments, Error *error);

/* `lesson report FOLDER`: print the results of each student (lesson/report.h), and the
 * questions that most students missed. "csv" writes a row per student, lesson and
 * question, "output" also a figure. If a file cannot be read, report the rest, then
 * fail. */
bool lesson_report(Session *session, const Arguments *arguments, Error *error);

/* `lesson run LESSON`: print a transcript. With --answers, the lines of that file are
 * typed. Without it, each question gets a wrong answer if one is known, its hints, and
 * the correct answer; a prediction, which has one try, its hints and the wrong answer.
 * Nothing is saved. Fail if the lesson does not finish. */
bool lesson_run(Session *session, const Arguments *arguments, Error *error);
