#include "view/worksheet.h"

#include <math.h>

#include "base/language.h"
#include "base/random.h"

static const double rounding = 0.005; /* numbers are shown to two places */

/* 0 to count - 1 in any order. */
static int *any_order(Random *random, int count, Arena *arena) {
    int *order = ARENA_ARRAY(arena, int, count);
    for (int i = 0; i < count; i++) order[i] = i;
    random_shuffle(random, order, count);
    return order;
}

/* One cell of each row, then a second of each, and so on: as long as there is but one
 * in a row, the sum of the row tells it. */
static void choose(const Matrix *matrix, int wanted, unsigned char mark,
                   unsigned char *blank, Random *random, Arena *arena) {
    const int *row = any_order(random, matrix->rows, arena);
    int **column = ARENA_ARRAY(arena, int *, matrix->rows);
    for (int r = 0; r < matrix->rows; r++)
        column[r] = any_order(random, matrix->columns, arena);
    int *next = ARENA_ARRAY(arena, int, matrix->rows);
    for (int r = 0; wanted > 0; r = (r + 1) % matrix->rows) {
        int at = row[r];
        while (next[at] < matrix->columns &&
               matrix_is_hatched(matrix, at, column[at][next[at]]))
            next[at]++;
        if (next[at] == matrix->columns) continue;
        blank[matrix_cell(matrix, at, column[at][next[at]++])] = mark;
        wanted--;
    }
}

void worksheet_choose(const Worksheet *worksheet, Matrix *matrix, int count,
                      Arena *arena) {
    Random random = random_new(worksheet->seed);
    unsigned char mark = worksheet->is_key ? BLANK_FILLED : BLANK_EMPTY;
    for (int m = 0; m < count; m++) {
        int numbers = 0;
        for (int i = 0; i < matrix[m].rows * matrix[m].columns; i++)
            numbers += !matrix_is_hatched(&matrix[m], i / matrix[m].columns,
                                          i % matrix[m].columns);
        int wanted = (int)fmin(fmax(round(worksheet->share * numbers), 1), numbers);
        unsigned char *blank =
            ARENA_ARRAY(arena, unsigned char, tensor_size(matrix[m].slice.tensor));
        choose(&matrix[m], wanted, mark, blank, &random, arena);
        matrix[m].blank = blank;
    }
}

int worksheet_blank(const Matrix *matrix, int row, int column) {
    return matrix->blank ? matrix->blank[matrix_cell(matrix, row, column)] : BLANK_NOT;
}

/* Does each row of each matrix sum to 1, which helps to fill it in? */
static bool sum_to_one(const Matrix *matrix, int count) {
    for (int m = 0; m < count; m++)
        for (int row = 0; row < matrix[m].rows; row++) {
            double sum = 0;
            for (int column = 0; column < matrix[m].columns; column++)
                if (!matrix_is_hatched(&matrix[m], row, column))
                    sum += matrix_value(&matrix[m], row, column);
            if (fabs(sum - 1) > rounding) return false;
        }
    return true;
}

const char *worksheet_title(const Worksheet *worksheet, const char *title,
                            Arena *arena) {
    return worksheet->is_key ? say(arena, "Key to the worksheet: %s", title)
                             : say(arena, "Worksheet: %s", title);
}

const char *worksheet_note(const Worksheet *worksheet, const Matrix *matrix,
                           int count) {
    if (worksheet->is_key)
        return said(N_("Key: what was empty has a frame, in letters a star."));
    return sum_to_one(matrix, count)
               ? said(N_("Worksheet: fill in the empty cells; each row sums to 1."))
               : said(N_("Worksheet: fill in the empty cells."));
}
