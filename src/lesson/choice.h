/* choice.h - which choice of a question was typed. */
#pragma once

#include "lesson/question.h"

/* Return the choice with that letter (or the letter on the same key of a Korean
 * keyboard), number, text, or beginning of its text. -1: none, with the reason in
 * `problem`. */
int choice_typed(const Quiz *question, const char *typed, const char **problem,
                 Arena *arena);
