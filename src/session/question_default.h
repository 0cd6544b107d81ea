/* question_default.h - what is asked about where the person names nothing. */
#pragma once

#include "session/session.h"

/* What the stage at hand shows first; without one the weights of :toy, or NULL. */
const Tensor *question_tensor(Session *session);

/* Its most telling cell: the largest weight of head 0 of the sentence that is shown,
 * the number of the largest size elsewhere, the probability of a step's choice. Before
 * the first stage, and at the tokens, the probability of the first token that the model
 * was not certain of, or of the last one with letters. */
bool question_default(Session *session, const Tensor **tensor, int *cell, Error *error);

/* The probability of a word of the answer, the first that is called so; false: there is
 * none. */
bool question_word(const Session *session, const char *word, const Tensor **tensor,
                   int *cell);
