#include "view/bars.h"

#include <math.h>
#include <string.h>

#include "base/interrupt.h"
#include "base/language.h"
#include "text/unicode.h"

/* A row of a matrix while its best are found. */
typedef struct {
    const BarsWish *wish;
    const Matrix *matrix;
    const unsigned char *marked;
    int row;
    int *best; /* columns */
    int found;
    int taken; /* the column that was marked, or -1, and how many are before it */
    int rank;
    int others;  /* that are not among the best */
    double rest; /* their sum, or the largest of them */
} Ranking;

/* What a number is ranked by. */
static double weight_of(const Ranking *ranking, int column) {
    double value = matrix_value(ranking->matrix, ranking->row, column);
    return ranking->wish->by_size ? fabs(value) : value;
}

static bool is_marked(const Ranking *ranking, int column) {
    return ranking->marked &&
           ranking->marked[matrix_cell(ranking->matrix, ranking->row, column)];
}

static void offer(Ranking *ranking, int column) {
    int most = ranking->wish->best;
    int place = ranking->found;
    double weight = weight_of(ranking, column);
    while (place > 0 && weight > weight_of(ranking, ranking->best[place - 1])) place--;
    if (place == most) return;
    if (ranking->found < most) ranking->found++;
    for (int i = ranking->found - 1; i > place; i--)
        ranking->best[i] = ranking->best[i - 1];
    ranking->best[place] = column;
}

static bool is_among_best(const Ranking *ranking, int column) {
    for (int b = 0; b < ranking->found; b++)
        if (ranking->best[b] == column) return true;
    return false;
}

/* All that is neither among the best nor taken. */
static void add_rest(Ranking *ranking) {
    bool shares = ranking->wish->shares;
    ranking->rest = shares ? 0 : -INFINITY;
    for (int c = 0; c < ranking->matrix->columns; c++) {
        if (matrix_is_hatched(ranking->matrix, ranking->row, c) ||
            is_among_best(ranking, c) || c == ranking->taken)
            continue;
        double weight = weight_of(ranking, c);
        ranking->rest = shares ? ranking->rest + weight : fmax(ranking->rest, weight);
        ranking->others++;
    }
}

static Ranking rank_row(const BarsWish *wish, int m, int row, Arena *arena) {
    Ranking ranking = {.wish = wish,
                       .matrix = &wish->matrix[m],
                       .marked = wish->marked ? wish->marked[m] : NULL,
                       .row = row,
                       .best = ARENA_ARRAY(arena, int, wish->best),
                       .taken = -1};
    int columns = ranking.matrix->columns;
    for (int c = 0; c < columns && !interrupt_signal(); c++) {
        if (matrix_is_hatched(ranking.matrix, row, c)) continue;
        offer(&ranking, c);
        if (is_marked(&ranking, c)) ranking.taken = c;
    }
    for (int c = 0; ranking.taken >= 0 && c < columns; c++)
        ranking.rank += !matrix_is_hatched(ranking.matrix, row, c) &&
                        weight_of(&ranking, c) > weight_of(&ranking, ranking.taken);
    if (ranking.taken >= 0 && is_among_best(&ranking, ranking.taken)) ranking.rank = -1;
    add_rest(&ranking);
    return ranking;
}

/* "1,592" */
static const char *count_text(int count, Arena *arena) {
    if (count < 1000) return arena_print(arena, "%d", count);
    return arena_print(arena, "%s,%03d", count_text(count / 1000, arena), count % 1000);
}

static const char *number_text(const Ranking *ranking, double value, Arena *arena) {
    value = tensor_printed(value);
    if (ranking->wish->shares)
        return value > 0 && value < 0.0005 ? "<0.001"
                                           : arena_print(arena, "%.3f", value);
    double size = fabs(value);
    return size > 0 && (size >= 1e5 || size < 0.001)
               ? arena_print(arena, "%.1e", value)
               : arena_print(arena, "%.*f", size < 1 ? 3 : 2, value);
}

/* Its ends in the numbers' own measure: those of all bars are brought to 0 to 1 later.
 */
