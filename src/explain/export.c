#include "explain/export.h"

#include <math.h>
#include <string.h>

#include "base/builder.h"
#include "base/interrupt.h"
#include "base/json.h"
#include "explain/npy.h"

/* Many axes share the same words, and a vocabulary is large, so a file contains each
 * list once, by name, and each axis refers to its list. */

/* `rows` x `size` words: one row per sentence of the batch, or one for all. */
typedef struct {
    const char *name; /* "source", "target", "vocabulary": the first axis that has it */
    const char *const *word;
    int rows, size;
} WordList;

typedef struct {
    WordList *list;
    int count, capacity;
} Words;

static const WordList *find(const Words *words, const Axis *axis) {
    for (int l = 0; axis->labels && l < words->count; l++) {
        const WordList *list = &words->list[l];
        bool is_same = list->size == axis->size && list->rows == axis->label_rows;
        const int count = list->word == axis->labels ? 0 : list->rows * list->size;
        for (int w = 0; is_same && w < count; w++)
            is_same = strcmp(list->word[w], axis->labels[w]) == 0;
        if (is_same) return list;
    }
    return NULL;
}

/* "source", or "source_2" if the name is taken by other words. */
static const char *free_name(const Words *words, const char *axis, Arena *arena) {
    const char *name = axis;
    for (int l = 0, next = 2; l < words->count; l++)
        if (strcmp(words->list[l].name, name) == 0) {
            name = arena_print(arena, "%s_%d", axis, next++);
            l = -1;
        }
    return name;
}

