/* dropping.h - dropout: active only during training, section 5.4. */
#pragma once

#include "tensor/tape.h"

/* Set a fraction `rate` of the numbers of x to 0 and scale up the others; return x
 * itself if rate is 0 or the tape is not training, unless tape->drops. The tape's seed
 * and the place of x decide which numbers. */
Tensor *drop(Tape *tape, const char *name, double rate, Tensor *x);
