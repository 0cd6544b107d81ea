#include "explain/cell.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "text/unicode.h"

/* What a tensor that no step made is, by the end of its name. */
typedef struct {
    const char *ending;
    const char *meaning;
} Given;

static const Given givens[] = {
    {".ids", "the id of this token in the vocabulary: the tokenizer gave it"},
    {".position_ids", "the place of this token in the sentence, counted from 0"},
    {".padding_mask", "1 where the token is padding, which nobody may look at, else 0"},
    {".weight", "a weight of the model: a number that is learned, not computed"},
    {".bias", "a bias of the model: a number that is learned, not computed"},
    {"", "given, not computed"},
};

static const char *meaning_of(const char *name) {
    for (const Given *given = givens;; given++) {
        size_t length = strlen(given->ending);
        size_t whole = strlen(name);
        if (whole >= length && strcmp(name + whole - length, given->ending) == 0)
            return given->meaning;
    }
}

/* Sort by size without a global: each entry brings the size it is compared by. */
typedef struct {
    double size;
    int term;
} Ranked;

static int compare_size(const void *a, const void *b) {
    const Ranked *x = a;
    const Ranked *y = b;
    if (x->size != y->size) return x->size < y->size ? 1 : -1;
    return x->term - y->term;
}

/* Few terms stay in the order of the formula; of many the largest come first. The
 * chosen one of a quotient is always shown. */
static void choose_order(Why *why, int most, Arena *arena) {
    const Explanation *explanation = &why->explanation;
    int count = explanation->count;
    Ranked *ranked = ARENA_ARRAY(arena, Ranked, count);
    bool sort = count > most;
    bool has_chosen = explanation->rule == &rule_quotient;
    for (int t = 0; t < count; t++) {
        ranked[t] = (Ranked){sort ? fabs(explanation->term[t].value) : 0, t};
        if (sort && has_chosen && t == explanation->chosen) ranked[t].size = INFINITY;
    }
    qsort(ranked, (size_t)count, sizeof *ranked, compare_size);
    why->order = ARENA_ARRAY(arena, int, count);
    why->shown = sort ? most : count;
    for (int t = 0; t < count; t++) {
        why->order[t] = ranked[t].term;
        if (t >= why->shown) why->rest += explanation->term[ranked[t].term].value;
    }
}

Why cell_explain(const Record *record, const Tensor *tensor, int cell, int most,
                 Arena *arena) {
    Why why = {
        .tensor = tensor,
        .cell = cell,
        .address = address_print(tensor, cell, arena),
        .value = tensor->data[cell],
        .given = meaning_of(tensor->name),
    };
    const Step *step = record_step(record, tensor);
    if (!step) return why;
    why.op = step->op;
    step->op->explain(step, cell, arena, &why.explanation);
    choose_order(&why, most, arena);
    return why;
}

/* The places of a term, the second without the name it shares with the first. */
static const char *print_places(const Term *term, Arena *arena) {
    const char *text = "";
    for (int p = 0; p < 2; p++) {
        if (!term->place[p].tensor) continue;
        const char *address =
            address_print(term->place[p].tensor, term->place[p].cell, arena);
        text = arena_print(arena, "%s%s%s", text, p && *text ? "  ×  " : "", address);
    }
    return text;
}

enum { NUMBER_WIDTH = 4, VALUE_WIDTH = 12 };

/* How wide the column of terms must be, within reason. */
static int term_width(const Why *why) {
    int widest = 8;
    for (int t = 0; t < why->shown; t++) {
        int width = unicode_width(why->explanation.term[why->order[t]].text);
        if (width > widest) widest = width;
    }
    return widest < 40 ? widest : 40;
}

static void print_row(FILE *out, const char *number, const char *term, int width,
                      double value, Arena *arena) {
    fprintf(out, "%*s  %s = %*.6g", NUMBER_WIDTH, number,
            unicode_pad(term, width, false, arena), VALUE_WIDTH, value);
}

/* The place behind the value where there is room, else on a line of its own. */
static void print_term(const Why *why, int line, int width, int terms, Arena *arena,
                       FILE *out) {
    const Term *term = &why->explanation.term[why->order[line]];
    const char *places = print_places(term, arena);
    print_row(out, arena_print(arena, "%d", line + 1), term->text, terms, term->value,
              arena);
    int used = NUMBER_WIDTH + 2 + terms + 3 + VALUE_WIDTH + 2;
    if (!*places)
        fputs("\n", out);
    else if (used + unicode_width(places) <= width)
        fprintf(out, "  %s\n", places);
    else
        fprintf(out, "\n%*s%s\n", NUMBER_WIDTH + 4, "", places);
}

static void print_result(const Why *why, int terms, Arena *arena, FILE *out) {
    const Explanation *explanation = &why->explanation;
    double combined = explanation->rule->combine(explanation);
    if (why->shown < explanation->count)
        print_row(
            out, "",
            arena_print(arena, "%d more, together", explanation->count - why->shown),
            terms, why->rest, arena),
            fputs("\n", out);
    if (explanation->rule == &rule_quotient) {
        double sum = 0;
        for (int t = 0; t < explanation->count; t++) sum += explanation->term[t].value;
        print_row(out, "", "Σ, the sum of all", terms, sum, arena);
        fputs("\n", out);
        const Term *chosen = &explanation->term[explanation->chosen];
        print_row(out, "", arena_print(arena, "%s / Σ", chosen->text), terms, combined,
                  arena);
    } else {
        print_row(out, "", explanation->rule->name, terms, combined, arena);
    }
    fprintf(out, "   the cell holds %.6g\n", why->value);
}

void cell_print(const Why *why, int width, Arena *arena, FILE *out) {
    fprintf(out, "%s = %.6g\n", why->address, why->value);
    if (!why->op) {
        fprintf(out, "  %s.\n", why->given);
        return;
    }
    const Explanation *explanation = &why->explanation;
    fprintf(out, "  %s\n",
            explanation->formula ? explanation->formula : why->op->formula);
    if (explanation->note) fprintf(out, "  %s\n", explanation->note);
    fputs("\n", out);
    int terms = term_width(why);
    for (int t = 0; t < why->shown; t++) print_term(why, t, width, terms, arena, out);
    print_result(why, terms, arena, out);
}

const Place *cell_follow(const Why *why, const char *typed) {
    char *end;
    if (!isdigit((unsigned char)*typed) || !why->op) return NULL;
    long line = strtol(typed, &end, 10);
    int which = strcmp(end, "b") == 0;
    if (*end && !which && strcmp(end, "a") != 0) return NULL;
    if (line < 1 || line > why->shown) return NULL;
    const Place *place = &why->explanation.term[why->order[line - 1]].place[which];
    return place->tensor ? place : NULL;
}
