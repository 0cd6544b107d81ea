/* beside.h - two maps in one figure: beside each other, or one less the other. The
 * other one is another address, sentence, model, option, training or step. */
#pragma once

#include "command/command.h"
#include "figure/figure.h"
#include "session/session.h"

/* --beside and --minus. */
extern const Flag flags_beside[];

/* Are two maps asked for? */
bool draw_is_double(const Arguments *arguments);

/* Make `figure`, which is that of the addresses in the run at hand, one of both: beside
 * each other under one scale, or the one at hand less the other. Fails where the other
 * one cannot be made, or where shapes differ that should be subtracted, and says which
 * axis. */
bool draw_beside(Session *session, const Arguments *arguments, Figure *figure,
                 Error *error);

/* Write a short address among the flags out, for a command that stands alone. */
void draw_beside_write_out(Session *session, Arguments *arguments);

/* Add to the facts of `figure` what is beside it. */
void draw_beside_tell(const Arguments *arguments, Figure *figure, Arena *arena);
