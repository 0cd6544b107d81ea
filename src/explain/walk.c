#include "explain/walk.h"

#include <ctype.h>
#include <string.h>

/* An address cut in two: "encoder.0" and "self_attention.scores", or "encoder.lstm.2"
 * and "cell". */
typedef struct {
    const char *place;
    const char *part;
} Cut;

static Cut cut(const char *address, Arena *arena) {
    const char *part = address;
    bool has_stack =
        strncmp(address, "encoder.", 8) == 0 || strncmp(address, "decoder.", 8) == 0;
    if (has_stack) part += 8;
    const char *number = strncmp(part, "lstm.", 5) == 0 ? part + 5 : part;
    if (has_stack && isdigit((unsigned char)*number)) part = strchr(number, '.') + 1;
    size_t length = part == address ? 0 : (size_t)(part - address) - 1;
    return (Cut){arena_copy(arena, address, length), part};
}

static bool in_stack(const StageKind *kind, const char *place) {
    return !kind->stack || strncmp(place, kind->stack, strlen(kind->stack)) == 0;
}

static bool made_by(const StageKind *kind, const Tape *tape, const Tensor *tensor) {
    if (!kind->op) return true;
    return tensor->step != STEP_NONE &&
           strcmp(tape->step[tensor->step].op->name, kind->op) == 0;
}

static bool has_axis(const StageKind *kind, const Tensor *tensor) {
    return !kind->axis || strcmp(tensor->axis[tensor->rank - 1].name, kind->axis) == 0;
}

static bool has_part(const StageKind *kind, const char *part) {
    for (int p = 0; p < STAGE_PARTS && kind->part[p]; p++)
        if (strcmp(kind->part[p], part) == 0) return true;
    return false;
}

static const StageKind *find_kind(const Cut *cut, const Tape *tape,
                                  const Tensor *tensor) {
    for (const StageKind *const *kinds = stage_kinds; *kinds; kinds++)
        for (const StageKind *kind = *kinds; kind->name; kind++)
            if (has_part(kind, cut->part) && in_stack(kind, cut->place) &&
                made_by(kind, tape, tensor) && has_axis(kind, tensor))
                return kind;
    return NULL;
}

/* The stage that the part joins: the last one, or for parts that stand apart any one of
 * the same place. A place has two attentions at most, so looking back is short. */
static Stage *stage_to_join(Walk *walk, const StageKind *kind, const char *place) {
    for (int s = walk->count - 1; s >= 0; s--) {
        Stage *stage = &walk->stage[s];
        if (stage->kind == kind && strcmp(stage->place, place) == 0) return stage;
        if (!kind->gathers) break;
    }
    return NULL;
}

/* A second name is worth a stop of its own only where the next box reads it. */
static bool is_shown_already(const Walk *walk, const Tensor *tensor, const Cut *cut) {
    if (strcmp(cut->part, "output") == 0) return false;
    for (int s = 0; s < walk->count; s++)
        for (int t = 0; t < walk->stage[s].tensors; t++)
            if (walk->stage[s].tensor[t] == tensor) return true;
    return false;
}

/* Without any padding its mask is a row of zeros: nothing to see. */
static bool is_empty_padding(const Tensor *tensor, const Cut *cut) {
    if (strcmp(cut->part, "padding_mask") != 0) return false;
    for (int i = 0; i < tensor_size(tensor); i++)
        if (tensor->data[i] != 0) return false;
    return true;
}

/* "encoder.0.scores", "decoder.1.cross_attention.scores": within its layer unique. */
static const char *stage_name(const StageKind *kind, const Cut *cut, Arena *arena) {
    const char *dot = *cut->place ? "." : "";
    if (strncmp(cut->part, "cross_attention.", 16) == 0)
        return arena_print(arena, "%s%scross_attention.%s", cut->place, dot,
                           kind->name);
    return arena_print(arena, "%s%s%s", cut->place, dot, kind->name);
}

static void add_entry(Walk *walk, const Tape *tape, const Entry *entry, Arena *arena) {
    Cut where = cut(entry->address, arena);
    const StageKind *kind = find_kind(&where, tape, entry->tensor);
    if (!kind || is_shown_already(walk, entry->tensor, &where) ||
        is_empty_padding(entry->tensor, &where))
        return;
    Stage *stage = stage_to_join(walk, kind, where.place);
    if (!stage) {
        stage = &walk->stage[walk->count++];
        *stage = (Stage){
            .kind = kind,
            .place = where.place,
            .name = stage_name(kind, &where, arena),
        };
    }
    if (stage->tensors == STAGE_PARTS) return;
    stage->address[stage->tensors] = entry->address;
    stage->tensor[stage->tensors++] = entry->tensor;
}

Walk walk_new(const Tape *tape, Arena *arena) {
    Walk walk = {.stage = ARENA_ARRAY(arena, Stage, tape->entries)};
    for (int e = 0; e < tape->entries; e++)
        add_entry(&walk, tape, &tape->entry[e], arena);
    return walk;
}

static bool ends_with(const char *text, const char *ending) {
    size_t length = strlen(text);
    size_t end = strlen(ending);
    return length >= end && strcmp(text + length - end, ending) == 0 &&
           (length == end || text[length - end - 1] == '.');
}

static bool is_called(const Stage *stage, const char *name) {
    if (ends_with(stage->name, name) || strcmp(stage->place, name) == 0) return true;
    for (int t = 0; t < stage->tensors; t++)
        if (strcmp(stage->address[t], name) == 0) return true;
    return false;
}

int walk_find(const Walk *walk, const char *name, int from) {
    for (int i = 0; i < walk->count; i++) {
        int s = (from + i) % walk->count;
        if (is_called(&walk->stage[s], name)) return s;
    }
    return -1;
}
