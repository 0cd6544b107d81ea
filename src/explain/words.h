/* words.h - the words of labelled axes, for the files of a trace: "나는" beside the
 * number of the query that it asks with.
 *
 * Many axes carry the same words: those of the source are queries in one place and keys
 * in another, and a vocabulary is large. So a file holds each list once, under a name,
 * and says of an axis only which list is its own. */
#pragma once

#include "store/safetensors.h"

/* `rows` x `size` words: one row for each sentence of the batch, or one for all. */
typedef struct {
    const char
        *name; /* "source", "target", "vocabulary": the axis where it came first */
    const char *const *word;
    int rows, size;
} WordList;

typedef struct {
    WordList *list;
    int count, capacity;
} Words;

/* The lists of all axes of the tensors, in `arena`. */
Words words_of(const Stored *stored, int count, Arena *arena);

/* As JSON, in `arena`: {"source": [["나는", ...]]}, a list for each row. */
const char *words_print(const Words *words, Arena *arena);

/* As JSON, in `arena`: the names of the tensor's axes, ["batch", "query", "key"], and
 * which list each axis that has words takes them from, {"query": "target"}. */
const char *words_print_axes(const Tensor *tensor, Arena *arena);
const char *words_print_labels(const Words *words, const Tensor *tensor, Arena *arena);

/* The same of all tensors by their names, in `arena`: {"encoder.input": ["batch",
 * ...]}, or with `labels` true {"encoder.input": {"source": "source"}}. */
const char *words_print_all(const Contents *trace, const Words *words, bool labels,
                            Arena *arena);
