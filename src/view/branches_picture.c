#include <math.h>

#include "view/branches.h"
#include "view/palette.h"

/* Pixels. */
static const double pad = 8;    /* beside the words of a box */
static const double apart = 34; /* from box to box, for the lines between */
static const double rise = 9;   /* from row to row */
static const double part = 0.5; /* lines lie on the middle of a pixel */

static const Color colors[BRANCH_ENDS] = {
    [BRANCH_GROWN] = {1, 1, 1},
    [BRANCH_FINISHED] = {0.80, 0.92, 0.83},
    [BRANCH_PRUNED] = {0.93, 0.93, 0.93},
    [BRANCH_LEFT] = {0.99, 0.95, 0.80},
};
static const Color color_of_winner = {1, 0.88, 0.73};

static const Style share_style = {.size = 0.85};
static const Style note_style = {.size = 0.92};
static const Stroke thin = {.width = 1};
static const Stroke thick = {.width = 2.6};

static double text_width(const BranchWord *branch, Canvas *canvas) {
    double width =
        canvas->measure(canvas, (Style){.bold = branch->wins}, branch->label);
    if (*branch->share)
        width += pad + canvas->measure(canvas, share_style, branch->share);
    return ceil(width);
}

/* How many words lead to each. */
static int *depths_of(const Branches *branches, int *deepest, Arena *arena) {
    int *depth = ARENA_ARRAY(arena, int, branches->count);
    *deepest = 0;
    for (int b = 1; b < branches->count; b++) {
        depth[b] = depth[branches->branch[b].parent] + 1;
        if (depth[b] > *deepest) *deepest = depth[b];
    }
    return depth;
}

/* Words of one place stand below each other. */
static void place_columns(BranchesLayout *layout, Canvas *canvas, Arena *arena) {
    const Branches *branches = layout->branches;
    int deepest;
    const int *depth = depths_of(branches, &deepest, arena);
    double *width = ARENA_ARRAY(arena, double, deepest + 1);
    double *left = ARENA_ARRAY(arena, double, deepest + 2);
    for (int b = 0; b < branches->count; b++)
        width[depth[b]] =
            fmax(width[depth[b]], text_width(&branches->branch[b], canvas) + 2 * pad);
    for (int d = 0; d <= deepest; d++) left[d + 1] = left[d] + width[d] + apart;
    for (int b = 0; b < branches->count; b++) {
        const BranchWord *branch = &branches->branch[b];
        Box *box = &layout->box[b];
        box->x = left[depth[b]];
        box->width = text_width(branch, canvas) + 2 * pad;
        double note =
            branch->note ? pad + canvas->measure(canvas, note_style, branch->note) : 0;
        layout->width = fmax(layout->width, box->x + box->width + note);
    }
}

/* A row for each end; a branch stands in that of its first child. */
static void place_rows(BranchesLayout *layout, int b, double high, double *row) {
    const Branches *branches = layout->branches;
    Box *box = &layout->box[b];
    box->y = *row;
    box->height = high;
    int child = branches_next(branches, b, -1);
    if (child < 0) *row += high + rise;
    for (; child >= 0; child = branches_next(branches, b, child))
        place_rows(layout, child, high, row);
}

static void draw_line(const BranchesLayout *layout, Canvas *canvas, Point at, int b) {
    const BranchWord *branch = &layout->branches->branch[b];
    if (branch->parent < 0) return;
    const Box *from = &layout->box[branch->parent];
    const Box *to = &layout->box[b];
    double middle = floor(at.x + to->x - apart / 2) + part;
    double start = floor(at.y + from->y + from->height / 2) + part;
    double end = floor(at.y + to->y + to->height / 2) + part;
    const Point way[] = {{at.x + from->x + from->width, start},
                         {middle, start},
                         {middle, end},
                         {at.x + to->x, end}};
    canvas->line(canvas, way, 4, branch->wins ? thick : thin);
}

static void draw_box(const BranchesLayout *layout, Canvas *canvas, Point at, int b) {
    const BranchWord *branch = &layout->branches->branch[b];
    Box box = layout->box[b];
    box.x = floor(at.x + box.x);
    box.y = floor(at.y + box.y);
    const Point corner[] = {{box.x + part, box.y + part},
                            {box.x + box.width + part, box.y + part},
                            {box.x + box.width + part, box.y + box.height + part},
                            {box.x + part, box.y + box.height + part},
                            {box.x + part, box.y + part}};
    bool plain = branch->end == BRANCH_GROWN;
    Color paper = branch->wins && plain ? color_of_winner : colors[branch->end];
    canvas->fill(canvas, box, theme_color(canvas->theme, paper));
    canvas->line(canvas, corner, 5, branch->wins ? thick : thin);
    double y = box.y + box.height / 2;
    canvas->text(canvas, (Point){box.x + pad, y}, (Style){.bold = branch->wins},
                 branch->label);
    Style share = share_style;
    share.align = ALIGN_END;
    canvas->text(canvas, (Point){box.x + box.width - pad, y}, share, branch->share);
    Style note = note_style;
    note.bold = branch->wins;
    if (branch->note)
        canvas->text(canvas, (Point){box.x + box.width + pad, y}, note, branch->note);
}

static void draw(const BranchesLayout *layout, Canvas *canvas, Point at) {
    for (int b = 0; b < layout->branches->count; b++) draw_line(layout, canvas, at, b);
    for (int b = 0; b < layout->branches->count; b++) draw_box(layout, canvas, at, b);
}

BranchesLayout branches_plan_picture(const Branches *branches, Canvas *canvas,
                                     Arena *arena) {
    BranchesLayout layout = {.branches = branches, .draw = draw};
    layout.box = ARENA_ARRAY(arena, Box, branches->count);
    double row = 0;
    place_columns(&layout, canvas, arena);
    place_rows(&layout, 0, round(1.45 * canvas->metrics.line), &row);
    layout.height = row - rise + 1;
    layout.width += 2;
    return layout;
}
