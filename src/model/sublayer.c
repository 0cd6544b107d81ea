#include "model/sublayer.h"

#include <stdio.h>

#include "model/drop.h"
#include "ops/ops.h"

Sublayer sublayer_begin(Tape *tape, const Norm *norm, const Config *config, int number,
                        Tensor *x) {
    char name[16];
    snprintf(name, sizeof name, "norm_%d", number);
    bool first = config->norm == NORM_PRE;
    return (Sublayer){
        .norm = norm,
        .number = number,
        .x = x,
        .inside = first ? layer_norm(tape, name, x, norm) : x,
    };
}

Tensor *sublayer_end(Tape *tape, const Sublayer *sublayer, const Config *config,
                     bool from_norm, Tensor *output) {
    char sum_name[16];
    char norm_name[16];
    char dropped_name[16];
    snprintf(dropped_name, sizeof dropped_name, "dropped_%d", sublayer->number);
    snprintf(sum_name, sizeof sum_name, "add_%d", sublayer->number);
    snprintf(norm_name, sizeof norm_name, "norm_%d", sublayer->number);
    Tensor *x = from_norm ? sublayer->inside : sublayer->x;
    output = drop(tape, dropped_name, config, output);
    Tensor *sum = config->residual ? add(tape, sum_name, x, output)
                                   : tape_alias(tape, sum_name, output);
    if (config->norm == NORM_PRE) return sum;
    if (config->norm == NORM_NONE) return tape_alias(tape, norm_name, sum);
    return layer_norm(tape, norm_name, sum, sublayer->norm);
}
