#include "present/show_map.h"

#include "base/language.h"
#include "model/network.h"
#include "present/figures.h"
#include "session/program.h"
#include "session/stops.h"
#include "walk/map.h"

/* The stop that is marked, or -1. */
static bool find_stop(const Session *session, const Arguments *arguments, int *stop,
                      Arena *arena, Error *error) {
    const char *name = arguments_flag(arguments, "at");
    *stop = session->run->stage;
    if (!name) return true;
    if (!session->run->is_made)
        return fail(error, "--at is a stage of a sentence: type one, or give --source");
    *stop = stops_find(session, name, arena);
    return *stop >= 0 ||
           fail(error, "there is no stage '%s'; :stages lists them", name);
}

bool show_map(Session *session, const Arguments *arguments, Figure *figure,
              Error *error) {
    Arena *arena = &session->scratch;
    int stop;
    if (!session->has_model) return fail(error, "a map is of a model: leave --toy out");
    if (!find_stop(session, arguments, &stop, arena, error)) return false;
    const Config *config = &session->model.config;
    const char *here = stop >= 0 ? stops_address(session, stop) : NULL;
    Map *map = ARENA_ARRAY(arena, Map, 1);
    *map = map_new(config, session->run->is_made ? &session->run->tape : NULL, here,
                   arena);
    figure->kind = FIGURE_DIAGRAM;
    figure->diagram = &map->diagram;
    figure->title =
        say(arena, "The map of %s: %s", program_path(session->model.path, arena),
            network_describe(config, arena));
    return true;
}

void show_map_tell(const Session *session, Arguments *told, Arena *arena) {
    if (session->run->stage < 0 || arguments_flag(told, "at") ||
        told->flags == WORDS_MAX)
        return;
    told->flag[told->flags] = "at";
    told->value[told->flags++] = stops_name(session, session->run->stage, arena);
}
