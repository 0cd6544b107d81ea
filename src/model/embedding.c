#include "model/embedding.h"

#include <math.h>
#include <string.h>

#include "model/dropping.h"
#include "ops/ops.h"

static Tensor *table_new(Weights *weights, const char *name, int words,
                         const Config *config) {
    Axis axis[] = {{.name = "vocabulary", .size = words},
                   {.name = "d_model", .size = config->d_model}};
    return weights_add(weights, "model", name, INITIAL_EMBEDDING, 2, axis);
}

Tensor *embedding_source_table(Weights *weights, const Config *config) {
    return table_new(weights,
                     config->share_embeddings ? "shared.weight"
                                              : "encoder.embed_tokens.weight",
                     config->source_vocabulary, config);
}

Tensor *embedding_target_table(Weights *weights, const Config *config, Tensor *source) {
    if (config->share_embeddings) return source;
    return table_new(weights, "decoder.embed_tokens.weight", config->target_vocabulary,
                     config);
}

Linear output_layer_new(Weights *weights, const Config *config, Tensor *table) {
    Axis vocabulary = {.name = "vocabulary", .size = config->target_vocabulary};
    if (!config->tie_embeddings)
        return weights_linear(weights, "lm_head", vocabulary, config->d_model,
                              config->logits_bias);
    Tensor *bias = config->logits_bias ? weights_add(weights, "lm_head", "bias",
                                                     INITIAL_ZERO, 1, &vocabulary)
                                       : NULL;
    return (Linear){table, bias};
}

Embedding embedding_new(Weights *weights, const char *place, const Config *config,
                        Tensor *table) {
    Embedding embedding = {
        .table = table,
        .has_positions = place && (config->position == POSITION_SINUSOIDAL ||
                                   config->position == POSITION_LEARNED),
        .is_scaled = config->scale_embedding,
        .has_norm = place && config->embedding_norm,
        .end_id = config->end_id,
        .max_length = config->max_length,
        .dropout = config->dropout,
    };
    if (place) embedding.position = position_new(weights, place, config);
    const Axis types[] = {{.name = "type", .size = config->token_types},
                          {.name = "d_model", .size = config->d_model}};
    if (place && config->token_types && strcmp(place, "model.encoder") == 0)
        embedding.token_types = weights_add(weights, place, "embed_token_types.weight",
                                            INITIAL_EMBEDDING, 2, types);
    if (embedding.has_norm)
        embedding.norm = weights_norm(
            weights, arena_print(&weights->arena, "%s.layernorm_embedding", place),
            config);
    return embedding;
}

bool embedding_fits(Tape *tape, const Embedding *embedding, const char *text,
                    int tokens) {
    if (tokens > embedding->max_length)
        tape_fail(tape,
                  "the %s has %d tokens, but this model reads at most %d (max_length); "
                  "shorten it",
                  text, tokens, embedding->max_length);
    return !tape->failed;
}

Tensor *embedding_run(Tape *tape, const Embedding *embedding, Tensor *ids, int first) {
    if (!ids ||
        !embedding_fits(tape, embedding, ids->axis[1].name, first + ids->axis[1].size))
        return NULL;
    Tensor *x = embed(tape, "embedding", embedding->table, ids);
    if (embedding->is_scaled && x)
        x = scale(tape, "embedding_scaled", x, sqrt(tensor_row(x)));
    if (embedding->token_types && x) {
        Tensor *types = token_types(tape, "token_types", ids, embedding->end_id,
                                    embedding->token_types->axis[0].size);
        Tensor *rows =
            embed(tape, "token_type_embedding", embedding->token_types, types);
        x = add(tape, "embedding_typed", x, rows);
    }
    if (embedding->has_positions && x) {
        Tensor *position = position_run(tape, &embedding->position, x->axis[1], first);
        x = add(tape, "input", x, position);
    } else {
        tape_alias(tape, "input", x);
    }
    if (embedding->has_norm) x = normalize(tape, "input_normed", x, &embedding->norm);
    return drop(tape, "input_dropped", embedding->dropout, x);
}
