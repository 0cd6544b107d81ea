#include <math.h>

#include "base/interrupt.h"
#include "text/unicode.h"
#include "view/bars.h"
#include "view/palette.h"
#include "view/table.h"

/* Pixels of a picture; cells of a grid. */
static const double bar_picture = 190, between_picture = 36, bar_part = 0.66;
static const double rounding = 1e-3;
enum { BAR_GRID = 20, BAR_GRID_LEAST = 8, BETWEEN_GRID = 4, PER_ROW_MOST = 3 };
/* Words are cut to so many cells. */
enum { WORD_CELLS = 16 };

/* Of words, of the one that was taken, and of all others together: three greys in
 * print, too. */
static const Color color_bar = {0.60, 0.74, 0.87};
static const Color color_taken = {0.05, 0.30, 0.55};
static const Color color_rest = {0.86, 0.86, 0.86};
/* Of a difference, as heatmaps have it: what is more, what is less. */
static const Color color_more = {0.76, 0.36, 0.28};
static const Color color_less = {0.32, 0.55, 0.77};

static Style style_of(const Bar *bar) {
    return (Style){.bold = bar->marked, .faint = bar->rest};
}

static const char *word_of(const Bar *bar, Arena *arena) {
    return bar->rest ? bar->word : unicode_cut(bar->word, WORD_CELLS, arena);
}

static void measure_columns(BarsLayout *layout, Canvas *canvas, Arena *arena) {
    const Bars *bars = layout->bars;
    for (int g = 0; g < bars->count && !interrupt_signal(); g++)
        for (int b = 0; b < bars->group[g].count; b++) {
            const Bar *bar = &bars->group[g].bar[b];
            Style style = style_of(bar);
            layout->word =
                fmax(layout->word, canvas->measure(canvas, style, word_of(bar, arena)));
            layout->text =
                fmax(layout->text, canvas->measure(canvas, style, bar->text));
        }
    layout->word = ceil(layout->word);
}

/* How far the numbers reach that stand behind the bars. */
static double reach_of(const BarsLayout *layout, Canvas *canvas) {
    const Bars *bars = layout->bars;
    double reach = 0;
    for (int g = 0; g < bars->count; g++)
        for (int b = 0; b < bars->group[g].count; b++) {
            const Bar *bar = &bars->group[g].bar[b];
            reach = fmax(reach, ceil(fmax(bar->from, bar->to) * layout->bar) +
                                    canvas->measure(canvas, style_of(bar), bar->text));
        }
    return ceil(fmax(reach, layout->bar));
}

/* As many side by side as there is room for. */
static void place_groups(BarsLayout *layout, Canvas *canvas) {
    const Metrics *metrics = &canvas->metrics;
    bool grid = metrics->characters;
    double between = grid ? BETWEEN_GRID : between_picture;
    double columns = layout->word + 2 * metrics->gap;
    layout->bar = grid ? BAR_GRID : bar_picture;
    if (metrics->most > 0)
        layout->bar = fmax(fmin(layout->bar, metrics->most - columns - layout->text),
                           BAR_GRID_LEAST);
    layout->across = columns + reach_of(layout, canvas) + between;
    layout->per_row =
        layout->bars->count < PER_ROW_MOST ? layout->bars->count : PER_ROW_MOST;
    while (layout->per_row > 1 && metrics->most > 0 &&
           layout->per_row * layout->across - between > metrics->most)
        layout->per_row--;
    layout->width = layout->per_row * layout->across - between;
}

/* The most bars of the groups that stand side by side. */
static int highest(const BarsLayout *layout, int row) {
    const Bars *bars = layout->bars;
    int most = 0;
    for (int i = 0; i < layout->per_row; i++) {
        int g = row * layout->per_row + i;
        if (g < bars->count && bars->group[g].count > most) most = bars->group[g].count;
    }
    return most;
}

static bool has_titles(const Bars *bars) {
    for (int g = 0; g < bars->count; g++)
        if (*bars->group[g].title) return true;
    return false;
}

static void place_rows(BarsLayout *layout, Canvas *canvas, Arena *arena) {
    bool grid = canvas->metrics.characters;
    double line = canvas->metrics.line;
    int rows = (layout->bars->count + layout->per_row - 1) / layout->per_row;
    double *down = ARENA_ARRAY(arena, double, rows + 1);
    layout->pitch = grid ? 1 : floor(1.3 * line);
    if (has_titles(layout->bars)) layout->top = grid ? 1 : ceil(1.2 * line);
    double gap = grid ? 1 : ceil(0.8 * layout->pitch);
    for (int row = 0; row < rows; row++)
        down[row + 1] = down[row] + layout->top + highest(layout, row) * layout->pitch +
                        (row + 1 < rows ? gap : 0);
    layout->down = down;
    layout->height = down[rows];
}