static Words words_of(const Stored *stored, int count, Arena *arena) {
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

static const char *words_print(const Words *words, Arena *arena) {
    Builder out = {.arena = arena};
    build_text(&out, "{");
    for (int l = 0; l < words->count; l++) {
        const WordList *list = &words->list[l];
        if (l) build_text(&out, ",\n");
        build_text(&out, json_quote(list->name, arena));
        build_text(&out, ": [");
        for (int row = 0; row < list->rows; row++) {
            if (row) build_text(&out, ",");
            build_text(&out, "[");
            for (int w = 0; w < list->size; w++) {
                if (w) build_text(&out, ",");
                build_text(&out, json_quote(list->word[row * list->size + w], arena));
            }
            build_text(&out, "]");
        }
        build_text(&out, "]");
    }
    build_text(&out, "}");
    return builder_text(&out);
}

static const char *words_print_axes(const Tensor *tensor, Arena *arena) {
    Builder axes = {.arena = arena};
    for (int a = 0; a < tensor->rank; a++)
        build_item(&axes, ",", "%s", json_quote(tensor->axis[a].name, arena));
    return arena_print(arena, "[%s]", builder_text(&axes));
}

static const char *words_print_labels(const Words *words, const Tensor *tensor,
                                      Arena *arena) {
    Builder labels = {.arena = arena};
    for (int a = 0; a < tensor->rank; a++) {
        const WordList *list = find(words, &tensor->axis[a]);
        if (list)
            build_item(&labels, ", ", "%s: %s", json_quote(tensor->axis[a].name, arena),
                       json_quote(list->name, arena));
    }
    return arena_print(arena, "{%s}", builder_text(&labels));
}

static const char *words_print_all(const Contents *trace, const Words *words,
                                   bool labels, Arena *arena) {
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

Stored *trace_entries(const Tape *tape, Arena *arena, int *count) {
    Stored *stored = ARENA_ARRAY(arena, Stored, tape->entries);
    for (int e = 0; e < tape->entries; e++)
        stored[e] = (Stored){tape->entry[e].address, tape->entry[e].tensor};
    *count = tape->entries;
    return stored;
}

static bool save_safetensors(const Contents *trace, const char *path, bool replace,
                             Error *error) {
    enum { OWN = 3 };
    Arena arena = {0};
    Words words = words_of(trace->stored, trace->count, &arena);
    Note *note = ARENA_ARRAY(&arena, Note, trace->notes + OWN);
    memcpy(note, trace->note, (size_t)trace->notes * sizeof *note);
    note[trace->notes] = (Note){"words", words_print(&words, &arena)};
    note[trace->notes + 1] =
        (Note){"axes", words_print_all(trace, &words, false, &arena)};
    note[trace->notes + 2] =
        (Note){"labels", words_print_all(trace, &words, true, &arena)};
    Contents all = *trace;
    all.note = note;
    all.notes += OWN;
    bool done = safetensors_save(path, &all, replace, error);
    arena_free(&arena);
    return done;
}

/* Add the lists of words as arrays, and the name of each axis's list. */
static bool add_words(Zip *zip, const Contents *trace, Arena *arena) {
    Words words = words_of(trace->stored, trace->count, arena);
    bool fits = true;
    for (int l = 0; fits && l < words.count; l++) {
        const WordList *list = &words.list[l];
        const char *name = arena_print(zip->arena, "words.%s.npy", list->name);
        fits = zip_add(zip, name, npy_words(list->word, list->rows, list->size, arena));
    }
    const char *json = arena_print(arena, "{\"axes\": %s,\n\"labels\": %s}\n",
                                   words_print_all(trace, &words, false, arena),
                                   words_print_all(trace, &words, true, arena));
    return fits && zip_add(zip, "axes.json", (Bytes){json, strlen(json)});
}

static bool save_npz(const Contents *trace, const char *path, bool replace,
                     Error *error) {
    FileSave save;
    if (!file_save_begin(&save, path, replace, error)) return false;
    Arena directory = {0};
    Arena member = {0};
    Zip zip = {.out = save.stream, .arena = &directory};
    bool fits = trace->count <= NPZ_TENSORS_MAX;
    for (int t = 0; fits && t < trace->count && !interrupt_signal(); t++) {
        Slice all = slice_all(trace->stored[t].tensor);
        const char *name = arena_print(&directory, "%s.npy", trace->stored[t].name);
        fits = zip_add(&zip, name, npy_bytes(&all, &member));
        arena_reset(&member);
    }
    fits = fits && add_words(&zip, trace, &member);
    if (fits) zip_end(&zip);
    arena_free(&directory);
    arena_free(&member);
    if (fits) return file_save_end(&save, error);
    file_save_abandon(&save);
    return fail(error,
                "%s would have more than %d tensors or 4 GB, the limit of .npz; "
                "write .safetensors instead",
                path, NPZ_TENSORS_MAX);
}

/* Write the numbers starting at `cell` as nested lists, one level per axis from `a`. */
static void write_nested(FILE *out, const Tensor *tensor, int a, int cell) {
    if (a == tensor->rank) {
        /* JSON has no infinity or NaN, so write them as strings. */
        double number = tensor->data[cell];
        if (isnan(number))
            fputs("\"nan\"", out);
        else if (isinf(number))
            fputs(number > 0 ? "\"inf\"" : "\"-inf\"", out);
        else
            fprintf(out, "%.9g", number);
        return;
    }
    fputc('[', out);
    for (int i = 0; i < tensor->axis[a].size && !interrupt_signal(); i++) {
        if (i) fputc(',', out);
        write_nested(out, tensor, a + 1, cell + i * tensor_stride(tensor, a));
    }
    fputc(']', out);
}

static bool save_json(const Contents *trace, const char *path, bool replace,
                      Error *error) {
    FileSave save;
    if (!file_save_begin(&save, path, replace, error)) return false;
    Arena arena = {0};
    FILE *out = save.stream;
    fputs("{\n\"notes\": {", out);
    for (int n = 0; n < trace->notes; n++)
        fprintf(out, "%s%s: %s", n ? ", " : "", json_quote(trace->note[n].key, &arena),
                json_quote(trace->note[n].value, &arena));
    Words words = words_of(trace->stored, trace->count, &arena);
    fprintf(out, "},\n\"words\": %s,\n\"tensors\": {", words_print(&words, &arena));
    for (int t = 0; t < trace->count; t++) {
        const Tensor *tensor = trace->stored[t].tensor;
        fprintf(out, "%s\n%s: {\"axes\": %s, \"labels\": %s, \"data\": ", t ? "," : "",
                json_quote(trace->stored[t].name, &arena),
                words_print_axes(tensor, &arena),
                words_print_labels(&words, tensor, &arena));
        write_nested(out, tensor, 0, 0);
        fputs("}", out);
    }
    fputs("\n}\n}\n", out);
    arena_free(&arena);
    return file_save_end(&save, error);
}

typedef struct {
    const char *ending;
    bool (*save)(const Contents *trace, const char *path, bool replace, Error *error);
} TraceFormat;

static const TraceFormat formats[] = {
    {".safetensors", save_safetensors},
    {".npz", save_npz},
    {".json", save_json},
    {0},
};

bool trace_save(const Contents *trace, const char *path, bool replace, Error *error) {
    for (const TraceFormat *format = formats; format->ending; format++)
        if (file_has_ending(path, format->ending))
            return format->save(trace, path, replace, error);
    return fail(error,
                "%s: expected a trace file ending in .safetensors, .npz or "
                ".json",
                path);
}

/* A table in progress: one line for each combination of indices of all axes except the
 * last. */
typedef struct {
    FILE *out;
    const Slice *slice;
    Arena *arena;
    int index[RANK_MAX];
} Csv;

static void write_field(const Csv *csv, const char *text) {
    fputs(csv_field(text, csv->arena), csv->out);
}

static int csv_row(const Csv *csv) {
    int batch = tensor_axis(csv->slice->tensor, "batch");
    return batch >= 0 ? csv->index[batch] : 0;
}

/* Return true if each sentence has its own words along the last axis. If so, columns
 * are numbered, and each line contains its words. */
static bool has_own_words(const Csv *csv) {
    const Tensor *tensor = csv->slice->tensor;
    int batch = tensor_axis(tensor, "batch");
    return batch >= 0 &&
           axis_labels_differ(&tensor->axis[tensor->rank - 1], csv->slice->from[batch],
                              csv->slice->to[batch]);
}

/* Write the names of the axes, then the labels of the last one. */
static void write_csv_head(const Csv *csv) {
    bool counts = has_own_words(csv);
    const Tensor *tensor = csv->slice->tensor;
    int last = tensor->rank - 1;
    for (int a = 0; a < last; a++) {
        write_field(csv, tensor->axis[a].name);
        fputs(",", csv->out);
    }
    if (counts) {
        write_field(csv, tensor->axis[last].name);
        fputs(",", csv->out);
    }
    int from = csv->slice->from[last];
    const char **label = address_list(&tensor->axis[last], csv_row(csv), from,
                                      csv->slice->to[last], false, csv->arena);
    for (int c = from; c < csv->slice->to[last]; c++) {
        if (c > from) fputs(",", csv->out);
        write_field(csv, counts ? arena_print(csv->arena, "%d", c) : label[c - from]);
    }
    fputs("\r\n", csv->out);
}

static void write_csv_line(const Csv *csv) {
    const Tensor *tensor = csv->slice->tensor;
    int last = tensor->rank - 1;
    int cell = 0;
    for (int a = 0; a < last; a++) {
        write_field(csv, address_label(&tensor->axis[a], csv_row(csv), csv->index[a],
                                       csv->arena));
        fputs(",", csv->out);
        cell += csv->index[a] * tensor_stride(tensor, a);
    }
    if (has_own_words(csv)) {
        write_field(csv, address_labels(&tensor->axis[last], csv_row(csv),
                                        csv->slice->from[last], csv->slice->to[last],
                                        csv->arena));
        fputs(",", csv->out);
    }
    for (int c = csv->slice->from[last]; c < csv->slice->to[last]; c++)
        fprintf(csv->out, "%s%.9g", c > csv->slice->from[last] ? "," : "",
                tensor_printed((double)tensor->data[cell + c]));
    fputs("\r\n", csv->out);
}

bool slice_can_save(const char *path) {
    return file_has_ending(path, ".csv") || file_has_ending(path, ".npy");
}

bool slice_save(const Slice *slice, const char *path, bool replace, Error *error) {
    Arena arena = {0};
    FileSave save;
    bool done;
    if (file_has_ending(path, ".npy")) {
        Bytes bytes = npy_bytes(slice, &arena);
        done = file_save(path, bytes.bytes, bytes.size, replace, error);
    } else if ((done = file_save_begin(&save, path, replace, error))) {
        Tensor tensor = *slice->tensor; /* with labels instead of names */
        Slice named = *slice;
        for (int a = 0; a < tensor.rank; a++) tensor.axis[a].names = NULL;
        named.tensor = &tensor;
        Csv csv = {.out = save.stream, .slice = &named, .arena = &arena};
        memcpy(csv.index, slice->from, sizeof csv.index);
        write_csv_head(&csv);
        bool more = slice_size(slice) > 0;
        while (more && !interrupt_signal()) {
            write_csv_line(&csv);
            more = slice_next(&named, tensor.rank - 1, csv.index);
        }
        done = file_save_end(&save, error);
    }
    arena_free(&arena);
    return done;
}
