#include "present/compare_draw.h"

#include <assert.h>
#include <string.h>

#include "base/language.h"
#include "command/figure_flags.h"
#include "explain/drawing.h"
#include "present/figures.h"
#include "text/unicode.h"

/* The attention that differs first, or, without any, the first tensor that does. */
static const Difference *best_to_draw(const Difference *found, int count) {
    for (int d = 0; d < count; d++)
        if (strcmp(found[d].after->short_name, "weights") == 0) return &found[d];
    return found;
}

/* The slice that is to be drawn, of both runs. */
static bool find_slices(const Pair *pair, const Look *look, Slice slice[2],
                        Error *error) {
    const Snapshot *const run[] = {&pair->before, &pair->after};
    for (int r = 0; r < 2; r++) {
        const Tensor *tensor = snapshot_find(run[r], look->name);
        if (!tensor)
            return fail(error, "%s is no part of the run %s", look->name, run[r]->name);
        slice[r] = slice_all(tensor);
        for (int a = 0; a < tensor->rank; a++) {
            if (look->to[a] == ALL) continue;
            if (look->to[a] > tensor->axis[a].size)
                return fail(error, "%s is only %s in the run %s", look->name,
                            shape_text(tensor).text, run[r]->name);
            slice[r].from[a] = look->from[a];
            slice[r].to[a] = look->to[a];
        }
    }
    return true;
}

/* In a tensor of its own, so that the two are told apart even where they are one. */
static Slice apart(const Slice *slice, Arena *arena) {
    Tensor *copy = ARENA_ARRAY(arena, Tensor, 1);
    *copy = *slice->tensor;
    copy->step = STEP_NONE;
    Slice same = *slice;
    same.tensor = copy;
    return same;
}

static bool figure_of(Session *session, const Pair *pair, const Slice slice[2],
                      bool beside, Figure *figure, Error *error) {
    Arena *arena = &session->scratch;
    Record record = session_record(session);
    Slice *drawn = ARENA_ARRAY(arena, Slice, 2);
    assert(slice[0].tensor && slice[1].tensor); /* see find_slices() */
    const char *name = slice[0].tensor->name;
    if (slice[0].tensor->rank != slice[1].tensor->rank)
        return fail(error, "%s is %s in one run and %s in the other", name,
                    shape_text(slice[0].tensor).text, shape_text(slice[1].tensor).text);
    if (beside) {
        drawn[0] = apart(&slice[0], arena);
        drawn[1] = apart(&slice[1], arena);
        *figure = drawing_new(&record, drawn, 2, session_story(session).palette, arena);
        const char **called = ARENA_ARRAY(arena, const char *, 2);
        called[0] = pair->before.name;
        called[1] = pair->after.name;
        figure->called = called;
        figure->behind = trf(arena, "%s beside %s", called[0], called[1]);
        return true;
    }
    drawn[0] = slice[1];
    drawn[0].tensor = snapshot_subtract(slice[0].tensor, slice[1].tensor, arena);
    for (int a = 0; a < drawn[0].tensor->rank; a++)
        if (drawn[0].to[a] > drawn[0].tensor->axis[a].size)
            drawn[0].to[a] = drawn[0].tensor->axis[a].size;
    *figure = drawing_new(&record, drawn, 1, NULL, arena);
    const Palette *palette = session_story(session).palette;
    figure->palette = palette && palette->diverges ? palette : NULL;
    figure->scale = SCALE_SIGNED;
    figure->row_sums = false;
    figure->title =
        trf(arena, "%s: %s less %s", name, pair->after.name, pair->before.name);
    return true;
}

static const char *told_changes(const Snapshot *run, Arena *arena) {
    return arena_print(arena, "%s: %s", run->name,
                       *run->changes ? run->changes : tr("no changes"));
}

/* Two runs are no subcommand: the command is the line that was typed, and the changes
 * are those of both. */
static void add_facts(const Session *session, const Arguments *arguments,
                      const Arguments *settled, const Pair *pair, Figure *figure,
                      Arena *arena) {
    figures_add_facts(session, arguments, figure, arena);
    Fact *fact = ARENA_ARRAY(arena, Fact, figure->facts + 1);
    int count = 0;
    for (int f = 0; f < figure->facts; f++) {
        const char *name = figure->fact[f].name;
        if (strcmp(name, "changes") != 0 && strcmp(name, "command") != 0)
            fact[count++] = figure->fact[f];
    }
    const char *changes =
        arena_print(arena, "%s | %s", told_changes(&pair->before, arena),
                    told_changes(&pair->after, arena));
    fact[count++] =
        (Fact){N_("changes"), unicode_escape(changes, strlen(changes), arena)};
    if (session->command) {
        const char *command = arena_print(arena, "%s%s", session->command,
                                          figure_flags_told(arguments, settled, arena));
        fact[count++] =
            (Fact){N_("command"), unicode_escape(command, strlen(command), arena)};
    }
    figure->fact = fact;
    figure->facts = count;
}

bool compare_draw(Session *session, const Arguments *arguments, const Pair *pair,
                  const Difference *found, int count, Error *error) {
    Arena *arena = &session->scratch;
    const char *path = arguments_flag(arguments, "output");
    bool beside = arguments_flag(arguments, "side-by-side") != NULL;
    Look look = pair->look;
    Slice slice[2] = {0};
    Figure figure;
    if (!look.name && count) {
        look.name = best_to_draw(found, count)->after->name;
        for (int a = 0; a < RANK_MAX; a++) look.to[a] = ALL;
    }
    if (!look.name)
        return !path ||
               fail(error, "nothing differs, so there is nothing to draw; name "
                           "an address to draw it all the same");
    if (!find_slices(pair, &look, slice, error) ||
        !figure_of(session, pair, slice, beside, &figure, error))
        return false;
    if (!path) {
        page_figure(&session->page, &figure);
        return true;
    }
    Arguments settled = *arguments;
    if (!figure_flags_read(&settled, &figure.look, arena, error)) return false;
    add_facts(session, arguments, &settled, pair, &figure, arena);
    return figures_save(session, arguments, &figure, path, error);
}
