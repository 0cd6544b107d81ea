#include "learn/snapshot.h"

#include <stdlib.h>
#include <string.h>

#include "base/language.h"
#include "figure/figure.h"
#include "model/ids.h"
#include "model/network.h"
#include "store/safetensors.h"
#include "tensor/address.h"
#include "text/unicode.h"

static const char *const name_start = SNAPSHOT_NAME;

Snapshots snapshots_new(const Recipe *recipe, const Model *model,
                        const Examples *examples) {
    int row = recipe->snapshot_row - 1;
    if (row >= examples->count) row = examples->count - 1;
    return (Snapshots){
        .recipe = recipe, .model = model, .example = &examples->example[row]};
}

void snapshots_free(Snapshots *snapshots) {
    arena_free(&snapshots->arena);
    tape_free(&snapshots->watched);
    arena_free(&snapshots->labels);
}

/* One sentence as the model reads it, with a label for each id. */
static Ids one_row(const Tokenizer *tokenizer, int first, const int *id, int count,
                   Arena *arena) {
    int length = count + (first >= 0);
    int *row = ARENA_ARRAY(arena, int, length);
    const char **label = ARENA_ARRAY(arena, const char *, length);
    if (first >= 0) row[0] = first;
    memcpy(row + (first >= 0), id, (size_t)count * sizeof *id);
    for (int i = 0; i < length; i++) label[i] = tokenizer_label(tokenizer, row[i]);
    return (Ids){row, 1, length, tokenizer->kind == TOKENIZER_NONE ? NULL : label};
}

static Ids source_of(const Snapshots *snapshots, Arena *arena) {
    const Example *example = snapshots->example;
    return one_row(&snapshots->model->source, -1, example->source, example->sources,
                   arena);
}

static Ids target_of(const Snapshots *snapshots, Arena *arena) {
    const Model *model = snapshots->model;
    const Example *example = snapshots->example;
    return one_row(&model->target, model->config.start_id, example->target,
                   example->targets, arena);
}

/* The model on the sentence; labels must outlive the tape. */
static bool run(Tape *tape, const Snapshots *snapshots, Arena *arena, Error *error) {
    const Model *model = snapshots->model;
    const Ids source = source_of(snapshots, arena);
    const Ids target = target_of(snapshots, arena);
    network_run(tape, &model->network, &source, &target);
    return tape_done(tape, error);
}

static Tensor *copy(const Tensor *tensor, const char *name, Arena *arena) {
    Tensor *made = tensor_new(arena, name, tensor->rank, tensor->axis);
    memcpy(made->data, tensor->data, (size_t)tensor_size(tensor) * sizeof(Number));
    return made;
}

static void keep_snapshot(Snapshots *snapshots, Snapshot snapshot) {
    ARENA_GROW(&snapshots->arena, snapshots->snapshot, snapshots->count,
               snapshots->capacity);
    snapshots->snapshot[snapshots->count++] = snapshot;
}

static bool take_all(Snapshots *snapshots, const Tape *tape, int step, Error *error) {
    const Recipe *recipe = snapshots->recipe;
    Arena *arena = &snapshots->arena;
    for (int a = 0; a < recipe->snapshot_count; a++) {
        const char *address = recipe->snapshots[a];
        const char *name = address_name(address, arena);
        const Tensor *tensor = tape_find(tape, name);
        Slice slice;
        if (!tensor)
            return fail(error, "%s: \"snapshots\": this model has no %s", recipe->path,
                        name);
        if (!address_slice(address, tensor, arena, &slice, error)) return false;
        const char *kept = arena_print(arena, "%s%d.%s", name_start, step, name);
        keep_snapshot(snapshots, (Snapshot){a, step, copy(tensor, kept, arena)});
    }
    return true;
}

