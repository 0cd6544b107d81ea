/* tokenizer_json.h - the tokenizer described by tokenizer.json: added tokens,
 * normalizers, pre-tokenizers, a model, special tokens around the sentence, decoders.
 *
 * Source: the format of the tokenizers library, 0.23. Features that are not supported
 * are rejected by name. "truncation" and "padding" do not affect how a sentence is
 * split; they are not read. */
#pragma once

#include "text/subword.h"
#include "text/text_step.h"

/* A token that is searched for in a sentence before anything else. */
typedef struct {
    const char *text;
    int length, id;
    bool special;     /* it has no text */
    bool single_word; /* matches only a whole word */
    bool left, right; /* adjacent spaces belong to it */
    bool normalized;  /* search for it after the normalizers */
} AddedToken;

typedef struct {
    const AddedToken **sorted; /* sorted by text */
    int count;
} AddedTokens;

typedef struct {
    TextStep *step;
    int count;
} TextSteps;

/* Ids that are added around each sentence. */
typedef struct {
    const int *id;
    int count;
} AroundIds;

typedef struct {
    Vocabulary vocabulary; /* the model's tokens and the added tokens */
    Subword model;
    AddedTokens added[2]; /* searched for before the normalizers, and after them */
    const bool *special;  /* by id */
    TextSteps normalizers, pre_tokenizers, decoders;
    bool by_bytes; /* characters of tokens represent bytes: see bytepair.h */
    AroundIds before, after;
    Bytes file; /* as read, or generated from vocab.txt; empty for vocab.json */
} TokenizerJson;

/* A token of a sentence: its id, and the bytes that it covers. */
typedef struct {
    int id, start, end;
} JsonToken;

/* Read the file at `path` into `arena`; NULL with `error` on failure. */
const TokenizerJson *tokenizer_json_read(const char *path, Arena *arena, Error *error);

/* Parse the text `file`, which must outlive the result; `path` is for messages. */
const TokenizerJson *tokenizer_json_parse(const char *path, Bytes file, Arena *arena,
                                          Error *error);

/* Read BERT's older format, vocab.txt: one word per line, ids from 0. The file
 * `options`, tokenizer_config.json, may contain "do_lower_case" and more. Without it,
 * text is lowercased. */
const TokenizerJson *tokenizer_json_of_words(const char *words, const char *options,
                                             Arena *arena, Error *error);

/* Read GPT-2's older format, vocab.json and merges.txt: byte pairs within words, and
 * <|endoftext|> as an added token. */
const TokenizerJson *tokenizer_json_of_pairs(const char *words, const char *merges,
                                             Arena *arena, Error *error);

typedef struct {
    JsonToken *token;
    int count;
} JsonTokens;

/* Get the tokens of a valid UTF-8 sentence, without the special ones around it, in
 * `arena`. */
bool tokenizer_json_encode(const TokenizerJson *tokenizer, Bytes text, Arena *arena,
                           JsonTokens *tokens, Error *error);

/* Get the pieces that the model splits into tokens, after all steps, in `arena`. */
bool tokenizer_json_pieces(const TokenizerJson *tokenizer, Bytes text, TextParts *parts,
                           Arena *arena, Error *error);

/* Return the text of ids, without special tokens; possibly not valid UTF-8. Allocated
 * in `arena`. */
Bytes tokenizer_json_decode(const TokenizerJson *tokenizer, const int *id, int count,
                            Arena *arena);
