#include "view/flow_draw.h"

#include <math.h>
#include <stdlib.h>

#include "base/interrupt.h"
#include "base/language.h"
#include "text/unicode.h"
#include "view/palette.h"
#include "view/strength.h"

enum { NAMED = 5 }; /* words of a layer, in letters */
/* Pixels. */
enum { PITCH = 26, PITCH_MANY = 20, MANY = 40, SPOT = 3, SPOT_MOST = 13 };
enum { LAYERS_ACROSS = 900, LAYER_LEAST = 84, LAYER_MOST = 190, NUMBER_LETTERS = 5 };

static const double number_size = 0.85;
static const double unseen = 0.005; /* it is written 0.00 */
/* Shares are multiplied from layer to layer, and so are small. */
static const Strength strength = {.power = 0.45, .thinnest = 1, .widest = 10};

static double share_at(const Flow *flow, int level, int word) {
    return flow->share[level * flow->words + word];
}

static Point place(const FlowLayout *layout, Point at, int level, int word) {
    return (Point){at.x + layout->first.x + level * layout->across,
                   at.y + layout->first.y + word * layout->pitch};
}

typedef struct {
    double share;
    Point from, to;
} FlowLine;

static int compare(const void *a, const void *b) {
    double one = ((const FlowLine *)a)->share;
    double other = ((const FlowLine *)b)->share;
    return (one > other) - (one < other);
}

/* Those of one layer, the weak ones first. */
static void draw_layer(const FlowLayout *layout, Canvas *canvas, Point at, int layer,
                       Arena *arena) {
    const Flow *flow = &layout->flow;
    FlowLine *line = NULL;
    int count = 0;
    int capacity = 0;
    for (int i = 0; i < flow->words * flow->words; i++) {
        double share =
            flow->line[(size_t)layer * (size_t)(flow->words * flow->words) + (size_t)i];
        if (share < FLOW_LEAST) continue;
        const int from = i / flow->words;
        const int to = i % flow->words;
        ARENA_GROW(arena, line, count, capacity);
        line[count++] = (FlowLine){share, place(layout, at, layer, to),
                                   place(layout, at, layer + 1, from)};
    }
    if (count) qsort(line, (size_t)count, sizeof *line, compare);
    for (int i = 0; i < count; i++) {
        const Point ends[] = {line[i].from, line[i].to};
        canvas->line(canvas, ends, 2,
                     strength_stroke(line[i].share, &strength, palette_curve(0)));
    }
}

/* A spot for each word, as large as its share. */
static void draw_spots(const FlowLayout *layout, Canvas *canvas, Point at, int level) {
    const Flow *flow = &layout->flow;
    for (int word = 0; word < flow->words; word++) {
        double share = share_at(flow, level, word);
        const Point spot = place(layout, at, level, word);
        Stroke stroke = {.color = color_light, .width = SPOT};
        if (share >= FLOW_LEAST)
            stroke = (Stroke){
                .color = palette_mix(color_white, palette_curve(0), sqrt(share)),
                .width = SPOT + (SPOT_MOST - SPOT) * sqrt(share)};
        canvas->line(canvas, &spot, 1, stroke);
    }
}

static void draw_words(const FlowLayout *layout, Canvas *canvas, Point at,
                       Arena *arena) {
    const Flow *flow = &layout->flow;
    double gap = canvas->metrics.gap;
    for (int word = 0; word < flow->words; word++) {
        Point spot = place(layout, at, 0, word);
        bool here = word == flow->chosen;
        double share = share_at(flow, 0, word);
        canvas->text(canvas, (Point){at.x + layout->left, spot.y},
                     (Style){.align = ALIGN_END, .bold = here}, layout->word[word]);
        Style number = {
            .align = ALIGN_END, .size = number_size, .faint = share < unseen};
        canvas->text(canvas, (Point){spot.x - SPOT_MOST / 2.0 - gap / 2, spot.y},
                     number, arena_print(arena, "%.2f", share));
    }
    Point top = place(layout, at, flow->layers, flow->chosen);
    canvas->text(canvas, (Point){top.x + SPOT_MOST / 2.0 + gap / 2, top.y},
                 (Style){.bold = true}, layout->word[flow->chosen]);
}

