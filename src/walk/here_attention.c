#include <math.h>
#include <string.h>

#include "base/language.h"
#include "walk/followed.h"

/* Find the pair followed through the current stage, or return false. */
static bool is_followed(const StageView *view, Followed *followed) {
    *followed = followed_in_stage(view);
    return followed->pair.cell >= 0;
}

Here tell_projections(const StageView *view) {
    Followed followed;
    if (!is_followed(view, &followed)) return here_nothing;
    const QueryKey *pair = &followed.pair;
    const Tensor *query = view->stage->tensor[0];
    int first;
    int columns = followed_columns(&followed, query, &first);
    const char *text =
        followed.weights.heads > 1 && columns
            ? trf(view->arena,
                  "The walk now follows the query of \"%s\" and the key of \"%s\" in "
                  "head %d: columns %d to %d of Q.",
                  pair->asks, pair->answers, pair->head, first, first + columns - 1)
            : trf(view->arena,
                  "The walk now follows the query of \"%s\" and the key of \"%s\".",
                  pair->asks, pair->answers);
    Here here = here_cell(view, text, query, followed_cell(&followed, query));
    here.command = ":follow";
    here.head = -1;
    return here;
}

/* The numbers of the query and key that are multiplied next. */
Here tell_heads(const StageView *view) {
    enum { SHOWN = 3 };
    Followed followed;
    const Tensor *query = stage_view_part(view, "query");
    const Tensor *key = stage_view_part(view, "key");
    if (!query || !key || query->rank != 4 || tensor_row(query) <= SHOWN ||
        !is_followed(view, &followed))
        return here_nothing;
    const QueryKey *pair = &followed.pair;
    const int cell = followed_cell(&followed, query);
    const Number *q = query->data + cell;
    const Number *k = key->data + followed_cell(&followed, key);
    const char *text =
        trf(view->arena,
            "In head %d, the query of \"%s\" starts with %.2f, %.2f, %.2f and the key "
            "of \"%s\" with %.2f, %.2f, %.2f; each has %d numbers.",
            pair->head, pair->asks, (double)q[0], (double)q[1], (double)q[2],
            pair->answers, (double)k[0], (double)k[1], (double)k[2], tensor_row(query));
    Here here = here_cell(view, text, query, cell);
    here.head = pair->head;
    return here;
}

/* The first pair of numbers of the query, which rotates fastest. */
Here tell_rotated(const StageView *view) {
    Followed followed;
    const Tensor *turned = stage_view_part(view, "query_rotated");
    const Step *step = turned ? record_step(&view->story->record, turned) : NULL;
    if (!step || turned->rank != 4 || !is_followed(view, &followed))
        return here_nothing;
    const QueryKey *pair = &followed.pair;
    const int half = tensor_row(turned) / 2;
    const int at = followed_cell(&followed, turned);
    const Number *before = step->input[0]->data + at;
    const Number *after = turned->data + at;
    const int position = step->setting.count + pair->query;
    const char *text =
        trf(view->arena,
            "\"%s\" is at position %d. So numbers 0 and %d of its query, as a point in "
            "a plane, are rotated by %d radians: from (%.2f, %.2f) to (%.2f, %.2f).",
            pair->asks, position, half, position, (double)before[0],
            (double)before[half], (double)after[0], (double)after[half]);
    return here_cell(view, text, turned, at);
}

Here tell_scores(const StageView *view) {
    HeadMatrix m;
    Followed followed;
    Arena *arena = view->arena;
    const Tensor *scores = stage_view_part(view, "scores");
    if (!heads_read(view, scores, &m) || !is_followed(view, &followed))
        return here_nothing;
    const QueryKey *pair = &followed.pair;
    double score = heads_value(&m, pair->head, pair->query, pair->key);
    int larger = 0; /* scores in the row that are larger */
    for (int k = 0; k < m.keys; k++)
        larger += heads_value(&m, pair->head, pair->query, k) > score;
    const char *sum =
        m.heads > 1
            ? trf(arena,
                  "In head %d, the query of \"%s\" and the key of \"%s\" have the "
                  "score %.2f.",
                  pair->head, pair->asks, pair->answers, score)
            : trf(arena,
                  "The query of \"%s\" and the key of \"%s\" have the score %.2f.",
                  pair->asks, pair->answers, score);
    const char *place =
        m.keys == 1 ? ""
        : larger == 0
            ? trf(arena, "It is the largest of the %d in its row.", m.keys)
            : trf(arena, "It ranks %d of the %d in its row.", larger + 1, m.keys);
    return here_cell(view, arena_print(arena, "%s %s", sum, place), scores,
                     heads_cell(&m, pair->head, pair->query, pair->key));
}

