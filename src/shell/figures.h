/* figures.h - figures of what a session holds: what an address means there, what stands
 * in the footer, and the command that makes the figure again. */
#pragma once

#include "figure/figure.h"
#include "shell/command.h"

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

/* Write the figure to `path` and say so. */
bool figures_save(Session *session, const Arguments *arguments, const Figure *figure,
                  const char *path, Error *error);

/* A path as a figure says it, in `arena`: what comes with the program without the
 * folder where it lies on this machine. */
const char *figures_path(const char *path, Arena *arena);

/* The command line that does the same in a shell, in `arena`. */
const char *figures_command(const Session *session, const Arguments *arguments,
                            Arena *arena);
