/* examples.h - a corpus as ids: what the model reads and what it should say. */
#pragma once

#include "data/corpus.h"
#include "model/model.h"

typedef struct {
    const int *source; /* with <end> */
    const int *target; /* without <start> and <end>; of a classifier: one label */
    int sources, targets;
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
 * pair is short enough. */
bool examples_new(Examples *examples, const Corpus *corpus, const Model *model,
                  Arena *arena, Error *error);

/* CRC-32 of all ids: has the data changed since a checkpoint? */
unsigned examples_checksum(const Examples *examples);
