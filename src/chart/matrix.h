/* matrix.h - two axes of a tensor, at fixed indices of the others: what a heatmap or a
 * table shows. Rows and columns, labels and titles follow from the tensor's axes, so
 * that a figure cannot be labelled wrongly: for attention rows are queries, the side
 * that asks, and columns are keys. */
#pragma once

#include <stdint.h>

#include "tensor/address.h"

typedef struct {
    Slice slice;                 /* one index of every axis but two */
    int row_axis, column_axis;   /* of the tensor; row_axis -1: one row without name */
    int rows, columns;           /* of the slice */
    const unsigned char *hidden; /* for each cell of the tensor: 1 is masked; or NULL */
    const unsigned char *marked; /* the same of cells that are pointed out; or NULL */
    const unsigned char
        *blank; /* for each cell of the tensor, BLANK_EMPTY ...; or NULL */
    bool plain; /* labels are the words alone: no "·" before them, no "#2" behind */
} Matrix;

/* The matrices of `slice`, in `arena`, `*count` of them: rows and columns run along
 * its last two axes that were not narrowed to one index (or the neighbours of those),
 * and there is one matrix for each choice of the indices before them. */
Matrix *matrix_list(const Slice *slice, const unsigned char *hidden, Arena *arena,
                    int *count);

/* The cell of the tensor, and its number. */
int matrix_cell(const Matrix *matrix, int row, int column);
double matrix_value(const Matrix *matrix, int row, int column);

/* Of the whole row of the tensor in which `row` lies, when columns run along the
 * tensor's last axis: its mean, and the root of the mean square from it. */
typedef struct {
    double mean, deviation;
} Moments;
Moments matrix_moments(const Matrix *matrix, int row);

/* Whether a cell has no value to colour: masked, infinite or not a number. */
bool matrix_is_hatched(const Matrix *matrix, int row, int column);

/* Whether a cell, or any of the row, is pointed out. */
bool matrix_is_marked(const Matrix *matrix, int row, int column);
bool matrix_row_is_marked(const Matrix *matrix, int row);

/* The axis along the rows' index (false) or the columns' (true); NULL: no such. */
const Axis *matrix_axis(const Matrix *matrix, bool columns);

/* The labels of that axis in the slice, in `arena`, safe to print; equal ones are told
 * apart as address_label() does. */
const char **matrix_labels(const Matrix *matrix, bool columns, Arena *arena);

/* "query: the side that asks", "d_model": what is along an axis; "" without. */
const char *matrix_axis_title(const Matrix *matrix, bool columns);

/* "head 1": the fixed indices of axes that have more than one, in `arena`; where it is
 * `spoken`, axes have names in the language of the program. */
const char *matrix_heading(const Matrix *matrix, bool spoken, Arena *arena);

/* "key 1 to 3", "head: mean of 4": the axes of a slice of which some indices are shown,
 * and not all or one, and those that were put together, in `arena`, safe to print; ""
 * if there are none. */
const char *matrix_ranges(const Slice *slice, bool spoken, Arena *arena);

/* The part from column `from` up to, and without, `to`. */
Matrix matrix_part(const Matrix *matrix, int from, int to);

/* A worksheet is a heatmap with empty cells, for students to fill in, and the key to it
 * the same with all numbers, and what was empty in a frame, in letters behind a star.
 */

/* What is to become of the cells of a figure. All zero: nothing. */
typedef struct {
    double share;  /* of the cells stay empty, above 0 and up to 1; 0: no worksheet */
    uint64_t seed; /* which of them follows from it */
    bool is_key;
} Worksheet;

/* What a matrix's `blank` says of a cell. */
enum { BLANK_NOT, BLANK_EMPTY, BLANK_FILLED };

/* Choose the cells of each matrix, at least one where there is one that has a number,
 * as many in each row as can be, and say so in `blank` of each, in `arena`. */
void worksheet_choose(const Worksheet *worksheet, Matrix *matrix, int count,
                      Arena *arena);

/* BLANK_NOT where the matrix belongs to no worksheet. */
int worksheet_blank(const Matrix *matrix, int row, int column);

/* "Worksheet: encoder.0..." and what to do, in `arena`. */
const char *worksheet_title(const Worksheet *worksheet, const char *title,
                            Arena *arena);
const char *worksheet_note(const Worksheet *worksheet, const Matrix *matrix, int count);
