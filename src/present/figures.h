/* figures.h - figures of what a session holds: what an address means there, what stands
 * in the footer, and the command that makes the figure again. */
#pragma once

#include "command/command.h"
#include "figure/figure.h"
#include "session/session.h"

/* The slices that the words of a command mean, in `arena`: of
 * "encoder.*.self_attention.weights" that is one for each layer. A batch axis that is
 * not named is cut to the sentence being shown. */
bool figures_slices(const Session *session, const Arguments *arguments, Arena *arena,
                    Slice **slices, int *count, Error *error);

/* How many slices from the first on have its axes, and so can be parts of one figure.
 */
int figures_alike(const Slice *slices, int count);

/* Sentence, model, seed, address and command, for the footer and the metadata. */
void figures_add_facts(const Session *session, const Arguments *arguments,
                       Figure *figure, Arena *arena);

/* Write the figure to `path`; only a warning is said. */
bool figures_write(Session *session, const Arguments *arguments, const Figure *figure,
                   const char *path, Error *error);

/* Write the figure to `path` and say so. */
bool figures_save(Session *session, const Arguments *arguments, const Figure *figure,
                  const char *path, Error *error);

/* The command line that does the same in a shell, in `arena`. */
const char *figures_command(const Session *session, const Arguments *arguments,
                            Arena *arena);
