#include <string.h>

#include "base/language.h"
#include "chart/heatmap.h"
#include "chart/scale.h"
#include "explain/drawing.h"
#include "screen/state.h"
#include "text/unicode.h"

/* Cells: of a number shown only by color, and of the sums. LOW: fewer rows have no
 * color bar and short labels. */
enum { BLANK_CELL = 2, SUMS = 7, LOW = 14 };

static bool is_table(const Screen *screen) {
    return screen->tensor.is_table || screen->tensor.tensor->holds_ids;
}

static void fit_scale(Screen *screen, const Matrix *matrix) {
    TensorView *view = &screen->tensor;
    if (view->is_scaled &&
        memcmp(view->scaled, matrix->slice.from, sizeof view->scaled) == 0)
        return;
    const Story story = session_story(screen->session);
    if (!view->is_scaled) { /* one scale for the whole tensor, shared by all heads */
        Arena arena = {0};
        Figure figure =
            drawing_new(&story.record, &matrix->slice, 1, story.palette, &arena);
        view->scale_kind = figure.scale;
        view->sums = figure.row_sums;
        arena_free(&arena);
    }
    view->scale = scale_fit(matrix, 1, view->scale_kind, story.palette);
    memcpy(view->scaled, matrix->slice.from, sizeof view->scaled);
    view->is_scaled = true;
}

/* Return the submatrix from `top` and `left` on. */
static Matrix part_of(const Matrix *matrix, int top, int left, int rows, int columns) {
    Matrix part = *matrix;
    part.rows = rows;
    part.columns = columns;
    part.slice.from[part.column_axis] = left;
    part.slice.to[part.column_axis] = left + columns;
    if (part.row_axis >= 0) {
        part.slice.from[part.row_axis] = top;
        part.slice.to[part.row_axis] = top + rows;
    }
    return part;
}

static int limited(int value, int min, int max) {
    if (value > max) value = max;
    return value < min ? min : value;
}

/* Scroll so that the cursor is visible. */
static int scrolled(int first, int shown, int count, int cursor) {
    if (cursor < first) first = cursor;
    if (cursor >= first + shown) first = cursor - shown + 1;
    return limited(first, 0, count > shown ? count - shown : 0);
}

/* Plan the part of the matrix around the cursor that fits. The plan may show fewer
 * cells. */
static Heatmap plan_part(Screen *screen, const Matrix *matrix, Canvas *canvas,
                         const Area *area) {
    TensorView *view = &screen->tensor;
    view->top = scrolled(view->top, view->rows_shown, matrix->rows, view_row(screen));
    view->left =
        scrolled(view->left, view->columns_shown, matrix->columns, view_column(screen));
    Heatmap heatmap = {
        .matrix = part_of(matrix, view->top, view->left, view->rows_shown,
                          view->columns_shown),
        .scale = &view->scale,
        .title = "",
        .annotate = ANNOTATE_NEVER,
        .row_sums = view->sums,
        .summed = part_of(matrix, view->top, 0, view->rows_shown, matrix->columns),
        .labels_left = true,
        .labels_above = true,
    };
    /* The widths of the row labels limit the widths of the cells. */
    heatmap.cell_fixed = BLANK_CELL;
    heatmap_plan(&heatmap, canvas);
    /* A cell is wide enough for its number, or for all cells to fit. */
    enum { WIDEST = 7 };
    Arena arena = {0};
    int min = unicode_width(scale_number(&view->scale, view->scale.min, &arena));
    int max = unicode_width(scale_number(&view->scale, view->scale.max, &arena));
    arena_free(&arena);
    int number = (min > max ? min : max) + 1;
    int room = area->columns - (int)heatmap.left - (view->sums ? SUMS : 0);
    bool numbers = is_table(screen) || number * matrix->columns <= room;
    int cell = limited(room / matrix->columns, numbers ? number : BLANK_CELL,
                       numbers ? WIDEST + number : WIDEST);
    heatmap.cell_fixed = cell;
    /* The labels above the columns are horizontal, or stacked in few rows. */
    enum { LEVEL_MIN = 4, STACK_LOW = 4, STACK_MIN = 2, LOWEST = 8 };
    heatmap.label_max = cell >= LEVEL_MIN     ? cell - 1
                        : area->rows < LOWEST ? STACK_MIN
                        : area->rows < LOW    ? STACK_LOW
                                              : 0;
    if (numbers) heatmap.annotate = ANNOTATE_ALWAYS;
    heatmap_plan(&heatmap, canvas);
    view->columns_shown = limited(room / cell, 1, matrix->columns);
    view->rows_shown = limited(area->rows - (int)heatmap.top, 1, matrix->rows);
    return heatmap;
}

