#include "chart/bars.h"

#include <math.h>
#include <string.h>

#include "base/interrupt.h"
#include "base/language.h"
#include "canvas/look.h"
#include "canvas/palette.h"
#include "text/unicode.h"

/* Pixels of a picture; cells of a grid. */
static const double bar_picture = 190, between_picture = 36, bar_part = 0.66;
static const double rounding = 1e-3;
enum { BAR_GRID = 20, BAR_GRID_MIN = 8, BETWEEN_GRID = 4, PER_ROW_MAX = 3 };
/* Words are cut to this many cells. */
enum { WORD_CELLS = 16 };

/* For words, the chosen word, and the sum of all others: three different grays in
 * print. */
static const Color color_bar = {0.60, 0.74, 0.87};
static const Color color_taken = {0.05, 0.30, 0.55};
static const Color color_rest = {0.86, 0.86, 0.86};
/* For a difference, the colors of heatmaps: positive and negative. */
static const Color color_more = {0.76, 0.36, 0.28};
static const Color color_less = {0.32, 0.55, 0.77};

/* A row of a matrix while its best columns are found. */
typedef struct {
    const BarsOptions *options;
    const Matrix *matrix;
    int row;
    int *best; /* columns, with room for one more */
    int found;
    int taken; /* the marked column, or -1, and how many are ranked before it */
    int rank;
    int others;  /* number of columns that are not among the best */
    double rest; /* their sum, or the largest of them */
} Ranking;

/* The number that columns are ranked by. */
static double weight_of(const Ranking *ranking, int column) {
    double value = matrix_value(ranking->matrix, ranking->row, column);
    return ranking->options->by_size ? fabs(value) : value;
}

static bool is_among_best(const Ranking *ranking, int column) {
    for (int b = 0; b < ranking->found; b++)
        if (ranking->best[b] == column) return true;
    return false;
}

static Ranking rank_row(const BarsOptions *options, int m, int row, Arena *arena) {
    const Matrix *matrix = &options->matrix[m];
    Ranking ranking = {.options = options,
                       .matrix = matrix,
                       .row = row,
                       .best = ARENA_ARRAY(arena, int, options->best + 1),
                       .taken = -1,
                       .rest = options->shares ? 0 : -INFINITY};
    int *best = ranking.best;
    int columns = matrix->columns;
    for (int c = 0; c < columns && !interrupt_signal(); c++) {
        if (matrix_is_hatched(matrix, row, c)) continue;
        if (matrix_is_marked(matrix, row, c)) ranking.taken = c;
        double weight = weight_of(&ranking, c);
        int place = ranking.found;
        for (; place > 0 && weight > weight_of(&ranking, best[place - 1]); place--)
            best[place] = best[place - 1];
        best[place] = c;
        if (ranking.found < options->best) ranking.found++;
    }
    for (int c = 0; ranking.taken >= 0 && c < columns; c++)
        ranking.rank += !matrix_is_hatched(matrix, row, c) &&
                        weight_of(&ranking, c) > weight_of(&ranking, ranking.taken);
    if (ranking.taken >= 0 && is_among_best(&ranking, ranking.taken)) ranking.rank = -1;
    /* Sum up the columns that are neither among the best nor marked. */
    for (int c = 0; c < columns; c++) {
        if (matrix_is_hatched(matrix, row, c) || is_among_best(&ranking, c) ||
            c == ranking.taken)
            continue;
        double weight = weight_of(&ranking, c);
        ranking.rest =
            options->shares ? ranking.rest + weight : fmax(ranking.rest, weight);
        ranking.others++;
    }
    return ranking;
}

/* "1,592" */
static const char *count_text(int count, Arena *arena) {
    if (count < 1000) return arena_print(arena, "%d", count);
    return arena_print(arena, "%s,%03d", count_text(count / 1000, arena), count % 1000);
}

static const char *number_text(const Ranking *ranking, double value, Arena *arena) {
    value = tensor_printed(value);
    if (ranking->options->shares)
        return value > 0 && value < 0.0005 ? "<0.001"
                                           : arena_print(arena, "%.3f", value);
    double size = fabs(value);
    return size > 0 && (size >= 1e5 || size < 0.001)
               ? arena_print(arena, "%.1e", value)
               : arena_print(arena, "%.*f", size < 1 ? 3 : 2, value);
}

/* Return a bar in the same unit as the numbers; later all bars are scaled to 0 to 1. */
static Bar bar_of(const Ranking *ranking, int column, Arena *arena) {
    /* Make labels only for the few that are shown, out of thousands. */
    const Matrix alone = matrix_part(ranking->matrix, column, column + 1);
    double value = matrix_value(ranking->matrix, ranking->row, column);
    bool marked = column == ranking->taken;
    const char *number = number_text(ranking, value, arena);
    if (marked && ranking->rank >= 0)
        number =
            trf(arena, "%s ◀ rank %s", number, count_text(ranking->rank + 1, arena));
    else if (marked)
        number = arena_print(arena, "%s ◀", number);
    return (Bar){.word = matrix_labels(&alone, true, arena)[0],
                 .text = number,
                 .to = value,
                 .marked = marked};
}

