#include "view/heatmap.h"

#include <math.h>
#include <string.h>

/* Pixels. The largest and least cell with a number in it, the largest without one. */
enum { CELL_MOST = 56, NUMBER_LEAST = 24, BLANK_MOST = 40, GAP_LEAST = 12 };
/* Labels are cut to so many cells, and where they stand upright to so many letters. */
enum { LABEL_MOST = 24, LABEL_MOST_GRID = 16, STACK_MOST = 8 };

static const double number_most = 0.95;

static bool titled(const Heatmap *heatmap) {
    return heatmap->title && *heatmap->title;
}

/* The letters of the longest number in the cells. */
static int number_letters(const Heatmap *heatmap, Arena *arena) {
    const Scale *scale = heatmap->scale;
    size_t least = strlen(scale_number(scale, scale->least, arena));
    size_t most = strlen(scale_number(scale, scale->most, arena));
    return (int)(least > most ? least : most);
}

static double widest_label(Canvas *canvas, const char *const *labels, int count) {
    double most = 0;
    for (int i = 0; i < count; i++)
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
    double number = letters + 1;
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
    double across = floor(heatmap->room_across / heatmap->matrix.columns);
    double width = fmin(fmax(across, 1), CELL_MOST);
    heatmap->numbers = heatmap->annotate == ANNOTATE_ALWAYS ||
                       (heatmap->annotate == ANNOTATE_WHERE_ROOM && width >= least);
    width = heatmap->numbers ? fmax(width, ceil(least)) : fmin(width, BLANK_MOST);
    double down = floor(heatmap->room_down / heatmap->matrix.rows);
    double height = fmin(floor(0.75 * width), fmax(down, 1));
    if (heatmap->numbers) height = fmax(height, NUMBER_LEAST * 0.75);
    if (width < NUMBER_LEAST) height = fmin(fmax(down, 1), fmax(width, 18));
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
        labels_cut(matrix_labels(matrix, true, arena), matrix->columns, cells, arena);
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
    if (labels->style.angle != -30 || !heatmap->labels_above) return 0;
    double most = 0;
    for (int i = 0; i < labels->count; i++)
        most =
            fmax(most, canvas->measure(canvas, labels->style, labels->text[i]) * 0.87 -
                           (i + 0.5) * labels->pitch);
    return most;
}

/* The title of an axis, or only its name where the cells are few. */
static const char *title_within(const Heatmap *heatmap, Canvas *canvas, bool columns,
                                double room) {
    const char *title = matrix_axis_title(&heatmap->matrix, columns);
    const Axis *axis = matrix_axis(&heatmap->matrix, columns);
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
    heatmap->top = titled(heatmap) ? metrics->line : 0;
    if (heatmap->titles) heatmap->top += metrics->line + (grid ? 0 : 4);
    if (heatmap->labels_above) heatmap->top += heatmap->columns.extent + (grid ? 0 : 4);
    heatmap->left = ceil(heatmap->left);
    heatmap->top = ceil(heatmap->top);
    heatmap->width = heatmap->left + heatmap->matrix.columns * heatmap->cell_width +
                     sums_width(heatmap, canvas);
    if (titled(heatmap)) {
        double title = canvas->measure(canvas, (Style){.bold = true}, heatmap->title);
        heatmap->width = fmax(heatmap->width, title + (grid ? 0 : heatmap->left));
    }
    heatmap->height = heatmap->top + heatmap->matrix.rows * heatmap->cell_height;
}

static void draw_value(const Heatmap *heatmap, Canvas *canvas, Box box, double value,
                       Arena *arena) {
    const Scale *scale = heatmap->scale;
    Color paper = palette_color(scale->palette, scale_strength(scale, value));
    bool colors = canvas->metrics.colors;
    if (colors) canvas->fill(canvas, box, paper);
    if (!heatmap->numbers && !colors) {
        Point at = {box.x, box.y + box.height / 2};
        canvas->text(canvas, at, (Style){0}, scale_shade(scale, value));
    }
    if (!heatmap->numbers) return;
    bool grid = canvas->metrics.characters;
    Style style = {.color = colors ? palette_ink(paper) : NULL,
                   .align = grid ? ALIGN_END : ALIGN_MIDDLE,
                   .size = heatmap->number_size};
    Point at = {box.x + (grid ? box.width : box.width / 2), box.y + box.height / 2};
    canvas->text(canvas, at, style, scale_number(scale, value, arena));
}

/* How many cells from `column` on have the same colour: they are one box, which keeps
 * pictures of thousands of cells small. */
static int run_of_color(const Heatmap *heatmap, int row, int column) {
    const Matrix *matrix = &heatmap->matrix;
    double first = floor(
        scale_strength(heatmap->scale, matrix_value(matrix, row, column)) * 255 + 0.5);
    int end = column + 1;
    while (end < matrix->columns && !matrix_is_hatched(matrix, row, end) &&
           floor(scale_strength(heatmap->scale, matrix_value(matrix, row, end)) * 255 +
                 0.5) == first)
        end++;
    return end - column;
}

