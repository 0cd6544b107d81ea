/* models.h - the available models: those that come with the program, presets, and the
 * user's own folders. */
#pragma once

#include "model/model.h"
#include "text/seen_words.h"

/* A model that can be opened by name. */
typedef struct {
    const char *name;
    const char *text;           /* one line of description, or "" */
    const char *reads, *writes; /* languages, or "": see store/about.h */
    bool is_preset;             /* untrained */
} NamedModel;

typedef struct {
    const NamedModel *model;
    int count;
} ModelList;

/* List the models that come with the program, by name, then the presets; in `arena`. If
 * part of them cannot be read, fail and return the rest in the list. */
bool models_list(ModelList *list, Arena *arena, Error *error);

/* Read the words that a model saw in training. Return false if its folder has no list
 * of words; also fail if the list cannot be read. */
bool models_words(const char *folder, SeenWords *seen, Arena *arena, Error *error);

typedef struct {
    NamedModel model;
    WordsMet met; /* the words of a text that the model saw in training */
} MetModel;

/* Return the bundled models that have a list of words, with those of clean text; in
 * `arena`. */
const MetModel *models_met(const char *text, Arena *arena, int *count);

/* Return the model that the prompt opens by default: one that reads the language of the
 * program. */
const char *models_first(void);

/* Open a folder, a bundled model, or a preset with random initial weights and the words
 * of the default model; NULL: the default model. Fail with similar names. */
bool models_open(Model *model, const char *name, Arena *arena, Error *error);
