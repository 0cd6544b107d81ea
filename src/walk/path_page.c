#include "walk/path_page.h"

#include <string.h>

#include "base/builder.h"
#include "base/language.h"
#include "canvas/look.h"
#include "explain/drawing.h"
#include "explain/formula.h"
#include "text/unicode.h"

/* Limits of a stop in a terminal of 80 columns and 24 lines. */
enum { STOP_LINES = 22, STOP_WIDTH = 78, FORMULAS_MOST = 5 };

/* The stages of a stop: on the path, the preceding stages that it includes, the stage
 * itself, and possibly the following one. */
typedef struct {
    const Stage *first, *last;
} Told;

static Told told_by(const PathStop *stop) {
    const Walk *walk = stop->place->walk;
    const Stage *stage = stop->stage;
    const StopWords *kind = path_words(stage, &stop->story->model->config);
    Told told = {stage, stage};
    if (!kind || stop->place->depth != DEPTH_PATH) return told;
    while (kind->covers && told.first > walk->stage &&
           strcmp(told.first[-1].place, stage->place) == 0 &&
           stage_lists(kind->covers, told.first[-1].kind->name))
        told.first--;
    if (kind->then && told.last + 1 < walk->stage + walk->count &&
        strcmp(told.last[1].place, stage->place) == 0 &&
        strcmp(told.last[1].kind->name, kind->then) == 0)
        told.last++;
    return told;
}

static int add_formulas(const PathStop *stop, const Stage *stage, const char **line,
                        int lines, int most, Arena *arena) {
    for (int t = 0; t < stage->tensors && lines < most; t++) {
        const Step *step = record_step(&stop->story->record, stage->tensor[t]);
        bool is_new = step != NULL;
        if (!step) continue;
        line[lines] = formula_print(step, stage->place, arena);
        for (int l = 0; l < lines; l++)
            is_new = is_new && strcmp(line[l], line[lines]) != 0;
        lines += is_new;
    }
    return lines;
}

/* Collect the formulas of all stages of the stop. For a table of parts, or if there are
 * too many, collect a few: of the first stage, or of the stop's own and the next. */
static int formulas_of(const PathStop *stop, const Told *told, const char **line,
                       Arena *arena) {
    enum { FEW = 3 };
    int lines = 0;
    int tensors = 0;
    if (stop->stage->kind->look == LOOK_TABLES)
        return add_formulas(stop, told->first, line, lines, FEW, arena);
    for (const Stage *s = told->first; s <= told->last; s++) tensors += s->tensors;
    bool is_many = tensors > FORMULAS_MOST;
    for (const Stage *s = is_many ? stop->stage : told->first; s <= told->last; s++)
        lines =
            add_formulas(stop, s, line, lines, is_many ? FEW : FORMULAS_MOST, arena);
    return lines;
}

/* "[4, 11, 24]", without the batch axis of a single sentence. */
static void build_shape(Builder *out, const Tensor *tensor) {
    const char *comma = "";
    build_text(out, "[");
    for (int a = 0; a < tensor->rank; a++) {
        if (a == 0 && tensor->axis[a].size == 1 && tensor->rank > 1) continue;
        build(out, "%s%d", comma, tensor->axis[a].size);
        comma = ", ";
    }
    build_text(out, "]");
}

static bool same_shape(const Tensor *a, const Tensor *b) {
    if (a->rank != b->rank) return false;
    for (int i = 0; i < a->rank; i++)
        if (a->axis[i].size != b->axis[i].size) return false;
    return true;
}

/* Return the short name, or the full address if the tensor comes from another stack. */
static const char *name_of(const PathStop *stop, const Tensor *tensor) {
    const Tape *run = stop->story->record.run;
    const char *stack = stop->stage->stack;
    const char *name = tensor->short_name;
    for (int e = 0; e < run->entries; e++)
        if (run->entry[e].tensor == tensor)
            name = strcmp(run->entry[e].where.stack, stack) == 0
                       ? run->entry[e].name
                       : run->entry[e].address;
    return name;
}

/* "query, key [4, 11, 24]": list consecutive tensors of one shape with a single shape,
 * and list equal names, such as an LSTM's states, once. */
