/* beside.h - two maps in one figure, side by side or as a difference. The other map may
 * come from another address, sentence, model, option, training step or decoding step.
 */
#pragma once

#include "command/command.h"
#include "figure/figure.h"
#include "session/session.h"

/* --beside and --minus. */
extern const Flag flags_beside[];

/* Return true if the command asks for two maps. */
bool draw_is_double(const Arguments *arguments);

/* Extend `figure`, which shows addresses of the current run, to both maps: side by side
 * under one scale, or the current map minus the other. Fail if the other map cannot be
 * made, or if shapes to subtract differ, naming the axis. */
bool draw_beside(Session *session, const Arguments *arguments, Figure *figure,
                 Error *error);

/* Complete a short address in the flags, for a command without other addresses. */
void draw_beside_write_out(Session *session, Arguments *arguments);
