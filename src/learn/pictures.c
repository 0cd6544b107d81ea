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

bool pictures_draw(const Training *training, int steps, const Curve *curve,
                   const Snapshots *snapshots, Error *error) {
    /* By PlotFormat. Curves stand still where snapshots move. */
    static const char *const endings[] = {"png", "svg", "pdf", "apng"};
    const Recipe *recipe = training->recipe;
    if (recipe->plot == PLOT_NOTHING) return true;
    Arena arena = {0};
    const char *ending = endings[recipe->plot];
    Facts facts = provenance(training, steps, &arena);
    bool done = curve_draw(curve, recipe->output,
                           recipe->plot == PLOT_APNG ? "png" : ending, &facts, error) &&
                snapshots_draw(snapshots, recipe->output, ending, &facts, error);
    arena_free(&arena);
    return done;
}
