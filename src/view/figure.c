#include "view/figure.h"

#include <math.h>
#include <string.h>

#include "base/interrupt.h"
#include "text/label.h"
#include "text/unicode.h"
#include "view/caption.h"
#include "view/figure_work.h"
#include "view/palette.h"

/* A .txt shows numbers up to so many columns. */
enum { TEXT_NUMBERS_MOST = 64 };
/* Of so many panels of one tensor: all side by side, or equal parts of them. */
static int panels_per_row(int count) {
    enum { MOST = 12, LEAST = 5 };
    if (count <= MOST) return count;
    for (int per_row = MOST; per_row >= LEAST; per_row--)
        if (count % per_row == 0) return per_row;
    return MOST;
}

Matrix *figure_matrices(const Figure *figure, const Slice *slice, int s, Arena *arena,
                        int *count) {
    const unsigned char *hidden = figure->hidden ? figure->hidden[s] : NULL;
    Matrix *list = matrix_list(slice, hidden, arena, count);
    for (int k = 0; k < *count; k++)
        list[k].plain = figure->look.labels == LABELS_PLAIN;
    return list;
}

/* The matrices of all slices; several slices of as many matrices stand row by row. */
void figure_collect(Work *work) {
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
        if (figure->slices > 1 && count > 1) work->per_row = panels_per_row(count);
    }
}

/* Ids are names, whose size says nothing: they share no scale with other numbers. */
static bool check_kinds(const Figure *figure, Error *error) {
    const Tensor *first = figure->slice[0].tensor;
    for (int i = 1; i < figure->slices; i++) {
        const Tensor *other = figure->slice[i].tensor;
        if (other->holds_ids != first->holds_ids)
            return fail(error,
                        "%s and %s have no scale in common, since only one of them "
                        "holds ids or marks: draw them one by one",
                        first->name, other->name);
    }
    return true;
}

/* A plot, a diagram and branches have their numbers, or none, themselves. */
bool figure_check(const Figure *figure, Error *error) {
    if ((figure->diagram && figure->kind != FIGURE_DIAGRAM) ||
        (figure->branches && figure->kind != FIGURE_BRANCHES))
        return fail(error, "boxes and arrows are no numbers: leave --as and "
                           "--dimensions out");
    if (figure->plot || figure->diagram || figure->branches) return true;
    if (figure->slices == 0) return fail(error, "there is nothing to draw");
    for (int i = 0; i < figure->slices; i++)
        if (slice_size(&figure->slice[i]) == 0)
            return fail(error, "%s has no cells to draw",
                        figure->slice[i].tensor->name);
    return check_kinds(figure, error);
}

/* In letters each cell takes one or more: what cannot fit is not arranged first, which
 * takes long. */
static bool check_room(const Work *work, Error *error) {
    const Figure *figure = work->figure;
    long long cells = 0;
    if (!work->canvas->metrics.characters || !work->whole ||
        figure->kind == FIGURE_CURVES || figure->kind == FIGURE_HISTOGRAM)
        return true;
    for (int i = 0; i < figure->slices; i++) cells += slice_size(&figure->slice[i]);
    return cells <= GRID_CELLS_MOST ||
           fail(error,
                "the figure would be %lld characters and more, and at most %d are "
                "drawn: choose a part of the tensor",
                cells, GRID_CELLS_MOST);
}

static Annotate annotate_for(const Work *work) {
    Annotate annotate = work->figure->annotate;
    if (!work->canvas->metrics.characters || annotate != ANNOTATE_WHERE_ROOM)
        return annotate;
    if (work->whole)
        return work->matrix[0].columns <= TEXT_NUMBERS_MOST ? ANNOTATE_ALWAYS
                                                            : ANNOTATE_NEVER;
    return work->count > 1 ? ANNOTATE_NEVER : annotate;
}

/* Nobody can read a strip of thousands of pixels: refused, with what to do. */
static bool is_readable(const Work *work, Error *error) {
    enum { LONGEST = 2048, RATIO = 6 };
    const Canvas *canvas = work->canvas;
    double longer = fmax(work->width, work->height);
    double shorter = fmin(work->width, work->height);
    if (canvas->metrics.characters || longer <= LONGEST || longer <= RATIO * shorter)
        return true;
    const Matrix *matrix = &work->matrix[0];
    const Axis *axis = matrix_axis(matrix, work->width > work->height);
    return fail(
        error,
        "%s would be a strip of %.0f x %.0f pixels: choose some of the axis %s, "
        "as in [%s=0:50], or draw the best of each row --as bars",
        matrix->slice.tensor->name, work->width, work->height, axis->name, axis->name);
}

static void draw_panels(Work *work, Point at) {
    panels_draw(&work->panels, work->canvas, at);
}

