#include "base/language.h"
#include "view/heatmap.h"

#include <math.h>

#include "base/interrupt.h"
#include "view/palette.h"
#include "view/worksheet.h"

/* Pixels: from this size on cells stand apart. */
enum { GAP_LEAST = 12 };

/* Without a colour: that of the least would say that it is nearly that. */
static void draw_zero(const Heatmap *heatmap, Canvas *canvas, Box box) {
    bool grid = canvas->metrics.characters;
    Style style = {.align = grid ? ALIGN_END : ALIGN_MIDDLE,
                   .size = heatmap->number_size,
                   .faint = true};
    Point at = {box.x + (grid ? box.width : box.width / 2), box.y + box.height / 2};
    if (heatmap->numbers || grid) canvas->text(canvas, at, style, "0");
}

static void draw_value(const Heatmap *heatmap, Canvas *canvas, Box box, double value,
                       Arena *arena) {
    const Scale *scale = heatmap->scale;
    Color paper = scale_color(scale, scale_strength(scale, value));
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

/* A white box with a frame; in letters a line to write on, as wide as a number. */
static void draw_empty(Canvas *canvas, Box box, Arena *arena) {
    Point corner[] = {{box.x + 0.5, box.y + 0.5},
                      {box.x + box.width - 0.5, box.y + 0.5},
                      {box.x + box.width - 0.5, box.y + box.height - 0.5},
                      {box.x + 0.5, box.y + box.height - 0.5},
                      {box.x + 0.5, box.y}};
    if (!canvas->metrics.characters) {
        canvas->fill(canvas, box, theme_color(canvas->theme, color_white));
        canvas->line(canvas, corner, 5, (Stroke){.color = color_black, .width = 1});
        return;
    }
    const char *line = "";
    for (int i = 2; i < (int)box.width; i++) line = arena_print(arena, "%s_", line);
    canvas->text(canvas, (Point){box.x + box.width, box.y}, (Style){.align = ALIGN_END},
                 line);
}

/* A number that was empty in the worksheet: in its box, or in letters behind a star. */
static void draw_filled(const Heatmap *heatmap, Canvas *canvas, Box box, double value,
                        Arena *arena) {
    bool grid = canvas->metrics.characters;
    const char *number = scale_number(heatmap->scale, value, arena);
    if (!grid) draw_empty(canvas, box, arena);
    if (grid) number = arena_print(arena, "*%s", number);
    Style style = {.align = grid ? ALIGN_END : ALIGN_MIDDLE,
                   .size = heatmap->number_size,
                   .bold = true};
    Point at = {box.x + (grid ? box.width : box.width / 2), box.y + box.height / 2};
    canvas->text(canvas, at, style, number);
}

/* How many cells from `column` on have the same colour: they are one box, which keeps
 * pictures of thousands of cells small. */
static int run_of_color(const Heatmap *heatmap, int row, int column) {
    const Matrix *matrix = &heatmap->matrix;
    double first = floor(
        scale_strength(heatmap->scale, matrix_value(matrix, row, column)) * 255 + 0.5);
    int end = column + 1;
    while (end < matrix->columns && !matrix_is_hatched(matrix, row, end) &&
           !scale_is_blank(heatmap->scale, matrix_value(matrix, row, end)) &&
           floor(scale_strength(heatmap->scale, matrix_value(matrix, row, end)) * 255 +
                 0.5) == first)
        end++;
    return end - column;
}

/* One cell, or as many of one colour as `box` is wide. */
static void draw_cell(const Heatmap *heatmap, Canvas *canvas, Box box, int row,
                      int column, Arena *arena) {
    const Matrix *matrix = &heatmap->matrix;
    double value = matrix_value(matrix, row, column);
    int blank = worksheet_blank(matrix, row, column);
    if (matrix_is_hatched(matrix, row, column))
        canvas->hatch(canvas, box);
    else if (blank == BLANK_EMPTY)
        draw_empty(canvas, box, arena);
    else if (blank == BLANK_FILLED)
        draw_filled(heatmap, canvas, box, value, arena);
    else if (scale_is_blank(heatmap->scale, value))
        draw_zero(heatmap, canvas, box);
    else
        draw_value(heatmap, canvas, box, value, arena);
}

static int rows_drawn(const Heatmap *heatmap) {
    int rows = heatmap->matrix.rows;
    return heatmap->rows_shown && heatmap->rows_shown < rows ? heatmap->rows_shown
                                                             : rows;
}

static void draw_cells(const Heatmap *heatmap, Canvas *canvas, Point at, Arena *arena) {
    const Matrix *matrix = &heatmap->matrix;
    bool grid = canvas->metrics.characters;
    bool apart =
        !grid && heatmap->cell_width >= GAP_LEAST && heatmap->cell_height >= GAP_LEAST;
    int rows = rows_drawn(heatmap);
    for (int row = 0; row < rows && !interrupt_signal(); row++)
        for (int column = 0, run = 1; column < matrix->columns; column += run) {
            double value = matrix_value(matrix, row, column);
            bool joins = !grid && !apart && !matrix_is_hatched(matrix, row, column) &&
                         !scale_is_blank(heatmap->scale, value);
            run = joins ? run_of_color(heatmap, row, column) : 1;
            Box box = {at.x + column * heatmap->cell_width,
                       at.y + row * heatmap->cell_height,
                       run * heatmap->cell_width - apart, heatmap->cell_height - apart};
            draw_cell(heatmap, canvas, box, row, column, arena);
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
    canvas->text(canvas, (Point){x, at.y - half}, style, said("sum"));
    for (int i = 0; i < rows_drawn(heatmap); i += heatmap->rows.step) {
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
    canvas->text(canvas, over, style,
                 heatmap_title(&heatmap->matrix, canvas, true, across));
    if (!heatmap->labels_left) return;
    style.angle = 90;
    double top = heatmap->top - (*heatmap->title ? line : 0);
    Point beside = {at.x + line / 2, at.y + top + down / 2};
    canvas->text(canvas, beside, style,
                 heatmap_title(&heatmap->matrix, canvas, false, down));
}

/* Where the first label stands: over the middle of its cell, or over its number. */
static double first_label(const Heatmap *heatmap) {
    bool ends = heatmap->columns.style.align == ALIGN_END;
    bool level = heatmap->columns.style.angle == 0;
    return ends && level ? heatmap->cell_width : heatmap->cell_width / 2;
}

static void draw_row_labels(const Heatmap *heatmap, Canvas *canvas, Point at) {
    Labels labels = heatmap->rows;
    if (labels.count > rows_drawn(heatmap)) labels.count = rows_drawn(heatmap);
    labels_draw_down(
        &labels, canvas,
        (Point){at.x - canvas->metrics.gap, at.y + heatmap->cell_height / 2});
}

static void mark_cells(const Heatmap *heatmap, Canvas *canvas, Point at) {
    int rows = heatmap->matrix.rows;
    int columns = heatmap->matrix.columns;
    Box box = {at.x, at.y, columns * heatmap->cell_width, rows * heatmap->cell_height};
    canvas->cells(canvas, box, rows, columns);
}

void heatmap_draw(const Heatmap *heatmap, Canvas *canvas, Point at, Arena *arena) {
    const Metrics *metrics = &canvas->metrics;
    bool grid = metrics->characters;
    Point cells = {at.x + heatmap->left, at.y + heatmap->top};
    Point over = {grid ? at.x : cells.x, at.y + metrics->line / 2};
    if (*heatmap->title)
        canvas->text(canvas, over, (Style){.bold = true}, heatmap->title);
    Point titles = {at.x, at.y + (*heatmap->title ? metrics->line : 0)};
    if (heatmap->titles && grid)
        canvas->text(canvas, titles, (Style){.faint = true},
                     heatmap_titles(&heatmap->matrix, canvas, arena));
    if (heatmap->titles && !grid) draw_titles(heatmap, canvas, titles);
    if (heatmap->labels_above)
        labels_draw_across(&heatmap->columns, canvas,
                           (Point){cells.x + first_label(heatmap), cells.y});
    if (heatmap->labels_left && heatmap->matrix.row_axis >= 0)
        draw_row_labels(heatmap, canvas, cells);
    if (!grid) draw_frame(heatmap, canvas, cells);
    draw_cells(heatmap, canvas, cells, arena);
    if (heatmap->row_sums) draw_sums(heatmap, canvas, cells, arena);
    if (canvas->cells) mark_cells(heatmap, canvas, cells);
}
