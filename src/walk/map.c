#include "walk/map.h"

#include <assert.h>
#include <string.h>

#include "base/language.h"

/* How long an axis is before there is a run; 0: only a run knows. */
static int size_of(const Config *config, const char *axis) {
    const struct {
        const char *name;
        int size;
    } sizes[] = {
        {"d_model", config->d_model},      {"d_ff", config->d_ff},
        {"head", config->attention_heads}, {"hidden", config->hidden_size},
        {"both", 2 * config->hidden_size}, {"vocabulary", config->target_vocabulary},
        {"label", config->label_count},    {"second label", 1},
    };
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++)
        if (strcmp(sizes[s].name, axis) == 0) return sizes[s].size;
    return 0;
}

static const char *shape_before(const MapBox *box, const Config *config, Arena *arena) {
    const char *text = "";
    for (const char *at = box->axes; *at; at += strspn(at, ",")) {
        size_t length = strcspn(at, ",");
        const char *axis = arena_copy(arena, at, length);
        const char *comma = *text ? ", " : "";
        int size = size_of(config, axis);
        if (strcmp(axis, "token") == 0)
            axis = strcmp(box->stack, "encoder") == 0 ? "source" : "target";
        text = size ? arena_print(arena, "%s%s%s %d", text, comma, axis, size)
                    : arena_print(arena, "%s%s%s", text, comma, axis);
        at += length;
    }
    return arena_print(arena, "[%s]", text);
}

static bool has_batch(const Tensor *tensor) {
    return tensor->rank > 1 && strcmp(tensor->axis[0].name, "batch") == 0;
}

const char *map_shape(const MapBox *box, const Config *config, Arena *arena) {
    const Tensor *tensor = box->tensor;
    const char *text = "";
    if (!tensor) return shape_before(box, config, arena);
    for (int a = has_batch(tensor) && tensor->axis[0].size == 1; a < tensor->rank; a++)
        text =
            arena_print(arena, "%s%s%d", text, *text ? ", " : "", tensor->axis[a].size);
    return arena_print(arena, "[%s]", text);
}

static bool is_recurrent(const Config *config) {
    return config->model_type == MODEL_SEQ2SEQ || config->encoder_type == ENCODER_RNN;
}

static int layers_of(const Config *config, bool is_decoder) {
    return is_decoder ? config->decoder_layers : config->encoder_layers;
}

const char *map_title(const Config *config, bool is_decoder, Arena *arena) {
    int layers = layers_of(config, is_decoder);
    if (is_recurrent(config)) return tr(is_decoder ? N_("decoder") : N_("encoder"));
    if (layers == 1) return tr(is_decoder ? N_("decoder 0") : N_("encoder 0"));
    return is_decoder ? trf(arena, "decoder 0..%d  ×%d", layers - 1, layers)
                      : trf(arena, "encoder 0..%d  ×%d", layers - 1, layers);
}

const char *map_title_note(const Config *config, bool is_decoder, Arena *arena) {
    int layers = layers_of(config, is_decoder);
    if (!config->share_layers || layers < 2) return NULL;
    return layers == 2 ? tr(N_("one layer used twice"))
                       : trf(arena, "one layer used %d times", layers);
}

/* What the numbers in the brackets count; before a run they have names. */
static const char *legend(const Map *map) {
    bool batch = false;
    bool heads = false;
    bool keys = false;
    for (int b = 0; b < map->diagram.count; b++) {
        const Tensor *tensor = map->box[b].tensor;
        if (!tensor) continue;
        batch = batch || (has_batch(tensor) && tensor->axis[0].size > 1);
        heads = heads || tensor_axis(tensor, "head") >= 0;
        keys = keys || tensor_axis(tensor, "key") >= 0;
    }
    if (batch && heads)
        return N_("In brackets: batch, head, query, key of attention; batch, tokens, "
                  "width of the others.");
    if (heads)
        return N_("In brackets: head, query, key of attention; tokens, width of the "
                  "others.");
    if (batch && keys)
        return N_(
            "In brackets: batch, query, key of attention; batch, tokens, width of "
            "the others.");
    if (keys)
        return N_("In brackets: query, key of attention; tokens, width of the others.");
    return batch ? N_("In brackets: batch, tokens, width.")
                 : N_("In brackets: tokens, width.");
}

/* What the drawing does not say, where `when` holds. */
static const struct {
    const char *when, *text;
} notes[] = {
    {"share_embeddings=true decoder_layers!=0",
     N_("Both sides look up the same embedding table.")},
    {"tie_embeddings=true decoder_layers!=0",
     N_("The last linear layer is the target's embedding table once more.")},
    {"as_written=cross_query_from_encoder",
     N_("As the tutorial wrote it, queries and keys (Q, K) of the cross-attention are "
        "made of the encoder's output, and only its values of the target.")},
    {"model_type=seq2seq as_written!=keys_are_last_state",
     N_("The encoder's states are keys and values (K, V) of the attention.")},
    {"as_written=keys_are_last_state",
     N_("As the tutorial wrote it, the only key is a state: first the encoder's last "
        "one (h), then the decoder's own of the step before.")},
    {"model_type=seq2seq as_written!=lstm_restarts",
     N_("The decoder begins with the state and cell (h, c) in which the encoder "
        "ended.")},
    {"as_written=residual_from_norm norm=pre residual=true",
     N_("As the tutorial wrote it, some ways around a sublayer begin behind the "
        "norm.")},
    {"as_written=activation_dropped d_ff!=0 activation!=none",
     N_("As the tutorial wrote it, the feed-forward throws away what the activation "
        "gives.")},
    {"as_written=decoder_without_positions decoder_layers!=0 position!=none",
     N_("As the tutorial wrote it, the decoder adds no positions.")},
};

const char *map_note(const Map *map, const Config *config, Arena *arena) {
    const char *text = map->run ? tr(legend(map)) : "";
    for (size_t n = 0; n < sizeof notes / sizeof *notes; n++)
        if (config_holds(config, notes[n].when))
            text =
                arena_print(arena, "%s%s%s", text, *text ? " " : "", tr(notes[n].text));
    return *text ? text : NULL;
}

/* A map being made: bottom up, stack by stack. */
typedef struct {
    Map map;
    const Config *config;
    Arena *arena;
    DiagramBox *drawn;
    int capacity, drawn_capacity;
    const char *stack; /* of the boxes that are added, */
    int column;        /* and where they are */
    int sublayers;     /* of the layer so far */
    int stream;        /* the box that made what the next sublayer reads */
    const char *here;
} Mapping;

static int add_box(Mapping *mapping, MapBox box, DiagramBox drawn) {
    Map *map = &mapping->map;
    int count = map->diagram.count;
    box.stack = mapping->stack;
    drawn.column = mapping->column;
    drawn.label = tr(drawn.label);
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

/* A sublayer and what is around it, as model/sublayer.c does it. */
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
        if (mapping->drawn[map->here].framed) mapping->here = tr(N_("you are here"));
        return;
    }
    bool layered = map->box[map->here].layered;
    if (layered) map->layer = layer;
    mapping->here = trf(
        mapping->arena,
        layered ? N_("you are here: layer %d") : N_("you are here: token %d"), layer);
}

/* Only the stack where the walk is shows another layer than its first. */
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

/* The address behind the box's stack and, where each layer has the box, behind the
 * number of the layer; NULL: it is elsewhere. */
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
