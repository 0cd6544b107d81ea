#include "learn/pictures.h"

#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/interrupt.h"
#include "base/language.h"
#include "data/columns.h"
#include "figure/figure.h"
#include "model/ids.h"
#include "model/network.h"
#include "store/safetensors.h"
#include "tensor/address.h"
#include "text/unicode.h"

void curve_add(Curve *curve, CurvePoint point) {
    ARENA_GROW(&curve->arena, curve->point, curve->count, curve->capacity);
    curve->point[curve->count++] = point;
}

/* The columns of the file after "step"; empty if nothing was measured. */
static const struct {
    const char *name;
    size_t offset;
    int digits;
} columns[] = {
    {"loss", offsetof(CurvePoint, loss), 9},
    {"learning_rate", offsetof(CurvePoint, rate), 9},
    {"tokens_per_second", offsetof(CurvePoint, speed), 6},
    {"validation_loss", offsetof(CurvePoint, valid_loss), 9},
    {"validation_accuracy", offsetof(CurvePoint, accuracy), 6},
    {"training_accuracy", offsetof(CurvePoint, train_accuracy), 6},
};
enum { COLUMNS = sizeof columns / sizeof *columns };

static double number_at(const CurvePoint *point, size_t offset) {
    return *(const double *)(const void *)((const char *)point + offset);
}

void curve_free(Curve *curve) {
    arena_free(&curve->arena);
    *curve = (Curve){0};
}

bool curve_save(const Curve *curve, const char *path, Error *error) {
    FileSave save;
    if (!file_save_begin(&save, path, true, error)) return false;
    fputs("step", save.stream);
    for (int c = 0; c < COLUMNS; c++) fprintf(save.stream, ",%s", columns[c].name);
    for (int p = 0; p < curve->count; p++) {
        fprintf(save.stream, "\n%d", curve->point[p].step);
        for (int c = 0; c < COLUMNS; c++) {
            double number = number_at(&curve->point[p], columns[c].offset);
            fputc(',', save.stream);
            if (isfinite(number))
                fprintf(save.stream, "%.*g", columns[c].digits, number);
        }
    }
    fputc('\n', save.stream);
    return file_save_end(&save, error);
}

bool curve_read(Curve *curve, const char *path, int last_step, Error *error) {
    Arena arena = {0};
    Columns file;
    Row row;
    if (!file_exists(path)) return true;
    bool done = columns_open(&file, path, &arena, error);
    if (done) columns_next(&file, &arena, &row);
    while (done && columns_next(&file, &arena, &row)) {
        double number[COLUMNS + 1];
        if (row.problem || row.count != COLUMNS + 1) continue;
        for (int c = 0; c <= COLUMNS; c++) {
            const Field *field = &row.field[c];
            const char *text = arena_copy(&arena, field->text, field->length);
            number[c] = field->length ? strtod(text, NULL) : NAN;
        }
        if (!(number[0] >= 1 && number[0] <= last_step)) break;
        CurvePoint point = {.step = (int)number[0]};
        for (int c = 0; c < COLUMNS; c++)
            memcpy((char *)&point + columns[c].offset, &number[c + 1], sizeof *number);
        curve_add(curve, point);
    }
    arena_free(&arena);
    return done;
}

/* One curve of a picture: which number of each point. */
typedef struct {
    const char *name;
    size_t offset;
    bool is_noisy; /* it varies between batches, so also show the mean */
} CurveColumn;

enum { LINES_MAX = 2 };
typedef struct {
    const char *name, *y_title;
    CurveColumn line[LINES_MAX];
} Picture;

static const Picture pictures[] = {
    {"loss",
     N_("loss in nats"),
     {{N_("training"), offsetof(CurvePoint, loss), true},
      {N_("validation"), offsetof(CurvePoint, valid_loss), false}}},
    {"learning_rate",
     N_("learning rate"),
     {{N_("learning rate"), offsetof(CurvePoint, rate), false}}},
    {"accuracy",
     N_("fraction correct"),
     {{N_("training"), offsetof(CurvePoint, train_accuracy), false},
      {N_("validation"), offsetof(CurvePoint, accuracy), false}}},
    {0},
};

