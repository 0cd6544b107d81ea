#include "shell/stops.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

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

const Tensor *stops_tensor(const Session *session, Arena *arena) {
    int stage = session->stage - 1;
    int step = step_of(session, session->stage);
    if (stage >= 0 && stage < session->walk.count)
        return session->walk.stage[stage].tensor[0];
    if (step < 0 || stage < 0) return NULL;
    return tape_find(&session->steps,
                     arena_print(arena, "step.%d.probabilities", step));
}

bool stops_go(Session *session, int index, Error *error) {
    int count = stops_count(session);
    if (count == 0) return fail(error, "type a sentence first; :help tells more");
    if (index >= count)
        return fail(error,
                    "that was the last stage; type another sentence, or :goto 1");
    session->stage = index;
    session->told = NULL;
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
    return stage < 0 ? -1 : stage + 1;
}
