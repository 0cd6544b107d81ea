#include <math.h>
#include <string.h>

#include "base/language.h"
#include "lens/lens.h"
#include "ops/ops.h"

/* How a layer's row becomes logits: the modules after the last layer. */
typedef struct {
    const char *stack;               /* the stack whose layers are read */
    const Norm *norm;                /* the final norm, or NULL */
    const Linear *head;              /* the output matrix */
    const MaskedWords *masked_words; /* the layers before it, or NULL */
    bool sums_up;                    /* a classifier: it averages the tokens first */
    bool is_sigmoid;                 /* two labels share one logit */
    const char *padding;             /* excluded from the mean; NULL: nothing */
    Axis label;
} Reading;

static bool find_reading(const Model *model, Reading *reading, Error *error) {
    const Network *network = &model->network;
    if (network->type == MODEL_TRANSFORMER && model->config.decoder_layers > 0) {
        const Decoder *decoder = &network->transformer.decoder;
        *reading = (Reading){
            .stack = "decoder",
            .norm = decoder->has_final_norm ? &decoder->final_norm : NULL,
            .head = &network->transformer.head,
        };
        return true;
    }
    if (model->config.masked_words) {
        const Encoder *encoder = &network->transformer.encoder;
        *reading = (Reading){
            .stack = "encoder",
            .norm = encoder->has_final_norm ? &encoder->final_norm : NULL,
            .masked_words = &network->transformer.masked_words,
        };
        return true;
    }
    if (network->type == MODEL_CLASSIFIER &&
        network->classifier.type == ENCODER_TRANSFORMER) {
        const Classifier *classifier = &network->classifier;
        const Encoder *encoder = &classifier->encoder;
        *reading = (Reading){
            .stack = "encoder",
            .norm = encoder->has_final_norm ? &encoder->final_norm : NULL,
            .head = &classifier->head,
            .sums_up = true,
            .is_sigmoid = classifier->is_sigmoid,
            .padding = classifier->mean_with_padding ? NULL : "encoder.padding_mask",
            .label = classifier->label,
        };
        return true;
    }
    if (network->type == MODEL_TRANSFORMER)
        return fail(error, "lens logit needs an output matrix, but this model has "
                           "none: it ends with encoder.output");
    return fail(error, "lens logit compares the layers of a Transformer, but this "
                       "model reads token by token");
}

/* A row of the table, by address: "decoder.1.cross_attention". */
typedef struct {
    const char *name;
    Tensor *tensor;
} State;

enum { BOXES = 3 };
enum { STATES_MAX = 1 + BOXES * LAYERS_MAX };

/* Find the residual stream after each sublayer: the sum with pre-norm, otherwise its
 * norm. */
static int find_states(const Tape *run, const Config *config, const char *stack,
                       Arena *arena, State *state) {
    static const char *const boxes[2][BOXES] = {
        {"self_attention", "feed_forward", NULL},
        {"self_attention", "cross_attention", "feed_forward"}};
    bool decodes = strcmp(stack, "decoder") == 0;
    bool has_cross = decodes && config->encoder_layers > 0;
    int layers = decodes ? config->decoder_layers : config->encoder_layers;
    const char *kind = config->norm == NORM_PRE ? "add" : "norm";
    int count = 0;
    const char *input = arena_print(arena, "%s.input", stack);
    state[count++] = (State){input, tape_find(run, input)};
    for (int n = 0; n < layers; n++)
        for (int b = 0; b < BOXES && boxes[has_cross][b]; b++) {
            const char *name = boxes[has_cross][b];
            Tensor *tensor = tape_find(
                run, arena_print(arena, "%s.%d.%s_%d", stack, n, kind, b + 1));
            name = arena_print(arena, "%s.%d.%s", stack, n, name);
            if (tensor) state[count++] = (State){name, tensor};
        }
    return count;
}

