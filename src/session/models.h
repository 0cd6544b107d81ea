/* models.h - which models there are: those that come with the program, presets, folders
 * of the person's own. */
#pragma once

#include "model/model.h"

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

/* "classifier, ko-en": those that come with the program whose training had all words of
 * clean text; "" where none had. In `arena`. */
const char *models_that_know(const char *text, Arena *arena);

/* Open a folder, a model that comes with the program, or a preset with initial weights
 * and the words of the default model; NULL: the default one. Fails with the names that
 * are near. */
bool models_open(Model *model, const char *name, Arena *arena, Error *error);
