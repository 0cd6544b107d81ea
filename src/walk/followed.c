#include "walk/followed.h"

#include <string.h>

#include "base/language.h"
#include "explain/reduction.h"
#include "tensor/address.h"

bool heads_read(const StageView *view, const Tensor *tensor, HeadMatrix *matrix) {
    if (!tensor || tensor->rank < 3) return false;
    int query = tensor->rank - 2;
    *matrix = (HeadMatrix){
        .view = view,
        .tensor = tensor,
        .heads = tensor->rank == 4 ? tensor->axis[1].size : 1,
        .queries = stage_view_tokens(view, tensor, query),
        .keys = stage_view_tokens(view, tensor, query + 1),
        .query_axis = query,
        .hidden = hidden_cells(&view->story->record, tensor, view->arena),
    };
    return matrix->queries > 0 && matrix->keys > 0;
}

int heads_cell(const HeadMatrix *m, int head, int query, int key) {
    const Axis *axis = &m->tensor->axis[m->query_axis];
    int matrix = m->view->story->row * m->heads + head;
    return (matrix * axis[0].size + query) * axis[1].size + key;
}

double heads_value(const HeadMatrix *m, int head, int query, int key) {
    return (double)m->tensor->data[heads_cell(m, head, query, key)];
}

bool heads_hides(const HeadMatrix *m, int head, int query, int key) {
    return m->hidden && m->hidden[heads_cell(m, head, query, key)];
}

bool heads_of_same_tokens(const HeadMatrix *m) {
    const Axis *axis = &m->tensor->axis[m->query_axis];
    return axis[0].labels == axis[1].labels;
}

const char *left_out(const HeadMatrix *m) {
    return heads_of_same_tokens(m)
               ? tr("apart from punctuation, tokens in < > and each token itself")
               : tr("apart from punctuation and tokens in < >");
}

HeadRoles *heads_roles(const HeadMatrix *m) {
    HeadRoles *roles = ARENA_ARRAY(m->view->arena, HeadRoles, m->heads);
    if (m->tensor->rank == 4 && m->tensor->axis[2].labels && m->tensor->axis[3].labels)
        roles_add(roles, m->tensor, m->view->story->row);
    return roles;
}

static int keys_seen(const HeadMatrix *m, int head, int query) {
    int seen = 0;
    for (int k = 0; k < m->keys; k++) seen += !heads_hides(m, head, query, k);
    return seen;
}

bool pair_stands_out(const HeadMatrix *m, const QueryKey *pair) {
    return pair->cell >= 0 && pair->value * keys_seen(m, pair->head, pair->query) >= 2;
}

/* The best pair found so far; `key` -1: none yet. */
typedef struct {
    int head, query, key;
    bool stands_out;
    double value;
} Candidate;

/* Replace `best` if this pair is better. `seen`: how many keys the query sees. */
static void improve(Candidate *best, const HeadMatrix *m, int head, int query, int key,
                    int seen) {
    double value = heads_value(m, head, query, key);
    bool stands_out = value * seen >= 2;
    if (best->key >= 0 &&
        (best->stands_out != stands_out ? best->stands_out : value <= best->value))
        return;
    *best = (Candidate){head, query, key, stands_out, value};
}

static QueryKey pair_of(const HeadMatrix *m, const Candidate *best) {
    const int head = best->head, query = best->query, key = best->key;
    if (key < 0) return (QueryKey){.cell = -1};
    return (QueryKey){
        .head = head,
        .query = query,
        .key = key,
        .cell = heads_cell(m, head, query, key),
        .value = heads_value(m, head, query, key),
        .asks = stage_view_label(m->view, m->tensor, m->query_axis, query),
        .answers = stage_view_label(m->view, m->tensor, m->query_axis + 1, key),
    };
}

/* Return the largest pair among the first `queries` queries. */
static QueryKey largest_of_first(const HeadMatrix *m, int head, int queries) {
    bool same_tokens = heads_of_same_tokens(m);
    Candidate best = {.key = -1};
    for (int q = 0; q < queries; q++) {
        if (stage_view_is_mark(m->view, m->tensor, m->query_axis, q)) continue;
        int seen = keys_seen(m, head, q);
        for (int k = 0; k < m->keys; k++)
            if (!(same_tokens && q == k) && !heads_hides(m, head, q, k) &&
                !stage_view_is_mark(m->view, m->tensor, m->query_axis + 1, k))
                improve(&best, m, head, q, k, seen);
    }
    return pair_of(m, &best);
}

QueryKey largest_pair(const HeadMatrix *m, int head) {
    return largest_of_first(m, head, m->queries);
}

/* Return the most informative pair among the first `queries` queries. Choose the head
 * with the clearest role that is not a resting role and whose largest pair stands out,
 * or else the head with the largest pair. */
