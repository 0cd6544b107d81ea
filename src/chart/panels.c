#include "chart/panels.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "base/interrupt.h"
#include "base/language.h"

/* Maximum pixels for the cells of one heatmap, and for those of all panels together. */
enum { ONE_ACROSS = 768, ONE_DOWN = 600, ALL_ACROSS = 1240, ALL_DOWN = 900 };
enum { PANEL_CELL_MAX = 32, BAR_GAP = 22, PANEL_GAP = 14 };
/* Limits for a tensor in a terminal. */
enum { ROWS_MAX = 100, BLOCKS_MAX = 8 };

/* Do all matrices have the same words along an axis? */
static bool is_same_axis(const Matrix *matrix, int count, bool columns, Arena *arena) {
    const char **words = matrix_labels(&matrix[0], columns, arena);
    int length = columns ? matrix->columns : matrix->rows;
    for (int i = 1; i < count; i++) {
        if ((columns ? matrix[i].columns : matrix[i].rows) != length) return false;
        const char **other = matrix_labels(&matrix[i], columns, arena);
        for (int k = 0; k < length; k++)
            if (strcmp(words[k], other[k]) != 0) return false;
    }
    return true;
}

static bool all_titles_same(const Matrix *matrix, int count) {
    for (int i = 1; i < count; i++)
        for (int columns = 0; columns < 2; columns++)
            if (strcmp(matrix_axis_title(&matrix[0], columns),
                       matrix_axis_title(&matrix[i], columns)) != 0)
                return false;
    return true;
}

/* Make the page nearly square, if possible without a gap in the last row. */
static int choose_per_row(const Matrix *matrix, int count) {
    double aspect = (double)matrix->rows / matrix->columns;
    double side = sqrt(count * fmin(fmax(aspect, 0.1), 4));
    int min = (int)fmin(fmax(ceil(side - 1e-9), 1), count);
    for (int per_row = min; per_row <= 2 * side && per_row <= count; per_row++)
        if (count % per_row == 0) return per_row;
    return min;
}

static void plan_heatmaps(Panels *panels, bool same, Canvas *canvas) {
    bool grid = canvas->metrics.characters;
    assert(panels->per_row > 0 && panels->count > 0);
    bool one = panels->count == 1;
    int down = 1 + (panels->count - 1) / panels->per_row;
    int across = one ? ONE_ACROSS : ALL_ACROSS / panels->per_row;
    int room_down = one ? ONE_DOWN : ALL_DOWN / down;
    for (int i = 0; i < panels->count; i++) {
        Heatmap *heatmap = &panels->heatmap[i];
        heatmap->labels_left = !same || i % panels->per_row == 0;
        heatmap->labels_above = !same || grid || i < panels->per_row;
        heatmap->titles = !panels->titled && !panels->is_compact;
        int max = one ? ONE_ACROSS : PANEL_CELL_MAX * heatmap->matrix.columns;
        heatmap->room_across = across < max ? across : max;
        heatmap->room_down = room_down;
        heatmap_plan(heatmap, canvas);
    }
}

/* For a terminal: how many panels are side by side, at most `wished`; 0: as many as
 * fit. */
static int per_row_in_grid(const Panels *panels, int requested, bool same,
                           const Canvas *canvas) {
    double max = canvas->metrics.max;
    double left = same ? panels->heatmap[0].left : 0;
    double each = 1;
    for (int i = 0; i < panels->count; i++)
        each = fmax(each, panels->heatmap[i].width -
                              (panels->heatmap[i].labels_left ? left : 0));
    int fits = (int)((max - left + 2) / (each + 2));
    if (fits < 1) return 1;
    if (requested) return fits < requested ? fits : requested;
    int rows = (panels->count + fits - 1) / fits; /* few rows, of equal length */
    return (panels->count + rows - 1) / rows;
}

/* Return "Left out: key 80 to 99; choose them with [key=80:90]." */
static const char *left_out(const char *axis, int from, int to, int step,
                            Arena *arena) {
    return trf(arena, "Left out: %s %d to %d; choose them with [%s=%d:%d].", axis, from,
               to - 1, axis, from, from + step < to ? from + step : to);
}

