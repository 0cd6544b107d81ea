/* activation.h - the curve behind a linear layer, by the name it has in config.json. */
#pragma once

#include "store/config.h"
#include "tensor/tape.h"

/* relu or gelu of x; for "none" a second name of x. */
Tensor *activate(Tape *tape, const char *name, int activation, Tensor *x);
