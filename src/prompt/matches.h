/* matches.h - the words that can stand where the cursor is, while they are collected.
 */
#pragma once

#include "session/session.h"

typedef struct {
    Arena *arena;
    const char **word;
    int count, capacity;
} Matches;

/* Add a word, once. */
void matches_add(Matches *matches, const char *word);

/* Add it if it begins with `typed`. */
void matches_offer(Matches *matches, const char *word, const char *typed);

/* Addresses, segment by segment, as far as there is no choice; where none begins with
 * `typed`, the ends of addresses that do. */
void matches_addresses(Matches *matches, const Session *session, const char *typed);

/* Stages in the same way, and ideas (explain/idea.h). */
void matches_stages(Matches *matches, const Session *session, const char *typed);

/* The bracket of an address that is still open at the end of the line, or NULL. */
const char *matches_bracket(const char *line);

/* What can stand inside of it: axes, and behind their = labels and indices, written so
 * that the address stays one. `word` is the part behind the last space. */
void matches_cell(Matches *matches, const Session *session, const char *line,
                  const char *bracket, const char *word);