static void add_bars(const Ranking *ranking, BarGroup *group, Arena *arena) {
    bool shares = ranking->options->shares;
    int others = ranking->others;
    group->bar = ARENA_ARRAY(arena, Bar, ranking->found + 2);
    for (int b = 0; b < ranking->found; b++)
        group->bar[group->count++] = bar_of(ranking, ranking->best[b], arena);
    if (ranking->taken >= 0 && ranking->rank >= 0)
        group->bar[group->count++] = bar_of(ranking, ranking->taken, arena);
    if (others == 0) return;
    const char *number = number_text(ranking, ranking->rest, arena);
    group->bar[group->count++] =
        (Bar){.word = others == 1 ? tr("1 other")
                                  : trf(arena, "%s others", count_text(others, arena)),
              .text = others == 1                 ? number
                      : shares                    ? trf(arena, "in total %s", number)
                      : ranking->options->by_size ? trf(arena, "at most ±%s", number)
                                                  : trf(arena, "at most %s", number),
              .to = shares ? ranking->rest : 0,
              .rest = true};
}

Bars bars_rank(const BarsOptions *options, Arena *arena) {
    Bars bars = {.shares = options->shares, .by_size = options->by_size};
    for (int m = 0; m < options->count; m++) bars.count += options->matrix[m].rows;
    BarGroup *group = ARENA_ARRAY(arena, BarGroup, bars.count);
    bars.group = group;
    for (int m = 0; m < options->count; m++) {
        const Matrix *matrix = &options->matrix[m];
        const char **label = matrix_labels(matrix, false, arena);
        const Axis *axis = matrix_axis(matrix, false);
        const char *heading = options->heading[m];
        for (int row = 0; row < matrix->rows && !interrupt_signal(); row++, group++) {
            const Ranking ranking = rank_row(options, m, row, arena);
            add_bars(&ranking, group, arena);
            group->title = heading; /* "after ·met", "head 1, query 나는" */
            if (!axis || axis->size == 1) continue;
            const char *place =
                strcmp(axis->name, "target") == 0
                    ? trf(arena, "after %s", label[row])
                    : arena_print(arena, "%s %s", axis->name, label[row]);
            group->title =
                *heading ? arena_print(arena, "%s, %s", heading, place) : place;
        }
    }
    /* Scale numbers to the common range of all bars. */
    group = bars.group;
    double min = 0;
    double max = bars.shares ? 1 : 0;
    for (int g = 0; g < bars.count; g++)
        for (int b = 0; b < group[g].count; b++) {
            min = fmin(min, group[g].bar[b].to);
            max = fmax(max, group[g].bar[b].to);
        }
    double span = max > min ? max - min : 1;
    bars.zero = -min / span;
    for (int g = 0; g < bars.count; g++)
        for (int b = 0; b < group[g].count; b++) {
            Bar *bar = &group[g].bar[b];
            bar->from = bars.zero;
            bar->to = (bar->to - min) / span;
            bars.marks = bars.marks || bar->marked;
        }
    return bars;
}

static Style style_of(const Bar *bar) {
    return (Style){.bold = bar->marked, .faint = bar->rest};
}

static const char *word_of(const Bar *bar, Arena *arena) {
    return bar->rest ? bar->word : unicode_cut(bar->word, WORD_CELLS, arena);
}

static void place_rows(BarsLayout *layout, Canvas *canvas) {
    const Bars *bars = layout->bars;
    bool grid = canvas->metrics.characters;
    double line = canvas->metrics.line;
    int rows = (bars->count + layout->per_row - 1) / layout->per_row;
    double *down = ARENA_ARRAY(canvas->arena, double, rows + 1);
    layout->pitch = grid ? 1 : floor(1.3 * line);
    for (int g = 0; g < bars->count; g++)
        if (*bars->group[g].title) layout->top = grid ? 1 : ceil(1.2 * line);
    double gap = grid ? 1 : ceil(0.8 * layout->pitch);
    for (int row = 0; row < rows; row++) {
        int max = 0; /* the largest number of bars in a group of the row */
        for (int i = 0; i < layout->per_row; i++) {
            int g = row * layout->per_row + i;
            if (g < bars->count && bars->group[g].count > max)
                max = bars->group[g].count;
        }
        down[row + 1] =
            down[row] + layout->top + max * layout->pitch + (row + 1 < rows ? gap : 0);
    }
    layout->down = down;
    layout->height = down[rows];
}

