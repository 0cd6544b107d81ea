#include "present/draw_alone.h"

#include <limits.h>
#include <math.h>
#include <string.h>

#include "base/language.h"
#include "base/nearest.h"
#include "figure/figure.h"
#include "learn/adam.h"
#include "model/network.h"
#include "model/sampling.h"
#include "ops/ops.h"
#include "present/show_beam.h"
#include "session/decoding.h"
#include "session/program.h"
#include "session/stops.h"
#include "walk/map.h"

enum { SHOWN = 5 };

static bool show_steps(Session *session, const Arguments *arguments, Figure *figure,
                       Error *error) {
    Arena *arena = &session->scratch;
    (void)arguments;
    if (!decoding_at_hand(session, error)) return false;
    /* The probabilities of all tokens for each step: [step, vocabulary]. */
    const Generated *generated = &session->run->generated;
    const Tensor *logits = decoding_logits(session, 0, arena);
    const Axis axis[] = {{.name = "step", .size = generated->count}, logits->axis[2]};
    Tensor *shares = tensor_new(arena, "steps", 2, axis);
    const int words = tensor_row(shares);
    unsigned char *chosen = ARENA_ARRAY(arena, unsigned char, tensor_size(shares));
    for (int t = 0; t < generated->count; t++) {
        logits = decoding_logits(session, t, arena);
        const double *log_share = sampling_log_probability(logits, arena);
        const Number *row = logits->data + tensor_size(logits) - tensor_row(logits);
        for (int w = 0; w < words; w++)
            shares->data[t * words + w] =
                isnan(row[w]) ? (Number)NAN : (Number)exp(log_share[w]);
        chosen[t * words + generated->id[t]] = 1;
    }
    Slice *slice = ARENA_ARRAY(arena, Slice, 1);
    const unsigned char **marked = ARENA_ARRAY(arena, const unsigned char *, 1);
    *slice = slice_all(shares);
    marked[0] = chosen;
    figure->kind = FIGURE_BARS;
    figure->slice = slice;
    figure->slices = 1;
    figure->marked = marked;
    figure->marked_as = tr(N_("◀ the chosen token"));
    figure->scale = SCALE_SHARES;
    figure->best = SHOWN;
    figure->title = tr("Step by step: the chosen token, and the next best");
    return true;
}

bool show_map(Session *session, const Arguments *arguments, Figure *figure,
              Error *error) {
    Arena *arena = &session->scratch;
    const char *at = arguments_flag(arguments, "at");
    int stop = session->run->stage; /* to mark; -1: none */
    if (!session->has_model)
        return fail(error, "draw map draws a model; leave out "
                           "--toy");
    if (at && !session->run->is_made)
        return fail(error, "--at takes a stage of a sentence; type a sentence, or "
                           "give --source");
    if (at) stop = stops_find(session, at, arena);
    if (at && stop < 0)
        return fail(error, "there is no stage '%s'; :stages lists them", at);
    const Config *config = &session->model.config;
    const char *here = stop >= 0 ? stops_address(session, stop) : NULL;
    Map *map = ARENA_ARRAY(arena, Map, 1);
    *map = map_new(config, session->run->is_made ? &session->run->tape : NULL, here,
                   arena);
    figure->kind = FIGURE_DIAGRAM;
    figure->diagram = &map->diagram;
    figure->title =
        trf(arena, "The map of %s: %s", program_path(session->model.path, arena),
            network_describe(config, arena));
    return true;
}

static void show_map_tell(const Session *session, Arguments *told, Arena *arena) {
    if (session->run->stage < 0 || arguments_flag(told, "at") ||
        told->flags == WORDS_MAX)
        return;
    told->flag[told->flags] = "at";
    told->value[told->flags++] = stops_name(session, session->run->stage, arena);
}

enum { HEAD_ALL = -1 };

/* Return the weights of a step: [1, head, query, key], or for seq2seq [1, query, key].
 */
static const Tensor *weights_of(const Session *session, const char *alignment, int step,
                                Arena *arena) {
    return tape_find(&session->run->steps,
                     arena_print(arena, "step.%d.%s", step, alignment));
}

static int heads_of(const Tensor *weights) {
    int head = tensor_axis(weights, "head");
    return head < 0 ? 1 : weights->axis[head].size;
}

/* Collect the last query of each step, for one head or the mean of all, in one tensor.
 * Without an encoder, the keys are the tokens so far: hide those that came later. */