/* If there are very many points, average neighbors: a picture cannot show more. */
static Series thinned(const Series *series, Arena *arena) {
    enum { POINTS_MAX = 800 };
    int together = (series->count + POINTS_MAX - 1) / POINTS_MAX;
    if (together < 2) return *series;
    double *x = ARENA_ARRAY(arena, double, POINTS_MAX);
    double *y = ARENA_ARRAY(arena, double, POINTS_MAX);
    int means = 0;
    for (int start = 0; start < series->count; start += together, means++) {
        int end = start + together < series->count ? start + together : series->count;
        for (int p = start; p < end; p++) {
            x[means] += series->x[p] / (end - start);
            y[means] += series->y[p] / (end - start);
        }
    }
    return (Series){.name = series->name, .x = x, .y = y, .count = means};
}

/* Get the points that have a number, so that lines connect them. For a noisy curve with
 * many points, draw these pale and add a second series with the mean around each point:
 * at the start, where a loss falls steeply, over the same number before and after it;
 * at the end, over those available. Returns the number of series. */
static int series_of(const Curve *curve, const CurveColumn *line, Series *series,
                     Arena *arena) {
    enum { MANY = 60, PARTS = 40 };
    double *x = ARENA_ARRAY(arena, double, curve->count);
    double *y = ARENA_ARRAY(arena, double, curve->count);
    int count = 0;
    for (int p = 0; p < curve->count; p++) {
        double number = number_at(&curve->point[p], line->offset);
        if (!isfinite(number)) continue;
        x[count] = curve->point[p].step;
        y[count++] = number;
    }
    Series all = {.name = tr(line->name), .x = x, .y = y, .count = count};
    if (count < 2) return 0;
    series[0] = thinned(&all, arena);
    if (!line->is_noisy || count < MANY) return 1;
    int reach = count / PARTS;
    double *smooth = ARENA_ARRAY(arena, double, count);
    for (int p = 0; p < count; p++) {
        int before = p < reach ? p : reach;
        int last = p + before < count ? p + before : count - 1;
        for (int n = p - before; n <= last; n++)
            smooth[p] += y[n] / (last - p + before + 1);
    }
    all.y = smooth;
    all.name = trf(arena, "%s, mean of %d", all.name, 2 * reach + 1);
    series[0].is_raw = true;
    series[1] = thinned(&all, arena);
    return 2;
}

static bool draw_curves(const Curve *curve, const char *folder, const char *ending,
                        const Facts *facts, Error *error) {
    Arena arena = {0};
    bool done = true;
    for (const Picture *picture = pictures; done && picture->name; picture++) {
        const char *name = arena_print(&arena, "%s.%s", picture->name, ending);
        Series series[2 * LINES_MAX];
        int count = 0;
        for (int l = 0; l < LINES_MAX && picture->line[l].name; l++)
            count += series_of(curve, &picture->line[l], series + count, &arena);
        if (count == 0) continue;
        Plot plot = {.x_title = tr("step"),
                     .y_title = tr(picture->y_title),
                     .series = series,
                     .count = count};
        Figure figure = {.kind = FIGURE_CURVES,
                         .title = picture->name,
                         .plot = &plot,
                         .fact = facts->fact,
                         .facts = facts->count};
        const char *warning;
        done = figure_save(&figure, file_join(&arena, folder, name), true, &arena,
                           &warning, error);
    }
    arena_free(&arena);
    return done;
}

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

/* Return the sentence as the model reads it, with a label for each id. */
static Ids one_row(const Snapshots *snapshots, bool is_target, Arena *arena) {
    const Model *model = snapshots->model;
    const Example *example = snapshots->example;
    const Tokenizer *tokenizer = is_target ? &model->target : &model->source;
    int count = is_target ? example->targets : example->sources;
    int length = count + is_target;
    int *row = ARENA_ARRAY(arena, int, length);
    const char **label = ARENA_ARRAY(arena, const char *, length);
    if (is_target) row[0] = model->config.start_id;
    memcpy(row + is_target, is_target ? example->target : example->source,
           (size_t)count * sizeof *row);
    for (int i = 0; i < length; i++) label[i] = tokenizer_label(tokenizer, row[i]);
    return (Ids){row, 1, length, tokenizer->kind == TOKENIZER_NONE ? NULL : label};
}

/* Run the model on the sentence; labels must outlive the tape. */
static bool run(Tape *tape, const Snapshots *snapshots, Arena *arena, Error *error) {
    const Model *model = snapshots->model;
    const Ids source = one_row(snapshots, false, arena);
    const Ids target = one_row(snapshots, true, arena);
    network_run(tape, &model->network, &source, &target);
    return tape_done(tape, error);
}