static bool plan_grid(Work *work, Error *error) {
    const Figure *figure = work->figure;
    if (figure->plot) return fail(error, "these are curves: draw them --as curves");
    if (figure->worksheet.share > 0)
        worksheet_choose(&figure->worksheet, work->matrix, work->count, work->arena);
    const char **title = ARENA_ARRAY(work->arena, const char *, work->count);
    for (int i = 0; i < work->count; i++)
        title[i] = work->count > 1 ? work->heading[i] : "";
    if (!figure_fit_scale(work, error)) return false;
    PanelsWish wish = {.matrix = work->matrix,
                       .title = title,
                       .count = work->count,
                       .per_row = work->per_row,
                       .scale = &work->scale,
                       .annotate = annotate_for(work),
                       .rows_shown = figure->shown,
                       .row_sums = figure->row_sums && work->count == 1,
                       .whole = work->whole};
    work->panels = panels_plan(&wish, work->canvas);
    work->width = work->panels.width;
    work->height = work->panels.height;
    work->note = work->panels.note;
    if (figure->worksheet.share > 0)
        work->note = worksheet_note(&figure->worksheet, work->matrix, work->count);
    work->draw = draw_panels;
    return is_readable(work, error);
}

static bool plan_heatmap(Work *work, Error *error) {
    if (work->count == 1 || work->figure->plot) return plan_grid(work, error);
    const Tensor *tensor = work->figure->slice[0].tensor;
    return fail(error,
                "%s %s is %d matrices: choose one by an index in the brackets, or draw "
                "them as a grid",
                tensor->name, shape_text(tensor).text, work->count);
}

static void draw_curves(Work *work, Point at) {
    plot_draw(&work->layout, work->canvas, at);
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
    work->draw = draw_curves;
    work->layout = plot_plan(&work->plot, work->canvas);
    work->width = work->layout.width;
    work->height = work->layout.height;
    return true;
}

static void draw_diagram(Work *work, Point at) {
    work->diagram.draw(&work->diagram, work->canvas, at, work->arena);
}

static bool plan_diagram(Work *work, Error *error) {
    (void)error;
    work->diagram = diagram_plan(work->figure->diagram, work->canvas, work->arena);
    work->width = work->diagram.width;
    work->height = work->diagram.height;
    work->note = work->figure->diagram->note;
    work->draw = draw_diagram;
    return true;
}

static void draw_branches(Work *work, Point at) {
    work->branches.draw(&work->branches, work->canvas, at);
}

/* The tree with words as they are said, where labels are to be plain. */
static const Branches *shown_branches(const Work *work) {
    const Branches *branches = work->figure->branches;
    if (work->figure->look.labels != LABELS_PLAIN) return branches;
    Branches *plain = ARENA_ARRAY(work->arena, Branches, 1);
    BranchWord *branch = ARENA_ARRAY(work->arena, BranchWord, branches->count);
    *plain = *branches;
    plain->branch = branch;
    for (int b = 0; b < branches->count; b++) {
        branch[b] = branches->branch[b];
        branch[b].label = label_bare(branch[b].label);
    }
    return plain;
}

static bool plan_branches(Work *work, Error *error) {
    (void)error;
    work->branches = branches_plan(shown_branches(work), work->canvas, work->arena);
    work->width = work->branches.width;
    work->height = work->branches.height;
    work->note = work->figure->branches->note;
    work->draw = draw_branches;
    return true;
}

#define FIGURE_NAME(CONSTANT, name) #name,

const char *const figure_kinds[] = {FIGURE_KINDS(FIGURE_NAME) NULL};

#define FIGURE_PLAN(CONSTANT, name) [FIGURE_##CONSTANT] = plan_##name,

static FigurePlan *const plans[] = {
    FIGURE_KINDS(FIGURE_PLAN)[FIGURE_DIAGRAM] = plan_diagram,
    [FIGURE_BRANCHES] = plan_branches,
};

static const char *safe(const Work *work, const char *text) {
    return unicode_escape(text, strlen(text), work->arena);
}

static void collect_words(Work *work) {
    const Figure *figure = work->figure;
    work->heading = ARENA_ARRAY(work->arena, const char *, work->count);
    for (int i = 0; i < work->count; i++)
        work->heading[i] = figure_heading(work, &work->matrix[i]);
    Fact *fact = ARENA_ARRAY(work->arena, Fact, figure->facts);
    for (int i = 0; i < figure->facts; i++)
        fact[i] = (Fact){figure->fact[i].name, safe(work, figure->fact[i].value)};
    const char *title = figure->title ? figure->title : figure_title(work);
    if (figure->look.title && figure_is_titled(&figure->look))
        title = figure->look.title;
    if (figure->worksheet.share > 0)
        title = worksheet_title(&figure->worksheet, title, work->arena);
    work->facts = (Facts){safe(work, title), fact, figure->facts, NULL};
}

bool figure_plan(Work *work, Error *error) {
    if (!figure_check(work->figure, error) || !check_room(work, error)) return false;
    figure_collect(work);
    collect_words(work);
    if (!plans[work->figure->kind](work, error) || !interrupt_none(error)) return false;
    figure_page_plan(work);
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
    work->draw(work, (Point){page->x, page->y});
    caption_draw(&work->footer, canvas, (Point){margin, under});
    return interrupt_none(error);
}

const char *figure_text(const Figure *figure, int width, Colors colors, Arena *arena,
                        Error *error) {
    Work work = {.figure = figure, .arena = arena};
    work.canvas = grid_new(arena, width, colors);
    return figure_draw(&work, error) ? grid_text(work.canvas, arena) : NULL;
}
