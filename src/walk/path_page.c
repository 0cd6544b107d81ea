#include "walk/path_page.h"

#include <string.h>

#include "base/language.h"
#include "canvas/look.h"
#include "explain/drawing.h"
#include "text/unicode.h"

/* Limits of a stop in a terminal of 80 columns and 24 lines. */
enum { STOP_LINES = 22, STOP_WIDTH = 78 };

static int lines_of(const char *text, int width) {
    int lines = 0;
    for (size_t length; (length = look_fold(text, width)) > 0; lines++) {
        text += length;
        text += strspn(text, " ");
    }
    return lines;
}

int path_lines_left(const Here *here, const Page *page) {
    enum { INDENT = 2, FORMULA_INDENT = 4 };
    int left = page->window && page->window->stop_lines ? page->window->stop_lines
                                                        : STOP_LINES;
    const Block *from = page->first;
    for (const Block *block = page->first; block; block = block->next)
        if (block->kind == BLOCK_HEADING) from = block;
    for (; from; from = from->next) {
        bool is_formula = from->kind == BLOCK_FORMULA;
        left -= is_formula                    ? 0
                : from->kind == BLOCK_HEADING ? 2 /* and the blank line before it */
                : from->kind == BLOCK_PROSE ? lines_of(from->text, STOP_WIDTH - INDENT)
                                            : 1;
        for (int l = 0; is_formula && l < from->formula.count; l++)
            left -= lines_of(from->formula.line[l], STOP_WIDTH - FORMULA_INDENT);
    }
    if (!here->text) return left;
    left -= 1 + lines_of(trf(page->arena, "Here: %s", here->text), STOP_WIDTH - 2);
    if (here->command)
        left -= lines_of(arena_print(page->arena, "%s: %s", tr("Try"), here->command),
                         STOP_WIDTH - 2);
    return left;
}

/* Return the index along axis `a` of the cell that `here` is about, or -1. */
static int told_along(const Slice *slice, int a, const Here *here) {
    const char *name = slice->tensor->axis[a].name;
    int axis = here->tensor ? tensor_axis(here->tensor, name) : -1;
    return axis < 0 ? -1 : tensor_index(here->tensor, axis, here->cell);
}

/* Limit axis `a` of the slice to `max` positions: the first or the last ones, or those
 * around `told` if it is not one of them (-1: none). Return the original number. */
static int narrow(Slice *slice, int a, int max, int told, bool first) {
    int size = slice->to[a] - slice->from[a];
    if (size <= max) return size;
    int from = first ? 0 : size - max;
    if (told >= 0) told -= slice->from[a];
    if (told >= 0 && (told < from || told >= from + max)) {
        from = told > max / 2 ? told - max / 2 : 0;
        if (from > size - max) from = size - max;
    }
    slice->from[a] += from;
    slice->to[a] = slice->from[a] + max;
    return size;
}

/* Return how many columns of numbers fit next to labels and sums. */
static int columns_that_fit(const PathStop *stop, const Tensor *tensor,
                            const Page *page) {
    enum { LABEL_MAX = 16, SUMS = 8, CELL = 6 };
    int widest = 0;
    const int columns = page->window && page->window->stop_columns
                            ? page->window->stop_columns
                            : STOP_WIDTH;
    for (int t = 0; t < tensor->axis[tensor->rank - 2].size; t++) {
        int width = unicode_width(
            stage_view_full_label(stop->view, tensor, tensor->rank - 2, t));
        if (width > widest) widest = width;
    }
    if (widest > LABEL_MAX) widest = LABEL_MAX;
    return (columns - widest - 1 - SUMS) / CELL;
}

