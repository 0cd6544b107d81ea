#include "chart/branch_tree.h"

#include <math.h>

#include "canvas/palette.h"
#include "text/unicode.h"

/* Pixels. */
static const double pad = 8;    /* inside a box, beside its text */
static const double apart = 34; /* between boxes, for the lines */
static const double rise = 9;   /* between rows */
static const double part = 0.5; /* lines are in the middle of a pixel */

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

/* What is drawn before and beside a branch, for widths of 1 to 3 cells. */
enum { BRANCH, LAST_FORK, RAIL, BLANK, STEPS = 3, ROOM = 26 };
static const char *const leads[][STEPS] = {[BRANCH] = {"├", "├ ", "├─ "},
                                           [LAST_FORK] = {"└", "└ ", "└─ "},
                                           [RAIL] = {"│", "│ ", "│  "},
                                           [BLANK] = {" ", "  ", "   "}};

static const char *const marks[BRANCH_ENDS] = {[BRANCH_GROWN] = "",
                                               [BRANCH_FINISHED] = "■",
                                               [BRANCH_PRUNED] = "✂",
                                               [BRANCH_LEFT] = "…"};

static const char joint[] = " ─ ";

/* Return the next child of `parent` after `child` (-1: the first), or -1. */
static int next_child(const BranchTree *branches, int parent, int child) {
    /* Children come after their parents. */
    for (int b = child < 0 ? parent + 1 : child + 1; b < branches->count; b++)
        if (branches->branch[b].parent == parent) return b;
    return -1;
}

/* Give each leaf a row; a branch is in the row of its first child. */
static void place_rows(BranchTreeLayout *layout, int b, double high, double *row) {
    const BranchTree *branches = layout->branches;
    Box *box = &layout->box[b];
    box->y = *row;
    box->height = high;
    int child = next_child(branches, b, -1);
    if (child < 0) *row += high + rise;
    for (; child >= 0; child = next_child(branches, b, child))
        place_rows(layout, child, high, row);
}

