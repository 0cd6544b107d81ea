/* folder.h - the files of a model folder besides config.json: tokenizers and
 * weights. */
#pragma once

#include "store/config.h"
#include "store/weights.h"
#include "text/tokenizer.h"

/* The tokenizers of both sides, the same one twice unless `differ` is true. */
typedef struct {
    Tokenizer source, target;
    bool differ; /* the target has its own files */
} Tokenizers;

/* What model.safetensors records about the weights, as text. */
typedef struct {
    const char *seed;  /* of the initial weights; NULL if unknown */
    const char *steps; /* training steps; "0": untrained; NULL: unknown */
} Origin;

/* Return the ids that the config gives to <pad>, <start>, <end> and <unk>. */
SpecialIds folder_special_ids(const Config *config);

/* Set config->tokenizer from the files in the folder: byte pairs have merges. Without
 * files, set TOKENIZER_NONE. */
void folder_tokenizer_kind(const char *folder, Config *config, Arena *arena);

/* Read the tokenizers that the config names; a side without files uses the other's. The
 * target's is in a second arena, since the two are read concurrently. */
bool folder_read_tokenizers(const char *folder, const Config *config,
                            Tokenizers *tokenizers, Arena *arena, Arena *target_arena,
                            Error *error);

/* Fill the declared weights from model.safetensors, which is kept in `arena`. Its
 * tensors have the family's names, or ours if `family` is NULL. */
bool folder_read_weights(const char *folder, const Family *family, Weights *weights,
                         Origin *origin, Arena *arena, Error *error);

/* Everything that a folder contains. */
typedef struct {
    const Config *config;
    const Weights *weights;
    const Tokenizers *tokenizers;
    Origin origin;
} FolderContents;

/* Write the folder, creating it if necessary. Without `replace`, a folder that already
 * contains a model is an error and stays unchanged. */
bool folder_save(const char *folder, const FolderContents *contents, bool replace,
                 Error *error);
