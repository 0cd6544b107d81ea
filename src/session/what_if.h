/* what_if.h - changing the run at hand, and saying what came of it. */
#pragma once

#include "change/change_new.h"
#include "command/command.h"
#include "session/session.h"

/* Change the run and say what it says now instead of before, and where the two runs
 * first differ. Fails as session_change() does. */
bool what_if_change(Session *session, const Change *change, Error *error);

/* The same for undoing and doing again. */
bool what_if_hold(Session *session, int done, Error *error);

/* Say how the outcomes of two runs differ: the second text as a whole, since it is new;
 * of long texts where they differ; or only the numbers, of texts that were said. */
typedef enum { TEXT_WHOLE, TEXT_PART, TEXT_NONE } OutcomeText;
void what_if_outcomes(const Outcome *before, const Outcome *after, OutcomeText shown,
                      Page *page);

/* The run at hand; its tensors are those of the run unless `depth` says otherwise. */
Snapshot what_if_now(Session *session, SnapshotDepth depth, Arena *arena);

/* The run that was kept under that name, or NULL. */
KeptRun *what_if_kept(WhatIf *what_if, const char *name);

/* The slice that `words` words mean together ("weights head 2" is one slice). */
bool read_slice(Session *session, const char *const *word, int words, Slice *slice,
                Error *error);

/* Can it be changed? It must be of this run: no weight, no mask of the walk, no toy. */
bool read_changeable(const Session *session, const Tensor *tensor, Error *error);

/* "ADDRESS[cell] = 1,2,3" taken apart: the words of the address, and the numbers. One
 * that is infinite or none at all must be forced. */
typedef struct {
    const char *word[WORDS_MAX];
    int words;
    Number *value;
    int values;
} Assignment;
bool read_assignment(Session *session, const Arguments *arguments,
                     Assignment *assignment, Error *error);

/* One for all of the slice, or one for each; and whole numbers in the range of the ids
 * where the slice holds ids. */
bool read_fits(const Session *session, const Slice *slice, const Assignment *assignment,
               Error *error);

/* Which tokens of what was typed are meant: "부산", "부산#2", "3", or a word in pieces.
 */
bool read_word(Session *session, const char *word, TokenSpan *span, Error *error);

/* What a change is made of, `text` being how it was typed; the session's record goes to
 * `*record`, which must live as long. */
ChangeSource what_source(Session *session, const char *text, Record *record);

/* "ADDRESS[cell]": the slice written out. */
const char *what_slice(Session *session, const Slice *slice);
