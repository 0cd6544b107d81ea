#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/interrupt.h"
#include "base/language.h"
#include "chart/weight_line.h"
#include "figure/figure_draw.h"
#include "text/unicode.h"

/* Maximum letters of a word, and maximum words that can be distinguished. */
enum { WORD_MAX = 20, WORDS_MAX = 300 };

static const double rounding = 1e-4; /* float sums may exceed 1 by this */
enum { NAMED = 5 };                  /* how many words per layer are described */
/* Pixels. */
enum { PITCH = 26, PITCH_MANY = 20, MANY = 40, SPOT = 3, SPOT_MAX = 13 };
enum { LAYERS_ACROSS = 900, LAYER_MIN = 84, LAYER_MAX = 190, NUMBER_LETTERS = 5 };

static const double number_size = 0.85;
static const double unseen = 0.005; /* printed as 0.00 */
/* Fractions are multiplied from layer to layer, so they are small. */
static const LineScale line_scale = {.power = 0.45, .thinnest = 1, .widest = 10};

/* A weaker line would be as white as the paper. */
#define FLOW_MIN 0.001

typedef struct {
    Flow flow;
    const char *const *word;
    const char **layer;
    double pitch, across; /* distance between words, between layers */
    Point first;          /* the first word below the first layer */
    double left;          /* right end of the words */
    Point legend;
} FlowLayout;

Flow flow_of(const Matrix *const *layer, int layers, int heads, int chosen,
             Arena *arena) {
    int words = layer[0]->rows;
    Flow flow = {.words = words, .layers = layers, .chosen = chosen};
    flow.share = ARENA_ARRAY(arena, double, (layers + 1) * words);
    flow.line =
        ARENA_ARRAY(arena, double, (size_t)layers *(size_t)words *(size_t)words);
    flow.share[layers * words + chosen] = 1;
    for (int l = layers - 1; l >= 0; l--)
        for (int from = 0; from < words; from++) {
            double share = flow.share[(l + 1) * words + from];
            if (share == 0) continue;
            double *line =
                flow.line + ((size_t)l * (size_t)words + (size_t)from) * (size_t)words;
            for (int to = 0; to < words; to++) {
                double sum = 0;
                for (int h = 0; h < heads; h++)
                    if (!matrix_is_hatched(&layer[l][h], from, to))
                        sum += matrix_value(&layer[l][h], from, to);
                line[to] = share * (sum / heads + (from == to)) / 2;
                flow.share[l * words + to] += line[to];
            }
        }
    return flow;
}

static double share_at(const Flow *flow, int level, int word) {
    return flow->share[level * flow->words + word];
}

static Point place(const FlowLayout *layout, Point at, int level, int word) {
    return (Point){at.x + layout->first.x + level * layout->across,
                   at.y + layout->first.y + word * layout->pitch};
}

static void draw_picture(Work *work, Point at) {
    const FlowLayout *layout = work->own;
    const Flow *flow = &layout->flow;
    Canvas *canvas = work->canvas;
    for (int l = 0; l < layout->flow.layers && !interrupt_signal(); l++) {
        Point title = {at.x + layout->first.x + (l + 0.5) * layout->across,
                       at.y + canvas->metrics.line / 2};
        canvas->text(canvas, title, (Style){.align = ALIGN_MIDDLE, .bold = true},
                     layout->layer[l]);
        WeightLine *line = NULL;
        int count = 0;
        int capacity = 0;
        for (int i = 0; i < flow->words * flow->words; i++) {
            double share =
                flow->line[(size_t)l * (size_t)(flow->words * flow->words) + (size_t)i];
            if (share < FLOW_MIN) continue;
            const int from = i / flow->words;
            const int to = i % flow->words;
            ARENA_GROW(canvas->arena, line, count, capacity);
            line[count] = (WeightLine){
                .weight = share,
                .number = count,
                .ends = {place(layout, at, l, to), place(layout, at, l + 1, from)},
                .color = palette_curve(0)};
            count++;
        }
        weight_lines_draw(line, count, &line_scale, canvas);
    }
    for (int level = 0; level <= layout->flow.layers; level++) {
        /* A dot for each word; its size shows its fraction. */

        for (int word = 0; word < flow->words; word++) {
            double share = share_at(flow, level, word);
            const Point spot = place(layout, at, level, word);
            Stroke stroke = {.color = color_light, .width = SPOT};
            if (share >= FLOW_MIN)
                stroke = (Stroke){
                    .color = palette_mix(color_white, palette_curve(0), sqrt(share)),
                    .width = SPOT + (SPOT_MAX - SPOT) * sqrt(share)};
            canvas->line(canvas, &spot, 1, stroke);
        }
    }
    double gap = canvas->metrics.gap;
    for (int word = 0; word < flow->words; word++) {
        Point spot = place(layout, at, 0, word);
        bool here = word == flow->chosen;
        double share = share_at(flow, 0, word);
        canvas->text(canvas, (Point){at.x + layout->left, spot.y},
                     (Style){.align = ALIGN_END, .bold = here}, layout->word[word]);
        Style number = {
            .align = ALIGN_END, .size = number_size, .faint = share < unseen};
        canvas->text(canvas, (Point){spot.x - SPOT_MAX / 2.0 - gap / 2, spot.y}, number,
                     arena_print(canvas->arena, "%.2f", share));
    }
    Point top = place(layout, at, flow->layers, flow->chosen);
    canvas->text(canvas, (Point){top.x + SPOT_MAX / 2.0 + gap / 2, top.y},
                 (Style){.bold = true}, layout->word[flow->chosen]);
    weight_line_legend(canvas,
                       (Point){at.x + layout->legend.x, at.y + layout->legend.y},
                       tr("fraction of it"), &line_scale, palette_curve(0));
}

