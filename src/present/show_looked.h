/* show_looked.h - what the decoder looked at in the source for each token that it said,
 * as one heatmap: the last cross-attention of every step of the decoding. */
#pragma once

#include "command/command.h"
#include "figure/figure.h"
#include "session/session.h"

/* `figure` becomes the heatmap [said, source], without facts: the mean over the heads,
 * or one of them by --head. */
bool show_looked(Session *session, const Arguments *arguments, Figure *figure,
                 Error *error);