/* Return the weight of the pair's key as if the softmax had read the unscaled
 * scores. */
static double undivided_share(const HeadMatrix *scores, const HeadMatrix *weights,
                              const QueryKey *pair) {
    double max = -INFINITY;
    for (int k = 0; k < weights->keys; k++)
        if (!heads_hides(weights, pair->head, pair->query, k))
            max = fmax(max, heads_value(scores, pair->head, pair->query, k));
    double sum = 0;
    for (int k = 0; k < weights->keys; k++)
        if (!heads_hides(weights, pair->head, pair->query, k))
            sum += exp(heads_value(scores, pair->head, pair->query, k) - max);
    return exp(heads_value(scores, pair->head, pair->query, pair->key) - max) / sum;
}

Here tell_scaled(const StageView *view) {
    HeadMatrix after;
    HeadMatrix before;
    Followed followed;
    Arena *arena = view->arena;
    const Tensor *scaled = stage_view_part(view, "scaled");
    const Step *step = scaled ? record_step(&view->story->record, scaled) : NULL;
    if (!step || !heads_read(view, scaled, &after) ||
        !heads_read(view, tensor_beside(view, scaled, "scores"), &before) ||
        !is_followed(view, &followed))
        return here_nothing;
    const QueryKey *pair = &followed.pair;
    const HeadMatrix *weights = &followed.weights;
    enum { VISIBLE_PART = 200 }; /* a score below 1 / 200 is printed as 0.00 */
    if (fabs(heads_value(&after, pair->head, pair->query, pair->key)) * VISIBLE_PART <
        1)
        return here_nothing;
    int d = (int)lround(1 / (step->setting.number * step->setting.number));
    const char *text = trf(arena, "%.2f / √%d = %.2f.",
                           heads_value(&before, pair->head, pair->query, pair->key), d,
                           heads_value(&after, pair->head, pair->query, pair->key));
    double without = undivided_share(&before, weights, pair);
    if (!heads_hides(weights, pair->head, pair->query, pair->key) &&
        fabs(without - pair->value) >= 0.01)
        text = trf(arena,
                   "%s After the softmax, \"%s\" gets the weight %.2f from \"%s\"; "
                   "without the division, it would get %.2f.",
                   text, pair->answers, pair->value, pair->asks, without);
    return here_cell(view, text, scaled,
                     heads_cell(&after, pair->head, pair->query, pair->key));
}

Here tell_masked(const StageView *view) {
    HeadMatrix m;
    Arena *arena = view->arena;
    const Tensor *masked = stage_view_part(view, "masked");
    if (!heads_read(view, masked, &m)) return here_nothing;
    Followed followed = followed_in_stage(view);
    const QueryKey *pair = &followed.pair;
    int pairs = m.queries * m.keys;
    int hidden = 0;
    int last = heads_cell(&m, 0, 0, 0); /* a masked cell */
    for (int q = 0; q < m.queries; q++)
        for (int k = 0; k < m.keys; k++)
            if (heads_hides(&m, 0, q, k)) {
                hidden++;
                last = heads_cell(&m, 0, q, k);
            }
    bool has_padding = masked->axis[m.query_axis + 1].size > m.keys;
    const char *text =
        hidden ? trf(arena,
                     "Of the %d query-key pairs of this sentence, %d are masked "
                     "(hatched).",
                     pairs, hidden)
        : has_padding
            ? trf(arena,
                  "Only padding is masked: all %d query-key pairs of the sentence "
                  "itself stay.",
                  pairs)
            : trf(arena, "Nothing is masked: all %d query-key pairs stay.", pairs);
    HeadMatrix before; /* the scaled scores if the model scales them */
    const Tensor *scores = tensor_beside(view, masked, "scaled");
    if (!scores) scores = tensor_beside(view, masked, "scores");
    if (pair->cell >= 0 && heads_read(view, scores, &before)) {
        double score = heads_value(&before, pair->head, pair->query, pair->key);
        text = arena_print(
            arena, "%s %s", text,
            heads_hides(&m, pair->head, pair->query, pair->key)
                ? trf(arena, "\"%s\" may not attend to \"%s\": %.2f is masked.",
                      pair->asks, pair->answers, score)
                : trf(arena, "\"%s\" may attend to \"%s\": %.2f does not change.",
                      pair->asks, pair->answers, score));
    }
    int told =
        pair->cell >= 0 ? heads_cell(&m, pair->head, pair->query, pair->key) : last;
    return here_cell(view, text, masked, told);
}

