/* player_keep.h - how far a lesson is, from one day to the next. */
#pragma once

#include "session/session.h"

/* Take up what is kept of the lesson that was opened: at the step where it was left. A
 * file that cannot be read is set aside, which is said; so is a lesson that has changed
 * since. */
void player_keep_begin(Session *session);

/* Keep how far it is now, if it can be kept. */
void player_keep(Session *session);

/* Fails, once, where it could not. */
bool player_is_kept(Session *session, Error *error);

/* What is kept of all lessons, by the names of their files, in `arena`; what cannot be
 * read is left out. */
bool player_kept_all(Arena *arena, const LessonProgress **kept, int *count,
                     Error *error);

/* What is kept of each lesson of a list, in `arena`: NULL where it was never begun. */
const LessonProgress *player_kept(const Lesson *lesson, Arena *arena);
