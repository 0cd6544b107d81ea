#include "session/stops.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/language.h"
#include "model/network.h"
#include "session/answers.h"
#include "session/tokens.h"
#include "session/walk_back.h"
#include "tensor/address.h"
#include "walk/glossary.h"

/* What a step of the decoding looked at, and what it chose from. */
static int shown_at_step(const Session *session, int step, Arena *arena,
                         const char **shown) {
    const char *alignment = network_alignment(&session->model.config, arena);
    int count = 0;
    if (alignment) shown[count++] = arena_print(arena, "step.%d.%s", step, alignment);
    shown[count++] = arena_print(arena, "step.%d.probabilities", step);
    return count;
}

const char *const *stops_shown(const Session *session, int index, Arena *arena,
                               int *count) {
    const char **shown = ARENA_ARRAY(arena, const char *, STAGE_PARTS);
    *count = 0;
    if (index < 0 || index >= stops_all(session)) return shown;
    int step = stops_step(session, index);
    const Stage *stage = stops_stage(session, index);
    if (step >= 0)
        *count = shown_at_step(session, step, arena, shown);
    else if (stage)
        while (*count < stage->tensors) {
            shown[*count] = stage->address[*count];
            ++*count;
        }
    else
        shown[(*count)++] = stops_address(session, index);
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

/* Does the stop show the idea? */
static bool is_about(const Session *session, int index, const Idea *idea,
                     Arena *arena) {
    if (idea->stop)
        return strncmp(stops_name(session, index, arena), idea->stop,
                       strlen(idea->stop)) == 0;
    const Stage *stage = stops_stage(session, index);
    return stage && idea_is_shown(idea, stage);
}

/* "encoder.0" of "encoder.0.norm", or "". */
static const char *place_of(const char *name, Arena *arena) {
    const char *dot = strrchr(name, '.');
    return dot ? arena_copy(arena, name, (size_t)(dot - name)) : "";
}

static bool is_in(const Session *session, int index, const char *place, Arena *arena) {
    size_t length = strlen(place);
    const char *name = stops_name(session, index, arena);
    return !length || (strncmp(name, place, length) == 0 && name[length] == '.');
}

/* How far it is from where the walk is: nearest is what lies in the same layer, then in
 * the same stack; behind comes before in front of it. */
static int distance(const Session *session, int index) {
    const int here = session->run->stage;
    const int all = stops_all(session);
    const Stage *stage = stops_stage(session, index);
    const Stage *at = stops_stage(session, here);
    int steps = index > here ? 2 * (index - here) : 2 * (here - index) + 1;
    if (!at || !stage || strcmp(stage->stack, at->stack) != 0) steps += 4 * all;
    if (!at || !stage || strcmp(stage->place, at->place) != 0) steps += 2 * all;
    return steps;
}

int stops_telling(const Session *session, int index) {
    if (stops_visits(session, index)) return index;
    const Stage *stage = stops_stage(session, index);
    if (!stage || session->options.depth != DEPTH_PATH) return -1;
    for (int i = index + 1; i < stops_all(session); i++) {
        const Stage *behind = stops_stage(session, i);
        if (!behind || strcmp(behind->place, stage->place) != 0) return -1;
        const StopWords *words = path_words(behind, &session->model.config);
        if (words)
            return words->covers && stage_lists(words->covers, stage->kind->name) ? i
                                                                                  : -1;
    }
    return -1;
}

/* The nearest other stop that shows the idea of that name, in front of which a place
 * may stand, or the one at hand, or -1. Those that the walk visits come first. */
static int find_idea(const Session *session, const char *name, Arena *arena) {
    const char *place = place_of(name, arena);
    const char *word = name + strlen(place) + (*place != '\0');
    const int here = session->run->stage;
    for (const Idea *idea = NULL; (idea = idea_find(idea, word));) {
        int best = -1;
        int visited = -1; /* the nearest of those that the walk tells of */
        bool is_here = false;
        for (int i = 0; i < stops_all(session); i++) {
            if (!is_in(session, i, place, arena) || !is_about(session, i, idea, arena))
                continue;
            const int tells = stops_telling(session, i);
            const int steps = distance(session, i);
            is_here |= i == here || tells == here;
            if (i == here || tells == here) continue;
            if (best < 0 || steps < distance(session, best)) best = i;
            if (tells >= 0 && (visited < 0 || steps < distance(session, visited)))
                visited = i;
        }
        if (visited >= 0) return visited;
        if (is_here) return here;
        if (best >= 0) return best;
    }
    return -1;
}

/* The stop of that number, "8" or "8.2"; -1 if there is none. */
static int stop_numbered(const Session *session, const char *name) {
    char *end;
    const long number = strtol(name, &end, 10);
    const long part = *end == '.' ? strtol(end + 1, &end, 10) : 0;
    for (int i = 0; !*end && i < stops_all(session); i++) {
        const StopNumber at = stops_number(session, i);
        if (at.number == number && at.part == part) return i;
    }
    return -1;
}

int stops_find(const Session *session, const char *name, Arena *arena) {
    int count = stops_all(session);
    if (isdigit((unsigned char)*name)) return stop_numbered(session, name);
    for (int s = 0; s < count; s++)
        if (strcmp(stops_name(session, s, arena), name) == 0) return s;
    if (session->run->walk.count == 0) return -1;
    int about = find_idea(session, name, arena);
    if (about >= 0) return about;
    int stage = walk_find(&session->run->walk, name,
                          session->run->stage > 0 ? session->run->stage : 0);
    return stage < 0 ? -1 : stage + 1;
}

/* The tokens come first, then the stages of the run, then its decoding as a whole and
 * step by step. */
int stops_all(const Session *session) {
    int steps = session->run->generated.count;
    if (!session->run->is_made) return 0;
    return 1 + session->run->walk.count + (steps ? 1 + steps : 0);
}

typedef enum { STOP_TOKENS, STOP_STAGE, STOP_DECODING, STOP_STEP } StopKind;

typedef struct {
    StopKind kind;
    int index; /* of the stage, or of the step */
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

/* The first step of a decoding is told in steps, the others do the same. */
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

/* How many stops before `index` a walk of this depth visits. */
static int rank_at(const Session *session, int index, Depth depth) {
    int rank = 0;
    for (int i = 0; i < index; i++) rank += depth_at(session, i) >= depth;
    return rank;
}

/* A finer walk adds stops behind those of the path, and changes no number. */
StopNumber stops_number(const Session *session, int index) {
    StopNumber at = {0, 0};
    for (int i = 0; i <= index; i++)
        if (depth_at(session, i) >= DEPTH_PATH)
            at = (StopNumber){at.number + 1, 0};
        else
            at.part++;
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

/* A stage that stands for others is called as they are together. */
static const char *stage_title(const Session *session, const Stage *stage) {
    const StopWords *words =
        stop_words(stage, &session->model.config, (Depth)session->options.depth);
    return tr(words ? words->title : stage->title);
}

const char *stops_address(const Session *session, int index) {
    if (index == 0) return "encoder.ids";
    const Stage *stage = stops_stage(session, index);
    return stage ? stage->address[0] : "probabilities";
}

const char *stops_title(const Session *session, int index, Arena *arena) {
    Stop stop = stop_at(session, index);
    switch (stop.kind) {
    case STOP_TOKENS:
        return tr(N_("Tokens: the sentence in pieces"));
    case STOP_DECODING:
        return tr(N_("Decoding: one word after the other"));
    case STOP_STEP:
        return trf(arena, "Decoding, step %d: choose a token", stop.index);
    default:
        return stage_title(session, stops_stage(session, index));
    }
}

/* A stop that the walk does not visit is shown as at the depth where it would be. */
static Depth shown_depth(const Session *session, int index) {
    Depth depth = (Depth)session->options.depth;
    Depth own = depth_at(session, index);
    return own < depth ? own : depth;
}

static void show_stop(Session *session, int index) {
    Page *page = &session->page;
    Depth depth = shown_depth(session, index);
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
        session->player.is_open /* there Enter goes on with the lesson */
            ? trf(arena,
                  ":next shows how, in %d steps.   + more detail   - less   :map",
                  steps)
            : trf(arena,
                  "Enter shows how, in %d steps.   + more detail   - less   :map",
                  steps));
}

bool stops_go(Session *session, int index, Error *error) {
    int count = stops_all(session);
    if (count == 0) return fail(error, "type a sentence first; :help tells more");
    if (index >= count)
        return fail(error,
                    "that was the last stage; type another sentence, or :goto 1");
    session->run->walks_back = false;
    session->run->stage = index;
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
        return fail(error, "type a sentence first; :help tells more");
    session->run->stage = -1;
    answers_say(session);
    return true;
}

static const char *const finest =
    N_("this is as fine as it gets: every tensor is shown");
static const char *const coarsest = N_("this is as coarse as it gets: the boxes");

static void say_depth(Session *session, Depth depth) {
    Page *page = &session->page;
    int count = stops_count(session);
    if (depth == DEPTH_NUMBERS)
        page_note(page, "from here on every tensor is a stop: %d of them", count);
    if (depth == DEPTH_STEPS)
        page_note(page, "from here on the steps of all layers are stops: %d of them",
                  count);
    if (depth == DEPTH_PATH)
        page_note(page, "from here on each stage is a stop once: %d of them", count);
    if (depth == DEPTH_BOXES)
        page_note(page, "from here on the boxes are stops: %d of them", count);
}

bool stops_change_depth(Session *session, int change, Error *error) {
    int depth = session->options.depth + change;
    if (depth < 0 || depth >= DEPTH_KINDS) {
        page_note(&session->page, "%s", tr(depth < 0 ? finest : coarsest));
        return true;
    }
    session->options.depth = depth;
    if (session->run->stage < 0) {
        say_depth(session, (Depth)depth);
        return true;
    }
    int index = session->run->stage;
    while (!stops_visits(session, index)) index--;
    return stops_go(session, index, error);
}
