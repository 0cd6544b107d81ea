#include "chart/heatmap.h"

#include <math.h>
#include <string.h>

#include "base/interrupt.h"
#include "base/language.h"
#include "chart/matrix.h"

/* Pixels: the largest and smallest cell with a number, and the largest without one. */
enum { CELL_MAX = 56, NUMBER_MIN = 24, BLANK_MAX = 40 };
/* Labels are cut to this many cells; vertical ones in a grid to this many letters. */
enum { LABEL_MAX = 24, LABEL_MOST_GRID = 16, STACK_MAX = 8 };

/* Size of a worksheet cell, for handwriting. */
enum { WRITTEN_WIDTH = 44, WRITTEN_HEIGHT = 30 };

/* Words are not omitted: up to this number of words, cells are large enough for all. */
enum { NAMED_MAX = 200, NAMED_HEIGHT = 15, NAMED_WIDTH = 16 };

/* How far the title of the columns may extend beyond the cells. */
enum { OVERHANG = 20 };

/* Cells of at least this size have gaps between them. */
enum { GAP_MIN = 12 };

static const double number_max = 0.95;

static bool names_all(const Matrix *matrix, bool columns) {
    const Axis *axis = matrix_axis(matrix, columns);
    int count = columns ? matrix->columns : matrix->rows;
    return axis && axis->labels && count <= NAMED_MAX;
}

static double sums_width(const Heatmap *heatmap, const Canvas *canvas) {
    return heatmap->row_sums ? 6 * canvas->metrics.letter + canvas->metrics.gap : 0;
}