static void say_heatmap(const PathStop *stop, const Slice *shown, int rows,
                        Page *page) {
    Arena *arena = page->arena;
    Slice *slice = ARENA_ARRAY(arena, Slice, 1);
    *slice = *shown;
    const Tensor *tensor = slice->tensor;
    int last = tensor->rank - 1;
    int all_rows =
        narrow(slice, last - 1, rows, told_along(slice, last - 1, stop->here), false);
    int all_columns = narrow(slice, last, columns_that_fit(stop, tensor, page),
                             told_along(slice, last, stop->here), true);
    Figure figure =
        drawing_new(&stop->story->record, slice, 1, stop->story->palette, arena);
    const unsigned char **marked = ARENA_ARRAY(arena, const unsigned char *, 1);
    marked[0] = followed_marks(stop->view, stop->followed, tensor);
    figure.marked = marked;
    figure.is_compact = true;
    figure.row_sums = figure.scale == SCALE_SHARES; /* also for partially shown rows */
    figure.look.title = "none";                     /* the heading has the title */
    page_figure(page, &figure);
    int rows_shown = slice->to[last - 1] - slice->from[last - 1];
    int columns_shown = slice->to[last] - slice->from[last];
    int head = tensor_axis(tensor, "head");
    int heads = head < 0 ? 1 : tensor->axis[head].size;
    bool is_whole = rows_shown == all_rows && columns_shown == all_columns;
    const char *which =
        heads > 1 ? trf(arena, "head %d of 0 to %d", stop->head, heads - 1) : "";
    const char *part = is_whole ? ""
                                : trf(arena, "%d of %d rows, %d of %d columns",
                                      rows_shown, all_rows, columns_shown, all_columns);
    if (*which || *part)
        page_hint(page,
                  arena_print(arena, "%s%s%s; %s", which, *which && *part ? "; " : "",
                              part, tr("all")),
                  ":heat");
}

static NumbersBlock numbers_of(const PathStop *stop, const Tensor *tensor) {
    return (NumbersBlock){.slice = slice_all(tensor),
                          .digits = stop->story->digits,
                          .columns_max = stop->story->columns,
                          .all = ":show"};
}

/* Show what the query looks for, what the key offers and the value it passes on, in the
 * followed head. The rows come from different tensors, and from different columns if
 * heads share a key, so copy them into one tensor. */
static void say_roles(const PathStop *stop, Page *page) {
    Arena *arena = page->arena;
    const Stage *stage = stop->stage;
    const Tensor *of = stage->tensor[0];
    const char **label = ARENA_ARRAY(arena, const char *, stage->tensors);
    int first = 0;
    const int columns = followed_columns(stop->followed, of, &first);
    const bool has_heads = columns < tensor_row(of) || of->rank == 4;
    Tensor *rows = tensor_new(
        arena, of->name, 2,
        (Axis[]){{.name = has_heads ? arena_print(arena, "head %d", stop->head) : "row",
                  .size = stage->tensors,
                  .labels = label,
                  .label_rows = 1},
                 {.name = has_heads ? "d_head" : of->axis[of->rank - 1].name,
                  .size = columns}});
    rows->short_name = of->short_name;
    for (int t = 0; t < stage->tensors; t++) {
        const Tensor *tensor = stage->tensor[t];
        label[t] = arena_print(
            arena, "%s %s", stage->called[t],
            stage_view_full_label(stop->view, tensor, tensor->rank - 2,
                                  followed_in_tensor(stop->followed, tensor)));
        memcpy(rows->data + t * columns,
               tensor->data + followed_cell(stop->followed, tensor),
               (size_t)columns * sizeof *rows->data);
    }
    NumbersBlock numbers = numbers_of(stop, rows);
    page_say(page, (Block){.kind = BLOCK_NUMBERS, .numbers = numbers});
}

