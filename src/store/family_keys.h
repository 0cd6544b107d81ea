/* family_keys.h - what each key of another family's config.json means here.
 *
 * A model of another family must be computed exactly as its file says. So each of its
 * keys sets our options, or must have a certain value, or is known not to change any
 * number; any other key is rejected by name. */
#pragma once

#include "base/options.h"

/* One of their values and our name for it. */
typedef struct {
    const char *theirs, *ours;
} FamilyWord;

typedef struct FamilyKey FamilyKey;

struct FamilyKey {
    const char *name;
    const char *sets;        /* our options that get its value, separated by blanks */
    const FamilyWord *words; /* the only accepted values, with ours; or NULL */
    const char *needs;       /* the only accepted values: "null, false", JSON */
    const char *equals;      /* or this number of ours: "d_model/attention_heads" */
    const char *at_least;    /* or at least this number */
    const FamilyKey *inside; /* it is an object with these keys, or null */
    bool may_be_null;        /* null: its options keep the family's value */
    bool may_list;           /* a list of equal values counts as one such value */
};

/* The keys of a family. The first row with a name is used. */
typedef struct {
    const FamilyKey *rows[4];   /* tables ending with a row without a name; then NULL */
    const char *without_effect; /* names, separated by blanks */
} FamilyKeys;

extern const FamilyKeys gpt2_keys, gpt_neo_keys, llama_keys, qwen2_keys, bert_keys,
    roberta_keys, distilbert_keys;

/* A config.json that is read into `owner`, whose fields `options` describes. */
typedef struct {
    const FamilyKeys *keys;
    const Json *json; /* an object */
    const char *path;
    const Option *options;
    void *owner;
    Arena *arena;
} FamilyConfig;

/* Set the options in the file; options that are not in it keep their values. Fails with
 * the key, its value and the expected one. */
bool family_keys_read(const FamilyConfig *config, Error *error);