/* Describe the pair in an LSTM's one matrix, or in one head. In cross-attention, the
 * query is the last token read; its context is used to predict the next one. */
static const char *pair_text(const HeadMatrix *m, const QueryKey *pair) {
    Arena *arena = m->view->arena;
    bool across = !heads_of_same_tokens(m);
    const char *query = pair->asks;
    const char *key = pair->answers;
    double weight = pair->value;
    if (across && m->heads == 1)
        return trf(arena,
                   "To predict the token after \"%s\", the model puts the weight %.2f "
                   "on \"%s\".",
                   query, weight, key);
    if (across)
        return trf(arena,
                   "To predict the token after \"%s\", head %d puts the weight %.2f on "
                   "\"%s\".",
                   query, pair->head, weight, key);
    if (m->heads == 1)
        return trf(arena, "\"%s\" puts the weight %.2f on \"%s\".", query, weight, key);
    return trf(arena, "In head %d, \"%s\" puts the weight %.2f on \"%s\".", pair->head,
               query, weight, key);
}

/* Say that no head has a pair of two words with a larger weight. */
static const char *little_text(const HeadMatrix *m, const char *pair) {
    double max = 0;
    for (int h = 0; h < m->heads; h++) {
        QueryKey largest = largest_pair(m, h);
        if (largest.cell >= 0) max = fmax(max, largest.value);
    }
    return *pair
               ? trf(m->view->arena, "%s However, %s, no weight exceeds %.2f.", pair,
                     left_out(m), max)
               : trf(m->view->arena, "Nothing stands out: %s, no weight exceeds %.2f.",
                     left_out(m), max);
}

Here tell_weights(const StageView *view) {
    Followed followed;
    if (!is_followed(view, &followed)) return here_nothing;
    const HeadMatrix *m = &followed.weights;
    const QueryKey *pair = &followed.pair;
    const HeadRoles *roles = &heads_roles(m)[pair->head];
    const int role = roles_best(roles); /* -1: none */
    const char *taken = pair_text(m, pair);
    const char *text = taken;
    if (!followed.is_chosen && !pair_stands_out(m, pair))
        text = little_text(m, "");
    else if (!followed.is_chosen &&
             ((heads_of_same_tokens(m) && pair->query == pair->key) ||
              stage_view_is_mark(m->view, m->tensor, m->query_axis, pair->query) ||
              stage_view_is_mark(m->view, m->tensor, m->query_axis + 1, pair->key)))
        text = little_text(m, taken);
    else if (role >= 0) {
        if (!role_fits(role, m->tensor, view->story->row, pair->query, pair->key))
            taken = trf(view->arena,
                        "\"%s\" is an exception: it puts the weight %.2f on \"%s\".",
                        pair->asks, pair->value, pair->answers);
        text = trf(view->arena,
                   "Head %d attends to %s: it has the largest weight in %.0f of the %d "
                   "rows that can see such a token and others.",
                   pair->head, role_name(role), roles->first[role], roles->rows[role]);
        text = arena_print(view->arena, "%s %s", text, taken);
    }
    return here_cell(view, text, m->tensor, pair->cell);
}

