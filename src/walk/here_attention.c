#include <math.h>
#include <string.h>

#include "base/language.h"
#include "explain/reduction.h"
#include "tensor/address.h"
#include "walk/here.h"
#include "walk/role.h"

/* One matrix for each head, [batch, head, query, key], or of an LSTM's attention
 * [batch, query, key]: what is told of is the story's sentence, without its padding. */
typedef struct {
    const Telling *asked;
    const Tensor *tensor;
    int heads, queries, keys;
    int query_axis;
    const unsigned char *hidden; /* by cell, or NULL */
} HeadMatrix;

static bool heads_read(const Telling *asked, const Tensor *tensor, HeadMatrix *matrix) {
    if (!tensor || tensor->rank < 3) return false;
    int query = tensor->rank - 2;
    *matrix = (HeadMatrix){
        .asked = asked,
        .tensor = tensor,
        .heads = tensor->rank == 4 ? tensor->axis[1].size : 1,
        .queries = asked_tokens(asked, tensor, query),
        .keys = asked_tokens(asked, tensor, query + 1),
        .query_axis = query,
        .hidden = hidden_cells(&asked->story->record, tensor, asked->arena),
    };
    return matrix->queries > 0 && matrix->keys > 0;
}

static int heads_cell(const HeadMatrix *m, int head, int query, int key) {
    const Axis *axis = &m->tensor->axis[m->query_axis];
    int matrix = m->asked->story->row * m->heads + head;
    return (matrix * axis[0].size + query) * axis[1].size + key;
}

static double heads_value(const HeadMatrix *m, int head, int query, int key) {
    return (double)m->tensor->data[heads_cell(m, head, query, key)];
}

static bool heads_hides(const HeadMatrix *m, int head, int query, int key) {
    return m->hidden && m->hidden[heads_cell(m, head, query, key)];
}

/* A token that asks and one that answers. */
typedef struct {
    int head, query, key;
    int cell; /* -1: there is no such pair */
    double value;
    const char *asks, *answers;
} Pair;

enum { ANY = -1 };

static bool heads_of_same_tokens(const HeadMatrix *m) {
    const Axis *axis = &m->tensor->axis[m->query_axis];
    return axis[0].labels == axis[1].labels;
}

/* What largest_pair leaves out. */
static const char *left_out(const HeadMatrix *m) {
    return heads_of_same_tokens(m) ? tr("marks and each token itself aside")
                                   : tr("marks aside");
}

/* The pair with the largest value, of that head or of any, whose query is not `but`, of
 * two different tokens that are no marks and that the mask does not hide. */
static Pair largest_pair(const HeadMatrix *m, int head, int but) {
    bool same_tokens = heads_of_same_tokens(m);
    Pair most = {.cell = -1};
    for (int h = head == ANY ? 0 : head; h < (head == ANY ? m->heads : head + 1); h++)
        for (int q = 0; q < m->queries; q++) {
            if (q == but || asked_is_mark(m->asked, m->tensor, m->query_axis, q))
                continue;
            for (int k = 0; k < m->keys; k++) {
                double value = heads_value(m, h, q, k);
                if ((most.cell < 0 || value > most.value) && !(same_tokens && q == k) &&
                    !heads_hides(m, h, q, k) &&
                    !asked_is_mark(m->asked, m->tensor, m->query_axis + 1, k))
                    most = (Pair){.head = h,
                                  .query = q,
                                  .key = k,
                                  .cell = heads_cell(m, h, q, k),
                                  .value = value};
            }
        }
    if (most.cell < 0) return most;
    most.asks = asked_label(m->asked, m->tensor, m->query_axis, most.query);
    most.answers = asked_label(m->asked, m->tensor, m->query_axis + 1, most.key);
    return most;
}

/* The pair with the largest value of all, marks and the token itself too, in a row that
 * sees more than one key. */
