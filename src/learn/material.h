/* material.h - what a training begins with: the sentences, the tokenizers learned from
 * them, and a model of the right size. */
#pragma once

#include "data/batches.h"
#include "learn/recipe.h"
#include "page/page.h"

typedef struct {
    Arena arena; /* owns the sentences and their ids */
    Model model;
    Corpus all;                       /* what the file of the data holds */
    Corpus corpus, validation_corpus; /* validation: count 0 where there is none */
    Examples examples, validation;
} Material;

/* Read the data; learn the tokenizers, or with `resumes` take those that lie in the
 * folder `output`; make the model with initial weights. On failure nothing needs to be
 * freed. */
bool material_new(Material *material, const Recipe *recipe, bool resumes, Error *error);

/* Say how many sentences there are, and which rows were left out. */
void material_tell(const Material *material, Page *page);

/* What samples and snapshots show. */
const Examples *material_shown(const Material *material);

/* Decode `count` of these, spread evenly over all, and say the source, what the model
 * says, and what was wanted where that differs; nothing where the model generates none.
 */
void material_say_samples(const Material *material, int count, Page *page);

void material_free(Material *material);
