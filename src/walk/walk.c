#include "walk/walk.h"

#include <string.h>

#include "base/language.h"
#include "tensor/address.h"

/* What the stages are made from. */
typedef struct {
    const Tape *tape;
    const Config *config;
    int row; /* of the batch: titles use its tokens */
    Arena *arena;
} Walked;

/* Return the stage that the part joins: the last one or, if parts may be apart, any at
 * the same place. A place has at most two attentions, so the search is short. */
static Stage *stage_to_join(Walk *walk, const StageKind *kind, const char *place) {
    for (int s = walk->count - 1; s >= 0; s--) {
        Stage *stage = &walk->stage[s];
        if (stage->kind == kind && strcmp(stage->place, place) == 0) return stage;
        if (kind->look != LOOK_TABLES) break;
    }
    return NULL;
}

/* Give an alias its own stop only if the next box reads it. */
static bool is_shown_already(const Walk *walk, const Entry *entry) {
    if (strcmp(entry->part, "output") == 0) return false;
    for (int s = 0; s < walk->count; s++)
        for (int t = 0; t < walk->stage[s].tensors; t++)
            if (walk->stage[s].tensor[t] == entry->tensor) return true;
    return false;
}

static const char *stage_title(const StageKind *kind, const Entry *entry,
                               const Walked *walked) {
    const char *title = tr(kind->title);
    const char *mark = strstr(title, "$token");
    if (!mark) return kind->title; /* translated when it is shown */
    const char *token = "";        /* read in the LSTM's step, from the stack's ids */
    for (int e = walked->tape->entries - 1; e >= 0; e--) {
        const Entry *ids = &walked->tape->entry[e];
        if (strcmp(ids->part, "ids") == 0 &&
            strcmp(ids->where.stack, entry->where.stack) == 0)
            token = address_label(&ids->tensor->axis[1], walked->row,
                                  entry->where.layer, walked->arena);
    }
    return arena_print(walked->arena, "%.*s%s%s", (int)(mark - title), title, token,
                       mark + strlen("$token"));
}

Walk walk_new(const Tape *tape, const Config *config, int row, Arena *arena) {
    Walk walk = {.stage = ARENA_ARRAY(arena, Stage, tape->entries)};
    const Walked walked = {tape, config, row, arena};
    for (int e = 0; e < tape->entries; e++) {
        const Entry *entry = &tape->entry[e];
        const StageKind *kind = stage_kinds;
        while (kind->name &&
               !(stage_lists(kind->parts, entry->part) &&
                 (!kind->stack || strcmp(kind->stack, entry->where.stack) == 0) &&
                 (!kind->when || config_holds(config, kind->when))))
            kind++;
        if (!kind->name || is_shown_already(&walk, entry)) continue;
        /* Without padding, the mask is a row of zeros, which is not worth a stop. */
        bool is_empty = strcmp(entry->part, "padding_mask") == 0;
        for (int i = 0; is_empty && i < tensor_size(entry->tensor); i++)
            is_empty = entry->tensor->data[i] == 0;
        if (is_empty) continue;
        const char *place = entry->where.place;
        bool across = strcmp(entry->where.box, "cross_attention") == 0;
        Stage *stage = stage_to_join(&walk, kind, place);
        if (!stage) {
            stage = &walk.stage[walk.count++];
            *stage = (Stage){
                .kind = kind,
                .title = stage_title(kind, entry, &walked),
                .place = place,
                .stack = entry->where.stack,
                .is_first = strcmp(entry->where.stack,
                                   config->encoder_layers ? "encoder" : "decoder") == 0,
                .layer = entry->where.layer,
                /* "decoder.1.cross_attention.scores": unique within its layer */
                .name = arena_print(arena, "%s%s%s%s", place, *place ? "." : "",
                                    across ? "cross_attention." : "", kind->name),
            };
        }
        if (stage->tensors == STAGE_PARTS) continue;
        stage->address[stage->tensors] = entry->address;
        stage->part[stage->tensors] = entry->part;
        stage->called[stage->tensors] = entry->name;
        stage->tensor[stage->tensors++] = entry->tensor;
    }
    return walk;
}

static bool is_called(const Stage *stage, const char *name) {
    return address_ends(stage->name, name) || strcmp(stage->place, name) == 0;
}

bool stage_shows(const Stage *stage, const char *ending) {
    for (int t = 0; t < stage->tensors; t++)
        if (address_ends(stage->address[t], ending)) return true;
    return false;
}

int walk_find(const Walk *walk, const char *name, int from) {
    bool (*const fits[])(const Stage *stage, const char *name) = {is_called,
                                                                  stage_shows};
    for (size_t f = 0; f < sizeof fits / sizeof *fits; f++)
        for (int i = 0; i < walk->count; i++) {
            int s = (from + i) % walk->count;
            if (fits[f](&walk->stage[s], name)) return s;
        }
    return -1;
}
