#include "figure/figure_draw.h"

#include <math.h>
#include <string.h>

#include "base/interrupt.h"
#include "base/language.h"
#include "text/label.h"

/* A .txt shows numbers up to this many columns. */
enum { TEXT_NUMBERS_MAX = 64 };
Matrix *figure_matrices(const Figure *figure, const Slice *slice, int s, Arena *arena,
                        int *count) {
    const unsigned char *hidden = figure->hidden ? figure->hidden[s] : NULL;
    Matrix *list = matrix_list(slice, hidden, arena, count);
    for (int k = 0; k < *count; k++) {
        list[k].marked = figure->marked ? figure->marked[s] : NULL;
        list[k].plain = figure->look.labels == LABELS_PLAIN;
    }
    return list;
}

/* Collect the matrices of all slices. Several slices with the same number of matrices
 * are laid out in rows: one row per slice, or several equal rows if it has many. */
static void collect(Work *work) {
    enum { PER_ROW_MAX = 12, PER_ROW_MIN = 5 };
    const Figure *figure = work->figure;
    int capacity = 0;
    for (int i = 0; i < figure->slices; i++) {
        int count;
        Matrix *list =
            figure_matrices(figure, &figure->slice[i], i, work->arena, &count);
        for (int k = 0; k < count; k++) {
            ARENA_GROW(work->arena, work->matrix, work->count, capacity);
            work->matrix[work->count++] = list[k];
        }
        if (figure->slices < 2 || count < 2) continue;
        work->per_row = count;
        if (count <= PER_ROW_MAX) continue;
        work->per_row = PER_ROW_MAX;
        while (work->per_row >= PER_ROW_MIN && count % work->per_row != 0)
            work->per_row--;
        if (work->per_row < PER_ROW_MIN) work->per_row = PER_ROW_MAX;
    }
}

/* A plot, a diagram and branches come with their own data. */
static bool check(const Figure *figure, Error *error) {
    if ((figure->diagram && figure->kind != FIGURE_DIAGRAM) ||
        (figure->branches && figure->kind != FIGURE_BRANCHES))
        return fail(error, "boxes and arrows are not numbers; leave out --as and "
                           "--dimensions");
    if (figure->plot && figure->kind != FIGURE_CURVES)
        return fail(error, "these are curves; draw them with --as curves");
    if (figure->plot || figure->diagram || figure->branches) return true;
    if (figure->slices == 0) return fail(error, "there is nothing to draw");
    for (int i = 0; i < figure->slices; i++)
        if (slice_size(&figure->slice[i]) == 0)
            return fail(error, "%s has no cells to draw",
                        figure->slice[i].tensor->name);
    /* Ids are names, whose size has no meaning: they do not share a scale with other
     * numbers. */
    const Tensor *first = figure->slice[0].tensor;
    for (int i = 1; i < figure->slices; i++)
        if (figure->slice[i].tensor->holds_ids != first->holds_ids)
            return fail(error,
                        "%s and %s cannot share a scale, because only one of them "
                        "holds ids or marks; draw them separately",
                        first->name, figure->slice[i].tensor->name);
    return true;
}

/* Compute the requested scale, or one that fits the numbers drawn; for an animation,
 * the numbers of all frames. */
static bool fit_scale(Work *work, Error *error) {
    const Figure *figure = work->figure;
    /* The chosen palette, or the default of the theme. */
    const Palette *palette = figure->palette;
    const Theme *theme = work->canvas ? work->canvas->theme : NULL;
    if (!palette && theme && theme->palette) palette = palette_find(theme->palette);
    Work all = {.figure = figure, .arena = work->arena};
    collect(&all);
    for (int f = 0; f < figure->frames; f++) {
        Figure frame = *figure;
        if (!figure->frame[f].slice) continue;
        frame.slice = figure->frame[f].slice;
        all.figure = &frame;
        collect(&all);
    }
    work->scale = scale_fit(all.matrix, all.count, figure->scale, palette);
    if (!scale_apply(&work->scale, &figure->scale_options, all.matrix, all.count,
                     palette, error))
        return false;
    if (figure->hatched && work->scale.hatched) work->scale.hatched = figure->hatched;
    if (figure->shared) {
        work->scale = *figure->shared;
        if (palette) work->scale.palette = palette;
    }
    return true;
}

bool figure_scale(const Figure *figure, Arena *arena, Scale *scale, Error *error) {
    Work work = {.figure = figure, .arena = arena};
    if (!check(figure, error)) return false;
    collect(&work);
    if (!fit_scale(&work, error)) return false;
    *scale = work.scale;
    return true;
}

