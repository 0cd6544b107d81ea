/* folder.h - the files of a model folder beside config.json: the tokenizers' and the
 * weights'. */
#pragma once

#include "store/config.h"
#include "store/weights.h"
#include "text/tokenizer.h"

/* One for each side, the same where they do not differ. */
typedef struct {
    Tokenizer source, target;
    bool differ; /* the target has files of its own */
} Tokenizers;

/* What model.safetensors tells of the weights, as text. */
typedef struct {
    const char *seed;  /* of the initial weights; NULL if unknown */
    const char *steps; /* of training; "0": it has not learned yet; NULL: unknown */
} Origin;

/* The ids that the config gives to <pad>, <start>, <end> and <unk>. */
SpecialIds folder_special_ids(const Config *config);

/* Set config->tokenizer by the files in the folder: byte pairs have merges. Where there
 * are none, it is TOKENIZER_NONE. */
void folder_tokenizer_kind(const char *folder, Config *config, Arena *arena);

/* Read the tokenizers that the config names; a side without files of its own has the
 * other's. That of the target lies in an arena of its own, since the two are read at
 * the same time. */
bool folder_read_tokenizers(const char *folder, const Config *config,
                            Tokenizers *tokenizers, Arena *arena, Arena *target_arena,
                            Error *error);

/* Fill the declared weights from model.safetensors, which is kept in `arena`; its names
 * are those of the family, or with NULL ours. */
bool folder_read_weights(const char *folder, const Family *family, Weights *weights,
                         Origin *origin, Arena *arena, Error *error);

/* All that a folder holds. */
typedef struct {
    const Config *config;
    const Weights *weights;
    const Tokenizers *tokenizers;
    Origin origin;
} FolderContents;

/* Write the folder, which is made if need be. Without `replace` a folder that holds a
 * model already is left alone and that is an error. */
bool folder_save(const char *folder, const FolderContents *contents, bool replace,
                 Error *error);
