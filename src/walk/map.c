#include "walk/map.h"

#include <assert.h>
#include <string.h>

#include "base/builder.h"
#include "base/language.h"
#include "ops/ops.h"

/* How a row's box is drawn, and what surrounds it. */
typedef enum {
    MAP_ALONE,      /* outside the frame of the layers */
    MAP_FRAMED,     /* inside the frame */
    MAP_READS_BOTH, /* reads the output of the box below and the input of that box */
    MAP_SUBLAYER,   /* with norm and add around it */
} MapPlace;

/* A box that exists in models that match `when`. */
typedef struct {
    DiagramKind kind;
    const char *label; /* NULL: the activation */
    const char *stack; /* NULL: both */
    const char *part, *holds;
    const char *when; /* see config_holds(); NULL: always */
    const char *axes; /* before a run; "token" is the token axis of the stack */
    MapPlace place;
    const char *from_encoder; /* label of the arrow from the encoder, or NULL */
} MapRow;

/* In the order of computation. */
static const MapRow map_rows[] = {
    {DIAGRAM_GIVEN, N_("tokens"), "encoder", "ids", "padding_mask", "decoder_layers=0",
     "source", MAP_ALONE, NULL},
    {DIAGRAM_GIVEN, N_("source tokens"), "encoder", "ids", "padding_mask",
     "decoder_layers!=0", "source", MAP_ALONE, NULL},
    {DIAGRAM_GIVEN, N_("tokens"), "decoder", "ids", "padding_mask", "encoder_layers=0",
     "target", MAP_ALONE, NULL},
    {DIAGRAM_GIVEN, N_("target, shifted right"), "decoder", "ids", "padding_mask",
     "encoder_layers!=0", "target", MAP_ALONE, NULL},
    {DIAGRAM_EMBEDDING, N_("embedding"), "encoder", "embedding", "",
     "scale_embedding=false token_types=0", "token,d_model", MAP_ALONE, NULL},
    {DIAGRAM_EMBEDDING, N_("embedding × √d_model"), "encoder", "embedding_scaled",
     "embedding", "scale_embedding=true token_types=0", "token,d_model", MAP_ALONE,
     NULL},
    {DIAGRAM_EMBEDDING, N_("embedding + token type"), "encoder", "embedding_typed",
     "embedding|embedding_scaled|token_types|token_type_embedding", "token_types!=0",
     "token,d_model", MAP_ALONE, NULL},
    {DIAGRAM_EMBEDDING, N_("embedding"), "decoder", "embedding", "",
     "scale_embedding=false", "token,d_model", MAP_ALONE, NULL},
    {DIAGRAM_EMBEDDING, N_("embedding × √d_model"), "decoder", "embedding_scaled",
     "embedding", "scale_embedding=true", "token,d_model", MAP_ALONE, NULL},
    {DIAGRAM_POSITION, N_("+ position, waves"), "encoder", "input", "position",
     "position=sinusoidal", "token,d_model", MAP_ALONE, NULL},
    {DIAGRAM_POSITION, N_("+ position, learned"), "encoder", "input",
     "position_ids|position", "position=learned", "token,d_model", MAP_ALONE, NULL},
    {DIAGRAM_POSITION, N_("+ position, waves"), "decoder", "input", "position",
     "position=sinusoidal as_written!=decoder_without_positions", "token,d_model",
     MAP_ALONE, NULL},
    {DIAGRAM_POSITION, N_("+ position, learned"), "decoder", "input",
     "position_ids|position", "position=learned as_written!=decoder_without_positions",
     "token,d_model", MAP_ALONE, NULL},
    {DIAGRAM_NORM, N_("embedding norm"), "encoder", "input_normed", "",
     "embedding_norm=true", "token,d_model", MAP_ALONE, NULL},
    {DIAGRAM_NORM, N_("embedding norm"), "decoder", "input_normed", "",
     "embedding_norm=true as_written!=decoder_without_positions", "token,d_model",
     MAP_ALONE, NULL},
    {DIAGRAM_ATTENTION, N_("self-attention"), "encoder", "self_attention.weights",
     "self_attention.",
     "model_type!=seq2seq encoder_type=transformer encoder_causal=false",
     "head,source,source", MAP_SUBLAYER, NULL},
    {DIAGRAM_ATTENTION, N_("masked self-attention"), "encoder",
     "self_attention.weights", "self_attention.",
     "model_type!=seq2seq encoder_type=transformer encoder_causal=true",
     "head,source,source", MAP_SUBLAYER, NULL},
    {DIAGRAM_RECURRENT, N_("RNN"), "encoder", "output", "rnn.",
     "model_type=classifier encoder_type=rnn", "source,hidden", MAP_FRAMED, NULL},
    {DIAGRAM_RECURRENT, N_("LSTM"), "encoder", "output", "lstm.|last_state|last_cell",
     "model_type=seq2seq", "source,hidden", MAP_FRAMED, NULL},
    {DIAGRAM_RECURRENT, N_("LSTM"), "decoder", "output", "lstm.|cells",
     "model_type=seq2seq as_written!=lstm_restarts", "target,hidden", MAP_FRAMED,
     "h, c"},
    {DIAGRAM_RECURRENT, N_("LSTM, reset per token"), "decoder", "output", "lstm.|cells",
     "model_type=seq2seq as_written=lstm_restarts", "target,hidden", MAP_FRAMED, NULL},
    {DIAGRAM_ATTENTION, N_("masked self-attention"), "decoder",
     "self_attention.weights", "self_attention.", "model_type=transformer causal=true",
     "head,target,target", MAP_SUBLAYER, NULL},
    {DIAGRAM_ATTENTION, N_("self-attention"), "decoder", "self_attention.weights",
     "self_attention.", "model_type=transformer causal=false", "head,target,target",
     MAP_SUBLAYER, NULL},
    {DIAGRAM_ATTENTION, N_("attention"), "decoder", "attention.weights", "attention.",
     "model_type=seq2seq as_written!=keys_are_last_state", "target,source", MAP_FRAMED,
     "K, V"},
    {DIAGRAM_ATTENTION, N_("attention over batch"), "decoder", "attention.context",
     "attention.", "model_type=seq2seq as_written=keys_are_last_state", "target,hidden",
     MAP_FRAMED, "h"},
    {DIAGRAM_ATTENTION, N_("cross-attention"), "decoder", "cross_attention.weights",
     "cross_attention.",
     "model_type=transformer encoder_layers!=0 as_written!=cross_query_from_encoder",
     "head,target,source", MAP_SUBLAYER, "K, V"},
    {DIAGRAM_ATTENTION, N_("cross-attention"), "decoder", "cross_attention.weights",
     "cross_attention.", "model_type=transformer as_written=cross_query_from_encoder",
     "head,source,source", MAP_SUBLAYER, "Q, K"},
    {DIAGRAM_JOINED, N_("context and state"), "decoder", "attention.concat", "",
     "model_type=seq2seq as_written!=cell_for_state", "target,both", MAP_READS_BOTH,
     NULL},
    {DIAGRAM_JOINED, N_("context and cell"), "decoder", "attention.concat", "",
     "model_type=seq2seq as_written=cell_for_state", "target,both", MAP_READS_BOTH,
     NULL},
    {DIAGRAM_FEED_FORWARD, NULL, NULL, "feed_forward.hidden", "feed_forward.",
     "d_ff!=0 activation!=none feed_forward_gate=false", "token,d_ff", MAP_SUBLAYER,
     NULL},
    {DIAGRAM_FEED_FORWARD, N_("linear feed-forward"), NULL, "feed_forward.hidden",
     "feed_forward.", "d_ff!=0 activation=none feed_forward_gate=false", "token,d_ff",
     MAP_SUBLAYER, NULL},
    {DIAGRAM_FEED_FORWARD, N_("gated feed-forward"), NULL, "feed_forward.hidden",
     "feed_forward.", "d_ff!=0 feed_forward_gate=true", "token,d_ff", MAP_SUBLAYER,
     NULL},
    {DIAGRAM_NORM, N_("final norm"), NULL, "output", "", "final_norm=true",
     "token,d_model", MAP_ALONE, NULL},
    {DIAGRAM_JOINED, N_("mean of the tokens"), "encoder", "mean", "",
     "model_type=classifier encoder_type=transformer", "d_model", MAP_ALONE, NULL},
    {DIAGRAM_JOINED, N_("last state"), "encoder", "last_state", "",
     "model_type=classifier encoder_type=rnn", "hidden", MAP_ALONE, NULL},
    {DIAGRAM_LINEAR, N_("linear: logits"), "", "logits", "",
     "model_type=classifier label_activation=softmax", "label", MAP_ALONE, NULL},
    {DIAGRAM_LINEAR, N_("linear: logit"), "", "logits", "",
     "model_type=classifier label_activation=sigmoid", "second label", MAP_ALONE, NULL},
    {DIAGRAM_LINEAR, N_("linear: logits"), "", "logits", "", "decoder_layers!=0",
     "target,vocabulary", MAP_ALONE, NULL},
    {DIAGRAM_NORM, N_("linear and norm"), "", "word_normed",
     "word_projection|word_activated", "masked_words=true", "source,d_model", MAP_ALONE,
     NULL},
    {DIAGRAM_LINEAR, N_("linear: logits"), "", "logits", "", "masked_words=true",
     "source,vocabulary", MAP_ALONE, NULL},
    {DIAGRAM_SOFTMAX, N_("softmax: probabilities"), "", "probabilities", "",
     "masked_words=true", "source,vocabulary", MAP_ALONE, NULL},
    {DIAGRAM_SOFTMAX, N_("softmax: probabilities"), "", "probabilities", "",
     "model_type=classifier label_activation=softmax", "label", MAP_ALONE, NULL},
    {DIAGRAM_SOFTMAX, N_("sigmoid: probabilities"), "", "probabilities", "",
     "model_type=classifier label_activation=sigmoid", "label", MAP_ALONE, NULL},
    {DIAGRAM_SOFTMAX, N_("softmax: probabilities"), "", "probabilities", "",
     "decoder_layers!=0", "target,vocabulary", MAP_ALONE, NULL},
};

