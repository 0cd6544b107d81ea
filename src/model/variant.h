/* variant.h - a model with other options that reuses the weights of an existing one:
 * tensors with the same name and shape are kept; new ones get initial weights. */
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

/* Make a model with the options of `config`. Each tensor gets the numbers of the first
 * of these that exists: the tensor with its name and shape in `original`, or in
 * `model`, the tensor that the original shared for it, or initial ones from the
 * original's seed. The original's numbers are shared, so training one also trains the
 * other; the original must outlive the variant, but `model` need not. `news` compares
 * with the original; its names are in the variant's arena. Fails if the options are
 * inconsistent or do not fit the model's vocabularies. */
bool variant_new(Model *variant, const Model *model, const Model *original,
                 const Config *config, VariantNews *news, Error *error);
