/* export.h - numbers into files that other programs read. */
#pragma once

#include "explain/record.h"
#include "store/safetensors.h"

/* Every address of the tape, in `arena`; `count` is set. */
Stored *trace_entries(const Tape *tape, Arena *arena, int *count);

/* Write all tensors to `path`: .safetensors, .npz or .json, by its ending. */
bool trace_save(const Contents *trace, const char *path, bool replace, Error *error);

/* Write one slice to `path`: .csv with labels, or .npy. */
bool slice_save(const Slice *slice, const char *path, bool replace, Error *error);

/* Is the ending of `path` one that slice_save() knows? */
bool slice_can_save(const char *path);
