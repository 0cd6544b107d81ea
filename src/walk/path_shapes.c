#include "walk/path_shapes.h"

#include <string.h>

#include "base/builder.h"
#include "base/language.h"
#include "explain/formula.h"

enum { FORMULAS_MAX = 5 };

/* The stages of a stop: on the path, the preceding stages that it includes, the stage
 * itself, and possibly the following one. */
typedef struct {
    const Stage *first, *last;
} Told;

int path_formulas(const Story *story, const Stage *stage, const char **line, int lines,
                  int max, Arena *arena) {
    for (int t = 0; t < stage->tensors && lines < max; t++) {
        const Step *step = record_step(&story->record, stage->tensor[t]);
        bool is_new = step != NULL;
        if (!step) continue;
        line[lines] = formula_print(step, stage->place, arena);
        for (int l = 0; l < lines; l++)
            is_new = is_new && strcmp(line[l], line[lines]) != 0;
        lines += is_new;
    }
    return lines;
}

/* Collect the formulas of all stages of the stop. For a table of parts, or if there are
 * too many, collect a few: of the first stage, or of the stop's own and the next. */
static int formulas_of(const PathStop *stop, const Told *told, const char **line,
                       Arena *arena) {
    enum { FEW = 3 };
    int lines = 0;
    int tensors = 0;
    if (stop->stage->kind->look == LOOK_TABLES)
        return path_formulas(stop->story, told->first, line, lines, FEW, arena);
    for (const Stage *s = told->first; s <= told->last; s++) tensors += s->tensors;
    bool is_many = tensors > FORMULAS_MAX;
    for (const Stage *s = is_many ? stop->stage : told->first; s <= told->last; s++)
        lines = path_formulas(stop->story, s, line, lines, is_many ? FEW : FORMULAS_MAX,
                              arena);
    return lines;
}

/* Return its last entry on the tape, or NULL for a weight, which is not on it. */
static const Entry *entry_of(const PathStop *stop, const Tensor *tensor) {
    const Tape *run = stop->story->record.run;
    for (int e = run->entries - 1; e >= 0; e--)
        if (run->entry[e].tensor == tensor) return &run->entry[e];
    return NULL;
}

/* Return the short name, or the full address if the tensor comes from another stack. */
static const char *name_of(const PathStop *stop, const Tensor *tensor) {
    const Entry *entry = entry_of(stop, tensor);
    if (!entry) return tensor->short_name;
    return strcmp(entry->where.stack, stop->stage->stack) == 0 ? entry->name
                                                               : entry->address;
}

/* "query, key [4, 11, 24]": list consecutive tensors of one shape with a single shape,
 * and list equal names, such as an LSTM's states, once. */
static void build_tensors(const PathStop *stop, Builder *out,
                          const Tensor *const *tensor, int count) {
    for (int t = 0; t < count; t++) {
        const Tensor *next = t + 1 < count ? tensor[t + 1] : NULL;
        if (next && strcmp(name_of(stop, tensor[t]), name_of(stop, next)) == 0)
            continue;
        build_text(out, name_of(stop, tensor[t]));
        if (!next || !tensor_same_shape(tensor[t], next)) {
            const char *comma = "";
            build_text(out, " [");
            /* without the batch axis of a single sentence */
            const Tensor *of = tensor[t];
            for (int a = of->rank > 1 && of->axis[0].size == 1; a < of->rank;
                 a++, comma = ", ")
                build(out, "%s%d", comma, of->axis[a].size);
            build_text(out, "]");
        }
        if (next) build_text(out, ", ");
    }
}

const Tensor *path_layer_output(const Tape *run, const char *stack, int layer) {
    const Tensor *last = NULL;
    for (int e = 0; e < run->entries; e++)
        if (run->entry[e].where.layer == layer &&
            strcmp(run->entry[e].where.stack, stack) == 0 &&
            run->entry[e].tensor->rank == 3)
            last = run->entry[e].tensor;
    return last;
}

enum { INPUTS_MAX = 4 };

static bool is_of(const Told *told, const Tensor *tensor) {
    for (const Stage *s = told->first; s <= told->last; s++)
        for (int t = 0; t < s->tensors; t++)
            if (s->tensor[t] == tensor) return true;
    return false;
}

