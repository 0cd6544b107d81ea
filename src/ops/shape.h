/* shape.h - what the operations ask of the axes of a tensor. */
#pragma once

#include "tensor/tape.h"

/* How many rows: the product of all axes but the last. */
int shape_rows(const Tensor *tensor);

/* How many matrices: the product of all axes but the last two. */
int shape_matrices(const Tensor *tensor);

/* The axis `back` places before the end: 1 is the last one. */
const Axis *shape_axis(const Tensor *tensor, int back);

/* For Op.shape: the axes of the first input. Never fails. */
bool shape_as_input(const Step *step, int *rank, Axis *axis, Error *error);

/* The same, and fails unless all inputs have the sizes of the first. */
bool shape_all_alike(const Step *step, int *rank, Axis *axis, Error *error);

/* Fails unless the tensor has `rank` axes, saying which ones are wanted: "mask: x
 * [token 3] must have the axes batch, head, query, key". */
bool shape_rank(const Op *op, const Tensor *tensor, int rank, const char *wanted,
                Error *error);

/* Fails unless input `i` has one number for each of a row of the first input. */
bool shape_factor(const Step *step, int i, Error *error);

/* For an Op.shape that makes one row of each sentence: of x [batch, token, feature] the
 * axes batch and feature. Fails unless a second input, if there is one, is the padding
 * [batch, token] of x. */
bool shape_of_sentences(const Step *step, int *rank, Axis *axis, Error *error);

/* Fails unless each number of `ids` is a whole one from 0 up to `entries` - 1, or
 * `except` (NAN: none else). `table` is the name of what they choose from. */
bool shape_ids(const Op *op, const Tensor *ids, const Tensor *table, int entries,
               double except, Error *error);
