/* model.h - an open model: its options, weights, vocabularies, and the network that
 * uses them. */
#pragma once

#include "model/network.h"
#include "store/folder.h"

typedef struct {
    Arena arena;        /* owns everything read from files, */
    Arena target_arena; /* except the target's tokenizer, read concurrently */
    const char *path;   /* the folder; "" if the model was not read from one */
    Config config;
    Weights weights;
    Network network;
    Tokenizer source, target; /* the same if both sides use one */
    bool has_target_files;
    /* Display names of a classifier's labels: see Axis. */
    const char *const *label_names;
    int label_name_rows;
    const char *seed;  /* of the initial weights, as text; NULL if unknown */
    const char *steps; /* number of training steps, as text; NULL if unknown */
} Model;

/* Read the folder at `path`. On failure nothing needs to be freed. */
bool model_open(Model *model, const char *path, Error *error);

/* Make a model with these options and initial weights. `tokenizers`: a folder whose
 * tokenizer files are used and determine the vocabulary sizes; NULL: only ids. */
bool model_new(Model *model, const Config *config, unsigned long long seed,
               const char *tokenizers, Error *error);

/* The same with existing tokenizers, whose memory must outlive the model. */
bool model_new_with(Model *model, const Config *config, unsigned long long seed,
                    const Tokenizers *given, Error *error);

/* Make a copy that shares the numbers but has separate tensors: a second thread needs
 * it for its gradients. `model` must outlive it. */
void model_twin(Model *twin, const Model *model);

/* Write the folder: see folder_save(). */
bool model_save(const Model *model, const char *folder, bool replace, Error *error);

/* Is the model known to be untrained, with its initial weights? */
bool model_is_untrained(const Model *model);

void model_free(Model *model);
