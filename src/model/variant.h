/* variant.h - a model with other options, over the weights of one that is at hand: what
 * fits by name and shape is taken over, what is new begins with initial weights. */
#pragma once

#include "model/model.h"

/* What became of the weights. */
typedef struct {
    const char **fresh; /* names of tensors: with initial weights, */
    const char **copy;  /* that begin as copies of one that was shared before, */
    const char **gone;  /* that are no longer part of it */
    int freshes, copies, gones, kept;
    const char *seed; /* of the initial weights */
} VariantNews;

/* A model of the options of `config`. Each tensor has the numbers of the one of that
 * name and shape in `original`, or in `model`, or of the one that the original shared
 * for it, or initial ones of the original's seed.
 * Numbers that belong to the original are shared with it, so that what one learns the
 * other has learned, too; it must outlive the variant, `model` need not. `news` counts
 * beside the original; its names are in the variant's arena. Fails where the options do
 * not fit each other or the words that the model has. */
bool variant_new(Model *variant, const Model *model, const Model *original,
                 const Config *config, VariantNews *news, Error *error);
