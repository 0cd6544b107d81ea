#include "view/panels.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "base/interrupt.h"
#include "base/language.h"

/* Pixels for the cells of one heatmap, and for those of all panels together. */
enum { ONE_ACROSS = 768, ONE_DOWN = 600, ALL_ACROSS = 1240, ALL_DOWN = 900 };
enum { PANEL_CELL_MOST = 32, BAR_GAP = 22, PANEL_GAP = 14 };
/* Of a tensor in a terminal. */
enum { ROWS_MOST = 100, BLOCKS_MOST = 8 };

static bool same_labels(const Matrix *a, const Matrix *b, bool columns, Arena *arena) {
    int count = columns ? a->columns : a->rows;
    if (count != (columns ? b->columns : b->rows)) return false;
    const char **left = matrix_labels(a, columns, arena);
    const char **right = matrix_labels(b, columns, arena);
    for (int i = 0; i < count; i++)
        if (strcmp(left[i], right[i]) != 0) return false;
    return true;
}

static bool all_labels_same(const Matrix *matrix, int count, Arena *arena) {
    for (int i = 1; i < count; i++)
        if (!same_labels(&matrix[0], &matrix[i], true, arena) ||
            !same_labels(&matrix[0], &matrix[i], false, arena))
            return false;
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

/* Near a square on the page, without a gap in the last row if that can be. */
static int choose_per_row(const Matrix *matrix, int count) {
    double aspect = (double)matrix->rows / matrix->columns;
    double side = sqrt(count * fmin(fmax(aspect, 0.1), 4));
    int least = (int)fmin(fmax(ceil(side - 1e-9), 1), count);
    for (int per_row = least; per_row <= 2 * side && per_row <= count; per_row++)
        if (count % per_row == 0) return per_row;
    return least;
}

static void plan_heatmaps(Panels *panels, bool same, Canvas *canvas, Arena *arena) {
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
        heatmap->titles = !panels->titled;
        int most = one ? ONE_ACROSS : PANEL_CELL_MOST * heatmap->matrix.columns;
        heatmap->room_across = across < most ? across : most;
        heatmap->room_down = room_down;
        heatmap_plan(heatmap, canvas, arena);
    }
}

/* In a terminal: how many panels stand side by side, `wished` at most; 0: that fit. */
static int per_row_in_grid(const Panels *panels, int wished, bool same,
                           const Canvas *canvas) {
    double most = canvas->metrics.most;
    double left = same ? panels->heatmap[0].left : 0;
    double each = 1;
    for (int i = 0; i < panels->count; i++)
        each = fmax(each, panels->heatmap[i].width -
                              (panels->heatmap[i].labels_left ? left : 0));
    int fits = (int)((most - left + 2) / (each + 2));
    if (fits < 1) return 1;
    if (wished) return fits < wished ? fits : wished;
    int rows = (panels->count + fits - 1) / fits; /* as few, and all of one length */
    return (panels->count + rows - 1) / rows;
}

/* Blocks of columns being cut from matrices. */
typedef struct {
    Heatmap *block;
    int count, capacity;
    int fits;   /* columns in a block */
    bool whole; /* all of them, however many */
} Blocks;

/* Cut one matrix; the blocks look as `first` does, and the last has the sums. Returns
 * at which column it stopped. */
static int cut(Blocks *blocks, const Heatmap *heatmap, const Heatmap *first,
               Arena *arena) {
    int columns = heatmap->matrix.columns;
    int from = 0;
    for (int part = 0; from < columns; part++, from += blocks->fits) {
        if (part == BLOCKS_MOST && !blocks->whole) return from;
        int to = from + blocks->fits < columns ? from + blocks->fits : columns;
        ARENA_GROW(arena, blocks->block, blocks->count, blocks->capacity);
        Heatmap *block = &blocks->block[blocks->count++];
        *block = *heatmap;
        block->row_sums = heatmap->row_sums && to == columns;
        block->cell_fixed = first->cell_width;
        block->annotate = first->numbers ? ANNOTATE_ALWAYS : ANNOTATE_NEVER;
        block->matrix = matrix_part(&heatmap->matrix, from, to);
    }
    return columns;
}

