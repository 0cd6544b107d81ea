/* batches.h - a corpus as ids, what the model reads and what it should say; and which
 * of these examples go through the model together.
 *
 * Sentences of a batch are padded to the longest, so those of like length go together:
 * the examples are shuffled, sorted by length within stretches of many batches, cut
 * into batches, and the batches are shuffled. All of it follows from the seed and the
 * number of the epoch. */
#pragma once

#include "data/corpus.h"
#include "model/model.h"
#include "tensor/tape.h"

typedef struct {
    const int *source; /* as it is read, with <end>; of a decoder alone: none */
    const int *target; /* without <start> and <end>; of a classifier: one label; of a
                          decoder alone: the text; of masked words: none */
    int sources, targets;
    int first, last; /* read before the target, and wanted behind it: <start> and <end>,
                      * or in a packed row its neighbours */
} Example;

typedef struct {
    Example *example;
    int count;
    int too_long;                           /* pairs left out: longer than max_length */
    int first_too_long;                     /* the line of the first of them */
    long long source_tokens, target_tokens; /* as counted in Example */
    long long unknown;                      /* tokens that no vocabulary has */
} Examples;

/* The ids of all pairs, in `arena`. Fails when a label is not one of the model's, or no
 * pair is short enough. With `packed`, of a decoder alone, the texts stand one behind
 * the other, each closed by <end>, and are cut into rows of max_length tokens. */
bool examples_new(Examples *examples, const Corpus *corpus, const Model *model,
                  bool packed, Arena *arena, Error *error);

/* CRC-32 of all ids: has the data changed since a checkpoint? */
unsigned examples_checksum(const Examples *examples);

typedef struct {
    int sentences; /* of a batch, at most; 0: as many as the tokens allow */
    int tokens;    /* source and target tokens of a batch, padding included, at most;
                      0: as many as there are */
    bool even_sources;   /* sources of one batch are of one length, without padding */
    const Config *hides; /* of a model of masked words: its config; else NULL */
    unsigned long long seed;
} BatchSize;

typedef struct {
    const Examples *examples;
    BatchSize size;
    int *order; /* examples, in the order they come */
    int *start; /* batch b: order[start[b]] up to order[start[b + 1]] */
    int count;  /* batches of the epoch */
    int epoch;
    bool measures; /* every chosen word is hidden, the same in each epoch */
} Batches;

/* Room for the plans of all epochs, in `arena`; plan the first (0). */
Batches batches_new(const Examples *examples, BatchSize size, Arena *arena);

/* The batches of an epoch. */
void batches_plan(Batches *batches, int epoch);

/* Of masked words: which tokens of the example at `place` of the order are wanted, and
 * what is read there instead. Of 15 % that are chosen at random, one at least, 80 % are
 * hidden, 10 % are another word and 10 % stay (Devlin et al. 2018, section 3.1); with
 * Batches.measures all are hidden. `read` and `wanted` have room for the example's
 * source; what is not wanted is padding. Returns how many are. */
int batches_hide(const Batches *batches, int place, int *read, int *wanted);

/* Without any shuffling, the longest last: for measuring. */
Batches batches_in_order(const Examples *examples, BatchSize size, Arena *arena);

/* The part of a batch that one thread takes: every `parts`-th example, so that all
 * parts are about as long. */
typedef struct {
    Ids source, target; /* target: with <start>; of a classifier: none */
    Ids wanted;         /* target without <start>, with <end>; a label: one for a row */
    int tokens;         /* of `wanted`, without padding */
} BatchPart;

/* No rows where the batch has less than `parts` examples. In `arena`. */
BatchPart batches_part(const Batches *batches, int batch, int part, int parts,
                       const Config *config, Arena *arena);

/* How many source and target tokens (with <end>) a batch has, without padding; of
 * masked words the target tokens are those that are wanted. */
typedef struct {
    long long source, target;
} BatchTokens;
BatchTokens batches_tokens(const Batches *batches, int batch);