static QueryKey notable_of_first(const HeadMatrix *m, int queries) {
    QueryKey best = {.cell = -1};
    double max = -1;
    const HeadRoles *roles = heads_roles(m);
    for (int h = 0; h < m->heads; h++) {
        int role = roles_best(&roles[h]);
        QueryKey pair = largest_of_first(m, h, queries);
        double tells = pair.cell < 0 ? 0 : pair.value;
        if (pair_stands_out(m, &pair))
            tells = role_rests(role) ? 1 + tells : 2 + roles_share(&roles[h], role);
        if (tells <= max) continue;
        max = tells;
        best = pair;
    }
    return best;
}

/* Prefer a pair in the user's own text, then any other. Accept marks and the token
 * itself only as a last resort. */
static QueryKey notable_pair(const HeadMatrix *m) {
    const int added = story_added(m->view->story);
    const int own = added < m->queries ? m->queries - added : m->queries;
    QueryKey best = notable_of_first(m, own);
    if (own < m->queries && !pair_stands_out(m, &best))
        best = notable_of_first(m, m->queries);
    if (pair_stands_out(m, &best)) return best;
    /* The largest pair of all heads and tokens, among queries that see several keys. */
    Candidate largest = {.key = -1};
    for (int h = 0; h < m->heads; h++)
        for (int q = 0; q < m->queries; q++) {
            int seen = keys_seen(m, h, q);
            for (int k = 0; seen > 1 && k < m->keys; k++)
                if (!heads_hides(m, h, q, k)) improve(&largest, m, h, q, k, seen);
        }
    QueryKey all = pair_of(m, &largest);
    return pair_stands_out(m, &all) ? all : best;
}

/* Return the pair with the largest weight among those that the user chose; none if the
 * tokens or the head are not in this attention. */
static QueryKey chosen_pair(const HeadMatrix *m) {
    const char *chosen = m->view->story->followed;
    Candidate best = {.key = -1};
    Slice slice;
    Error none;
    if (!chosen || !address_slice(chosen, m->tensor, m->view->arena, &slice, &none))
        return pair_of(m, &best);
    int q = m->query_axis;
    int head_from = q == 2 ? slice.from[1] : 0;
    int head_to = q == 2 ? slice.to[1] : 1;
    bool is_head = slice.to[q] - slice.from[q] == m->tensor->axis[q].size &&
                   slice.to[q + 1] - slice.from[q + 1] == m->tensor->axis[q + 1].size;
    if (is_head) return largest_pair(m, head_from);
    for (int h = head_from; h < head_to; h++)
        for (int query = slice.from[q]; query < slice.to[q]; query++)
            for (int k = slice.from[q + 1]; k < slice.to[q + 1]; k++)
                if (query < m->queries && k < m->keys)
                    improve(&best, m, h, query, k, keys_seen(m, h, query));
    return pair_of(m, &best);
}

StageView stage_view(const Story *story, const Stage *stage, Arena *arena) {
    return (StageView){story, stage, arena, ARENA_ARRAY(arena, Followed, 1)};
}

Followed followed_in(const StageView *view, const Tensor *weights) {
    Followed followed = {.pair.cell = -1, .weights.view = view};
    if (weights && view->followed->weights.tensor == weights) return *view->followed;
    if (!heads_read(view, weights, &followed.weights)) return followed;
    followed.pair = chosen_pair(&followed.weights);
    followed.is_chosen = followed.pair.cell >= 0;
    if (!followed.is_chosen) followed.pair = notable_pair(&followed.weights);
    return *view->followed = followed;
}

const Tensor *tensor_beside(const StageView *view, const Tensor *tensor,
                            const char *name) {
    if (!tensor) return NULL;
    const char *dot = strrchr(tensor->name, '.');
    int before = dot ? (int)(dot - tensor->name) : 0;
    return tape_find(view->story->record.run,
                     arena_print(view->arena, "%.*s.%s", before, tensor->name, name));
}

Followed followed_in_stage(const StageView *view) {
    return followed_in(view, tensor_beside(view, view->stage->tensor[0], "weights"));
}

/* Return the token in [from, to) with the longest label: most likely a content word. */
static int longest_token(const StageView *view, const Tensor *rows, int from, int to) {
    int best = from;
    size_t max = 0;
    for (int t = from; t < to; t++) {
        size_t length = strlen(stage_view_label(view, rows, 1, t));
        if (stage_view_is_mark(view, rows, 1, t) || length <= max) continue;
        max = length;
        best = t;
    }
    return best;
}

int followed_token(const StageView *view, const Tensor *rows) {
    const Stage *stage = view->stage;
    const Tensor *weights =
        tape_find(view->story->record.run,
                  arena_print(view->arena, "%s.%d.self_attention.weights", stage->stack,
                              stage->layer > 0 ? stage->layer : 0));
    const QueryKey pair = followed_in(view, weights).pair;
    const int tokens = stage_view_tokens(view, rows, 1);
    return pair.cell >= 0 && pair.query < tokens ? pair.query
                                                 : longest_token(view, rows, 0, tokens);
}