/* "Left out: key 80 to 99; choose them with [key=80:90]." */
static const char *left_out(const char *axis, int from, int to, int step,
                            Arena *arena) {
    return say(arena, "Left out: %s %d to %d; choose them with [%s=%d:%d].", axis, from,
               to - 1, axis, from, from + step < to ? from + step : to);
}

/* In a terminal: cut each matrix into blocks of columns that fit, one under another. */
static void cut_into_blocks(Panels *panels, bool whole, Canvas *canvas, Arena *arena) {
    const Heatmap *first = &panels->heatmap[0];
    double beside = first->width - first->matrix.columns * first->cell_width;
    int fits = (int)fmax((canvas->metrics.most - beside) / first->cell_width, 1);
    int parts = (first->matrix.columns + fits - 1) / fits;
    Blocks blocks = {.whole = whole};
    blocks.fits = (first->matrix.columns + parts - 1) / parts; /* all of one width */
    for (int i = 0; i < panels->count; i++) {
        const Matrix *matrix = &panels->heatmap[i].matrix;
        int stop = cut(&blocks, &panels->heatmap[i], first, arena);
        int before = matrix->slice.from[matrix->column_axis];
        if (stop < matrix->columns)
            panels->note =
                left_out(matrix_axis(matrix, true)->name, before + stop,
                         before + matrix->columns, BLOCKS_MOST * blocks.fits, arena);
    }
    panels->heatmap = blocks.block;
    panels->count = blocks.count;
    panels->per_row = 1;
}

static void crop_rows(Panels *panels, int i, Arena *arena) {
    Matrix *matrix = &panels->heatmap[i].matrix;
    if (matrix->rows <= ROWS_MOST) return;
    int from = matrix->slice.from[matrix->row_axis] + ROWS_MOST;
    int to = matrix->slice.to[matrix->row_axis];
    panels->note =
        left_out(matrix_axis(matrix, false)->name, from, to, ROWS_MOST, arena);
    matrix->slice.to[matrix->row_axis] = from;
    matrix->rows = ROWS_MOST;
}

static void plan_grid(Panels *panels, const PanelsWish *wish, bool same, Canvas *canvas,
                      Arena *arena) {
    plan_heatmaps(panels, same, canvas, arena);
    const Heatmap *first = &panels->heatmap[0];
    if (canvas->metrics.most > 0 && first->width > canvas->metrics.most) {
        cut_into_blocks(panels, wish->whole, canvas, arena);
        same = false;
    } else if (canvas->metrics.most > 0 && panels->count > 1) {
        panels->per_row = per_row_in_grid(panels, wish->per_row, same, canvas);
    }
    plan_heatmaps(panels, same, canvas, arena);
}

/* Columns of panels are as wide as their widest, rows as high as their highest. */
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

static void place_bar(Panels *panels, const Scale *scale, Canvas *canvas,
                      Arena *arena) {
    bool grid = canvas->metrics.characters;
    double top = panels->top + (panels->titled ? 0 : panels->heatmap[0].top);
    panels->bar = color_bar_plan(scale, canvas, panels->height - top, arena);
    if (grid) {
        panels->bar_at = (Point){0, panels->height + 1};
        panels->width = fmax(panels->width, panels->bar.width);
        panels->height += 1 + panels->bar.height;
        return;
    }
    /* A bar longer than the cells ends with them, beside the labels above. */
    top = fmax(fmin(top, panels->height - panels->bar.strip), 0);
    panels->bar_at = (Point){panels->width + BAR_GAP, top};
    panels->width += BAR_GAP + panels->bar.width;
    panels->height = fmax(panels->height, top + panels->bar.height);
}

