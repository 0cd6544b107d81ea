/* models.h - which models there are: those that come with the program, presets, folders
 * of the person's own. */
#pragma once

#include "model/model.h"
#include "text/seen_words.h"

/* One that can be opened by its name. */
typedef struct {
    const char *name;
    const char *text; /* what it is, in a line; "" where nobody said */
    bool is_preset;   /* it has not learned anything */
} NamedModel;

typedef struct {
    const NamedModel *model;
    int count;
} ModelList;

/* Those that come with the program, by name, and then the presets; in `arena`. Fails
 * where something of them cannot be read; the list holds the rest. */
bool models_list(ModelList *list, Arena *arena, Error *error);

/* The words that the model of a folder met in its training; false where it has no list
 * of them, or, and then it fails, one that cannot be read. */
bool models_words(const char *folder, SeenWords *seen, Arena *arena, Error *error);

/* "classifier, ko-en": those that come with the program whose training had all words of
 * clean text; "" where none had. In `arena`. */
const char *models_that_know(const char *text, Arena *arena);

/* The model that the prompt opens if none is named: one that reads the language of the
 * program. */
const char *models_first(void);

/* Open a folder, a model that comes with the program, or a preset with initial weights
 * and the words of the default model; NULL: the default one. Fails with the names that
 * are near. */
bool models_open(Model *model, const char *name, Arena *arena, Error *error);