BarsLayout bars_plan(const Bars *bars, Canvas *canvas) {
    BarsLayout layout = {.bars = bars};
    if (bars->count == 0) return layout;
    for (int g = 0; g < bars->count && !interrupt_signal(); g++)
        for (int b = 0; b < bars->group[g].count; b++) {
            const Bar *bar = &bars->group[g].bar[b];
            const char *word = word_of(bar, canvas->arena);
            layout.word =
                fmax(layout.word, canvas->measure(canvas, style_of(bar), word));
            layout.text =
                fmax(layout.text, canvas->measure(canvas, style_of(bar), bar->text));
        }
    layout.word = ceil(layout.word);
    const Metrics *metrics = &canvas->metrics;
    bool grid = metrics->characters;
    double between = grid ? BETWEEN_GRID : between_picture;
    double columns = layout.word + 2 * metrics->gap;
    layout.bar = grid ? BAR_GRID : bar_picture;
    if (metrics->max > 0)
        layout.bar =
            fmax(fmin(layout.bar, metrics->max - columns - layout.text), BAR_GRID_MIN);
    /* The width of the numbers after the bars. */
    double reach = layout.bar;
    double into = between_picture / 2 / canvas_growth(canvas); /* the gap after them */
    for (int g = 0; g < bars->count; g++) {
        double title =
            canvas->measure(canvas, (Style){.bold = true}, bars->group[g].title);
        if (!grid) reach = fmax(reach, ceil(title - metrics->gap - into));
        for (int b = 0; b < bars->group[g].count; b++) {
            const Bar *bar = &bars->group[g].bar[b];
            reach = fmax(reach, ceil(fmax(bar->from, bar->to) * layout.bar) +
                                    canvas->measure(canvas, style_of(bar), bar->text));
        }
    }
    /* Place as many groups side by side as fit. */
    layout.across = columns + ceil(reach) + between;
    layout.per_row = bars->count < PER_ROW_MAX ? bars->count : PER_ROW_MAX;
    while (layout.per_row > 1 && metrics->max > 0 &&
           layout.per_row * layout.across - between > metrics->max)
        layout.per_row--;
    layout.width = layout.per_row * layout.across - between;
    place_rows(&layout, canvas);
    return layout;
}

/* Draw in eighths of a cell; below 0 in whole cells. */
static void draw_bar_grid(const BarsLayout *layout, Canvas *canvas, Point at,
                          const Bar *bar) {
    double length = fabs(bar->to - bar->from);
    double start = floor(fmin(bar->from, bar->to) * layout->bar);
    if (bar->to < bar->from)
        length = ceil(bar->from * layout->bar - start - 0.5) / layout->bar;
    const Color *color = canvas->metrics.colors && bar->marked ? &color_taken : NULL;
    canvas->text(canvas, (Point){at.x + start, at.y},
                 (Style){.color = color, .faint = bar->rest},
                 look_bar(length, (int)layout->bar, canvas->arena));
}

/* Every bar is visible, however short. */
static void draw_bar_picture(const BarsLayout *layout, Canvas *canvas, Point at,
                             const Bar *bar) {
    double from = round(at.x + fmin(bar->from, bar->to) * layout->bar);
    double to = round(at.x + fmax(bar->from, bar->to) * layout->bar);
    double high = round(bar_part * layout->pitch);
    Color color = bar->marked ? color_taken : bar->rest ? color_rest : color_bar;
    if (layout->bars->by_size) color = bar->to < bar->from ? color_less : color_more;
    if (bar->from != bar->to)
        canvas->fill(canvas,
                     (Box){from, round(at.y - high / 2), fmax(to - from, 1), high},
                     theme_color(canvas->theme, color));
}

void bars_draw(const BarsLayout *layout, Canvas *canvas, Point at) {
    const Bars *bars = layout->bars;
    bool grid = canvas->metrics.characters;
    double line = grid ? 0 : canvas->metrics.line / 2;
    double gap = canvas->metrics.gap;
    for (int g = 0; g < bars->count && !interrupt_signal(); g++) {
        const BarGroup *group = &bars->group[g];
        Point corner = {at.x + g % layout->per_row * layout->across,
                        at.y + layout->down[g / layout->per_row]};
        double x = corner.x + layout->word + gap;
        if (*group->title)
            canvas->text(canvas, (Point){x, corner.y + line}, (Style){.bold = true},
                         group->title);
        double y = corner.y + layout->top;
        for (int b = 0; b < group->count; b++) {
            const Bar *bar = &group->bar[b];
            Style style = style_of(bar);
            double middle = y + (b + (grid ? 0 : 0.5)) * layout->pitch;
            (grid ? draw_bar_grid : draw_bar_picture)(layout, canvas,
                                                      (Point){x, middle}, bar);
            double end = fmax(bar->from, bar->to) * layout->bar;
            if (grid) end = ceil(end - rounding);
            canvas->text(canvas, (Point){x + end + gap, middle}, style, bar->text);
            style.align = ALIGN_END;
            canvas->text(canvas, (Point){x - gap, middle}, style,
                         word_of(bar, canvas->arena));
        }
        if (grid || group->count == 0) continue;
        double zero = floor(x + bars->zero * layout->bar) - 0.5; /* where bars start */
        canvas->line(canvas,
                     (Point[]){{zero, y}, {zero, y + group->count * layout->pitch}}, 2,
                     (Stroke){.color = color_grey, .width = 1});
    }
}
