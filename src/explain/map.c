#include "explain/map.h"

#include <assert.h>
#include <string.h>

#include "base/language.h"
#include "explain/map_words.h"

/* A map being made: bottom up, stack by stack. */
typedef struct {
    Map map;
    const Config *config;
    Arena *arena;
    DiagramBox *drawn;
    int capacity, drawn_capacity;
    const char *stack; /* of the boxes that are added, */
    int column;        /* and where they stand */
    int sublayers;     /* of the layer so far */
    int stream;        /* the box that made what the next sublayer reads */
    const char *here;
} Mapping;

static int add_box(Mapping *mapping, MapBox box, DiagramBox drawn) {
    Map *map = &mapping->map;
    int count = map->diagram.count;
    box.stack = mapping->stack;
    drawn.column = mapping->column;
    drawn.label = said(drawn.label);
    ARENA_GROW(mapping->arena, map->box, count, mapping->capacity);
    ARENA_GROW(mapping->arena, mapping->drawn, count, mapping->drawn_capacity);
    map->box[count] = box;
    mapping->drawn[count] = drawn;
    map->diagram.box = mapping->drawn;
    return map->diagram.count++;
}

/* "norm" or "add" of the sublayer: it is `part`_2 and has `other`_2 for a second name.
 */
static int add_around(Mapping *mapping, const char *label, const char *part,
                      const char *other, int bypass) {
    Arena *arena = mapping->arena;
    int number = mapping->sublayers;
    const char **holds = ARENA_ARRAY(arena, const char *, MAP_HOLDS);
    if (other) holds[0] = arena_print(arena, "%s_%d", other, number);
    return add_box(
        mapping,
        (MapBox){.part = arena_print(arena, "%s_%d", part, number),
                 .holds = holds,
                 .axes = "token,d_model",
                 .layered = true},
        (DiagramBox){
            .kind = DIAGRAM_NORM, .label = label, .framed = true, .bypass = bypass});
}

/* Of residual_from_norm only the encoder's attention is free: model/encoder.c. */
static bool adds_the_normed(const Mapping *mapping) {
    bool first = strcmp(mapping->stack, "encoder") == 0 && mapping->sublayers == 1;
    return mapping->config->as_written & RESIDUAL_FROM_NORM && !first;
}

/* A sublayer and what stands around it, as model/sublayer.c does it. */
static int add_sublayer(Mapping *mapping, MapBox box, DiagramBox drawn) {
    const Config *config = mapping->config;
    int bypass = mapping->stream;
    mapping->sublayers++;
    if (config->norm == NORM_PRE) {
        int norm = add_around(mapping, N_("norm"), "norm", NULL, BYPASS_NONE);
        if (adds_the_normed(mapping)) bypass = norm;
    }
    int made = add_box(mapping, box, drawn);
    mapping->stream = made;
    bool is_post = config->norm == NORM_POST;
    if (is_post && config->residual)
        mapping->stream = add_around(mapping, N_("add & norm"), "norm", "add", bypass);
    else if (is_post)
        mapping->stream = add_around(mapping, N_("norm"), "norm", "add", BYPASS_NONE);
    else if (config->residual)
        mapping->stream = add_around(mapping, N_("add"), "add", "norm", bypass);
    return made;
}

/* The last box of the encoder: what it hands over comes out there. */
static int encoder_end(const Mapping *mapping) {
    int end = -1;
    for (int b = 0; b < mapping->map.diagram.count; b++)
        if (mapping->drawn[b].column == 0) end = b;
    return end;
}

static void add_row(Mapping *mapping, const MapRow *row) {
    MapBox box = {.part = row->part,
                  .holds = row->holds,
                  .axes = row->axes,
                  .layered = row->sublayer};
    DiagramBox drawn = {.kind = row->kind,
                        .label = row->label,
                        .framed = row->framed,
                        .bypass = row->reads_both ? mapping->map.diagram.count - 2
                                                  : BYPASS_NONE};
    int made = row->sublayer ? add_sublayer(mapping, box, drawn)
                             : add_box(mapping, box, drawn);
    Diagram *diagram = &mapping->map.diagram;
    if (row->from_encoder)
        diagram->arrow[diagram->arrows++] =
            (DiagramArrow){encoder_end(mapping), made, row->from_encoder};
}

static void add_stack(Mapping *mapping, const char *stack, int column) {
    mapping->stack = stack;
    mapping->column = column;
    mapping->sublayers = 0;
    mapping->stream = BYPASS_ENTRY;
    for (const MapRow *row = map_rows; row->label; row++)
        if ((row->stack ? strcmp(row->stack, stack) == 0 : *stack) &&
            (!row->when || config_holds(mapping->config, row->when)))
            add_row(mapping, row);
}

/* Which box is marked, and which layer is shown of each stack. */
static void find_here(Mapping *mapping, const char *here) {
    Map *map = &mapping->map;
    int layer = NOWHERE;
    map->here = here ? map_find(map, here, &layer) : -1;
    if (map->here < 0) return;
    assert(mapping->drawn);
    mapping->drawn[map->here].is_here = true;
    if (layer == NOWHERE) {
        if (mapping->drawn[map->here].framed) mapping->here = said(N_("you are here"));
        return;
    }
    bool layered = map->box[map->here].layered;
    if (layered) map->layer = layer;
    mapping->here = say(
        mapping->arena,
        layered ? N_("you are here: layer %d") : N_("you are here: token %d"), layer);
}

/* Only the stack where the walk stands shows another layer than its first. */
static int layer_shown(const Map *map, int box) {
    bool same =
        map->here >= 0 && strcmp(map->box[box].stack, map->box[map->here].stack) == 0;
    return same ? map->layer : 0;
}

static void find_tensors(Mapping *mapping) {
    Map *map = &mapping->map;
    for (int b = 0; b < map->diagram.count; b++) {
        MapBox *box = &map->box[b];
        box->address = map_address(map, b, layer_shown(map, b), mapping->arena);
        box->tensor = map->run ? tape_find(map->run, box->address) : NULL;
        mapping->drawn[b].shape = map_shape(box, mapping->config, mapping->arena);
    }
}

Map map_new(const Config *config, const Tape *run, const char *here, Arena *arena) {
    Mapping mapping = {
        .map = {.run = run, .here = -1}, .config = config, .arena = arena};
    bool decodes = config->decoder_layers > 0;
    add_stack(&mapping, "encoder", 0);
    if (decodes) add_stack(&mapping, "decoder", 1);
    add_stack(&mapping, "", decodes);
    find_here(&mapping, here);
    find_tensors(&mapping);
    Diagram *diagram = &mapping.map.diagram;
    for (int column = 0; column <= decodes; column++)
        diagram->frame[column] =
            (DiagramFrame){.title = map_title(config, column == 1, arena),
                           .note = map_title_note(config, column == 1, arena)};
    if (mapping.here)
        diagram->frame[mapping.drawn[mapping.map.here].column].here = mapping.here;
    diagram->note = map_note(&mapping.map, config, arena);
    return mapping.map;
}
