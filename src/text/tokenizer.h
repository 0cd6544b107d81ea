/* tokenizer.h - a sentence to ids and back: one face for words, byte pairs and what
 * tokenizer.json describes.
 *
 * A model folder holds vocab.json and, for byte pairs, merges.txt; or tokenizer.json;
 * with the prefix "target_" where the two sides differ. */
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

/* The ids that stand for no text, in every vocabulary. */
typedef struct {
    int pad, start, end, unknown, mask;
} SpecialIds;

/* Their words where a vocabulary is learned here, ids 0 to 3, ending with NULL. */
extern const char *const tokenizer_special[];

typedef struct {
    TokenizerKind kind;
    Vocabulary vocabulary;
    BytePair merges;           /* TOKENIZER_BPE */
    const TokenizerJson *json; /* TOKENIZER_JSON */
    SpecialIds special;
    const char *const *label; /* by id, how the token is shown: see tokenizer_label() */
} Tokenizer;

/* A piece of a sentence. */
typedef struct {
    int id;
    int start, end; /* the bytes of the sentence it covers; none for <start>, <end> */
    const char *label; /* what it is called on axes and in tables */
} Token;

typedef struct {
    Token *token;
    int count;
} Tokens;

/* Read from the files of `folder` a tokenizer of which kind and special ids are set;
 * "target_" as `prefix` reads the target side. All in `arena`. */
bool tokenizer_load(Tokenizer *tokenizer, const char *folder, const char *prefix,
                    Arena *arena, Error *error);

/* Give ids up to `words` - 1 a word where there is none: a table of embeddings may be
 * larger than the vocabulary. Only for TOKENIZER_JSON. */
bool tokenizer_fill(Tokenizer *tokenizer, int words, Arena *arena);

/* Give it the token <mask>, which stands for a hidden word, if it has none yet. */
void tokenizer_add_mask(Tokenizer *tokenizer, Arena *arena);

/* The sentence as the tokenizer takes it: in normal form C, or as it was typed where
 * tokenizer.json says what is done to it. */
Clean tokenizer_clean(const Tokenizer *tokenizer, const char *bytes, size_t size,
                      Arena *arena);

typedef struct {
    TokenizerKind kind;
    int words;  /* at most */
    bool masks; /* id 4 is <mask>, which stands for a hidden word */
} TokenizerWish;

/* Learn a tokenizer from `text`, in `arena`. */
bool tokenizer_learn(Tokenizer *tokenizer, TokenizerWish wish, const Clean *text,
                     Arena *arena, Error *error);

/* What joins neighbours: of TOKENIZER_BPE, and of tokenizer.json with byte pairs. */
const BytePair *tokenizer_merges(const Tokenizer *tokenizer);

/* Write its files into `folder`. */
bool tokenizer_save(const Tokenizer *tokenizer, const char *folder, const char *prefix,
                    bool replace, Error *error);

/* The tokens of clean text, without <start> and <end>, in `arena`. A sentence of more
 * than TOKENIZER_BYTES bytes fails. */
enum { TOKENIZER_BYTES = 64 * 1024 };
bool tokenizer_encode(const Tokenizer *tokenizer, const char *text, int length,
                      Arena *arena, Tokens *tokens, Error *error);

/* The text of `count` ids, special ones left out, always valid UTF-8: bytes that make
 * no letter are U+FFFD. In `arena`. Words are joined by spaces, none before . , ? ! and
 * so on. */
const char *tokenizer_decode(const Tokenizer *tokenizer, const int *ids, int count,
                             Arena *arena);

/* What the token with this id is called, safe to print: "나는"; "·나는" with a space in
 * front; "<EB 82>" for bytes that are no whole letter; "<end>". TOKENIZER_NONE: NULL.
 */
const char *tokenizer_label(const Tokenizer *tokenizer, int id);
