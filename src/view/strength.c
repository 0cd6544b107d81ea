#include "view/strength.h"

#include <math.h>

#include "view/palette.h"

/* Pixels. */
enum { SAMPLE = 34 };

/* Weights in the legend. */
static const double samples[] = {1, 0.5, 0.2, 0.05};
enum { SAMPLES = sizeof samples / sizeof *samples };

Stroke strength_stroke(double weight, const Strength *as, Color color) {
    return (Stroke){.color = palette_mix(color_white, color, pow(weight, as->power)),
                    .width = as->thinnest + (as->widest - as->thinnest) * weight};
}

Point strength_samples_size(Canvas *canvas, const char *title) {
    const Metrics *metrics = &canvas->metrics;
    double width = canvas->measure(canvas, (Style){.bold = true}, title);
    return (Point){fmax(width, SAMPLE + metrics->gap + 5 * metrics->letter),
                   (1 + SAMPLES) * metrics->line};
}

void strength_samples(Canvas *canvas, Point at, const char *title, const Strength *as,
                      Color color, Arena *arena) {
    const Metrics *metrics = &canvas->metrics;
    double middle = at.y + metrics->line / 2;
    canvas->text(canvas, (Point){at.x, middle}, (Style){.bold = true}, title);
    for (int s = 0; s < SAMPLES; s++) {
        middle += metrics->line;
        const Point ends[] = {{at.x, middle}, {at.x + SAMPLE, middle}};
        canvas->line(canvas, ends, 2, strength_stroke(samples[s], as, color));
        canvas->text(canvas, (Point){at.x + SAMPLE + metrics->gap, middle}, (Style){0},
                     arena_print(arena, "%g", samples[s]));
    }
}