/* Plan as much of the matrix as fits. */
static Heatmap plan(Screen *screen, const Matrix *matrix, Canvas *canvas,
                    const Area *area) {
    enum { TRIES = 4 }; /* other rows may have wider labels, so this may not converge */
    TensorView *view = &screen->tensor;
    Heatmap heatmap = {0};
    view->rows_shown = limited(area->rows, 1, matrix->rows);
    view->columns_shown = limited(area->columns / BLANK_CELL, 1, matrix->columns);
    for (int t = 0; t < TRIES; t++) {
        int rows = view->rows_shown;
        int columns = view->columns_shown;
        heatmap = plan_part(screen, matrix, canvas, area);
        if (view->rows_shown == rows && view->columns_shown == columns) break;
    }
    return heatmap;
}

/* "query=에서, key=부산": the cursor in the matrix; the tabs show the other axes. */
static const char *cursor_place(Screen *screen, const Matrix *matrix, bool named) {
    Arena *arena = &screen->picture;
    const char *text = "";
    const int axis[] = {matrix->row_axis, matrix->column_axis};
    for (int a = 0; a < 2; a++) {
        if (axis[a] < 0) continue;
        const Axis *its = &matrix->slice.tensor->axis[axis[a]];
        text = arena_print(arena, "%s%s%s%s%s", text, *text ? ", " : "",
                           named ? its->name : "", named ? "=" : "",
                           address_label(its, screen->session->run->row,
                                         screen->tensor.at[axis[a]], arena));
    }
    return unicode_escape(text, strlen(text), arena);
}

/* "0.8732  query=에서, key=부산"; if a command changed it, "0.4100 → 0.8732". */
static void draw_number(Screen *screen, const Area *area, const Matrix *matrix) {
    const TensorView *view = &screen->tensor;
    Arena *arena = &screen->picture;
    int cell = view_cell(screen);
    int digits = view->tensor->holds_ids ? 0 : screen->session->options.digits + 1;
    const char *number = arena_print(arena, "%.*f", digits,
                                     tensor_printed((double)view->tensor->data[cell]));
    const char *more = "";
    if (view->before && view->before[cell] != view->tensor->data[cell])
        number = arena_print(arena, "%.*f → %s", digits,
                             tensor_printed((double)view->before[cell]), number);
    if (matrix_is_hatched(matrix, view_row(screen), view_column(screen)))
        more = tr(N_("no value here"));
    const char *place = cursor_place(screen, matrix, true);
    int room = area->columns - unicode_width(number) - 2;
    if (unicode_width(place) > room) place = cursor_place(screen, matrix, false);
    Styled line = {.text.arena = arena};
    styled_add(&line, look_bold, "%s", number);
    styled_add(&line, look_plain, "  %s%s%s", unicode_cut(place, room, arena),
               *more ? "   " : "", more);
    draw_styled(area, area->rows - 1, &line);
}

/* Return true if there is room for the color bar. */
static bool has_bar(const Screen *screen, const Area *area) {
    return area->rows >= LOW && !screen->tensor.tensor->holds_ids;
}

/* Draw the visible range of rows and columns, at the right of the last line or of the
 * color bar. Return its width. */
static int draw_position(Screen *screen, const Area *area, const Matrix *matrix) {
    const TensorView *view = &screen->tensor;
    if (view->rows_shown >= matrix->rows && view->columns_shown >= matrix->columns)
        return 0;
    const char *more =
        arena_print(&screen->picture, "  %d-%d/%d × %d-%d/%d", view->top,
                    view->top + view->rows_shown - 1, matrix->rows, view->left,
                    view->left + view->columns_shown - 1, matrix->columns);
    int width = unicode_width(more);
    int row = area->rows - 1 - has_bar(screen, area);
    if (width > area->columns / 2) return 0;
    curses_write(area->row + row, area->column + area->columns - width, width, more,
                 (int)strlen(more), look_plain);
    return width;
}

