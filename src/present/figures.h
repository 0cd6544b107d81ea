/* figures.h - figures of a session: what an address means, the text of the footer, and
 * the command that makes the figure again. */
#pragma once

#include "command/command.h"
#include "figure/figure.h"
#include "session/session.h"

/* Read the addresses of a command as slices, in `arena`:
 * "encoder.*.self_attention.weights" is one slice per layer. If the batch index is
 * omitted, it is the current sentence. */
bool figures_slices(const Session *session, const Arguments *arguments, Arena *arena,
                    Slice **slices, int *count, Error *error);

/* Return how many slices, from the first, have the same axes and can share a figure. */
int figures_alike(const Slice *slices, int count);

/* Add sentence, model, seed, address and command, for the footer and the metadata.
 * `changes`, `command`: NULL: those of the session and of the arguments. */
void figures_add_facts(const Session *session, const Arguments *arguments,
                       const char *changes, const char *command, Figure *figure,
                       Arena *arena);

/* Write the figure to `path`; print only warnings. */
bool figures_write(Session *session, const Arguments *arguments, const Figure *figure,
                   const char *path, Error *error);

/* Write the figure to `path` and report it. */
bool figures_save(Session *session, const Arguments *arguments, const Figure *figure,
                  const char *path, Error *error);

/* Return the shell command that makes the same figure, in `arena`. */
const char *figures_command(const Session *session, const Arguments *arguments,
                            Arena *arena);
