#include "view/heatmap.h"

#include <math.h>
#include <string.h>

#include "base/interrupt.h"

/* Pixels. The largest and least cell with a number in it, the largest without one. */
enum { CELL_MOST = 56, NUMBER_LEAST = 24, BLANK_MOST = 40 };
/* Labels are cut to so many cells, and where they stand upright to so many letters. */
enum { LABEL_MOST = 24, LABEL_MOST_GRID = 16, STACK_MOST = 8 };

/* In a cell of a worksheet one writes by hand. */
enum { WRITTEN_WIDTH = 44, WRITTEN_HEIGHT = 30 };

/* Words are not left out: a cell is as large as they need where there are at most so
 * many of them. */
enum { NAMED_MOST = 200, NAMED_HEIGHT = 15, NAMED_WIDTH = 16 };

static const double number_most = 0.95;

static bool names_all(const Matrix *matrix, bool columns) {
    const Axis *axis = matrix_axis(matrix, columns);
    int count = columns ? matrix->columns : matrix->rows;
    return axis && axis->labels && count <= NAMED_MOST;
}

/* The letters of the longest number in the cells. */
static int number_letters(const Heatmap *heatmap, Arena *arena) {
    const Scale *scale = heatmap->scale;
    /* Of a logarithmic one the longest is a small number with two digits. */
    const double number[] = {scale->least, scale->most, scale->lowest, scale->highest,
                             scale->logarithmic ? 1.2 * scale->lowest : 0};
    size_t most = 0;
    for (size_t n = 0; n < sizeof number / sizeof *number; n++) {
        size_t letters = strlen(scale_number(scale, number[n], arena));
        most = letters > most ? letters : most;
    }
    return (int)most;
}

static double widest_label(Canvas *canvas, const char *const *labels, int count) {
    double most = 0;
    for (int i = 0; i < count && !interrupt_signal(); i++)
        most = fmax(most, canvas->measure(canvas, (Style){0}, labels[i]));
    return most;
}

static double sums_width(const Heatmap *heatmap, const Canvas *canvas) {
    return heatmap->row_sums ? 6 * canvas->metrics.letter + canvas->metrics.gap : 0;
}

/* Numbers where they fit; else two cells for a value, or one if it has a colour. */
static void size_cells_grid(Heatmap *heatmap, const Canvas *canvas, int letters,
                            double label) {
    int columns = heatmap->matrix.columns;
    double number = letters + (heatmap->matrix.blank ? 2 : 1); /* a star in front */
    double left = heatmap->labels_left ? heatmap->rows.extent + 1 : 0;
    double room = canvas->metrics.most > 0 ? canvas->metrics.most : INFINITY;
    room -= left + sums_width(heatmap, canvas);
    bool fits = columns * number <= room;
    heatmap->numbers = heatmap->annotate == ANNOTATE_ALWAYS ||
                       (heatmap->annotate == ANNOTATE_WHERE_ROOM && fits);
    heatmap->cell_height = 1;
    heatmap->cell_width = 2;
    if (!heatmap->numbers && canvas->metrics.colors && 2 * columns > room &&
        columns <= room)
        heatmap->cell_width = 1;
    if (heatmap->numbers) heatmap->cell_width = number;
    if (heatmap->numbers && label + 1 > number && columns * (label + 1) <= room)
        heatmap->cell_width = label + 1;
    if (heatmap->cell_fixed > 0) heatmap->cell_width = heatmap->cell_fixed;
}

/* A cell is wider than high, as numbers are; with many columns and few rows it may be
 * higher, so that there is room for the labels of rows. */
static void size_cells_picture(Heatmap *heatmap, Canvas *canvas, int letters) {
    double least = fmax(NUMBER_LEAST, 4 + letters * canvas->metrics.letter * 0.68);
    if (heatmap->matrix.blank) least = fmax(least, WRITTEN_WIDTH);
    double across = floor(heatmap->room_across / heatmap->matrix.columns);
    double width = fmin(fmax(across, 1), CELL_MOST);
    heatmap->numbers = heatmap->annotate == ANNOTATE_ALWAYS ||
                       (heatmap->annotate == ANNOTATE_WHERE_ROOM && width >= least);
    width = heatmap->numbers ? fmax(width, ceil(least)) : fmin(width, BLANK_MOST);
    if (names_all(&heatmap->matrix, true)) width = fmax(width, NAMED_WIDTH);
    double down = floor(heatmap->room_down / heatmap->matrix.rows);
    double height = fmin(floor(0.75 * width), fmax(down, 1));
    if (heatmap->numbers) height = fmax(height, NUMBER_LEAST * 0.75);
    if (width < NUMBER_LEAST) height = fmin(fmax(down, 1), fmax(width, 18));
    if (heatmap->matrix.blank) height = fmax(height, WRITTEN_HEIGHT);
    if (names_all(&heatmap->matrix, false)) height = fmax(height, NAMED_HEIGHT);
    heatmap->cell_width = width;
    heatmap->cell_height = height;
    double fitting = (width - 4) / (letters * canvas->metrics.letter);
    heatmap->number_size = fmin(number_most, floor(fitting * 20) / 20);
}

