#include "change/toy_say.h"

#include <string.h>

#include "base/language.h"
#include "ops/ops.h"
#include "ops/term.h"

/* As few digits as it needs, four at most: 0.5, 1, 0.3333. */
static const char *number(double value, Arena *arena) {
    return arena_print(arena, "%.4g", value == 0 ? 0 : value);
}

static const char *cell_number(const Tensor *tensor, int cell, Arena *arena) {
    return number((double)tensor->data[cell], arena);
}

static const char *index_label(int index, Arena *arena) {
    return arena_print(arena, "%d", index);
}

/* "(1, 0, 1)" */
static const char *row_text(const Tensor *tensor, int row, Arena *arena) {
    const char *text = "";
    int columns = tensor_row(tensor);
    for (int c = 0; c < columns; c++)
        text = arena_print(arena, "%s%s%s", text, c ? ", " : "",
                           cell_number(tensor, row * columns + c, arena));
    return arena_print(arena, "(%s)", text);
}

/* "1 × 0 + 2 × 3": the terms of the step that made the cell. */
static const char *products(const Tape *tape, const Tensor *tensor, int cell,
                            Arena *arena) {
    const Step *step = &tape->step[tensor->step];
    Explanation explanation = {0};
    step->op->explain(step, cell, arena, &explanation);
    const char *text = "";
    for (int t = 0; t < explanation.count; t++) {
        const Place *place = explanation.term[t].place;
        text = arena_print(arena, "%s%s%s × %s", text, t ? " + " : "",
                           number(term_at(place[0]), arena),
                           number(term_at(place[1]), arena));
    }
    return text;
}

/* A table on its way, cell by cell. */
typedef struct {
    Table table;
    const char **cell, **row_label;
} Sheet;

static Sheet sheet_new(const char *corner, int rows, const char *const *heading,
                       int columns, Arena *arena) {
    Sheet sheet = {.cell = ARENA_ARRAY(arena, const char *, rows *columns),
                   .row_label = ARENA_ARRAY(arena, const char *, rows)};
    for (int r = 0; r < rows; r++) sheet.row_label[r] = index_label(r, arena);
    sheet.table = (Table){.corner = corner,
                          .rows = rows,
                          .columns = columns,
                          .row_label = sheet.row_label,
                          .column_label = heading,
                          .cell = sheet.cell};
    return sheet;
}

/* Each cell of Z = X W with its sum. */
static void say_projection(const Tape *tape, const char *name, const char *formula,
                           Page *page) {
    Arena *arena = page->arena;
    const Tensor *made = tape_find(tape, name);
    if (made->step == STEP_NONE) return;
    int columns = tensor_row(made);
    int rows = made->axis[0].size;
    const char **heading = ARENA_ARRAY(arena, const char *, columns);
    for (int c = 0; c < columns; c++)
        heading[c] = arena_print(arena, "%s %d", made->axis[1].name, c);
    Sheet sheet = sheet_new(arena_print(arena, "%s ↓", made->axis[0].name), rows,
                            heading, columns, arena);
    for (int cell = 0; cell < rows * columns; cell++)
        sheet.cell[cell] =
            arena_print(arena, "%s = %s", products(tape, made, cell, arena),
                        cell_number(made, cell, arena));
    page_section(page, arena_print(arena, "%s: %s", name, formula));
    page_table(page, &sheet.table);
}

/* A line for each key: from the products to the share. */
static void say_scores(const Tape *tape, int query, Page *page) {
    enum { COLUMNS = 4 };
    const char *const headings[] = {said("query × key"), said("score"), said("scaled"),
                                    said("weight")};
    Arena *arena = page->arena;
    const Tensor *scores = tape_find(tape, "scores");
    const Tensor *scaled = tape_find(tape, "scaled");
    const Tensor *weights = tape_find(tape, "weights");
    int keys = tensor_row(scores);
    Sheet sheet = sheet_new("key ↓", keys, headings, COLUMNS, arena);
    for (int key = 0; key < keys; key++) {
        int at = query * keys + key;
        const char **cell = sheet.cell + key * COLUMNS;
        cell[0] = products(tape, scores, at, arena);
        cell[1] = cell_number(scores, at, arena);
        cell[2] = cell_number(scaled, at, arena);
        cell[3] = cell_number(weights, at, arena);
    }
    page_table(page, &sheet.table);
}

/* "exp(0.5774) / (exp(0.5774) + exp(0.5774)) = 0.5", of the key that has the most. */
static void say_softmax(const Tape *tape, int query, Page *page) {
    Arena *arena = page->arena;
    const Tensor *scaled = tape_find(tape, "scaled");
    const Tensor *weights = tape_find(tape, "weights");
    int keys = tensor_row(weights);
    int best = query * keys;
    const char *sum = "";
    for (int key = 0; key < keys; key++) {
        int at = query * keys + key;
        if (weights->data[at] > weights->data[best]) best = at;
        sum = arena_print(arena, "%s%sexp(%s)", sum, key ? " + " : "",
                          cell_number(scaled, at, arena));
    }
    page_note(page, "weight of key %d = exp(%s) / (%s) = %s", best - query * keys,
              cell_number(scaled, best, arena), sum, cell_number(weights, best, arena));
}

static void say_context(const Tape *tape, int query, Page *page) {
    enum { COLUMNS = 2 };
    const char *const headings[] = {said("weight × value, over the keys"),
                                    said("context")};
    Arena *arena = page->arena;
    const Tensor *context = tape_find(tape, "context");
    int columns = tensor_row(context);
    Sheet sheet = sheet_new("d_v ↓", columns, headings, COLUMNS, arena);
    for (int c = 0; c < columns; c++) {
        int at = query * columns + c;
        sheet.cell[c * COLUMNS] = products(tape, context, at, arena);
        sheet.cell[c * COLUMNS + 1] = cell_number(context, at, arena);
    }
    page_table(page, &sheet.table);
}

static void say_query(const Tape *tape, int query, Page *page) {
    Arena *arena = page->arena;
    const Tensor *Q = tape_find(tape, "query");
    page_section(page,
                 arena_print(arena, "query %d: %s", query, row_text(Q, query, arena)));
    say_scores(tape, query, page);
    say_softmax(tape, query, page);
    page_gap(page);
    say_context(tape, query, page);
}

void toy_say(const Tape *tape, Page *page) {
    Arena *arena = page->arena;
    const Tensor *Q = tape_find(tape, "query");
    static const char *const formula[] = {
        "Attention(Q, K, V) = softmax(Q K^T / √d_k) V"};
    page_formulas(page, formula, 1);
    page_note(
        page, "scaled = score / √%d = score × %s", tensor_row(Q),
        number(tape->step[tape_find(tape, "scaled")->step].setting.number, arena));
    say_projection(tape, "query", "tokens W_Q", page);
    say_projection(tape, "keys", "tokens W_K", page);
    say_projection(tape, "values", "tokens W_V", page);
    for (int query = 0; query < Q->axis[0].size; query++) say_query(tape, query, page);
    page_hint(page, "one number taken apart", ":why weights[query=0, key=0]");
}