static void plan_picture(Work *work, FlowLayout *layout) {
    Canvas *canvas = work->canvas;
    const Metrics *metrics = &canvas->metrics;
    const Flow *flow = &layout->flow;
    Style bold = {.bold = true};
    layout->left = ceil(canvas_widest(canvas, bold, layout->word, flow->words));
    layout->pitch = fmax(flow->words > MANY ? PITCH_MANY : PITCH,
                         PITCH_MANY * canvas_growth(canvas));
    double fair =
        fmin(fmax((double)LAYERS_ACROSS / flow->layers, LAYER_MIN), LAYER_MAX);
    layout->across =
        ceil(fmax(fair, canvas_widest(canvas, bold, layout->layer, flow->layers) +
                            2 * metrics->gap));
    layout->first =
        (Point){layout->left + metrics->gap + NUMBER_LETTERS * metrics->letter +
                    SPOT_MAX / 2.0 + metrics->gap / 2,
                2 * metrics->line};
    double top = layout->first.x + flow->layers * layout->across;
    double right = top + SPOT_MAX / 2.0 + metrics->gap / 2 +
                   canvas->measure(canvas, bold, layout->word[flow->chosen]);
    const Point samples = weight_line_legend_size(canvas, tr("fraction of it"));
    layout->legend =
        (Point){ceil(right) + 3 * metrics->gap, layout->first.y - metrics->line / 2};
    work->width = layout->legend.x + samples.x;
    work->height = fmax(layout->first.y + (flow->words - 0.5) * layout->pitch,
                        layout->legend.y + samples.y);
    work->draw = draw_picture;
}

/* "·부산 0.62, <end> 0.18": the words with the largest fractions below a layer. */
static const char *largest(const FlowLayout *layout, int level, Arena *arena) {
    const Flow *flow = &layout->flow;
    bool *told = ARENA_ARRAY(arena, bool, flow->words);
    const char *line = "";
    for (int i = 0; i < NAMED; i++) {
        int best = -1;
        for (int w = 0; w < flow->words; w++)
            if (!told[w] && share_at(flow, level, w) >= FLOW_MIN &&
                (best < 0 || share_at(flow, level, w) > share_at(flow, level, best)))
                best = w;
        if (best < 0) break;
        told[best] = true;
        line = arena_print(arena, "%s%s%s %.2f", line, i ? ", " : "",
                           layout->word[best], share_at(flow, level, best));
    }
    return line;
}

static void draw_text(Work *work, Point at) {
    const FlowLayout *layout = work->own;
    Arena *arena = work->arena;
    int levels = layout->flow.layers;
    int width = unicode_width(tr("words"));
    for (int l = 0; l < levels; l++)
        width = (int)fmax(width, unicode_width(layout->layer[l]));
    for (int level = levels; level >= 0; level--) {
        const char *name = level ? layout->layer[level - 1] : tr("words");
        const char *line =
            arena_print(arena, "%s  %s", unicode_pad(name, width, false, arena),
                        largest(layout, level, arena));
        int max = (int)work->canvas->metrics.max;
        if (max > 0) line = unicode_cut(line, max, arena);
        work->canvas->text(work->canvas, (Point){at.x, at.y + levels - level},
                           (Style){0}, line);
    }
}

/* Open the whole axis and return its selected index; -1: none was selected. */
static bool open_axis(Slice *slice, int axis, int *chosen, Error *error) {
    const Axis *of = &slice->tensor->axis[axis];
    int length = slice->to[axis] - slice->from[axis];
    if (length > 1 && length < of->size)
        return fail(
            error,
            "a flow goes through all tokens; choose one, as in [%s=%d], or leave out "
            "%s",
            of->name, slice->from[axis], of->name);
    if (length < of->size) *chosen = slice->from[axis];
    slice->from[axis] = 0;
    slice->to[axis] = of->size;
    return true;
}

static bool same_words(const char *const *a, const char *const *b, int count) {
    for (int i = 0; i < count; i++)
        if (strcmp(a[i], b[i]) != 0) return false;
    return true;
}

