/* lessons.h - which lessons there are. */
#pragma once

#include "lesson/lesson.h"

typedef struct {
    Lesson *lesson; /* by number; of each only what stands above its text */
    int count;
} LessonList;

/* Those that come with the program, in the language of the program where they exist in
 * it; in `arena`. What cannot be read is left out. */
LessonList lessons_list(Arena *arena);

/* The path of a lesson: a file as it is named, or the lesson with that number. Fails
 * with what there is. */
const char *lessons_find(const char *name, Arena *arena, Error *error);