/* Collect the tensors that the stages read but did not compute, except weights. */
static int inputs_of(const PathStop *stop, const Told *told, const Tensor **input) {
    const Record *record = &stop->story->record;
    int count = 0;
    for (const Stage *s = told->first; s <= told->last; s++)
        for (int t = 0; t < s->tensors; t++) {
            const Step *step = record_step(record, s->tensor[t]);
            for (int i = 0; step && i < step->inputs && count < INPUTS_MAX; i++) {
                const Tensor *read = step->input[i];
                bool is_mask = told->first != told->last &&
                               strcmp(read->short_name, "padding_mask") == 0;
                bool is_new = entry_of(stop, read) && !is_mask && !is_of(told, read);
                for (int k = 0; k < count; k++) is_new = is_new && input[k] != read;
                if (is_new) input[count++] = read;
            }
        }
    return count;
}

const Tensor *path_main_tensor(const Stage *stage) {
    const Tensor *found = stage->tensor[0];
    for (int t = 1; t < stage->tensors; t++)
        if (stage->tensor[t]->rank >= found->rank) found = stage->tensor[t];
    return found;
}

/* "query, key [4, 11, 24] → scaled [4, 11, 11]: head, query, key" */
static const char *shapes_line(const PathStop *stop, const Told *told, Arena *arena) {
    Builder out = {.arena = arena};
    const Stage *stage = stop->stage;
    const Tensor *input[INPUTS_MAX];
    const Tensor *shown[STAGE_PARTS];
    const StopWords *kind = path_words(stage, &stop->story->model->config);
    int inputs = inputs_of(stop, told, input);
    if (kind &&
        kind->tells_layers) { /* the other layers read the output of the first */
        input[0] = path_layer_output(stop->story->record.run, stage->stack, 0);
        inputs = input[0] != NULL;
    }
    int count = 0;
    if (inputs) build_tensors(stop, &out, input, inputs);
    if (inputs) build_text(&out, " → ");
    for (int t = 0; stage->kind->look == LOOK_TABLES && t < stage->tensors; t++)
        shown[count++] = stage->tensor[t];
    if (!count) shown[count++] = path_main_tensor(stage);
    build_tensors(stop, &out, shown, count);
    const Tensor *last = shown[count - 1];
    if (told->last > stage) {
        last = told->last->tensor[told->last->tensors - 1];
        build_text(&out, " → ");
        build_tensors(stop, &out, &last, 1);
    }
    const char *comma = ": ";
    for (int a = last->rank > 1 && last->axis[0].size == 1; a < last->rank; a++) {
        build(&out, "%s%s", comma, last->axis[a].name);
        comma = ", ";
    }
    return builder_text(&out);
}

void path_say_shapes(const PathStop *stop, Page *page) {
    const Walk *walk = stop->place->walk;
    const Stage *stage = stop->stage;
    const StopWords *kind = path_words(stage, &stop->story->model->config);
    const bool is_path = kind && stop->place->depth == DEPTH_PATH;
    Told told = {stage, stage};
    while (is_path && kind->covers && told.first > walk->stage &&
           strcmp(told.first[-1].place, stage->place) == 0 &&
           stage_lists(kind->covers, told.first[-1].kind->name))
        told.first--;
    if (is_path && kind->then && told.last + 1 < walk->stage + walk->count &&
        strcmp(told.last[1].place, stage->place) == 0 &&
        strcmp(told.last[1].kind->name, kind->then) == 0)
        told.last++;
    const char *line[FORMULAS_MAX + 1];
    bool has_formulas = !kind || !kind->tells_layers;
    int lines = has_formulas ? formulas_of(stop, &told, line, page->arena) : 0;
    line[lines++] = shapes_line(stop, &told, page->arena);
    const char **kept = ARENA_ARRAY(page->arena, const char *, lines);
    for (int l = 0; l < lines; l++) kept[l] = line[l];
    page_say(page, (Block){.kind = BLOCK_FORMULA,
                           .formula = {kept, lines, .is_close = true}});
}

void path_say_decoding(const Story *story, Page *page) {
    const Tensor *probabilities = decoded_part(story, 0, "probabilities", page->arena);
    const Tensor *ids = tape_find(story->record.run, "decoder.ids");
    if (!probabilities || !ids) return;
    /* <start>, or the prompt */
    const bool is_prompt = story->model->config.encoder_layers == 0;
    const int given = is_prompt ? ids->axis[1].size - story_added(story) : 1;
    const char **line = ARENA_ARRAY(page->arena, const char *, 1);
    line[0] = trf(page->arena, "step t: ids [%d + t] → probabilities [%d] → one id",
                  given, tensor_row(probabilities));
    page_say(page,
             (Block){.kind = BLOCK_FORMULA, .formula = {line, 1, .is_close = true}});
}