/* Draw the indices of the leading axes, if there is a choice, "head 0 [1] 2 3", which
 * can be clicked, and the names of the last two. */
static void draw_head(Screen *screen, const Area *area, const Matrix *matrix) {
    enum { ROW_MAX = 16 };
    TensorView *view = &screen->tensor;
    Arena *arena = &screen->picture;
    Styled line = {.text.arena = arena};
    view->tabs = 0;
    for (int a = 0; a < view->tensor->rank - 2; a++) {
        int size = view->tensor->axis[a].size;
        if (size == 1) continue;
        styled_add(&line, look_plain, "%s", view->tensor->axis[a].name);
        if (size > ROW_MAX) styled_add(&line, look_plain, " /%d", size);
        for (int i = 0; i < size; i++) {
            bool is_here = i == view->at[a];
            if (size > ROW_MAX && !is_here) continue;
            int before = unicode_width(styled_text(&line));
            styled_add(&line, look_plain, " ");
            styled_add(&line, is_here ? look_chosen : look_plain,
                       is_here ? "[%d]" : " %d ", i);
            Box box = {area->column + before, area->row,
                       unicode_width(styled_text(&line)) - before, 1};
            if (view->tabs < TABS_MAX) view->tab[view->tabs++] = (Tab){box, a, i};
        }
        styled_add(&line, look_plain, "   ");
    }
    int used = unicode_width(styled_text(&line));
    Canvas *room = grid_new(arena, area->columns - used, COLORS_NONE);
    styled_add(&line, look_faint, "%s", heatmap_titles(matrix, room));
    draw_styled(area, 0, &line);
}

const char *pane_tensor_title(Screen *screen) {
    if (!view_tensor(screen)) return tr("numbers");
    return screen->tensor.name;
}

void pane_tensor_draw(Screen *screen) {
    TensorView *view = &screen->tensor;
    Area area = screen->area[PANE_TENSOR];
    Arena *arena = &screen->picture;
    view->cell_width = 0;
    if (!view_tensor(screen)) {
        draw_line(&area, 1, tr("Type a sentence: press i"));
        return;
    }
    Matrix matrix = view_matrix(screen);
    draw_head(screen, &area, &matrix);
    area.row++;
    area.rows--;
    fit_scale(screen, &matrix);
    Canvas *canvas =
        grid_new(arena, area.columns, is_table(screen) ? COLORS_NONE : curses_colors());
    Area cells = area;
    cells.rows -= 1 + has_bar(screen, &area);
    Heatmap heatmap = plan(screen, &matrix, canvas, &cells);
    Error none;
    if (!canvas->begin(canvas, cells.columns, cells.rows, &none)) return;
    heatmap_draw(&heatmap, canvas, (Point){0, 0});
    draw_grid(&cells, 0, canvas);
    view->cells_row = cells.row + (int)heatmap.top;
    view->cells_column = cells.column + (int)heatmap.left;
    view->cell_width = (int)heatmap.cell_width;
    /* Underline the cells that a command changed: visible without colors. */
    for (int r = 0; view->before && r < view->rows_shown; r++)
        for (int c = 0; c < view->columns_shown; c++) {
            int cell = matrix_cell(&matrix, view->top + r, view->left + c);
            if (view->before[cell] != view->tensor->data[cell])
                curses_underline(view->cells_row + r,
                                 view->cells_column + c * view->cell_width,
                                 view->cell_width);
        }
    curses_turn(view->cells_row + view_row(screen) - view->top,
                view->cells_column +
                    (view_column(screen) - view->left) * view->cell_width,
                view->cell_width);
    int taken = draw_position(screen, &area, &matrix);
    if (has_bar(screen, &area)) {
        int width = area.columns - taken;
        canvas = grid_new(arena, width, curses_colors());
        ColorBar bar = color_bar_plan(&view->scale, canvas, 1);
        if (canvas->begin(canvas, width, bar.height, &none)) {
            color_bar_draw(&bar, canvas, (Point){0, 0});
            Area line = {area.row + area.rows - 2, area.column, 1, width};
            draw_grid(&line, 0, canvas);
        }
        taken = 0;
    }
    area.columns -= taken;
    draw_number(screen, &area, &matrix);
}
