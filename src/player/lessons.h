/* lessons.h - which lessons there are. */
#pragma once

#include "lesson/lesson.h"

typedef struct {
    Lesson *lesson; /* by number; of each only what stands above its text */
    int count;
} LessonList;

/* Those that come with the program, in the language of the program where they exist in
 * it; in `arena`. Fails where something of them cannot be read; the list holds the
 * rest.
 */
bool lessons_list(LessonList *list, Arena *arena, Error *error);

/* What a lesson is kept under, its progress and its folder: its name, and of one that
 * did not come with the program also where its file lies, since names are not its own.
 * In `arena`. */
const char *lessons_key(const Lesson *lesson, Arena *arena);

/* The path of a lesson: a file as it is named, or the lesson with that number. Fails
 * with what there is. */
const char *lessons_find(const char *name, Arena *arena, Error *error);
