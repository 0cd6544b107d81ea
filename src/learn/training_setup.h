/* training_setup.h - the inputs of a training run: the sentences, the tokenizers
 * learned from them, and a model of the right size. */
#pragma once

#include "data/batches.h"
#include "learn/recipe.h"
#include "page/page.h"

typedef struct {
    Arena arena; /* owns the sentences and their ids */
    Model model;
    Corpus all;                       /* the whole data file */
    Corpus corpus, validation_corpus; /* validation: count 0 if there is none */
    Examples examples, validation;
} TrainingSetup;

/* Read the data; learn the tokenizers or, with `resumes`, read those in the folder
 * `output`; make the model with initial weights. On failure nothing needs to be
 * freed. */
bool training_setup_new(TrainingSetup *setup, const Recipe *recipe, bool resumes,
                        Error *error);

/* Report how many sentences there are and which rows were skipped. */
void training_setup_tell(const TrainingSetup *setup, Page *page);

/* Return the examples for samples and snapshots. */
const Examples *training_setup_shown(const TrainingSetup *setup);

/* Decode `count` of these, spread evenly over all, and show source, output and, if it
 * differs, the target; do nothing if the model cannot generate. */
void training_setup_say_samples(const TrainingSetup *setup, int count, Page *page);

void training_setup_free(TrainingSetup *setup);
