#include "explain/shown_tokens.h"

#include <string.h>

#include "base/builder.h"
#include "base/options.h"
#include "text/label.h"

const char *shown_print(const ShownTokens *shown, Arena *arena) {
    Builder text = {.arena = arena};
    if (shown->to > 0) return arena_print(arena, "%d:%d", shown->from, shown->to);
    for (int t = 0; t < shown->tokens; t++)
        build_item(&text, " ", "%s", shown->token[t]);
    return builder_text(&text);
}

bool is_of_tokens(const Axis *axis) {
    static const char *const names[] = {"source", "target", "token", "query", "key"};
    for (size_t n = 0; n < sizeof names / sizeof *names; n++)
        if (strcmp(axis->name, names[n]) == 0) return true;
    return false;
}

static bool is_whole(const Slice *slice, int a) {
    return slice->from[a] == 0 && slice->to[a] == slice->tensor->axis[a].size;
}

/* The positions on the axis of "부산+에서". */
typedef struct {
    int place[SHOWN_MAX];
    int count;
} Joined;

int pieces_from(const Axis *axis, int row, int first, const char *word, size_t length) {
    for (int i = first; i < axis->size && i - first < SHOWN_MAX; i++) {
        const char *label = axis_label(axis, row, i);
        const char *piece = !label || i > first ? label : label_bare(label);
        if (!piece || !*piece || strlen(piece) > length ||
            strncmp(word, piece, strlen(piece)) != 0)
            return 0;
        word += strlen(piece);
        length -= strlen(piece);
        if (length == 0) return i + 1 - first;
    }
    return 0;
}

/* Join a token, or a word of several tokens: 만났다. */
static void join_one(const Axis *axis, int row, const char *name, size_t length,
                     Joined *joined) {
    Arena arena = {0};
    long long number;
    int place = -1;
    /* A position, or a token; equal tokens are numbered as in addresses: 부산#2. */
    const char *word = arena_copy(&arena, name, length);
    if (option_whole(word, &number) && number >= 0 && number < axis->size)
        place = (int)number;
    const char **label = address_list(axis, row, 0, axis->size, false, &arena);
    for (int i = 0; place < 0 && i < axis->size; i++)
        if (label_is(label[i], word)) place = i;
    arena_free(&arena);
    int count = place >= 0;
    for (int i = 0; count == 0 && i < axis->size; i++) {
        count = pieces_from(axis, row, i, name, length);
        place = i;
    }
    for (int i = 0; i < count && joined->count < SHOWN_MAX; i++)
        joined->place[joined->count++] = place + i;
}

static bool has(const Axis *axis, int row, const char *name, size_t length) {
    Joined joined = {.count = 0};
    if (axis) join_one(axis, row, name, length, &joined);
    return joined.count > 0;
}

bool shown_check(const ShownTokens *shown, const Axis *axis, const Axis *other, int row,
                 Arena *arena, Error *error) {
    for (int t = 0; t < shown->tokens; t++)
        for (const char *part = shown->token[t]; *part;) {
            size_t length = strcspn(part + 1, "+") + 1;
            if (!has(axis, row, part, length) && !has(other, row, part, length))
                return fail(error,
                            "the sentence has no token or word '%s'; :tokens lists "
                            "them",
                            arena_copy(arena, part, length));
            part += length;
            part += *part == '+';
        }
    return true;
}

/* The positions of each visible column, along one axis. */
typedef struct {
    Joined group[SHOWN_MAX];
    const char *label[SHOWN_MAX];
    int count;
} Chosen;

static void choose(const ShownTokens *shown, const Axis *axis, int row, Arena *arena,
                   Chosen *chosen) {
    chosen->count = 0;
    for (int t = 0; t < shown->tokens && chosen->count < SHOWN_MAX; t++) {
        Joined joined = {.count = 0};
        for (const char *token = shown->token[t]; *token && joined.count < SHOWN_MAX;) {
            size_t length = strcspn(token + 1, "+") + 1; /* a single + is a token */
            join_one(axis, row, token, length, &joined);
            token += length;
            token += *token == '+';
        }
        if (joined.count == 0) continue;
        Builder label = {.arena = arena};
        for (int j = 0; j < joined.count; j++) {
            if (j) build_text(&label, "+");
            build_text(&label, address_label(axis, row, joined.place[j], arena));
        }
        chosen->label[chosen->count] = builder_text(&label);
        chosen->group[chosen->count++] = joined;
    }
}

/* Copy the selected columns of axis `a`, in `arena`. */
static const Tensor *gather(const Tensor *tensor, int a, const Chosen *chosen,
                            Arena *arena) {
    Axis axis[RANK_MAX];
    const char **label = ARENA_ARRAY(arena, const char *, chosen->count);
    bool adds = strcmp(tensor->axis[a].name, "key") == 0;
    int stride = tensor_stride(tensor, a);
    int size = tensor->axis[a].size;
    for (int i = 0; i < tensor->rank; i++) axis[i] = tensor->axis[i];
    for (int c = 0; c < chosen->count; c++) label[c] = chosen->label[c];
    axis[a].size = chosen->count;
    axis[a].labels = label;
    axis[a].names = NULL;
    axis[a].label_rows = 1;
    Tensor *gathered = tensor_new(arena, tensor->name, tensor->rank, axis);
    gathered->short_name = tensor->short_name;
    gathered->holds_ids = tensor->holds_ids;
    memcpy(gathered->reduced, tensor->reduced, sizeof gathered->reduced);
    for (int cell = 0; cell < tensor_size(gathered); cell++) {
        const Joined *joined = &chosen->group[tensor_index(gathered, a, cell)];
        int start = cell / (stride * chosen->count) * (stride * size) + cell % stride;
        double sum = 0;
        for (int j = 0; j < joined->count; j++)
            sum += (double)tensor->data[start + joined->place[j] * stride];
        gathered->data[cell] = (Number)(adds ? sum : sum / joined->count);
    }
    return gathered;
}

Slice shown_slice(const ShownTokens *shown, const Slice *slice, Arena *arena) {
    Slice part = *slice;
    for (int a = 0; shown->to > 0 && a < part.tensor->rank; a++) {
        int size = part.tensor->axis[a].size;
        if (!is_of_tokens(&part.tensor->axis[a]) || !is_whole(&part, a) ||
            shown->from >= size)
            continue;
        part.from[a] = shown->from;
        part.to[a] = shown->to < size ? shown->to : size;
    }
    if (shown->to > 0) return part;
    int batch = tensor_axis(part.tensor, "batch");
    int row = batch >= 0 ? part.from[batch] : 0;
    for (int a = 0; a < part.tensor->rank && shown->tokens; a++) {
        Chosen *chosen = ARENA_ARRAY(arena, Chosen, 1);
        const Axis *axis = &part.tensor->axis[a];
        if (!is_of_tokens(axis) || !is_whole(&part, a)) continue;
        choose(shown, axis, row, arena, chosen);
        if (chosen->count == 0) continue;
        part.tensor = gather(part.tensor, a, chosen, arena);
        part.to[a] = chosen->count;
    }
    return part;
}
