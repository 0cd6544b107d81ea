/* The map compared with its run: each box has its tensor, each step of the tape follows
 * an arrow that is drawn, and each arrow is followed by a step. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include "ops/ops.h"

#include <cmocka.h> /* last: it has a macro named fail */

#include "units/map_fixture.h"

/* Return the number of layers with the box. */
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

/* The operations that make the tensors of each kind of box. */
static const Op *const makers[DIAGRAM_KINDS][4] = {
    [DIAGRAM_EMBEDDING] = {&op_embed, &op_scale, &op_add},
    [DIAGRAM_POSITION] = {&op_add},
    [DIAGRAM_ATTENTION] = {&op_softmax, &op_stack},
    [DIAGRAM_FEED_FORWARD] = {&op_linear},
    [DIAGRAM_NORM] = {&op_layer_norm, &op_rms_norm, &op_rms_plain, &op_add},
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
        if (op != maker[0] && op != maker[1] && op != maker[2] && op != maker[3])
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

/* Return "decoder cross_attention" if the entry is part of a sublayer, or NULL. */
static const char *sublayer_of(const Entry *entry, Arena *arena) {
    const char *name = entry->where.box;
    if (!strstr(name, "_attention") && !strstr(name, "feed_forward")) return NULL;
    return arena_print(arena, "%s %s", entry->where.stack, name);
}

static void check_owners(const Fixture *fixture, const char *const *owner) {
    for (int b = 0; b < fixture->map.diagram.count; b++)
        for (int other = 0; other < b && owner[b]; other++)
            if (owner[other] && strcmp(owner[b], owner[other]) == 0)
                fail_msg("%s: %s stands in two boxes", fixture->name, owner[b]);
}

/* Everything in a run is in a box, no sublayer is in two boxes, and no two boxes are
 * the same. */
static void check_sublayers(Fixture *fixture) {
    Arena *arena = &fixture->arena;
    const char **owner = ARENA_ARRAY(arena, const char *, fixture->map.diagram.count);
    for (int e = 0; e < fixture->tape.entries; e++) {
        const Entry *entry = &fixture->tape.entry[e];
        if (is_mask(entry->address)) continue;
        int box = map_find(&fixture->map, entry->address, NULL);
        if (box < 0) fail_msg("%s: no box has %s", fixture->name, entry->address);
        const char *name = sublayer_of(entry, arena);
        if (!name) continue;
        if (!owner[box]) owner[box] = name;
        assert_string_equal(owner[box], name);
    }
    check_owners(fixture, owner);
}

static void each_sublayer_is_in_one_box(void **state) {
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

/* The arrows of the drawing that were followed: up into a box, around, across. */
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
    /* From the previous layer, or from below the frame. */
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

static void check_step(const Fixture *fixture, const Step *step, Followed *followed) {
    Spot to = spot_of(fixture, step->output);
    for (int i = 0; to.box >= 0 && i < step->inputs; i++) {
        const Tensor *input = step->input[i];
        Spot from = spot_of(fixture, input);
        /* Weights, and the positions of sinusoids, are in no box. */
        bool is_outside = from.box < 0 && input->step == STEP_NONE;
        if (is_outside || is_mask(input->name)) continue;
        if (from.box < 0 || !follow(&fixture->map.diagram, from, to,
                                    fixture->map.box[to.box].layered, followed))
            fail_msg("%s: no arrow for %s -> %s", fixture->name, input->name,
                     step->output->name);
    }
}

static void check_steps(Fixture *fixture) {
    const Diagram *diagram = &fixture->map.diagram;
    Followed followed = {0};
    for (int s = 0; s < fixture->tape.count; s++)
        check_step(fixture, &fixture->tape.step[s], &followed);
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
            for (int t = 0; stage && t < stage->tensors; t++)
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

/* If there is a frame, it shows the layer, or for a recurrent model the token. */
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

static void the_mark_is_at_the_box_of_each_stage(void **state) {
    (void)state;
    with_each_model(check_here);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_box_shows_a_tensor_of_the_run),
        cmocka_unit_test(no_box_is_there_that_the_model_does_not_have),
        cmocka_unit_test(each_sublayer_is_in_one_box),
        cmocka_unit_test(steps_follow_the_arrows),
        cmocka_unit_test(each_box_has_its_stage),
        cmocka_unit_test(the_mark_is_at_the_box_of_each_stage),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
