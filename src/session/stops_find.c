#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "explain/idea.h"
#include "model/network.h"
#include "session/stops.h"

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

/* The next stop that shows the idea of that name, in front of which a place may stand,
 * or -1. */
static int find_idea(const Session *session, const char *name, Arena *arena) {
    const char *place = place_of(name, arena);
    const char *word = name + strlen(place) + (*place != '\0');
    int count = stops_all(session);
    /* Those that the walk visits first, and where it stands last. */
    for (int visited = 1; visited >= 0; visited--)
        for (const Idea *idea = NULL; (idea = idea_find(idea, word));)
            for (int i = 1; i <= count; i++) {
                int index = (session->run->stage + i) % count;
                if (stops_visits(session, index) == (visited == 1) &&
                    is_in(session, index, place, arena) &&
                    is_about(session, index, idea, arena))
                    return index;
            }
    return -1;
}

/* The stop that the walk counts as `number`, from 1 on; -1 if there is none. */
static int stop_numbered(const Session *session, long number) {
    for (int i = 0; i < stops_all(session); i++)
        if (stops_visits(session, i) && --number == 0) return i;
    return -1;
}

int stops_find(const Session *session, const char *name, Arena *arena) {
    int count = stops_all(session);
    if (isdigit((unsigned char)*name)) {
        char *end;
        long number = strtol(name, &end, 10);
        return *end ? -1 : stop_numbered(session, number);
    }
    for (int s = 0; s < count; s++)
        if (strcmp(stops_name(session, s, arena), name) == 0) return s;
    if (session->run->walk.count == 0) return -1;
    int about = find_idea(session, name, arena);
    if (about >= 0) return about;
    int stage = walk_find(&session->run->walk, name,
                          session->run->stage > 0 ? session->run->stage : 0);
    return stage < 0 ? -1 : stage + 1;
}
