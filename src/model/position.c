#include "model/position.h"

#include "ops/ops.h"

Position position_new(Weights *weights, const char *place, const Config *config) {
    Position position = {
        .kind = (PositionKind)config->position,
        .d_model = config->d_model,
        .offset = config->position_offset,
    };
    if (position.kind != POSITION_LEARNED) return position;
    Axis axis[] = {
        {.name = "position", .size = config->max_length + config->position_offset},
        {.name = "d_model", .size = config->d_model}};
    position.table = weights_add(weights, place, "embed_positions.weight",
                                 INITIAL_EMBEDDING, 2, axis);
    return position;
}

/* Position rows do not depend on the tokens: their labels are numbers. */
static Axis count_only(Axis tokens) {
    return (Axis){.name = tokens.name, .size = tokens.size};
}

static Tensor *position_ids(Tape *tape, Axis tokens, int first) {
    Axis axis = count_only(tokens);
    Tensor *ids = tape_given(tape, "position_ids", 1, &axis);
    if (!ids) return NULL;
    ids->holds_ids = true;
    for (int p = 0; p < axis.size; p++) ids->data[p] = (Number)(first + p);
    return tape_set(tape, ids);
}

Tensor *position_run(Tape *tape, const Position *position, Axis tokens, int first) {
    if (position->kind == POSITION_SINUSOIDAL)
        return sinusoid(tape, "position", count_only(tokens), position->d_model, first);
    return embed(tape, "position", position->table,
                 position_ids(tape, tokens, position->offset + first));
}
