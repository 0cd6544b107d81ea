#include "model/embedding.h"

#include <math.h>

#include "ops/ops.h"

Tensor *embedding_run(Tape *tape, const Embedding *embedding, const Config *config,
                      Tensor *ids, int first) {
    Tensor *x = embed(tape, "embedding", embedding->table, ids);
    if (config->scale_embedding)
        x = scale(tape, "embedding_scaled", x, sqrt(config->d_model));
    if (!embedding->has_positions || !x) return tape_alias(tape, "input", x);
    Tensor *position =
        position_run(tape, &embedding->position, config, x->axis[1], first);
    return add(tape, "input", x, position);
}
