/* question.h - why is this number as it is? What was asked, one question behind the
 * other, so that one can follow a line of an answer and come back up again. */
#pragma once

#include "session/session.h"

/* The cell that `word` means: an address; "[나는, 2]" of the tensor that the stage at
 * hand shows; NULL: the cell that was told of last, or stands out most. */
bool question_cells(Session *session, const char *word, AxisCells *cells, Error *error);

/* Ask about a cell: for its terms, or with `because` for a tree. Other questions are
 * forgotten. */
void question_ask(Session *session, bool because, const AxisCells *cells);

/* Follow line or branch `typed` of the last answer: "3", "3b". */
bool question_follow(Session *session, bool because, const char *typed, Error *error);

/* Back to the question before; where there is none it says so. */
void question_up(Session *session);