static void draw_cells(const Heatmap *heatmap, Canvas *canvas, Point at, Arena *arena) {
    const Matrix *matrix = &heatmap->matrix;
    bool grid = canvas->metrics.characters;
    bool apart =
        !grid && heatmap->cell_width >= GAP_LEAST && heatmap->cell_height >= GAP_LEAST;
    for (int row = 0; row < matrix->rows; row++)
        for (int column = 0, run = 1; column < matrix->columns; column += run) {
            bool hatched = matrix_is_hatched(matrix, row, column);
            bool joins = !grid && !apart && !hatched;
            run = joins ? run_of_color(heatmap, row, column) : 1;
            Box box = {at.x + column * heatmap->cell_width,
                       at.y + row * heatmap->cell_height,
                       run * heatmap->cell_width - apart, heatmap->cell_height - apart};
            if (hatched)
                canvas->hatch(canvas, box);
            else
                draw_value(heatmap, canvas, box, matrix_value(matrix, row, column),
                           arena);
        }
}

/* Over what can be summed: hatched cells count as nothing. */
static double row_sum(const Matrix *matrix, int row) {
    double sum = 0;
    for (int column = 0; column < matrix->columns; column++)
        if (!matrix_is_hatched(matrix, row, column))
            sum += matrix_value(matrix, row, column);
    return sum;
}

static void draw_sums(const Heatmap *heatmap, Canvas *canvas, Point at, Arena *arena) {
    const Metrics *metrics = &canvas->metrics;
    double x = at.x + heatmap->matrix.columns * heatmap->cell_width +
               6 * metrics->letter + metrics->gap;
    double half = metrics->line / 2;
    Style style = {.align = ALIGN_END, .faint = true};
    canvas->text(canvas, (Point){x, at.y - half}, style, "sum");
    for (int i = 0; i < heatmap->matrix.rows; i += heatmap->rows.step) {
        Point place = {x, at.y + (i + 0.5) * heatmap->cell_height};
        canvas->text(canvas, place, style,
                     arena_print(arena, "%.2f", row_sum(&heatmap->summed, i)));
    }
}

/* A frame keeps cells that are nearly white from running into the paper. */
static void draw_frame(const Heatmap *heatmap, Canvas *canvas, Point at) {
    double right = at.x + heatmap->matrix.columns * heatmap->cell_width - 0.5;
    double bottom = at.y + heatmap->matrix.rows * heatmap->cell_height - 0.5;
    Point corner[] = {{at.x - 0.5, at.y - 0.5},
                      {right, at.y - 0.5},
                      {right, bottom},
                      {at.x - 0.5, bottom},
                      {at.x - 0.5, at.y - 1}};
    canvas->line(canvas, corner, 5, (Stroke){.color = color_light, .width = 1});
}

static void draw_titles(const Heatmap *heatmap, Canvas *canvas, Point at) {
    double line = canvas->metrics.line;
    double across = heatmap->matrix.columns * heatmap->cell_width;
    double down = heatmap->matrix.rows * heatmap->cell_height;
    Style style = {.align = ALIGN_MIDDLE, .bold = true};
    Point over = {at.x + heatmap->left + across / 2, at.y + line / 2};
    canvas->text(canvas, over, style, title_within(heatmap, canvas, true, across));
    if (!heatmap->labels_left) return;
    style.angle = 90;
    double top = heatmap->top - (titled(heatmap) ? line : 0);
    Point beside = {at.x + line / 2, at.y + top + down / 2};
    canvas->text(canvas, beside, style, title_within(heatmap, canvas, false, down));
}

/* Where the first label stands: over the middle of its cell, or over its number. */
static double first_label(const Heatmap *heatmap) {
    bool ends = heatmap->columns.style.align == ALIGN_END;
    bool level = heatmap->columns.style.angle == 0;
    return ends && level ? heatmap->cell_width : heatmap->cell_width / 2;
}

void heatmap_draw(const Heatmap *heatmap, Canvas *canvas, Point at, Arena *arena) {
    const Metrics *metrics = &canvas->metrics;
    bool grid = metrics->characters;
    Point cells = {at.x + heatmap->left, at.y + heatmap->top};
    Point over = {grid ? at.x : cells.x, at.y + metrics->line / 2};
    if (titled(heatmap))
        canvas->text(canvas, over, (Style){.bold = true}, heatmap->title);
    Point titles = {at.x, at.y + (titled(heatmap) ? metrics->line : 0)};
    if (heatmap->titles && grid)
        canvas->text(canvas, titles, (Style){.faint = true},
                     heatmap_titles(&heatmap->matrix, canvas, arena));
    if (heatmap->titles && !grid) draw_titles(heatmap, canvas, titles);
    if (heatmap->labels_above)
        labels_draw_across(&heatmap->columns, canvas,
                           (Point){cells.x + first_label(heatmap), cells.y});
    if (heatmap->labels_left && heatmap->matrix.row_axis >= 0)
        labels_draw_down(
            &heatmap->rows, canvas,
            (Point){cells.x - metrics->gap, cells.y + heatmap->cell_height / 2});
    if (!grid) draw_frame(heatmap, canvas, cells);
    draw_cells(heatmap, canvas, cells, arena);
    if (heatmap->row_sums) draw_sums(heatmap, canvas, cells, arena);
}