static Heatmap *new_heatmaps(const PanelsWish *wish, Arena *arena) {
    Heatmap *heatmap = ARENA_ARRAY(arena, Heatmap, wish->count);
    for (int i = 0; i < wish->count; i++)
        heatmap[i] = (Heatmap){.matrix = wish->matrix[i],
                               .scale = wish->scale,
                               .title = wish->title[i],
                               .annotate = wish->annotate,
                               .row_sums = wish->row_sums,
                               .rows_shown = wish->rows_shown,
                               .summed = wish->matrix[i]};
    return heatmap;
}

/* Room for the names of the axes, where they are the same for all. */
static void plan_titles(Panels *panels, const PanelsWish *wish, Canvas *canvas,
                        Arena *arena) {
    const Metrics *metrics = &canvas->metrics;
    panels->titled = wish->count > 1 && all_titles_same(wish->matrix, wish->count);
    if (!panels->titled) return;
    panels->left = metrics->characters ? 0 : metrics->line + metrics->gap / 2;
    panels->top = metrics->line + (metrics->characters ? 0 : metrics->gap / 2);
    if (metrics->characters)
        panels->width = canvas->measure(canvas, (Style){0},
                                        heatmap_titles(wish->matrix, canvas, arena));
}

Panels panels_plan(const PanelsWish *wish, Canvas *canvas, Arena *arena) {
    assert(wish->count > 0);
    bool grid = canvas->metrics.characters;
    Panels panels = {.heatmap = new_heatmaps(wish, arena), .count = wish->count};
    panels.per_row =
        wish->per_row ? wish->per_row : choose_per_row(wish->matrix, wish->count);
    for (int i = 0; i < wish->count && grid && !wish->whole; i++)
        crop_rows(&panels, i, arena);
    plan_titles(&panels, wish, canvas, arena);
    bool same = all_labels_same(wish->matrix, wish->count, arena);
    if (grid)
        plan_grid(&panels, wish, same, canvas, arena);
    else
        plan_heatmaps(&panels, same, canvas, arena);
    place_panels(&panels, grid, arena);
    panels.cells_end = panels.height;
    place_bar(&panels, wish->scale, canvas, arena);
    return panels;
}

static void draw_titles(const Panels *panels, Canvas *canvas, Point at, Arena *arena) {
    double line = canvas->metrics.line;
    if (canvas->metrics.characters) {
        canvas->text(canvas, at, (Style){.faint = true},
                     heatmap_titles(&panels->heatmap[0].matrix, canvas, arena));
        return;
    }
    const Matrix *matrix = &panels->heatmap[0].matrix;
    /* In the middle of the cells, from those of the first to those of the last. */
    double left = panels->left + panels->heatmap[0].left;
    double top = panels->top + panels->heatmap[0].top;
    double across = panels->bar_at.x - BAR_GAP - left;
    double down = panels->cells_end - top;
    Style style = {.align = ALIGN_MIDDLE, .bold = true};
    Point over = {at.x + left + across / 2, at.y + line / 2};
    canvas->text(canvas, over, style, heatmap_title(matrix, canvas, true, across));
    style.angle = 90;
    Point beside = {at.x + line / 2, at.y + top + down / 2};
    canvas->text(canvas, beside, style, heatmap_title(matrix, canvas, false, down));
}

void panels_draw(const Panels *panels, Canvas *canvas, Point at, Arena *arena) {
    if (panels->titled) draw_titles(panels, canvas, at, arena);
    for (int i = 0; i < panels->count && !interrupt_signal(); i++)
        heatmap_draw(&panels->heatmap[i], canvas,
                     (Point){at.x + panels->at[i].x, at.y + panels->at[i].y}, arena);
    Point bar = {at.x + panels->bar_at.x, at.y + panels->bar_at.y};
    color_bar_draw(&panels->bar, canvas, bar, arena);
}
