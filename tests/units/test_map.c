/* The map beside the run that it is of: each box has its tensor, each step of the tape
 * follows an arrow that is drawn, and each arrow is followed by a step. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include "explain/map.h"
#include "model/network.h"
#include "ops/ops.h"
#include "text/unicode.h"
#include "view/figure.h"

#include <cmocka.h> /* last: it has a macro named fail */

#include "units/small_model.h"

/* A model, its run, and the map of both. */
typedef struct {
    const char *name;
    Arena arena;
    Model model;
    Tape tape;
    Walk walk;
    Map map;
} Fixture;

static void begin(Fixture *fixture, const Ids *from, const Ids *to) {
    network_run(&fixture->tape, &fixture->model.network, from, to);
    assert_false(fixture->tape.failed);
    const Config *config = &fixture->model.config;
    fixture->walk = walk_new(&fixture->tape, config, &fixture->arena);
    fixture->map = map_new(config, &fixture->tape, NULL, &fixture->arena);
}

static void end(Fixture *fixture) {
    model_free(&fixture->model);
    tape_free(&fixture->tape);
    arena_free(&fixture->arena);
}

typedef void Check(Fixture *fixture);

static bool check_preset(const char *preset, const char *options, Check *check) {
    Fixture fixture = {0};
    Config config;
    Error error;
    fixture.name = arena_print(&fixture.arena, "%s %s", preset, options);
    if (!configure(&config, preset, options, &fixture.arena, &error))
        fail_msg("%s: %s", fixture.name, error.message);
    bool fits = config_check(&config, &error);
    if (fits) {
        if (!model_new(&fixture.model, &config, 3, NULL, &error))
            fail_msg("%s: %s", fixture.name, error.message);
        begin(&fixture, &source, &target);
        check(&fixture);
    }
    end(&fixture);
    return fits;
}

/* One sentence, as a person types it. */
static void check_shipped(const char *name, Check *check) {
    Fixture fixture = {.name = name};
    Error error;
    const char *path = arena_print(&fixture.arena, "assets/models/%s", name);
    static const int id[] = {5, 7, 9, 11, 2};
    static const int shifted[] = {1, 8, 12};
    if (!model_open(&fixture.model, path, &error)) fail_msg("%s", error.message);
    begin(&fixture, &(Ids){id, 1, 5, NULL}, &(Ids){shifted, 1, 3, NULL});
    check(&fixture);
    end(&fixture);
}

static void with_each_model(Check *check) {
    static const char *const options[] = {
        "",
        "norm=pre",
        "norm=none",
        "residual=false",
        "norm=pre residual=false",
        "norm=none residual=false",
        "norm=pre final_norm=true",
        "position=learned",
        "position=none",
        "d_ff=0",
        "d_ff=0 norm=pre as_written=residual_from_norm",
        "activation=gelu",
        "activation=none",
        "scale_embedding=true",
        "scale_embedding=false",
        "final_norm=true",
        "causal=false",
        "encoder_causal=true",
        "attention_output_projection=false",
        "share_layers=true",
        "tie_embeddings=true",
        "encoder_layers=1",
        "encoder_layers=3",
        "as_written=lstm_restarts",
        "as_written=keys_are_last_state",
        "as_written=cell_for_state",
    };
    static const char *const shipped[] = {"chatbot", "classifier", "en-ko", "ko-en",
                                          "seq2seq-ko-en"};
    int checked = 0;
    for (const Preset *preset = presets; preset->name; preset++)
        for (size_t o = 0; o < sizeof options / sizeof *options; o++) {
            bool fits = check_preset(preset->name, options[o], check);
            assert_true(fits || *options[o]);
            checked += fits;
        }
    assert_true(checked > 300);
    for (size_t m = 0; m < sizeof shipped / sizeof *shipped; m++)
        check_shipped(shipped[m], check);
}

static const char *label(const Fixture *fixture, int box) {
    return fixture->map.diagram.box[box].label;
}