static void say_table(const PathStop *stop, const Slice *shown, int rows, Page *page) {
    enum { BEFORE = 2 }; /* columns before the marked one */
    Arena *arena = page->arena;
    const Tensor *tensor = shown->tensor;
    NumbersBlock numbers = numbers_of(stop, tensor);
    numbers.slice = *shown;
    int axis = tensor->rank > 1 ? tensor->rank - 2 : 0;
    int token = tensor->rank == 3 && stop->here->tensor != tensor
                    ? followed_token(stop->view, tensor)
                    : told_along(shown, axis, stop->here);
    if (tensor->rank > 1)
        numbers.rows_left_out = narrow(&numbers.slice, axis, rows, token, false) -
                                (numbers.slice.to[axis] - numbers.slice.from[axis]);
    numbers.moments = story_is_centred(stop->story, tensor);
    numbers.marked = followed_marks(stop->view, stop->followed, tensor);
    if (numbers.marked)
        followed_columns(stop->followed, tensor, &numbers.column_first);
    else {
        if (stop->here->tensor == tensor) {
            const int cell = stop->here->cell;
            const int column = tensor_index(tensor, tensor->rank - 1, cell);
            unsigned char *marked =
                ARENA_ARRAY(arena, unsigned char, tensor_size(tensor));
            memset(marked + cell - column, 1, (size_t)tensor_row(tensor));
            numbers.column_first = column - BEFORE;
            numbers.marked = marked;
        }
        if (numbers.column_first < 0) numbers.column_first = 0;
    }
    page_say(page, (Block){.kind = BLOCK_NUMBERS, .numbers = numbers});
}

/* Return the mean cosine between the rows of two tensors over the story's tokens. */
static double likeness(const StageView *view, const Tensor *a, const Tensor *b) {
    int tokens = stage_view_tokens(view, a, 1);
    double sum = 0;
    for (int t = 0; t < tokens; t++)
        sum += row_cosine(a->data + stage_view_row(view, a, t),
                          b->data + stage_view_row(view, b, t), tensor_row(a));
    return tokens ? sum / tokens : 0;
}

/* Show how much each layer changes: cosine of its output with its input, and with the
 * input of the stack. */
static void say_layers(const PathStop *stop, int rows, Page *page) {
    static const char *const headings[] = {N_("layer"), N_("cosine with its input"),
                                           N_("with the input of layer 0"), NULL};
    Arena *arena = page->arena;
    const Tape *run = stop->story->record.run;
    const Stage *stage = stop->stage;
    const Tensor *input = tape_find(run, arena_print(arena, "%s.input", stage->stack));
    if (!input)
        input = tape_find(run, arena_print(arena, "%s.embedding", stage->stack));
    const Tensor *before = input;
    TableWriter writer = table_begin(headings, arena);
    for (int layer = 0; before; layer++) {
        const Tensor *output = path_layer_output(run, stage->stack, layer);
        if (!output || !tensor_same_shape(output, input)) break;
        table_print(&writer, "%d", layer);
        table_print(&writer, "%.2f", likeness(stop->view, before, output));
        table_print(&writer, "%.2f", likeness(stop->view, input, output));
        before = output;
    }
    /* The remark on omitted rows takes two lines. */
    if (writer.table.rows > rows) writer.table.rows_max = rows - 2;
    page_gap(page);
    page_table(page, &writer.table);
}

void path_say_picture(const PathStop *stop, Page *page) {
    enum { TABLE_MIN = 3 };
    /* Lines around the rows: a blank line, labels, and the remark on omitted rows. */
    enum { AROUND_HEATMAP = 3, AROUND_TABLE = 3, AROUND_BARS = 3 };
    const Story *story = stop->story;
    const Stage *stage = stop->stage;
    const StopWords *kind = path_words(stage, &story->model->config);
    const Tensor *tensor = path_main_tensor(stage);
    const Slice shown = story_slice(story, tensor, stop->head, page->arena);
    int room = path_lines_left(stop->here, page);
    if (room < AROUND_TABLE + TABLE_MIN) room = AROUND_TABLE + TABLE_MIN;
    switch (stage->kind->look) {
    case LOOK_HEATMAP:
        say_heatmap(stop, &shown, room - AROUND_HEATMAP, page);
        return;
    case LOOK_BARS: {
        int around = stop->here->tensor == tensor && tensor->rank == 3
                         ? tensor_index(tensor, 1, stop->here->cell)
                         : -1;
        ranking_say_places(story, tensor, (Places){around, room - AROUND_BARS},
                           story->digits, page);
        return;
    }
    case LOOK_TABLES:
        say_roles(stop, page);
        return;
    case LOOK_TABLE:
        if (kind && kind->tells_layers)
            say_layers(stop, room - AROUND_TABLE, page);
        else
            say_table(stop, &shown, room - AROUND_TABLE, page);
    }
}