/* For a terminal: cut each matrix into blocks of columns that fit, one below the other.
 * All blocks look like the first matrix, and the last block of each has the sums. */
static void cut_into_blocks(Panels *panels, bool whole, const Canvas *canvas) {
    const Heatmap *first = &panels->heatmap[0];
    double beside = first->width - first->matrix.columns * first->cell_width;
    int fits = (int)fmax((canvas->metrics.max - beside) / first->cell_width, 1);
    int parts = (first->matrix.columns + fits - 1) / fits;
    int each = (first->matrix.columns + parts - 1) / parts; /* all of the same width */
    Heatmap *blocks = NULL;
    int count = 0;
    int capacity = 0;
    for (int i = 0; i < panels->count; i++) {
        const Heatmap *heatmap = &panels->heatmap[i];
        const Matrix *matrix = &heatmap->matrix;
        int columns = matrix->columns;
        int shown = whole || columns < BLOCKS_MAX * each ? columns : BLOCKS_MAX * each;
        for (int from = 0; from < shown; from += each) {
            int to = from + each < columns ? from + each : columns;
            ARENA_GROW(canvas->arena, blocks, count, capacity);
            Heatmap *block = &blocks[count++];
            *block = *heatmap;
            block->row_sums = heatmap->row_sums && to == columns;
            block->cell_fixed = first->cell_width;
            block->annotate = first->numbers ? ANNOTATE_ALWAYS : ANNOTATE_NEVER;
            block->matrix = matrix_part(matrix, from, to);
        }
        int before = matrix->slice.from[matrix->column_axis];
        if (shown < columns)
            panels->note = left_out(matrix_axis(matrix, true)->name, before + shown,
                                    before + columns, BLOCKS_MAX * each, canvas->arena);
    }
    panels->heatmap = blocks;
    panels->count = count;
    panels->per_row = 1;
}

/* A column is as wide as its widest panel, and a row as high as its highest. */
static void place_panels(Panels *panels, bool grid, Arena *arena) {
    double gap = grid ? 2 : PANEL_GAP;
    double *width = ARENA_ARRAY(arena, double, panels->per_row);
    for (int i = 0; i < panels->count; i++) {
        double *widest = &width[i % panels->per_row];
        *widest = fmax(*widest, panels->heatmap[i].width);
    }
    panels->at = ARENA_ARRAY(arena, Point, panels->count);
    double y = panels->top;
    for (int row = 0; row < panels->count; row += panels->per_row) {
        double x = panels->left;
        double highest = 0;
        for (int i = row; i < row + panels->per_row && i < panels->count; i++) {
            panels->at[i] = (Point){x, y};
            x += width[i - row] + gap;
            highest = fmax(highest, panels->heatmap[i].height);
        }
        panels->width = fmax(panels->width, x - gap);
        panels->height = y + highest;
        y = panels->height + (grid ? 1 : gap);
    }
}

static void place_bar(Panels *panels, const Scale *scale, Canvas *canvas) {
    double top = panels->top + (panels->titled ? 0 : panels->heatmap[0].top);
    panels->bar = color_bar_plan(scale, canvas, panels->height - top);
    if (canvas->metrics.characters) {
        panels->bar_at = (Point){0, panels->height + 1};
        panels->width = fmax(panels->width, panels->bar.width);
        panels->height += 1 + panels->bar.height;
        return;
    }
    /* If a bar is longer than the cells, align its end with theirs; its start is then
     * beside the labels above. */
    top = fmax(fmin(top, panels->height - panels->bar.strip), panels->bar.beyond);
    panels->bar_at = (Point){panels->width + BAR_GAP, top};
    panels->width += BAR_GAP + panels->bar.width;
    panels->height = fmax(panels->height, top + panels->bar.height);
}

