/* choice.h - which choice of a question was typed. */
#pragma once

#include "lesson/question.h"

/* By its letter (also by the key of that letter on a Korean keyboard), its place, its
 * text or how its text begins. -1: by none, and `problem` says what is wrong with it.
 */
int choice_typed(const Quiz *question, const char *typed, const char **problem,
                 Arena *arena);