static bool plan_grid(Work *work, Error *error) {
    const Figure *figure = work->figure;
    if (figure->worksheet.share > 0)
        worksheet_choose(&figure->worksheet, work->matrix, work->count, work->arena);
    const char **title = ARENA_ARRAY(work->arena, const char *, work->count);
    for (int i = 0; i < work->count; i++)
        title[i] = work->count > 1 ? work->heading[i] : "";
    if (!fit_scale(work, error)) return false;
    Annotate annotate = figure->annotate;
    if (work->canvas->metrics.characters && annotate == ANNOTATE_WHERE_ROOM) {
        bool fits = work->matrix[0].columns <= TEXT_NUMBERS_MAX;
        if (work->whole)
            annotate = fits ? ANNOTATE_ALWAYS : ANNOTATE_NEVER;
        else if (work->count > 1)
            annotate = ANNOTATE_NEVER;
    }
    PanelsOptions options = {.matrix = work->matrix,
                             .title = title,
                             .count = work->count,
                             .per_row = work->per_row,
                             .scale = &work->scale,
                             .annotate = annotate,
                             .rows_shown = figure->shown,
                             .row_sums = figure->row_sums && work->count == 1,
                             .whole = work->whole,
                             .is_compact = figure->is_compact};
    work->panels = panels_plan(&options, work->canvas);
    work->width = work->panels.width;
    work->height = work->panels.height;
    work->note = work->panels.note;
    if (figure->worksheet.share > 0)
        work->note = worksheet_note(&figure->worksheet, work->matrix, work->count);
    /* A strip of thousands of pixels is unreadable: reject it with a suggestion. */
    enum { RATIO = 6 };
    const double max = 2048 * canvas_growth(work->canvas);
    double longer = fmax(work->width, work->height);
    double shorter = fmin(work->width, work->height);
    if (work->canvas->metrics.characters || longer <= max || longer <= RATIO * shorter)
        return true;
    const Matrix *matrix = &work->matrix[0];
    const char *axis = matrix_axis(matrix, work->width > work->height)->name;
    return fail(
        error,
        "%s would be a strip of %.0f x %.0f pixels; choose a part of the axis %s, as "
        "in [%s=0:50], or draw the best of each row with --as bars",
        matrix->slice.tensor->name, work->width, work->height, axis, axis);
}

static bool plan_heatmap(Work *work, Error *error) {
    if (work->count == 1) return plan_grid(work, error);
    const Tensor *tensor = work->figure->slice[0].tensor;
    return fail(error,
                "%s %s is %d matrices; choose one by an index in the brackets, or "
                "draw them as a grid",
                tensor->name, shape_text(tensor).text, work->count);
}

void figure_plan_curves(Work *work) {
    work->layout = plot_plan(&work->plot, work->canvas);
    work->width = work->layout.width;
    work->height = work->layout.height;
}

static bool plan_curves(Work *work, Error *error) {
    const Figure *figure = work->figure;
    if (figure->plot) {
        work->plot = *figure->plot;
    } else if (work->count != 1) {
        return plan_heatmap(work, error);
    } else if (!plot_columns(&work->matrix[0], figure->dimension, figure->dimensions,
                             work->arena, &work->plot, error)) {
        return false;
    }
    work->plot.points = figure->shown;
    figure_plan_curves(work);
    return true;
}

static bool plan_diagram(Work *work, Error *error) {
    (void)error;
    work->diagram = diagram_plan(work->figure->diagram, work->canvas);
    work->width = work->diagram.width;
    work->height = work->diagram.height;
    work->note = work->figure->diagram->note;
    return true;
}

static bool plan_branches(Work *work, Error *error) {
    (void)error;
    BranchTree *shown = ARENA_ARRAY(work->arena, BranchTree, 1);
    *shown = *work->figure->branches;
    if (work->figure->look.labels == LABELS_PLAIN) { /* only the words, without marks */
        BranchWord *plain = ARENA_ARRAY(work->arena, BranchWord, shown->count);
        for (int b = 0; b < shown->count; b++) {
            plain[b] = shown->branch[b];
            plain[b].label = label_bare(plain[b].label);
        }
        shown->branch = plain;
    }
    work->branches = branch_tree_plan(shown, work->canvas);
    work->width = work->branches.width;
    work->height = work->branches.height;
    work->note = shown->note;
    return true;
}

/* Does the tensor have this name? Probabilities keep their scale even if some were
 * changed manually. */
