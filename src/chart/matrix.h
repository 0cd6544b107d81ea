/* matrix.h - two axes of a tensor, at fixed indices of the others: what a heatmap or a
 * table shows. Rows and columns, labels and titles are derived from the tensor's axes,
 * so that a figure cannot have wrong labels: for attention, rows are queries and
 * columns are keys. */
#pragma once

#include <stdint.h>

#include "tensor/address.h"

typedef struct {
    Slice slice;               /* one index of every axis except two */
    int row_axis, column_axis; /* of the tensor; row_axis -1: one row without a name */
    int rows, columns;         /* of the slice */
    const unsigned char *hidden; /* for each cell of the tensor: 1 is masked; or NULL */
    const unsigned char *marked; /* the same for highlighted cells; or NULL */
    const unsigned char
        *blank; /* for each cell of the tensor, BLANK_EMPTY ...; or NULL */
    bool plain; /* labels are only the words, without "·" and "#2" */
} Matrix;

/* Return the `*count` matrices of `slice`, in `arena`. Rows and columns run along its
 * last two axes that were not narrowed to one index (or the neighbors of those). There
 * is one matrix for each choice of the indices before them. */
Matrix *matrix_list(const Slice *slice, const unsigned char *hidden, Arena *arena,
                    int *count);

/* Return the cell of the tensor, and its number. */
int matrix_cell(const Matrix *matrix, int row, int column);
double matrix_value(const Matrix *matrix, int row, int column);

/* Mean and standard deviation of the tensor's whole row that contains `row`, if columns
 * run along the tensor's last axis. */
typedef struct {
    double mean, deviation;
} Moments;
Moments matrix_moments(const Matrix *matrix, int row);

/* Does a cell have no value to color: masked, infinite or NaN? */
bool matrix_is_hatched(const Matrix *matrix, int row, int column);

/* Is a cell, or any cell of the row, highlighted? */
bool matrix_is_marked(const Matrix *matrix, int row, int column);
bool matrix_row_is_marked(const Matrix *matrix, int row);

/* Return the axis of the rows (false) or the columns (true), or NULL. */
const Axis *matrix_axis(const Matrix *matrix, bool columns);

/* Return the labels of that axis in the slice, in `arena`, safe to print; equal labels
 * are numbered as by address_label(). */
const char **matrix_labels(const Matrix *matrix, bool columns, Arena *arena);

/* Return a title such as "query: attends to the keys" or "d_model"; "" if there is
 * none. */
const char *matrix_axis_title(const Matrix *matrix, bool columns);

/* Return "head 1", the fixed indices of axes that have more than one, in `arena`. If
 * `spoken`, axis names are in the program's language. */
const char *matrix_heading(const Matrix *matrix, bool spoken, Arena *arena);

/* Return "key 1 to 3", "head: mean of 4": the axes of a slice that show some indices,
 * not all or one, and those that were reduced, in `arena`, safe to print; "" if there
 * are none. */
const char *matrix_ranges(const Slice *slice, bool spoken, Arena *arena);

/* Return the part from column `from` up to, but not including, `to`. */
Matrix matrix_part(const Matrix *matrix, int from, int to);

/* A worksheet is a heatmap with empty cells that students fill in. Its key is the same
 * with all numbers; those of empty cells are framed, or in text marked with a star. */

/* Options of a worksheet. All zero: none. */
typedef struct {
    double share;  /* fraction of the cells to leave empty, above 0, at most 1; 0: no
                      worksheet */
    uint64_t seed; /* decides which cells */
    bool is_key;
} Worksheet;

/* Values of Matrix.blank, one per cell. */
enum { BLANK_NOT, BLANK_EMPTY, BLANK_FILLED };

/* Choose the empty cells of each matrix, at least one if it has a number, spread evenly
 * over the rows, and mark them in `blank`, in `arena`. */
void worksheet_choose(const Worksheet *worksheet, Matrix *matrix, int count,
                      Arena *arena);

/* Return the mark of a cell; BLANK_NOT if the matrix is not in a worksheet. */
int worksheet_blank(const Matrix *matrix, int row, int column);

/* Return "Worksheet: encoder.0..." and the instructions, in `arena`. */
const char *worksheet_title(const Worksheet *worksheet, const char *title,
                            Arena *arena);
const char *worksheet_note(const Worksheet *worksheet, const Matrix *matrix, int count);