static Tensor *collect(const Session *session, const char *alignment, int head,
                       Arena *arena, unsigned char **hidden) {
    const Generated *generated = &session->run->generated;
    const Tensor *longest = weights_of(session, alignment, generated->count - 1, arena);
    const char **said_label = ARENA_ARRAY(arena, const char *, generated->count);
    for (int t = 0; t < generated->count; t++)
        said_label[t] = decoding_label(session, generated->id[t], arena);
    const Axis axis[] = {{.name = "generated",
                          .size = generated->count,
                          .labels = said_label,
                          .label_rows = 1},
                         longest->axis[longest->rank - 1]};
    Tensor *all =
        tensor_new(arena, arena_print(arena, "step.*.%s", alignment), 2, axis);
    const int from = head == HEAD_ALL ? 0 : head;
    const int last = head == HEAD_ALL ? heads_of(longest) - 1 : head;
    const int width = tensor_row(all);
    *hidden = ARENA_ARRAY(arena, unsigned char, tensor_size(all));
    for (int t = 0; t < generated->count; t++) {
        const Tensor *weights = weights_of(session, alignment, t, arena);
        const int keys = tensor_row(weights);
        const int queries = weights->axis[weights->rank - 2].size;
        for (int k = 0; k < keys; k++) {
            double sum = 0;
            for (int h = from; h <= last; h++)
                sum += (double)weights->data[(h * queries + queries - 1) * keys + k];
            all->data[t * width + k] = (Number)(sum / (last - from + 1));
        }
        for (int k = keys; k < width; k++) {
            all->data[t * width + k] = 0;
            (*hidden)[t * width + k] = 1;
        }
    }
    return all;
}

bool show_looked(Session *session, const Arguments *arguments, Figure *figure,
                 Error *error) {
    Arena *arena = &session->scratch;
    if (!decoding_at_hand(session, error)) return false;
    const char *alignment = network_alignment(&session->model.config, arena);
    const Tensor *first = alignment ? weights_of(session, alignment, 0, arena) : NULL;
    if (!first)
        return fail(error,
                    "this model's decoder does not attend to tokens of the source");
    int heads = heads_of(first);
    int head = HEAD_ALL;
    if (!arguments_number(arguments, "head", 0, INT_MAX, &head, error)) return false;
    if (head >= heads)
        return fail_usage(error, "--head is %d; this attention has heads 0 to %d", head,
                          heads - 1);
    Slice *slice = ARENA_ARRAY(arena, Slice, 1);
    unsigned char **hidden = ARENA_ARRAY(arena, unsigned char *, 1);
    *slice = slice_all(collect(session, alignment, head, arena, hidden));
    figure->kind = FIGURE_HEATMAP;
    figure->slice = slice;
    figure->slices = 1;
    figure->hidden = (const unsigned char *const *)hidden;
    figure->scale = SCALE_SHARES;
    figure->row_sums = true;
    figure->frame =
        animation_growing(session->run->generated.count, arena, &figure->frames);
    figure->title =
        head != HEAD_ALL
            ? trf(arena, "What each generated token attended to: %s, head %d",
                  alignment, head)
        : heads > 1
            ? trf(arena,
                  "What each generated token attended to: %s, mean of "
                  "%d heads",
                  alignment, heads)
            : trf(arena, "What each generated token attended to: %s", alignment);
    return true;
}

enum { D_MODEL = 512, D_MODEL_MAX = 8192, LENGTH = 50, LENGTH_MAX = 10000 };
enum { WARMUP = 4000, STEPS_MAX = 100 * 1000 * 1000, POINTS = 500 };

/* Return the positions that the current model adds, or NULL. */
static const Position *position_of(const Session *session) {
    const Network *network = &session->model.network;
    if (network->type == MODEL_SEQ2SEQ) return NULL;
    const Embedding *embedding = network->type == MODEL_CLASSIFIER
                                     ? &network->classifier.encoder.embedding
                                 : session->model.config.encoder_layers
                                     ? &network->transformer.encoder.embedding
                                     : &network->transformer.decoder.embedding;
    return embedding->has_positions ? &embedding->position : NULL;
}

/* Choose sinusoids of size --d-model, or those of the current model, beyond its maximum
 * length if necessary, or its learned positions. */
static bool choose_position(const Session *session, const Arguments *arguments,
                            int length, Position *position, Error *error) {
    *position = (Position){.kind = POSITION_SINUSOIDAL, .d_model = D_MODEL};
    if (!arguments_number(arguments, "d-model", 2, D_MODEL_MAX, &position->d_model,
                          error))
        return false;
    const Position *own = position_of(session);
    bool given = arguments_flag(arguments, "d-model") != NULL;
    if (!given && !own)
        return fail(error,
                    session->model.config.position == POSITION_ROTARY
                        ? N_("this model adds no positions; it rotates queries and "
                             "keys instead. --d-model 512 shows those of the paper")
                        : N_("this model adds no positions; --d-model 512 shows those "
                             "of the paper"));
    if (!given) *position = *own;
    int learned = session->model.config.max_length;
    return position->kind == POSITION_SINUSOIDAL || length <= learned ||
           fail(error, "this model learned %d positions; give --length up to that",
                learned);
}

