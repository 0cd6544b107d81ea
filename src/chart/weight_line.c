#include "chart/weight_line.h"

#include <math.h>
#include <stdlib.h>

#include "base/interrupt.h"
#include "canvas/palette.h"

static const double pale = 0.16; /* opacity of lines that were not chosen */

enum { SAMPLE = 34 }; /* pixels */

/* Weights in the legend. */
static const double samples[] = {1, 0.5, 0.2, 0.05};
enum { SAMPLES = sizeof samples / sizeof *samples };

Stroke weight_line_stroke(double weight, const LineScale *as, Color color) {
    return (Stroke){.color = palette_mix(color_white, color, pow(weight, as->power)),
                    .width = as->thinnest + (as->widest - as->thinnest) * weight};
}

static int by_weight(const void *a, const void *b) {
    const WeightLine *one = a;
    const WeightLine *other = b;
    if (one->pale != other->pale) return one->pale ? -1 : 1;
    if (one->weight != other->weight) return one->weight < other->weight ? -1 : 1;
    return one->number - other->number;
}

void weight_lines_draw(WeightLine *line, int count, const LineScale *as,
                       Canvas *canvas) {
    if (count) qsort(line, (size_t)count, sizeof *line, by_weight);
    for (int i = 0; i < count && !interrupt_signal(); i++) {
        Color color =
            line[i].pale ? palette_mix(color_white, color_grey, pale) : line[i].color;
        Stroke stroke = weight_line_stroke(line[i].weight, as, color);
        if (line[i].pale) stroke.width = fmax(stroke.width / 2, as->thinnest);
        canvas->line(canvas, line[i].ends, 2, stroke);
    }
}

Point weight_line_legend_size(Canvas *canvas, const char *title) {
    const Metrics *metrics = &canvas->metrics;
    double width = canvas->measure(canvas, (Style){.bold = true}, title);
    return (Point){fmax(width, SAMPLE + metrics->gap + 5 * metrics->letter),
                   (1 + SAMPLES) * metrics->line};
}

void weight_line_legend(Canvas *canvas, Point at, const char *title,
                        const LineScale *as, Color color) {
    const Metrics *metrics = &canvas->metrics;
    double middle = at.y + metrics->line / 2;
    canvas->text(canvas, (Point){at.x, middle}, (Style){.bold = true}, title);
    for (int s = 0; s < SAMPLES; s++) {
        middle += metrics->line;
        const Point ends[] = {{at.x, middle}, {at.x + SAMPLE, middle}};
        canvas->line(canvas, ends, 2, weight_line_stroke(samples[s], as, color));
        canvas->text(canvas, (Point){at.x + SAMPLE + metrics->gap, middle}, (Style){0},
                     arena_print(canvas->arena, "%g", samples[s]));
    }
}

Color head_color(int head) {
    static const Color black = {0, 0, 0};
    enum { ROUNDS = 3 };
    Color color = palette_curve(head);
    switch (head / PALETTE_CURVES % ROUNDS) {
    case 0:
        return color;
    case 1:
        return palette_mix(color, black, 0.45);
    default:
        return palette_mix(color, color_white, 0.45);
    }
}
