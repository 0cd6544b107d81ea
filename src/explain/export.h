/* export.h - write numbers to files for other programs. */
#pragma once

#include "explain/record.h"
#include "store/safetensors.h"

/* Return every address of the tape, in `arena`, and set `count`. */
Stored *trace_entries(const Tape *tape, Arena *arena, int *count);

/* Write all tensors to `path`; its extension selects .safetensors, .npz or .json. */
bool trace_save(const Contents *trace, const char *path, bool replace, Error *error);

/* Write one slice to `path`: .csv with labels, or .npy. */
bool slice_save(const Slice *slice, const char *path, bool replace, Error *error);

/* Return true if slice_save() supports the extension of `path`. */
bool slice_can_save(const char *path);
