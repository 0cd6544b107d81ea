#include "change/toy.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/builder.h"
#include "base/language.h"
#include "ops/ops.h"
#include "ops/term.h"

typedef struct {
    int rows, columns; /* rows 0: not given */
    double number[TOY_MAX * TOY_MAX];
} Given;

/* All possible inputs and the names of their axes. */
enum { QUERY, KEYS, VALUES, TOKENS, W_Q, W_K, W_V, PARTS };
static const struct {
    const char *name, *other; /* other: an alternative name */
    const char *row, *column;
} parts[PARTS] = {
    [QUERY] = {"query", "queries", "query", "d_head"},
    [KEYS] = {"keys", "key", "key", "d_head"},
    [VALUES] = {"values", "value", "key", "d_v"},
    [TOKENS] = {"tokens", "embeddings", "token", "feature"},
    [W_Q] = {"W_Q", "w_q", "feature", "d_head"},
    [W_K] = {"W_K", "w_k", "feature", "d_head"},
    [W_V] = {"W_V", "w_v", "feature", "d_v"},
};

static const char *const usage =
    N_("query=1,0,1 keys=1,0,0|0,1,1 values=1,2|3,4, or tokens=1,0|0,1 with W_Q=, W_K= "
       "and W_V=");

static int find_part(const char *word, size_t length) {
    for (int p = 0; p < PARTS; p++) {
        const char *const names[] = {parts[p].name, parts[p].other};
        for (int n = 0; n < 2; n++)
            if (strlen(names[n]) == length && strncmp(names[n], word, length) == 0)
                return p;
    }
    return -1;
}

/* Read one row from `*text`, up to a bar or the end. */
static bool read_row(const char *name, const char **text, Given *given, Error *error) {
    double *row = given->number + given->rows * given->columns;
    int columns = 0;
    for (;; ++*text) {
        char *end;
        double number = strtod(*text, &end);
        if (end == *text || !isfinite(number) || fabs(number) > 1e6)
            return fail(error, "%s: '%.20s' is not a number up to a million; write %s",
                        name, *text, tr(usage));
        if (columns == TOY_MAX)
            return fail(error, "%s: a row has at most %d numbers", name, TOY_MAX);
        row[columns++] = number;
        *text = end;
        if (*end != ',') break;
    }
    if (given->rows == 0) given->columns = columns;
    given->rows++;
    return columns == given->columns ||
           fail(error, "%s: row %d has %d numbers, and the first has %d", name,
                given->rows - 1, columns, given->columns);
}

static bool read_parts(const char *typed, Arena *arena, Given *given, Error *error) {
    for (typed += strspn(typed, " "); *typed; typed += strspn(typed, " ")) {
        size_t length = strcspn(typed, " ");
        const char *word = arena_copy(arena, typed, length);
        size_t name = strcspn(word, "=");
        int part = word[name] ? find_part(word, name) : -1;
        if (part < 0)
            return fail(error, "'%.40s' is not valid here; write %s", word, tr(usage));
        const char *called = parts[part].name;
        const char *text = word + name;
        if (given[part].rows) return fail(error, "%s is there twice", called);
        do { /* a row after = or a bar */
            text++;
            if (given[part].rows == TOY_MAX)
                return fail(error, "%s: at most %d rows", called, TOY_MAX);
            if (!read_row(called, &text, &given[part], error)) return false;
        } while (*text == '|');
        if (*text)
            return fail(error, "%s: '%.20s' follows a number; write %s", called, text,
                        tr(usage));
        typed += length;
    }
    return true;
}

/* Check that a row of `a` is as long as a row (or a column, if `rows_of_b`) of `b`. */
static bool fits(const Given *given, int a, int b, bool rows_of_b, Error *error) {
    int inner = given[a].columns;
    int other = rows_of_b ? given[b].rows : given[b].columns;
    return inner == other ||
           fail(error,
                rows_of_b ? N_("%s has %d numbers in a row, but %s has %d rows; they "
                               "must be equal")
                          : N_("%s has %d numbers per row, but %s has %d numbers per "
                               "row; they must be equal"),
                parts[a].name, inner, parts[b].name, other);
}

