/* show_beam.h - a beam search over the current sentence: its tree as a figure, and the
 * result. */
#pragma once

#include "command/command.h"
#include "figure/figure.h"
#include "session/session.h"

/* Make `figure` the search tree, without facts. The beam width comes from the argument
 * of `:beam 3`, from --beams, from the last search, or is 3. */
bool show_beam(Session *session, const Arguments *arguments, Figure *figure,
               Error *error);

/* Add to `told` the flags that `draw beam` takes from the last search. */
void show_beam_tell(const Session *session, Arguments *told, Arena *arena);

/* Show the tree, the finished sentences, and the result of greedy decoding. */
bool show_beam_page(Session *session, const Arguments *arguments, Error *error);
