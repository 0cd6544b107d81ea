#include <string.h>

#include "base/language.h"
#include "command/figure_flags.h"
#include "explain/drawing.h"
#include "present/figures.h"
#include "present/two_maps.h"
#include "present/two_runs.h"

/* Find the partners, in `before`, of the part of `after` along axis `a`. */
static bool find_partners(const Alignment *along, const Slice *after, int a,
                          Slice *before) {
    bool found = false;
    for (int p = 0; p < along->count; p++) {
        const Partners pair = along->pair[p];
        if (pair.before == NOWHERE || pair.after < after->from[a] ||
            pair.after >= after->to[a])
            continue;
        if (!found) before->from[a] = pair.before;
        before->to[a] = pair.before + 1;
        found = true;
    }
    return found;
}

/* Find the slice to draw in both runs. */
static bool find_slices(const TwoRuns *runs, const char *address, Arena *arena,
                        Slice slice[2], Error *error) {
    const char *name = address_name(address, arena);
    const char *lacks = runs->after.name;
    Alignments alignments = {.arena = arena};
    const Tensor *tensor[2] = {NULL, snapshot_find(&runs->after, name)};
    if (tensor[1]) {
        tensor[0] =
            snapshot_partner(&runs->before, &runs->after, tensor[1], &alignments);
        lacks = runs->before.name;
    }
    if (!tensor[0]) return fail(error, "%s is not part of the run %s", name, lacks);
    if (tensor[0]->rank != tensor[1]->rank)
        return fail(error, "%s is %s in one run and %s in the other", name,
                    shape_text(tensor[0]).text, shape_text(tensor[1]).text);
    if (!address_slice(address, tensor[1], arena, &slice[1], error)) return false;
    slice[0] = slice_all(tensor[0]);
    for (int a = 0; a < tensor[1]->rank; a++) {
        const Axis *axis = &tensor[1]->axis[a];
        bool whole = slice[1].from[a] == 0 && slice[1].to[a] == axis->size;
        if (!whole &&
            !find_partners(alignment_of(&alignments, &tensor[0]->axis[a], axis),
                           &slice[1], a, &slice[0]))
            return fail(error, "%s=%s has no counterpart in the run %s", axis->name,
                        address_label(axis, 0, slice[1].from[a], arena),
                        runs->before.name);
    }
    return true;
}

static const char *told_changes(const Snapshot *run, Arena *arena) {
    return arena_print(arena, "%s: %s", run->name,
                       *run->changes ? run->changes : tr("no changes"));
}

bool two_runs_draw(Session *session, const Arguments *arguments, const TwoRuns *runs,
                   const Differences *differences, Error *error) {
    Arena *arena = &session->scratch;
    const char *path = arguments_flag(arguments, "output");
    bool beside = arguments_flag(arguments, "side-by-side") != NULL;
    /* The first attention weights that differ, or else the first tensor that does. */
    const char *address = runs->address;
    for (int d = 0; !address && d < differences->count; d++)
        if (strcmp(differences->found[d].after->short_name, "weights") == 0)
            address = differences->found[d].after->name;
    if (!address && differences->count) address = differences->found[0].after->name;
    Slice slice[2] = {0};
    if (!address)
        return !path ||
               fail(error, "the runs do not differ, so there is nothing to draw; "
                           "give an address to draw it anyway");
    /* A map fills more than a screen, so draw it only on request. */
    if (!path && !beside && !runs->address) {
        page_hint(&session->page, N_("a map of the difference"),
                  arena_print(arena, "%s %s", session->command, address));
        return true;
    }
    if (!find_slices(runs, address, arena, slice, error)) return false;
    /* Both side by side, or the second run minus the first. */
    const Record record = session_record(session);
    const char *const name[] = {runs->before.name, runs->after.name};
    const int first = beside ? 0 : 1;
    const char *const called[] = {name[first], name[1 - first]};
    const Figure other = {.slice = &slice[1 - first], .slices = 1};
    Figure figure =
        drawing_new(&record, &slice[first], 1, session_story(session).palette, arena);
    if (beside)
        maps_beside(&figure, &other, called, arena);
    else if (!maps_subtract(&figure, &other, called, arena, error))
        return false;
    else
        figure.title =
            arena_print(arena, "%s: %s", slice[1].tensor->name, figure.after);
    if (!path) {
        page_figure(&session->page, &figure);
        return true;
    }
    Arguments settled = *arguments;
    if (!figure_flags_read(&settled, &figure.look, arena, error)) return false;
    /* The changes are those of both runs, and the command is the typed line, because
     * comparing two runs is not a subcommand. */
    const char *changes =
        arena_print(arena, "%s | %s", told_changes(&runs->before, arena),
                    told_changes(&runs->after, arena));
    const char *command =
        session->command ? arena_print(arena, "%s%s", session->command,
                                       figure_flags_told(arguments, &settled, arena))
                         : "";
    figures_add_facts(session, arguments, changes, command, &figure, arena);
    return figures_save(session, arguments, &figure, path, error);
}
