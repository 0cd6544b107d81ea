#include "shell/stops.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "explain/idea.h"
#include "model/network.h"
#include "shell/show_tokens.h"

/* The tokens come first, then the stages of the run, then the steps of the decoding. */
int stops_count(const Session *session) {
    if (!session->has_run) return 0;
    return 1 + session->walk.count + session->generated.count;
}

/* The step that stop `index` is, or -1. */
static int step_of(const Session *session, int index) {
    int step = index - 1 - session->walk.count;
    return step >= 0 && step < session->generated.count ? step : -1;
}

const char *stops_name(const Session *session, int index, Arena *arena) {
    int step = step_of(session, index);
    if (index == 0) return "tokens";
    if (step >= 0) return arena_print(arena, "step.%d", step);
    return session->walk.stage[index - 1].name;
}

const char *stops_title(const Session *session, int index, Arena *arena) {
    int step = step_of(session, index);
    if (index == 0) return "Tokens: the sentence in pieces";
    if (step >= 0) return arena_print(arena, "Decoding, step %d: choose a token", step);
    return session->walk.stage[index - 1].title;
}

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
    if (index < 0 || index >= stops_count(session)) return shown;
    int step = step_of(session, index);
    if (step >= 0) {
        *count = shown_at_step(session, step, arena, shown);
    } else if (index == 0) {
        shown[(*count)++] = "encoder.ids";
    } else {
        const Stage *stage = &session->walk.stage[index - 1];
        for (int t = 0; t < stage->tensors; t++) shown[(*count)++] = stage->address[t];
    }
    return shown;
}

bool stops_go(Session *session, int index, Error *error) {
    int count = stops_count(session);
    if (count == 0) return fail(error, "type a sentence first; :help tells more");
    if (index >= count)
        return fail(error,
                    "that was the last stage; type another sentence, or :goto 1");
    session->stage = index;
    int step = step_of(session, index);
    if (index == 0) {
        show_tokens(session, 1, count);
        return true;
    }
    Story story = session_story(session);
    if (step >= 0)
        story_step(&story, step, index + 1, count, &session->page);
    else
        story_stage(&story, &session->walk.stage[index - 1], index + 1, count,
                    &session->page);
    return true;
}

/* Does the stop show the idea? */
static bool is_about(const Session *session, int index, const Idea *idea,
                     Arena *arena) {
    if (idea->stop)
        return strncmp(stops_name(session, index, arena), idea->stop,
                       strlen(idea->stop)) == 0;
    return index > 0 && step_of(session, index) < 0 &&
           idea_is_shown(idea, &session->walk.stage[index - 1]);
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

/* The next stop that shows the idea of that name, in front of which a place may stand,
 * or -1. */
static int find_idea(const Session *session, const char *name, Arena *arena) {
    const char *place = place_of(name, arena);
    const char *word = name + strlen(place) + (*place != '\0');
    int count = stops_count(session);
    for (const Idea *idea = NULL; (idea = idea_find(idea, word));)
        for (int i = 1; i <= count; i++) {
            int index = (session->stage + i) % count;
            if (is_in(session, index, place, arena) &&
                is_about(session, index, idea, arena))
                return index;
        }
    return -1;
}

int stops_find(const Session *session, const char *name, Arena *arena) {
    int count = stops_count(session);
    if (isdigit((unsigned char)*name)) {
        char *end;
        long number = strtol(name, &end, 10);
        return !*end && number >= 1 && number <= count ? (int)number - 1 : -1;
    }
    for (int s = 0; s < count; s++)
        if (strcmp(stops_name(session, s, arena), name) == 0) return s;
    if (session->walk.count == 0) return -1;
    int stage =
        walk_find(&session->walk, name, session->stage > 0 ? session->stage : 0);
    return stage < 0 ? find_idea(session, name, arena) : stage + 1;
}
