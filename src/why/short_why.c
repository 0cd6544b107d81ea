#include "why/short_why.h"

#include <string.h>

#include "base/language.h"
#include "why/cell.h"

enum { TERMS_MOST = 3 }; /* more are too many for one line */

/* Tokens that were chosen make a tensor of their own, which no step made. */
static bool is_recorded(const Record *record, const Tensor *tensor) {
    const Tape *tapes[] = {record->run, record->steps};
    for (int t = 0; t < 2; t++)
        if (tapes[t] && tape_find(tapes[t], tensor->name) == tensor) return true;
    return false;
}

static const char *quotient(const Explanation *explanation, Arena *arena) {
    const Term *chosen = &explanation->term[explanation->chosen];
    double sum = 0;
    for (int t = 0; t < explanation->count; t++) sum += explanation->term[t].value;
    return arena_print(arena, "%s / Σ = %.4g / %.4g", chosen->text, chosen->value, sum);
}

/* The largest ones, "2.1 × 1.9 + -0.4 × 0.3 + … 22 more". */
static const char *sum(const Why *why, Arena *arena) {
    const Explanation *explanation = &why->explanation;
    const char *line = "";
    for (int t = 0; t < why->shown; t++)
        line = arena_print(arena, "%s%s%s", line, t ? " + " : "",
                           explanation->term[why->order[t]].text);
    int more = explanation->count - why->shown;
    return more ? say(arena, "%s + %d smaller ones", line, more) : line;
}

const char *short_why(const Record *record, const Tensor *tensor, int cell,
                      Arena *arena) {
    if (!is_recorded(record, tensor)) return "";
    Why why = cell_explain(record, tensor, cell, TERMS_MOST, arena);
    const Explanation *explanation = &why.explanation;
    if (!why.is_made) return why.given;
    if (explanation->note) return explanation->note;
    if (explanation->rule->line) return explanation->rule->line(explanation, arena);
    if (explanation->rule == &rule_quotient) return quotient(explanation, arena);
    if (explanation->rule == &rule_sum) return sum(&why, arena);
    return explanation->formula;
}

const char *short_formula(const Record *record, const Tensor *tensor, Arena *arena) {
    int size = tensor_size(tensor);
    if (size == 0 || !is_recorded(record, tensor)) return "";
    Why first = cell_explain(record, tensor, 0, 1, arena);
    if (!first.is_made) return first.given;
    Why last = cell_explain(record, tensor, size - 1, 1, arena);
    bool same = strcmp(first.explanation.formula, last.explanation.formula) == 0;
    return same ? first.explanation.formula : "";
}
