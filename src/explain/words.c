#include "explain/words.h"

#include <string.h>

#include "base/builder.h"
#include "base/json.h"

static bool holds_same(const WordList *list, const Axis *axis) {
    if (list->size != axis->size || list->rows != axis->label_rows) return false;
    if (list->word == axis->labels) return true;
    for (int w = 0; w < list->rows * list->size; w++)
        if (strcmp(list->word[w], axis->labels[w]) != 0) return false;
    return true;
}

static const WordList *find(const Words *words, const Axis *axis) {
    for (int l = 0; axis->labels && l < words->count; l++)
        if (holds_same(&words->list[l], axis)) return &words->list[l];
    return NULL;
}

/* "source", or "source_2" where other words are called so. */
static const char *free_name(const Words *words, const char *axis, Arena *arena) {
    const char *name = axis;
    for (int l = 0, next = 2; l < words->count; l++)
        if (strcmp(words->list[l].name, name) == 0) {
            name = arena_print(arena, "%s_%d", axis, next++);
            l = -1;
        }
    return name;
}

Words words_of(const Stored *stored, int count, Arena *arena) {
    Words words = {0};
    for (int t = 0; t < count; t++)
        for (int a = 0; a < stored[t].tensor->rank; a++) {
            const Axis *axis = &stored[t].tensor->axis[a];
            if (!axis->labels || find(&words, axis)) continue;
            ARENA_GROW(arena, words.list, words.count, words.capacity);
            words.list[words.count] =
                (WordList){.name = free_name(&words, axis->name, arena),
                           .word = axis->labels,
                           .rows = axis->label_rows,
                           .size = axis->size};
            words.count++;
        }
    return words;
}

static void write_row(Builder *out, const char *const *word, int size) {
    build_text(out, "[");
    for (int w = 0; w < size; w++) {
        if (w) build_text(out, ",");
        build_text(out, json_quote(word[w], out->arena));
    }
    build_text(out, "]");
}

const char *words_print(const Words *words, Arena *arena) {
    Builder out = {.arena = arena};
    build_text(&out, "{");
    for (int l = 0; l < words->count; l++) {
        const WordList *list = &words->list[l];
        if (l) build_text(&out, ",\n");
        build_text(&out, json_quote(list->name, arena));
        build_text(&out, ": [");
        for (int row = 0; row < list->rows; row++) {
            if (row) build_text(&out, ",");
            write_row(&out, list->word + row * list->size, list->size);
        }
        build_text(&out, "]");
    }
    build_text(&out, "}");
    return builder_text(&out);
}

const char *words_print_axes(const Tensor *tensor, Arena *arena) {
    const char *axes = "";
    for (int a = 0; a < tensor->rank; a++)
        axes = arena_print(arena, "%s%s%s", axes, a ? "," : "",
                           json_quote(tensor->axis[a].name, arena));
    return arena_print(arena, "[%s]", axes);
}

const char *words_print_labels(const Words *words, const Tensor *tensor, Arena *arena) {
    const char *labels = "";
    for (int a = 0; a < tensor->rank; a++) {
        const WordList *list = find(words, &tensor->axis[a]);
        if (list)
            labels = arena_print(arena, "%s%s%s: %s", labels, *labels ? ", " : "",
                                 json_quote(tensor->axis[a].name, arena),
                                 json_quote(list->name, arena));
    }
    return arena_print(arena, "{%s}", labels);
}

const char *words_print_all(const Contents *trace, const Words *words, bool labels,
                            Arena *arena) {
    Builder out = {.arena = arena};
    build_text(&out, "{");
    for (int t = 0; t < trace->count; t++) {
        const Stored *stored = &trace->stored[t];
        if (t) build_text(&out, ",\n");
        build_text(&out, json_quote(stored->name, arena));
        build_text(&out, ": ");
        build_text(&out, labels ? words_print_labels(words, stored->tensor, arena)
                                : words_print_axes(stored->tensor, arena));
    }
    build_text(&out, "}");
    return builder_text(&out);
}
