/* address.h - addresses of numbers: "encoder.0.self_attention.weights[head=1,
 * query=2]".
 *
 * The name before the bracket is a tensor; the items inside select along its axes.
 * `head=1` is an index, `query=나는` a label, `query="2"` a label that looks like a
 * number, `query=나는#2` the second of two equal labels, `key=1:4` the indices 1, 2 and
 * 3, `key=고양이` all tokens of a word that is split. Axes given in order need no
 * names: [나는, 2]. In that case batch may be omitted, and then head. */
#pragma once

#include "base/error.h"
#include "tensor/tensor.h"

/* Part of a tensor: from[a] up to, but not including, to[a] along each axis. */
typedef struct {
    const Tensor *tensor;
    int from[RANK_MAX], to[RANK_MAX];
} Slice;

/* Return the name before the bracket, in `arena`. */
const char *address_name(const char *address, Arena *arena);

/* Return the text after "step.3." and set `step` to its number. If the address is not
 * in a decoding step, return all of it and set NOWHERE. */
const char *address_after_step(const char *address, int *step);

/* Return the same address in another layer, in `arena`: "step.3.encoder.1.norm_1" for
 * "step.3.encoder.0.norm_1", or for a * in place of the layer. NULL if it is not in a
 * layer. */
const char *address_in_layer(const char *address, const char *layer, Arena *arena);

/* Return the layer that it names, or NOWHERE. */
int address_layer(const char *address);

/* "encoder.0.weights[head=1]" -> "encoder.0.weights-head-1", in `arena`: a file name
 * that is valid on every system. It contains no slash, whatever the address
 * contains. */
const char *address_file_name(const char *address, Arena *arena);

/* Is `ending` the whole address, or its end after a dot, such as "weights" and
 * "self_attention.weights" for "encoder.0.self_attention.weights"? In `ending`, case is
 * ignored and - equals _, as in the names of stages. */
bool address_ends(const char *address, const char *ending);

/* Return the end of the item of a bracket that starts at `item`: the comma or closing
 * bracket outside of quotes, or the end of the text. */
const char *address_item_end(const char *item);

/* Return the item "axis=value" of the bracket, or NULL if none names that axis. */
const char *address_item(const char *address, const char *axis);

/* Get the slice of `tensor` that the bracketed part of `address` selects; omitted axes
 * are taken whole. Fails with a message that lists the axes, labels or sizes. */
bool address_slice(const char *address, const Tensor *tensor, Arena *arena,
                   Slice *slice, Error *error);

/* Get the one cell that `address` names. Each axis must be given, except batch if there
 * is only one row, an axis of size 1, and head if the other axes are given without
 * names: then it is the first head. */
bool address_cell(const char *address, const Tensor *tensor, Arena *arena, int *cell,
                  Error *error);

/* Cells of a tensor along one axis. */
typedef struct {
    const Tensor *tensor;
    int cell, count; /* the first cell, and their number */
    int stride;      /* distance between two of them */
} AxisCells;

/* The same, but one axis may select several cells, as for a word that is split. */
bool address_cells(const char *address, const Tensor *tensor, Arena *arena,
                   AxisCells *cells, Error *error);

/* Return the address of a cell, with labels if the axis has them, so that
 * address_cell() finds it again. Batch is omitted if there is only one row. Allocated
 * in `arena`. */
const char *address_print(const Tensor *tensor, int cell, Arena *arena);

/* The same with axis `open` left open: "weights[query=나는, key=…]". */
const char *address_print_open(const Tensor *tensor, int cell, int open, Arena *arena);

/* Return "나는", or "나는#2" for the second equal label, or "3" without labels, as
 * shown by address_print() and in table headings. Allocated in `arena`. */
const char *address_label(const Axis *axis, int row, int index, Arena *arena);

/* The same as written in an address, quoted if it would be ambiguous: `","`. Allocated
 * in `arena`. */
const char *address_choice(const Axis *axis, int row, int index, Arena *arena);

/* Return the results of address_label() (address_choice() if `quoted`) from `from` up
 * to, but not including, `to` along the axis. Takes linear, not quadratic, time. The
 * rest is "" after an interrupt. Allocated in `arena`. */
const char **address_list(const Axis *axis, int row, int from, int to, bool quoted,
                          Arena *arena);

/* "나는 어제 .": return the labels from `from` up to, but not including, `to` along the
 * axis for sentence `row`, joined by spaces. Allocated in `arena`. */
const char *address_labels(const Axis *axis, int row, int from, int to, Arena *arena);

/* Return the slice of the whole tensor, and the number of cells in a slice. */
Slice slice_all(const Tensor *tensor);
int slice_size(const Slice *slice);

/* Advance `index` to the next cell of the slice along its first `axes` axes, the last
 * one fastest. Return false after the last cell; then `index` is at the first. */
bool slice_next(const Slice *slice, int axes, int *index);
