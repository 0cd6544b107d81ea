/* family_keys.h - what each key of another family's config.json means here.
 *
 * A file of another family must not be computed otherwise than it says. So each of its
 * keys sets options of ours, or has a value that it must have, or is known to change no
 * number; any other key is refused by name. */
#pragma once

#include "base/options.h"

/* A value of theirs and what we call it. */
typedef struct {
    const char *theirs, *ours;
} FamilyWord;

typedef struct FamilyKey FamilyKey;

struct FamilyKey {
    const char *name;
    const char *sets;        /* the options that get its value, separated by blanks */
    const FamilyWord *words; /* the only values that it may have, as ours; or NULL */
    const char *needs;       /* the only values that it may have: "null, false", JSON */
    const char *equals;      /* or this number of ours: "d_model/attention_heads" */
    const char *at_least;    /* or this number or more */
    const FamilyKey *inside; /* it is an object of these keys, or null */
    bool may_be_null;        /* null: its options keep the family's value */
    bool may_list;           /* a list of equal values is that value */
};

/* The keys of a family. The first row with a name counts. */
typedef struct {
    const FamilyKey *rows[4];   /* tables that end with a row without name; then NULL */
    const char *without_effect; /* names, separated by blanks */
} FamilyKeys;

extern const FamilyKeys gpt2_keys, gpt_neo_keys, llama_keys, qwen2_keys, bert_keys,
    roberta_keys, distilbert_keys;

/* A config.json on its way into `owner`, whose fields `options` describe. */
typedef struct {
    const FamilyKeys *keys;
    const Json *json; /* an object */
    const char *path;
    const Option *options;
    void *owner;
    Arena *arena;
} FamilyConfig;

/* Set the options that the file names; those that it does not name keep their values.
 * Fails with the key, its value and what was expected. */
bool family_keys_read(const FamilyConfig *config, Error *error);