/* Show numbers if they fit; else two cells for a value, or one if it has a color. */
static void size_cells_grid(Heatmap *heatmap, const Canvas *canvas, int letters,
                            double label) {
    int columns = heatmap->matrix.columns;
    double number = letters + (heatmap->matrix.blank ? 2 : 1); /* with a star */
    double left = heatmap->labels_left ? heatmap->rows.extent + 1 : 0;
    double room = canvas->metrics.max > 0 ? canvas->metrics.max : INFINITY;
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

/* A cell is wider than high, like numbers. With many columns and few rows it may be
 * higher, to make room for the row labels. */
static void size_cells_picture(Heatmap *heatmap, Canvas *canvas, int letters) {
    double growth = canvas_growth(canvas);
    double times = canvas->metrics.room == ROOM_SHORT ? 1 : growth;
    double min =
        fmax(NUMBER_MIN * times, 4 * times + letters * canvas->metrics.letter * 0.68);
    if (heatmap->matrix.blank) min = fmax(min, WRITTEN_WIDTH);
    double across = floor(heatmap->room_across / heatmap->matrix.columns);
    double width = fmin(fmax(across, 1), CELL_MAX);
    heatmap->numbers =
        heatmap->annotate == ANNOTATE_ALWAYS ||
        (heatmap->annotate == ANNOTATE_WHERE_ROOM && width * times >= min);
    width = heatmap->numbers ? fmax(width, ceil(min)) : fmin(width, BLANK_MAX);
    if (names_all(&heatmap->matrix, true)) width = fmax(width, NAMED_WIDTH * times);
    double down = floor(heatmap->room_down / heatmap->matrix.rows);
    double height = fmin(floor(0.75 * width), fmax(down, 1));
    if (heatmap->numbers) height = fmax(height, NUMBER_MIN * 0.75 * growth);
    if (width < NUMBER_MIN) height = fmin(fmax(down, 1), fmax(width, 18));
    if (heatmap->matrix.blank) height = fmax(height, WRITTEN_HEIGHT);
    if (names_all(&heatmap->matrix, false))
        height = fmax(height, NAMED_HEIGHT * growth);
    heatmap->cell_width = width;
    heatmap->cell_height = height;
    double fitting = (width - 4) / (letters * canvas->metrics.letter);
    heatmap->number_size = fmin(number_max, floor(fitting * 20) / 20);
}

static void plan_labels(Heatmap *heatmap, Canvas *canvas) {
    const Matrix *matrix = &heatmap->matrix;
    const Scale *scale = heatmap->scale;
    Arena *arena = canvas->arena;
    bool grid = canvas->metrics.characters;
    int cells = grid ? LABEL_MOST_GRID : LABEL_MAX;
    if (grid && canvas->metrics.max > 0)
        cells = (int)fmax(fmin(cells, canvas->metrics.max / 4), 3);
    const char **rows =
        labels_cut(matrix_labels(matrix, false, arena), matrix->rows, cells, arena);
    const char **columns =
        labels_cut(matrix_labels(matrix, true, arena), matrix->columns,
                   heatmap->label_max ? heatmap->label_max : cells, arena);
    /* The width of the longest number in the cells. For a logarithmic scale that is a
     * small number with two digits. */
    const double number[] = {scale->min, scale->max, scale->lowest, scale->highest,
                             scale->logarithmic ? 1.2 * scale->lowest : 0};
    int letters = 0;
    for (size_t n = 0; n < sizeof number / sizeof *number; n++)
        letters =
            (int)fmax(letters, (double)strlen(scale_number(scale, number[n], arena)));
    heatmap->rows = labels_down(canvas, rows, matrix->rows, 1);
    if (grid)
        size_cells_grid(heatmap, canvas, letters,
                        canvas_widest(canvas, (Style){0}, columns, matrix->columns));
    else
        size_cells_picture(heatmap, canvas, letters);
    bool words = matrix_axis(matrix, true)->labels != NULL;
    Labels *across = &heatmap->columns;
    heatmap->rows = labels_down(canvas, rows, matrix->rows, heatmap->cell_height);
    *across = labels_across(canvas, columns, matrix->columns, heatmap->cell_width,
                            words, false);
    if (grid && across->style.angle != 0)
        *across = labels_across(
            canvas, labels_shorten(columns, matrix->columns, STACK_MAX, arena),
            matrix->columns, heatmap->cell_width, words, false);
    else if (grid && heatmap->numbers)
        across->style.align = ALIGN_END;
}

/* Return the title of an axis, or only its name if `room` is too short. */
static const char *heatmap_title(const Matrix *matrix, Canvas *canvas, bool columns,
                                 double room) {
    const char *title = matrix_axis_title(matrix, columns);
    const Axis *axis = matrix_axis(matrix, columns);
    Style style = {.bold = true};
    return axis && canvas->measure(canvas, style, title) > room ? axis->name : title;
}

const char *heatmap_titles(const Matrix *matrix, Canvas *canvas) {
    Arena *arena = canvas->arena;
    const Axis *down = matrix_axis(matrix, false);
    const Axis *across = matrix_axis(matrix, true);
    if (!down) return arena_print(arena, "%s →", across->name);
    double max = canvas->metrics.max;
    const char *titles =
        arena_print(arena, "%s ↓   %s →", matrix_axis_title(matrix, false),
                    matrix_axis_title(matrix, true));
    if (max <= 0 || canvas->measure(canvas, (Style){0}, titles) <= max) return titles;
    return arena_print(arena, "%s ↓   %s →", down->name, across->name);
}

void heatmap_plan(Heatmap *heatmap, Canvas *canvas) {
    const Metrics *metrics = &canvas->metrics;
    plan_labels(heatmap, canvas);
    bool grid = metrics->characters;
    double left = 0;
    if (heatmap->labels_left && heatmap->matrix.row_axis >= 0) {
        left = heatmap->rows.extent + metrics->gap;
        if (!grid && heatmap->titles) left += metrics->line + metrics->gap / 2;
    }
    /* The space that a sloping first label needs to the left of its cell. */
    const Labels *labels = &heatmap->columns;
    for (int i = 0; labels->hang && heatmap->labels_above && i < labels->count; i++)
        left = fmax(left, ceil(canvas->measure(canvas, labels->style, labels->text[i]) *
                                   labels->hang -
                               (i + 0.5) * labels->pitch));
    double top = *heatmap->title ? metrics->line : 0;
    if (heatmap->titles) top += metrics->line + (grid ? 0 : 4);
    if (heatmap->labels_above) top += labels->extent + (grid ? 0 : 4);
    heatmap->left = ceil(left);
    heatmap->top = ceil(top);
    /* For the title, and in a grid for the line with the names of the axes. */
    double words = 0;
    if (*heatmap->title)
        words = canvas->measure(canvas, (Style){.bold = true}, heatmap->title) +
                (grid ? 0 : heatmap->left);
    if (grid && heatmap->titles)
        words = fmax(words, canvas->measure(canvas, (Style){0},
                                            heatmap_titles(&heatmap->matrix, canvas)));
    if (metrics->max > 0) words = fmin(words, metrics->max);
    double cells = heatmap->matrix.columns * heatmap->cell_width;
    if (!grid && heatmap->titles) { /* a wide title over few cells */
        const Style bold = {.bold = true};
        const char *title = heatmap_title(&heatmap->matrix, canvas, true, cells);
        words = fmax(words, heatmap->left - OVERHANG / canvas_growth(canvas) +
                                (cells + canvas->measure(canvas, bold, title)) / 2);
    }
    heatmap->width = fmax(heatmap->left + cells + sums_width(heatmap, canvas), words);
    heatmap->height = heatmap->top + heatmap->matrix.rows * heatmap->cell_height;
}

/* Write in the middle of a cell; in a grid, at its end. */
static void write_cell(const Heatmap *heatmap, Canvas *canvas, Box box, Style style,
                       const char *text) {
    bool grid = canvas->metrics.characters;
    style.align = grid ? ALIGN_END : ALIGN_MIDDLE;
    style.size = heatmap->number_size;
    Point at = {box.x + (grid ? box.width : box.width / 2), box.y + box.height / 2};
    canvas->text(canvas, at, style, text);
}

/* Draw a cell of a worksheet: a white box with a frame; in text a line to write on, as
 * wide as a number. In the key it contains its number, in text after a star. */
static void draw_blank(const Heatmap *heatmap, Canvas *canvas, Box box,
                       const char *number) {
    bool grid = canvas->metrics.characters;
    if (!grid) {
        Box frame = {box.x + 0.5, box.y + 0.5, box.width - 1, box.height - 1};
        canvas->fill(canvas, box, theme_color(canvas->theme, color_white));
        canvas_outline(canvas, frame, 0.5, (Stroke){.color = color_black, .width = 1});
    }
    if (number) {
        if (grid) number = arena_print(canvas->arena, "*%s", number);
        write_cell(heatmap, canvas, box, (Style){.bold = true}, number);
    } else if (grid) {
        const char *line = "";
        for (int i = 2; i < (int)box.width; i++)
            line = arena_print(canvas->arena, "%s_", line);
        canvas->text(canvas, (Point){box.x + box.width, box.y},
                     (Style){.align = ALIGN_END}, line);
    }
}

/* Draw one cell, or as many of one color as `box` is wide. */
static void draw_cell(const Heatmap *heatmap, Canvas *canvas, Box box, int row,
                      int column) {
    const Matrix *matrix = &heatmap->matrix;
    const Scale *scale = heatmap->scale;
    double value = matrix_value(matrix, row, column);
    int blank = worksheet_blank(matrix, row, column);
    bool colors = canvas->metrics.colors;
    if (matrix_is_hatched(matrix, row, column)) {
        canvas->hatch(canvas, box);
    } else if (blank != BLANK_NOT) {
        draw_blank(heatmap, canvas, box,
                   blank == BLANK_EMPTY ? NULL
                                        : scale_number(scale, value, canvas->arena));
    } else if (!scale_is_blank(scale, value)) {
        Color paper = scale_color(scale, scale_strength(scale, value));
        if (colors) canvas->fill(canvas, box, paper);
        if (heatmap->numbers)
            write_cell(heatmap, canvas, box,
                       (Style){.color = colors ? palette_ink(paper) : NULL},
                       scale_number(scale, value, canvas->arena));
        else if (!colors)
            canvas->text(canvas, (Point){box.x, box.y + box.height / 2}, (Style){0},
                         scale_shade(scale, value));
    } else if (heatmap->numbers || canvas->metrics.characters) {
        /* The color of the smallest value would suggest that 0 is near it. */
        write_cell(heatmap, canvas, box, (Style){.faint = true}, "0");
    }
}

/* Return which of 256 colors the cell has; -1: none. */
static int color_step(const Heatmap *heatmap, int row, int column) {
    const Matrix *matrix = &heatmap->matrix;
    double value = matrix_value(matrix, row, column);
    if (matrix_is_hatched(matrix, row, column) || scale_is_blank(heatmap->scale, value))
        return -1;
    return (int)floor(scale_strength(heatmap->scale, value) * 255 + 0.5);
}

static int rows_drawn(const Heatmap *heatmap) {
    int rows = heatmap->matrix.rows;
    return heatmap->rows_shown && heatmap->rows_shown < rows ? heatmap->rows_shown
                                                             : rows;
}

/* Sum the numbers; hatched cells count as 0. */
static void draw_sums(const Heatmap *heatmap, Canvas *canvas, Point at) {
    const Metrics *metrics = &canvas->metrics;
    const Matrix *matrix = &heatmap->summed;
    double x = at.x + heatmap->matrix.columns * heatmap->cell_width +
               6 * metrics->letter + metrics->gap;
    Style style = {.align = ALIGN_END, .faint = true};
    canvas->text(canvas, (Point){x, at.y - metrics->line / 2}, style, tr("sum"));
    for (int row = 0; row < rows_drawn(heatmap); row += heatmap->rows.step) {
        double sum = 0;
        for (int column = 0; column < matrix->columns; column++)
            if (!matrix_is_hatched(matrix, row, column))
                sum += matrix_value(matrix, row, column);
        canvas->text(canvas, (Point){x, at.y + (row + 0.5) * heatmap->cell_height},
                     style, arena_print(canvas->arena, "%.2f", sum));
    }
}

void heatmap_draw_titles(const Matrix *matrix, Canvas *canvas, Point at, Box cells,
                         bool beside) {
    double half = canvas->metrics.line / 2;
    Style style = {.align = ALIGN_MIDDLE, .bold = true};
    Point over = {at.x + cells.x + cells.width / 2, at.y + half};
    canvas->text(canvas, over, style, heatmap_title(matrix, canvas, true, cells.width));
    if (!beside) return;
    style.angle = 90;
    Point left = {at.x + half, at.y + cells.y + cells.height / 2};
    canvas->text(canvas, left, style,
                 heatmap_title(matrix, canvas, false, cells.height));
}

/* Merge small cells of one color in a row into one box, to keep pictures of thousands
 * of cells small. */
static void draw_cells(const Heatmap *heatmap, Canvas *canvas, Point at) {
    bool grid = canvas->metrics.characters;
    bool apart =
        !grid && heatmap->cell_width >= GAP_MIN && heatmap->cell_height >= GAP_MIN;
    int columns = heatmap->matrix.columns;
    int rows = rows_drawn(heatmap);
    for (int row = 0; row < rows && !interrupt_signal(); row++)
        for (int column = 0, run = 1; column < columns; column += run) {
            int color = grid || apart ? -1 : color_step(heatmap, row, column);
            run = 1;
            while (color >= 0 && column + run < columns &&
                   color_step(heatmap, row, column + run) == color)
                run++;
            Box same = {
                at.x + column * heatmap->cell_width, at.y + row * heatmap->cell_height,
                run * heatmap->cell_width - apart, heatmap->cell_height - apart};
            draw_cell(heatmap, canvas, same, row, column);
        }
}

/* Draw a bracket in a grid, readable on the color of its cell. */
static void draw_bracket(const Heatmap *heatmap, Canvas *canvas, Point at, int row,
                         int column, const char *bracket) {
    const Matrix *matrix = &heatmap->matrix;
    const Scale *scale = heatmap->scale;
    Style style = {.align = ALIGN_END, .bold = true};
    Color paper;
    if (canvas->metrics.colors && column < matrix->columns &&
        !matrix_is_hatched(matrix, row, column) &&
        !scale_is_blank(scale, matrix_value(matrix, row, column))) {
        paper = scale_color(scale,
                            scale_strength(scale, matrix_value(matrix, row, column)));
        style.color = palette_ink(paper);
    }
    canvas->text(canvas, at, style, bracket);
}

/* Draw a frame; in text, brackets around the number, in the space beside it. */
static void draw_mark(const Heatmap *heatmap, Canvas *canvas, Box box, int row,
                      int column) {
    if (canvas->metrics.characters) {
        double value = matrix_value(&heatmap->matrix, row, column);
        const char *number = scale_number(heatmap->scale, value, canvas->arena);
        bool numbers = heatmap->numbers;
        double wide =
            numbers ? canvas->measure(canvas, (Style){0}, number) : box.width - 2;
        double y = box.y + box.height / 2;
        double end = box.x + box.width;
        draw_bracket(heatmap, canvas, (Point){end - wide - !numbers, y}, row, column,
                     "[");
        draw_bracket(heatmap, canvas, (Point){end + numbers, y}, row, column + numbers,
                     "]");
    } else {
        Box frame = {box.x - 1, box.y - 1, box.width + 1, box.height + 1};
        Color white = theme_color(canvas->theme, color_white);
        Color black = theme_color(canvas->theme, color_black);
        canvas_outline(canvas, frame, 1, (Stroke){.color = white, .width = 4});
        canvas_outline(canvas, frame, 1, (Stroke){.color = black, .width = 2});
    }
}

/* Write … on each side where columns are left out, in the space beside the numbers. */
static void draw_dots(const Heatmap *heatmap, Canvas *canvas, Point at) {
    const Matrix *matrix = &heatmap->matrix;
    const double end = at.x + matrix->columns * heatmap->cell_width;
    for (int row = 0; row < rows_drawn(heatmap); row++) {
        const double y = at.y + (row + 0.5) * heatmap->cell_height;
        if (matrix->slice.from[matrix->column_axis] > 0)
            draw_bracket(heatmap, canvas, (Point){at.x + 1, y}, row, 0, "…");
        if (matrix->slice.to[matrix->column_axis] < heatmap->summed.columns)
            draw_bracket(heatmap, canvas, (Point){end + 2, y}, row, matrix->columns,
                         "…");
    }
}

void heatmap_draw(const Heatmap *heatmap, Canvas *canvas, Point at) {
    const Metrics *metrics = &canvas->metrics;
    const Matrix *matrix = &heatmap->matrix;
    bool grid = metrics->characters;
    Box box = {at.x + heatmap->left, at.y + heatmap->top,
               matrix->columns * heatmap->cell_width,
               matrix->rows * heatmap->cell_height};
    Point cells = {box.x, box.y};
    Point over = {grid ? at.x : box.x, at.y + metrics->line / 2};
    double title = *heatmap->title ? metrics->line : 0;
    if (*heatmap->title)
        canvas->text(canvas, over, (Style){.bold = true}, heatmap->title);
    if (heatmap->titles && grid)
        canvas->text(canvas, (Point){at.x, at.y + title}, (Style){.faint = true},
                     heatmap_titles(matrix, canvas));
    if (heatmap->titles && !grid)
        heatmap_draw_titles(
            matrix, canvas, (Point){at.x, at.y + title},
            (Box){heatmap->left, heatmap->top - title, box.width, box.height},
            heatmap->labels_left);
    if (heatmap->labels_above) {
        /* Over the middle of the first cell, or over its number. */
        const Style *style = &heatmap->columns.style;
        bool ends = style->align == ALIGN_END && style->angle == 0;
        double first = ends ? heatmap->cell_width : heatmap->cell_width / 2;
        labels_draw_across(&heatmap->columns, canvas, (Point){box.x + first, box.y});
    }
    if (heatmap->labels_left && matrix->row_axis >= 0) {
        Labels labels = heatmap->rows;
        labels.count = (int)fmin(labels.count, rows_drawn(heatmap));
        labels_draw_down(
            &labels, canvas,
            (Point){box.x - metrics->gap, box.y + heatmap->cell_height / 2});
    }
    /* A frame separates cells that are nearly white from the paper. */
    if (!grid)
        canvas_outline(canvas, (Box){box.x - 0.5, box.y - 0.5, box.width, box.height},
                       0.5, (Stroke){.color = color_light, .width = 1});
    draw_cells(heatmap, canvas, cells);
    for (int row = 0; matrix->marked && row < rows_drawn(heatmap); row++)
        for (int column = 0; column < matrix->columns; column++)
            if (matrix_is_marked(matrix, row, column))
                draw_mark(heatmap, canvas,
                          (Box){cells.x + column * heatmap->cell_width,
                                cells.y + row * heatmap->cell_height,
                                heatmap->cell_width, heatmap->cell_height},
                          row, column);
    if (heatmap->row_sums) draw_sums(heatmap, canvas, cells);
    if (heatmap->dots) draw_dots(heatmap, canvas, cells);
    if (canvas->cells) canvas->cells(canvas, box, matrix->rows, matrix->columns);
}
