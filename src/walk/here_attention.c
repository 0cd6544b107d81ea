#include <math.h>
#include <string.h>

#include "base/language.h"
#include "explain/reduction.h"
#include "tensor/address.h"
#include "walk/role.h"
#include "walk/telling.h"

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

static const char *heads_query(const HeadMatrix *m, int query) {
    return asked_label(m->asked, m->tensor, m->query_axis, query);
}

static const char *heads_key(const HeadMatrix *m, int key) {
    return asked_label(m->asked, m->tensor, m->query_axis + 1, key);
}

/* Is it a pair of two tokens with a meaning, that can be seen? */
static bool is_telling(const HeadMatrix *m, int head, int query, int key) {
    const Axis *axis = &m->tensor->axis[m->query_axis];
    bool is_itself = axis[0].labels == axis[1].labels && query == key;
    return !is_itself && !heads_hides(m, head, query, key) &&
           !asked_is_mark(m->asked, m->tensor, m->query_axis, query) &&
           !asked_is_mark(m->asked, m->tensor, m->query_axis + 1, key);
}

/* The pair of a head with the largest value whose query is not `but`; false: there is
 * none. */
static bool heads_pair(const HeadMatrix *m, int head, int but, int pair[2]) {
    bool found = false;
    for (int q = 0; q < m->queries; q++)
        for (int k = 0; q != but && k < m->keys; k++) {
            if (!is_telling(m, head, q, k)) continue;
            if (found &&
                heads_value(m, head, q, k) <= heads_value(m, head, pair[0], pair[1]))
                continue;
            found = true;
            pair[0] = q;
            pair[1] = k;
        }
    return found;
}

Here tell_projections(const Telling *asked) {
    const Stage *stage = asked->stage;
    if (stage->tensors != 3) return here_nothing();
    double deviation[3];
    for (int t = 0; t < 3; t++) {
        const Tensor *x = stage->tensor[t];
        int tokens = asked_tokens(asked, x, x->rank - 2);
        deviation[t] =
            row_deviation(x->data + asked_row(asked, x, 0), tokens * tensor_row(x));
    }
    const char *text = trf(asked->arena,
                           "The numbers of the queries deviate by %.2f, those of the "
                           "keys by %.2f, those of the values by %.2f.",
                           deviation[0], deviation[1], deviation[2]);
    return here_cell(asked, text, stage->tensor[0],
                     asked_row(asked, stage->tensor[0], 0));
}

Here tell_scores(const Telling *asked) {
    HeadMatrix m;
    HeadMatrix masked;
    const Tensor *scores = asked_part(asked, "scores");
    if (!heads_read(asked, scores, &m)) return here_nothing();
    if (heads_read(asked, asked_beside(asked, scores, "masked"), &masked))
        m.hidden = masked.hidden;
    int head = -1;
    int best[2] = {0, 0};
    for (int h = 0; h < m.heads; h++) {
        int pair[2];
        if (!heads_pair(&m, h, -1, pair)) continue;
        if (head >= 0 && heads_value(&m, h, pair[0], pair[1]) <=
                             heads_value(&m, head, best[0], best[1]))
            continue;
        head = h;
        memcpy(best, pair, sizeof pair);
    }
    if (head < 0) return here_nothing();
    double score = heads_value(&m, head, best[0], best[1]);
    const char *query = heads_query(&m, best[0]);
    const char *key = heads_key(&m, best[1]);
    const char *text =
        m.heads > 1
            ? trf(asked->arena,
                  "The pair that fits best: %s asks and %s answers, with %.2f in head "
                  "%d.",
                  query, key, score, head)
            : trf(asked->arena,
                  "The pair that fits best: %s asks and %s answers, with %.2f.", query,
                  key, score);
    return here_cell(asked, text, scores, heads_cell(&m, head, best[0], best[1]));
}

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
    Number wide[1024];
    Number narrow[1024];
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
    if (!heads_read(asked, scaled, &after) || after.keys > 1024 ||
        !heads_read(asked, asked_beside(asked, scaled, "scores"), &before) ||
        !heads_read(asked, asked_beside(asked, scaled, "weights"), &weights))
        return here_nothing();
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
    const char *query = heads_query(&after, most.query);
    const char *key = heads_key(&after, most.top);
    const char *spread =
        after.heads > 1
            ? trf(asked->arena,
                  "In head %d the scores of %s deviated by %.2f, now by %.2f.",
                  most.head, query, most.wide, most.narrow)
            : trf(asked->arena, "The scores of %s deviated by %.2f, now by %.2f.",
                  query, most.wide, most.narrow);
    const char *text =
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
    if (!heads_read(asked, masked, &m)) return here_nothing();
    int hidden = 0;
    int last = 0;
    for (int q = 0; q < m.queries; q++)
        for (int k = 0; k < m.keys; k++)
            if (heads_hides(&m, 0, q, k)) {
                hidden++;
                last = heads_cell(&m, 0, q, k);
            }
    bool has_padding = masked->axis[masked->rank - 1].size > m.keys;
    const char *text =
        hidden ? trf(asked->arena,
                     "Of the %d pairs of this sentence %d are hidden (hatched).",
                     m.queries * m.keys, hidden)
        : has_padding
            ? trf(asked->arena,
                  "Only the padding is hidden: all %d pairs of the sentence itself can "
                  "be seen.",
                  m.queries * m.keys)
            : trf(asked->arena, "Nothing is hidden: all %d pairs can be seen.",
                  m.queries * m.keys);
    return here_cell(asked, text, masked, hidden ? last : heads_cell(&m, 0, 0, 0));
}

