#include "change/snapshot.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tensor/address.h"

/* Labels that were copied already: many axes share theirs. */
typedef struct {
    const char *const *from;
    const char *const *to;
} Copied;

typedef struct {
    SnapshotDepth depth;
    Arena *arena;
    Copied *copied;
    int count, capacity;
} Copying;

static bool belongs_to_model(const Axis *axis) {
    return strcmp(axis->name, "vocabulary") == 0 || strcmp(axis->name, "label") == 0;
}

static const char *const *copy_labels(Copying *copying, const Axis *axis) {
    if (copying->depth != SNAPSHOT_OUTLIVES_MODEL && belongs_to_model(axis))
        return axis->labels;
    for (int c = 0; c < copying->count; c++)
        if (copying->copied[c].from == axis->labels) return copying->copied[c].to;
    int count = axis->size * axis->label_rows;
    const char **label = ARENA_ARRAY(copying->arena, const char *, count);
    for (int i = 0; i < count; i++)
        label[i] = arena_print(copying->arena, "%s", axis->labels[i]);
    ARENA_GROW(copying->arena, copying->copied, copying->count, copying->capacity);
    copying->copied[copying->count++] = (Copied){axis->labels, label};
    return label;
}

static const Tensor *copy_tensor(Copying *copying, const Tensor *tensor) {
    if (copying->depth == SNAPSHOT_SHALLOW) return tensor;
    const char *name = arena_print(copying->arena, "%s", tensor->name);
    Axis axis[RANK_MAX] = {0};
    for (int a = 0; a < tensor->rank; a++) {
        axis[a] = tensor->axis[a];
        axis[a].name = arena_print(copying->arena, "%s", tensor->axis[a].name);
        if (axis[a].labels) axis[a].labels = copy_labels(copying, &tensor->axis[a]);
        if (copying->depth == SNAPSHOT_OUTLIVES_MODEL) axis[a].names = NULL;
    }
    Tensor *copy = tensor_new(copying->arena, name, tensor->rank, axis);
    copy->short_name = name + (tensor->short_name - tensor->name);
    copy->holds_ids = tensor->holds_ids;
    memcpy(copy->data, tensor->data, (size_t)tensor_size(tensor) * sizeof(Number));
    return copy;
}

Snapshot snapshot_new(const Story *story, SnapshotDepth depth, Arena *arena) {
    const Tape *run = story->record.run;
    const Changes *changes = story->record.changes;
    Copying copying = {.depth = depth, .arena = arena};
    Snapshot snapshot = {
        .changes = changes ? changes_text(changes, arena) : "",
        .tensor = ARENA_ARRAY(arena, const Tensor *, run->entries),
        .outcome = outcome_of(story, arena),
    };
    for (int e = 0; e < run->entries; e++) {
        const Entry *entry = &run->entry[e];
        bool is_first = strcmp(entry->address, entry->tensor->name) == 0;
        if (is_first && strncmp(entry->address, "mask.", strlen("mask.")) != 0)
            snapshot.tensor[snapshot.count++] = copy_tensor(&copying, entry->tensor);
    }
    return snapshot;
}

const Tensor *snapshot_find(const Snapshot *snapshot, const char *address) {
    for (int t = 0; t < snapshot->count; t++)
        if (strcmp(snapshot->tensor[t]->name, address) == 0) return snapshot->tensor[t];
    return NULL;
}

static double distance(Number a, Number b) {
    double apart = fabs((double)a - (double)b);
    if (!isnan(apart)) return apart;
    return a == b || (isnan(a) && isnan(b)) ? 0 : INFINITY;
}

/* Is it what an LSTM made of a token of the target behind `places`? */
static bool is_later_token(const Tensor *tensor, int places) {
    static const char prefix[] = "decoder.lstm.";
    return strncmp(tensor->name, prefix, strlen(prefix)) == 0 &&
           address_layer(tensor->name) >= places;
}

/* Does the axis count places of the target, also as keys that it looks back at? */
static bool is_limited(const Tensor *tensor, int a) {
    return change_is_target(tensor, a) || (strcmp(tensor->axis[a].name, "key") == 0 &&
                                           strstr(tensor->name, "decoder.") &&
                                           strstr(tensor->name, ".self_attention."));
}

/* The cells that two tensors have in common, one after the other. */
typedef struct {
    const Tensor *a, *b;
    int size[RANK_MAX], index[RANK_MAX];
    bool resized, empty;
} Together;

static Together together(const Tensor *a, const Tensor *b, int places) {
    Together both = {.a = a, .b = b};
    for (int i = 0; i < a->rank; i++) {
        int one = a->axis[i].size;
        int other = b->axis[i].size;
        both.size[i] = one < other ? one : other;
        if (is_limited(b, i) && both.size[i] > places) both.size[i] = places;
        both.resized = both.resized || one != other;
        both.empty = both.empty || both.size[i] == 0;
    }
    return both;
}

static int cell_of(const Tensor *tensor, const int *index) {
    int cell = 0;
    for (int a = 0; a < tensor->rank; a++)
        cell = cell * tensor->axis[a].size + index[a];
    return cell;
}

