/* shape.h - checks of the axes of an operation's inputs. */
#pragma once

#include "tensor/tape.h"

/* Return the number of rows: the product of all axes except the last. */
int shape_rows(const Tensor *tensor);

/* Return the number of matrices: the product of all axes except the last two. */
int shape_matrices(const Tensor *tensor);

/* Return an axis counted from the end: 1 is the last one. */
const Axis *shape_axis(const Tensor *tensor, int back);

/* For Op.shape: the axes of the first input. Never fails. */
bool shape_as_input(const Step *step, int *rank, Axis *axis, Error *error);

/* The same, but fails unless all inputs have the sizes of the first. */
bool shape_all_alike(const Step *step, int *rank, Axis *axis, Error *error);

/* Fails unless the tensor has `rank` axes, and names the expected ones: "mask: x [token
 * 3] must have the axes batch, head, query, key". */
bool shape_rank(const Op *op, const Tensor *tensor, int rank, const char *expected,
                Error *error);

/* Fails unless input `i` has as many numbers as a row of the first input. */
bool shape_factor(const Step *step, int i, Error *error);

/* For an Op.shape with one row per sentence: the axes batch and feature of x [batch,
 * token, feature]. Fails unless the second input, if there is one, is the padding
 * [batch, token] of x. */
bool shape_of_sentences(const Step *step, int *rank, Axis *axis, Error *error);

/* Fails unless each number of `ids` is a whole number from 0 to `entries` - 1, or
 * `except` (NAN: no exception). `table` is the name of the table they index. */
bool shape_ids(const Op *op, const Tensor *ids, const Tensor *table, int entries,
               double except, Error *error);