static void build_tensors(const PathStop *stop, Builder *out,
                          const Tensor *const *tensor, int count) {
    for (int t = 0; t < count; t++) {
        const Tensor *next = t + 1 < count ? tensor[t + 1] : NULL;
        if (next && strcmp(name_of(stop, tensor[t]), name_of(stop, next)) == 0)
            continue;
        build_text(out, name_of(stop, tensor[t]));
        if (!next || !same_shape(tensor[t], next)) {
            build_text(out, " ");
            build_shape(out, tensor[t]);
        }
        if (next) build_text(out, ", ");
    }
}

/* Return the output of layer `layer` of the stack, which the next layer reads, or NULL.
 */
static const Tensor *output_of_layer(const Tape *run, const char *stack, int layer) {
    const Tensor *last = NULL;
    for (int e = 0; e < run->entries; e++)
        if (run->entry[e].where.layer == layer &&
            strcmp(run->entry[e].where.stack, stack) == 0 &&
            run->entry[e].tensor->rank == 3)
            last = run->entry[e].tensor;
    return last;
}

enum { INPUTS_MOST = 4 };

static bool is_of(const Told *told, const Tensor *tensor) {
    for (const Stage *s = told->first; s <= told->last; s++)
        for (int t = 0; t < s->tensors; t++)
            if (s->tensor[t] == tensor) return true;
    return false;
}

/* Return true if the tensor was computed in the run, so it is not a weight. */
static bool tape_holds(const Tape *run, const Tensor *tensor) {
    for (int e = 0; e < run->entries; e++)
        if (run->entry[e].tensor == tensor) return true;
    return false;
}

/* Collect the tensors that the stages read but did not compute, except weights. */
static int inputs_of(const PathStop *stop, const Told *told, const Tensor **input) {
    const Record *record = &stop->story->record;
    int count = 0;
    for (const Stage *s = told->first; s <= told->last; s++)
        for (int t = 0; t < s->tensors; t++) {
            const Step *step = record_step(record, s->tensor[t]);
            for (int i = 0; step && i < step->inputs && count < INPUTS_MOST; i++) {
                const Tensor *read = step->input[i];
                bool is_weight = !tape_holds(record->run, read);
                bool is_mask = told->first != told->last &&
                               strcmp(read->short_name, "padding_mask") == 0;
                bool is_new = !is_weight && !is_mask && !is_of(told, read);
                for (int k = 0; k < count; k++) is_new = is_new && input[k] != read;
                if (is_new) input[count++] = read;
            }
        }
    return count;
}

/* Return the tensor that the next stop reads: the last of those with the most axes. */
static const Tensor *main_tensor(const Stage *stage) {
    const Tensor *found = stage->tensor[0];
    for (int t = 1; t < stage->tensors; t++)
        if (stage->tensor[t]->rank >= found->rank) found = stage->tensor[t];
    return found;
}

/* "query, key [4, 11, 24] → scaled [4, 11, 11]: head, query, key" */
static const char *shapes_line(const PathStop *stop, const Told *told, Arena *arena) {
    Builder out = {.arena = arena};
    const Stage *stage = stop->stage;
    const Tensor *input[INPUTS_MOST];
    const Tensor *shown[STAGE_PARTS];
    const StopWords *kind = path_words(stage, &stop->story->model->config);
    int inputs = inputs_of(stop, told, input);
    if (kind &&
        kind->tells_layers) { /* the other layers read the output of the first */
        input[0] = output_of_layer(stop->story->record.run, stage->stack, 0);
        inputs = input[0] != NULL;
    }
    int count = 0;
    if (inputs) build_tensors(stop, &out, input, inputs);
    if (inputs) build_text(&out, " → ");
    for (int t = 0; stage->kind->look == LOOK_TABLES && t < stage->tensors; t++)
        shown[count++] = stage->tensor[t];
    if (!count) shown[count++] = main_tensor(stage);
    build_tensors(stop, &out, shown, count);
    const Tensor *last = shown[count - 1];
    if (told->last > stage) {
        last = told->last->tensor[told->last->tensors - 1];
        build_text(&out, " → ");
        build_tensors(stop, &out, &last, 1);
    }
    const char *comma = ": ";
    for (int a = last->rank > 1 && last->axis[0].size == 1; a < last->rank; a++) {
        build(&out, "%s%s", comma, last->axis[a].name);
        comma = ", ";
    }
    return builder_text(&out);
}

