/* record.h - everything that has an address: the tensors on the tapes of a run, and its
 * weights. */
#pragma once

#include "explain/gradients.h"
#include "store/weights.h"
#include "tensor/address.h"
#include "tensor/tape.h"

typedef struct {
    const Tape *run;   /* the whole sentence, or NULL */
    const Tape *steps; /* its decoding, token by token, or NULL */
    const Tape *toy;   /* attention over typed numbers, or NULL */
    const Tape *lens;  /* the result of a lens, or NULL */
    const Weights *weights;
    const struct Changes *changes; /* manual changes, see explain/change.h; or NULL */
    const Gradients *gradients;    /* of a training step, or NULL */
} Record;

/* Find the tensor with the name before any bracket, or fail with similar names. */
bool record_find(const Record *record, const char *address, Arena *arena,
                 const Tensor **tensor, Error *error);

/* Fail if the address, or its beginning, is a layer that its stack does not have. */
bool record_has_layer(const Record *record, const char *address, Arena *arena,
                      Error *error);

/* Return the cell at `address`, or the cells: see address_cells(). */
bool record_cells(const Record *record, const char *address, Arena *arena,
                  AxisCells *cells, Error *error);
bool record_cell(const Record *record, const char *address, Arena *arena,
                 const Tensor **tensor, int *cell, Error *error);

/* Return the slice at `address`; without a bracket, the whole tensor. */
bool record_slice(const Record *record, const char *address, Arena *arena, Slice *slice,
                  Error *error);

/* Return the step that computed the tensor, or NULL for weights and inputs. */
const Step *record_step(const Record *record, const Tensor *tensor);

/* Return the i-th address, in the order run, steps, toy, weights, gradients; NULL after
 * the last. Used for completion. */
const char *record_address(const Record *record, int i);

/* Return the entry of that address on a tape; NULL for weights and after the last. */
const Entry *record_entry(const Record *record, int i);
