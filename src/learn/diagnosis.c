#include "learn/diagnosis.h"

#include <math.h>

#include "base/language.h"
#include "ops/ops.h"

/* The first cell that is NaN or infinite, or -1; a mask may hide with -inf. */
static int first_broken(const Number *number, int size, bool hides) {
    for (int i = 0; i < size; i++)
        if (!isfinite(number[i]) && !(hides && number[i] < 0)) return i;
    return -1;
}

static const char *cell_text(const Tensor *tensor, int cell, Arena *arena) {
    const char *text = tensor->name;
    for (int a = 0; a < tensor->rank; a++)
        text = arena_print(arena, "%s%s%s=%d", text, a ? ", " : "[",
                           tensor->axis[a].name, tensor_index(tensor, a, cell));
    return arena_print(arena, "%s]", text);
}

static const char *in_weights(const Diagnosis *diagnosis, Arena *arena) {
    Broken broken;
    int next = 0;
    if (!weights_broken(diagnosis->weights, &next, &broken)) return NULL;
    return say(arena, "it appears first in the weight %s",
               cell_text(broken.tensor, broken.first, arena));
}

static const char *in_step(const Step *step, Arena *arena) {
    const Tensor *output = step->output;
    int cell = first_broken(output->data, tensor_size(output), step->op == &op_mask);
    if (cell < 0) return NULL;
    return say(arena, "it appears first in %s = %g", cell_text(output, cell, arena),
               (double)output->data[cell]);
}

/* What a step gives is its inputs' grads. */
static const char *in_gradient(const Tensor *tensor, Arena *arena) {
    if (!tensor->grad || !tensor->grad_written) return NULL;
    int cell = first_broken(tensor->grad, tensor_size(tensor), false);
    if (cell < 0) return NULL;
    return say(arena, "of the weights it appears first in the gradient of %s",
               cell_text(tensor, cell, arena));
}

/* The tapes have the same steps, so all are asked for one step before the next. */
static const char *on_tapes(const Diagnosis *diagnosis, Arena *arena) {
    bool more = true;
    for (int s = 0; more; s++) {
        more = false;
        for (int t = 0; t < diagnosis->tapes; t++) {
            const Tape *tape = diagnosis->tape[t];
            if (s >= tape->count) continue;
            const char *found = in_step(&tape->step[s], arena);
            if (found) return found;
            more = true;
        }
    }
    return NULL;
}

static const char *on_way_back(const Tape *tape, Arena *arena) {
    for (int s = tape->count - 1; s >= 0; s--)
        for (int i = 0; i < tape->step[s].inputs; i++) {
            const char *found = in_gradient(tape->step[s].input[i], arena);
            if (found) return found;
        }
    return NULL;
}

/* All numbers are finite, and their squares add up to more than a number can be. */
static const char *largest(const Diagnosis *diagnosis, Arena *arena) {
    const Tensor *tensor = diagnosis->learned[0]->weight[0].tensor;
    int cell = 0;
    double most = 0;
    for (int t = 0; t < diagnosis->tapes; t++)
        for (int w = 0; w < diagnosis->learned[t]->count; w++) {
            const Tensor *weight = diagnosis->learned[t]->weight[w].tensor;
            for (int i = 0; i < tensor_size(weight); i++) {
                if (fabs((double)weight->grad[i]) <= most) continue;
                most = fabs((double)weight->grad[i]);
                tensor = weight;
                cell = i;
            }
        }
    return say(arena,
               "the sum of its squares is too large, most of all that for %s "
               "with %g",
               cell_text(tensor, cell, arena), (double)tensor->grad[cell]);
}

const char *diagnosis_find(const Diagnosis *diagnosis, Arena *arena) {
    const char *found = on_tapes(diagnosis, arena);
    const char *weight = in_weights(diagnosis, arena);
    /* A broken weight comes before all that was made of it. */
    if (found && weight) return weight;
    for (int t = 0; !found && t < diagnosis->tapes; t++)
        found = on_way_back(diagnosis->tape[t], arena);
    if (found) return found;
    return weight ? weight : largest(diagnosis, arena);
}
