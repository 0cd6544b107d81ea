/* stops.h - where a walk stops: at the tokens, at each stage of the run, at each step
 * of the decoding. */
#pragma once

#include "shell/session.h"

/* How many there are; 0 without a sentence. */
int stops_count(const Session *session);

/* Go to stop `index` and show it. Past the end, or without a sentence, it says so. */
bool stops_go(Session *session, int index, Error *error);

/* The name of a stop, for goto and stages: "tokens", "encoder.0.scores", "step.2". */
const char *stops_name(const Session *session, int index, Arena *arena);

/* The address of what it shows first; of a step of the decoding, of the probabilities
 * that it chooses from. */
const char *stops_address(const Session *session, int index);

/* Its title. */
const char *stops_title(const Session *session, int index, Arena *arena);

/* The stop that a number or a name means, or -1. */
int stops_find(const Session *session, const char *name, Arena *arena);
