/* tokenizer.h - from a sentence to ids and back: one interface for words, byte pairs
 * and tokenizer.json.
 *
 * A model folder has vocab.json, plus merges.txt for byte pairs; or tokenizer.json.
 * Files have the prefix "target_" if the two sides differ. */
#pragma once

#include "text/bytepair.h"
#include "text/tokenizer_json.h"
#include "text/unicode.h"
#include "text/vocabulary.h"

typedef enum {
    TOKENIZER_NONE,
    TOKENIZER_WORDS,
    TOKENIZER_BPE,
    TOKENIZER_JSON,
} TokenizerKind;

/* The names of the kinds in config.json, by kind, ending with NULL. */
extern const char *const tokenizer_kinds[];

/* The ids of tokens without text, in every vocabulary. */
typedef struct {
    int pad, start, end, unknown, mask;
} SpecialIds;

/* Their words (ids 0 to 3) in a vocabulary that is learned here; ends with NULL. */
extern const char *const tokenizer_special[];

typedef struct {
    TokenizerKind kind;
    Vocabulary vocabulary;
    BytePair merges;           /* TOKENIZER_BPE */
    const TokenizerJson *json; /* TOKENIZER_JSON */
    SpecialIds special;
    const char *const *label; /* display text by id: see tokenizer_label() */
} Tokenizer;

/* A piece of a sentence. */
typedef struct {
    int id;
    int start, end; /* the bytes of the sentence it covers; none for <start>, <end> */
    const char *label; /* its name on axes and in tables */
} Token;

typedef struct {
    Token *token;
    int count;
} Tokens;

/* Read a tokenizer, whose kind and special ids are already set, from the files of
 * `folder`; the prefix "target_" selects the target side. All in `arena`. */
bool tokenizer_load(Tokenizer *tokenizer, const char *folder, const char *prefix,
                    Arena *arena, Error *error);

/* Add a placeholder word for each id below `words` that has none: an embedding table
 * may be larger than the vocabulary. Only for TOKENIZER_JSON. */
bool tokenizer_fill(Tokenizer *tokenizer, int words, Arena *arena);

/* Add the token <mask> if there is none. */
void tokenizer_add_mask(Tokenizer *tokenizer, Arena *arena);

/* Prepare a sentence for the tokenizer: normal form C, or unchanged if tokenizer.json
 * has its own normalizers. */
Clean tokenizer_clean(const Tokenizer *tokenizer, const char *bytes, size_t size,
                      Arena *arena);

typedef struct {
    TokenizerKind kind;
    int words;  /* maximum size of the vocabulary */
    bool masks; /* id 4 is <mask> */
} TokenizerOptions;

/* Learn a tokenizer from `text`, in `arena`. */
bool tokenizer_learn(Tokenizer *tokenizer, TokenizerOptions options, const Clean *text,
                     Arena *arena, Error *error);

/* Return the merges of TOKENIZER_BPE, or of tokenizer.json with byte pairs; else
 * NULL. */
const BytePair *tokenizer_merges(const Tokenizer *tokenizer);

/* Write its files into `folder`. */
bool tokenizer_save(const Tokenizer *tokenizer, const char *folder, const char *prefix,
                    bool replace, Error *error);

/* Get the tokens of clean text, without <start> and <end>, in `arena`. Fails if the
 * sentence has more than TOKENIZER_BYTES bytes. */
enum { TOKENIZER_BYTES = 64 * 1024 };
bool tokenizer_encode(const Tokenizer *tokenizer, const char *text, int length,
                      Arena *arena, Tokens *tokens, Error *error);

/* Return the text of `count` ids, without special tokens. Always valid UTF-8: bytes
 * that are not a character become U+FFFD. Allocated in `arena`. Words are joined by
 * spaces, except before . , ? ! and so on. */
const char *tokenizer_decode(const Tokenizer *tokenizer, const int *ids, int count,
                             Arena *arena);

/* Return how the token is displayed, safe to print: "나는"; "·나는" with a space before
 * it; "<EB 82>" for bytes that are not a whole character; "<end>". NULL for
 * TOKENIZER_NONE. */
const char *tokenizer_label(const Tokenizer *tokenizer, int id);