static Pair largest_of_all(const HeadMatrix *m) {
    Pair most = {.cell = -1};
    for (int h = 0; h < m->heads; h++)
        for (int q = 0; q < m->queries; q++) {
            int seen = 0;
            for (int k = 0; k < m->keys; k++) seen += !heads_hides(m, h, q, k);
            for (int k = 0; seen > 1 && k < m->keys; k++) {
                double value = heads_value(m, h, q, k);
                if (!heads_hides(m, h, q, k) && (most.cell < 0 || value > most.value))
                    most = (Pair){h, q, k, heads_cell(m, h, q, k), value, NULL, NULL};
            }
        }
    if (most.cell < 0) return most;
    most.asks = asked_label(m->asked, m->tensor, m->query_axis, most.query);
    most.answers = asked_label(m->asked, m->tensor, m->query_axis + 1, most.key);
    return most;
}

/* The tensor that is beside it, with that last name: beside
 * "encoder.0.self_attention.weights" the "scores"; or NULL. */
static const Tensor *tensor_beside(const Telling *asked, const Tensor *tensor,
                                   const char *name) {
    if (!tensor) return NULL;
    const char *dot = strrchr(tensor->name, '.');
    int before = dot ? (int)(dot - tensor->name) : 0;
    return tape_find(asked->story->record.run,
                     arena_print(asked->arena, "%.*s.%s", before, tensor->name, name));
}

Here tell_projections(const Telling *asked) {
    const Stage *stage = asked->stage;
    if (stage->tensors != 3) return here_nothing;
    double deviation[3];
    for (int t = 0; t < 3; t++) {
        const Tensor *x = stage->tensor[t];
        int tokens = asked_tokens(asked, x, x->rank - 2);
        deviation[t] =
            row_deviation(x->data + asked_row(asked, x, 0), tokens * tensor_row(x));
    }
    const char *text = trf(asked->arena,
                           "The standard deviation of the queries is %.2f, that of the "
                           "keys %.2f, that of the values %.2f.",
                           deviation[0], deviation[1], deviation[2]);
    return here_cell(asked, text, stage->tensor[0],
                     asked_row(asked, stage->tensor[0], 0));
}

Here tell_scores(const Telling *asked) {
    HeadMatrix m;
    HeadMatrix masked;
    const Tensor *scores = asked_part(asked, "scores");
    if (!heads_read(asked, scores, &m)) return here_nothing;
    if (heads_read(asked, tensor_beside(asked, scores, "masked"), &masked))
        m.hidden = masked.hidden;
    Pair best = largest_pair(&m, ANY, ANY);
    if (best.cell < 0) return here_nothing;
    const char *text =
        m.heads > 1
            ? trf(asked->arena,
                  "The pair that fits best, %s: %s asks and %s answers, with %.2f in "
                  "head %d.",
                  left_out(&m), best.asks, best.answers, best.value, best.head)
            : trf(asked->arena,
                  "The pair that fits best, %s: %s asks and %s answers, with %.2f.",
                  left_out(&m), best.asks, best.answers, best.value);
    return here_cell(asked, text, scores, best.cell);
}

enum { KEYS_MOST = 1024 };

/* A row of scores as the softmax sees it. */
typedef struct {
    int head, query, top; /* the key that gets most */
    double with, without; /* what that gets, with the division and without */
    double wide, narrow;  /* the deviations of the scores before and after */
} Row;

static Row read_row(const HeadMatrix *weights, const HeadMatrix *before,
                    const HeadMatrix *after, int head, int query) {
    Row row = {.head = head, .query = query};
    double most = -INFINITY;
    int seen = 0;
    Number wide[KEYS_MOST];
    Number narrow[KEYS_MOST];
    for (int k = 0; k < weights->keys; k++) {
        if (heads_hides(weights, head, query, k)) continue;
        if (heads_value(weights, head, query, k) >
            heads_value(weights, head, query, row.top))
            row.top = k;
        wide[seen] = (Number)heads_value(before, head, query, k);
        narrow[seen] = (Number)heads_value(after, head, query, k);
        most = fmax(most, (double)wide[seen++]);
    }
    double sum = 0;
    for (int k = 0; k < seen; k++) sum += exp((double)wide[k] - most);
    row.with = heads_value(weights, head, query, row.top);
    row.without = exp(heads_value(before, head, query, row.top) - most) / sum;
    row.wide = row_deviation(wide, seen);
    row.narrow = row_deviation(narrow, seen);
    return row;
}

