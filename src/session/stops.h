/* stops.h - the stops of a walk: the tokens, the stages of the run, the decoding, and
 * each decoding step. The depth determines which of them Enter visits. */
#pragma once

#include "session/session.h"
#include "walk/depth.h"

/* Return the total number of stops at the finest depth; 0 without a sentence. */
int stops_all(const Session *session);

/* Number of a stop, the same at each depth: the stops of the path are counted from 1,
 * and the stops between two of them are parts of the first, from 1; part 0 is the stop
 * itself. */
typedef struct {
    int number, part;
} StopNumber;

StopNumber stops_number(const Session *session, int index);

/* Return the number of stop `index`, given the number of the stop before it. */
StopNumber stops_number_after(const Session *session, StopNumber before, int index);

/* Return the coarsest depth at which a walk visits the stop. All decoding steps are
 * alike, so a walk by steps visits only the first. */
Depth stops_depth(const Session *session, int index);

/* Number of stops that the walk visits at its depth, and whether it visits `index`. */
int stops_count(const Session *session);
bool stops_visits(const Session *session, int index);

/* Return the stop that the walk visits instead of this one: the one that covers it, the
 * nearest in its sublayer, or the previous one. */
int stops_visited_instead(const Session *session, int index);

/* Go to stop `index`, or fail if it does not exist. */
bool stops_enter(Session *session, int index, Error *error);

/* Return the first tensor of the current stop, for a decoding step its probabilities;
 * NULL at the tokens and before the first stop. */
const Tensor *stops_tensor(const Session *session, Arena *arena);

/* Return the name of a stop, for :goto and :stages: "tokens", "encoder.0.scores",
 * "step.2". */
const char *stops_name(const Session *session, int index, Arena *arena);

/* Return the address of the stop's first tensor, for a decoding step of the
 * probabilities from which it chose. */
const char *stops_address(const Session *session, int index);

/* Return its title. */
const char *stops_title(const Session *session, int index, Arena *arena);

/* Return the stop's stage, or NULL (also for index -1); its decoding step, or -1. */
const Stage *stops_stage(const Session *session, int index);
int stops_step(const Session *session, int index);

/* Find a stop by its number, its name or an idea (walk/glossary.h), or return -1. If
 * there are several, return the nearest. */
int stops_find(const Session *session, const char *name, Arena *arena);

/* Return the stop at which a walk of this depth shows stop `index`: itself or a later
 * stop that covers it; -1: none. */
int stops_telling(const Session *session, int index);

/* Return the addresses that a stop shows, the most useful first, in `arena`; none
 * without a sentence. */
const char *const *stops_shown(const Session *session, int index, Arena *arena,
                               int *count);
