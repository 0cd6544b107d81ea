/* read_change.h - what the words of a change mean: addresses, numbers, tokens. */
#pragma once

#include "change/change_new.h"
#include "command/command.h"
#include "session/session.h"

/* Read the one slice that several words mean together: "weights head 2". */
bool read_slice(Session *session, const char *const *word, int words, Slice *slice,
                Error *error);

/* Check that it belongs to this run: weights, the walk's masks and toys cannot be
 * changed. */
bool read_changeable(const Session *session, const Tensor *tensor, Error *error);

/* "ADDRESS[cell] = 1,2,3" split into the words of the address and the numbers. Infinity
 * and NaN must be forced. */
typedef struct {
    const char *word[WORDS_MAX];
    int words;
    Number *value;
    int values;
} Assignment;
bool read_assignment(Session *session, const Arguments *arguments,
                     Assignment *assignment, Error *error);

/* Check that there is one number for the whole slice or one for each cell, and that
 * numbers for ids are valid ids. */
bool read_fits(const Session *session, const Slice *slice, const Assignment *assignment,
               Error *error);

/* Find the tokens of the input that are meant by "부산", "부산#2", "3", or a word that
 * has several tokens. */
bool read_word(Session *session, const char *word, TokenSpan *span, Error *error);

/* Return the source of a change that was typed as `text`. `*record` receives the
 * session's record and must live as long. */
ChangeSource what_source(Session *session, const char *text, Record *record);

/* Return the slice as "ADDRESS[cell]". */
const char *what_slice(Session *session, const Slice *slice);
