/* stops.h - where a walk stops: at the tokens, at the stages of the run, at its
 * decoding and at each step of that. Which of them Enter visits depends on the depth.
 */
#pragma once

#include "session/session.h"
#include "walk/depth.h"

/* Say what the model makes of each sentence of the batch, and how to see why: the
 * answer comes before the first stop. */
void answers_say(Session *session);

/* How many there are in all, whatever the depth; 0 without a sentence. */
int stops_all(const Session *session);

/* Its number, the same at each depth: the stops of the path are counted from 1 on, and
 * what lies between two of them is a part of the first, from 1 on; 0: the stop itself.
 */
typedef struct {
    int number, part;
} StopNumber;

StopNumber stops_number(const Session *session, int index);

/* That of the stop `index`, if the one before it has the number `before`. */
StopNumber stops_number_after(const Session *session, StopNumber before, int index);

/* How many the walk visits at its depth, and whether `index` is one of them. */
int stops_count(const Session *session);
bool stops_visits(const Session *session, int index);

/* Go to stop `index` of all and show it, as deep as the walk is there. Past the end, or
 * without a sentence, it says so. */
bool stops_go(Session *session, int index, Error *error);

/* Go to the next stop that the walk visits, or back to the one before. */
bool stops_next(Session *session, Error *error);
bool stops_back(Session *session, Error *error);

/* Walk `change` depths coarser (or finer, below 0), and show where that is. */
bool stops_change_depth(Session *session, int change, Error *error);

/* The tensor that the stop at hand shows first: of a step its probabilities; NULL at
 * the tokens and before the first stop. */
const Tensor *stops_tensor(const Session *session, Arena *arena);

/* The name of a stop, for goto and stages: "tokens", "encoder.0.scores", "step.2". */
const char *stops_name(const Session *session, int index, Arena *arena);

/* The address of what it shows first; of a step of the decoding, of the probabilities
 * that it chooses from. */
const char *stops_address(const Session *session, int index);

/* Its title. */
const char *stops_title(const Session *session, int index, Arena *arena);

/* The stage that a stop shows, or NULL, also for -1; the step of the decoding, or -1.
 */
const Stage *stops_stage(const Session *session, int index);
int stops_step(const Session *session, int index);

/* The stop, of all, that a number (as the walk counts), a name or an idea
 * (walk/glossary.h) means, or -1; of several the nearest. */
int stops_find(const Session *session, const char *name, Arena *arena);

/* The stop that a walk of this depth visits to tell of stop `index`: itself, or one
 * behind it that covers it; -1: it visits none. */
int stops_telling(const Session *session, int index);

/* The addresses of what a stop shows, the best to look at first, in `arena`; none
 * without a sentence. */
const char *const *stops_shown(const Session *session, int index, Arena *arena,
                               int *count);
