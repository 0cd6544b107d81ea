/* batches.h - a corpus as ids: what the model reads and what it should predict, and
 * which of these examples form a batch.
 *
 * The sentences of a batch are padded to the longest, so they should have similar
 * lengths: the examples are shuffled, sorted by length within ranges of many batches,
 * cut into batches, and the batches are shuffled. All of this depends only on the seed
 * and the number of the epoch. */
#pragma once

#include "data/corpus.h"
#include "model/model.h"
#include "tensor/tape.h"

typedef struct {
    const int *source; /* the input, with <end>; none for a decoder-only model */
    const int *target; /* without <start> and <end>; classifier: one label;
                          decoder-only: the text; masked language model: none */
    int sources, targets;
    int first, last; /* input before the target and label after it: <start> and <end>,
                        or in a packed row the neighboring tokens */
} Example;

typedef struct {
    Example *example;
    int count;
    int too_long;            /* pairs skipped because they are longer than max_length */
    int first_too_long;      /* the line of the first of them */
    long long target_tokens; /* as counted in Example */
    long long unknown;       /* tokens that are not in the vocabulary */
} Examples;

/* Encode all pairs, in `arena`. Fails if a label is not one of the model's, or if no
 * pair is short enough. With `packed`, for decoder-only models, the texts are
 * concatenated, each followed by <end>, and cut into rows of max_length tokens. */
bool examples_new(Examples *examples, const Corpus *corpus, const Model *model,
                  bool packed, Arena *arena, Error *error);

/* Return the CRC-32 of all ids, to detect that the data has changed since a
 * checkpoint. */
unsigned examples_checksum(const Examples *examples);

typedef struct {
    int sentences; /* maximum number of sentences in a batch; 0: no limit */
    int tokens;    /* maximum number of source and target tokens in a batch, including
                      padding; 0: no limit */
    bool even_sources; /* all sources of a batch have the same length, so no padding */
    const Config *hides; /* config of a masked language model; else NULL */
    unsigned long long seed;
} BatchSize;

typedef struct {
    const Examples *examples;
    BatchSize size;
    int *order; /* examples in the order of their batches */
    int *start; /* batch b: order[start[b]] up to order[start[b + 1]] */
    int count;  /* number of batches in the epoch */
    int epoch;
    bool measures; /* for measuring: every chosen token is masked, the same in each
                      epoch */
} Batches;

/* Allocate the plans of all epochs, in `arena`, and plan the first (0). */
Batches batches_new(const Examples *examples, BatchSize size, Arena *arena);

/* Plan the batches of an epoch. */
void batches_plan(Batches *batches, int epoch);

/* Masked language model: choose which tokens of the example at position `place` of the
 * order are predicted, and which tokens replace them in the input. 15% of all tokens,
 * but at least one, are chosen at random. Of these, 80% are masked, 10% become another
 * word and 10% stay (Devlin et al. 2018, section 3.1); with Batches.measures all are
 * masked. `read` and `expected` have the length of the example's source; `expected` is
 * padding for tokens that were not chosen. Returns how many were chosen. */
int batches_hide(const Batches *batches, int place, int *read, int *expected);

/* Batches without shuffling, the longest last: for measuring. */
Batches batches_in_order(const Examples *examples, BatchSize size, Arena *arena);

/* The part of a batch that one thread computes: every `parts`-th example, so that all
 * parts have about the same length. */
typedef struct {
    Ids source, target; /* target: with <start>; classifier: none */
    Ids expected; /* target without <start>, with <end>; classifier: one label per row
                   */
    int tokens;   /* tokens of `expected`, without padding */
} BatchPart;

/* Return a part, in `arena`. It has no rows if the batch has fewer than `parts`
 * examples. */
BatchPart batches_part(const Batches *batches, int batch, int part, int parts,
                       const Config *config, Arena *arena);

/* Number of source and target tokens (with <end>) in a batch, without padding. For a
 * masked language model, the target tokens are those that are predicted. */
typedef struct {
    long long source, target;
} BatchTokens;
BatchTokens batches_tokens(const Batches *batches, int batch);
