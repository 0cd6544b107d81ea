#include "present/two_maps.h"

#include <string.h>

#include "base/language.h"
#include "command/figure_flags.h"
#include "explain/drawing.h"
#include "explain/subtraction.h"
#include "present/figures.h"

/* Return the slice with its tensor renamed, so that the title has one name for both. */
static Slice renamed(const Slice *slice, const char *name, Arena *arena) {
    Tensor *tensor = ARENA_ARRAY(arena, Tensor, 1);
    *tensor = *slice->tensor;
    tensor->name = name;
    Slice same = *slice;
    same.tensor = tensor;
    return same;
}

/* Concatenate both lists. */
static const unsigned char *const *join(const unsigned char *const *here, int count,
                                        const unsigned char *const *there, int more,
                                        Arena *arena) {
    const unsigned char **both =
        ARENA_ARRAY(arena, const unsigned char *, count + more);
    for (int i = 0; i < count; i++) both[i] = here[i];
    for (int i = 0; there && i < more; i++) both[count + i] = there[i];
    return both;
}

void maps_beside(Figure *figure, const Figure *other, const char *const called[2],
                 Arena *arena) {
    const int count = figure->slices;
    const int all = count + other->slices;
    Slice *slice = ARENA_ARRAY(arena, Slice, all);
    const char **names = ARENA_ARRAY(arena, const char *, all);
    for (int s = 0; s < all; s++) {
        slice[s] = s < count ? figure->slice[s] : other->slice[s - count];
        if (called && s >= count && s - count < count)
            slice[s] = renamed(&slice[s], slice[s - count].tensor->name, arena);
        if (called) names[s] = called[s >= count];
    }
    figure->hidden = join(figure->hidden, count, other->hidden, other->slices, arena);
    if (figure->marked)
        figure->marked =
            join(figure->marked, count, other->marked, other->slices, arena);
    if (figure->kind == FIGURE_HEATMAP) figure->kind = FIGURE_GRID;
    figure->slice = slice;
    figure->slices = all;
    figure->row_sums = false;
    if (!called) return; /* the addresses are distinct */
    figure->called = names;
    figure->behind = trf(arena, "%s beside %s", called[0], called[1]);
}

bool maps_subtract(Figure *figure, const Figure *other, const char *const called[2],
                   Arena *arena, Error *error) {
    Slice *slice = ARENA_ARRAY(arena, Slice, figure->slices);
    const unsigned char **hidden =
        ARENA_ARRAY(arena, const unsigned char *, figure->slices);
    int alone = 0;
    if (figure->slices != other->slices)
        return fail(error,
                    "found %d maps here and %d there; give the address of one "
                    "to subtract",
                    figure->slices, other->slices);
    for (int s = 0; s < figure->slices; s++) {
        const Operand one = {figure->slice[s], figure->hidden[s], 0};
        const Operand two = {other->slice[s], other->hidden ? other->hidden[s] : NULL,
                             0};
        Operand difference;
        if (!subtraction_slice(&one, &two, arena, &difference, error)) return false;
        slice[s] = difference.slice;
        hidden[s] = difference.hidden;
        alone += difference.alone;
    }
    figure->slice = slice;
    figure->hidden = hidden;
    figure->marked = NULL; /* marks refer to two different words */
    figure->scale = SCALE_SIGNED;
    figure->row_sums = false;
    if (figure->palette && !figure->palette->diverges) figure->palette = NULL;
    figure->behind =
        alone ? trf(arena, "%s minus %s, by words; + only in %s, − only in %s",
                    called[0], called[1], called[0], called[1])
              : trf(arena, "%s minus %s", called[0], called[1]);
    if (alone) figure->hatched = tr("masked, or only in one run");
    return true;
}

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

/* Draw the second run minus the first, or both side by side. */
static bool figure_of(Session *session, const TwoRuns *runs, const Slice slice[2],
                      bool beside, Figure *figure, Error *error) {
    Arena *arena = &session->scratch;
    const Record record = session_record(session);
    const char *const name[] = {runs->before.name, runs->after.name};
    const int first = beside ? 0 : 1;
    const char *const called[] = {name[first], name[1 - first]};
    const Figure other = {.slice = &slice[1 - first], .slices = 1};
    *figure =
        drawing_new(&record, &slice[first], 1, session_story(session).palette, arena);
    if (beside)
        maps_beside(figure, &other, called, arena);
    else if (!maps_subtract(figure, &other, called, arena, error))
        return false;
    else
        figure->title =
            arena_print(arena, "%s: %s", slice[1].tensor->name, figure->behind);
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
    Figure figure;
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
    if (!find_slices(runs, address, arena, slice, error) ||
        !figure_of(session, runs, slice, beside, &figure, error))
        return false;
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
