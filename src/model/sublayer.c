#include "model/sublayer.h"

#include <stdio.h>

#include "model/dropping.h"
#include "ops/ops.h"

AddNorm add_norm_new(Weights *weights, const char *place, const char *name, int number,
                     const Config *config) {
    AddNorm around = {
        .number = number,
        .place = (NormPlace)config->norm,
        .residual = config->residual,
        .from_norm = config->as_written & RESIDUAL_FROM_NORM,
        .dropout = config->dropout,
    };
    if (around.place != NORM_NONE)
        around.norm = weights_norm(
            weights, arena_print(&weights->arena, "%s.%s", place, name), config);
    return around;
}

/* "add_1", "norm_2". */
typedef struct {
    char text[16];
} Numbered;

static Numbered numbered(const char *name, const AddNorm *around) {
    Numbered made;
    snprintf(made.text, sizeof made.text, "%s_%d", name, around->number);
    return made;
}

Tensor *sublayer_input(Tape *tape, const AddNorm *around, Tensor *x) {
    if (around->place != NORM_PRE) return x;
    return normalize(tape, numbered("norm", around).text, x, &around->norm);
}

Tensor *sublayer_output(Tape *tape, const AddNorm *around, Tensor *x, Tensor *input,
                        Tensor *made) {
    const Numbered add_name = numbered("add", around);
    const Numbered norm_name = numbered("norm", around);
    made = drop(tape, numbered("dropped", around).text, around->dropout, made);
    Tensor *sum = around->residual
                      ? add(tape, add_name.text, around->from_norm ? input : x, made)
                      : tape_alias(tape, add_name.text, made);
    if (around->place == NORM_PRE) return sum;
    if (around->place == NORM_NONE) return tape_alias(tape, norm_name.text, sum);
    return normalize(tape, norm_name.text, sum, &around->norm);
}