static bool check(const Given *given, Error *error) {
    bool projects = given[TOKENS].rows > 0;
    int first = projects ? TOKENS : QUERY;
    int last = projects ? W_V : VALUES;
    for (int p = 0; p < PARTS; p++)
        if ((given[p].rows > 0) != (p >= first && p <= last))
            return fail(error,
                        given[p].rows ? N_("%s= is not valid here; write %s")
                                      : N_("%s= is missing; write %s"),
                        parts[p].name, tr(usage));
    if (projects)
        return fits(given, TOKENS, W_Q, true, error) &&
               fits(given, TOKENS, W_K, true, error) &&
               fits(given, TOKENS, W_V, true, error) &&
               fits(given, W_Q, W_K, false, error);
    return fits(given, QUERY, KEYS, false, error) &&
           (given[KEYS].rows == given[VALUES].rows ||
            fail(error, "found %d keys and %d values; give one value per key",
                 given[KEYS].rows, given[VALUES].rows));
}

static Tensor *put(Tape *tape, int part, const Given *given) {
    Axis axis[] = {{.name = parts[part].row, .size = given[part].rows},
                   {.name = parts[part].column, .size = given[part].columns}};
    Tensor *tensor = tape_given(tape, parts[part].name, 2, axis);
    for (int i = 0; tensor && i < tensor_size(tensor); i++)
        tensor->data[i] = (Number)given[part].number[i];
    return tensor;
}

/* Return the typed rows or the projected tokens, X W. */
static Tensor *given_or_projected(Tape *tape, int part, int weight, Tensor *tokens,
                                  const Given *given) {
    if (!tokens) return put(tape, part, given);
    Tensor *made = matmul(tape, parts[part].name, tokens, put(tape, weight, given));
    tensor_name_axis(made, 0, parts[part].row);
    return made;
}

bool toy_run(Tape *tape, const char *typed, Error *error) {
    Arena arena = {0};
    Given *given = ARENA_ARRAY(&arena, Given, PARTS);
    bool done = read_parts(typed, &arena, given, error) && check(given, error);
    if (done) {
        tape_reset(tape);
        /* softmax(Q K^T / sqrt(d_head)) V, section 3.2.1 equation 1. */
        Tensor *tokens = given[TOKENS].rows ? put(tape, TOKENS, given) : NULL;
        Tensor *Q = given_or_projected(tape, QUERY, W_Q, tokens, given);
        Tensor *K = given_or_projected(tape, KEYS, W_K, tokens, given);
        Tensor *V = given_or_projected(tape, VALUES, W_V, tokens, given);
        Tensor *scores = dot(tape, "scores", Q, K);
        Tensor *scaled =
            Q ? scale(tape, "scaled", scores, 1 / sqrt(tensor_row(Q))) : NULL;
        Tensor *weights = softmax(tape, "weights", scaled);
        matmul(tape, "context", weights, V);
        done = tape_done(tape, error);
    }
    arena_free(&arena);
    return done;
}

/* Print with at most four digits: 0.5, 1, 0.3333. */
static const char *number(double value, Arena *arena) {
    return arena_print(arena, "%.4g", value == 0 ? 0 : value);
}

static const char *cell_number(const Tensor *tensor, int cell, Arena *arena) {
    return number((double)tensor->data[cell], arena);
}

/* "1 × 0 + 2 × 3": the terms of the step that computed the cell. */
static const char *products(const Tape *tape, const Tensor *tensor, int cell,
                            Arena *arena) {
    const Step *step = &tape->step[tensor->step];
    Explanation explanation = {0};
    step->op->explain(step, cell, arena, &explanation);
    Builder text = {.arena = arena};
    for (int t = 0; t < explanation.count; t++) {
        const Place *place = explanation.term[t].place;
        build_item(&text, " + ", "%s × %s", number(term_at(place[0]), arena),
                   number(term_at(place[1]), arena));
    }
    return builder_text(&text);
}

