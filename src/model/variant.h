/* variant.h - a model with other options that reuses the weights of an existing one:
 * tensors of the same name and shape are kept, new ones get initial weights. */
#pragma once

#include "model/model.h"

/* What happened to the weights. */
typedef struct {
    const char **fresh; /* names of tensors with initial weights, */
    const char **copy;  /* copied from a tensor that was shared before, */
    const char **gone;  /* no longer part of the model */
    int freshes, copies, gones, kept;
    const char *seed; /* of the initial weights */
} VariantNews;

/* Make a model with the options of `config`. Each tensor gets the numbers of the tensor
 * with the same name and shape in `original`, or in `model`, or of the one that the
 * original shared for it, or initial ones with the original's seed.
 * Numbers of the original are shared with it, so training one also trains the other;
 * the original must outlive the variant, `model` need not. `news` compares with the
 * original; its names are in the variant's arena. Fails if the options are not
 * consistent, or do not fit the model's vocabularies. */
bool variant_new(Model *variant, const Model *model, const Model *original,
                 const Config *config, VariantNews *news, Error *error);
