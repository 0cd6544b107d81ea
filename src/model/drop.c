#include "model/drop.h"

#include "ops/ops.h"

Tensor *drop(Tape *tape, const char *name, const Config *config, Tensor *x) {
    if (!tape->learns || config->dropout == 0) return x;
    unsigned long long place = (unsigned long long)tape->count;
    return dropout(tape, name, x, config->dropout, tape->seed + place);
}
