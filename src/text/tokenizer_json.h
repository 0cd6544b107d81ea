/* tokenizer_json.h - the tokenizer of a model as tokenizer.json describes it: tokens
 * that are found whole, normalizers, pre-tokenizers, a model, special tokens around,
 * decoders.
 *
 * Source: the format of the library tokenizers, 0.23. What a file asks for and is not
 * done here is refused by its name. "truncation" and "padding" are no part of how a
 * sentence is cut; they are not read. */
#pragma once

#include "text/subword.h"
#include "text/text_step.h"

/* A token that is found in a sentence before anything else is done to it. */
typedef struct {
    const char *text;
    int length, id;
    bool special;     /* it stands for no text */
    bool single_word; /* not within a word */
    bool left, right; /* spaces beside it belong to it */
    bool normalized;  /* it is looked for behind the normalizers */
} AddedToken;

typedef struct {
    const AddedToken **sorted; /* by their text */
    int count;
} AddedTokens;

typedef struct {
    TextStep *step;
    int count;
} TextSteps;

/* Ids that stand around each sentence. */
typedef struct {
    const int *id;
    int count;
} AroundIds;

typedef struct {
    Vocabulary vocabulary; /* of the model, and the added tokens */
    Subword model;
    AddedTokens added[2]; /* looked for before the normalizers, and behind them */
    const bool *special;  /* by id */
    TextSteps normalizers, pre_tokenizers, decoders;
    bool by_bytes; /* the letters of tokens stand for bytes: see bytepair.h */
    AroundIds before, behind;
    Bytes file; /* as it was read, or made of vocab.txt; none of vocab.json */
} TokenizerJson;

/* A piece of a sentence: an id, and the bytes that it covers. */
typedef struct {
    int id, start, end;
} JsonToken;

/* Read the file at `path`, all in `arena`; NULL with `error` where it fails. */
const TokenizerJson *tokenizer_json_read(const char *path, Arena *arena, Error *error);

/* The same of the text `file`, which must outlive it; `path` is for messages. */
const TokenizerJson *tokenizer_json_parse(const char *path, Bytes file, Arena *arena,
                                          Error *error);

/* What BERT has in the older form, vocab.txt: a word a line, ids from 0 on. The file
 * `options`, tokenizer_config.json, may say "do_lower_case" and others; where it is
 * missing, letters become small. */
const TokenizerJson *tokenizer_json_of_words(const char *words, const char *options,
                                             Arena *arena, Error *error);

/* What GPT-2 has in the older form, vocab.json and merges.txt: pairs of bytes, cut at
 * words, and <|endoftext|> as a whole. */
const TokenizerJson *tokenizer_json_of_pairs(const char *words, const char *merges,
                                             Arena *arena, Error *error);

typedef struct {
    JsonToken *token;
    int count;
} JsonTokens;

/* The tokens of a valid UTF-8 sentence, without those around it, in `arena`. */
bool tokenizer_json_encode(const TokenizerJson *tokenizer, Bytes text, Arena *arena,
                           JsonTokens *tokens, Error *error);

/* The pieces that the model cuts: the parts behind all steps, in `arena`. */
bool tokenizer_json_pieces(const TokenizerJson *tokenizer, Bytes text, TextParts *parts,
                           Arena *arena, Error *error);

/* The text of ids, special ones left out; bytes that may be no UTF-8. In `arena`. */
Bytes tokenizer_json_decode(const TokenizerJson *tokenizer, const int *id, int count,
                            Arena *arena);
