#include "session/stops.h"

#include <string.h>

#include "base/language.h"
#include "model/network.h"

const char *const *stops_shown(const Session *session, int index, Arena *arena,
                               int *count) {
    const char **shown = ARENA_ARRAY(arena, const char *, STAGE_PARTS);
    *count = 0;
    if (index < 0 || index >= stops_all(session)) return shown;
    int step = stops_step(session, index);
    const Stage *stage = stops_stage(session, index);
    if (step >=
        0) { /* the attention weights of a decoding step, and what it predicts */
        const char *alignment = network_alignment(&session->model.config, arena);
        if (alignment)
            shown[(*count)++] = arena_print(arena, "step.%d.%s", step, alignment);
        shown[(*count)++] = arena_print(arena, "step.%d.probabilities", step);
    } else if (stage) {
        for (; *count < stage->tensors; ++*count)
            shown[*count] = stage->address[*count];
    } else {
        shown[(*count)++] = stops_address(session, index);
    }
    return shown;
}

const Tensor *stops_tensor(const Session *session, Arena *arena) {
    if (session->run->stage < 0) return NULL;
    const Stage *stage = stops_stage(session, session->run->stage);
    int step = stops_step(session, session->run->stage);
    if (stage) return stage->tensor[0];
    if (step < 0) return NULL;
    return tape_find(&session->run->steps,
                     arena_print(arena, "step.%d.probabilities", step));
}

/* Stops are in this order: the tokens, the stages of the run, the decoding as a whole,
 * its steps. */
int stops_all(const Session *session) {
    int steps = session->run->generated.count;
    if (!session->run->is_made) return 0;
    return 1 + session->run->walk.count + (steps ? 1 + steps : 0);
}

typedef enum { STOP_TOKENS, STOP_STAGE, STOP_DECODING, STOP_STEP } StopKind;

typedef struct {
    StopKind kind;
    int index; /* index of the stage or the step */
} Stop;

static Stop stop_at(const Session *session, int index) {
    int stages = session->run->walk.count;
    if (index == 0) return (Stop){STOP_TOKENS, 0};
    if (index <= stages) return (Stop){STOP_STAGE, index - 1};
    if (index == stages + 1) return (Stop){STOP_DECODING, 0};
    return (Stop){STOP_STEP, index - stages - 2};
}

const Stage *stops_stage(const Session *session, int index) {
    if (index < 0) return NULL; /* before the first */
    Stop stop = stop_at(session, index);
    return stop.kind == STOP_STAGE ? &session->run->walk.stage[stop.index] : NULL;
}

int stops_step(const Session *session, int index) {
    Stop stop = stop_at(session, index);
    return stop.kind == STOP_STEP ? stop.index : -1;
}

Depth stops_depth(const Session *session, int index) {
    Stop stop = stop_at(session, index);
    if (stop.kind == STOP_STAGE)
        return depth_of(stops_stage(session, index), &session->model.config);
    if (stop.kind == STOP_STEP) return stop.index == 0 ? DEPTH_STEPS : DEPTH_NUMBERS;
    return DEPTH_BOXES;
}

bool stops_visits(const Session *session, int index) {
    return (int)stops_depth(session, index) >= session->options.depth;
}

/* A stop between those of the path increments the part, so the numbers of the path do
 * not depend on the depth. */
StopNumber stops_number_after(const Session *session, StopNumber before, int index) {
    return stops_depth(session, index) >= DEPTH_PATH
               ? (StopNumber){before.number + 1, 0}
               : (StopNumber){before.number, before.part + 1};
}

StopNumber stops_number(const Session *session, int index) {
    StopNumber at = {0, 0};
    for (int i = 0; i <= index; i++) at = stops_number_after(session, at, i);
    return at;
}

int stops_count(const Session *session) {
    int count = 0;
    for (int i = 0; i < stops_all(session); i++) count += stops_visits(session, i);
    return count;
}

const char *stops_name(const Session *session, int index, Arena *arena) {
    Stop stop = stop_at(session, index);
    switch (stop.kind) {
    case STOP_TOKENS:
        return "tokens";
    case STOP_DECODING:
        return "decoding";
    case STOP_STEP:
        return arena_print(arena, "step.%d", stop.index);
    default:
        return stops_stage(session, index)->name;
    }
}

const char *stops_address(const Session *session, int index) {
    if (index == 0) return "encoder.ids";
    const Stage *stage = stops_stage(session, index);
    return stage ? stage->address[0] : "probabilities";
}

const char *stops_title(const Session *session, int index, Arena *arena) {
    Stop stop = stop_at(session, index);
    const Stage *stage = stops_stage(session, index);
    const StopWords *words; /* of the stop that includes the stage */
    switch (stop.kind) {
    case STOP_TOKENS:
        return tr(N_("Tokens: the sentence in pieces"));
    case STOP_DECODING:
        return tr(N_("Decoding: one token after another"));
    case STOP_STEP:
        return trf(arena, "Decoding, step %d: choose a token", stop.index);
    default:
        words =
            stop_words(stage, &session->model.config, (Depth)session->options.depth);
        return tr(words ? words->title : stage->title);
    }
}

bool stops_enter(Session *session, int index, Error *error) {
    int count = stops_all(session);
    if (count == 0) return fail(error, "type a sentence first; :help explains more");
    if (index >= count)
        return fail(error, "this is the last stage; type another sentence, or :goto 1");
    session->run->walks_back = false;
    session->run->stage = index;
    session_did(session, DID_MOVE);
    session_forget_offer(session);
    return true;
}

/* Return true if both are in the same sublayer: "self_attention.query" and
 * "self_attention.weights". */
static bool is_beside(const Stage *stage, const Stage *other) {
    if (!stage || !other || strcmp(stage->place, other->place) != 0) return false;
    const char *dot = strchr(stage->part[0], '.');
    return dot && strncmp(stage->part[0], other->part[0],
                          (size_t)(dot + 1 - stage->part[0])) == 0;
}

int stops_visited_instead(const Session *session, int index) {
    const int covers = stops_telling(session, index);
    if (covers >= 0) return covers;
    const Stage *stage = stops_stage(session, index);
    int before = index;
    while (!stops_visits(session, before)) before--;
    for (int i = index + 1;
         i < stops_all(session) && !is_beside(stage, stops_stage(session, before)) &&
         is_beside(stage, stops_stage(session, i));
         i++)
        if (stops_visits(session, i)) return i;
    return before;
}
