#include "explain/drawing.h"

#include <string.h>

#include "base/language.h"
#include "explain/hidden.h"
#include "explain/reduction.h"
#include "explain/taken.h"
#include "ops/ops.h"

static bool is_attention(const Record *record, const Tensor *tensor) {
    /* Chosen tokens make a tensor of their own, under the same name. */
    const Tensor *whole = record->run ? tape_find(record->run, tensor->name) : NULL;
    const Step *step = record_step(record, tensor);
    if (!step && whole) step = record_step(record, whole);
    return step && step->op == &op_softmax && tensor_axis(tensor, "key") >= 0;
}

/* Is there more than one matrix, that is, more than two axes with a choice? */
static bool is_grid(const Slice *slices, int count) {
    const Slice *slice = &slices[0];
    int open = 0;
    for (int a = 0; a < slice->tensor->rank; a++) {
        bool last = a >= slice->tensor->rank - 2;
        open += !last && slice->to[a] - slice->from[a] > 1;
    }
    return count > 1 || open > 0;
}

/* The sum of a part of a row would be taken for that of the row. */
static bool is_whole_row(const Record *record, const Slice *slice) {
    int last = slice->tensor->rank - 1;
    for (int a = 0; a < last; a++) /* the largest of shares are none */
        if (slice->tensor->reduced[a] && strcmp(slice->tensor->reduced[a], "mean") != 0)
            return false;
    const Tensor *whole =
        record->run ? tape_find(record->run, slice->tensor->name) : NULL;
    return (!whole || whole->axis[last].size == slice->tensor->axis[last].size) &&
           slice->to[last] - slice->from[last] == slice->tensor->axis[last].size;
}

/* Whose words ask and are asked in an attention. */
static void name_sides(const Tensor *tensor, Figure *figure) {
    const char *name = tensor->name;
    bool decoder = strstr(name, "decoder.") != NULL;
    bool crosses =
        strstr(name, "cross_attention.") || strstr(name, "decoder.attention.");
    if (tensor_axis(tensor, "key") < 0 || (!decoder && !strstr(name, "encoder.")))
        return;
    figure->asking = decoder ? N_("target") : N_("source");
    figure->asked = decoder && !crosses ? N_("target") : N_("source");
}

/* All words or labels, and not a part that somebody chose to look at. */
static bool is_ranked(const Slice *slices, int count) {
    for (int s = 0; s < count; s++) {
        int last = slices[s].tensor->rank - 1;
        if (!is_of_words(slices[s].tensor) || slices[s].tensor->reduced[last] ||
            slices[s].to[last] - slices[s].from[last] !=
                slices[s].tensor->axis[last].size)
            return false;
    }
    return count > 0;
}

/* Without the padding behind a sentence of a batch: nobody reads its words. */
static const Slice *without_padding(const Slice *slices, int count, Arena *arena) {
    Slice *shorter = ARENA_ARRAY(arena, Slice, count);
    for (int s = 0; s < count; s++) {
        shorter[s] = slices[s];
        int target = tensor_axis(slices[s].tensor, "target");
        int batch = tensor_axis(slices[s].tensor, "batch");
        if (target < 0 || batch < 0 || slices[s].to[batch] - slices[s].from[batch] > 1)
            continue;
        int size =
            unpadded_size(&slices[s].tensor->axis[target], slices[s].from[batch]);
        int least = slices[s].from[target] + 1;
        if (shorter[s].to[target] > size)
            shorter[s].to[target] = size > least ? size : least;
    }
    return shorter;
}

static const unsigned char *const *marks_of(const Record *record, const Slice *slices,
                                            int count, Arena *arena) {
    const unsigned char **marked = ARENA_ARRAY(arena, const unsigned char *, count);
    for (int s = 0; s < count; s++)
        marked[s] = taken_cells(record, slices[s].tensor, arena);
    return marked;
}

Figure drawing_new(const Record *record, const Slice *slices, int count,
                   const Palette *palette, Arena *arena) {
    const unsigned char **hidden = ARENA_ARRAY(arena, const unsigned char *, count);
    for (int s = 0; s < count; s++)
        hidden[s] = hidden_cells(record, slices[s].tensor, arena);
    bool attention = true;
    for (int s = 0; s < count; s++)
        attention = attention && is_attention(record, slices[s].tensor);
    bool grid = is_grid(slices, count);
    bool ranked = is_ranked(slices, count);
    const char *convention = hidden_convention(slices[0].tensor);
    Figure figure = {
        .kind = ranked ? FIGURE_BARS
                : grid ? FIGURE_GRID
                       : FIGURE_HEATMAP,
        .slice = ranked ? without_padding(slices, count, arena) : slices,
        .marked = ranked ? marks_of(record, slices, count, arena) : NULL,
        .marked_as = slices[0].tensor->rank == 2 ? said("◀ the answer")
                                                 : said("◀ the word that comes next"),
        .slices = count,
        .hidden = hidden,
        .title = convention
                     ? arena_print(arena, "%s: %s", slices[0].tensor->name, convention)
                     : NULL,
        .palette = palette,
        .scale = attention ? SCALE_SHARES : SCALE_AUTO,
        .row_sums = attention && !grid && is_whole_row(record, &slices[0]),
    };
    name_sides(slices[0].tensor, &figure);
    return figure;
}