bool lens_logit_record(Tape *lens, const Story *story, const LensAim *aim,
                       Error *error) {
    (void)aim;
    Reading reading = {.stack = "decoder"};
    if (!find_reading(story->model, &reading, error)) return false;
    const Tape *run = story->record.run;
    State state[STATES_MAX];
    int count =
        find_states(run, &story->model->config, reading.stack, &lens->arena, state);
    /* Logits and probabilities. */
    long long rows = reading.sums_up
                         ? 1
                         : tensor_size(state[0].tensor) / tensor_row(state[0].tensor);
    long long words = tensor_row(tape_find(run, "logits"));
    long long numbers = 2 * count * rows * words;
    if (numbers > TAPE_NUMBERS_MAX)
        return fail(error,
                    "the logits of %d layers after %lld tokens over %lld words need "
                    "%lld numbers; the limit is %d (2 GiB). Use a shorter sentence",
                    count, rows, words, numbers, TAPE_NUMBERS_MAX);
    for (int s = 0; s < count; s++) {
        Where before = tape_enter(lens, state[s].name);
        Tensor *x = state[s].tensor;
        if (reading.norm) x = normalize(lens, "normed", x, reading.norm);
        if (reading.sums_up)
            x = mean(lens, "mean", x,
                     reading.padding ? tape_find(run, reading.padding) : NULL);
        if (reading.masked_words) {
            masked_words_run(lens, reading.masked_words, x);
        } else {
            Tensor *logits = linear(lens, "logits", x, reading.head);
            Tensor *shares = reading.is_sigmoid
                                 ? sigmoid_pair(lens, "probabilities", logits)
                                 : softmax(lens, "probabilities", logits);
            if (shares && reading.is_sigmoid) shares->axis[1] = reading.label;
        }
        tape_leave(lens, before);
    }
    return true;
}

/* The probabilities of each row, from first to last. */
typedef struct {
    const char **name; /* without "lens.logit." */
    const Tensor **shares;
    int count, places;
} Said;

static Said collect(const Tape *lens, const Story *story, Arena *arena) {
    enum { PREFIX = sizeof "lens.logit." - 1 };
    Said all = {
        .name = ARENA_ARRAY(arena, const char *, lens->entries),
        .shares = ARENA_ARRAY(arena, const Tensor *, lens->entries),
        .places = lens_places(story),
    };
    for (int e = 0; e < lens->entries; e++) {
        const Entry *entry = &lens->entry[e];
        if (strcmp(entry->name, "probabilities") != 0) continue;
        size_t length = strlen(entry->address) - PREFIX - strlen(".probabilities");
        all.name[all.count] = arena_copy(arena, entry->address + PREFIX, length);
        all.shares[all.count++] = entry->tensor;
    }
    return all;
}

/* Return the first cell of the row for a position in the story's sentence. */
static int row_start(const Story *story, const Tensor *shares, int place) {
    int places = shares->rank > 2 ? shares->axis[1].size : 1;
    return (story->row * places + place) * tensor_row(shares);
}

/* Return the most probable word that is not in `taken`. */
static int best_but(const Number *share, int size, const int *taken, int count) {
    int best = -1;
    for (int i = 0; i < size; i++) {
        bool is_taken = false;
        for (int t = 0; t < count; t++) is_taken = is_taken || taken[t] == i;
        if (!is_taken && (best < 0 || share[i] > share[best] ||
                          (isnan(share[best]) && !isnan(share[i]))))
            best = i;
    }
    return best;
}

static const char *guess(const Tensor *shares, int start, int word, Arena *arena) {
    return arena_print(arena, "%s %.2f",
                       address_label(&shares->axis[shares->rank - 1], 0, word, arena),
                       tensor_printed((double)shares->data[start + word]));
}

