#include "session/stops.h"

#include <stdlib.h>
#include <string.h>

#include "base/language.h"
#include "model/network.h"
#include "session/answers.h"
#include "session/tokens.h"
#include "session/walk_back.h"

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

/* All decoding steps are alike, so a walk by steps stops only at the first. */
static Depth depth_at(const Session *session, int index) {
    Stop stop = stop_at(session, index);
    if (stop.kind == STOP_STAGE)
        return depth_of(stops_stage(session, index), &session->model.config);
    if (stop.kind == STOP_STEP) return stop.index == 0 ? DEPTH_STEPS : DEPTH_NUMBERS;
    return DEPTH_BOXES;
}

bool stops_visits(const Session *session, int index) {
    return (int)depth_at(session, index) >= session->options.depth;
}

/* Return how many stops before `index` a walk of this depth visits. */
static int rank_at(const Session *session, int index, Depth depth) {
    int rank = 0;
    for (int i = 0; i < index; i++) rank += depth_at(session, i) >= depth;
    return rank;
}

/* A stop between those of the path increments the part, so the numbers of the path do
 * not depend on the depth. */
StopNumber stops_number_after(const Session *session, StopNumber before, int index) {
    return depth_at(session, index) >= DEPTH_PATH
               ? (StopNumber){before.number + 1, 0}
               : (StopNumber){before.number, before.part + 1};
}

StopNumber stops_number(const Session *session, int index) {
    StopNumber at = {0, 0};
    for (int i = 0; i <= index; i++) at = stops_number_after(session, at, i);
    return at;
}

int stops_count(const Session *session) {
    return rank_at(session, stops_all(session), (Depth)session->options.depth);
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

static void show_stop(Session *session, int index) {
    Page *page = &session->page;
    /* A stop that the walk does not visit is shown at its own, finer depth. */
    Depth depth = (Depth)session->options.depth;
    if (depth_at(session, index) < depth) depth = depth_at(session, index);
    Stop stop = stop_at(session, index);
    const StopNumber at = stops_number(session, index);
    StoryPlace place = {
        .heading = {.number = at.number,
                    .part = at.part,
                    .count = rank_at(session, stops_all(session), DEPTH_PATH),
                    .title = stops_title(session, index, page->arena),
                    .name = stops_name(session, index, page->arena)},
        .walk = &session->run->walk,
        .depth = depth,
    };
    Story story = session_story(session);
    const char *told = NULL;
    if (stop.kind == STOP_TOKENS) show_tokens(session, &place);
    if (stop.kind == STOP_DECODING) told = story_decoding_whole(&story, &place, page);
    if (stop.kind == STOP_STEP) story_step(&story, stop.index, &place, page);
    if (stop.kind == STOP_STAGE)
        told = story_stage(&story, stops_stage(session, index), &place, page);
    session->run->told =
        told ? arena_copy(&session->run->arena, told, strlen(told)) : NULL;
}

void answers_say(Session *session) {
    for (int row = 0; row < session->run->source.rows; row++)
        answers_say_row(session, row);
    page_gap(&session->page);
    Arena *arena = &session->scratch;
    int steps = stops_count(session);
    page_prose(
        &session->page,
        session->lesson.is_open /* in a lesson, Enter continues the lesson */
            ? trf(arena,
                  ":next shows how, in %d stages.   + more detail   - less   :map",
                  steps)
            : trf(arena,
                  "Enter shows how, in %d stages.   + more detail   - less   :map",
                  steps));
}

bool stops_go(Session *session, int index, Error *error) {
    int count = stops_all(session);
    if (count == 0) return fail(error, "type a sentence first; :help explains more");
    if (index >= count)
        return fail(error, "this is the last stage; type another sentence, or :goto 1");
    session->run->walks_back = false;
    session->run->stage = index;
    session_did(session, DID_MOVE);
    session_forget_offer(session);
    show_stop(session, index);
    return true;
}

bool stops_next(Session *session, Error *error) {
    if (session->run->walks_back && walk_back_next(session)) return true;
    int index = session->run->stage + 1;
    while (index < stops_all(session) && !stops_visits(session, index)) index++;
    return stops_go(session, index, error);
}

bool stops_back(Session *session, Error *error) {
    if (session->run->walks_back) {
        if (walk_back_previous(session)) return true;
        if (session->run->stage >= 0)
            return stops_go(session, session->run->stage, error);
    }
    int index = session->run->stage - 1;
    while (index >= 0 && !stops_visits(session, index)) index--;
    if (index >= 0) return stops_go(session, index, error);
    if (!session->run->is_made)
        return fail(error, "type a sentence first; :help explains more");
    session->run->stage = -1;
    session_did(session, DID_MOVE);
    answers_say(session);
    return true;
}

static const char *const finest = N_("this is the finest depth: every tensor is shown");
static const char *const coarsest = N_("this is the coarsest depth: the boxes");

/* Return true if both are in the same sublayer: "self_attention.query" and
 * "self_attention.weights". */
static bool is_beside(const Stage *stage, const Stage *other) {
    if (!stage || !other || strcmp(stage->place, other->place) != 0) return false;
    const char *dot = strchr(stage->part[0], '.');
    return dot && strncmp(stage->part[0], other->part[0],
                          (size_t)(dot + 1 - stage->part[0])) == 0;
}

/* Return the stop that the walk visits instead of this one: the one that covers it, the
 * nearest in its sublayer, or the previous one. */
static int visited_instead(const Session *session, int index) {
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

bool stops_change_depth(Session *session, int change, Error *error) {
    const int finest_or_coarsest = change < 0 ? 0 : DEPTH_KINDS - 1;
    int depth = session->options.depth + change;
    if (session->options.depth == finest_or_coarsest) {
        page_note(&session->page, "%s", tr(change < 0 ? finest : coarsest));
        return true;
    }
    if (depth < 0 || depth >= DEPTH_KINDS) depth = finest_or_coarsest;
    session->options.depth = depth;
    session_did(session, DID_MOVE);
    page_note(&session->page,
              depth == DEPTH_NUMBERS ? N_("the walk now shows every tensor: %d stages")
              : depth == DEPTH_STEPS
                  ? N_("the walk now shows the steps of all layers: %d stages")
              : depth == DEPTH_PATH
                  ? N_("the walk now shows each stage once: %d stages")
                  : N_("the walk now shows the boxes: %d stages"),
              stops_count(session));
    if (session->run->stage < 0) return true;
    return stops_go(session, visited_instead(session, session->run->stage), error);
}
