/* question.h - why does this number have its value? A stack of questions, so that the
 * user can follow a line of an answer and return. */
#pragma once

#include "session/session.h"

/* Find the cell that `word` means: an address, or "[나는, 2]" in the tensor of the
 * current stage. NULL: the cell that was described last, or the most notable one. */
bool question_cells(Session *session, const char *word, AxisCells *cells, Error *error);

/* Ask about a cell: for its terms, or with `because` for a tree. This clears earlier
 * questions. The answer is in session->run->questions. */
void question_ask(Session *session, bool because, const AxisCells *cells);

/* Follow line or branch `typed` of the last answer: "3", "3b". */
bool question_follow(Session *session, bool because, const char *typed, Error *error);

/* Return to the previous question; false if there is none. */
bool question_up(Session *session);