Here tell_scaled(const Telling *asked) {
    HeadMatrix after;
    HeadMatrix before;
    HeadMatrix weights;
    const Tensor *scaled = asked_part(asked, "scaled");
    if (!heads_read(asked, scaled, &after) || after.keys > KEYS_MOST ||
        !heads_read(asked, tensor_beside(asked, scaled, "scores"), &before) ||
        !heads_read(asked, tensor_beside(asked, scaled, "weights"), &weights))
        return here_nothing;
    /* The row that the division changes most; where all are marks, the first. */
    Row most = read_row(&weights, &before, &after, 0, 0);
    bool is_mark_told = asked_is_mark(asked, scaled, after.query_axis, 0);
    for (int h = 0; h < after.heads; h++)
        for (int q = 0; q < after.queries; q++) {
            if (asked_is_mark(asked, scaled, after.query_axis, q)) continue;
            Row row = read_row(&weights, &before, &after, h, q);
            if (is_mark_told ||
                fabs(row.without - row.with) > fabs(most.without - most.with))
                most = row;
            is_mark_told = false;
        }
    const char *query = asked_label(asked, scaled, after.query_axis, most.query);
    const char *key = asked_label(asked, scaled, after.query_axis + 1, most.top);
    const char *spread =
        after.heads > 1
            ? trf(asked->arena,
                  "In head %d the scores of %s deviated by %.2f, now by %.2f.",
                  most.head, query, most.wide, most.narrow)
            : trf(asked->arena, "The scores of %s deviated by %.2f, now by %.2f.",
                  query, most.wide, most.narrow);
    const char *text = spread;
    if (fabs(most.without - most.with) >= 0.01)
        text =
            trf(asked->arena,
                "%s Without the division %s would get %.2f of its attention instead of "
                "%.2f.",
                spread, key, most.without, most.with);
    return here_cell(asked, text, scaled,
                     heads_cell(&after, most.head, most.query, most.top));
}

Here tell_masked(const Telling *asked) {
    HeadMatrix m;
    const Tensor *masked = asked_part(asked, "masked");
    if (!heads_read(asked, masked, &m)) return here_nothing;
    int pairs = m.queries * m.keys;
    int hidden = 0;
    int told = heads_cell(&m, 0, 0, 0); /* or the last one that is hidden */
    for (int q = 0; q < m.queries; q++)
        for (int k = 0; k < m.keys; k++)
            if (heads_hides(&m, 0, q, k)) {
                hidden++;
                told = heads_cell(&m, 0, q, k);
            }
    bool has_padding = masked->axis[m.query_axis + 1].size > m.keys;
    const char *text =
        hidden ? trf(asked->arena,
                     "Of the %d pairs of this sentence %d are hidden (hatched).", pairs,
                     hidden)
        : has_padding
            ? trf(asked->arena,
                  "Only the padding is hidden: all %d pairs of the sentence itself can "
                  "be seen.",
                  pairs)
            : trf(asked->arena, "Nothing is hidden: all %d pairs can be seen.", pairs);
    return here_cell(asked, text, masked, told);
}

static HeadRoles roles_of(const HeadMatrix *m, int head) {
    HeadRoles roles = {0};
    if (m->tensor->rank == 4 && m->tensor->axis[2].labels && m->tensor->axis[3].labels)
        roles_add(&roles, m->tensor, m->asked->story->row, head);
    return roles;
}

/* Is it twice as much as all keys would get alike? */
static bool stands_out(const HeadMatrix *m, double taken) {
    return taken >= 2.0 / m->keys;
}

