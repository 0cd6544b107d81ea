#include "canvas/canvas.h"

#include <math.h>

#include "base/interrupt.h"
#include "text/unicode.h"

const double stroke_dashes[STROKE_DASHES][4] = {
    {0}, {8, 4, 8, 4}, {2, 3, 2, 3}, {9, 3, 2, 3}, {14, 5, 14, 5}};

void canvas_outline(Canvas *canvas, Box box, double beyond, Stroke stroke) {
    double right = box.x + box.width;
    double bottom = box.y + box.height;
    const Point corner[] = {{box.x, box.y},
                            {right, box.y},
                            {right, bottom},
                            {box.x, bottom},
                            {box.x, box.y - beyond}};
    canvas->line(canvas, corner, 5, stroke);
}

double canvas_growth(const Canvas *canvas) {
    return fmax(canvas->metrics.line / LETTERS_LINE, 1);
}

double canvas_widest(Canvas *canvas, Style style, const char *const *text, int count) {
    double max = 0;
    for (int i = 0; i < count && !interrupt_signal(); i++)
        max = fmax(max, canvas->measure(canvas, style, text[i]));
    return max;
}

/* Angle of sloping labels in degrees, so steep that a label stays near its column: half
 * of its length extends over its neighbors. Labels do not touch if the pitch is at
 * least this many lines: 1 / sin(60 degrees). */
static const double slope = -60, slope_cosine = 0.5, slope_sine = 0.87;
static const double slope_pitch = 1.15;

static double widest(Canvas *canvas, const Labels *labels, Style style) {
    double max = 0;
    for (int i = 0; i < labels->count && !interrupt_signal(); i += labels->step)
        max = fmax(max, canvas->measure(canvas, style, labels->text[i]));
    return max;
}

/* Return the first of the steps 1, 2, 5, 10, 20 ... with at least `room` per label. */
static int thinned(double pitch, double room) {
    int step = 1;
    for (int i = 0; step * pitch < room && step < 100000000; i++)
        step = i % 3 == 1 ? step / 2 * 5 : step * 2;
    return step;
}

Labels labels_across(Canvas *canvas, const char *const *text, int count, double pitch,
                     bool words, bool below) {
    const Metrics *metrics = &canvas->metrics;
    Labels labels = {.text = text,
                     .count = count,
                     .pitch = pitch,
                     .step = 1,
                     .below = below,
                     .style = {.align = ALIGN_MIDDLE}};
    double between = metrics->characters ? 1 : 1.5 * metrics->letter;
    double width = widest(canvas, &labels, labels.style);
    labels.extent = metrics->line;
    if (!words) labels.step = thinned(pitch, width + between);
    if (!words || width + between <= pitch || count == 1) return labels;
    bool slopes = !metrics->characters && pitch >= slope_pitch * metrics->line;
    labels.style.angle = slopes ? slope : 90;
    labels.style.align = slopes && !below ? ALIGN_END : ALIGN_START;
    if (!slopes && below) labels.style.align = ALIGN_END;
    labels.step = thinned(pitch, metrics->characters ? 2 : 0.8 * metrics->line);
    if (slopes) labels.step = 1;
    width = widest(canvas, &labels, labels.style);
    if (slopes) labels.hang = slope_cosine;
    double rise =
        slopes ? width * slope_sine + metrics->line : width + metrics->line / 2;
    labels.extent = metrics->characters ? width : rise;
    return labels;
}

Labels labels_down(Canvas *canvas, const char *const *text, int count, double pitch) {
    Labels labels = {
        .text = text, .count = count, .pitch = pitch, .style = {.align = ALIGN_END}};
    labels.step =
        thinned(pitch, canvas->metrics.characters ? 1 : 0.75 * canvas->metrics.line);
    labels.extent = widest(canvas, &labels, labels.style);
    return labels;
}

void labels_draw_across(const Labels *labels, Canvas *canvas, Point at) {
    const Metrics *metrics = &canvas->metrics;
    /* Level text is centered on its line. Sloping text must clear the axis with the
     * corner of its last letter. Vertical text starts at the axis. */
    double away = labels->style.angle == 90 ? metrics->gap / 2 : metrics->line / 2;
    if (metrics->characters) away = labels->style.angle == 0 || labels->below ? 1 : 0;
    for (int i = 0; i < labels->count && !interrupt_signal(); i += labels->step) {
        Point place = {at.x + i * labels->pitch, at.y + (labels->below ? away : -away)};
        canvas->text(canvas, place, labels->style, labels->text[i]);
    }
}

void labels_draw_down(const Labels *labels, Canvas *canvas, Point at) {
    for (int i = 0; i < labels->count && !interrupt_signal(); i += labels->step)
        canvas->text(canvas, (Point){at.x, at.y + i * labels->pitch}, labels->style,
                     labels->text[i]);
}

const char **labels_cut(const char *const *text, int count, int cells, Arena *arena) {
    const char **cut = ARENA_ARRAY(arena, const char *, count);
    for (int i = 0; i < count; i++) cut[i] = unicode_cut(text[i], cells, arena);
    return cut;
}

const char **labels_shorten(const char *const *text, int count, int letters,
                            Arena *arena) {
    const char **shorter = ARENA_ARRAY(arena, const char *, count);
    for (int i = 0; i < count; i++) {
        const char *end = text[i];
        const char *last = end; /* start of the last letter that fits */
        for (int fits = 0; *end && fits < letters; fits++) {
            last = end;
            end += unicode_grapheme(end);
        }
        shorter[i] = *end ? arena_print(arena, "%.*s…", (int)(last - text[i]), text[i])
                          : text[i];
    }
    return shorter;
}
