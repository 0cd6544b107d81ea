/* small_model.h - any preset, so small that a test can check all of it, and a batch of
 * two sentences, the second with one padding token. Include it after cmocka. */
#pragma once

#include <string.h>

#include "model/model.h"

static const int source_ids[] = {5, 7, 9, 2, 6, 10, 2, 0};
static const int target_ids[] = {1, 8, 4, 6, 1, 6, 9, 3};
enum { ROWS = 2, LENGTH = 4 };

static const Ids source = {source_ids, ROWS, LENGTH, NULL};
static const Ids target = {target_ids, ROWS, LENGTH, NULL};

/* The preset, small, with further options "key=value key=value". */
static inline bool configure(Config *config, const char *preset, const char *options,
                             Arena *arena, Error *error) {
    static const char small[] = "d_model=8 source_vocabulary=12 target_vocabulary=12 "
                                "max_length=16 dropout=0 attention_dropout=0 "
                                "activation_dropout=0";
    if (!config_preset(config, preset, arena, error)) return false;
    if (config->d_ff) config->d_ff = 12;
    if (config->attention_heads > 1) config->attention_heads = 2;
    if (config->hidden_size) config->hidden_size = 6;
    char *rest = arena_print(arena, "%s %s", small, options);
    for (char *option = strtok_r(rest, " ", &rest); option;
         option = strtok_r(NULL, " ", &rest)) {
        char *value = strchr(option, '=');
        *value++ = '\0';
        if (!config_set(config, option, value, arena, error)) return false;
    }
    return true;
}

/* A model of such options, with initial weights. */
static inline void make_with(Model *model, const char *preset, const char *options,
                             Arena *arena) {
    Config config;
    Error error;
    if (!configure(&config, preset, options, arena, &error) ||
        !model_new(model, &config, 3, NULL, &error))
        fail_msg("%s %s: %s", preset, options, error.message);
}
