#include "change/snapshot.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "explain/alignment.h"
#include "tensor/address.h"

/* Labels already copied, because many axes share the same ones. */
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

static const char *const *copy_labels(Copying *copying, const Axis *axis) {
    const bool belongs_to_model =
        strcmp(axis->name, "vocabulary") == 0 || strcmp(axis->name, "label") == 0;
    if (copying->depth != SNAPSHOT_OUTLIVES_MODEL && belongs_to_model)
        return axis->labels;
    for (int c = 0; c < copying->count; c++)
        if (copying->copied[c].from == axis->labels) return copying->copied[c].to;
    int count = axis->size * axis->label_rows;
    const char **label = ARENA_ARRAY(copying->arena, const char *, count);
    for (int i = 0; i < count; i++)
        if (axis->labels[i])
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
    memcpy(copy->reduced, tensor->reduced, sizeof copy->reduced);
    memcpy(copy->data, tensor->data, (size_t)tensor_size(tensor) * sizeof(Number));
    return copy;
}

const Tensor *snapshot_tensor(const Tensor *tensor, Arena *arena) {
    return copy_tensor(&(Copying){SNAPSHOT_OUTLIVES_MODEL, arena, NULL, 0, 0}, tensor);
}

Snapshot snapshot_new(const Story *story, SnapshotDepth depth, Arena *arena) {
    const Tape *run = story->record.run;
    const Changes *changes = story->record.changes;
    Copying copying = {.depth = depth, .arena = arena};
    Snapshot snapshot = {
        .changes = changes ? changes_text(changes, arena) : "",
        .tensor = ARENA_ARRAY(arena, const Tensor *, run->entries),
        .answer = answer_of(story, arena),
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

const Alignment *snapshot_words(const Snapshot *before, const Snapshot *after,
                                const char *ids, Alignments *alignments) {
    const Tensor *a = snapshot_find(before, ids);
    const Tensor *b = snapshot_find(after, ids);
    return a && b ? alignment_of(alignments, &a->axis[1], &b->axis[1]) : NULL;
}

/* Two runs and their alignments. */
typedef struct {
    const Snapshot *before, *after;
    Alignments alignments;
    int places; /* length of the common prefix of the targets; INT_MAX: compare all */
} Runs;

/* Align all axes of two tensors, or return false. The common prefix of the targets
 * needs no alignment. */
static bool align(Runs *runs, const Tensor *before, const Tensor *after,
                  const Alignment *along[RANK_MAX]) {
    if (!alignment_tensors(&runs->alignments, before, after, along)) return false;
    for (int a = 0; a < after->rank; a++) {
        /* Target positions, including keys of self-attention. */
        const bool is_limited =
            change_is_target(after, a) || (strcmp(after->axis[a].name, "key") == 0 &&
                                           strstr(after->name, "decoder.") &&
                                           strstr(after->name, ".self_attention."));
        if (runs->places != INT_MAX && is_limited) {
            Arena *arena = runs->alignments.arena;
            Alignment *read = ARENA_ARRAY(arena, Alignment, 1);
            Partners *pair = ARENA_ARRAY(arena, Partners, runs->places);
            const int sizes[] = {before->axis[a].size, after->axis[a].size};
            for (int i = 0; i < runs->places && i < sizes[0] && i < sizes[1]; i++)
                pair[read->count++] = (Partners){i, i};
            read->pair = pair;
            along[a] = read;
        }
    }
    return true;
}

static Difference compare(Runs *runs, const Tensor *before, const Tensor *after) {
    const Alignment *along[RANK_MAX];
    const Tensor *const tensor[] = {before, after};
    const int last = after->rank - 1;
    int at[RANK_MAX] = {0};
    int cell[2];
    Difference difference = {.before = before, .after = after};
    difference.is_void = !align(runs, before, after, along);
    /* An LSTM computed it from a target token that is in only one run. */
    static const char lstm[] = "decoder.lstm.";
    const bool is_later_token = strncmp(after->name, lstm, strlen(lstm)) == 0 &&
                                address_layer(after->name) >= runs->places;
    if (difference.is_void || is_later_token) return difference;
    for (int a = 0; a <= last; a++)
        if (along[a]->count == 0) return difference;
    do {
        /* Compare whole rows, because a run has millions of cells. */
        bool both = alignment_cells(along, last, at, tensor, cell);
        for (int p = 0; both && p < along[last]->count; p++) {
            const Partners pair = along[last]->pair[p];
            if (pair.after == NOWHERE) continue;
            const Number *is = &after->data[cell[1] + pair.after];
            const Number *was =
                pair.before == NOWHERE ? NULL : &before->data[cell[0] + pair.before];
            /* Report the first differing id: distances between ids mean nothing. */
            double apart = after->holds_ids ? !was || *was != *is
                           : was            ? distance(*was, *is)
                                            : 0;
            if (apart <= difference.max) continue;
            difference.max = apart;
            difference.cell = cell[1] + pair.after;
            difference.was = was ? (double)*was : NAN;
            difference.is = (double)*is;
        }
    } while (alignment_next(along, last, at));
    return difference;
}

/* Return true if a different order of summation could cause the difference. */
static bool is_rounding(const Difference *difference) {
    const double min = 2e-6;
    double size = fabs(difference->was);
    return isfinite(difference->max) && difference->max <= min * (size > 1 ? size : 1);
}

const Tensor *snapshot_partner(const Snapshot *before, const Snapshot *after,
                               const Tensor *tensor, Alignments *alignments) {
    static const char prefix[] = "encoder.lstm.";
    const int place = address_layer(tensor->name);
    const char *address = tensor->name;
    if (strncmp(tensor->name, prefix, strlen(prefix)) == 0 && place != NOWHERE) {
        const Alignment *words =
            snapshot_words(before, after, "encoder.ids", alignments);
        Arena *arena = alignments->arena;
        int partner = NOWHERE;
        for (int p = 0; words && p < words->count; p++)
            if (words->pair[p].after == place) partner = words->pair[p].before;
        if (partner == NOWHERE) return NULL;
        address = address_in_layer(address, arena_print(arena, "%d", partner), arena);
    }
    return snapshot_find(before, address);
}

/* Collect the differences; if `first`, only up to the first one beyond rounding. */
static Differences differences(Runs *runs, bool first) {
    Arena *arena = runs->alignments.arena;
    const int count = runs->after->count;
    /* Is no word common to the sentences, or are their words unknown? */
    const Snapshot *after = runs->after;
    const char *side =
        snapshot_find(after, "encoder.ids") ? "encoder.ids" : "decoder.ids";
    const Tensor *ids = snapshot_find(after, side);
    const Alignment *words =
        snapshot_words(runs->before, after, side, &runs->alignments);
    const bool is_void = strcmp(runs->before->sentence, after->sentence) != 0 &&
                         (!words || words->is_void || !ids->axis[1].labels);
    Differences all = {.found = ARENA_ARRAY(arena, Difference, count)};
    for (int t = 0; t < count; t++) {
        const Tensor *tensor = runs->after->tensor[t];
        const Tensor *other =
            snapshot_partner(runs->before, runs->after, tensor, &runs->alignments);
        if (!other) continue;
        Difference difference = {.is_void = true};
        if (!is_void) difference = compare(runs, other, tensor);
        all.shared += !difference.is_void;
        all.voids += difference.is_void;
        if (!(difference.max > 0)) continue;
        all.found[all.count++] = difference;
        if (first && !is_rounding(&difference)) break;
    }
    /* Remove differences due to rounding, unless all are. */
    int kept = 0;
    for (int d = 0; d < all.count; d++)
        if (!is_rounding(&all.found[d])) all.found[kept++] = all.found[d];
    if (kept) all.count = kept;
    return all;
}

Differences snapshot_differences(const Snapshot *before, const Snapshot *after,
                                 bool first, Arena *arena) {
    Runs runs = {before, after, {.arena = arena}, INT_MAX};
    /* Compare only the common prefix of the targets. If the target was given or kept,
     * compare all, because only manual changes can alter its ids. */
    const Tensor *a = snapshot_find(before, "decoder.ids");
    const Tensor *b = snapshot_find(after, "decoder.ids");
    if (a && b && !after->answer.preferred)
        for (runs.places = 0; runs.places < tensor_size(a) &&
                              runs.places < tensor_size(b) &&
                              a->data[runs.places] == b->data[runs.places];)
            runs.places++;
    const Differences found = differences(&runs, first);
    runs.places = INT_MAX;
    return found.count ? found : differences(&runs, first);
}

static void compare_rows(const Tensor *before, const Tensor *after,
                         Alignments *alignments, MovedRow *max) {
    const Alignment *along[RANK_MAX];
    const int batch = tensor_axis(after, "batch");
    const int last = after->rank - 1;
    int at[RANK_MAX] = {0};
    if (!before || !alignment_tensors(alignments, before, after, along) ||
        along[last]->alone) {
        max->skipped++;
        return;
    }
    do {
        MovedRow row = {.tensor = {before, after}, .skipped = max->skipped};
        if (!alignment_cells(along, last, at, row.tensor, row.start) ||
            (batch >= 0 && after->axis[batch].size > 1 &&
             at[batch] != alignments->row_after))
            continue;
        for (int i = 0; i < tensor_row(after); i++)
            row.change += fabs((double)row.tensor[0]->data[row.start[0] + i] -
                               (double)row.tensor[1]->data[row.start[1] + i]) /
                          2;
        if (isnan(row.change)) /* NaN weights */
            max->skipped++;
        else if (!max->tensor[1] || row.change > max->change)
            *max = row;
    } while (alignment_next(along, last, at));
}

MovedRow snapshot_moved(const Snapshot *before, const Snapshot *after, int sentence,
                        Arena *arena) {
    Alignments alignments = {arena, sentence, sentence, NULL, 0, 0};
    MovedRow max = {0};
    for (int t = 0; t < after->count; t++) {
        const Tensor *tensor = after->tensor[t];
        const char *name = tensor->name;
        const Tensor *other = snapshot_find(before, name);
        bool dropped = strcmp(tensor->short_name, "weights_dropped") == 0;
        if ((!dropped && strcmp(tensor->short_name, "weights") != 0) ||
            strcmp(tensor->axis[tensor->rank - 1].name, "key") != 0)
            continue;
        /* If dropout was off before, compare with plain weights. */
        if (dropped && !other)
            other = snapshot_find(
                before, arena_copy(arena, name, strlen(name) - strlen("_dropped")));
        compare_rows(other, tensor, &alignments, &max);
    }
    return max;
}