/* How many layers have the box. */
static int layers_of(const Fixture *fixture, int box) {
    const MapBox *of = &fixture->map.box[box];
    if (!of->layered) return 1;
    const Config *config = &fixture->model.config;
    return strcmp(of->stack, "encoder") == 0 ? config->encoder_layers
                                             : config->decoder_layers;
}

/* "[2, 4, 3]", and "[head 2, source, source]" before there is a run. */
static void check_shape(Fixture *fixture, int b) {
    const Tensor *tensor = fixture->map.box[b].tensor;
    Arena *arena = &fixture->arena;
    bool batched = tensor->rank > 1 && strcmp(tensor->axis[0].name, "batch") == 0;
    const char *shape = "";
    for (int a = batched && tensor->axis[0].size == 1; a < tensor->rank; a++)
        shape = arena_print(arena, "%s%s%d", shape, *shape ? ", " : "[",
                            tensor->axis[a].size);
    assert_string_equal(fixture->map.diagram.box[b].shape,
                        arena_print(arena, "%s]", shape));
    Map before = map_new(&fixture->model.config, NULL, NULL, arena);
    const char *at = before.diagram.box[b].shape;
    for (int a = batched; a < tensor->rank; a++) {
        size_t length = strcspn(at, ",]");
        const char *axis = arena_copy(arena, at, length);
        const char *end = strpbrk(axis, "0123456789");
        bool is_source = strstr(axis, "source") != NULL;
        int size = end ? (int)strtol(end, NULL, 10)
                       : fixture->tape.entry[0].tensor->axis[1].size;
        if (!end && !is_source)
            size = tape_find(&fixture->tape, "decoder.ids")->axis[1].size;
        if (size != tensor->axis[a].size)
            fail_msg("%s, %s: %s is not %s", fixture->name, label(fixture, b),
                     shape_text(tensor).text, before.diagram.box[b].shape);
        at += length + 1;
    }
    if (*at) fail_msg("%s, %s: %s", fixture->name, label(fixture, b), at);
}

static void check_tensors(Fixture *fixture) {
    const Map *map = &fixture->map;
    for (int b = 0; b < map->diagram.count; b++) {
        for (int layer = 0; layer < layers_of(fixture, b); layer++) {
            const char *address = map_address(map, b, layer, &fixture->arena);
            int found = -1;
            if (!tape_find(&fixture->tape, address))
                fail_msg("%s, %s: no %s", fixture->name, label(fixture, b), address);
            assert_int_equal(map_find(map, address, &found), b);
            assert_int_equal(found, map->box[b].layered ? layer : NOWHERE);
        }
        assert_ptr_equal(map->box[b].tensor,
                         tape_find(&fixture->tape, map->box[b].address));
        check_shape(fixture, b);
    }
}

static void each_box_shows_a_tensor_of_the_run(void **state) {
    (void)state;
    with_each_model(check_tensors);
}

/* What makes the tensors of each kind of box. */
static const Op *const makers[DIAGRAM_KINDS][3] = {
    [DIAGRAM_EMBEDDING] = {&op_embed, &op_scale},
    [DIAGRAM_POSITION] = {&op_add},
    [DIAGRAM_ATTENTION] = {&op_softmax, &op_stack},
    [DIAGRAM_FEED_FORWARD] = {&op_linear},
    [DIAGRAM_NORM] = {&op_layer_norm, &op_add},
    [DIAGRAM_RECURRENT] = {&op_stack},
    [DIAGRAM_JOINED] = {&op_mean, &op_last_token, &op_concatenate},
    [DIAGRAM_LINEAR] = {&op_linear},
    [DIAGRAM_SOFTMAX] = {&op_softmax, &op_sigmoid_pair},
};

