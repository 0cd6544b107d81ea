#include "change/toy.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/language.h"
#include "ops/ops.h"

typedef struct {
    int rows, columns; /* rows 0: not given */
    double number[TOY_MOST * TOY_MOST];
} Given;

/* Everything that can be typed, and how its axes are called. */
enum { QUERY, KEYS, VALUES, TOKENS, W_Q, W_K, W_V, PARTS };
static const struct {
    const char *name, *other; /* other: how it may also be written */
    const char *row, *column;
} parts[PARTS] = {
    [QUERY] = {"query", "queries", "query", "d_k"},
    [KEYS] = {"keys", "key", "key", "d_k"},
    [VALUES] = {"values", "value", "key", "d_v"},
    [TOKENS] = {"tokens", "embeddings", "token", "feature"},
    [W_Q] = {"W_Q", "w_q", "feature", "d_k"},
    [W_K] = {"W_K", "w_k", "feature", "d_k"},
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

/* One row from `*text` on, up to a bar or the end. */
static bool read_row(const char *name, const char **text, Given *given, Error *error) {
    double *row = given->number + given->rows * given->columns;
    int columns = 0;
    for (;; ++*text) {
        char *end;
        double number = strtod(*text, &end);
        if (end == *text || !isfinite(number) || fabs(number) > 1e6)
            return fail(error, "%s: '%.20s' is no number up to a million: write %s",
                        name, *text, said(usage));
        if (columns == TOY_MOST)
            return fail(error, "%s: a row has at most %d numbers", name, TOY_MOST);
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

static bool read_part(const char *name, const char *text, Given *given, Error *error) {
    if (given->rows) return fail(error, "%s stands twice", name);
    for (;; text++) {
        if (given->rows == TOY_MOST)
            return fail(error, "%s: at most %d rows", name, TOY_MOST);
        if (!read_row(name, &text, given, error)) return false;
        if (*text == '\0') return true;
        if (*text != '|')
            return fail(error, "%s: '%.20s' stands behind a number: write %s", name,
                        text, said(usage));
    }
}

static bool read_parts(const char *typed, Arena *arena, Given *given, Error *error) {
    for (typed += strspn(typed, " "); *typed; typed += strspn(typed, " ")) {
        size_t length = strcspn(typed, " ");
        const char *word = arena_copy(arena, typed, length);
        size_t name = strcspn(word, "=");
        int part = word[name] ? find_part(word, name) : -1;
        if (part < 0)
            return fail(error, "'%.40s' is not known here: write %s", word,
                        said(usage));
        if (!read_part(parts[part].name, word + name + 1, &given[part], error))
            return false;
        typed += length;
    }
    return true;
}

/* Does `inner` of a have as many as the other axis of b? */
static bool fits(const Given *given, int a, int b, bool rows_of_b, Error *error) {
    int inner = given[a].columns;
    int other = rows_of_b ? given[b].rows : given[b].columns;
    return inner == other ||
           fail(error,
                rows_of_b ? N_("%s has %d numbers in a row, and %s %d rows: they must "
                               "be as many")
                          : N_("%s has %d numbers in a row, and %s %d numbers in a "
                               "row: they must be as many"),
                parts[a].name, inner, parts[b].name, other);
}

static bool check(const Given *given, Error *error) {
    bool projects = given[TOKENS].rows > 0;
    int first = projects ? TOKENS : QUERY;
    int last = projects ? W_V : VALUES;
    for (int p = 0; p < PARTS; p++)
        if ((given[p].rows > 0) != (p >= first && p <= last))
            return fail(error,
                        given[p].rows ? N_("%s= does not belong here: write %s")
                                      : N_("%s= is missing: write %s"),
                        parts[p].name, said(usage));
    if (projects)
        return fits(given, TOKENS, W_Q, true, error) &&
               fits(given, TOKENS, W_K, true, error) &&
               fits(given, TOKENS, W_V, true, error) &&
               fits(given, W_Q, W_K, false, error);
    return fits(given, QUERY, KEYS, false, error) &&
           (given[KEYS].rows == given[VALUES].rows ||
            fail(error, "there are %d keys and %d values: each key has one value",
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

/* As it was typed, or of the tokens: X W. */
static Tensor *given_or_projected(Tape *tape, int part, int weight, Tensor *tokens,
                                  const Given *given) {
    if (!tokens) return put(tape, part, given);
    Tensor *made = matmul(tape, parts[part].name, tokens, put(tape, weight, given));
    tensor_name_axis(made, 0, parts[part].row);
    return made;
}

/* softmax(Q K^T / sqrt(d_k)) V, section 3.2.1 equation 1. */
static void attend(Tape *tape, const Given *given) {
    Tensor *tokens = given[TOKENS].rows ? put(tape, TOKENS, given) : NULL;
    Tensor *Q = given_or_projected(tape, QUERY, W_Q, tokens, given);
    Tensor *K = given_or_projected(tape, KEYS, W_K, tokens, given);
    Tensor *V = given_or_projected(tape, VALUES, W_V, tokens, given);
    Tensor *scores = dot(tape, "scores", Q, K);
    Tensor *scaled = Q ? scale(tape, "scaled", scores, 1 / sqrt(tensor_row(Q))) : NULL;
    Tensor *weights = softmax(tape, "weights", scaled);
    matmul(tape, "context", weights, V);
}

bool toy_run(Tape *tape, const char *typed, Error *error) {
    Arena arena = {0};
    Given *given = ARENA_ARRAY(&arena, Given, PARTS);
    bool done = read_parts(typed, &arena, given, error) && check(given, error);
    if (done) {
        tape_reset(tape);
        attend(tape, given);
        done = tape_done(tape, error);
    }
    arena_free(&arena);
    return done;
}