void path_say_shapes(const PathStop *stop, Page *page) {
    const Told told = told_by(stop);
    const char *line[FORMULAS_MOST + 1];
    const StopWords *kind = path_words(stop->stage, &stop->story->model->config);
    bool has_formulas = !kind || !kind->tells_layers;
    int lines = has_formulas ? formulas_of(stop, &told, line, page->arena) : 0;
    line[lines++] = shapes_line(stop, &told, page->arena);
    const char **kept = ARENA_ARRAY(page->arena, const char *, lines);
    for (int l = 0; l < lines; l++) kept[l] = line[l];
    page_say(page, (Block){.kind = BLOCK_FORMULA,
                           .formula = {kept, lines, .is_close = true}});
}

static int lines_of(const char *text, int width) {
    int lines = 0;
    for (size_t length; (length = look_fold(text, width)) > 0; lines++) {
        text += length;
        text += strspn(text, " ");
    }
    return lines;
}

static int lines_of_block(const Block *block) {
    enum { INDENT = 2, FORMULA_INDENT = 4 };
    int lines = 0;
    switch (block->kind) {
    case BLOCK_HEADING:
        return 2; /* and the blank line before it */
    case BLOCK_GAP:
        return 1;
    case BLOCK_FORMULA:
        for (int l = 0; l < block->formula.count; l++)
            lines += lines_of(block->formula.line[l], STOP_WIDTH - FORMULA_INDENT);
        return lines;
    case BLOCK_PROSE:
        return lines_of(block->text, STOP_WIDTH - INDENT);
    default:
        return 1;
    }
}

int path_lines_left(const Here *here, const Page *page) {
    int left = page->window && page->window->stop_lines ? page->window->stop_lines
                                                        : STOP_LINES;
    const Block *from = page->first;
    for (const Block *block = page->first; block; block = block->next)
        if (block->kind == BLOCK_HEADING) from = block;
    for (; from; from = from->next) left -= lines_of_block(from);
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

/* Limit axis `a` of the slice to `most` positions: the last ones, or those around
 * `told` if it is earlier (-1: none). Return the original number. */
static int narrow(Slice *slice, int a, int most, int told) {
    int size = slice->to[a] - slice->from[a];
    if (size <= most) return size;
    if (told >= 0) told -= slice->from[a];
    int from = size - most;
    if (told >= 0 && told < from) from = told > most / 2 ? told - most / 2 : 0;
    slice->from[a] += from;
    slice->to[a] = slice->from[a] + most;
    return size;
}

/* Return how many columns of numbers fit next to labels and sums. */
static int columns_that_fit(const PathStop *stop, const Tensor *tensor,
                            const Page *page) {
    enum { LABEL_MOST = 16, SUMS = 8, CELL = 6 };
    int widest = 0;
    const Telling asked = {stop->story, stop->stage, page->arena};
    const int columns = page->window && page->window->stop_columns
                            ? page->window->stop_columns
                            : STOP_WIDTH;
    for (int t = 0; t < tensor->axis[tensor->rank - 2].size; t++) {
        int width =
            unicode_width(asked_full_label(&asked, tensor, tensor->rank - 2, t));
        if (width > widest) widest = width;
    }
    if (widest > LABEL_MOST) widest = LABEL_MOST;
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
        narrow(slice, last - 1, rows, told_along(slice, last - 1, stop->here));
    int all_columns = narrow(slice, last, columns_that_fit(stop, tensor, page),
                             told_along(slice, last, stop->here));
    Figure figure =
        drawing_new(&stop->story->record, slice, 1, stop->story->palette, arena);
    const unsigned char **marked = ARENA_ARRAY(arena, const unsigned char *, 1);
    const Telling asked = {stop->story, stop->stage, arena};
    marked[0] = followed_marks(&asked, stop->followed, tensor);
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
                          .columns_most = stop->story->columns,
                          .all = ":show"};
}