static void check_makers(Fixture *fixture) {
    const Map *map = &fixture->map;
    for (int b = 0; b < map->diagram.count; b++) {
        int step = map->box[b].tensor->step;
        DiagramKind kind = map->diagram.box[b].kind;
        if (kind == DIAGRAM_GIVEN) {
            assert_int_equal(step, STEP_NONE);
            continue;
        }
        const Op *op = fixture->tape.step[step].op;
        const Op *const *maker = makers[kind];
        if (op != maker[0] && op != maker[1] && op != maker[2])
            fail_msg("%s: %s is made by %s", fixture->name, label(fixture, b),
                     op->name);
    }
}

static void no_box_is_there_that_the_model_does_not_have(void **state) {
    (void)state;
    with_each_model(check_makers);
}

static bool is_mask(const char *address) {
    return strstr(address, "mask") == address || strstr(address, "padding_mask");
}

/* Of each layer every box, and nothing of a layer outside of them: no sublayer stands
 * in two boxes, no box in two. */
static void check_sublayers(Fixture *fixture) {
    const Map *map = &fixture->map;
    const char **owner = ARENA_ARRAY(&fixture->arena, const char *, map->diagram.count);
    for (int e = 0; e < fixture->tape.entries; e++) {
        const Entry *entry = &fixture->tape.entry[e];
        int box = map_find(map, entry->address, NULL);
        if (is_mask(entry->address)) continue;
        if (box < 0) fail_msg("%s: no box has %s", fixture->name, entry->address);
        const char *name = entry->where.box;
        bool is_sublayer = strstr(name, "attention") || strstr(name, "feed_forward");
        if (!is_sublayer || !map->box[box].layered) continue;
        name = arena_print(&fixture->arena, "%s %s", entry->where.stack, name);
        if (!owner[box]) owner[box] = name;
        assert_string_equal(owner[box], name);
    }
    for (int b = 0; b < map->diagram.count; b++)
        for (int other = 0; other < b && owner[b]; other++)
            if (owner[other] && strcmp(owner[b], owner[other]) == 0)
                fail_msg("%s: %s stands in two boxes", fixture->name, owner[b]);
}

static void each_sublayer_stands_in_one_box(void **state) {
    (void)state;
    with_each_model(check_sublayers);
}

/* Where a tensor comes from. */
typedef struct {
    int box, layer;
} Spot;

static Spot spot_of(const Fixture *fixture, const Tensor *tensor) {
    Spot spot = {-1, NOWHERE};
    for (int e = 0; e < fixture->tape.entries; e++) {
        const Entry *entry = &fixture->tape.entry[e];
        if (entry->tensor != tensor) continue;
        spot.box = map_find(&fixture->map, entry->address, &spot.layer);
        return spot;
    }
    return spot;
}

static int edge_of_frame(const Diagram *diagram, int column, bool last) {
    int edge = -1;
    for (int b = 0; b < diagram->count; b++)
        if (diagram->box[b].column == column && diagram->box[b].framed &&
            (last || edge < 0))
            edge = b;
    return edge;
}

/* Which arrows of the drawing were followed: up into a box, around, across. */
typedef struct {
    bool up[64], around[64], across[DIAGRAM_ARROWS];
} Followed;

static bool follow(const Diagram *diagram, Spot from, Spot to, bool layered,
                   Followed *followed) {
    const DiagramBox *box = &diagram->box[to.box];
    int first = edge_of_frame(diagram, box->column, false);
    for (int a = 0; a < diagram->arrows; a++)
        if (diagram->arrow[a].from == from.box && diagram->arrow[a].to == to.box)
            return followed->across[a] = true;
    if (diagram->box[from.box].column != box->column) return false;
    /* From the layer before, or from below the frame. */
    bool comes_in = layered && (from.layer != to.layer);
    bool is_end = !diagram->box[from.box].framed ||
                  from.box == edge_of_frame(diagram, box->column, true);
    if (comes_in && is_end && to.box == first) return followed->up[to.box] = true;
    if (comes_in && is_end && box->bypass == BYPASS_ENTRY)
        return followed->around[to.box] = true;
    if (comes_in) return false;
    if (from.box == to.box) return true;
    if (diagram_next(diagram, to.box, -1) == from.box)
        return followed->up[to.box] = true;
    return box->bypass == from.box && (followed->around[to.box] = true);
}