static Tensor *copy(const Tensor *tensor, const char *name, Arena *arena) {
    Tensor *made = tensor_new(arena, name, tensor->rank, tensor->axis);
    memcpy(made->data, tensor->data, (size_t)tensor_size(tensor) * sizeof(Number));
    return made;
}

static void keep_snapshot(Snapshots *snapshots, TensorSnapshot snapshot) {
    ARENA_GROW(&snapshots->arena, snapshots->snapshot, snapshots->count,
               snapshots->capacity);
    snapshots->snapshot[snapshots->count++] = snapshot;
}

bool snapshots_take(Snapshots *snapshots, int step, Error *error) {
    const Recipe *recipe = snapshots->recipe;
    Arena *arena = &snapshots->arena;
    Tape tape = {0};
    if (recipe->snapshot_count == 0) return true;
    for (int s = 0; s < snapshots->count; s++)
        if (snapshots->snapshot[s].step == step) return true;
    bool done = run(&tape, snapshots, arena, error);
    for (int a = 0; done && a < recipe->snapshot_count; a++) {
        const char *address = recipe->snapshots[a];
        const char *name = address_name(address, arena);
        const Tensor *tensor = tape_find(&tape, name);
        Slice slice;
        if (!tensor)
            fail(error, "%s: \"snapshots\": this model has no %s", recipe->path, name);
        done = tensor && address_slice(address, tensor, arena, &slice, error);
        if (!done) break;
        const char *kept = arena_print(arena, SNAPSHOT_NAME "%d.%s", step, name);
        keep_snapshot(snapshots, (TensorSnapshot){a, step, copy(tensor, kept, arena)});
    }
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
    const Ids source = one_row(snapshots, false, &arena);
    const Ids target = one_row(snapshots, true, &arena);
    const Note note[] = {
        {SNAPSHOT_SOURCE, ids_print(source.id, source.length, &arena)},
        {SNAPSHOT_TARGET, ids_print(target.id, target.length, &arena)},
    };
    bool done = safetensors_save(
        path,
        &(Contents){
            .stored = stored, .count = snapshots->count, .note = note, .notes = 2},
        true, error);
    arena_free(&arena);
    return done;
}

static int by_step(const void *one, const void *other) {
    const TensorSnapshot *a = one;
    const TensorSnapshot *b = other;
    return a->step < b->step ? -1 : a->step > b->step;
}

bool snapshots_read(Snapshots *snapshots, const char *path, int last_step,
                    Error *error) {
    SafeTensors file;
    Arena *arena = &snapshots->arena;
    if (snapshots->recipe->snapshot_count == 0 || !file_exists(path)) return true;
    if (!safetensors_read(&file, path, arena, error)) return false;
    /* Take a snapshot after the last step to get axes and labels from the resumed
     * model. */
    if (!snapshots_take(snapshots, last_step + 1, error)) return false;
    int fresh = snapshots->count;
    for (int t = 0; t < file.count; t++) {
        const StoredTensor *stored = &file.tensor[t];
        const char *name = stored->name;
        char *end;
        if (strncmp(name, SNAPSHOT_NAME, strlen(SNAPSHOT_NAME)) != 0) continue;
        long step = strtol(name + strlen(SNAPSHOT_NAME), &end, 10);
        if (*end != '.' || step < 0 || step > last_step) continue;
        for (int f = 0; f < fresh; f++) {
            const TensorSnapshot *like = &snapshots->snapshot[f];
            Number *number;
            if (strcmp(end, strchr(like->tensor->name, '.')) != 0 ||
                stored->count != (size_t)tensor_size(like->tensor))
                continue;
            Tensor *made =
                copy(like->tensor, arena_copy(arena, name, strlen(name)), arena);
            if (!safetensors_numbers(stored, arena, &number))
                return interrupt_none(error);
            memcpy(made->data, number, stored->count * sizeof *number);
            keep_snapshot(snapshots, (TensorSnapshot){like->address, (int)step, made});
            break;
        }
    }
    snapshots->count -= fresh;
    memmove(snapshots->snapshot, snapshots->snapshot + fresh,
            (size_t)snapshots->count * sizeof *snapshots->snapshot);
    qsort(snapshots->snapshot, (size_t)snapshots->count, sizeof *snapshots->snapshot,
          by_step);
    return true;
}

/* Draw the tensors of one address (the first, the last, and others spread evenly
 * between) as frames of an animation or side by side. */
