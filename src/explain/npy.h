/* npy.h - the array format of NumPy, numpy.lib.format version 1.0, and the archive of
 * several arrays, .npz, a ZIP file with uncompressed members. */
#pragma once

#include <stdio.h>

#include "base/file.h"
#include "tensor/address.h"

/* Return the slice as the bytes of a .npy file, in `arena`: float32, or int32 for ids.
 * An axis with one selected index is kept, with size 1. */
Bytes npy_bytes(const Slice *slice, Arena *arena);

/* Return `rows` x `size` words as the bytes of a .npy file, in `arena`: Unicode
 * strings, which NumPy reads without pickle. All take the size of the longest, so words
 * are cut to WORD_LETTERS_MAX code points. */
enum { WORD_LETTERS_MAX = 256 };
Bytes npy_words(const char *const *word, int rows, int size, Arena *arena);

/* Maximum number of members in an archive. */
enum { NPZ_TENSORS_MAX = 32766 };

/* A ZIP file in progress. */
typedef struct {
    FILE *out;
    Arena *arena;
    Bytes *directory; /* the entries of the central directory */
    int count, capacity;
    size_t offset;
} Zip;

/* Append a member. Return false if the archive would exceed 4 GB. */
bool zip_add(Zip *zip, const char *name, Bytes bytes);

/* Write the central directory. */
void zip_end(Zip *zip);
