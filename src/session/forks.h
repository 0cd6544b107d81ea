/* forks.h - "what if it had said another word here?": the learner takes a token, greedy
 * decoding goes on from there, and both sentences stay at hand.
 *
 * The decoding of the session (its steps, and the stops of the walk over them) is the
 * fork where one is. */
#pragma once

#include "session/session.h"

/* The token that `typed` means at a step of the decoding: a word of the vocabulary, the
 * number of a candidate (1: the best) or an id. Fails with what to type instead. */
bool forks_token(Session *session, int step, const char *typed, int *id, Error *error);

/* Take the token at the step and go on from there: a new fork. */
bool forks_pick(Session *session, int step, int id, Error *error);

/* Go back to fork `number`; 0 is the model's own. */
bool forks_go(Session *session, int number, Error *error);

/* The fork that takes the tokens of --picks "5=308,7=12", steps and ids; and what would
 * be written there for the one where one is, in `arena`: NULL for the model's own.
 */
bool forks_follow(Session *session, const char *picks, Error *error);
const char *forks_picks(const Session *session, Arena *arena);

/* The tokens that were picked are taken again, after a change by hand, from which the
 * model's own decoding has just come; what the other forks say is found when asked for.
 */
bool forks_again(Session *session, Error *error);

/* A line for each. Fails, as the others, where a decoding does. */
bool forks_list(Session *session, Error *error);