BarsLayout bars_plan(const Bars *bars, Canvas *canvas, Arena *arena) {
    BarsLayout layout = {.bars = bars};
    if (bars->count == 0) return layout;
    measure_columns(&layout, canvas, arena);
    place_groups(&layout, canvas);
    place_rows(&layout, canvas, arena);
    return layout;
}

/* In eighths of a cell; what lies below 0 in whole ones. */
static void draw_bar_grid(const BarsLayout *layout, Canvas *canvas, Point at,
                          const Bar *bar, Arena *arena) {
    double from = fmin(bar->from, bar->to);
    double length = fabs(bar->to - bar->from);
    double start = floor(from * layout->bar);
    const Color *color = !canvas->metrics.colors ? NULL
                         : bar->marked           ? &color_taken
                                                 : NULL;
    if (bar->to < bar->from)
        length = ceil(bar->from * layout->bar - start - 0.5) / layout->bar;
    canvas->text(canvas, (Point){at.x + start, at.y},
                 (Style){.color = color, .faint = bar->rest},
                 table_bar(length, (int)layout->bar, arena));
}

static Color color_of(const BarsLayout *layout, const Bar *bar) {
    if (layout->bars->by_size) return bar->to < bar->from ? color_less : color_more;
    return bar->marked ? color_taken : bar->rest ? color_rest : color_bar;
}

/* A bar that is there is seen, however short. */
static void draw_bar_picture(const BarsLayout *layout, Canvas *canvas, Point at,
                             const Bar *bar) {
    double from = round(at.x + fmin(bar->from, bar->to) * layout->bar);
    double to = round(at.x + fmax(bar->from, bar->to) * layout->bar);
    double high = round(bar_part * layout->pitch);
    if (bar->from == bar->to) return;
    canvas->fill(canvas, (Box){from, round(at.y - high / 2), fmax(to - from, 1), high},
                 theme_color(canvas->theme, color_of(layout, bar)));
}

static void draw_line(const BarsLayout *layout, Canvas *canvas, Point at,
                      const Bar *bar, Arena *arena) {
    double gap = canvas->metrics.gap;
    bool grid = canvas->metrics.characters;
    Style style = style_of(bar);
    Point middle = {at.x + layout->word + gap, at.y + layout->pitch / 2};
    if (grid) middle.y = at.y;
    if (grid)
        draw_bar_grid(layout, canvas, middle, bar, arena);
    else
        draw_bar_picture(layout, canvas, middle, bar);
    double end = fmax(bar->from, bar->to) * layout->bar;
    canvas->text(
        canvas, (Point){middle.x + (grid ? ceil(end - rounding) : end) + gap, middle.y},
        style, bar->text);
    style.align = ALIGN_END;
    canvas->text(canvas, (Point){middle.x - gap, middle.y}, style, word_of(bar, arena));
}

/* Where bars begin. */
static void draw_axis(const BarsLayout *layout, Canvas *canvas, Point at,
                      const BarGroup *group) {
    if (canvas->metrics.characters || group->count == 0) return;
    double x = floor(at.x + layout->word + canvas->metrics.gap +
                     layout->bars->zero * layout->bar) -
               0.5;
    Point end[] = {{x, at.y}, {x, at.y + group->count * layout->pitch}};
    canvas->line(canvas, end, 2, (Stroke){.color = color_grey, .width = 1});
}

void bars_draw(const BarsLayout *layout, Canvas *canvas, Point at, Arena *arena) {
    const Bars *bars = layout->bars;
    double line = canvas->metrics.characters ? 0 : canvas->metrics.line / 2;
    for (int g = 0; g < bars->count && !interrupt_signal(); g++) {
        const BarGroup *group = &bars->group[g];
        Point corner = {at.x + g % layout->per_row * layout->across,
                        at.y + layout->down[g / layout->per_row]};
        double x = corner.x + layout->word + canvas->metrics.gap;
        if (*group->title)
            canvas->text(canvas, (Point){x, corner.y + line}, (Style){.bold = true},
                         group->title);
        corner.y += layout->top;
        for (int b = 0; b < group->count; b++)
            draw_line(layout, canvas, (Point){corner.x, corner.y + b * layout->pitch},
                      &group->bar[b], arena);
        draw_axis(layout, canvas, corner, group);
    }
}
