/* player_progress.h - how far a lesson is, kept from one day to the next. */
#pragma once

#include "session/session.h"

/* Go on with the lesson that was opened where it was left. A file that cannot be read
 * is set aside, which is said; so is a lesson that has changed since. */
void player_progress_load(Session *session);

/* Save how far it is now, if it can be saved. */
void player_progress_save(Session *session);

/* Fails, once, where it could not. */
bool player_progress_is_saved(Session *session, Error *error);

/* What is kept of a lesson, in `arena`: NULL where it was never begun. */
const LessonProgress *player_progress_of(const Lesson *lesson, Arena *arena);

/* What is kept of all lessons, by the names of their files, in `arena`; what cannot be
 * read is left out. */
bool player_progress_all(Arena *arena, const LessonProgress **kept, int *count,
                         Error *error);
