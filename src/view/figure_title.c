/* What stands over a figure and over its panels. */
#include <string.h>

#include "view/figure_work.h"

bool figure_has_one_name(const Figure *figure) {
    const char *first = figure->slice[0].tensor->name;
    for (int i = 1; i < figure->slices; i++)
        if (strcmp(figure->slice[i].tensor->name, first) != 0) return false;
    return true;
}

const char *figure_ending(const Figure *figure) {
    const char *first = figure->slice[0].tensor->name;
    for (const char *end = strchr(first, '.'); end; end = strchr(end + 1, '.')) {
        bool common = true;
        for (int i = 1; i < figure->slices && common; i++) {
            const char *name = figure->slice[i].tensor->name;
            size_t length = strlen(name);
            common =
                length >= strlen(end) && strcmp(name + length - strlen(end), end) == 0;
        }
        if (common) return end;
    }
    return "";
}

/* "query 0 to 3, head: mean of 4": which part of the tensors is shown; "" where it is
 * another one of each. */
static const char *common_ranges(const Work *work) {
    const Figure *figure = work->figure;
    const char *first = matrix_ranges(&figure->slice[0], work->arena);
    for (int i = 1; i < figure->slices; i++)
        if (strcmp(first, matrix_ranges(&figure->slice[i], work->arena)) != 0)
            return "";
    return first;
}

/* What the figure calls the slice in which the matrix lies, or "". */
static const char *called_of(const Figure *figure, const Matrix *matrix) {
    for (int i = 0; figure->called && i < figure->slices; i++)
        if (figure->slice[i].tensor == matrix->slice.tensor) return figure->called[i];
    return "";
}

/* "encoder.0, head 3" over a panel; with one tensor only "head 3". */
const char *figure_heading(const Work *work, const Matrix *matrix) {
    const char *heading = matrix_heading(matrix, work->arena);
    if (work->figure->slices < 2) return heading;
    const char *ranges = matrix_ranges(&matrix->slice, work->arena);
    if (*ranges && !*common_ranges(work))
        heading =
            arena_print(work->arena, "%s%s%s", heading, *heading ? ", " : "", ranges);
    const char *called = called_of(work->figure, matrix);
    const char *name = matrix->slice.tensor->name;
    int length = (int)(strlen(name) - strlen(figure_ending(work->figure)));
    if (figure_has_one_name(work->figure)) length = 0;
    return arena_print(work->arena, "%s%s%.*s%s%s", called,
                       *called && length ? ", " : "", length, name,
                       *heading && (length || *called) ? ", " : "", heading);
}

/* What is drawn, and which part of it. */
const char *figure_title(const Work *work) {
    const Figure *figure = work->figure;
    if (figure->slices == 0) return "";
    const char *ending = figure_ending(figure);
    const char *name = figure_has_one_name(figure) ? figure->slice[0].tensor->name
                       : *ending                   ? ending + 1
                                                   : "";
    bool one = figure->slices == 1 && work->count == 1;
    const char *heading = one ? work->heading[0] : "";
    const char *ranges = common_ranges(work);
    const char *title =
        arena_print(work->arena, "%s%s%s%s%s", name, *heading ? ", " : "", heading,
                    *ranges ? ", " : "", ranges);
    if (!figure->behind) return title;
    return arena_print(work->arena, "%s%s%s", title, *title ? ": " : "",
                       figure->behind);
}
