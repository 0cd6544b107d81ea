#include "present/two_maps.h"

#include "base/language.h"
#include "explain/subtraction.h"

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
        const int o = s - count; /* in `other` */
        slice[s] = o < 0 ? figure->slice[s] : other->slice[o];
        if (called && o >= 0 && o < count)
            slice[s] = renamed(&other->slice[o], figure->slice[o].tensor->name, arena);
        if (called) names[s] = called[o >= 0];
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
    figure->after = trf(arena, "%s beside %s", called[0], called[1]);
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
    figure->after =
        alone ? trf(arena, "%s minus %s, by words; + only in %s, − only in %s",
                    called[0], called[1], called[0], called[1])
              : trf(arena, "%s minus %s", called[0], called[1]);
    if (alone) figure->hatched = tr("masked, or only in one run");
    return true;
}
