/* model.h - a model folder: config.json, model.safetensors and the tokenizer's files.
 */
#pragma once

#include "model/classifier.h"
#include "model/seq2seq.h"
#include "model/transformer.h"
#include "text/tokenizer.h"

typedef struct {
    Arena arena;        /* owns everything that was read, */
    Arena target_arena; /* but for the target's tokenizer, read at the same time */
    const char *path;   /* the folder, "" for one that was only made */
    Config config;
    Weights weights;
    union { /* the one that config.model_type says: see network.h */
        Transformer transformer;
        Classifier classifier;
        Seq2seq seq2seq;
    };
    Tokenizer source, target; /* target: the source's, where the sides do not differ */
    bool has_target_files;
    const char *seed; /* of the initial weights, as text; NULL if unknown */
    const char
        *steps; /* of training, as text; "0": it has not learned yet; NULL: unknown */
} Model;

/* Read the folder at `path`. On failure nothing needs to be freed. */
bool model_open(Model *model, const char *path, Error *error);

/* One for each side, the same where they do not differ. */
typedef struct {
    Tokenizer source, target;
    bool differ;
} Tokenizers;

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

/* Write the folder, which is made if need be. Without `replace` a folder that holds a
 * model already is left alone and that is an error. */
bool model_save(const Model *model, const char *folder, bool replace, Error *error);

/* "encoder-decoder, 2+2 layers, d_model 64, 4 heads", in `arena`. */
const char *model_describe(const Model *model, Arena *arena);

void model_free(Model *model);