/* Return the size of an axis before a run; 0: known only after one. */
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

static bool has_batch(const Tensor *tensor) {
    return tensor->rank > 1 && strcmp(tensor->axis[0].name, "batch") == 0;
}

/* Print a shape, "[4, 9, 9]", without the batch axis of a single sentence; before a
 * run, with the names of axes, "[head 4, source, source]". */
static const char *shape_of(const MapBox *box, const Config *config, Arena *arena) {
    const Tensor *tensor = box->tensor;
    Builder text = {.arena = arena};
    const char *comma = "";
    for (int a = tensor && has_batch(tensor) && tensor->axis[0].size == 1;
         tensor && a < tensor->rank; a++, comma = ", ")
        build(&text, "%s%d", comma, tensor->axis[a].size);
    for (const char *at = box->axes; !tensor && *at; comma = ", ") {
        const char *axis = arena_copy(arena, at, strcspn(at, ","));
        int size = size_of(config, axis);
        at += strlen(axis);
        at += *at == ',';
        if (strcmp(axis, "token") == 0)
            axis = strcmp(box->stack, "encoder") == 0 ? "source" : "target";
        build(&text, "%s%s", comma, axis);
        if (size) build(&text, " %d", size);
    }
    return arena_print(arena, "[%s]", builder_text(&text));
}