/* The largest pair of the head that tells most: one with a role that is no rest and a
 * pair that stands out, the clearest of them, or else the one with the largest pair. */
static Pair telling_pair(const HeadMatrix *m) {
    Pair best = {.cell = -1};
    double most = -1;
    for (int h = 0; h < m->heads; h++) {
        HeadRoles roles = roles_of(m, h);
        int role = roles_best(&roles);
        Pair pair = largest_pair(m, h, ANY);
        double tells = pair.cell < 0 ? 0 : pair.value;
        if (!role_rests(role) && stands_out(m, tells))
            tells = 1 + roles_share(&roles, role);
        if (tells <= most) continue;
        most = tells;
        best = pair;
    }
    return best;
}

/* Of one matrix of an LSTM, or of one head. A row of cross-attention is the word that
 * was read last: what it takes serves to find the one behind it. */
static const char *pair_text(const HeadMatrix *m, const Pair *pair, bool across) {
    Arena *arena = m->asked->arena;
    const char *query = pair->asks;
    const char *key = pair->answers;
    double weight = pair->value;
    if (across && m->heads == 1)
        return trf(arena, "To go on after %s, %.2f comes from %s.", query, weight, key);
    if (across)
        return trf(arena, "To go on after %s, head %d takes %.2f from %s.", query,
                   pair->head, weight, key);
    if (m->heads == 1) return trf(arena, "%s takes %.2f from %s.", query, weight, key);
    return trf(arena, "In head %d %s takes %.2f from %s.", pair->head, query, weight,
               key);
}

static const char *pairs_text(const HeadMatrix *m, const Pair *first,
                              const Pair *second) {
    Arena *arena = m->asked->arena;
    bool across = !heads_of_same_tokens(m);
    if (second->cell < 0) return pair_text(m, first, across);
    if (across)
        return arena_print(arena, "%s %s", pair_text(m, first, true),
                           pair_text(m, second, true));
    if (m->heads == 1)
        return trf(arena, "%s takes %.2f from %s, %s takes %.2f from %s.", first->asks,
                   first->value, first->answers, second->asks, second->value,
                   second->answers);
    return trf(arena, "In head %d %s takes %.2f from %s, %s takes %.2f from %s.",
               first->head, first->asks, first->value, first->answers, second->asks,
               second->value, second->answers);
}

Here tell_weights(const Telling *asked) {
    HeadMatrix m;
    const Tensor *weights = asked_part(asked, "weights");
    if (!heads_read(asked, weights, &m)) return here_nothing;
    Pair first = telling_pair(&m);
    if (first.cell < 0) return here_nothing;
    if (!stands_out(&m, first.value)) {
        Pair all = largest_of_all(&m);
        const char *little =
            all.cell >= 0 && stands_out(&m, all.value)
                ? trf(asked->arena, "%s Yet, %s, no token takes more than %.2f.",
                      pair_text(&m, &all, !heads_of_same_tokens(&m)), left_out(&m),
                      first.value)
                : trf(asked->arena,
                      "Nothing stands out here: %s, no token takes more than %.2f.",
                      left_out(&m), first.value);
        return here_cell(asked, little, weights,
                         all.cell >= 0 && stands_out(&m, all.value) ? all.cell
                                                                    : first.cell);
    }
    Pair second = largest_pair(&m, first.head, first.query);
    HeadRoles roles = roles_of(&m, first.head);
    int role = roles_best(&roles);
    const char *text = pairs_text(&m, &first, &second);
    if (role >= 0)
        text = arena_print(
            asked->arena, "%s %s",
            trf(asked->arena,
                "Head %d looks at %s: there stands its largest weight in %.0f of the "
                "%d rows that have one.",
                first.head, role_name(role), roles.first[role], roles.rows[role]),
            text);
    return here_cell(asked, text, weights, first.cell);
}

