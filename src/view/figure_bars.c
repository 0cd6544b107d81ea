/* The kind of figure that shows the best of each row as bars. */
#include <string.h>

#include "base/language.h"
#include "view/figure_work.h"

static void draw_bars(Work *work, Point at) {
    bars_draw(&work->bars_layout, work->canvas, at);
}

/* The marks of the slice in which each matrix lies. */
static const unsigned char *const *marks_of(const Work *work) {
    const Figure *figure = work->figure;
    const unsigned char **marked =
        ARENA_ARRAY(work->arena, const unsigned char *, work->count);
    for (int m = 0; m < work->count && figure->marked; m++)
        for (int s = 0; s < figure->slices; s++)
            if (figure->slice[s].tensor == work->matrix[m].slice.tensor)
                marked[m] = figure->marked[s];
    return marked;
}

/* What the reader has to know, beside the facts. */
static const char *note_of(const Work *work, bool logits) {
    const char *sums = said("logits have no sum: softmax makes shares of them");
    const char *marked = work->bars.marks ? work->figure->marked_as : NULL;
    if (!logits || !marked) return logits ? sums : marked;
    return arena_print(work->arena, "%s   ·   %s", marked, sums);
}

/* Probabilities stay shares, though a hand may have changed some of them. */
static bool is_called(const Figure *figure, const char *name) {
    return strcmp(figure->slice[0].tensor->short_name, name) == 0;
}

bool plan_bars(Work *work, Error *error) {
    const Figure *figure = work->figure;
    if (figure->plot) return fail(error, "these are curves: draw them --as curves");
    if (figure->slice[0].tensor->holds_ids)
        return fail(error, "%s holds ids or marks, of which none is the best",
                    figure->slice[0].tensor->name);
    const Scale scale = scale_fit(work->matrix, work->count, figure->scale, NULL);
    const char **heading = ARENA_ARRAY(work->arena, const char *, work->count);
    for (int m = 0; m < work->count; m++)
        heading[m] = work->count > 1 ? work->heading[m] : "";
    const BarsWish wish = {
        .matrix = work->matrix,
        .heading = heading,
        .marked = marks_of(work),
        .count = work->count,
        .best = figure->best > 0 ? figure->best : BARS_BEST,
        .shares = scale.kind == SCALE_SHARES || is_called(figure, "probabilities"),
        .by_size = figure->scale == SCALE_SIGNED,
    };
    work->bars = bars_rank(&wish, work->arena);
    work->bars_layout = bars_plan(&work->bars, work->canvas);
    work->width = work->bars_layout.width;
    work->height = work->bars_layout.height;
    work->note = note_of(work, is_called(figure, "logits"));
    work->draw = draw_bars;
    return true;
}
