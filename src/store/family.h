/* family.h - model folders of others, opened as they lie: what the keys of their
 * config.json mean, and what their tensors are called.
 *
 * A family is a few tables of rows, from the configurations and modeling files of the
 * transformers library. Its numbers are the checkpoint's own: nothing is folded into
 * weights. */
#pragma once

#include "store/family_keys.h"
#include "store/safetensors.h"

/* Tensors of ours in theirs. N is the number of a layer, * is weight or bias. */
typedef struct {
    const char *ours, *theirs;
    bool transposed; /* theirs is [in, out] */
    int part, parts; /* theirs holds so many of ours one behind the other; 0: one */
} FamilyTensor;

typedef struct {
    const char *model_type; /* as in their config.json */
    const char *name;       /* for people */
    const char *prefix;     /* that names have in some files: "transformer." */
    bool counts_offset;     /* their max_length counts position_offset, too */
    const char *options;    /* ours that hold for all of them, "key=value key=value" */
    const char *layers; /* the key that lists the kind of attention of each layer ... */
    const char *full, *window; /* ... and the names of the two kinds; or NULL */
    const FamilyKeys *keys;
    const FamilyTensor *tensor;
    const char *const *unused; /* tensors of theirs that no number here is made of */
} Family;

/* The family with that model_type, or NULL. */
const Family *family_find(const char *model_type);

/* "GPT-2 (gpt2), Llama (llama)": all that there are, in `arena`. */
const char *family_list(Arena *arena);

/* Where a tensor of ours lies in their file. `stored` is NULL where it is missing, and
 * `name` then says what it would be called. */
typedef struct {
    const char *name;
    const StoredTensor *stored;
    bool transposed;
    int part, parts;
} FamilySource;
FamilySource family_source(const Family *family, const SafeTensors *file,
                           const char *ours, Arena *arena);

/* Is it among the tensors that no number here is made of: masks, other tasks? */
bool family_ignores(const Family *family, const char *theirs);