static void check_steps(Fixture *fixture) {
    const Diagram *diagram = &fixture->map.diagram;
    Followed followed = {0};
    for (int s = 0; s < fixture->tape.count; s++) {
        const Step *step = &fixture->tape.step[s];
        Spot to = spot_of(fixture, step->output);
        for (int i = 0; i < step->inputs; i++) {
            const Tensor *input = step->input[i];
            Spot from = spot_of(fixture, input);
            /* Weights, and the places that sines are taken of, are in no box. */
            bool is_outside = from.box < 0 && input->step == STEP_NONE;
            if (to.box < 0 || is_outside || is_mask(input->name)) continue;
            if (from.box < 0 ||
                !follow(diagram, from, to, fixture->map.box[to.box].layered, &followed))
                fail_msg("%s: no arrow for %s -> %s", fixture->name, input->name,
                         step->output->name);
        }
    }
    for (int b = 0; b < diagram->count; b++) {
        if (diagram_next(diagram, b, -1) >= 0 && !followed.up[b])
            fail_msg("%s: nothing goes up into %s", fixture->name, label(fixture, b));
        if (diagram->box[b].bypass != BYPASS_NONE && !followed.around[b])
            fail_msg("%s: nothing goes around to %s", fixture->name, label(fixture, b));
    }
    for (int a = 0; a < diagram->arrows; a++) assert_true(followed.across[a]);
}

static void steps_follow_the_arrows(void **state) {
    (void)state;
    with_each_model(check_steps);
}

static void check_stages(Fixture *fixture) {
    const Map *map = &fixture->map;
    for (int b = 0; b < map->diagram.count; b++)
        for (int layer = 0; layer < layers_of(fixture, b); layer++) {
            const Stage *stage = map_stage(map, b, layer, &fixture->walk);
            if (!stage)
                fail_msg("%s: no stage shows %s", fixture->name, label(fixture, b));
            bool shows = false;
            for (int t = 0; t < stage->tensors; t++)
                shows |= stage->tensor[t] ==
                         tape_find(&fixture->tape,
                                   map_address(map, b, layer, &fixture->arena));
            assert_true(shows);
        }
    for (int b = 0; b < map->diagram.count; b++)
        assert_null(map->box[b].layered
                        ? map_stage(map, b, layers_of(fixture, b), &fixture->walk)
                        : NULL);
}

static void each_box_has_its_stage(void **state) {
    (void)state;
    with_each_model(check_stages);
}

/* The layer, or of a recurrent model the token, is told where there is a frame. */
static void check_here(Fixture *fixture) {
    for (int s = 0; s < fixture->walk.count; s++) {
        const Stage *stage = &fixture->walk.stage[s];
        Map map = map_new(&fixture->model.config, &fixture->tape, stage->address[0],
                          &fixture->arena);
        int marked = 0;
        for (int b = 0; b < map.diagram.count; b++)
            marked += map.diagram.box[b].is_here;
        if (marked != 1) fail_msg("%s: %d marks", stage->name, marked);
        const DiagramBox *box = &map.diagram.box[map.here];
        const char *here = map.diagram.frame[box->column].here;
        assert_true(box->framed == (here != NULL));
        int layer;
        map_find(&map, stage->address[0], &layer);
        if (here && layer != NOWHERE)
            assert_non_null(strstr(here, arena_print(&fixture->arena, "%d", layer)));
        if (map.box[map.here].layered) assert_int_equal(map.layer, layer);
        assert_ptr_equal(map.box[map.here].tensor,
                         tape_find(&fixture->tape, map.box[map.here].address));
    }
}

static void the_mark_stands_at_the_box_of_each_stage(void **state) {
    (void)state;
    with_each_model(check_here);
}

enum { WIDEST = 200, MOST_LINES = 200 };

/* The letter at each cell of each line, the second cell of a wide one being "". */
typedef struct {
    const char *cell[MOST_LINES][WIDEST];
    int width[MOST_LINES];
    int lines;
} Screen;

