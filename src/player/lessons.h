/* lessons.h - which lessons there are, and the folders in which they write. */
#pragma once

#include "lesson/lesson.h"
#include "page/page.h"

typedef struct {
    Lesson *lesson; /* by number; of each only what is above its text */
    int count;
} LessonList;

/* Those that come with the program, in the language of the program where they exist in
 * it; in `arena`. Fails where something of them cannot be read; the list holds the
 * rest. */
bool lessons_list(LessonList *list, Arena *arena, Error *error);

/* The path of a lesson: a file as it is named, or the lesson with that number. Fails
 * with what there is. */
const char *lessons_find(const char *name, Arena *arena, Error *error);

/* The folder that the file of the lesson is in, in `arena`. */
const char *lessons_place(const Lesson *lesson, Arena *arena);

/* The name of a lesson's progress and folder, in `arena`: its own, and for one that did
 * not come with the program also a hash of its path. */
const char *lessons_key(const Lesson *lesson, Arena *arena);

/* Its output folder in the person's data folder, made, and with the files that it
 * brings along; in `arena`. */
const char *lessons_folder(const Lesson *lesson, Page *messages, Arena *arena,
                           Error *error);

/* Put the files that a lesson brings along into `folder`. A file of that name that the
 * person has changed is kept under a free name, which is said. */
bool lessons_bring_files(const Lesson *lesson, const char *folder, Page *messages,
                         Error *error);

/* A new folder in $TMPDIR or /tmp, in `arena`; NULL where none can be made. Until it is
 * removed, signals that would end the program are noted: see interrupt_guard(). */
const char *scratch_folder_make(Arena *arena, Error *error);

/* Remove it with all that is in it. */
void scratch_folder_remove(const char *folder);
