/* question_page.h - the answer to the question why a number has its value. */
#pragma once

#include "session/session.h"

/* Report the answer to the current question: its terms, or its tree. */
void question_say(Session *session);