static bool draw_address(const Snapshots *snapshots, int address, const char *path,
                         const Facts *facts, Arena *arena, Error *error) {
    const Tensor **all = ARENA_ARRAY(arena, const Tensor *, snapshots->count);
    Slice slice[FRAMES_MAX];
    Frame frame[FRAMES_MAX];
    const char *warning;
    bool moves = file_has_ending(path, ".apng");
    int max = moves ? FRAMES_MAX : SNAPSHOTS_DRAWN;
    int count = 0;
    for (int s = 0; s < snapshots->count; s++)
        if (snapshots->snapshot[s].address == address)
            all[count++] = snapshots->snapshot[s].tensor;
    if (count == 0) return true;
    int drawn = count < max ? count : max;
    for (int d = 0; d < drawn; d++)
        if (!address_slice(snapshots->recipe->snapshots[address],
                           all[drawn > 1 ? d * (count - 1) / (drawn - 1) : 0], arena,
                           &slice[d], error))
            return false;
    Figure figure = {.kind = FIGURE_GRID,
                     .fact = facts->fact,
                     .facts = facts->count,
                     .slice = slice,
                     .slices = drawn,
                     .annotate = ANNOTATE_NEVER};
    if (moves) {
        figure.frame = frame;
        figure.frames = drawn - 1;
        for (int f = 0; f < figure.frames; f++) frame[f] = (Frame){.slice = &slice[f]};
        figure.slice = &slice[figure.frames];
        figure.slices = 1;
    }
    return figure_save(&figure, path, true, arena, &warning, error);
}

/* By PlotFormat. Curves are not animated, even if snapshots are. */
static const struct {
    const char *curve, *snapshot;
} endings[] = {{"png", "png"}, {"svg", "svg"}, {"pdf", "pdf"}, {"png", "apng"}};

static const char *snapshot_picture(const Recipe *recipe, int a, Arena *arena) {
    return arena_print(arena, "%s.%s", address_file_name(recipe->snapshots[a], arena),
                       endings[recipe->plot].snapshot);
}

const char *pictures_name(const Recipe *recipe, int i, Arena *arena) {
    enum { CURVES = sizeof pictures / sizeof *pictures - 1 };
    if (recipe->plot == PLOT_NOTHING) return NULL;
    if (i < CURVES)
        return arena_print(arena, "%s.%s", pictures[i].name,
                           endings[recipe->plot].curve);
    i -= CURVES;
    return i < recipe->snapshot_count ? snapshot_picture(recipe, i, arena) : NULL;
}

bool pictures_draw(const Curve *curve, const Snapshots *snapshots, int steps,
                   const char *command, Error *error) {
    const Recipe *recipe = snapshots->recipe;
    const Example *example = snapshots->example;
    const Tokenizer *tokenizer = &snapshots->model->source;
    if (recipe->plot == PLOT_NOTHING) return true;
    Arena arena = {0};
    const char *slash = strrchr(recipe->data, '/');
    const char *sentence =
        tokenizer->kind == TOKENIZER_NONE
            ? ids_print(example->source, example->sources, &arena)
            : tokenizer_decode(tokenizer, example->source, example->sources, &arena);
    /* Leave out the folders of the data, which differ between machines. */
    Fact fact[] = {
        {N_("sentence"), sentence},
        {N_("recipe"), recipe->path},
        {N_("data"), slash ? slash + 1 : recipe->data},
        {N_("model"), recipe->preset},
        {N_("steps"), arena_print(&arena, "%d", steps)},
        {N_("seed"), arena_print(&arena, "%d", recipe->seed)},
        {N_("command"), command},
    };
    int count = (int)(sizeof fact / sizeof *fact) - !command;
    for (int f = 0; f < count; f++)
        fact[f].value = unicode_escape(fact[f].value, strlen(fact[f].value), &arena);
    /* Curves show no sentence, so skip that fact. */
    Facts of_curves = {.fact = fact + 1, .count = count - 1};
    Facts of_snapshots = {.fact = fact, .count = count};
    bool done = draw_curves(curve, recipe->output, endings[recipe->plot].curve,
                            &of_curves, error);
    for (int a = 0; done && a < recipe->snapshot_count; a++) {
        const char *name = snapshot_picture(recipe, a, &arena);
        done = draw_address(snapshots, a, file_join(&arena, recipe->output, name),
                            &of_snapshots, &arena, error);
    }
    arena_free(&arena);
    return done;
}
