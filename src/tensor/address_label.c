#include <ctype.h>
#include <stdint.h>
#include <string.h>

#include "base/builder.h"
#include "base/interrupt.h"
#include "base/language.h"
#include "tensor/address.h"

/* Return the name of label `index` in the current language, for an axis with names. */
static const char *name_of(const Axis *axis, int index) {
    return axis->names[language_place() * axis->size + index];
}

/* Count the labels before `index` that are equal to the one there. */
static int equals_before(const Axis *axis, int row, int index) {
    int equals = 0;
    const char *label = axis_label(axis, row, index);
    for (int i = 0; i < index; i++)
        equals += strcmp(axis_label(axis, row, i), label) == 0;
    return equals;
}

const char *address_label(const Axis *axis, int row, int index, Arena *arena) {
    const char *label = axis_label(axis, row, index);
    if (axis->names) return name_of(axis, index);
    if (!label) return arena_print(arena, "%d", index);
    int equals = equals_before(axis, row, index);
    return equals ? arena_print(arena, "%s#%d", label, equals + 1) : label;
}

/* Quote a label that could be read as something else. */
static const char *quote_label(const char *label, Arena *arena) {
    bool plain = label[0] && !strpbrk(label, ",]\"#=: \\") &&
                 !isdigit((unsigned char)label[0]) && label[0] != '-';
    if (plain) return label;
    char *quoted = arena_take(arena, 2 * strlen(label) + 3);
    char *end = quoted;
    *end++ = '"';
    for (const char *c = label; *c; c++) {
        if (*c == '"' || *c == '\\') *end++ = '\\';
        *end++ = *c;
    }
    *end = '"';
    return quoted;
}

const char *address_choice(const Axis *axis, int row, int index, Arena *arena) {
    const char *label = axis_label(axis, row, index);
    if (!label) return arena_print(arena, "%d", index);
    label = quote_label(label, arena);
    int equals = equals_before(axis, row, index);
    return equals ? arena_print(arena, "%s#%d", label, equals + 1) : label;
}

/* FNV-1a, its high bits mixed into the low ones. */
static uint32_t hash_of(const char *label) {
    uint32_t hash = 2166136261u;
    for (const char *c = label; *c; c++) hash = (hash ^ (unsigned char)*c) * 16777619u;
    return hash ^ hash >> 15;
}

/* Count equal labels in a hash table of the requested ones, since an axis may be as
 * long as a vocabulary. */
const char **address_list(const Axis *axis, int row, int from, int to, bool quoted,
                          Arena *arena) {
    const char **list = ARENA_ARRAY(arena, const char *, to - from);
    Arena scratch = {0};
    uint32_t slots = 2;
    while (slots < 2 * (uint32_t)(to - from)) slots *= 2;
    int *slot = ARENA_ARRAY(&scratch, int, slots); /* index of the first + 1; 0: free */
    int *equals = ARENA_ARRAY(&scratch, int, slots);
    for (int pass = 0; pass < 2 && axis->labels; pass++)
        for (int i = pass ? 0 : from; i < to && !interrupt_signal(); i++) {
            const char *label = axis_label(axis, row, i);
            uint32_t at = hash_of(label) & (slots - 1);
            while (slot[at] && strcmp(axis_label(axis, row, slot[at] - 1), label) != 0)
                at = (at + 1) & (slots - 1);
            if (pass == 0 && !slot[at]) slot[at] = i + 1;
            if (pass == 0 || !slot[at]) continue;
            int before = equals[at]++;
            if (i < from) continue;
            const char *shown = quoted        ? quote_label(label, arena)
                                : axis->names ? name_of(axis, i)
                                              : label;
            list[i - from] =
                before ? arena_print(arena, "%s#%d", shown, before + 1) : shown;
        }
    for (int i = from; i < to; i++)
        if (!list[i - from])
            list[i - from] = axis->labels ? "" : arena_print(arena, "%d", i);
    arena_free(&scratch);
    return list;
}

const char *address_print_open(const Tensor *tensor, int cell, int open, Arena *arena) {
    Builder items = {.arena = arena};
    int batch = tensor_axis(tensor, "batch");
    int row = batch >= 0 ? tensor_index(tensor, batch, cell) : 0;
    for (int a = 0; a < tensor->rank; a++) {
        const Axis *axis = &tensor->axis[a];
        if (a == batch && axis->size == 1) continue;
        const char *choice =
            a == open ? "…"
                      : address_choice(axis, row, tensor_index(tensor, a, cell), arena);
        build_item(&items, ", ", "%s=%s", axis->name, choice);
    }
    return arena_print(arena, "%s[%s]", tensor->name, builder_text(&items));
}

const char *address_print(const Tensor *tensor, int cell, Arena *arena) {
    return address_print_open(tensor, cell, -1, arena);
}

const char *address_labels(const Axis *axis, int row, int from, int to, Arena *arena) {
    Builder words = {.arena = arena};
    for (int i = from; i < to; i++)
        build_item(&words, " ", "%s", axis_label(axis, row, i));
    return builder_text(&words);
}
