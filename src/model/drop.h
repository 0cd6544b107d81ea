/* drop.h - dropout: what the model does only while it learns, section 5.4. */
#pragma once

#include "store/config.h"
#include "tensor/tape.h"

/* Some numbers of x set to 0, as many as config.json says; x itself where nothing is
 * learned or nothing dropped. Which ones follows from the tape's seed and the place. */
Tensor *drop(Tape *tape, const char *name, const Config *config, Tensor *x);
