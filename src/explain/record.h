/* record.h - everything that has an address: what a run left on its tapes, and the
 * weights it read. */
#pragma once

#include "explain/gradients.h"
#include "store/weights.h"
#include "tensor/address.h"
#include "tensor/tape.h"

typedef struct {
    const Tape *run;   /* the sentence as a whole, or NULL */
    const Tape *steps; /* its decoding, token by token, or NULL */
    const Tape *toy;   /* attention over typed numbers, or NULL */
    const Tape *lens;  /* what a lens made of the run, or NULL */
    const Weights *weights;
    const struct Changes *changes; /* by hand, see explain/change.h; or NULL */
    const Gradients *gradients;    /* of a step of learning, or NULL */
} Record;

/* The tensor at the name in front of any bracket. Fails with the nearest names. */
bool record_find(const Record *record, const char *address, Arena *arena,
                 const Tensor **tensor, Error *error);

/* The cell at `address`, or the cells: see address_cells(). */
bool record_cells(const Record *record, const char *address, Arena *arena,
                  AxisCells *cells, Error *error);
bool record_cell(const Record *record, const char *address, Arena *arena,
                 const Tensor **tensor, int *cell, Error *error);

/* The slice at `address`, all of the tensor where it has no bracket. */
bool record_slice(const Record *record, const char *address, Arena *arena, Slice *slice,
                  Error *error);

/* The step that made the tensor, or NULL for weights and what was given. */
const Step *record_step(const Record *record, const Tensor *tensor);

/* The i-th address, of the run, the steps, the toy, the weights and the gradients in
 * this order; NULL after the last. For completion. */
const char *record_address(const Record *record, int i);

/* What is at that address on a tape; NULL for weights and after the last. */
const Entry *record_entry(const Record *record, int i);