static void draw_picture(Work *work, Point at) {
    const FlowLayout *layout = work->own;
    Canvas *canvas = work->canvas;
    double line = canvas->metrics.line;
    for (int l = 0; l < layout->flow.layers && !interrupt_signal(); l++) {
        Point title = {at.x + layout->first.x + (l + 0.5) * layout->across,
                       at.y + line / 2};
        canvas->text(canvas, title, (Style){.align = ALIGN_MIDDLE, .bold = true},
                     layout->layer[l]);
        draw_layer(layout, canvas, at, l, work->arena);
    }
    for (int level = 0; level <= layout->flow.layers; level++)
        draw_spots(layout, canvas, at, level);
    draw_words(layout, canvas, at, work->arena);
    strength_samples(canvas, (Point){at.x + layout->legend.x, at.y + layout->legend.y},
                     said("share of it"), &strength, palette_curve(0), work->arena);
}

static double widest_layer(const FlowLayout *layout, Canvas *canvas) {
    double most = 0;
    for (int l = 0; l < layout->flow.layers; l++)
        most = fmax(most,
                    canvas->measure(canvas, (Style){.bold = true}, layout->layer[l]));
    return most;
}

void flow_plan_picture(Work *work) {
    FlowLayout *layout = work->own;
    Canvas *canvas = work->canvas;
    const Metrics *metrics = &canvas->metrics;
    const Flow *flow = &layout->flow;
    Style bold = {.bold = true};
    for (int w = 0; w < flow->words; w++)
        layout->left =
            ceil(fmax(layout->left, canvas->measure(canvas, bold, layout->word[w])));
    layout->pitch = flow->words > MANY ? PITCH_MANY : PITCH;
    double fair =
        fmin(fmax((double)LAYERS_ACROSS / flow->layers, LAYER_LEAST), LAYER_MOST);
    layout->across = ceil(fmax(fair, widest_layer(layout, canvas) + 2 * metrics->gap));
    layout->first =
        (Point){layout->left + metrics->gap + NUMBER_LETTERS * metrics->letter +
                    SPOT_MOST / 2.0 + metrics->gap / 2,
                2 * metrics->line};
    double top = layout->first.x + flow->layers * layout->across;
    double right = top + SPOT_MOST / 2.0 + metrics->gap / 2 +
                   canvas->measure(canvas, bold, layout->word[flow->chosen]);
    const Point samples = strength_samples_size(canvas, said("share of it"));
    layout->legend =
        (Point){ceil(right) + 3 * metrics->gap, layout->first.y - metrics->line / 2};
    work->width = layout->legend.x + samples.x;
    work->height = fmax(layout->first.y + (flow->words - 0.5) * layout->pitch,
                        layout->legend.y + samples.y);
    work->draw = draw_picture;
}

/* "·부산 0.62, <end> 0.18": where most of it stands below a layer. */
static const char *largest(const FlowLayout *layout, int level, Arena *arena) {
    const Flow *flow = &layout->flow;
    bool *told = ARENA_ARRAY(arena, bool, flow->words);
    const char *line = "";
    for (int i = 0; i < NAMED; i++) {
        int best = -1;
        for (int w = 0; w < flow->words; w++)
            if (!told[w] && share_at(flow, level, w) >= FLOW_LEAST &&
                (best < 0 || share_at(flow, level, w) > share_at(flow, level, best)))
                best = w;
        if (best < 0) break;
        told[best] = true;
        line = arena_print(arena, "%s%s%s %.2f", line, i ? ", " : "",
                           layout->word[best], share_at(flow, level, best));
    }
    return line;
}

const char *flow_told(const Work *work) {
    const FlowLayout *layout = work->own;
    return arena_print(work->arena, "%s: %s.", work->facts.title,
                       largest(layout, 0, work->arena));
}

static void draw_text(Work *work, Point at) {
    const FlowLayout *layout = work->own;
    Arena *arena = work->arena;
    int levels = layout->flow.layers;
    int width = unicode_width(said("words"));
    for (int l = 0; l < levels; l++)
        width = (int)fmax(width, unicode_width(layout->layer[l]));
    for (int level = levels; level >= 0; level--) {
        const char *name = level ? layout->layer[level - 1] : said("words");
        const char *line =
            arena_print(arena, "%s  %s", unicode_pad(name, width, false, arena),
                        largest(layout, level, arena));
        int most = (int)work->canvas->metrics.most;
        if (most > 0) line = unicode_cut(line, most, arena);
        work->canvas->text(work->canvas, (Point){at.x, at.y + levels - level},
                           (Style){0}, line);
    }
}

void flow_plan_text(Work *work) {
    const FlowLayout *layout = work->own;
    work->width = work->canvas->metrics.most;
    work->height = layout->flow.layers + 1;
    work->draw = draw_text;
}