static bool make_position(Session *session, const Arguments *arguments, Figure *figure,
                          Error *error) {
    int length = LENGTH;
    Position position;
    if (!arguments_number(arguments, "length", 1, LENGTH_MAX, &length, error) ||
        !choose_position(session, arguments, length, &position, error))
        return false;
    Tape tape = {0};
    const Axis places = {.name = "position", .size = length};
    const Tensor *made = position_run(&tape, &position, places, 0);
    Slice *slice = ARENA_ARRAY(&session->scratch, Slice, 1);
    if (made) {
        Axis axis[] = {made->axis[0], made->axis[1]};
        axis[1].name = "dimension"; /* section 3.5 of the paper: pos and dimension */
        Tensor *kept = tensor_new(&session->scratch, "position", made->rank, axis);
        memcpy(kept->data, made->data, (size_t)tensor_size(made) * sizeof(Number));
        *slice = slice_all(kept);
    }
    const bool done = tape_done(&tape, error);
    tape_free(&tape);
    if (!done) return false;
    figure->slice = slice;
    figure->slices = 1;
    figure->frame = animation_growing(length, &session->scratch, &figure->frames);
    figure->title =
        position.kind == POSITION_LEARNED
            ? tr("learned positions")
            : tr("positional encoding: sine at even, cosine at odd columns");
    return true;
}

/* The rates of at most POINTS evenly spaced steps, always including the highest, at the
 * end of the warmup. */
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
    return (Series){.name = tr("learning rate"), .x = x, .y = y, .count = count};
}

static bool make_schedule(Session *session, const Arguments *arguments, Figure *figure,
                          Error *error) {
    Arena *arena = &session->scratch;
    Schedule schedule = {
        .kind = SCHEDULE_PAPER, .d_model = D_MODEL, .warmup = WARMUP, .factor = 1};
    if (!arguments_number(arguments, "warmup", 1, STEPS_MAX, &schedule.warmup, error) ||
        !arguments_number(arguments, "d-model", 1, D_MODEL_MAX, &schedule.d_model,
                          error))
        return false;
    schedule.steps = schedule.warmup <= STEPS_MAX / 5 ? 5 * schedule.warmup : STEPS_MAX;
    if (!arguments_number(arguments, "steps", 2, STEPS_MAX, &schedule.steps, error))
        return false;
    Series *series = ARENA_ARRAY(arena, Series, 1);
    *series = rates(&schedule, arena);
    Plot *plot = ARENA_ARRAY(arena, Plot, 1);
    *plot = (Plot){.x_title = tr("step"),
                   .y_title = tr("learning rate"),
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

bool alone_mistyped(const Arguments *arguments, Arena *arena, Error *error) {
    if (arguments->words != 1 ||
        !command_flag_named(arguments->command, flags_alone[0].name))
        return false;
    /* Two letters away is an address: mask, not map. */
    Nearest nearest = {.word = arguments->word[0]};
    for (size_t a = 0; a < sizeof alones / sizeof *alones; a++)
        if (nearest_distance(nearest.word, alones[a].name) == 1)
            nearest_offer(&nearest, alones[a].name);
    return nearest.count > 0 && !fail(error, "there is no figure '%s'%s", nearest.word,
                                      nearest_question(&nearest, arena));
}

const Flag flags_alone[] = {
    {"length", 0, "N", N_("for `draw position`: the number of positions")},
    {"d-model", 0, "N", N_("for `draw position` and `draw schedule`")},
    {"warmup", 0, "N", N_("for `draw schedule`: steps in which the rate grows")},
    {"steps", 0, "N", N_("for `draw schedule`: the last step of the curve")},
    {"beams", 0, "N", N_("for `draw beam`: the number kept at each step")},
    {"penalty", 0, "ALPHA", N_("for `draw beam`: exponent of the length penalty")},
    {"head", 0, "N", N_("for `draw decoding`: one head instead of the mean")},
    {"at", 0, "STAGE", N_("for `draw map`: the current stage, as named by :stages")},
    {0},
};

bool alone_check(const Alone *alone, const Arguments *arguments, Error *error) {
    Arena arena = {0};
    bool done = true;
    for (const Flag *flag = flags_alone; done && flag->name; flag++) {
        if (!arguments_flag(arguments, flag->name)) continue;
        if (alone && strstr(alone->flags, arena_print(&arena, "%s,", flag->name)))
            continue;
        done = fail(error, "--%s does not apply to %s: it is %s", flag->name,
                    arguments->words ? arguments->word[0] : tr(N_("this stage")),
                    tr(flag->help));
    }
    arena_free(&arena);
    return done;
}