static DiagramFrame map_frame(const Config *config, bool is_decoder, Arena *arena) {
    int layers = is_decoder ? config->decoder_layers : config->encoder_layers;
    DiagramFrame frame = {0};
    if (config->model_type == MODEL_SEQ2SEQ || config->encoder_type == ENCODER_RNN)
        frame.title = tr(is_decoder ? N_("decoder") : N_("encoder"));
    else if (layers == 1)
        frame.title = tr(is_decoder ? N_("decoder 0") : N_("encoder 0"));
    else
        frame.title = is_decoder ? trf(arena, "decoder 0..%d  ×%d", layers - 1, layers)
                                 : trf(arena, "encoder 0..%d  ×%d", layers - 1, layers);
    if (config->share_layers && layers >= 2)
        frame.note = layers == 2 ? tr(N_("one layer used twice"))
                                 : trf(arena, "one layer used %d times", layers);
    return frame;
}

/* Explain the numbers in the brackets, which are names before a run. */
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
        return N_("In brackets: for attention batch, head, query, key; otherwise "
                  "batch, tokens, width.");
    if (heads)
        return N_("In brackets: for attention head, query, key; otherwise tokens, "
                  "width.");
    if (batch && keys)
        return N_(
            "In brackets: for attention batch, query, key; otherwise batch, tokens, "
            "width.");
    if (keys)
        return N_("In brackets: for attention query, key; otherwise tokens, width.");
    return batch ? N_("In brackets: batch, tokens, width.")
                 : N_("In brackets: tokens, width.");
}