/* Show what the query looks for, what the key offers and the value it passes on: of the
 * followed head, whose columns differ where heads share a key. The rows come from
 * different tensors, so copy them into one. */
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
    const Telling asked = {stop->story, stage, arena};
    for (int t = 0; t < stage->tensors; t++) {
        const Tensor *tensor = stage->tensor[t];
        label[t] =
            arena_print(arena, "%s %s", stage->called[t],
                        asked_full_label(&asked, tensor, tensor->rank - 2,
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
    const Stage *stage = stop->stage;
    const Tensor *tensor = shown->tensor;
    NumbersBlock numbers = numbers_of(stop, tensor);
    numbers.slice = *shown;
    const Telling asked = {stop->story, stage, arena};
    int axis = tensor->rank > 1 ? tensor->rank - 2 : 0;
    int token = tensor->rank == 3 ? followed_token(&asked, tensor)
                                  : told_along(shown, axis, stop->here);
    if (tensor->rank > 1)
        numbers.rows_left_out = narrow(&numbers.slice, axis, rows, token) -
                                (numbers.slice.to[axis] - numbers.slice.from[axis]);
    numbers.moments = story_is_centred(stop->story, tensor);
    numbers.marked = followed_marks(&asked, stop->followed, tensor);
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
static double likeness(const Telling *asked, const Tensor *a, const Tensor *b) {
    int tokens = asked_tokens(asked, a, 1);
    double sum = 0;
    for (int t = 0; t < tokens; t++)
        sum += row_cosine(a->data + asked_row(asked, a, t),
                          b->data + asked_row(asked, b, t), tensor_row(a));
    return tokens ? sum / tokens : 0;
}

/* Show how much each layer changes: cosine of its output with its input, and with the
 * input of the stack. */
static void say_layers(const PathStop *stop, int rows, Page *page) {
    static const char *const headings[] = {N_("layer"), N_("cosine with its input"),
                                           N_("with the input of layer 0")};
    enum { COLUMNS = sizeof headings / sizeof *headings };
    Arena *arena = page->arena;
    const Tape *run = stop->story->record.run;
    const Stage *stage = stop->stage;
    const Telling asked = {stop->story, stage, arena};
    const Tensor *input = tape_find(run, arena_print(arena, "%s.input", stage->stack));
    if (!input)
        input = tape_find(run, arena_print(arena, "%s.embedding", stage->stack));
    const Tensor *before = input;
    const char **cell = NULL;
    int count = 0;
    int capacity = 0;
    for (int layer = 0; before; layer++) {
        const Tensor *output = output_of_layer(run, stage->stack, layer);
        if (!output || !same_shape(output, input)) break;
        const char *words[] = {
            arena_print(arena, "%d", layer),
            arena_print(arena, "%.2f", likeness(&asked, before, output)),
            arena_print(arena, "%.2f", likeness(&asked, input, output))};
        for (int w = 0; w < COLUMNS; w++) {
            ARENA_GROW(arena, cell, count, capacity);
            cell[count++] = words[w];
        }
        before = output;
    }
    const char **label = ARENA_ARRAY(arena, const char *, COLUMNS);
    for (int w = 0; w < COLUMNS; w++) label[w] = tr(headings[w]);
    page_gap(page);
    page_table(page, &(Table){.rows = count / COLUMNS,
                              .columns = COLUMNS,
                              .column_label = label,
                              .cell = cell,
                              /* the remark on omitted rows takes two lines */
                              .rows_most = count / COLUMNS > rows ? rows - 2 : 0,
                              .all = NULL});
}

void path_say_decoding(const Story *story, Page *page) {
    const Tensor *probabilities = decoded_part(story, 0, "probabilities", page->arena);
    const Tensor *ids = tape_find(story->record.run, "decoder.ids");
    if (!probabilities || !ids) return;
    const int before = ids->axis[1].size - story->generated->count + 1;
    const char **line = ARENA_ARRAY(page->arena, const char *, 1);
    line[0] = trf(page->arena, "step t: ids [%d + t] → probabilities [%d] → one id",
                  before > 1 ? before : 1, tensor_row(probabilities));
    page_say(page,
             (Block){.kind = BLOCK_FORMULA, .formula = {line, 1, .is_close = true}});
}

void path_say_picture(const PathStop *stop, Page *page) {
    enum { LEAST = 3 };
    /* Lines around the rows: a blank line, labels, and the remark on omitted rows. */
    enum { AROUND_HEATMAP = 3, AROUND_TABLE = 3, AROUND_BARS = 3 };
    const Story *story = stop->story;
    const Stage *stage = stop->stage;
    const StopWords *kind = path_words(stage, &story->model->config);
    const Tensor *tensor = main_tensor(stage);
    const Slice shown = story_slice(story, tensor, stop->head, page->arena);
    int room = path_lines_left(stop->here, page);
    if (room < AROUND_TABLE + LEAST) room = AROUND_TABLE + LEAST;
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