int followed_word(const StageView *view, const Tensor *rows) {
    enum { BESIDE = 2 };
    const int tokens = stage_view_tokens(view, rows, 1);
    const int token = followed_token(view, rows);
    return longest_token(view, rows, token > BESIDE ? token - BESIDE : 0,
                         token + BESIDE < tokens ? token + BESIDE + 1 : tokens);
}

/* The cells of an attention's tensor that belong to the pair, by the last part of its
 * address: the query's row, the key's row, or the pair's own cell. */
typedef enum { PART_QUERY, PART_KEY, PART_PAIR } FollowedPart;

static const struct {
    const char *called;
    FollowedPart part;
} parts[] = {
    {"query_projection", PART_QUERY},
    {"key_projection", PART_KEY},
    {"value_projection", PART_KEY},
    {"query", PART_QUERY},
    {"key", PART_KEY},
    {"value", PART_KEY},
    {"query_rotated", PART_QUERY},
    {"key_rotated", PART_KEY},
    {"key_shared", PART_KEY},
    {"value_shared", PART_KEY},
    {"scores", PART_PAIR},
    {"scaled", PART_PAIR},
    {"masked", PART_PAIR},
    {"weights", PART_PAIR},
    {"weights_dropped", PART_PAIR},
    {"context", PART_QUERY},
    {"concat", PART_QUERY},
};

/* Return the head of a tensor with `heads` heads that the followed head reads. With
 * grouped-query attention, several query heads share one key head. */
static int head_in(const Followed *followed, int heads) {
    return followed->pair.head / (followed->weights.heads / heads);
}

int followed_columns(const Followed *followed, const Tensor *tensor, int *first) {
    const HeadMatrix *weights = &followed->weights;
    int columns = tensor_row(tensor);
    *first = 0;
    if (tensor->rank == 4 || weights->heads <= 1) return columns;
    const Tensor *context = tensor_beside(weights->view, weights->tensor, "context");
    int size = context ? tensor_row(context) : columns;
    int heads = columns / size;
    if (heads * size != columns || weights->heads % heads != 0) return 0;
    *first = head_in(followed, heads) * size;
    return size;
}

/* Return the row of `parts` for the tensor, or NULL. */
static const FollowedPart *part_of(const Tensor *tensor) {
    for (size_t p = 0; p < sizeof parts / sizeof *parts; p++)
        if (strcmp(parts[p].called, tensor->short_name) == 0) return &parts[p].part;
    return NULL;
}

int followed_in_tensor(const Followed *followed, const Tensor *tensor) {
    const FollowedPart *part = part_of(tensor);
    if (followed->pair.cell < 0) return 0;
    return part && *part == PART_KEY ? followed->pair.key : followed->pair.query;
}

int followed_cell(const Followed *followed, const Tensor *tensor) {
    int token = followed_in_tensor(followed, tensor);
    int first;
    followed_columns(followed, tensor, &first);
    if (tensor->rank == 4)
        token += head_in(followed, tensor->axis[1].size) * tensor->axis[2].size;
    return stage_view_row(followed->weights.view, tensor, token) + first;
}

const unsigned char *followed_marks(const StageView *view, const Followed *followed,
                                    const Tensor *tensor) {
    const QueryKey *pair = &followed->pair;
    const int last = tensor->rank - 1;
    const FollowedPart *found = part_of(tensor);
    if (pair->cell < 0 || !found || tensor->rank < 3) return NULL;
    const FollowedPart part = *found;
    const int token = followed_in_tensor(followed, tensor);
    int axis = tensor->rank - 2;
    /* With exchanged roles, values and findings belong to another sentence. */
    if (part != PART_PAIR &&
        (token >= tensor->axis[axis].size ||
         strcmp(stage_view_label(view, tensor, axis, token),
                part == PART_KEY ? pair->answers : pair->asks) != 0))
        return NULL;
    unsigned char *marked =
        ARENA_ARRAY(view->arena, unsigned char, tensor_size(tensor));
    int sentence = tensor_size(tensor) / tensor->axis[0].size;
    int row = view->story->row < tensor->axis[0].size ? view->story->row : 0;
    int first;
    const int columns = followed_columns(followed, tensor, &first);
    const int head = tensor->rank == 3 || part == PART_PAIR
                         ? pair->head
                         : head_in(followed, tensor->axis[1].size);
    for (int cell = row * sentence; cell < (row + 1) * sentence; cell++) {
        const int at = tensor_index(tensor, axis, cell);
        const int column = tensor_index(tensor, last, cell);
        marked[cell] = (tensor->rank == 3 || tensor_index(tensor, 1, cell) == head) &&
                       (part == PART_PAIR ? at == pair->query && column == pair->key
                                          : at == token && column >= first &&
                                                column < first + columns);
    }
    return marked;
}
