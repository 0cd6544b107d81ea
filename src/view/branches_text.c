#include <math.h>

#include "text/unicode.h"
#include "view/branches.h"
#include "view/palette.h"

/* What leads to a branch, and past it, by how many cells there are for it. */
enum { STEPS = 3, ROOM = 26 };
static const char *const forks[] = {"├", "├ ", "├─ "};
static const char *const lasts[] = {"└", "└ ", "└─ "};
static const char *const rails[] = {"│", "│ ", "│  "};
static const char *const blanks[] = {" ", "  ", "   "};

static const char *const marks[BRANCH_ENDS] = {[BRANCH_GROWN] = "",
                                               [BRANCH_FINISHED] = "■",
                                               [BRANCH_PRUNED] = "✂",
                                               [BRANCH_LEFT] = "…"};

static const char joint[] = " ─ ";

typedef struct {
    BranchesLayout layout;
    Arena *arena;
    int most;           /* cells of a line */
    int step;           /* how the tables above are read */
    int x, y;           /* where the next text stands */
    const char *behind; /* what stands in front of a line that goes on */
} Writer;

static void put(Writer *writer, const char *text, Style style) {
    BranchesLayout *layout = &writer->layout;
    int room = writer->most - writer->x;
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

/* Behind what is there, or where it does not fit on the next line. */
static void put_part(Writer *writer, const char *between, const char *text,
                     Style style) {
    int needed = unicode_width(between) + unicode_width(text);
    if (writer->x + needed > writer->most) {
        next_line(writer, writer->behind);
        between = "";
    }
    put(writer, between, (Style){.faint = true});
    put(writer, text, style);
}

static void put_branch(Writer *writer, const BranchWord *branch, const char *between) {
    const Style style = {.bold = branch->wins, .faint = branch->end == BRANCH_PRUNED};
    const char *text = *branch->share ? arena_print(writer->arena, "%s %s",
                                                    branch->label, branch->share)
                                      : branch->label;
    put_part(writer, between, text, style);
    const char *note = branch->note ? branch->note : "";
    if (branch->end != BRANCH_GROWN)
        put_part(writer, " ",
                 arena_print(writer->arena, "%s%s%s", marks[branch->end],
                             *note ? " " : "", note),
                 style);
}

/* The last branch of those that follow `b` without a fork. */
static int end_of_chain(const Branches *branches, int b) {
    for (;;) {
        int child = branches_next(branches, b, -1);
        if (child < 0 || branches_next(branches, b, child) >= 0) return b;
        b = child;
    }
}

/* `b` and what follows it: the line begins with `first`, those below with `before`. */
static void write_branch(Writer *writer, int b, const char *first, const char *before) {
    const Branches *branches = writer->layout.branches;
    int last = end_of_chain(branches, b);
    bool forks_on = branches_next(branches, last, -1) >= 0;
    writer->behind = arena_print(writer->arena, "%s%s  ", before, forks_on ? "│" : " ");
    next_line(writer, first);
    put_branch(writer, &branches->branch[b], "");
    for (int next = b; next != last;) {
        next = branches_next(branches, next, -1);
        put_branch(writer, &branches->branch[next], joint);
    }
    int step = writer->step;
    for (int child = branches_next(branches, last, -1); child >= 0;) {
        int after = branches_next(branches, last, child);
        bool is_last = after < 0;
        const char *own = arena_print(writer->arena, "%s%s", before,
                                      is_last ? lasts[step] : forks[step]);
        const char *below = arena_print(writer->arena, "%s%s", before,
                                        is_last ? blanks[step] : rails[step]);
        write_branch(writer, child, own, below);
        child = after;
    }
}

/* How many forks lie on the longest way below `b`. */
static int count_forks(const Branches *branches, int b) {
    int last = end_of_chain(branches, b);
    int most = 0;
    for (int child = branches_next(branches, last, -1); child >= 0;
         child = branches_next(branches, last, child)) {
        int forks_below = 1 + count_forks(branches, child);
        if (forks_below > most) most = forks_below;
    }
    return most;
}

static void draw(const BranchesLayout *layout, Canvas *canvas, Point at) {
    for (int t = 0; t < layout->texts; t++) {
        const BranchText *text = &layout->text[t];
        canvas->text(canvas, (Point){at.x + text->at.x, at.y + text->at.y}, text->style,
                     text->text);
    }
}

BranchesLayout branches_plan_text(const Branches *branches, Canvas *canvas,
                                  Arena *arena) {
    Writer writer = {.layout = {.branches = branches, .draw = draw},
                     .arena = arena,
                     .most = (int)canvas->metrics.most,
                     .step = STEPS - 1};
    int deep = count_forks(branches, 0);
    while (writer.step > 0 && deep * (writer.step + 1) + ROOM > writer.most)
        writer.step--;
    write_branch(&writer, 0, "", "");
    writer.layout.height = writer.y + 1;
    return writer.layout;
}