static Screen *screen_of(const char *text, Arena *arena) {
    Screen *screen = ARENA_ARRAY(arena, Screen, 1);
    for (; *text; text += *text == '\n', screen->lines++) {
        int *width = &screen->width[screen->lines];
        for (int length; *text && *text != '\n'; text += length) {
            length = unicode_grapheme(text);
            const char *letter = arena_copy(arena, text, (size_t)length);
            int cells = unicode_width(letter);
            for (int i = 0; i < cells && *width < WIDEST; i++)
                screen->cell[screen->lines][(*width)++] = i ? "" : letter;
        }
    }
    return screen;
}

static const char *at(const Screen *screen, int line, int column) {
    bool inside = line < screen->lines && column < screen->width[line];
    return inside ? screen->cell[line][column] : " ";
}

static bool is_one_of(const char *letter, const char *letters) {
    return *letter && strstr(letters, letter);
}

/* Where the frame that begins in this cell ends; 0: none begins there. */
static int right_edge(const Screen *screen, int line, int left) {
    if (!is_one_of(at(screen, line, left), "┌")) return 0;
    for (int right = left + 1; right < screen->width[line]; right++) {
        if (is_one_of(at(screen, line, right), "┐")) return right;
        if (is_one_of(at(screen, line, right), "│▶├")) return 0;
    }
    return 0;
}

/* From its upper corners down a frame has edges in the same two columns. */
static void check_frame(const Screen *screen, int line, int left, int right) {
    int row = line + 1;
    for (; is_one_of(at(screen, row, left), "│"); row++)
        assert_true(is_one_of(at(screen, row, right), "│├"));
    assert_true(row > line + 1);
    assert_true(is_one_of(at(screen, row, left), "└"));
    assert_true(is_one_of(at(screen, row, right), "┘"));
}

/* How many frames there are, all of them straight. */
static int check_frames(const Screen *screen, int width) {
    int frames = 0;
    for (int line = 0; line < screen->lines; line++) {
        assert_true(screen->width[line] <= width);
        for (int left = 0; left < screen->width[line]; left++) {
            int right = right_edge(screen, line, left);
            if (right) check_frame(screen, line, left, right);
            frames += right > 0;
        }
    }
    return frames;
}

static const char *text_of(const Diagram *diagram, int width, Arena *arena) {
    Figure figure = {.kind = FIGURE_DIAGRAM, .diagram = diagram, .title = "The map"};
    Error error;
    const char *text = figure_text(&figure, width, COLORS_NONE, arena, &error);
    if (!text) fail_msg("%s", error.message);
    return text;
}

static void check_text(Fixture *fixture) {
    static const int widths[] = {40, 60, 70, 80, 120};
    Arena *arena = &fixture->arena;
    const Map *map = &fixture->map;
    for (size_t w = 0; w < sizeof widths / sizeof *widths; w++) {
        const char *text = text_of(&map->diagram, widths[w], arena);
        assert_int_equal(check_frames(screen_of(text, arena), widths[w]),
                         diagram_columns(&map->diagram));
        for (int b = 0; b < map->diagram.count; b++) {
            if (!strstr(text, label(fixture, b)) ||
                !strstr(text, map->diagram.box[b].shape))
                fail_msg("%s: %s is cut at %d columns", fixture->name,
                         label(fixture, b), widths[w]);
        }
    }
    Map before = map_new(&fixture->model.config, NULL, NULL, arena);
    const char *text = text_of(&before.diagram, 80, arena);
    assert_int_equal(check_frames(screen_of(text, arena), 80),
                     diagram_columns(&before.diagram));
}

static void frames_are_straight_at_every_width(void **state) {
    (void)state;
    with_each_model(check_text);
}