static Bar bar_of(const Ranking *ranking, int column, Arena *arena) {
    /* Of thousands only a few need their words. */
    const Matrix alone = matrix_part(ranking->matrix, column, column + 1);
    double value = matrix_value(ranking->matrix, ranking->row, column);
    bool marked = column == ranking->taken;
    const char *number = number_text(ranking, value, arena);
    if (marked && ranking->rank >= 0)
        number =
            say(arena, "%s ◀ rank %s", number, count_text(ranking->rank + 1, arena));
    else if (marked)
        number = arena_print(arena, "%s ◀", number);
    return (Bar){.word = matrix_labels(&alone, true, arena)[0],
                 .text = number,
                 .to = value,
                 .marked = marked};
}

static Bar bar_of_rest(const Ranking *ranking, Arena *arena) {
    const char *number = number_text(ranking, ranking->rest, arena);
    bool shares = ranking->wish->shares;
    return (Bar){.word = ranking->others == 1 ? said("1 other")
                                              : say(arena, "%s others",
                                                    count_text(ranking->others, arena)),
                 .text = ranking->others == 1     ? number
                         : shares                 ? say(arena, "together %s", number)
                         : ranking->wish->by_size ? say(arena, "at most ±%s", number)
                                                  : say(arena, "at most %s", number),
                 .to = shares ? ranking->rest : 0,
                 .rest = true};
}

static void add_bars(const Ranking *ranking, BarGroup *group, Arena *arena) {
    Bar *bar = ARENA_ARRAY(arena, Bar, ranking->found + 2);
    int count = 0;
    for (int b = 0; b < ranking->found; b++)
        bar[count++] = bar_of(ranking, ranking->best[b], arena);
    if (ranking->taken >= 0 && ranking->rank >= 0)
        bar[count++] = bar_of(ranking, ranking->taken, arena);
    if (ranking->others > 0) bar[count++] = bar_of_rest(ranking, arena);
    group->bar = bar;
    group->count = count;
}

/* "after ·met", "head 1, query 나는": which row it is. */
static const char *title_of(const BarsWish *wish, int m, int row,
                            const char *const *label, Arena *arena) {
    const Matrix *matrix = &wish->matrix[m];
    const Axis *axis = matrix_axis(matrix, false);
    const char *heading = wish->heading[m];
    if (!axis || axis->size == 1) return heading;
    const char *place = strcmp(axis->name, "target") == 0
                            ? say(arena, "after %s", label[row])
                            : arena_print(arena, "%s %s", axis->name, label[row]);
    return *heading ? arena_print(arena, "%s, %s", heading, place) : place;
}

/* From numbers to a part of the room that all bars have. */
static void fit_bars(Bars *bars) {
    BarGroup *group = bars->group;
    double least = 0;
    double most = bars->shares ? 1 : 0;
    for (int g = 0; g < bars->count; g++)
        for (int b = 0; b < group[g].count; b++) {
            least = fmin(least, group[g].bar[b].to);
            most = fmax(most, group[g].bar[b].to);
        }
    double span = most > least ? most - least : 1;
    bars->zero = -least / span;
    for (int g = 0; g < bars->count; g++)
        for (int b = 0; b < group[g].count; b++) {
            Bar *bar = &group[g].bar[b];
            bar->from = bars->zero;
            bar->to = (bar->to - least) / span;
            bars->marks = bars->marks || bar->marked;
        }
}

Bars bars_rank(const BarsWish *wish, Arena *arena) {
    Bars bars = {.shares = wish->shares, .by_size = wish->by_size};
    for (int m = 0; m < wish->count; m++) bars.count += wish->matrix[m].rows;
    BarGroup *group = ARENA_ARRAY(arena, BarGroup, bars.count);
    bars.group = group;
    for (int m = 0; m < wish->count; m++) {
        const Matrix *matrix = &wish->matrix[m];
        const char **label = matrix_labels(matrix, false, arena);
        for (int row = 0; row < matrix->rows && !interrupt_signal(); row++, group++) {
            const Ranking ranking = rank_row(wish, m, row, arena);
            group->title = title_of(wish, m, row, label, arena);
            add_bars(&ranking, group, arena);
        }
    }
    fit_bars(&bars);
    return bars;
}
