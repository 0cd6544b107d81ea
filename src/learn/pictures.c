#include "learn/pictures.h"

#include <string.h>

#include "base/language.h"
#include "text/unicode.h"

enum { FACTS = 6 };

static Fact fact(const char *name, const char *value, Arena *arena) {
    return (Fact){name, unicode_escape(value, strlen(value), arena)};
}

/* Without the folders, which are another machine's matter. */
static const char *last_of(const char *path) {
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

/* Where the pictures come from, in `arena`. */
static Facts provenance(const Training *training, int steps, Arena *arena) {
    const Recipe *recipe = training->recipe;
    Fact *list = ARENA_ARRAY(arena, Fact, FACTS);
    int count = 0;
    list[count++] = fact(N_("recipe"), recipe->path, arena);
    list[count++] = fact(N_("data"), last_of(recipe->data), arena);
    list[count++] = fact(N_("model"), recipe->preset, arena);
    list[count++] = fact(N_("steps"), arena_print(arena, "%d", steps), arena);
    list[count++] = fact(N_("seed"), arena_print(arena, "%d", recipe->seed), arena);
    if (training->command)
        list[count++] = fact(N_("command"), training->command, arena);
    return (Facts){.fact = list, .count = count};
}

/* By PlotFormat. Curves stand still where snapshots move. */
static const struct {
    const char *curve, *snapshot;
} endings[] = {{"png", "png"}, {"svg", "svg"}, {"pdf", "pdf"}, {"png", "apng"}};

const char *pictures_name(const Recipe *recipe, int i, Arena *arena) {
    if (recipe->plot == PLOT_NOTHING) return NULL;
    int curves = 0;
    while (curve_picture(curves)) curves++;
    if (i < curves)
        return arena_print(arena, "%s.%s", curve_picture(i),
                           endings[recipe->plot].curve);
    i -= curves;
    return i < recipe->snapshot_count
               ? snapshots_picture(recipe, i, endings[recipe->plot].snapshot, arena)
               : NULL;
}

bool pictures_draw(const Training *training, int steps, const Curve *curve,
                   const Snapshots *snapshots, Error *error) {
    const Recipe *recipe = training->recipe;
    if (recipe->plot == PLOT_NOTHING) return true;
    Arena arena = {0};
    Facts facts = provenance(training, steps, &arena);
    bool done =
        curve_draw(curve, recipe->output, endings[recipe->plot].curve, &facts, error) &&
        snapshots_draw(snapshots, recipe->output, endings[recipe->plot].snapshot,
                       &facts, error);
    arena_free(&arena);
    return done;
}