bool snapshots_take(Snapshots *snapshots, int step, Error *error) {
    Tape tape = {0};
    if (snapshots->recipe->snapshot_count == 0) return true;
    for (int s = 0; s < snapshots->count; s++)
        if (snapshots->snapshot[s].step == step) return true;
    bool done = run(&tape, snapshots, &snapshots->arena, error) &&
                take_all(snapshots, &tape, step, error);
    tape_free(&tape);
    return done;
}

const Tensor *snapshots_watch(Snapshots *snapshots) {
    const Recipe *recipe = snapshots->recipe;
    Tape *tape = &snapshots->watched;
    Error none;
    tape_reset(tape);
    arena_reset(&snapshots->labels);
    if (!run(tape, snapshots, &snapshots->labels, &none)) return NULL;
    if (recipe->snapshot_count)
        return tape_find(tape, address_name(recipe->snapshots[0], &snapshots->labels));
    for (int e = tape->entries - 1; e >= 0; e--)
        if (strcmp(tape->entry[e].name, "weights") == 0) return tape->entry[e].tensor;
    return NULL;
}

bool snapshots_save(const Snapshots *snapshots, const char *path, Error *error) {
    if (snapshots->count == 0) return true;
    Arena arena = {0};
    Stored *stored = ARENA_ARRAY(&arena, Stored, snapshots->count);
    for (int s = 0; s < snapshots->count; s++) {
        const Tensor *tensor = snapshots->snapshot[s].tensor;
        stored[s] = (Stored){tensor->name, tensor};
    }
    const Ids source = source_of(snapshots, &arena);
    const Ids target = target_of(snapshots, &arena);
    const Note note[] = {
        {SNAPSHOT_SOURCE, ids_print(source.id, source.length, &arena)},
        {SNAPSHOT_TARGET, ids_print(target.id, target.length, &arena)},
    };
    bool done = safetensors_save(path, &(Contents){stored, snapshots->count, note, 2},
                                 true, error);
    arena_free(&arena);
    return done;
}

/* The numbers of one kept tensor in the place of those just taken, whose axes and
 * labels it has. */
static void read_one(Snapshots *snapshots, const StoredTensor *stored, int last_step,
                     int fresh) {
    char *end;
    if (strncmp(stored->name, name_start, strlen(name_start)) != 0) return;
    long step = strtol(stored->name + strlen(name_start), &end, 10);
    if (*end != '.' || step < 0 || step > last_step) return;
    for (int f = 0; f < fresh; f++) {
        const Snapshot *like = &snapshots->snapshot[f];
        const char *name = strchr(like->tensor->name, '.') + 1;
        Number *number;
        if (strcmp(end + 1, name) != 0 ||
            stored->count != (size_t)tensor_size(like->tensor))
            continue;
        Arena *arena = &snapshots->arena;
        Tensor *made = copy(
            like->tensor, arena_copy(arena, stored->name, strlen(stored->name)), arena);
        safetensors_numbers(stored, arena, &number);
        memcpy(made->data, number, stored->count * sizeof *number);
        keep_snapshot(snapshots, (Snapshot){like->address, (int)step, made});
        return;
    }
}

static int by_step(const void *one, const void *other) {
    const Snapshot *a = one;
    const Snapshot *b = other;
    return a->step < b->step ? -1 : a->step > b->step;
}

bool snapshots_read(Snapshots *snapshots, const char *path, int last_step,
                    Error *error) {
    SafeTensors file;
    if (snapshots->recipe->snapshot_count == 0 || !file_exists(path)) return true;
    if (!safetensors_read(&file, path, &snapshots->arena, error)) return false;
    /* What the resumed model gives now tells the axes; its step follows the last. */
    if (!snapshots_take(snapshots, last_step + 1, error)) return false;
    int fresh = snapshots->count;
    for (int t = 0; t < file.count; t++)
        read_one(snapshots, &file.tensor[t], last_step, fresh);
    snapshots->count -= fresh;
    memmove(snapshots->snapshot, snapshots->snapshot + fresh,
            (size_t)snapshots->count * sizeof *snapshots->snapshot);
    qsort(snapshots->snapshot, (size_t)snapshots->count, sizeof *snapshots->snapshot,
          by_step);
    return true;
}

