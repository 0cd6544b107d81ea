/* lessons.h - which lessons there are, where they write and are kept, and what
 * `:lesson` does for those who write and teach them. */
#pragma once

#include "command/command.h"
#include "lesson/progress.h"
#include "session/session.h"

typedef struct {
    Lesson *lesson; /* by number; of each only what is above its text */
    int count;
} LessonList;

/* Those that come with the program, in its language where they exist in it; in `arena`.
 * Fails where something of them cannot be read; the list holds the rest. */
bool lessons_list(LessonList *list, Arena *arena, Error *error);

/* The path of a lesson: a file as it is named, or the lesson with that number. Fails
 * with what there is. */
const char *lessons_find(const char *name, Arena *arena, Error *error);

/* The folder that the file of the lesson is in, in `arena`. */
const char *lessons_place(const Lesson *lesson, Arena *arena);

/* Its output folder in the person's data folder, made, and with the files that it
 * brings along; in `arena`. */
const char *lessons_folder(const Lesson *lesson, Page *messages, Arena *arena,
                           Error *error);

/* Put the files that a lesson brings along into `folder`. A file of that name that the
 * person has changed is kept under a free name, which is said. */
bool lessons_bring_files(const Lesson *lesson, const char *folder, Page *messages,
                         Error *error);

/* The file in which its progress is kept, and the folder of that, made; in `arena`. */
const char *lessons_progress_path(const Lesson *lesson, Arena *arena,
                                  const char **folder, Error *error);

/* What is kept of a lesson, in `arena`: NULL where it was never begun. */
const LessonProgress *lessons_progress(const Lesson *lesson, Arena *arena);

/* What is kept of the lesson that was worked on last, in `arena`; NULL where there is
 * none, or it cannot be read. */
const LessonProgress *lessons_last_progress(Arena *arena);

/* What is kept of all lessons, by the names of their files, in `arena`; what cannot be
 * read is left out. NULL where it fails. */
const LessonProgress *lessons_all_progress(Arena *arena, int *count, Error *error);

/* A new folder in $TMPDIR or /tmp: scratch->folder, in `arena`. It is locked; those of
 * programs that ended without removing theirs are removed first. Until it is removed,
 * signals that would end the program are noted: see interrupt_guard(). */
bool scratch_folder_make(FolderLock *scratch, Arena *arena, Error *error);

/* Remove it with all that is in it. */
void scratch_folder_remove(FolderLock *scratch);

/* Remove any folder with all that is in it; links are removed, not followed. */
void folder_remove_all(const char *folder);

/* `lesson check FILE ...`: a line "FILE:LINE: ..." for each block that does not run,
 * answer that is not taken, link and address that leads nowhere. Fails where there are
 * any. */
bool lesson_check(Session *session, const Arguments *arguments, Error *error);

/* `lesson page LESSON -o FILE`: one file of HTML that needs nothing else, with what
 * each line of the lesson prints now, its figures, and its questions. */
bool lesson_page(Session *session, const Arguments *arguments, Error *error);

/* `lesson report FOLDER`: what each student made of each lesson (lesson/report.h), and
 * which questions most of them missed. With "csv" a row for each student, lesson and
 * question; with "output" a figure, too. Fails, after all that could be said, where a
 * file could not be read. */
bool lesson_report(Session *session, const Arguments *arguments, Error *error);

/* `lesson run LESSON`: the transcript as the player shows it. With --answers the lines
 * of that file are typed; without it each question gets a wrong answer where one is
 * known, its hints, and the right one; a prediction, which has one try, its hints and
 * the wrong one. Nothing is kept. Fails where the lesson did not come to its end. */
bool lesson_run(Session *session, const Arguments *arguments, Error *error);
