/* What a figure shows, in words: for those who hear it instead of seeing it. */
#include <math.h>

#include "base/language.h"
#include "view/figure_work.h"

/* So many words are told one by one. */
enum { WORDS_TOLD = 40 };

/* "나는, 친구, …", in the arena. */
static const char *list_words(const Work *work, const char *const *word, int count) {
    const char *list = "";
    for (int i = 0; i < count && i < WORDS_TOLD; i++)
        list = arena_print(work->arena, "%s%s%s", list, i ? ", " : "", word[i]);
    return count > WORDS_TOLD ? arena_print(work->arena, "%s, …", list) : list;
}

/* Where the largest number stands that is no masked one; false where there is none. */
static bool find_most(const Matrix *matrix, int *row, int *column) {
    bool found = false;
    double most = -INFINITY;
    for (int r = 0; r < matrix->rows; r++)
        for (int c = 0; c < matrix->columns; c++) {
            double value = matrix_value(matrix, r, c);
            if (matrix_is_hatched(matrix, r, c) || value <= most) continue;
            most = value;
            found = true;
            *row = r;
            *column = c;
        }
    return found;
}

/* "11 rows (query: the side that asks): 나는, ·어제": one of both axes. */
static const char *describe_axis(const Work *work, const char **label, bool columns) {
    const Matrix *matrix = &work->matrix[0];
    int count = columns ? matrix->columns : matrix->rows;
    const char *title = matrix_axis_title(matrix, columns);
    const char *words = list_words(work, label, count);
    if (!*title) return said("One row.");
    return columns ? say(work->arena, "%d columns (%s): %s.", count, title, words)
                   : say(work->arena, "%d rows (%s): %s.", count, title, words);
}

static const char *describe_one(const Work *work) {
    Arena *arena = work->arena;
    const Matrix *matrix = &work->matrix[0];
    const char **rows = matrix_labels(matrix, false, arena);
    const char **columns = matrix_labels(matrix, true, arena);
    const char *text = say(arena, "A heatmap. %s %s Colours mean: %s.",
                           describe_axis(work, rows, false),
                           describe_axis(work, columns, true), work->scale.note);
    int row, column;
    bool is_sheet =
        work->figure->worksheet.share > 0 && !work->figure->worksheet.is_key;
    if (is_sheet) return text; /* the largest number may be one to be found */
    if (!find_most(matrix, &row, &column)) return text;
    const char *most =
        scale_number(&work->scale, matrix_value(matrix, row, column), arena);
    const char *where =
        *rows[row] ? say(arena, "The largest number is %s, in row %s and column %s.",
                         most, rows[row], columns[column])
                   : say(arena, "The largest number is %s, in column %s.", most,
                         columns[column]);
    return arena_print(arena, "%s %s", text, where);
}

static const char *describe_many(const Work *work) {
    const Matrix *matrix = &work->matrix[0];
    return say(work->arena,
               "%d heatmaps on one scale: %s. Rows of the first are %s, columns %s. "
               "Colours mean: %s.",
               work->count, list_words(work, work->heading, work->count),
               matrix_axis_title(matrix, false), matrix_axis_title(matrix, true),
               work->scale.note);
}

static const char *describe_curves(const Work *work) {
    const Plot *plot = &work->plot;
    const char **name = ARENA_ARRAY(work->arena, const char *, plot->count);
    for (int i = 0; i < plot->count; i++) name[i] = plot->series[i].name;
    return say(work->arena, "Curves of %s over %s: %s.", plot->y_title, plot->x_title,
               list_words(work, name, plot->count));
}

static const char *describe_diagram(const Work *work) {
    const Diagram *diagram = work->figure->diagram;
    const char **label = ARENA_ARRAY(work->arena, const char *, diagram->count);
    for (int b = 0; b < diagram->count; b++)
        label[b] = arena_print(work->arena, "%s %s", diagram->box[b].label,
                               diagram->box[b].shape);
    return say(work->arena, "Boxes and arrows, from below: %s.",
               list_words(work, label, diagram->count));
}

static const char *describe_branches(const Work *work) {
    const Branches *branches = work->figure->branches;
    const char **word = ARENA_ARRAY(work->arena, const char *, branches->count);
    int count = 0;
    for (int b = 0; b < branches->count; b++)
        if (branches->branch[b].wins) word[count++] = branches->branch[b].label;
    return say(work->arena, "A tree of %d words; the best way through it is: %s.",
               branches->count, list_words(work, word, count));
}

/* Of each row the word that was taken, or else the best. */
static const char *describe_bars(const Work *work) {
    const Bars *bars = &work->bars;
    const char **best = ARENA_ARRAY(work->arena, const char *, bars->count);
    for (int g = 0; g < bars->count; g++) {
        const BarGroup *group = &bars->group[g];
        int told = 0;
        for (int b = 0; b < group->count; b++)
            if (group->bar[b].marked) told = b;
        best[g] = group->count
                      ? arena_print(work->arena, "%s%s%s %s", group->title,
                                    *group->title ? ": " : "", group->bar[told].word,
                                    group->bar[told].text)
                      : group->title;
    }
    return say(work->arena, "%s. The best as bars: %s.", work->facts.title,
               list_words(work, best, bars->count));
}

const char *figure_describe(const Work *work) {
    if (work->told) return work->told;
    if (work->figure->kind == FIGURE_BARS) return describe_bars(work);
    if (work->figure->kind == FIGURE_DIAGRAM) return describe_diagram(work);
    if (work->figure->kind == FIGURE_BRANCHES) return describe_branches(work);
    if (work->plot.series) return describe_curves(work);
    if (work->count == 1 && work->panels.count) return describe_one(work);
    return work->panels.count ? describe_many(work) : "";
}
