/* figures.h - figures of what a session holds: which cells are masked, what stands in
 * the footer, and the command that makes the figure again. */
#pragma once

#include "shell/command.h"
#include "view/figure.h"

/* The slices that an address means, in `arena`: "encoder.*.self_attention.weights" is
 * one for each layer. A batch axis that is not named is cut to the sentence being
 * shown. */
bool figures_slices(const Session *session, const char *address, Arena *arena,
                    Slice **slices, int *count, Error *error);

/* The figure of `count` slices: kind, scale and masked cells as suits them. In `arena`.
 */
Figure figures_new(const Session *session, const Slice *slices, int count,
                   Arena *arena);

/* Sentence, model, seed, address and command, for the footer and the metadata. */
void figures_add_facts(const Session *session, const Arguments *arguments,
                       Figure *figure, Arena *arena);

/* The command line that does the same in a shell, in `arena`. */
const char *figures_command(const Session *session, const Arguments *arguments,
                            Arena *arena);
