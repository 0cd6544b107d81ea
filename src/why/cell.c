#include "why/cell.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/builder.h"
#include "base/language.h"
#include "explain/change.h"
#include "ops/term.h"
#include "why/by_size.h"

#define LSTM_WEIGHT N_("a weight or bias of the LSTM: learned, not computed")

/* Descriptions, by short name, of tensors that no step computes. */
static const struct {
    const char *name, *meaning;
} givens[] = {
    {"ids", N_("the id of this token in the vocabulary, from the tokenizer")},
    {"position_ids", N_("the position of this token in the sentence, counted from 0")},
    {"gradient",
     N_("how much the score changes with this number, per 1: computed by going back "
        "through all steps, with nothing held fixed")},
    {"most", N_("log2 of the number of keys that this query may see")},
    {"previous", N_("1 at the token that a head attending only to the previous token "
                    "would choose")},
    {"first", N_("1 at the token that a head attending only to the first token would "
                 "choose")},
    {"itself", N_("1 at the token that a head attending only to itself would choose")},
    {"last", N_("1 at the token that a head attending only to the last token would "
                "choose")},
    {"stop", N_("1 at the token that a head attending only to the second to last "
                "would choose")},
    {"uniform", N_("the weight of a head that attends to all keys equally: 1 / "
                   "number of keys that this query may see")},
    {"weight", N_("a weight of the model: learned, not computed")},
    {"bias", N_("a bias of the model: learned, not computed")},
    {"weight_ih_l0", LSTM_WEIGHT},
    {"weight_hh_l0", LSTM_WEIGHT},
    {"bias_ih_l0", LSTM_WEIGHT},
    {"bias_hh_l0", LSTM_WEIGHT},
    {"padding", N_("1 if the key is padding, otherwise 0")},
    {"look_ahead", N_("1 if the key is later than the query may see, otherwise 0")},
    {"combined", N_("1 if padding or the look-ahead mask hides the key, otherwise 0")},
    {"initial_state",
     N_("the state before the first token: nothing has been read yet")},
    {"initial_cell", N_("the cell before the first token: nothing has been read yet")},
};

/* Keep the formula's order for a few terms; sort many by size. Always include the
 * selected term of a quotient. */
static void choose_order(Why *why, int max, Arena *arena) {
    const Explanation *explanation = &why->explanation;
    int count = explanation->count;
    double *size = ARENA_ARRAY(arena, double, count);
    bool sort = count > max;
    bool has_chosen = explanation->rule == &rule_quotient;
    for (int t = 0; t < count; t++) {
        size[t] = sort ? fabs(explanation->term[t].value) : 0;
        if (sort && has_chosen && t == explanation->chosen) size[t] = INFINITY;
    }
    why->order = by_size(size, count, arena);
    why->shown = sort ? max : count;
    for (int t = why->shown; t < count; t++)
        why->rest += explanation->term[why->order[t]].value;
}

Why cell_explain(const Record *record, const Tensor *tensor, int cell, int max,
                 Arena *arena) {
    Why why = {
        .tensor = tensor,
        .cell = cell,
        .address = address_print(tensor, cell, arena),
        .value = tensor->data[cell],
        .given = tr("given, not computed"),
    };
    for (size_t g = 0; g < sizeof givens / sizeof *givens; g++)
        if (strcmp(tensor->short_name, givens[g].name) == 0)
            why.given = tr(givens[g].meaning);
    const Change *change = changes_of_cell(record->changes, tensor, cell);
    if (change) {
        why.given = trf(arena, "changed: %s", change->text);
        return why;
    }
    const Step *step = record_step(record, tensor);
    why.is_made = true;
    if (step)
        step->op->explain(step, cell, arena, &why.explanation);
    else if (gradients_have(record->gradients, tensor))
        gradients_explain(record->gradients, tensor, cell, arena, &why.explanation);
    else
        why.is_made = false;
    if (!why.is_made) return why;
    choose_order(&why, max, arena);
    return why;
}

Why cells_explain(const AxisCells *cells, int max, Arena *arena) {
    const Tensor *tensor = cells->tensor;
    int axis = 0;
    while (tensor_stride(tensor, axis) != cells->stride) axis++;
    Why why = {
        .tensor = tensor,
        .cell = cells->cell,
        .address = address_print_open(tensor, cells->cell, axis, arena),
        .is_made = true,
    };
    Explanation *explanation = &why.explanation;
    *explanation = terms_new(
        arena, &rule_sum,
        trf(arena, "sum of %d numbers along %s", cells->count, tensor->axis[axis].name),
        cells->count);
    for (int c = 0; c < cells->count; c++) {
        const Place place = {tensor, cells->cell + c * cells->stride};
        explanation->term[c] = term_same(arena, place);
        why.value += explanation->term[c].value;
    }
    choose_order(&why, max, arena);
    return why;
}

/* What most terms of a sum have in common: a tensor, and the one axis along which they
 * differ. */
typedef struct {
    const Tensor *tensor; /* NULL: nothing in common */
    int cell;             /* of one of them */
    int axis;
} Common;

