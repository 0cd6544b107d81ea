#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "session/stops.h"
#include "walk/glossary.h"

/* Return the distance from the current stop. Stops in the same layer are nearest, then
 * the same stack, then the stack that runs first; later ones come before earlier ones.
 */
static int distance(const Session *session, int index) {
    const int here = session->run->stage;
    const int all = stops_all(session);
    const Stage *stage = stops_stage(session, index);
    const Stage *at = stops_stage(session, here);
    int steps = index > here ? 2 * (index - here) : 2 * (here - index) + 1;
    if (!at || !stage || strcmp(stage->stack, at->stack) != 0)
        steps += stage && stage->is_first ? 4 * all : 8 * all;
    if (!at || !stage || strcmp(stage->place, at->place) != 0) steps += 2 * all;
    return steps;
}

int stops_telling(const Session *session, int index) {
    if (stops_visits(session, index)) return index;
    const Stage *stage = stops_stage(session, index);
    if (!stage || session->options.depth != DEPTH_PATH) return -1;
    for (int i = index + 1; i < stops_all(session); i++) {
        const Stage *after = stops_stage(session, i);
        if (!after || strcmp(after->place, stage->place) != 0) return -1;
        const StopWords *words = path_words(after, &session->model.config);
        if (words)
            return words->covers && stage_lists(words->covers, stage->kind->name) ? i
                                                                                  : -1;
    }
    return -1;
}

/* Does stop `index`, at the place that `name` starts with, show the idea? */
static bool shows_idea(const Session *session, int index, const Idea *idea,
                       const char *name, size_t place, Arena *arena) {
    const char *other = stops_name(session, index, arena);
    const Stage *stage = stops_stage(session, index);
    if (strncmp(other, name, place) != 0) return false;
    return idea->stop ? strncmp(other, idea->stop, strlen(idea->stop)) == 0
                      : stage && idea_is_shown(idea, stage);
}

/* Find the nearest stop that shows the idea `name`, which may have a place as a prefix:
 * "encoder.0.norm". If the current stop shows it, find the next one, from the last one
 * the first. Prefer stops that the walk visits, then the current stop; or return -1. */
static int find_idea(const Session *session, const char *name, Arena *arena) {
    const char *dot = strrchr(name, '.');
    const char *word = dot ? dot + 1 : name;
    const size_t place = (size_t)(word - name);
    const int here = session->run->stage;
    const int all = stops_all(session);
    for (const Idea *idea = NULL; (idea = idea_find(idea, word));) {
        bool is_here = false;
        for (int i = 0; i < all; i++)
            is_here |= (i == here || stops_telling(session, i) == here) &&
                       shows_idea(session, i, idea, name, place, arena);
        int best = -1;
        int visited = -1; /* the nearest one that the walk shows */
        int min = 0;      /* its distance, increased if only another stop shows it */
        for (int i = 0; i < all; i++) {
            const int tells = stops_telling(session, i);
            if (i == here || tells == here ||
                !shows_idea(session, i, idea, name, place, arena))
                continue;
            const int steps = is_here ? (i - here + all) % all : distance(session, i);
            if (best < 0 || steps < distance(session, best)) best = i;
            if (tells < 0) continue;
            const int far = steps + (tells == i || is_here ? 0 : 3 * all);
            if (visited >= 0 && far >= min) continue;
            visited = i;
            min = far;
        }
        if (visited >= 0) return visited;
        if (is_here) return here;
        if (best >= 0) return best;
    }
    return -1;
}

int stops_find(const Session *session, const char *name, Arena *arena) {
    int count = stops_all(session);
    const bool is_number = isdigit((unsigned char)*name); /* "8" or "8.2" */
    char *end;
    const long number = strtol(name, &end, 10);
    const long part = *end == '.' ? strtol(end + 1, &end, 10) : 0;
    StopNumber at = {0, 0};
    for (int s = 0; s < count; s++) {
        at = stops_number_after(session, at, s);
        if (is_number ? !*end && at.number == number && at.part == part
                      : strcmp(stops_name(session, s, arena), name) == 0)
            return s;
    }
    if (is_number || session->run->walk.count == 0) return -1;
    int about = find_idea(session, name, arena);
    if (about >= 0) return about;
    int stage = walk_find(&session->run->walk, name,
                          session->run->stage > 0 ? session->run->stage : 0);
    return stage < 0 ? -1 : stage + 1;
}
