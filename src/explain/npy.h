/* npy.h - the array format of NumPy: numpy.lib.format, version 1.0; and the archive
 * of several, .npz, a ZIP file whose members are stored as they are. */
#pragma once

#include <stdio.h>

#include "base/file.h"
#include "tensor/address.h"

/* The slice as the bytes of a .npy file, in `arena`: float32, or int32 for ids. An axis
 * of which one index is chosen stays, with size 1. */
Bytes npy_bytes(const Slice *slice, Arena *arena);

/* `rows` x `size` words as the bytes of a .npy file, in `arena`: strings of Unicode,
 * which NumPy reads without pickle. Each takes the room of the longest, so that what
 * goes beyond WORD_LETTERS_MOST code points is cut off. */
enum { WORD_LETTERS_MOST = 256 };
Bytes npy_words(const char *const *word, int rows, int size, Arena *arena);

/* How many members an archive has at most. */
enum { NPZ_TENSORS_MAX = 32766 };

/* A ZIP file on its way. */
typedef struct {
    FILE *out;
    Arena *arena;
    Bytes *directory; /* the entries of the central directory */
    int count, capacity;
    size_t offset;
} Zip;

/* Append a member; false when the archive would need more than 4 GB. */
bool zip_add(Zip *zip, const char *name, Bytes bytes);

/* Write the central directory. */
void zip_end(Zip *zip);