/* The tensors of one address: the first, the last, and others evenly between, `most` of
 * them. */
static int choose_drawn(const Snapshots *snapshots, int address, int most,
                        const Tensor **chosen, Arena *arena) {
    const Tensor **all = ARENA_ARRAY(arena, const Tensor *, snapshots->count);
    int count = 0;
    for (int s = 0; s < snapshots->count; s++)
        if (snapshots->snapshot[s].address == address)
            all[count++] = snapshots->snapshot[s].tensor;
    int drawn = count < most ? count : most;
    for (int d = 0; d < drawn; d++)
        chosen[d] = all[drawn > 1 ? d * (count - 1) / (drawn - 1) : 0];
    return drawn;
}

static const char *sentence_of(const Tokenizer *tokenizer, const int *id, int count,
                               Arena *arena) {
    const char *text = tokenizer->kind == TOKENIZER_NONE
                           ? ids_print(id, count, arena)
                           : tokenizer_decode(tokenizer, id, count, arena);
    return unicode_escape(text, strlen(text), arena);
}

/* The facts with the sentence in front. */
static Facts facts_of(const Snapshots *snapshots, const Facts *facts, Arena *arena) {
    const Example *example = snapshots->example;
    Fact *fact = ARENA_ARRAY(arena, Fact, facts->count + 1);
    fact[0] =
        (Fact){N_("sentence"), sentence_of(&snapshots->model->source, example->source,
                                           example->sources, arena)};
    memcpy(fact + 1, facts->fact, (size_t)facts->count * sizeof *fact);
    return (Facts){.fact = fact, .count = facts->count + 1};
}

/* One slice after the other, in the place of all side by side. */
static void set_frames(Figure *figure, Frame *frame) {
    const Slice *slice = figure->slice;
    figure->frame = frame;
    figure->frames = figure->slices - 1;
    for (int f = 0; f < figure->frames; f++) frame[f] = (Frame){.slice = &slice[f]};
    figure->slice = &slice[figure->frames];
    figure->slices = 1;
}

static bool draw_address(const Snapshots *snapshots, int address, const char *path,
                         const Facts *facts, Arena *arena, Error *error) {
    const Tensor *tensor[FRAMES_MOST];
    Slice slice[FRAMES_MOST];
    Frame frame[FRAMES_MOST];
    const char *warning;
    bool moves = file_has_ending(path, ".apng");
    int most = moves ? FRAMES_MOST : SNAPSHOTS_DRAWN;
    int count = choose_drawn(snapshots, address, most, tensor, arena);
    for (int s = 0; s < count; s++)
        if (!address_slice(snapshots->recipe->snapshots[address], tensor[s], arena,
                           &slice[s], error))
            return false;
    if (count == 0) return true;
    Facts all = facts_of(snapshots, facts, arena);
    Figure figure = {.kind = FIGURE_GRID,
                     .fact = all.fact,
                     .facts = all.count,
                     .slice = slice,
                     .slices = count,
                     .annotate = ANNOTATE_NEVER};
    if (moves) set_frames(&figure, frame);
    return figure_save(&figure, path, true, arena, &warning, error);
}

const char *snapshots_picture(const Recipe *recipe, int a, const char *ending,
                              Arena *arena) {
    return arena_print(arena, "%s.%s", address_file_name(recipe->snapshots[a], arena),
                       ending);
}

bool snapshots_draw(const Snapshots *snapshots, const char *folder, const char *ending,
                    const Facts *facts, Error *error) {
    Arena arena = {0};
    bool done = true;
    for (int a = 0; done && a < snapshots->recipe->snapshot_count; a++) {
        const char *name = snapshots_picture(snapshots->recipe, a, ending, &arena);
        done = draw_address(snapshots, a, file_join(&arena, folder, name), facts,
                            &arena, error);
    }
    arena_free(&arena);
    return done;
}
