#include <string.h>

#include "explain/map.h"

/* The address behind the box's stack and, where each layer has the box, behind the
 * number of the layer; NULL: it stands elsewhere. */
static const char *part_for(const MapBox *box, const char *address) {
    size_t length = strlen(box->stack);
    if (strncmp(address, box->stack, length) != 0) return NULL;
    const char *part = address + length;
    if (length && *part++ != '.') return NULL;
    if (!box->layered) return part;
    size_t digits = strspn(part, "0123456789");
    return digits && part[digits] == '.' ? part + digits + 1 : NULL;
}

static bool is_one_of(const MapBox *box, const char *part) {
    bool holds = strcmp(box->part, part) == 0;
    for (int h = 0; h < MAP_HOLDS && box->holds[h]; h++)
        holds = holds || strcmp(box->holds[h], part) == 0;
    return holds;
}

static bool begins_as_one_of(const MapBox *box, const char *part) {
    bool begins = false;
    for (int h = 0; h < MAP_HOLDS && box->holds[h]; h++) {
        size_t length = strlen(box->holds[h]);
        bool is_beginning = box->holds[h][length - 1] == '.';
        begins = begins || (is_beginning && strncmp(part, box->holds[h], length) == 0);
    }
    return begins;
}

/* A whole name goes before its beginning: "attention.concat" is not "attention.". */
static int box_of(const Map *map, const char *address) {
    static bool (*const fits[])(const MapBox *, const char *) = {is_one_of,
                                                                 begins_as_one_of};
    for (int way = 0; way < 2; way++)
        for (int b = 0; b < map->diagram.count; b++) {
            const char *part = part_for(&map->box[b], address);
            if (part && fits[way](&map->box[b], part)) return b;
        }
    return -1;
}

static const Entry *entry_at(const Tape *run, const char *address) {
    for (int e = 0; e < run->entries; e++)
        if (strcmp(run->entry[e].address, address) == 0) return &run->entry[e];
    return NULL;
}

/* The entry of the same tensor that was made first: its own name. */
static const Entry *first_of(const Tape *run, const Tensor *tensor) {
    int e = 0;
    while (run->entry[e].tensor != tensor) e++;
    return &run->entry[e];
}

int map_find(const Map *map, const char *address, int *layer) {
    const Entry *entry = map->run ? entry_at(map->run, address) : NULL;
    if (!entry) return -1;
    int box = box_of(map, address);
    if (box < 0) {
        entry = first_of(map->run, entry->tensor);
        box = box_of(map, entry->address);
    }
    if (layer) *layer = entry->where.layer;
    return box;
}

const char *map_address(const Map *map, int box, int layer, Arena *arena) {
    const MapBox *of = &map->box[box];
    const char *dot = *of->stack ? "." : "";
    if (of->layered) return arena_print(arena, "%s.%d.%s", of->stack, layer, of->part);
    return arena_print(arena, "%s%s%s", of->stack, dot, of->part);
}

static bool shows(const Stage *stage, const Tensor *tensor) {
    bool found = false;
    for (int t = 0; t < stage->tensors; t++)
        found = found || stage->tensor[t] == tensor;
    return found;
}

const Stage *map_stage(const Map *map, int box, int layer, const Walk *walk) {
    Arena arena = {0};
    const char *address = map_address(map, box, layer, &arena);
    const Tensor *tensor = map->run ? tape_find(map->run, address) : NULL;
    arena_free(&arena);
    for (int s = 0; tensor && s < walk->count; s++)
        if (shows(&walk->stage[s], tensor)) return &walk->stage[s];
    return NULL;
}
