/* address.h - the name of a number: "encoder.0.self_attention.weights[head=1,
 * query=2]".
 *
 * The name before the bracket is a tensor; inside stand axes: `head=1` an index,
 * `query=나는` a label, `query="2"` a label that looks like a number, `query=나는#2`
 * the second of two equal labels, `key=1:4` the indices 1, 2 and 3, `key=고양이` all
 * tokens of a word that is in pieces. Axes in their order need no names: [나는, 2];
 * batch, and then head, may be left out. */
#pragma once

#include "base/error.h"
#include "tensor/tensor.h"

/* Part of a tensor: from[a] up to, and without, to[a] along each axis. */
typedef struct {
    const Tensor *tensor;
    int from[RANK_MAX], to[RANK_MAX];
} Slice;

/* The name in front of the bracket, in `arena`. */
const char *address_name(const char *address, Arena *arena);

/* What follows "step.3.", whose number goes to `step`; of an address in no step
 * of a decoding the whole, and NOWHERE. */
const char *address_behind_step(const char *address, int *step);

/* The same address in another layer, in `arena`: "step.3.encoder.1.norm_1" for
 * "step.3.encoder.0.norm_1", also where a * stands for the layer. NULL: it is in none.
 */
const char *address_in_layer(const char *address, const char *layer, Arena *arena);

/* The layer that it names, or NOWHERE. */
int address_layer(const char *address);

/* "encoder.0.weights[head=1]" -> "encoder.0.weights-head-1", in `arena`: what a file of
 * it may be called everywhere. It holds no slash, whatever is in the address. */
const char *address_file_name(const char *address, Arena *arena);

/* Is `ending` the end of the address, whole or from a dot on: "weights" and
 * "self_attention.weights" of "encoder.0.self_attention.weights"? Capitals make no
 * difference in it, nor does - for _, as the names of stages have it. */
bool address_ends(const char *address, const char *ending);

/* The slice of `tensor` that the bracketed part of `address` chooses; axes left out
 * are taken whole. Fails, naming the axes, labels or sizes there are. */
bool address_slice(const char *address, const Tensor *tensor, Arena *arena,
                   Slice *slice, Error *error);

/* The one cell that `address` names: each axis must be given, batch only where there
 * is more than one row, an axis of size 1 never, and the head not where axes stand
 * without their names: it is the first one then. */
bool address_cell(const char *address, const Tensor *tensor, Arena *arena, int *cell,
                  Error *error);

/* AxisCells of a tensor along one axis. */
typedef struct {
    const Tensor *tensor;
    int cell, count; /* the first one, and how many there are */
    int stride;      /* from one to the next */
} AxisCells;

/* The same where one axis may name several, as a word in pieces does. */
bool address_cells(const char *address, const Tensor *tensor, Arena *arena,
                   AxisCells *cells, Error *error);

/* The address of a cell, with labels where the axis has them, so that address_cell()
 * finds it again; batch is left out where there is one row. In `arena`. */
const char *address_print(const Tensor *tensor, int cell, Arena *arena);

/* The same with axis `open` left open: "weights[query=나는, key=…]". */
const char *address_print_open(const Tensor *tensor, int cell, int open, Arena *arena);

/* "나는", or "나는#2" where an equal label is before it, or "3" without labels:
 * what address_print() and headings of tables show. In `arena`. */
const char *address_label(const Axis *axis, int row, int index, Arena *arena);

/* The same as it is in an address, in quotes where it could be read otherwise:
 * `","`. In `arena`. */
const char *address_choice(const Axis *axis, int row, int index, Arena *arena);

/* What address_label(), or where `quoted` address_choice(), gives from `from` up to,
 * and without, `to` along the axis, in time that grows with the axis and not with its
 * square. "" for what is left when somebody stops it. In `arena`. */
const char **address_list(const Axis *axis, int row, int from, int to, bool quoted,
                          Arena *arena);

/* "나는 어제 .": the labels from `from` up to, and without, `to` along the axis, for
 * sentence `row`, one behind the other. In `arena`. */
const char *address_labels(const Axis *axis, int row, int from, int to, Arena *arena);

/* The slice with every axis whole, and how many cells a slice has. */
Slice slice_all(const Tensor *tensor);
int slice_size(const Slice *slice);
