/* fences.h - blocks between ``` and ```, as lines: Markdown itself never says that one
 * is not closed, but takes all that follows for a part of it. */
#pragma once

#include "base/file.h"
#include "lesson/question.h"

/* Add a finding for each block of `text`, whose first line is line `line` of the file,
 * that is not closed where another one begins, or at the end. */
void fences_check(Bytes text, int line, Findings *findings);
