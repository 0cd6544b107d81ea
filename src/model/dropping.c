#include "model/dropping.h"

#include "ops/ops.h"

Tensor *drop(Tape *tape, const char *name, double rate, Tensor *x) {
    if (!(tape->learns || tape->dropout_on) || rate == 0) return x;
    unsigned long long place = (unsigned long long)tape->count;
    return dropout(tape, name, x, rate, tape->seed + place);
}