/* One position: layers as rows, the best few words as columns. */
static void say_place(const Said *all, const Story *story, int place, Page *page) {
    Arena *arena = page->arena;
    int width = tensor_row(all->shares[0]);
    int max = story->candidates < width ? story->candidates : width;
    const char **cell = ARENA_ARRAY(arena, const char *, all->count *max);
    const char **column = ARENA_ARRAY(arena, const char *, max);
    int *taken = ARENA_ARRAY(arena, int, max);
    for (int k = 0; k < max; k++) column[k] = arena_print(arena, "%d", k + 1);
    for (int s = 0; s < all->count; s++) {
        int start = row_start(story, all->shares[s], place);
        for (int k = 0; k < max; k++) {
            taken[k] = best_but(all->shares[s]->data + start, width, taken, k);
            cell[s * max + k] = guess(all->shares[s], start, taken[k], arena);
        }
    }
    page_table(page, &(Table){.corner = tr("after ↓  best →"),
                              .rows = all->count,
                              .columns = max,
                              .row_label = all->name,
                              .column_label = column,
                              .cell = cell});
}

/* All positions: layers as rows, positions as columns, with the best word in each. */
static void say_all(const Said *all, const Story *story, Page *page) {
    Arena *arena = page->arena;
    const char **cell = ARENA_ARRAY(arena, const char *, all->count * all->places);
    const char **column = ARENA_ARRAY(arena, const char *, all->places);
    int width = tensor_row(all->shares[0]);
    for (int p = 0; p < all->places; p++) {
        const Tensor *shares = all->shares[0];
        column[p] = shares->rank > 2
                        ? address_label(&shares->axis[1], story->row, p, arena)
                        : tr("sentence");
        for (int s = 0; s < all->count; s++) {
            int start = row_start(story, all->shares[s], p);
            int best = best_but(all->shares[s]->data + start, width, NULL, 0);
            cell[s * all->places + p] = guess(all->shares[s], start, best, arena);
        }
    }
    page_table(page, &(Table){.corner = story->model->config.masked_words
                                            ? tr("after ↓  masked position →")
                                            : tr("after ↓  token before →"),
                              .rows = all->count,
                              .columns = all->places,
                              .row_label = all->name,
                              .column_label = column,
                              .cell = cell});
}

void lens_logit_say(const Tape *lens, const Story *story, int place, Page *page) {
    Arena *arena = page->arena;
    const Said all = collect(lens, story, arena);
    if (place == LENS_ROW_ALL && all.shares[0]->rank > 2)
        say_all(&all, story, page);
    else
        say_place(&all, story, place == LENS_ROW_ALL ? 0 : place, page);
    int middle = all.count / 2;
    int at = place == LENS_ROW_ALL ? 0 : place;
    const Tensor *shares = all.shares[middle];
    int start = row_start(story, shares, at);
    int best = best_but(shares->data + start, tensor_row(shares), NULL, 0);
    page_hint(
        page, tr("one of them, explained"),
        arena_print(arena, ":why %s", address_print(shares, start + best, arena)));
}

/* The probability that each layer gives to the final choice: [behind, target]. */
Figure lens_logit_figure(const Tape *lens, const Story *story, int place,
                         Arena *arena) {
    const Said all = collect(lens, story, arena);
    int from = place == LENS_ROW_ALL ? 0 : place;
    int places = place == LENS_ROW_ALL ? all.places : 1;
    const char **label = ARENA_ARRAY(arena, const char *, places);
    const Axis *words = &all.shares[0]->axis[all.shares[0]->rank - 1];
    for (int p = 0; p < places; p++)
        label[p] = address_label(words, 0, lens_chosen(story, from + p), arena);
    const Axis axis[] = {
        {.name = "behind", .size = all.count, .labels = all.name, .label_rows = 1},
        {.name = "chosen", .size = places, .labels = label, .label_rows = 1}};
    Tensor *drawn = tensor_new(arena, "lens.logit", 2, axis);
    for (int s = 0; s < all.count; s++)
        for (int p = 0; p < places; p++)
            drawn->data[s * places + p] =
                all.shares[s]->data[row_start(story, all.shares[s], from + p) +
                                    lens_chosen(story, from + p)];
    Slice *slice = ARENA_ARRAY(arena, Slice, 1);
    *slice = slice_all(drawn);
    return (Figure){.kind = FIGURE_HEATMAP,
                    .slice = slice,
                    .slices = 1,
                    .title = tr("logit lens: how probable the predicted token is "
                                "after each layer"),
                    .palette = story->palette,
                    .scale = SCALE_SHARES};
}