static bool is_called(const Figure *figure, const char *name) {
    return strcmp(figure->slice[0].tensor->short_name, name) == 0;
}

static bool plan_bars(Work *work, Error *error) {
    const Figure *figure = work->figure;
    if (figure->slice[0].tensor->holds_ids)
        return fail(error, "%s holds ids or marks, so there is no best one",
                    figure->slice[0].tensor->name);
    const Scale scale = scale_fit(work->matrix, work->count, figure->scale, NULL);
    const char **heading = ARENA_ARRAY(work->arena, const char *, work->count);
    for (int m = 0; m < work->count; m++)
        heading[m] = work->count > 1 ? work->heading[m] : "";
    const BarsOptions options = {
        .matrix = work->matrix,
        .heading = heading,
        .count = work->count,
        .best = figure->best > 0 ? figure->best : BARS_BEST,
        .shares = scale.kind == SCALE_SHARES || is_called(figure, "probabilities"),
        .by_size = figure->scale == SCALE_SIGNED,
    };
    work->bars = bars_rank(&options, work->arena);
    work->bars_layout = bars_plan(&work->bars, work->canvas);
    work->width = work->bars_layout.width;
    work->height = work->bars_layout.height;
    work->note = work->bars.marks ? figure->marked_as : NULL;
    if (is_called(figure, "logits")) {
        const char *sums = tr("logits have no meaningful sum; draw the probabilities "
                              "after the softmax");
        work->note = work->note
                         ? arena_print(work->arena, "%s   ·   %s", work->note, sums)
                         : sums;
    }
    return true;
}

#define FIGURE_NAME(CONSTANT, name) #name,

const char *const figure_kinds[] = {FIGURE_KINDS(FIGURE_NAME) NULL};

#define FIGURE_PLAN(CONSTANT, name) [FIGURE_##CONSTANT] = plan_##name,

static FigurePlan *const plans[] = {
    FIGURE_KINDS(FIGURE_PLAN)[FIGURE_DIAGRAM] = plan_diagram,
    [FIGURE_BRANCHES] = plan_branches,
};

bool figure_plan(Work *work, Error *error) {
    const Figure *figure = work->figure;
    const Metrics *metrics = &work->canvas->metrics;
    if (!check(figure, error)) return false;
    /* In text each cell takes one or more letters. Reject figures that are too large
     * before computing the layout, which would take a long time. */
    bool counts = figure->kind == FIGURE_CURVES || figure->kind == FIGURE_HISTOGRAM;
    long long cells = 0;
    for (int i = 0; i < figure->slices; i++) cells += slice_size(&figure->slice[i]);
    if (metrics->characters && work->whole && !counts && cells > GRID_CELLS_MAX)
        return fail(error,
                    "the figure would have %lld characters or more, but the limit is "
                    "%d; choose a part of the tensor",
                    cells, GRID_CELLS_MAX);
    collect(work);
    figure_collect_words(work);
    if (!plans[figure->kind](work, error) || !interrupt_none(error)) return false;
    figure_place_words(work);
    return true;
}

bool figure_draw(Work *work, Error *error) {
    Canvas *canvas = work->canvas;
    if (!figure_plan(work, error)) return false;
    const Box *page = &work->page;
    if (!canvas->begin(canvas, page->width, page->height, error)) return false;
    double margin = canvas->metrics.margin;
    double under = page->height - margin - work->footer.height;
    caption_draw(&work->title, canvas, (Point){margin, margin});
    Point at = {page->x, page->y};
    if (work->draw)
        work->draw(work, at);
    else if (work->diagram.draw)
        work->diagram.draw(&work->diagram, canvas, at);
    else if (work->branches.draw)
        work->branches.draw(&work->branches, canvas, at);
    else if (work->bars_layout.bars)
        bars_draw(&work->bars_layout, canvas, at);
    else if (work->plot.series)
        plot_draw(&work->layout, canvas, at);
    else
        panels_draw(&work->panels, canvas, at);
    caption_draw(&work->footer, canvas, (Point){margin, under});
    return interrupt_none(error);
}

const Styled *figure_text(const Figure *figure, int width, Colors colors, Arena *arena,
                          Error *error) {
    Work work = {.figure = figure, .arena = arena};
    work.canvas = grid_new(arena, width, colors);
    if (!figure_draw(&work, error)) return NULL;
    Styled *lines = ARENA_ARRAY(arena, Styled, 1);
    lines->text.arena = arena;
    grid_write(work.canvas, lines);
    return lines;
}
