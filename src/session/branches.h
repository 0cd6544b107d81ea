/* branches.h - "what if the model had chosen another word here?": the user picks a
 * token, greedy decoding continues from there, and both sentences are kept.
 *
 * The decoding of the session (its steps, and the walk's stops for them) is that of the
 * current branch. */
#pragma once

#include "session/session.h"

/* Read the token that `typed` means at a decoding step: a word of the vocabulary, the
 * rank of a candidate (1 is the best) or an id. Fail with what to type instead. */
bool branches_token(Session *session, int step, const char *typed, int *id,
                    Error *error);

/* The decoding before another one overwrote it, in scratch memory. */
typedef struct {
    int number; /* of the branch */
    Generated generated;
    const double *log_probability; /* of each token, and their sum */
    double sum;
} BranchBefore;

/* Pick the token at the step and continue from there, as a new branch. */
bool branches_pick(Session *session, int step, int id, BranchBefore *before,
                   Error *error);

/* Switch to branch `number`; 0 is the model's own decoding. */
bool branches_go(Session *session, int number, Error *error);

/* Switch to the branch with the tokens of --picks "5=308,7=12" (step=id), and return
 * that text for the current branch, in `arena`; NULL for the model's own decoding. */
bool branches_follow(Session *session, const char *picks, Error *error);
const char *branches_picks(const Session *session, Arena *arena);

/* Decode the current branch again after a manual change, once the model's own decoding
 * is done. The other branches are decoded when they are needed. */
bool branches_again(Session *session, Error *error);

/* Decode the branches whose text is unknown since a change. */
bool branches_complete(Session *session, Error *error);
