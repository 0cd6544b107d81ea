/* dropping.h - dropout: what a model does only while it learns, section 5.4. */
#pragma once

#include "tensor/tape.h"

/* Some numbers of x set to 0, a share of `rate`, and the others enlarged; x itself
 * where nothing is learned, unless the tape drops all the same, or nothing dropped.
 * Which ones follows from the tape's seed and the place. */
Tensor *drop(Tape *tape, const char *name, double rate, Tensor *x);
