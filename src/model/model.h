/* model.h - a model that is open: its options, weights, words, and the network over
 * them. */
#pragma once

#include "model/network.h"
#include "store/folder.h"

typedef struct {
    Arena arena;        /* owns everything that was read, */
    Arena target_arena; /* but for the target's tokenizer, read at the same time */
    const char *path;   /* the folder, "" for one that was only made */
    Config config;
    Weights weights;
    Network network;
    Tokenizer source, target; /* target: the source's, where the sides do not differ */
    bool has_target_files;
    /* What people call the labels of a classifier: see Axis. */
    const char *const *label_names;
    int label_name_rows;
    const char *seed;  /* of the initial weights, as text; NULL if unknown */
    const char *steps; /* of training, as text; NULL if unknown */
} Model;

/* Read the folder at `path`. On failure nothing needs to be freed. */
bool model_open(Model *model, const char *path, Error *error);

/* A model of these options with initial weights. `tokenizers`: a folder whose tokenizer
 * files are used, and decide the sizes of the vocabularies; NULL: ids only. */
bool model_new(Model *model, const Config *config, unsigned long long seed,
               const char *tokenizers, Error *error);

/* The same with tokenizers that are at hand, whose memory must outlive the model. */
bool model_new_with(Model *model, const Config *config, unsigned long long seed,
                    const Tokenizers *given, Error *error);

/* The same model over the same numbers, with tensors of its own: what a second thread
 * needs to have gradients of its own. `model` must outlive it. */
void model_twin(Model *twin, const Model *model);

/* Write the folder: see folder_save(). */
bool model_save(const Model *model, const char *folder, bool replace, Error *error);

/* Is it known that its weights are still the initial ones? */
bool model_is_untrained(const Model *model);

void model_free(Model *model);
