#include "model/variant.h"

#include <stdlib.h>
#include <string.h>

#include "base/interrupt.h"

static bool check_words(const char *key, int words, const Tokenizer *tokenizer,
                        Error *error) {
    int count = tokenizer->vocabulary.count;
    return tokenizer->kind == TOKENIZER_NONE || words == count ||
           fail(error, "%s is %d, but the tokenizer of this model has %d words", key,
                words, count);
}

/* Return the weight with that name and the shape of `tensor`, or NULL. */
static const Weight *fitting(const Weights *weights, const char *name,
                             const Tensor *tensor) {
    for (int w = 0; name && w < weights->count; w++)
        if (strcmp(weights->weight[w].tensor->name, name) == 0)
            return tensor_same_shape(weights->weight[w].tensor, tensor)
                       ? &weights->weight[w]
                       : NULL;
    return NULL;
}

/* Return the name of the tensor that a model shares in place of `name`, or NULL: the
 * embedding table for the output layer, the first layer for all layers. */
static const char *shared_name(const Config *config, const char *name, Arena *arena) {
    static const char shared[] = "model.shared.weight";
    bool is_head = strcmp(name, "lm_head.weight") == 0;
    if (is_head && config->tie_embeddings)
        return config->share_embeddings ? shared : "model.decoder.embed_tokens.weight";
    if (config->share_embeddings && strstr(name, ".embed_tokens.weight")) return shared;
    /* of layer 0 for all: "model.encoder.layers.0.fc1.bias" */
    static const char layers[] = ".layers.";
    const char *number = strstr(name, layers);
    if (!config->share_layers || !number) return NULL;
    number += strlen(layers);
    return arena_print(arena, "%.*s0%s", (int)(number - name), name,
                       number + strspn(number, "0123456789"));
}

static Number *copy_numbers(const Tensor *tensor, Arena *arena) {
    size_t bytes = (size_t)tensor_size(tensor) * sizeof(Number);
    return memcpy(arena_take_raw(arena, bytes), tensor->data, bytes);
}

/* Take over the numbers for one weight, including those before training, and record
 * what happened. If there are none, its data stays NULL. */
static void take_over(Model *variant, const Model *model, const Model *original,
                      Weight *weight, VariantNews *news) {
    Arena *arena = &variant->arena;
    Tensor *tensor = weight->tensor;
    const Weight *first = fitting(&original->weights, tensor->name, tensor);
    const Weight *now = fitting(&model->weights, tensor->name, tensor);
    const Weight *copied =
        fitting(&original->weights, shared_name(&original->config, tensor->name, arena),
                tensor);
    const Weight *from = first ? first : now ? now : copied;
    if (from) weight->unlearned = from->unlearned;
    if (first) { /* the current model shares these numbers: they are the same */
        tensor->data = first->tensor->data;
        news->kept++;
        return;
    }
    if (now) { /* it came with an option that was changed earlier */
        tensor->data = copy_numbers(now->tensor, arena);
        news->kept++;
        return;
    }
    *(copied ? &news->copy[news->copies++] : &news->fresh[news->freshes++]) =
        tensor->name;
    if (from) tensor->data = copy_numbers(from->tensor, arena);
}

static bool build(Model *variant, const Model *model, const Model *original,
                  VariantNews *news, Error *error) {
    const VocabularyLabels labels = {.source = variant->source.label,
                                     .target = variant->target.label,
                                     .names = original->label_names,
                                     .name_rows = original->label_name_rows};
    variant->network = network_new(&variant->weights, &variant->config, labels);
    if (!weights_check(&variant->weights, error)) return false;
    Arena *arena = &variant->arena;
    const int count = variant->weights.count;
    *news = (VariantNews){.seed = original->seed ? original->seed : "1"};
    news->fresh = ARENA_ARRAY(arena, const char *, count);
    news->copy = ARENA_ARRAY(arena, const char *, count);
    news->gone = ARENA_ARRAY(arena, const char *, original->weights.count);
    for (int w = 0; w < count; w++)
        take_over(variant, model, original, &variant->weights.weight[w], news);
    for (int w = 0; w < original->weights.count; w++) {
        const char *name = original->weights.weight[w].tensor->name;
        if (!weights_find(&variant->weights, name))
            news->gone[news->gones++] = arena_copy(arena, name, strlen(name));
    }
    if (news->freshes) { /* the same as in a new model with these options */
        Weight *weight = variant->weights.weight;
        Number **taken = ARENA_ARRAY(arena, Number *, count);
        for (int w = 0; w < count; w++) taken[w] = weight[w].tensor->data;
        weights_initialise(&variant->weights, strtoull(news->seed, NULL, 10));
        for (int w = 0; w < count; w++)
            if (taken[w]) weight[w].tensor->data = taken[w];
    }
    return interrupt_none(error);
}

bool variant_new(Model *variant, const Model *model, const Model *original,
                 const Config *config, VariantNews *news, Error *error) {
    if (!config_check(config, error)) return false;
    /* Options that the model's files determine cannot be changed. */
    if (config->tokenizer != original->config.tokenizer)
        return fail(error, "the tokenizer is part of the model's files and cannot be "
                           "changed; :new --tokenizer makes another model");
    if (!check_words("source_vocabulary", config->source_vocabulary, &original->source,
                     error) ||
        (config->decoder_layers &&
         !check_words("target_vocabulary", config->target_vocabulary, &original->target,
                      error)))
        return false;
    *variant = *original;
    variant->arena = variant->target_arena = (Arena){0};
    variant->weights = (Weights){0};
    variant->config = *config;
    config_keep(&variant->config, &variant->arena);
    variant->source.special = variant->target.special = folder_special_ids(config);
    if (build(variant, model, original, news, error)) return true;
    model_free(variant);
    return false;
}
