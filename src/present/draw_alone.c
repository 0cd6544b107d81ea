#include "present/draw_alone.h"

#include <string.h>

#include "base/language.h"
#include "figure/figure.h"
#include "learn/adam.h"
#include "ops/ops.h"
#include "present/show_beam.h"
#include "present/show_looked.h"
#include "present/show_map.h"
#include "present/show_steps.h"

enum { D_MODEL = 512, D_MODEL_MOST = 8192, LENGTH = 50, LENGTH_MOST = 10000 };
enum { WARMUP = 4000, STEPS_MOST = 100 * 1000 * 1000, POINTS = 500 };

/* How the model at hand tells places apart, or NULL. */
static const Position *position_of(const Session *session) {
    const Network *network = &session->model.network;
    if (network->type == MODEL_SEQ2SEQ) return NULL;
    const Embedding *embedding = network->type == MODEL_CLASSIFIER
                                     ? &network->classifier.encoder.embedding
                                     : &network->transformer.encoder.embedding;
    return embedding->has_positions ? &embedding->position : NULL;
}

/* The rows of the positions, in the session's scratch. */
static const Tensor *run_position(Session *session, const Position *position,
                                  int length, Error *error) {
    Tape tape = {0};
    Axis places = {.name = "position", .size = length};
    const Tensor *made = position_run(&tape, position, places, 0);
    Tensor *kept = NULL;
    if (made) {
        Axis axis[] = {made->axis[0], made->axis[1]};
        axis[1].name = "dimension"; /* as section 3.5 says: pos and dimension */
        kept = tensor_new(&session->scratch, "position", made->rank, axis);
        memcpy(kept->data, made->data, (size_t)tensor_size(made) * sizeof(Number));
    } else {
        fail(error, "%s", tape.error.message);
    }
    tape_free(&tape);
    return kept;
}

/* The sines of --d-model, or those of the model at hand, which go on where its
 * sentences end; or what it learned. */
static bool choose_position(const Session *session, const Arguments *arguments,
                            int length, Position *position, Error *error) {
    *position = (Position){.kind = POSITION_SINUSOIDAL, .d_model = D_MODEL};
    if (!arguments_number(arguments, "d-model", 2, D_MODEL_MOST, &position->d_model,
                          error))
        return false;
    const Position *own = position_of(session);
    bool given = arguments_flag(arguments, "d-model") != NULL;
    if (!given && !own)
        return fail(error, "this model knows no positions; with --d-model 512 you see "
                           "those of the paper");
    if (!given) *position = *own;
    if (position->kind == POSITION_SINUSOIDAL) position->max_length = length;
    return length <= position->max_length ||
           fail(error, "this model learned %d positions: --length goes up to that",
                position->max_length);
}

static bool make_position(Session *session, const Arguments *arguments, Figure *figure,
                          Error *error) {
    int length = LENGTH;
    Position position;
    if (!arguments_number(arguments, "length", 1, LENGTH_MOST, &length, error) ||
        !choose_position(session, arguments, length, &position, error))
        return false;
    const Tensor *tensor = run_position(session, &position, length, error);
    if (!tensor) return false;
    Slice *slice = ARENA_ARRAY(&session->scratch, Slice, 1);
    *slice = slice_all(tensor);
    figure->slice = slice;
    figure->slices = 1;
    figure->frame = animation_growing(length, &session->scratch, &figure->frames);
    figure->title =
        position.kind == POSITION_LEARNED
            ? said("learned positions")
            : said("positional encoding: sine at even, cosine at odd columns");
    return true;
}

/* The rates of at most POINTS steps, evenly chosen; the highest, at the end of the
 * warmup, is always among them. */
static Series rates(const Schedule *schedule, Arena *arena) {
    double *x = ARENA_ARRAY(arena, double, POINTS + 1);
    double *y = ARENA_ARRAY(arena, double, POINTS + 1);
    int count = 0;
    int last = 0;
    for (int i = 0; i < POINTS; i++) {
        int step = 1 + (int)((long long)(schedule->steps - 1) * i / (POINTS - 1));
        bool passes = last < schedule->warmup && step > schedule->warmup;
        if (passes) x[count++] = schedule->warmup;
        if (step > last) x[count++] = step;
        last = step;
    }
    for (int i = 0; i < count; i++) y[i] = schedule_rate(schedule, (int)x[i]);
    return (Series){.name = said("learning rate"), .x = x, .y = y, .count = count};
}

