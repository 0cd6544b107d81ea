/* stops.h - where a walk stops: at the tokens, at each stage of the run, at each step
 * of the decoding. */
#pragma once

#include "shell/session.h"

/* How many there are; 0 without a sentence. */
int stops_count(const Session *session);

/* Go to stop `index` and show it. Past the end, or without a sentence, it says so. */
bool stops_go(Session *session, int index, Error *error);

/* The tensor that the stop at hand shows first: of a step its probabilities; NULL at
 * the tokens and before the first stop. */
const Tensor *stops_tensor(const Session *session, Arena *arena);

/* The name of a stop, for goto and stages: "tokens", "encoder.0.scores", "step.2". */
const char *stops_name(const Session *session, int index, Arena *arena);

/* Its title. */
const char *stops_title(const Session *session, int index, Arena *arena);

/* The stop that a number or a name means, or -1. */
int stops_find(const Session *session, const char *name, Arena *arena);
