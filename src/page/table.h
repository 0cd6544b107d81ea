/* table.h - numbers or words in rows and columns, folded to the width of a terminal.
 *
 * Columns that do not fit follow in a further block below; of very many the middle is
 * left out, which a last line says. Nothing is ever wrapped within a row. */
#pragma once

#include "chart/matrix.h"

typedef struct {
    const char *corner; /* over the labels of rows: "query ↓  key →"; or NULL */
    int rows, columns;
    const char *const *row_label;    /* or NULL */
    const char *const *column_label; /* or NULL */
    const char *const *cell;         /* rows x columns, safe to print; or NULL: */
    const Matrix *matrix;            /* its numbers, of which those are written */
    int digits;                      /* that are shown, with so many decimals */
    int rows_most;                   /* more are left out in the middle; 0: never */
    const char *all;                 /* how to see what is left out; or NULL */
} Table;

/* Its lines, of at most `width` cells (40 or more), in `arena`. Columns in which every
 * cell is a number are aligned right. */
const char *table_text(const Table *table, int width, Arena *arena);

/* The words of one cell, in `arena` where they are made. */
const char *table_cell(const Table *table, int row, int column, Arena *arena);

/* The numbers of a matrix with its labels, in `arena`; it must outlive the table. Ids
 * have no decimals, whatever `digits` says. */
Table table_matrix(const Matrix *matrix, int digits, Arena *arena);

/* Give such a table two more columns: the mean and the deviation of each row, all of
 * it, whatever part of it the matrix shows. Nothing where the columns are not the
 * tensor's rows. */
enum { TABLE_MOMENTS = 2 };
void table_add_moments(Table *table, Arena *arena);
