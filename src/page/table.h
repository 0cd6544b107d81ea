/* table.h - numbers or words in rows and columns, folded to the width of a terminal.
 *
 * Columns that do not fit continue in another block below. If there are very many, the
 * middle is omitted, and the last line says so. Rows are never wrapped. */
#pragma once

#include "chart/matrix.h"

typedef struct {
    const char *corner; /* above the row labels: "query ↓  key →"; or NULL */
    int rows, columns;
    const char *const *row_label;    /* or NULL */
    const char *const *column_label; /* or NULL */
    const char *const *cell; /* rows x columns, safe to print; or NULL: use `matrix` */
    const Matrix *matrix;    /* show its numbers */
    int digits;              /* after the decimal point */
    int rows_max;            /* the middle of more rows is omitted; 0: never */
    const char *all;         /* how to see the omitted ones; or NULL */
} Table;

/* Return its lines, of at most `width` cells (40 or more), in `arena`. Columns in which
 * every cell is a number are right-aligned. */
const char *table_text(const Table *table, int width, Arena *arena);

/* Return the text of one cell, in `arena` if it is generated. */
const char *table_cell(const Table *table, int row, int column, Arena *arena);

/* Return a table of the numbers of a matrix with its labels, in `arena`; the matrix
 * must outlive the table. Ids have no decimals, whatever `digits` is. */
Table table_matrix(const Matrix *matrix, int digits, Arena *arena);

/* Add two columns to such a table: the mean and the deviation of each whole row, even
 * if the matrix shows only part of it. Does nothing if the columns are not the tensor's
 * rows. */
enum { TABLE_MOMENTS = 2 };
void table_add_moments(Table *table, Arena *arena);

/* A table of words that is filled row by row. Its `table` shows what was written so
 * far; set the corner and the rest there. */
typedef struct {
    Table table;
    Arena *arena;
    const char **cell, **label;
    int cells, labels, cell_capacity, label_capacity;
} TableWriter;

/* Begin a table with these column headings, which are translated; NULL ends them. */
TableWriter table_begin(const char *const *heading, Arena *arena);

/* Label the row whose cells follow. */
void table_row(TableWriter *writer, const char *label);

/* Add a cell: formatted text, or text as it is. */
__attribute__((format(printf, 2, 3))) void table_print(TableWriter *writer,
                                                       const char *format, ...);
void table_put(TableWriter *writer, const char *text);
