/* show_beam.h - a beam search over the sentence that is shown: its tree as a figure,
 * and what came of it. */
#pragma once

#include "command/command.h"
#include "figure/figure.h"
#include "session/session.h"

/* `figure` becomes the tree, without facts. How wide the beam is follows from the word
 * of `:beam 3`, from --beams, from the last search, or is 3. */
bool show_beam(Session *session, const Arguments *arguments, Figure *figure,
               Error *error);

/* Say in `told` by flags what `draw beam` takes from the last search. */
void show_beam_tell(const Session *session, Arguments *told, Arena *arena);

/* Tree, finished sentences, and what greedy decoding says. */
bool show_beam_page(Session *session, const Arguments *arguments, Error *error);
