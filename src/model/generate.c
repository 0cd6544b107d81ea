#include "model/generate.h"

#include <stdio.h>

#include "model/network.h"

int generate_limit(const Config *config, int source_tokens) {
    enum { MORE_THAN_SOURCE = 50 };
    int limit = source_tokens + MORE_THAN_SOURCE;
    return limit < config->max_length ? limit : config->max_length;
}

static int most_probable(const Number *logit, int count) {
    int best = 0;
    for (int i = 1; i < count; i++)
        if (logit[i] > logit[best]) best = i;
    return best;
}

/* What decoding has so far: <start> and what was chosen. */
typedef struct {
    int *id;
    const char **label;
    int count;
} Target;

static void extend(Target *target, const Model *model, int id) {
    target->id[target->count] = id;
    if (target->label)
        target->label[target->count] = tokenizer_label(&model->target, id);
    target->count++;
}

/* One step: all of the target so far goes in, the next token comes out. */
static int next_token(Tape *tape, const Model *model, const Target *target,
                      DecoderMemory *memory) {
    char place[32];
    snprintf(place, sizeof place, "step.%d", target->count - 1);
    Ids ids = {target->id, 1, target->count, target->label};
    const char *before = tape_enter(tape, place);
    Tensor *logits = network_decode(tape, model, &ids, memory);
    tape_leave(tape, before);
    if (!logits) return -1;
    int words = tensor_row(logits);
    return most_probable(logits->data + tensor_size(logits) - words, words);
}

Generated generate(Tape *tape, const Model *model, const Ids *source, int limit,
                   bool remember) {
    const Config *config = &model->config;
    Error error;
    if (!network_generates(model, &error)) {
        tape_fail(tape, "%s", error.message);
        return (Generated){0};
    }
    if (!tape_find(tape, "encoder.output")) network_encode(tape, model, source);
    int most = generate_limit(config, source->length);
    if (limit > most) limit = most;
    Target target = {.id = ARENA_ARRAY(&tape->arena, int, limit + 1)};
    if (model->target.kind != TOKENIZER_NONE)
        target.label = ARENA_ARRAY(&tape->arena, const char *, limit + 1);
    extend(&target, model, config->start_id);
    DecoderMemory memory = {0};
    bool remembers = remember && network_remembers(model);
    int id = -1;
    while (target.count <= limit && id != config->end_id) {
        id = next_token(tape, model, &target, remembers ? &memory : NULL);
        if (id < 0) return (Generated){0};
        extend(&target, model, id);
    }
    return (Generated){
        .id = target.id + 1,
        .count = target.count - 1,
        .ended = id == config->end_id,
    };
}
