/* tokenizer_parts.h - the parts of tokenizer.json, each read by its own source file. */
#pragma once

#include "base/json.h"
#include "text/tokenizer_json.h"

enum { CONTENT_BYTES_MAX = 64 }; /* limit for a text in a part */

/* The file being read. */
typedef struct {
    const char *path;
    Arena *arena;   /* for the result */
    Arena *scratch; /* for the JSON tree */
    Error *error;
    const char *part; /* "normalizer", for messages */
} Reading;

/* Fail because a key of the current part does not have the value it must have. */
bool part_fail(const Reading *reading, const char *key, const Json *value,
               const char *must);

/* Return the "type" of a part, or "". */
const char *part_type(const Json *json);

/* Return the type in a form that is safe for messages. */
const char *part_type_shown(const Reading *reading, const Json *json);

/* Read normalizers, pre-tokenizers and decoders. */
bool part_steps_read(Reading *reading, const Json *json, TokenizerJson *tokenizer);

/* Read the model, its vocabulary and the added tokens. */
bool part_model_read(Reading *reading, const Json *json, TokenizerJson *tokenizer);

/* Read the special tokens around a sentence. */
bool part_around_read(const Reading *reading, const Json *json,
                      TokenizerJson *tokenizer);