/* Return the only axis along which two cells differ, or -1 if there are several. */
static int differing_axis(const Tensor *tensor, int a, int b) {
    int axis = -1;
    for (int i = 0; i < tensor->rank; i++) {
        if (tensor_index(tensor, i, a) == tensor_index(tensor, i, b)) continue;
        if (axis >= 0) return -1;
        axis = i;
    }
    return axis;
}

static bool belongs(const Common *common, const Place *place) {
    if (!common->tensor || place->tensor != common->tensor) return false;
    int axis = differing_axis(common->tensor, common->cell, place->cell);
    return axis == common->axis || place->cell == common->cell;
}

static const Term *shown_term(const Why *why, int line) {
    return &why->explanation.term[why->order[line]];
}

/* There may be a bias among the products, so compare adjacent terms. */
static Common find_common(const Why *why, int p) {
    for (int t = 0; t + 1 < why->shown; t++) {
        const Place *a = &shown_term(why, t)->place[p];
        const Place *b = &shown_term(why, t + 1)->place[p];
        if (!a->tensor || a->tensor != b->tensor) continue;
        int axis = differing_axis(a->tensor, a->cell, b->cell);
        if (axis >= 0) return (Common){a->tensor, a->cell, axis};
    }
    return (Common){0};
}

static TermLabel make_label(const Term *term, const Common *common, Arena *arena) {
    TermLabel label = {.index = ""};
    if (belongs(&common[0], &term->place[0]) &&
        (!term->place[1].tensor || belongs(&common[1], &term->place[1]))) {
        /* The rest of the term's address: "d_head=3". */
        const Tensor *tensor = common->tensor;
        const int cell = term->place[0].cell;
        int batch = tensor_axis(tensor, "batch");
        int row = batch >= 0 ? tensor_index(tensor, batch, cell) : 0;
        const Axis *axis = &tensor->axis[common->axis];
        int index = tensor_index(tensor, common->axis, cell);
        label.index = arena_print(arena, "%s=%s", axis->name,
                                  address_label(axis, row, index, arena));
        return label;
    }
    for (int p = 0; p < 2; p++)
        if (term->place[p].tensor)
            label.place[p] =
                address_print(term->place[p].tensor, term->place[p].cell, arena);
    return label;
}

void cell_say(const Why *why, Page *page) {
    const Explanation *explanation = &why->explanation;
    TermsBlock terms = {.address = why->address, .value = why->value};
    if (why->is_made) {
        terms.formula = explanation->formula;
        terms.note = explanation->note;
        terms.explanation = explanation;
        terms.order = why->order;
        terms.shown = why->shown;
        terms.rest = why->rest;
        const Common common[] = {find_common(why, 0), find_common(why, 1)};
        TermLabel *label = ARENA_ARRAY(page->arena, TermLabel, why->shown);
        for (int t = 0; t < why->shown; t++)
            label[t] = make_label(shown_term(why, t), common, page->arena);
        terms.label = label;
        for (int p = 0; p < 2; p++)
            if (common[p].tensor) /* "weights[head=0, key=…]" */
                terms.common[p] = address_print_open(common[p].tensor, common[p].cell,
                                                     common[p].axis, page->arena);
    } else {
        terms.given = why->given;
    }
    page_say(page, (Block){.kind = BLOCK_TERMS, .terms = terms});
}

const Place *cell_follow(const Why *why, const char *typed) {
    char *end;
    if (!isdigit((unsigned char)*typed) || !why->is_made) return NULL;
    long line = strtol(typed, &end, 10);
    int which = strcmp(end, "b") == 0;
    if (*end && !which && strcmp(end, "a") != 0) return NULL;
    if (line < 1 || line > why->shown) return NULL;
    const Place *place = &why->explanation.term[why->order[line - 1]].place[which];
    return place->tensor ? place : NULL;
}

enum { TERMS_MAX = 3 }; /* more do not fit on a line */

/* Return false for a tensor of selected tokens, which no step computed. */
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

/* The largest terms: "2.1 × 1.9 + -0.4 × 0.3 + … 22 more". */
static const char *sum(const Why *why, Arena *arena) {
    const Explanation *explanation = &why->explanation;
    Builder line = {.arena = arena};
    for (int t = 0; t < why->shown; t++)
        build_item(&line, " + ", "%s", explanation->term[why->order[t]].text);
    int more = explanation->count - why->shown;
    return more ? trf(arena, "%s + %d smaller ones", builder_text(&line), more)
                : builder_text(&line);
}

const char *short_why(const Record *record, const Tensor *tensor, int cell,
                      Arena *arena) {
    if (!is_recorded(record, tensor)) return "";
    Why why = cell_explain(record, tensor, cell, TERMS_MAX, arena);
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
    /* Compare the first and the last cell: one may be changed manually, or the first
     * row may have another formula. */
    const char *formula[2];
    for (int i = 0; i < 2; i++) {
        Why why = cell_explain(record, tensor, i ? size - 1 : 0, 1, arena);
        formula[i] = why.is_made ? why.explanation.formula : why.given;
    }
    return strcmp(formula[0], formula[1]) == 0 ? formula[0] : "";
}
