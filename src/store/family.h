/* family.h - model folders of other families, read without conversion: what the keys of
 * their config.json mean, and the names of their tensors.
 *
 * A family is a few tables of rows, taken from the configurations and modeling files of
 * the transformers library. Its numbers are those of the checkpoint: weights are not
 * merged or rescaled. */
#pragma once

#include "store/family_keys.h"
#include "store/safetensors.h"

/* Our tensors by their name in the file. N is the number of a layer, * is weight or
 * bias. */
typedef struct {
    const char *ours, *theirs;
    bool transposed; /* theirs is [in, out] */
    int part, parts; /* theirs consists of several of ours; 0: only one */
} FamilyTensor;

typedef struct {
    const char *model_type; /* as in their config.json */
    const char *name;       /* for messages */
    const char *prefix;     /* of names in some files: "transformer." */
    bool counts_offset;     /* their max_length includes position_offset */
    const char *options; /* our options that all of them have, "key=value key=value" */
    const char *layers;  /* the key with each layer's kind of attention ... */
    const char *full, *window; /* ... and the names of the two kinds; or NULL */
    const FamilyKeys *keys;
    const FamilyTensor *tensor;
    const char *const *unused; /* their tensors that are not used here */
} Family;

/* Return the family with that model_type, or NULL. */
const Family *family_find(const char *model_type);

/* Return "GPT-2 (gpt2), Llama (llama)", a list of all, in `arena`. */
const char *family_list(Arena *arena);

/* Where one of our tensors is in their file. If it is missing, `stored` is NULL and
 * `name` is its expected name. */
typedef struct {
    const char *name;
    const StoredTensor *stored;
    bool transposed;
    int part, parts;
} FamilySource;
FamilySource family_source(const Family *family, const SafeTensors *file,
                           const char *ours, Arena *arena);

/* Is it one of their tensors that are not used here: masks, other tasks? */
bool family_ignores(const Family *family, const char *theirs);