/* Is it self-attention within one sentence, with rows that sum to 1? */
static bool check_layer(const Matrix *matrix, const char *const *word, int words,
                        Arena *arena, Error *error) {
    const char *name = matrix->slice.tensor->name;
    bool square = matrix->row_axis >= 0 && matrix->rows == matrix->columns;
    if (!square || !same_words(matrix_labels(matrix, false, arena),
                               matrix_labels(matrix, true, arena), matrix->rows))
        return fail(error,
                    "a flow goes from the tokens of a sentence to the same tokens, "
                    "as in self-attention; %s does not",
                    name);
    if (matrix->rows != words ||
        !same_words(matrix_labels(matrix, false, arena), word, words))
        return fail(error, "%s has other tokens than the layer before it", name);
    for (int i = 0; i < matrix->rows * matrix->columns; i++) {
        int row = i / matrix->columns;
        int column = i % matrix->columns;
        const double value = matrix_value(matrix, row, column);
        if (matrix->hidden && matrix->hidden[matrix_cell(matrix, row, column)])
            continue;
        if (!(value >= 0 && value <= 1 + rounding))
            return fail(error, "a flow needs fractions from 0 to 1, but %s has %.3g",
                        name, value);
    }
    return true;
}

/* Return the last word with any attention weight: padding follows it. */
static int last_word(const Matrix *matrix) {
    for (int column = matrix->columns - 1; column > 0; column--)
        for (int row = 0; row < matrix->rows; row++)
            if (!matrix_is_hatched(matrix, row, column)) return column;
    return 0;
}

/* Open all layers; they must have the same heads and the same words. `*chosen` becomes
 * the word that a slice selects, if any. */
static bool open_layers(const Work *work, const Matrix **layer, int *heads, int *chosen,
                        Error *error) {
    const Figure *figure = work->figure;
    const char **word = NULL;
    *heads = 0;
    *chosen = -1;
    for (int s = 0; s < figure->slices; s++) {
        Slice slice = figure->slice[s];
        int rank = slice.tensor->rank;
        int count, unused = -1;
        if (rank < 2)
            return fail(error, "%s has one axis; a flow needs tokens on two sides",
                        slice.tensor->name);
        if (!open_axis(&slice, rank - 2, chosen, error) ||
            !open_axis(&slice, rank - 1, &unused, error))
            return false;
        layer[s] = figure_matrices(figure, &slice, s, work->arena, &count);
        if (layer[s]->rows > WORDS_MAX)
            return fail(error,
                        "a flow through %d tokens is unreadable; choose at most %d",
                        layer[s]->rows, WORDS_MAX);
        if (!word) word = matrix_labels(layer[0], false, work->arena);
        if (s > 0 && count != *heads)
            return fail(error, "%s has other heads than the layer before it",
                        layer[s]->slice.tensor->name);
        *heads = count;
        for (int h = 0; h < count; h++)
            if (!check_layer(&layer[s][h], word, layer[0]->rows, work->arena, error))
                return false;
    }
    return true;
}

bool plan_flow(Work *work, Error *error) {
    FlowLayout *layout = ARENA_ARRAY(work->arena, FlowLayout, 1);
    work->own = layout;
    const Figure *figure = work->figure;
    Arena *arena = work->arena;
    const Slice *slice = &figure->slice[0];
    int batch = tensor_axis(slice->tensor, "batch");
    if (batch >= 0 && slice->to[batch] - slice->from[batch] > 1)
        return fail(error, "a flow shows one sentence; choose it, as in [batch=0]");
    const Matrix **layer = ARENA_ARRAY(arena, const Matrix *, figure->slices);
    int heads, chosen;
    if (!open_layers(work, layer, &heads, &chosen, error)) return false;
    const Matrix *first = layer[0];
    if (chosen < 0) chosen = last_word(first);
    layout->flow = flow_of(layer, figure->slices, heads, chosen, arena);
    layout->word =
        labels_cut(matrix_labels(first, false, arena), first->rows, WORD_MAX, arena);
    layout->layer = ARENA_ARRAY(arena, const char *, figure->slices);
    for (int s = 0; s < figure->slices; s++) {
        /* "encoder.0" of "encoder.0.self_attention.weights". */
        const char *name = figure->slice[s].tensor->name;
        const char *end = strstr(name, ".self_attention");
        layout->layer[s] = end ? arena_copy(arena, name, (size_t)(end - name)) : name;
    }
    if (!figure->title)
        work->facts.title = trf(arena, "What '%s' is made of, layer by layer: %s",
                                layout->word[chosen], work->facts.title);
    work->note =
        tr(N_("The fraction of the token that came from there, if each token is half "
              "itself (residual path) and half what it attended to: attention rollout, "
              "Abnar and Zuidema 2020. Feed-forward layers are left out."));
    work->description =
        arena_print(arena, "%s: %s.", work->facts.title, largest(layout, 0, arena));
    if (!work->canvas->metrics.characters) {
        plan_picture(work, layout);
        return true;
    }
    work->width = work->canvas->metrics.max;
    work->height = layout->flow.layers + 1;
    work->draw = draw_text;
    return true;
}
