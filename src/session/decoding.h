/* decoding.h - shared by the commands for other ways of decoding: the current sentence,
 * its steps, its words. */
#pragma once

#include "session/session.h"

/* Check that the current model can decode the sentence. Fail with the reason. */
bool decoding_possible(const Session *session, Error *error);

/* Check that the sentence was decoded; it is not if the target was given. */
bool decoding_at_hand(const Session *session, Error *error);

/* Return the maximum number of target tokens for the current sentence. */
int decoding_limit(const Session *session);

/* Return the logits of a decoding step, or NULL. */
const Tensor *decoding_logits(const Session *session, int step, Arena *arena);

/* Return log P of each decoded token, in `arena`, and set `*sum` to their sum. */
double *decoding_logs(const Session *session, double *sum, Arena *arena);

/* Return the label of a target token, safe to print, in `arena`, or its id if there is
 * no tokenizer. */
const char *decoding_label(const Session *session, int id, Arena *arena);