static bool make_schedule(Session *session, const Arguments *arguments, Figure *figure,
                          Error *error) {
    Arena *arena = &session->scratch;
    Schedule schedule = {
        .kind = SCHEDULE_PAPER, .d_model = D_MODEL, .warmup = WARMUP, .factor = 1};
    if (!arguments_number(arguments, "warmup", 1, STEPS_MOST, &schedule.warmup,
                          error) ||
        !arguments_number(arguments, "d-model", 1, D_MODEL_MOST, &schedule.d_model,
                          error))
        return false;
    schedule.steps =
        schedule.warmup <= STEPS_MOST / 5 ? 5 * schedule.warmup : STEPS_MOST;
    if (!arguments_number(arguments, "steps", 2, STEPS_MOST, &schedule.steps, error))
        return false;
    Series *series = ARENA_ARRAY(arena, Series, 1);
    *series = rates(&schedule, arena);
    Plot *plot = ARENA_ARRAY(arena, Plot, 1);
    *plot = (Plot){.x_title = said("step"),
                   .y_title = said("learning rate"),
                   .series = series,
                   .count = 1};
    figure->kind = FIGURE_CURVES;
    figure->plot = plot;
    figure->title =
        arena_print(arena,
                    "d_model^-0.5 · min(step^-0.5, step · warmup^-1.5), d_model "
                    "%d, warmup %d",
                    schedule.d_model, schedule.warmup);
    return true;
}

static const Alone alones[] = {
    {"position", {.model = true}, "length,d-model,", make_position, NULL},
    {"schedule", {0}, "warmup,d-model,steps,", make_schedule, NULL},
    {"map", {.model = true, .run_if_any = true}, "at,", show_map, show_map_tell},
    {"beam", {.model = true, .run = true}, "beams,penalty,", show_beam, show_beam_tell},
    {"steps", {.model = true, .run = true}, "", show_steps, NULL},
    {"decoding", {.model = true, .run = true}, "head,", show_looked, NULL},
};

const Alone *alone_find(const Arguments *arguments) {
    if (arguments->words != 1) return NULL;
    for (size_t a = 0; a < sizeof alones / sizeof *alones; a++)
        if (strcmp(arguments->word[0], alones[a].name) == 0) return &alones[a];
    return NULL;
}

const Flag flags_alone[] = {
    {"length", 0, "N", N_("of `draw position`: how many positions")},
    {"d-model", 0, "N", N_("of `draw position` and `draw schedule`")},
    {"warmup", 0, "N", N_("of `draw schedule`: steps in which the rate grows")},
    {"steps", 0, "N", N_("of `draw schedule`: where the curve ends")},
    {"beams", 0, "N", N_("of `draw beam`: how many stay at each step")},
    {"penalty", 0, "ALPHA", N_("of `draw beam`: of the length penalty")},
    {"head", 0, "N", N_("of `draw decoding`: one head, not the mean of all")},
    {"at", 0, "STAGE", N_("of `draw map`: where you are, as :stages names it")},
    {0},
};

static bool reads(const Alone *alone, const char *flag, Arena *arena) {
    return alone && strstr(alone->flags, arena_print(arena, "%s,", flag));
}

bool alone_check(const Alone *alone, const Arguments *arguments, Error *error) {
    Arena arena = {0};
    bool done = true;
    for (const Flag *flag = flags_alone; done && flag->name; flag++)
        if (arguments_flag(arguments, flag->name) && !reads(alone, flag->name, &arena))
            done = fail(error, "--%s says nothing about %s: it is %s", flag->name,
                        arguments->words ? arguments->word[0] : said(N_("this stage")),
                        said(flag->help));
    arena_free(&arena);
    return done;
}