static HeadRoles roles_of(const HeadMatrix *m, int head) {
    HeadRoles roles = {0};
    if (m->tensor->rank == 4 && m->tensor->axis[2].labels && m->tensor->axis[3].labels)
        roles_add(&roles, m->tensor, m->asked->story->row, head);
    return roles;
}

/* The largest share that a token takes from another in a head, or 0. */
static double most_taken(const HeadMatrix *m, int head) {
    int pair[2];
    return heads_pair(m, head, -1, pair) ? heads_value(m, head, pair[0], pair[1]) : 0;
}

/* Is it twice as much as all keys would get alike? */
static bool stands_out(const HeadMatrix *m, double taken) {
    return taken >= 2.0 / m->keys;
}

/* The head that tells most: one with a role that is no rest and a pair that stands out,
 * the clearest of them, or else the one with the largest pair. */
static int telling_head(const HeadMatrix *m) {
    int best = 0;
    double most = -1;
    for (int h = 0; h < m->heads; h++) {
        HeadRoles roles = roles_of(m, h);
        int role = roles_best(&roles);
        double tells = most_taken(m, h);
        if (!role_rests(role) && stands_out(m, tells))
            tells = 1 + roles_share(&roles, role);
        if (tells <= most) continue;
        most = tells;
        best = h;
    }
    return best;
}

static const char *role_text(const HeadMatrix *m, int head) {
    HeadRoles roles = roles_of(m, head);
    int role = roles_best(&roles);
    if (role < 0) return "";
    return trf(m->asked->arena,
               "Head %d looks at %s: there stands its largest weight in %.0f of the %d "
               "rows that have one.",
               head, role_name(role), roles.first[role], roles.rows[role]);
}

/* Of one matrix of an LSTM, or of one head. A row of cross-attention is the word that
 * was read last: what it takes serves to find the one behind it. */
static const char *pair_text(const HeadMatrix *m, int head, const int pair[2],
                             bool across) {
    Arena *arena = m->asked->arena;
    const char *query = heads_query(m, pair[0]);
    const char *key = heads_key(m, pair[1]);
    double weight = heads_value(m, head, pair[0], pair[1]);
    if (across && m->heads == 1)
        return trf(arena, "To go on after %s, %.2f comes from %s.", query, weight, key);
    if (across)
        return trf(arena, "To go on after %s, head %d takes %.2f from %s.", query, head,
                   weight, key);
    if (m->heads == 1) return trf(arena, "%s takes %.2f from %s.", query, weight, key);
    return trf(arena, "In head %d %s takes %.2f from %s.", head, query, weight, key);
}

static const char *pairs_text(const HeadMatrix *m, int head, const int first[2],
                              const int *second) {
    Arena *arena = m->asked->arena;
    const Axis *axis = &m->tensor->axis[m->query_axis];
    bool across = axis[0].labels != axis[1].labels;
    if (!second) return pair_text(m, head, first, across);
    if (across)
        return arena_print(arena, "%s %s", pair_text(m, head, first, true),
                           pair_text(m, head, second, true));
    const char *query[] = {heads_query(m, first[0]), heads_query(m, second[0])};
    const char *key[] = {heads_key(m, first[1]), heads_key(m, second[1])};
    double weight[] = {heads_value(m, head, first[0], first[1]),
                       heads_value(m, head, second[0], second[1])};
    if (m->heads == 1)
        return trf(arena, "%s takes %.2f from %s, %s takes %.2f from %s.", query[0],
                   weight[0], key[0], query[1], weight[1], key[1]);
    return trf(arena, "In head %d %s takes %.2f from %s, %s takes %.2f from %s.", head,
               query[0], weight[0], key[0], query[1], weight[1], key[1]);
}