/* Notes on what the drawing does not show, for models that match `when`. */
static const struct {
    const char *when, *text;
} notes[] = {
    {"share_embeddings=true decoder_layers!=0",
     N_("Both sides use the same embedding table.")},
    {"tie_embeddings=true decoder_layers!=0 encoder_layers!=0",
     N_("The last linear layer is the target's embedding table again.")},
    {"tie_embeddings=true masked_words=true",
     N_("The last linear layer is the embedding table again.")},
    {"tie_embeddings=true encoder_layers=0",
     N_("The last linear layer is the embedding table again.")},
    {"as_written=cross_query_from_encoder",
     N_("As in the tutorial: queries and keys (Q, K) of cross-attention come from "
        "the encoder's output, and only its values from the target.")},
    {"model_type=seq2seq as_written!=keys_are_last_state",
     N_("The encoder's states are the keys and values (K, V) of the attention.")},
    {"as_written=keys_are_last_state",
     N_("As in the tutorial: the only key is one state, at first the encoder's last "
        "(h), later the decoder's previous one.")},
    {"model_type=seq2seq as_written!=lstm_restarts",
     N_("The decoder starts with the final state and cell (h, c) of the encoder.")},
    {"as_written=residual_from_norm norm=pre residual=true",
     N_("As in the tutorial: some residual paths start after the norm.")},
    {"as_written=activation_dropped d_ff!=0 activation!=none",
     N_("As in the tutorial: the feed-forward network ignores the output of the "
        "activation.")},
    {"as_written=decoder_without_positions decoder_layers!=0 position!=none",
     N_("As in the tutorial: the decoder adds no positions.")},
};

