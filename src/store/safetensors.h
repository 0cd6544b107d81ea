/* safetensors.h - the file format of weights and traces: a JSON header and numbers.
 *
 * 8 bytes: length of the header, little endian. The header: an object of name to
 * {dtype, shape, data_offsets}, and "__metadata__" of texts. Then the numbers, without
 * holes. Specification: the README of the safetensors project; the checks are those of
 * its reference, or stricter. */
#pragma once

#include <stddef.h>

#include "base/error.h"
#include "base/file.h"
#include "kernel/widen.h"

enum {
    SHAPE_MAX = 8,
    TENSORS_MAX = 65536,        /* of a file, and of all parts of a model together */
    HEADER_VALUES_MAX = 1 << 19 /* of JSON: those tensors with two axes each */
};

typedef struct {
    const char *name; /* "F32" */
    size_t bytes;
    ElementKind kind;
} ElementType;

/* One tensor of a file that was read. */
typedef struct {
    const char *name;
    const ElementType *type;
    int rank;
    long long shape[SHAPE_MAX];
    size_t count; /* elements */
    const unsigned char *bytes;
    bool is_mapped; /* the bytes are those of the file: see base/mapped.h */
} StoredTensor;

typedef struct {
    const char *key, *value;
} Note;

typedef struct {
    const char *name;
    const StoredTensor *tensor;
} NamedTensor;

typedef struct {
    const char *path;
    StoredTensor *tensor; /* in the order of their bytes */
    NamedTensor *by_name; /* the same, in the order of their names */
    int count;
    Note *note; /* of __metadata__, in the order of their keys */
    int notes;
} SafeTensors;

/* Read and check the file; everything lies in `arena`. Fails with the path, the
 * tensor and what is wrong with it. */
bool safetensors_read(SafeTensors *file, const char *path, Arena *arena, Error *error);

/* Make `by_name` of `tensor`, in `arena`. Fails when two have the same name. */
bool safetensors_sort_names(SafeTensors *file, Arena *arena, Error *error);

/* The tensor with that name, or NULL. */
const StoredTensor *safetensors_find(const SafeTensors *file, const char *name);

/* The note with that key, or NULL. */
const char *safetensors_note(const SafeTensors *file, const char *key);

/* The elements as Numbers: the bytes of the file themselves if they are Numbers
 * already, else a copy in `arena`. False when a signal stopped it. */
bool safetensors_numbers(const StoredTensor *tensor, Arena *arena, Number **numbers);

/* A name as a message may hold it: safe to print, and cut where it is long. In `arena`.
 */
const char *safetensors_show(const char *name, Arena *arena);

/* "F32 [8, 16]", in `arena`. */
const char *safetensors_describe(const StoredTensor *tensor, Arena *arena);

/* What goes into a file: a name and its tensor; ids are written as I32. */
typedef struct {
    const char *name;
    const Tensor *tensor;
} Stored;

/* All that a file is to hold, in this order. */
typedef struct {
    const Stored *stored;
    int count;
    const Note *note; /* __metadata__ */
    int notes;
    bool halves; /* numbers are rounded to F16, else they are F32 */
} Contents;

/* Fails, too, where a number is too large for F16. */
bool safetensors_save(const char *path, const Contents *contents, bool replace,
                      Error *error);