Panels panels_plan(const PanelsOptions *options, Canvas *canvas) {
    assert(options->count > 0);
    const Metrics *metrics = &canvas->metrics;
    const Matrix *matrix = options->matrix;
    Arena *arena = canvas->arena;
    bool grid = metrics->characters;
    Panels panels = {
        .heatmap = ARENA_ARRAY(arena, Heatmap, options->count),
        .count = options->count,
        .per_row = options->per_row ? options->per_row
                                    : choose_per_row(matrix, options->count),
        .titled = options->count > 1 && all_titles_same(matrix, options->count),
        .is_compact = grid && options->is_compact};
    for (int i = 0; i < options->count; i++) {
        Heatmap *heatmap = &panels.heatmap[i];
        /* The sums include all columns of the tensor. */
        Matrix summed = matrix[i];
        const int across = summed.column_axis;
        summed.slice.from[across] = 0;
        summed.columns = summed.slice.to[across] =
            summed.slice.tensor->axis[across].size;
        *heatmap = (Heatmap){.matrix = matrix[i],
                             .scale = options->scale,
                             .title = options->title[i],
                             .annotate = options->annotate,
                             .row_sums = options->row_sums,
                             .rows_shown = options->rows_shown,
                             .summed = summed,
                             .dots = panels.is_compact};
        if (panels.is_compact) { /* small cells, cut numbers, labels on one line */
            enum { CELL_MIN = 6, CELL_MAX = 10, LABEL = 17, SUMS = 8 };
            const double room = metrics->max > 0 ? metrics->max : INFINITY;
            const double beside = LABEL + (heatmap->row_sums ? SUMS : 0);
            const double each = floor((room - beside) / heatmap->matrix.columns);
            heatmap->annotate = ANNOTATE_ALWAYS;
            heatmap->cell_fixed = fmin(fmax(each, CELL_MIN), CELL_MAX);
            heatmap->label_max = (int)heatmap->cell_fixed - 1;
        }
        if (!grid || options->whole || matrix[i].rows <= ROWS_MAX) continue;
        int axis = matrix[i].row_axis;
        int from = matrix[i].slice.from[axis] + ROWS_MAX;
        panels.note = left_out(matrix_axis(&matrix[i], false)->name, from,
                               matrix[i].slice.to[axis], ROWS_MAX, arena);
        heatmap->matrix.slice.to[axis] = from;
        heatmap->matrix.rows = ROWS_MAX;
    }
    if (panels.titled) { /* room for the names of the axes, the same for all */
        panels.left = grid ? 0 : metrics->line + metrics->gap / 2;
        panels.top = metrics->line + (grid ? 0 : metrics->gap / 2);
        if (grid)
            panels.width =
                canvas->measure(canvas, (Style){0}, heatmap_titles(matrix, canvas));
    }
    bool same = is_same_axis(matrix, options->count, true, arena) &&
                is_same_axis(matrix, options->count, false, arena);
    if (grid) {
        double max = canvas->metrics.max;
        plan_heatmaps(&panels, same, canvas);
        if (max > 0 && panels.heatmap[0].width > max) {
            cut_into_blocks(&panels, options->whole, canvas);
            same = false;
        } else if (max > 0 && panels.count > 1) {
            panels.per_row = per_row_in_grid(&panels, options->per_row, same, canvas);
        }
        plan_heatmaps(&panels, same, canvas);
    } else
        plan_heatmaps(&panels, same, canvas);
    place_panels(&panels, grid, arena);
    panels.cells_end = panels.height;
    if (!panels.is_compact) place_bar(&panels, options->scale, canvas);
    return panels;
}

void panels_draw(const Panels *panels, Canvas *canvas, Point at) {
    const Heatmap *first = &panels->heatmap[0];
    if (panels->titled && canvas->metrics.characters) {
        canvas->text(canvas, at, (Style){.faint = true},
                     heatmap_titles(&first->matrix, canvas));
    } else if (panels->titled) {
        /* Center the titles on the cells, from the first panel's to the last one's. */
        double left = panels->left + first->left;
        double top = panels->top + first->top;
        heatmap_draw_titles(&first->matrix, canvas, at,
                            (Box){left, top, panels->bar_at.x - BAR_GAP - left,
                                  panels->cells_end - top},
                            true);
    }
    for (int i = 0; i < panels->count && !interrupt_signal(); i++)
        heatmap_draw(&panels->heatmap[i], canvas,
                     (Point){at.x + panels->at[i].x, at.y + panels->at[i].y});
    if (panels->is_compact) return;
    color_bar_draw(&panels->bar, canvas,
                   (Point){at.x + panels->bar_at.x, at.y + panels->bar_at.y});
}