Here tell_context(const Telling *asked) {
    HeadMatrix m;
    const Tensor *context = asked_part(asked, "context");
    const Tensor *value = tensor_beside(asked, context, "value");
    if (!value || value->rank != 4 || context->rank != 4 ||
        !heads_read(asked, tensor_beside(asked, context, "weights"), &m))
        return here_nothing;
    Pair pair = telling_pair(&m);
    /* Where roles are exchanged the values are another sentence's. */
    if (pair.cell < 0 ||
        strcmp(asked_label(asked, value, 2, pair.key), pair.answers) != 0)
        return here_nothing;
    int size = tensor_row(context);
    int matrix = asked->story->row * m.heads + pair.head;
    int row = (matrix * context->axis[2].size + pair.query) * size;
    int from = (matrix * value->axis[2].size + pair.key) * size;
    const char *text = trf(
        asked->arena,
        "What %s found in head %d has a cosine of %.2f with the value of %s, of "
        "which it took %.2f.",
        pair.asks, pair.head, row_cosine(context->data + row, value->data + from, size),
        pair.answers, pair.value);
    return here_row(asked, text, context, row);
}

/* What each head does, as far as its measure has a name. */
Here tell_concat(const Telling *asked) {
    enum { TOLD = 4 };
    HeadMatrix m;
    Arena *arena = asked->arena;
    const Tensor *concat = asked_part(asked, "concat");
    const Tensor *weights = tensor_beside(asked, concat, "weights");
    if (!weights || weights->rank != 4 || !heads_read(asked, weights, &m))
        return here_nothing;
    const char *text = "";
    int told = 0;
    for (int h = 0; h < m.heads && told < TOLD; h++) {
        HeadRoles roles = roles_of(&m, h);
        int role = roles_best(&roles);
        if (role < 0) continue;
        text = arena_print(
            arena, "%s%s%s", text, told++ ? " " : "",
            trf(arena, "Head %d looks at %s (%.2f on average, in %d of %d rows).", h,
                role_name(role), roles_share(&roles, role), roles.rows[role],
                m.queries));
    }
    if (told == 0)
        text =
            m.heads > 1
                ? trf(arena, "None of the %d heads does what has a name here.", m.heads)
                : tr(N_("The head does nothing that has a name here."));
    Here here = here_cell(asked, text, concat, asked_row(asked, concat, 0));
    here.command = arena_print(arena, ":heat %s", weights->name);
    here.head = -1;
    return here;
}

Here tell_dropped(const Telling *asked) {
    const Tensor *after = asked_part(asked, "weights_dropped");
    const Step *step = after ? record_step(&asked->story->record, after) : NULL;
    if (!step || after->rank != 4) return here_nothing;
    const Number *before = step->input[0]->data;
    int batch = tensor_axis(after, "batch");
    /* The row, dropped in part, whose sum is farthest from 1. */
    int row = -1;
    int dropped = 0; /* of those that the mask lets through */
    int kept = 0;
    double sum = 0;
    for (int start = 0; start < tensor_size(after); start += tensor_row(after)) {
        if (batch >= 0 && tensor_index(after, batch, start) != asked->story->row)
            continue;
        int here_dropped = 0;
        int here_kept = 0;
        double here_sum = 0;
        for (int i = start; i < start + tensor_row(after); i++) {
            here_sum += (double)after->data[i];
            here_dropped += before[i] != 0 && after->data[i] == 0;
            here_kept += after->data[i] != 0;
        }
        if (!here_dropped || !here_kept ||
            (row >= 0 && fabs(here_sum - 1) <= fabs(sum - 1)))
            continue;
        row = start;
        dropped = here_dropped;
        kept = here_kept;
        sum = here_sum;
    }
    if (row < 0) return here_nothing;
    const char *text =
        trf(asked->arena,
            "In head %d the weights of %s add up to %.2f: %d of %d were dropped, "
            "and the others divided by %g.",
            tensor_index(after, 1, row),
            asked_label(asked, after, 2, tensor_index(after, 2, row)), sum, dropped,
            dropped + kept, 1 - step->setting.number);
    return here_cell(asked, text, after, row);
}