/* The next cell along the first axes, `axes` of them. */
static bool next_along(Together *both, int axes) {
    for (int a = axes - 1; a >= 0; a--) {
        if (++both->index[a] < both->size[a]) return true;
        both->index[a] = 0;
    }
    return false;
}

static Difference compare(const Tensor *before, const Tensor *after, int places) {
    Together both = together(before, after, places);
    Difference difference = {.before = before, .after = after, .resized = both.resized};
    if (both.empty || is_later_token(after, places)) return difference;
    int last = before->rank - 1;
    do {
        /* Whole rows, since a run has millions of cells. */
        int row = cell_of(after, both.index);
        const Number *was = before->data + cell_of(before, both.index);
        const Number *is = after->data + row;
        for (int i = 0; i < both.size[last]; i++) {
            /* Of ids the first is told: how far apart two are means nothing. */
            double apart = after->holds_ids ? was[i] != is[i] : distance(was[i], is[i]);
            if (apart <= difference.most) continue;
            difference.most = apart;
            difference.cell = row + i;
            difference.was = (double)was[i];
            difference.is = (double)is[i];
        }
    } while (next_along(&both, last));
    return difference;
}

/* Only as far apart as two ways to add the same numbers up. */
static bool is_rounding(const Difference *difference) {
    const double least = 2e-6;
    double size = fabs(difference->was);
    return isfinite(difference->most) &&
           difference->most <= least * (size > 1 ? size : 1);
}

/* Where anything moved at all, what only rounds otherwise is left out. */
static int drop_rounding(Difference *found, int count) {
    int kept = 0;
    for (int d = 0; d < count; d++) kept += !is_rounding(&found[d]);
    if (kept == 0 || kept == count) return count;
    kept = 0;
    for (int d = 0; d < count; d++)
        if (!is_rounding(&found[d])) found[kept++] = found[d];
    return kept;
}

/* What stood before where the t-th tensor stands, or NULL. */
static const Tensor *counterpart(const Snapshot *before, const Snapshot *after, int t) {
    const Tensor *tensor = after->tensor[t];
    const Tensor *other = t < before->count ? before->tensor[t] : NULL;
    if (!other || strcmp(other->name, tensor->name) != 0)
        other = snapshot_find(before, tensor->name);
    return other && other->rank == tensor->rank ? other : NULL;
}

static Difference *differences(const Snapshot *before, const Snapshot *after,
                               int places, Arena *arena, int *count, int *shared) {
    Difference *found = ARENA_ARRAY(arena, Difference, after->count);
    *count = *shared = 0;
    for (int t = 0; t < after->count; t++) {
        const Tensor *tensor = after->tensor[t];
        const Tensor *other = counterpart(before, after, t);
        if (!other) continue;
        ++*shared;
        Difference difference = compare(other, tensor, places);
        if (difference.most > 0) found[(*count)++] = difference;
    }
    *count = drop_rounding(found, *count);
    return found;
}

/* Up to where both have read the same target; all of one that was held or given, whose
 * ids differ only where a hand changed them. */
static int common_places(const Snapshot *before, const Snapshot *after) {
    const Tensor *a = snapshot_find(before, "decoder.ids");
    const Tensor *b = snapshot_find(after, "decoder.ids");
    int places = 0;
    if (!a || !b || after->outcome.preferred) return INT_MAX;
    while (places < tensor_size(a) && places < tensor_size(b) &&
           a->data[places] == b->data[places])
        places++;
    return places;
}

Difference *snapshot_differences(const Snapshot *before, const Snapshot *after,
                                 Arena *arena, int *count, int *shared) {
    int places = common_places(before, after);
    Difference *found = differences(before, after, places, arena, count, shared);
    if (*count) return found;
    return differences(before, after, INT_MAX, arena, count, shared);
}

/* Without looking at the millions of numbers behind it. */
static Difference first(const Snapshot *before, const Snapshot *after, int places) {
    Difference rounding = {0};
    for (int t = 0; t < after->count; t++) {
        const Tensor *other = counterpart(before, after, t);
        if (!other) continue;
        Difference difference = compare(other, after->tensor[t], places);
        if (difference.most > 0 && !is_rounding(&difference)) return difference;
        if (difference.most > 0 && !rounding.after) rounding = difference;
    }
    return rounding;
}

Difference snapshot_first(const Snapshot *before, const Snapshot *after) {
    Difference found = first(before, after, common_places(before, after));
    return found.after ? found : first(before, after, INT_MAX);
}

Tensor *snapshot_subtract(const Tensor *before, const Tensor *after, Arena *arena) {
    Together both = together(before, after, INT_MAX);
    Axis axis[RANK_MAX] = {0};
    for (int a = 0; a < after->rank; a++) {
        axis[a] = after->axis[a];
        axis[a].size = both.size[a];
        if (axis[a].label_rows > 1 && both.resized) axis[a].labels = NULL;
    }
    Tensor *difference = tensor_new(arena, after->name, after->rank, axis);
    difference->short_name = after->short_name;
    if (both.empty) return difference;
    do {
        Number a = before->data[cell_of(before, both.index)];
        Number b = after->data[cell_of(after, both.index)];
        difference->data[cell_of(difference, both.index)] = a == b ? 0 : b - a;
    } while (next_along(&both, after->rank));
    return difference;
}
