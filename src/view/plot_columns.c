#include "base/language.h"
#include "view/plot.h"

enum { CHOSEN_MOST = 6 };

/* Columns 0, 1, 2, 4, 8 ...: the fast waves of a positional encoding come first, and
 * the slow ones differ little. */
static int choose(const Matrix *matrix, int *chosen) {
    int count = 0;
    for (int column = 0; column < matrix->columns && count < CHOSEN_MOST;
         column = column ? 2 * column : 1)
        chosen[count++] = column;
    return count;
}

static Series take_column(const Matrix *matrix, int column, Arena *arena) {
    double *x = ARENA_ARRAY(arena, double, matrix->rows);
    double *y = ARENA_ARRAY(arena, double, matrix->rows);
    for (int row = 0; row < matrix->rows; row++) {
        x[row] = matrix->slice.from[matrix->row_axis] + row;
        y[row] = matrix_value(matrix, row, column);
    }
    const Axis *axis = matrix_axis(matrix, true);
    return (Series){
        .name = arena_print(arena, "%s %s", axis->name,
                            matrix_labels(matrix, true, arena)[column]),
        .x = x,
        .y = y,
        .count = matrix->rows,
    };
}

bool plot_columns(const Matrix *matrix, const int *column, int count, Arena *arena,
                  Plot *plot, Error *error) {
    const char *name = matrix->slice.tensor->name;
    int chosen[CHOSEN_MOST];
    if (matrix->row_axis < 0)
        return fail(error, "%s has one axis: curves need two, one for each direction",
                    name);
    if (count == 0) {
        count = choose(matrix, chosen);
        column = chosen;
    }
    if (count > CURVES_MOST)
        return fail(error, "%d curves were asked for; at most %d can be told apart",
                    count, CURVES_MOST);
    Series *series = ARENA_ARRAY(arena, Series, count);
    for (int i = 0; i < count; i++) {
        int from = matrix->slice.from[matrix->column_axis];
        if (column[i] < 0 || column[i] >= matrix->columns)
            return fail(error, "%s has no %s %d here: there are %d to %d", name,
                        matrix_axis(matrix, true)->name, from + column[i], from,
                        from + matrix->columns - 1);
        series[i] = take_column(matrix, column[i], arena);
    }
    bool words =
        matrix_axis(matrix, false)->labels && matrix->slice.from[matrix->row_axis] == 0;
    *plot = (Plot){
        .x_title = matrix_axis_title(matrix, false),
        .y_title = said("value"),
        .series = series,
        .count = count,
        .words = words ? matrix_labels(matrix, false, arena) : NULL,
        .word_count = words ? matrix->rows : 0,
    };
    return true;
}