static void plan_labels(Heatmap *heatmap, Canvas *canvas, Arena *arena) {
    const Matrix *matrix = &heatmap->matrix;
    bool grid = canvas->metrics.characters;
    int cells = grid ? LABEL_MOST_GRID : LABEL_MOST;
    if (grid && canvas->metrics.most > 0)
        cells = (int)fmax(fmin(cells, canvas->metrics.most / 4), 3);
    const char **rows =
        labels_cut(matrix_labels(matrix, false, arena), matrix->rows, cells, arena);
    const char **columns =
        labels_cut(matrix_labels(matrix, true, arena), matrix->columns,
                   heatmap->label_most ? heatmap->label_most : cells, arena);
    bool words = matrix_axis(matrix, true)->labels != NULL;
    double label = widest_label(canvas, columns, matrix->columns);
    int letters = number_letters(heatmap, arena);
    heatmap->rows = labels_down(canvas, rows, matrix->rows, 1);
    if (grid)
        size_cells_grid(heatmap, canvas, letters, label);
    else
        size_cells_picture(heatmap, canvas, letters);
    heatmap->rows = labels_down(canvas, rows, matrix->rows, heatmap->cell_height);
    heatmap->columns = labels_across(canvas, columns, matrix->columns,
                                     heatmap->cell_width, words, false);
    if (!grid) return;
    if (heatmap->columns.style.angle == 0 && heatmap->numbers)
        heatmap->columns.style.align = ALIGN_END;
    if (heatmap->columns.style.angle == 0) return;
    columns = labels_shorten(columns, matrix->columns, STACK_MOST, arena);
    heatmap->columns = labels_across(canvas, columns, matrix->columns,
                                     heatmap->cell_width, words, false);
}

/* What a sloping first label needs left of its cell. */
static double overhang(const Heatmap *heatmap, Canvas *canvas) {
    const Labels *labels = &heatmap->columns;
    if (!labels->hang || !heatmap->labels_above) return 0;
    double most = 0;
    for (int i = 0; i < labels->count; i++)
        most = fmax(most, canvas->measure(canvas, labels->style, labels->text[i]) *
                                  labels->hang -
                              (i + 0.5) * labels->pitch);
    return most;
}

const char *heatmap_title(const Matrix *matrix, Canvas *canvas, bool columns,
                          double room) {
    const char *title = matrix_axis_title(matrix, columns);
    const Axis *axis = matrix_axis(matrix, columns);
    Style style = {.bold = true};
    return axis && canvas->measure(canvas, style, title) > room ? axis->name : title;
}

const char *heatmap_titles(const Matrix *matrix, Canvas *canvas, Arena *arena) {
    const Axis *down = matrix_axis(matrix, false);
    const Axis *across = matrix_axis(matrix, true);
    if (!down) return arena_print(arena, "%s →", across->name);
    double most = canvas->metrics.most;
    const char *titles =
        arena_print(arena, "%s ↓   %s →", matrix_axis_title(matrix, false),
                    matrix_axis_title(matrix, true));
    if (most <= 0 || canvas->measure(canvas, (Style){0}, titles) <= most) return titles;
    return arena_print(arena, "%s ↓   %s →", down->name, across->name);
}

/* How wide the title is, and in a grid the line with the names of the axes. */
static double words_width(const Heatmap *heatmap, Canvas *canvas, Arena *arena) {
    double width = 0;
    double most = canvas->metrics.most;
    bool grid = canvas->metrics.characters;
    if (*heatmap->title)
        width = canvas->measure(canvas, (Style){.bold = true}, heatmap->title) +
                (grid ? 0 : heatmap->left);
    if (grid && heatmap->titles)
        width = fmax(width,
                     canvas->measure(canvas, (Style){0},
                                     heatmap_titles(&heatmap->matrix, canvas, arena)));
    return most > 0 ? fmin(width, most) : width;
}

void heatmap_plan(Heatmap *heatmap, Canvas *canvas, Arena *arena) {
    const Metrics *metrics = &canvas->metrics;
    plan_labels(heatmap, canvas, arena);
    bool grid = metrics->characters;
    heatmap->left = 0;
    if (heatmap->labels_left && heatmap->matrix.row_axis >= 0) {
        heatmap->left = heatmap->rows.extent + metrics->gap;
        if (!grid && heatmap->titles) heatmap->left += metrics->line + metrics->gap / 2;
    }
    heatmap->left = fmax(heatmap->left, ceil(overhang(heatmap, canvas)));
    heatmap->top = *heatmap->title ? metrics->line : 0;
    if (heatmap->titles) heatmap->top += metrics->line + (grid ? 0 : 4);
    if (heatmap->labels_above) heatmap->top += heatmap->columns.extent + (grid ? 0 : 4);
    heatmap->left = ceil(heatmap->left);
    heatmap->top = ceil(heatmap->top);
    heatmap->width = heatmap->left + heatmap->matrix.columns * heatmap->cell_width +
                     sums_width(heatmap, canvas);
    heatmap->width = fmax(heatmap->width, words_width(heatmap, canvas, arena));
    heatmap->height = heatmap->top + heatmap->matrix.rows * heatmap->cell_height;
}