/* Show each cell of Z = X W with its sum. */
static void say_projection(const Tape *tape, const char *name, const char *formula,
                           Page *page) {
    Arena *arena = page->arena;
    const Tensor *made = tape_find(tape, name);
    if (made->step == STEP_NONE) return;
    int columns = tensor_row(made);
    int rows = made->axis[0].size;
    const char **heading = ARENA_ARRAY(arena, const char *, columns + 1);
    for (int c = 0; c < columns; c++)
        heading[c] = arena_print(arena, "%s %d", made->axis[1].name, c);
    TableWriter writer = table_begin(heading, arena);
    writer.table.corner = arena_print(arena, "%s ↓", made->axis[0].name);
    for (int row = 0; row < rows; row++) {
        table_row(&writer, arena_print(arena, "%d", row));
        for (int cell = row * columns; cell < (row + 1) * columns; cell++)
            table_print(&writer, "%s = %s", products(tape, made, cell, arena),
                        cell_number(made, cell, arena));
    }
    page_section(page, arena_print(arena, "%s: %s", name, formula));
    page_table(page, &writer.table);
}

/* Show one line per cell of a query's row: its products, and the cells of `names`. */
static void say_row(const Tape *tape, int query, const char *corner,
                    const char *const *headings, const char *const *names, Page *page) {
    Arena *arena = page->arena;
    const Tensor *first = tape_find(tape, names[0]);
    TableWriter writer = table_begin(headings, arena);
    writer.table.corner = corner;
    for (int c = 0; c < tensor_row(first); c++) {
        int at = query * tensor_row(first) + c;
        table_row(&writer, arena_print(arena, "%d", c));
        table_put(&writer, products(tape, first, at, arena));
        for (int n = 0; names[n]; n++)
            table_put(&writer, cell_number(tape_find(tape, names[n]), at, arena));
    }
    page_table(page, &writer.table);
}

static void say_query(const Tape *tape, int query, Page *page) {
    static const char *const of_keys[] = {N_("query × key"), N_("score"), N_("scaled"),
                                          N_("weight"), NULL};
    static const char *const of_context[] = {N_("weight × value, over the keys"),
                                             N_("context"), NULL};
    static const char *const weights[] = {"scores", "scaled", "weights", NULL};
    static const char *const context[] = {"context", NULL};
    Arena *arena = page->arena;
    const Tensor *Q = tape_find(tape, "query");
    Builder row = {.arena = arena};
    for (int c = 0; c < tensor_row(Q); c++)
        build_item(&row, ", ", "%s", cell_number(Q, query * tensor_row(Q) + c, arena));
    page_section(page, arena_print(arena, "query %d: (%s)", query, builder_text(&row)));
    say_row(tape, query, "key ↓", of_keys, weights, page);
    /* "exp(0.5774) / (exp(0.5774) + exp(0.5774)) = 0.5" for the largest weight. */
    const Tensor *scaled = tape_find(tape, "scaled");
    const Tensor *shares = tape_find(tape, "weights");
    int keys = tensor_row(shares);
    int best = query * keys;
    Builder sum = {.arena = arena};
    for (int key = 0; key < keys; key++) {
        int at = query * keys + key;
        if (shares->data[at] > shares->data[best]) best = at;
        build_item(&sum, " + ", "exp(%s)", cell_number(scaled, at, arena));
    }
    page_note(page, "weight of key %d = exp(%s) / (%s) = %s", best - query * keys,
              cell_number(scaled, best, arena), builder_text(&sum),
              cell_number(shares, best, arena));
    page_gap(page);
    say_row(tape, query, "d_v ↓", of_context, context, page);
}

void toy_say(const Tape *tape, Page *page) {
    Arena *arena = page->arena;
    const Tensor *Q = tape_find(tape, "query");
    static const char *const formula[] = {
        "Attention(Q, K, V) = softmax(Q K^T / √d_head) V"};
    page_formulas(page, formula, 1);
    page_note(
        page, "scaled = score / √%d = score × %s", tensor_row(Q),
        number(tape->step[tape_find(tape, "scaled")->step].setting.number, arena));
    say_projection(tape, "query", "tokens W_Q", page);
    say_projection(tape, "keys", "tokens W_K", page);
    say_projection(tape, "values", "tokens W_V", page);
    for (int query = 0; query < Q->axis[0].size; query++) say_query(tape, query, page);
    page_hint(page, "one number explained", ":why weights[query=0, key=0]");
}