static void draw_picture(const BranchTreeLayout *layout, Canvas *canvas, Point at) {
    for (int b = 0; b < layout->branches->count; b++) {
        const BranchWord *branch = &layout->branches->branch[b];
        if (branch->parent < 0) continue;
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
    for (int b = 0; b < layout->branches->count; b++) {
        const BranchWord *branch = &layout->branches->branch[b];
        Box box = layout->box[b];
        box.x = floor(at.x + box.x);
        box.y = floor(at.y + box.y);
        bool plain = branch->end == BRANCH_GROWN;
        Color paper = branch->wins && plain ? color_of_winner : colors[branch->end];
        canvas->fill(canvas, box, theme_color(canvas->theme, paper));
        canvas_outline(canvas, (Box){box.x + part, box.y + part, box.width, box.height},
                       0, branch->wins ? thick : thin);
        double y = box.y + box.height / 2;
        canvas->text(canvas, (Point){box.x + pad, y}, (Style){.bold = branch->wins},
                     branch->label);
        Style share = share_style;
        share.align = ALIGN_END;
        canvas->text(canvas, (Point){box.x + box.width - pad, y}, share, branch->share);
        Style note = note_style;
        note.bold = branch->wins;
        if (branch->note)
            canvas->text(canvas, (Point){box.x + box.width + pad, y}, note,
                         branch->note);
    }
}

typedef struct {
    BranchTreeLayout layout;
    Arena *arena;
    int max;           /* cells per line */
    int step;          /* width of a lead */
    int x, y;          /* where the next text starts */
    const char *after; /* prefix of continuation lines */
} Writer;

static void put(Writer *writer, const char *text, Style style) {
    BranchTreeLayout *layout = &writer->layout;
    int room = writer->max - writer->x;
    if (room <= 0) return;
    text = unicode_cut(text, room, writer->arena);
    ARENA_GROW(writer->arena, layout->text, layout->texts, layout->capacity);
    layout->text[layout->texts++] =
        (BranchText){.at = {writer->x, writer->y}, .style = style, .text = text};
    writer->x += unicode_width(text);
    layout->width = fmax(layout->width, writer->x);
}

static void next_line(Writer *writer, const char *before) {
    if (writer->layout.texts) writer->y++;
    writer->x = 0;
    put(writer, before, (Style){.faint = true});
}

/* Add a part after the previous one, or on the next line if it does not fit. */
static void put_part(Writer *writer, const char *between, const char *text,
                     Style style) {
    int needed = unicode_width(between) + unicode_width(text);
    if (writer->x + needed > writer->max) {
        next_line(writer, writer->after);
        between = "";
    }
    put(writer, between, (Style){.faint = true});
    put(writer, text, style);
}

static void put_branch(Writer *writer, const BranchWord *branch, const char *between) {
    const Style style = {.bold = branch->wins, .faint = branch->end == BRANCH_PRUNED};
    const char *space = *branch->share ? " " : "";
    put_part(writer, between,
             arena_print(writer->arena, "%s%s%s", branch->label, space, branch->share),
             style);
    if (branch->end == BRANCH_GROWN) return;
    const char *note = branch->note ? branch->note : "";
    put_part(writer, " ",
             arena_print(writer->arena, "%s%s%s", marks[branch->end], *note ? " " : "",
                         note),
             style);
}

/* Return the last branch that follows `b` without a branch. */
static int end_of_chain(const BranchTree *branches, int b) {
    for (;;) {
        int child = next_child(branches, b, -1);
        if (child < 0 || next_child(branches, b, child) >= 0) return b;
        b = child;
    }
}

/* Write `b` and everything after it: the first line starts with `first`, the others
 * with `before`. */
static void write_branch(Writer *writer, int b, const char *first, const char *before) {
    const BranchTree *branches = writer->layout.branches;
    int last = end_of_chain(branches, b);
    int child = next_child(branches, last, -1);
    writer->after =
        arena_print(writer->arena, "%s%s  ", before, child >= 0 ? "│" : " ");
    next_line(writer, first);
    put_branch(writer, &branches->branch[b], "");
    while (b != last) {
        b = next_child(branches, b, -1);
        put_branch(writer, &branches->branch[b], joint);
    }
    while (child >= 0) {
        int after = next_child(branches, last, child);
        const char *own = leads[after < 0 ? LAST_FORK : BRANCH][writer->step];
        const char *below = leads[after < 0 ? BLANK : RAIL][writer->step];
        write_branch(writer, child, arena_print(writer->arena, "%s%s", before, own),
                     arena_print(writer->arena, "%s%s", before, below));
        child = after;
    }
}

/* Return the number of branches on the longest path below `b`. */
static int count_branches(const BranchTree *branches, int b) {
    int last = end_of_chain(branches, b);
    int max = 0;
    for (int child = next_child(branches, last, -1); child >= 0;
         child = next_child(branches, last, child)) {
        int branches_below = 1 + count_branches(branches, child);
        if (branches_below > max) max = branches_below;
    }
    return max;
}

static void draw_text(const BranchTreeLayout *layout, Canvas *canvas, Point at) {
    for (int t = 0; t < layout->texts; t++) {
        const BranchText *text = &layout->text[t];
        canvas->text(canvas, (Point){at.x + text->at.x, at.y + text->at.y}, text->style,
                     text->text);
    }
}

static BranchTreeLayout plan_text(const BranchTree *branches, Canvas *canvas) {
    Writer writer = {.layout = {.branches = branches, .draw = draw_text},
                     .arena = canvas->arena,
                     .max = (int)canvas->metrics.max,
                     .step = STEPS - 1};
    int deep = count_branches(branches, 0);
    while (writer.step > 0 && deep * (writer.step + 1) + ROOM > writer.max)
        writer.step--;
    write_branch(&writer, 0, "", "");
    writer.layout.height = writer.y + 1;
    return writer.layout;
}

BranchTreeLayout branch_tree_plan(const BranchTree *branches, Canvas *canvas) {
    if (canvas->metrics.characters) return plan_text(branches, canvas);
    int count = branches->count;
    BranchTreeLayout layout = {.branches = branches,
                               .draw = draw_picture,
                               .box = ARENA_ARRAY(canvas->arena, Box, count)};
    /* Words at the same position in a sentence are aligned vertically. */
    int *depth = ARENA_ARRAY(canvas->arena, int, count); /* number of words before it */
    double *width = ARENA_ARRAY(canvas->arena, double, count);
    double *left = ARENA_ARRAY(canvas->arena, double, count + 1);
    for (int b = 0; b < count; b++) {
        const BranchWord *branch = &branches->branch[b];
        double words =
            canvas->measure(canvas, (Style){.bold = branch->wins}, branch->label);
        if (*branch->share)
            words += pad + canvas->measure(canvas, share_style, branch->share);
        if (b > 0) depth[b] = depth[branch->parent] + 1;
        layout.box[b].width = ceil(words) + 2 * pad;
        width[depth[b]] = fmax(width[depth[b]], layout.box[b].width);
    }
    for (int d = 0; d < count; d++) left[d + 1] = left[d] + width[d] + apart;
    for (int b = 0; b < count; b++) {
        Box *box = &layout.box[b];
        const char *note = branches->branch[b].note;
        box->x = left[depth[b]];
        layout.width =
            fmax(layout.width,
                 box->x + box->width +
                     (note ? pad + canvas->measure(canvas, note_style, note) : 0));
    }
    double row = 0;
    place_rows(&layout, 0, round(1.45 * canvas->metrics.line), &row);
    layout.height = row - rise + 1;
    layout.width += 2;
    return layout;
}