Here tell_weights(const Telling *asked) {
    HeadMatrix m;
    const Tensor *weights = asked_part(asked, "weights");
    if (!heads_read(asked, weights, &m)) return here_nothing();
    int head = telling_head(&m);
    int first[2];
    int second[2];
    if (!heads_pair(&m, head, -1, first)) return here_nothing();
    double most = heads_value(&m, head, first[0], first[1]);
    int cell = heads_cell(&m, head, first[0], first[1]);
    if (!stands_out(&m, most))
        return here_cell(asked,
                         trf(asked->arena,
                             "Nothing stands out here: no token takes more than %.2f "
                             "from another.",
                             most),
                         weights, cell);
    bool has_second = heads_pair(&m, head, first[0], second);
    const char *role = role_text(&m, head);
    const char *pairs = pairs_text(&m, head, first, has_second ? second : NULL);
    const char *text = *role ? arena_print(asked->arena, "%s %s", role, pairs) : pairs;
    return here_cell(asked, text, weights, cell);
}

Here tell_context(const Telling *asked) {
    HeadMatrix m;
    const Tensor *context = asked_part(asked, "context");
    const Tensor *weights = context ? asked_beside(asked, context, "weights") : NULL;
    const Tensor *value = context ? asked_beside(asked, context, "value") : NULL;
    int pair[2];
    if (!value || value->rank != 4 || context->rank != 4 ||
        !heads_read(asked, weights, &m))
        return here_nothing();
    int head = telling_head(&m);
    if (!heads_pair(&m, head, -1, pair)) return here_nothing();
    int size = tensor_row(context);
    int matrix = asked->story->row * m.heads + head;
    int row = (matrix * context->axis[2].size + pair[0]) * size;
    int from = (matrix * value->axis[2].size + pair[1]) * size;
    const char *text =
        trf(asked->arena,
            "What %s found in head %d has a cosine of %.2f with the value of %s, of "
            "which it took %.2f.",
            heads_query(&m, pair[0]), head,
            row_cosine(context->data + row, value->data + from, size),
            heads_key(&m, pair[1]), heads_value(&m, head, pair[0], pair[1]));
    return here_cell(asked, text, context,
                     row + row_largest(context->data + row, size));
}

/* What each head does, as far as its measure has a name. */
Here tell_concat(const Telling *asked) {
    enum { TOLD = 4 };
    HeadMatrix m;
    Arena *arena = asked->arena;
    const Tensor *concat = asked_part(asked, "concat");
    const Tensor *weights = concat ? asked_beside(asked, concat, "weights") : NULL;
    if (!weights || weights->rank != 4 || !heads_read(asked, weights, &m))
        return here_nothing();
    const char *text = "";
    int told = 0;
    for (int h = 0; h < m.heads && told < TOLD; h++) {
        HeadRoles roles = roles_of(&m, h);
        int role = roles_best(&roles);
        if (role < 0) continue;
        text = arena_print(arena, "%s%s%s", text, told++ ? " " : "",
                           trf(arena, "Head %d looks at %s (%.2f on average).", h,
                               role_name(role), roles_share(&roles, role)));
    }
    if (told == 0)
        text = trf(arena, "None of the %d heads does what has a name here.", m.heads);
    Here here = here_cell(asked, text, concat, asked_row(asked, concat, 0));
    here.command = arena_print(arena, ":heat %s", weights->name);
    here.head = -1;
    return here;
}

/* A row of weights that dropout has changed. */
typedef struct {
    int start;
    double sum;
    int dropped, kept; /* of those that the mask lets through */
} DroppedRow;

static DroppedRow row_at(const Tensor *before, const Tensor *after, int start) {
    DroppedRow row = {.start = start};
    for (int i = start; i < start + tensor_row(after); i++) {
        row.sum += (double)after->data[i];
        row.dropped += before->data[i] != 0 && after->data[i] == 0;
        row.kept += after->data[i] != 0;
    }
    return row;
}

/* The row of the story's sentence, dropped in part, whose sum lies farthest from 1. */
static DroppedRow farthest_row(const Telling *asked, const Tensor *before,
                               const Tensor *after) {
    DroppedRow farthest = {.start = -1};
    int batch = tensor_axis(after, "batch");
    for (int start = 0; start < tensor_size(after); start += tensor_row(after)) {
        if (batch >= 0 && tensor_index(after, batch, start) != asked->story->row)
            continue;
        DroppedRow row = row_at(before, after, start);
        if (!row.dropped || !row.kept) continue;
        if (farthest.start < 0 || fabs(row.sum - 1) > fabs(farthest.sum - 1))
            farthest = row;
    }
    return farthest;
}

Here tell_dropped(const Telling *asked) {
    const Tensor *after = asked_part(asked, "weights_dropped");
    const Step *step = after ? asked_step(asked, after) : NULL;
    if (!step || after->rank != 4) return here_nothing();
    DroppedRow row = farthest_row(asked, step->input[0], after);
    if (row.start < 0) return here_nothing();
    const char *text =
        trf(asked->arena,
            "In head %d the weights of %s add up to %.2f: %d of %d were dropped, "
            "and the others divided by %g.",
            tensor_index(after, 1, row.start),
            asked_label(asked, after, 2, tensor_index(after, 2, row.start)), row.sum,
            row.dropped, row.dropped + row.kept, 1 - step->setting.number);
    return here_cell(asked, text, after, row.start);
}