Here tell_context(const StageView *view) {
    Followed followed;
    const Tensor *context = stage_view_part(view, "context");
    const Tensor *value = tensor_beside(view, context, "value");
    if (!value || value->rank != 4 || context->rank != 4 ||
        !is_followed(view, &followed))
        return here_nothing;
    const QueryKey *pair = &followed.pair;
    /* With exchanged roles, the values belong to another sentence. */
    if (strcmp(stage_view_label(view, value, 2, pair->key), pair->answers) != 0)
        return here_nothing;
    int size = tensor_row(context);
    int sentence = view->story->row;
    int heads = value->axis[1].size; /* several heads may share one of these */
    int matrix = sentence * followed.weights.heads + pair->head;
    int shared = sentence * heads + pair->head / (followed.weights.heads / heads);
    int row = (matrix * context->axis[2].size + pair->query) * size;
    int from = (shared * value->axis[2].size + pair->key) * size;
    const char *text = trf(view->arena,
                           "The context of \"%s\" in head %d has a cosine of %.2f with "
                           "the value of \"%s\", whose weight is %.2f.",
                           pair->asks, pair->head,
                           row_cosine(context->data + row, value->data + from, size),
                           pair->answers, pair->value);
    return here_row(view, text, context, row);
}

/* Describe what each head does, if its measure has a name. */
Here tell_concat(const StageView *view) {
    enum { TOLD = 4 };
    HeadMatrix m;
    Arena *arena = view->arena;
    const Tensor *concat = stage_view_part(view, "concat");
    const Tensor *weights = tensor_beside(view, concat, "weights");
    if (!weights || weights->rank != 4 || !heads_read(view, weights, &m))
        return here_nothing;
    const char *text = "";
    int told = 0;
    const HeadRoles *roles = heads_roles(&m);
    for (int h = 0; h < m.heads && told < TOLD; h++) {
        int role = roles_best(&roles[h]);
        if (role < 0) continue;
        text = arena_print(arena, "%s%s%s", text, told++ ? " " : "",
                           trf(arena,
                               "Head %d attends to %s (largest weight in %.0f of %d "
                               "rows, %.2f on average).",
                               h, role_name(role), roles[h].first[role],
                               roles[h].rows[role], roles_share(&roles[h], role)));
    }
    if (told == 0)
        text = m.heads > 1
                   ? trf(arena, "None of the %d heads has a recognized role.", m.heads)
                   : tr(N_("The head has no recognized role."));
    Followed followed = followed_in(view, weights);
    const QueryKey *pair = &followed.pair;
    int first = 0;
    int columns = pair->cell < 0 ? 0 : followed_columns(&followed, concat, &first);
    if (columns && m.heads > 1)
        text = trf(arena,
                   "%s The context of \"%s\" in head %d is now in columns %d to %d of "
                   "its row.",
                   text, pair->asks, pair->head, first, first + columns - 1);
    int row = pair->cell < 0 ? 0 : pair->query;
    Here here =
        here_cell(view, text, concat, stage_view_row(view, concat, row) + first);
    here.command = arena_print(arena, ":heat %s", weights->name);
    here.head = -1;
    return here;
}

Here tell_dropped(const StageView *view) {
    const Tensor *after = stage_view_part(view, "weights_dropped");
    const Step *step = after ? record_step(&view->story->record, after) : NULL;
    if (!step || after->rank != 4) return here_nothing;
    const Number *before = step->input[0]->data;
    int batch = tensor_axis(after, "batch");
    /* The row with dropped weights whose sum is farthest from 1. */
    int row = -1;
    int dropped = 0; /* of the weights that are not masked */
    int kept = 0;
    double sum = 0;
    for (int start = 0; start < tensor_size(after); start += tensor_row(after)) {
        if (batch >= 0 && tensor_index(after, batch, start) != view->story->row)
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
        trf(view->arena,
            "In head %d, the weights of \"%s\" sum to %.2f: %d of %d "
            "were dropped and the others divided by %g.",
            tensor_index(after, 1, row),
            stage_view_label(view, after, 2, tensor_index(after, 2, row)), sum, dropped,
            dropped + kept, 1 - step->setting.number);
    return here_cell(view, text, after, row);
}
