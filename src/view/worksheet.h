/* worksheet.h - a heatmap with empty cells, for students to fill in, and the key to it:
 * the same with all numbers, and what was empty in a frame, in letters behind a star.
 */
#pragma once

#include <stdint.h>

#include "view/matrix.h"

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
