#include "ops/term.h"

#include <math.h>

#include "base/language.h"

const char *term_number(Arena *arena, double number) {
    number = tensor_printed(number);
    double size = fabs(number);
    bool plain = size == 0 || (size >= 0.001 && size < 1e5);
    return plain ? arena_print(arena, "%.4f", size == 0 ? 0 : number)
                 : arena_print(arena, "%.4g", number);
}

double term_at(Place place) {
    return (double)place.tensor->data[place.cell];
}

Term term_same(Arena *arena, Place place) {
    double value = term_at(place);
    return (Term){value, term_number(arena, value), {place}};
}

Term term_product(Arena *arena, Place x, Place y) {
    const char *text = arena_print(arena, "%s × %s", term_number(arena, term_at(x)),
                                   term_number(arena, term_at(y)));
    return (Term){term_at(x) * term_at(y), text, {x, y}};
}

Explanation terms_new(Arena *arena, const Rule *rule, const char *formula, int count) {
    return (Explanation){.rule = rule,
                         .formula = tr(formula),
                         .term = ARENA_ARRAY(arena, Term, count),
                         .count = count};
}

const char *term_index(Arena *arena, const Axis *axis, int row, int index) {
    const char *label = axis_label(axis, row, index);
    return label ? arena_print(arena, "%s %d (%s)", axis->name, index, label)
                 : arena_print(arena, "%s %d", axis->name, index);
}

void slopes_add(Slopes *slopes, int output, double by) {
    ARENA_GROW(slopes->arena, slopes->slope, slopes->count, slopes->capacity);
    slopes->slope[slopes->count++] = (Slope){.output = output, .by = by};
}

void slopes_add_factor(Slopes *slopes, int output, Place factor) {
    slopes_add(slopes, output, term_at(factor));
    slopes->slope[slopes->count - 1].factor = factor;
}