/* A map under construction, from bottom to top, one stack at a time. */
typedef struct {
    Map map;
    const Config *config;
    Arena *arena;
    DiagramBox *drawn;
    int capacity, drawn_capacity;
    const char *stack; /* stack of the boxes added next */
    int column;        /* and their column */
    int sublayers;     /* number of sublayers in this layer so far */
    int stream;        /* box whose output the next sublayer reads */
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

/* Add the "norm" or "add" box of a sublayer. Its part is `part`_N, with `other`_N as a
 * second name, where N is the sublayer's number. */
static int add_around(Mapping *mapping, const char *label, const char *part,
                      const char *other, int bypass) {
    Arena *arena = mapping->arena;
    int number = mapping->sublayers;
    const char *holds = other ? arena_print(arena, "%s_%d", other, number) : "";
    return add_box(
        mapping,
        (MapBox){.part = arena_print(arena, "%s_%d", part, number),
                 .holds = holds,
                 .axes = "token,d_model",
                 .layered = true},
        (DiagramBox){
            .kind = DIAGRAM_NORM, .label = label, .framed = true, .bypass = bypass});
}

/* Add a sublayer and the boxes around it, in the order of model/sublayer.c. */
static int add_sublayer(Mapping *mapping, MapBox box, DiagramBox drawn) {
    const Config *config = mapping->config;
    int bypass = mapping->stream;
    mapping->sublayers++;
    if (config->norm == NORM_PRE) {
        int norm = add_around(mapping, N_("norm"), "norm", NULL, BYPASS_NONE);
        /* RESIDUAL_FROM_NORM skips the encoder's self-attention: model/encoder.c. */
        bool is_first =
            strcmp(mapping->stack, "encoder") == 0 && mapping->sublayers == 1;
        if (config->as_written & RESIDUAL_FROM_NORM && !is_first) bypass = norm;
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

static void add_stack(Mapping *mapping, const char *stack, int column) {
    Diagram *diagram = &mapping->map.diagram;
    mapping->stack = stack;
    mapping->column = column;
    mapping->sublayers = 0;
    mapping->stream = BYPASS_ENTRY;
    int encoder_end = diagram->count - 1; /* the start of the arrow */
    for (size_t r = 0; r < sizeof map_rows / sizeof *map_rows; r++) {
        const MapRow *row = &map_rows[r];
        bool is_here = row->stack ? strcmp(row->stack, stack) == 0 : *stack != '\0';
        if (!is_here || (row->when && !config_holds(mapping->config, row->when)))
            continue;
        bool is_sublayer = row->place == MAP_SUBLAYER;
        MapBox box = {.part = row->part,
                      .holds = row->holds,
                      .axes = row->axes,
                      .layered = is_sublayer};
        const char *label = row->label;
        if (!label)
            label = trf(mapping->arena, "%s feed-forward",
                        activation_ops[mapping->config->activation]->title);
        DiagramBox drawn = {.kind = row->kind,
                            .label = label,
                            .framed = row->place != MAP_ALONE,
                            .bypass = row->place == MAP_READS_BOTH ? diagram->count - 2
                                                                   : BYPASS_NONE};
        int made = is_sublayer ? add_sublayer(mapping, box, drawn)
                               : add_box(mapping, box, drawn);
        if (row->from_encoder)
            diagram->arrow[diagram->arrows++] =
                (DiagramArrow){encoder_end, made, row->from_encoder};
    }
}

/* Find the current box and the layer to show for each stack. */
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

Map map_new(const Config *config, const Tape *run, const char *here, Arena *arena) {
    Mapping mapping = {
        .map = {.run = run, .here = -1}, .config = config, .arena = arena};
    bool encodes = config->encoder_layers > 0;
    bool decodes = config->decoder_layers > 0;
    int last = encodes && decodes; /* index of the last column */
    if (encodes) add_stack(&mapping, "encoder", 0);
    if (decodes) add_stack(&mapping, "decoder", last);
    add_stack(&mapping, "", last);
    find_here(&mapping, here);
    Map *map = &mapping.map;
    const char *stack = map->here >= 0 ? map->box[map->here].stack : NULL;
    for (int b = 0; b < map->diagram.count; b++) {
        MapBox *box = &map->box[b];
        /* Only the current stack may show a layer other than the first. */
        int layer = stack && strcmp(box->stack, stack) == 0 ? map->layer : 0;
        box->address = map_address(map, b, layer, mapping.arena);
        box->tensor = map->run ? tape_find(map->run, box->address) : NULL;
        mapping.drawn[b].shape = shape_of(box, mapping.config, mapping.arena);
    }
    Diagram *diagram = &mapping.map.diagram;
    for (int column = 0; column <= last; column++)
        diagram->frame[column] = map_frame(config, decodes && column == last, arena);
    if (mapping.here)
        diagram->frame[mapping.drawn[mapping.map.here].column].here = mapping.here;
    Builder note = {.arena = arena};
    if (run) build_text(&note, tr(legend(&mapping.map)));
    for (size_t n = 0; n < sizeof notes / sizeof *notes; n++)
        if (config_holds(config, notes[n].when))
            build(&note, "%s%s", note.count ? " " : "", tr(notes[n].text));
    diagram->note = note.count ? builder_text(&note) : NULL;
    return mapping.map;
}

/* Return the address without the box's stack and layer number; NULL: no match. */
static const char *part_for(const MapBox *box, const char *address) {
    size_t length = strlen(box->stack);
    if (strncmp(address, box->stack, length) != 0) return NULL;
    const char *part = address + length;
    if (length && *part++ != '.') return NULL;
    if (!box->layered) return part;
    size_t digits = strspn(part, "0123456789");
    return digits && part[digits] == '.' ? part + digits + 1 : NULL;
}

/* Return true if the box has that part by its full name or by a prefix. */
static bool box_holds(const MapBox *box, const char *part, bool beginnings) {
    if (!beginnings)
        return strcmp(box->part, part) == 0 || stage_lists(box->holds, part);
    for (const char *item = box->holds; *item; item += strspn(item, "|")) {
        size_t length = strcspn(item, "|");
        if (item[length - 1] == '.' && strncmp(part, item, length) == 0) return true;
        item += length;
    }
    return false;
}

/* A full name matches before a prefix: "attention.concat", then "attention.". */
static int box_at(const Map *map, const char *address) {
    for (int beginnings = 0; beginnings < 2; beginnings++)
        for (int b = 0; b < map->diagram.count; b++) {
            const char *part = part_for(&map->box[b], address);
            if (part && box_holds(&map->box[b], part, beginnings)) return b;
        }
    return -1;
}

int map_find(const Map *map, const char *address, int *layer) {
    const Tape *run = map->run;
    int e = 0;
    while (run && e < run->entries && strcmp(run->entry[e].address, address) != 0) e++;
    if (!run || e == run->entries) return -1;
    int box = box_at(map, address);
    if (box < 0) { /* try the tensor's first name */
        const Tensor *tensor = run->entry[e].tensor;
        for (e = 0; run->entry[e].tensor != tensor;) e++;
        box = box_at(map, run->entry[e].address);
    }
    if (layer) *layer = run->entry[e].where.layer;
    return box;
}

const char *map_address(const Map *map, int box, int layer, Arena *arena) {
    const MapBox *of = &map->box[box];
    const char *dot = *of->stack ? "." : "";
    if (of->layered) return arena_print(arena, "%s.%d.%s", of->stack, layer, of->part);
    return arena_print(arena, "%s%s%s", of->stack, dot, of->part);
}

const Stage *map_stage(const Map *map, int box, int layer, const Walk *walk) {
    Arena arena = {0};
    const char *address = map_address(map, box, layer, &arena);
    const Tensor *tensor = map->run ? tape_find(map->run, address) : NULL;
    arena_free(&arena);
    for (int s = 0; tensor && s < walk->count; s++)
        for (int t = 0; t < walk->stage[s].tensors; t++)
            if (walk->stage[s].tensor[t] == tensor) return &walk->stage[s];
    return NULL;
}
