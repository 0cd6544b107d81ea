/* safetensors.h - the file format of weights and traces: a JSON header and numbers.
 *
 * 8 bytes: length of the header, little endian. The header: an object mapping names to
 * {dtype, shape, data_offsets}, plus "__metadata__" with strings. Then the numbers,
 * without gaps. Specification: the README of the safetensors project; the checks are
 * those of its reference implementation, or stricter. */
#pragma once

#include <stddef.h>

#include "base/error.h"
#include "base/file.h"
#include "kernel/widen.h"

enum {
    SHAPE_MAX = 8,
    TENSORS_MAX = 65536,        /* in a file, and in all parts of a model together */
    HEADER_VALUES_MAX = 1 << 19 /* JSON values: those tensors with two axes each */
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
    size_t count; /* number of elements */
    const unsigned char *bytes;
    bool is_mapped; /* the bytes are in a mapped file: see base/mapped.h */
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
    NamedTensor *by_name; /* the same, sorted by name */
    int count;
    Note *note; /* from __metadata__, sorted by key */
    int notes;
} SafeTensors;

/* Read and check the file; everything is in `arena`. Fails with the path, the tensor
 * and what is wrong with it. */
bool safetensors_read(SafeTensors *file, const char *path, Arena *arena, Error *error);

/* Fill `by_name` from `tensor`, in `arena`. Fails if two have the same name. */
bool safetensors_sort_names(SafeTensors *file, Arena *arena, Error *error);

/* Return the tensor with that name, or NULL. */
const StoredTensor *safetensors_find(const SafeTensors *file, const char *name);

/* Return the note with that key, or NULL. */
const char *safetensors_note(const SafeTensors *file, const char *key);

/* Get the elements as Numbers: the bytes of the file if they are Numbers already, else
 * a copy in `arena`. False if a signal interrupted it. */
bool safetensors_numbers(const StoredTensor *tensor, Arena *arena, Number **numbers);

/* Return a name for a message, in `arena`: safe to print, and cut if it is long. */
const char *safetensors_show(const char *name, Arena *arena);

/* Return "F32 [8, 16]", in `arena`. */
const char *safetensors_describe(const StoredTensor *tensor, Arena *arena);

/* A tensor to write and its name; ids are written as I32. */
typedef struct {
    const char *name;
    const Tensor *tensor;
} Stored;

/* The contents of a file to write, in this order. */
typedef struct {
    const Stored *stored;
    int count;
    const Note *note; /* __metadata__ */
    int notes;
    bool halves; /* round numbers to F16; else write F32 */
} Contents;

/* Write a file. Also fails if a number is too large for F16. */
bool safetensors_save(const char *path, const Contents *contents, bool replace,
                      Error *error);