/* The same with labels of wide letters, and with both frames beside each other. */
static void check_wide(Fixture *fixture) {
    Arena *arena = &fixture->arena;
    Diagram diagram = fixture->map.diagram;
    DiagramBox *box = ARENA_ARRAY(arena, DiagramBox, diagram.count);
    for (int b = 0; b < diagram.count; b++) {
        box[b] = diagram.box[b];
        box[b].label = b % 2 ? "셀프 어텐션" : "정규화";
    }
    diagram.box = box;
    diagram.frame[0].title = diagram.frame[1].title = "인코더 0..1";
    diagram.frame[0].here = diagram.frame[1].here = "지금 여기: 층 1";
    const Screen *screen = screen_of(text_of(&diagram, 80, arena), arena);
    assert_int_equal(check_frames(screen, 80), diagram_columns(&diagram));
}

static void wide_letters_move_no_edge(void **state) {
    (void)state;
    with_each_model(check_wide);
}

static void a_map_as_it_is_read(void **state) {
    (void)state;
    static const char wanted[] =
        "The map\n"
        "\n"
        "                                              softmax: probabilities\n"
        "                                                                  [2, 4, 12]\n"
        "                                              linear: logits      [2, 4, 12]\n"
        "                                                             ▲\n"
        "                                            ┌─────── decoder 0..1  ×2 "
        "───────┐\n"
        "                                            │ one layer used twice           "
        "│\n"
        "                                            │ you are here: layer 1          "
        "│\n"
        "                                            │ ┌▶ add & norm        [2, 4, 8] "
        "│\n"
        "                                            │ │  linear feed-forward         "
        "│\n"
        "  ┌─────── encoder 0..1  ×2 ───────┐        │ │                   [2, 4, 12] "
        "│\n"
        "  │ one layer used twice           │        │ ├▶ add & norm        [2, 4, 8] "
        "│ ◀\n"
        "  │ ┌▶ add & norm        [2, 4, 8] ├──K, V─▶│ │  cross-attention             "
        "│\n"
        "  │ │  linear feed-forward         │        │ │                 [2, 2, 4, 4] "
        "│\n"
        "  │ │                   [2, 4, 12] │        │ ├▶ add & norm        [2, 4, 8] "
        "│\n"
        "  │ ├▶ add & norm        [2, 4, 8] │        │ │  masked self-attention       "
        "│\n"
        "  │ │  self-attention [2, 2, 4, 4] │        │ │                 [2, 2, 4, 4] "
        "│\n"
        "  └─┴──────────────▲───────────────┘        "
        "└─┴──────────────▲───────────────┘\n"
        "    + position, waves    [2, 4, 8]            + position, waves    [2, 4, 8]\n"
        "    embedding × √d_model [2, 4, 8]            embedding × √d_model [2, 4, 8]\n"
        "    source tokens           [2, 4]            target, shifted right   [2, 4]\n"
        "\n"
        "In brackets: batch, head, query, key of attention; batch, tokens, width of "
        "the\n"
        "others. Both sides look up the same embedding table.\n";
    Arena arena = {0};
    Fixture fixture = {0};
    Config config;
    Error error;
    assert_true(configure(&config, "kit", "", &arena, &error));
    assert_true(model_new(&fixture.model, &config, 3, NULL, &error));
    begin(&fixture, &source, &target);
    Map map = map_new(&config, &fixture.tape, "decoder.1.norm_2", &arena);
    const char *text = text_of(&map.diagram, 80, &arena);
    assert_string_equal(text, wanted);
    end(&fixture);
    arena_free(&arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_box_shows_a_tensor_of_the_run),
        cmocka_unit_test(no_box_is_there_that_the_model_does_not_have),
        cmocka_unit_test(each_sublayer_stands_in_one_box),
        cmocka_unit_test(steps_follow_the_arrows),
        cmocka_unit_test(each_box_has_its_stage),
        cmocka_unit_test(the_mark_stands_at_the_box_of_each_stage),
        cmocka_unit_test(frames_are_straight_at_every_width),
        cmocka_unit_test(wide_letters_move_no_edge),
        cmocka_unit_test(a_map_as_it_is_read),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
