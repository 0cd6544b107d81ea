#include "view/color_bar.h"

#include <math.h>

#include "base/language.h"

/* Pixels. */
enum { STRIP_WIDTH = 16, STRIP_LEAST = 140, STRIP_MOST = 300, STEPS = 60 };

static const double label_size = 0.92;

/* The least or the most of the scale, as a power of ten if it is that. */
static const char *bounds(const Scale *scale, bool most, Arena *arena) {
    bool beyond = most ? scale->above : scale->below;
    if (!scale->logarithmic || beyond) return scale_end(scale, most, arena);
    return scale_mark_text(scale, most ? scale->most : scale->least, 0, arena);
}

/* What follows the strip in a grid: the note, and what hatched cells are. */
static const char *hatched_text(const Scale *scale, Arena *arena) {
    return scale->hatched ? arena_print(arena, "╱╱ %s", scale->hatched) : "";
}

/* The strip with its numbers, the note and the hatched cells: in one line if that
 * fits, else one below the other. */
static void plan_grid(ColorBar *bar, Canvas *canvas, double numbers) {
    const Scale *scale = bar->scale;
    double most = canvas->metrics.most;
    Style style = {0};
    bar->strip = canvas->metrics.colors ? 20 : scale->kind == SCALE_SIGNED ? 18 : 10;
    double strip = bar->strip + numbers + 2;
    double note = canvas->measure(canvas, style, scale->note);
    double hatched = canvas->measure(canvas, style, hatched_text(scale, canvas->arena));
    bar->width = strip + 2 + note + (hatched > 0 ? 3 + hatched : 0);
    bar->height = 1;
    if (most <= 0 || bar->width <= most) return;
    bar->width = fmax(strip, fmax(note, hatched));
    bar->height = hatched > 0 ? 3 : 2;
}

/* A cell, and what it is. */
static double legend_width(Canvas *canvas, const char *word) {
    return STRIP_WIDTH + canvas->metrics.gap +
           canvas->measure(canvas, (Style){.size = label_size}, word);
}

ColorBar color_bar_plan(const Scale *scale, Canvas *canvas, double height) {
    Arena *arena = canvas->arena;
    const Metrics *metrics = &canvas->metrics;
    ColorBar bar = {.scale = scale, .height = metrics->line};
    const char *least = bounds(scale, false, arena);
    const char *most = bounds(scale, true, arena);
    double first = canvas->measure(canvas, (Style){0}, least);
    double last = canvas->measure(canvas, (Style){0}, most);
    if (metrics->characters) {
        plan_grid(&bar, canvas, first + last);
        return bar;
    }
    bar.numbers = fmax(first, last);
    bar.strip = fmin(fmax(height, STRIP_LEAST), STRIP_MOST);
    bar.height = bar.strip;
    /* How many kinds of cells need a word below the strip. */
    int legends = (scale->hatched != NULL) + scale->zeros;
    if (legends) bar.height += (legends + 1) * metrics->line + 4 * (legends - 1);
    bar.width = STRIP_WIDTH + 2 * metrics->gap + bar.numbers + metrics->line;
    if (scale->hatched)
        bar.width = fmax(bar.width, legend_width(canvas, scale->hatched));
    if (scale->zeros)
        bar.width = fmax(bar.width, legend_width(canvas, said("exactly 0")));
    return bar;
}

static void draw_grid(const ColorBar *bar, Canvas *canvas, Point at) {
    const Scale *scale = bar->scale;
    bool colors = canvas->metrics.colors;
    Style faint = {.faint = true};
    const char *least = bounds(scale, false, canvas->arena);
    const char *most = bounds(scale, true, canvas->arena);
    canvas->text(canvas, at, (Style){0}, least);
    Point place = {at.x + canvas->measure(canvas, (Style){0}, least) + 1, at.y};
    /* Colours, or the shades that stand for them, from the least to the most. */
    int steps = colors ? (int)bar->strip : (int)bar->strip / 2;
    double width = bar->strip / steps;
    for (int i = 0; i < steps; i++) {
        double strength = (i + 0.5) / steps;
        Point step = {place.x + i * width, at.y};
        if (colors)
            canvas->fill(canvas, (Box){step.x, step.y, width, 1},
                         scale_color(scale, strength));
        else
            canvas->text(canvas, step, (Style){0},
                         scale_shade(scale, scale_at(scale, strength)));
    }
    place.x += bar->strip + 1;
    canvas->text(canvas, place, (Style){0}, most);
    place.x += canvas->measure(canvas, (Style){0}, most) + 2;
    if (bar->height > 1) place = (Point){at.x, at.y + 1};
    canvas->text(canvas, place, faint, scale->note);
    place.x += canvas->measure(canvas, faint, scale->note) + 3;
    if (bar->height > 1) place = (Point){at.x, at.y + 2};
    canvas->text(canvas, place, faint, hatched_text(scale, canvas->arena));
}

static void draw_tick(const ColorBar *bar, Canvas *canvas, Point at, double value,
                      const char *text) {
    double x = at.x + STRIP_WIDTH;
    double y = at.y + (1 - scale_strength(bar->scale, value)) * bar->strip;
    y = fmin(fmax(floor(y), at.y + 1), at.y + bar->strip - 1) + 0.5;
    canvas->line(canvas, (Point[]){{x, y}, {x + 4, y}}, 2,
                 (Stroke){.color = color_grey, .width = 1});
    canvas->text(canvas, (Point){x + canvas->metrics.gap, y},
                 (Style){.size = label_size}, text);
}

/* The least or the most of the scale, as the round number `tick` if it is that. */
static const char *end_text(const Scale *scale, bool most, double tick, int decimals,
                            Arena *arena) {
    bool round = tick == (most ? scale->most : scale->least);
    bool beyond = most ? scale->above : scale->below;
    const char *text = scale_mark_text(scale, tick, decimals, arena);
    if (!round) return bounds(scale, most, arena);
    return beyond ? arena_print(arena, "%s %s", most ? "≥" : "≤", text) : text;
}

/* What cells without a colour are, below the strip. */
static void draw_legends(const ColorBar *bar, Canvas *canvas, Point at) {
    const Scale *scale = bar->scale;
    double line = canvas->metrics.line;
    Box cell = {at.x, at.y + bar->strip + line, STRIP_WIDTH, STRIP_WIDTH};
    Point beside = {at.x + STRIP_WIDTH + canvas->metrics.gap,
                    cell.y + STRIP_WIDTH / 2.0};
    Style style = {.size = label_size};
    if (scale->hatched) {
        canvas->hatch(canvas, cell);
        canvas->text(canvas, beside, style, scale->hatched);
        cell.y += line + 4;
        beside.y += line + 4;
    }
    if (!scale->zeros) return;
    Box frame = {cell.x + 0.5, cell.y + 0.5, cell.width - 1, cell.height - 1};
    canvas_outline(canvas, frame, 0, (Stroke){.color = color_light, .width = 1});
    canvas->text(canvas, beside, style, said("exactly 0"));
}

static void draw_picture(const ColorBar *bar, Canvas *canvas, Point at) {
    const Scale *scale = bar->scale;
    Arena *arena = canvas->arena;
    double line = canvas->metrics.line;
    double step = bar->strip / STEPS;
    for (int i = 0; i < STEPS; i++) {
        double top = floor(at.y + i * step);
        double bottom = floor(at.y + (i + 1) * step);
        canvas->fill(canvas, (Box){at.x, top, STRIP_WIDTH, bottom - top},
                     scale_color(scale, 1 - (i + 0.5) / STEPS));
    }
    /* Both ends of the scale, and round numbers where they leave room between. */
    double tick[TICKS_MOST];
    int decimals;
    int ticks = scale_marks(scale, 5, tick, &decimals);
    double room = line / bar->strip;
    for (int i = 0; i < ticks; i++) {
        double strength = scale_strength(scale, tick[i]);
        if (strength > room && strength < 1 - room)
            draw_tick(bar, canvas, at, tick[i],
                      scale_mark_text(scale, tick[i], decimals, arena));
    }
    draw_tick(bar, canvas, at, scale->least,
              end_text(scale, false, tick[0], decimals, arena));
    if (scale->most > scale->least)
        draw_tick(bar, canvas, at, scale->most,
                  end_text(scale, true, tick[ticks - 1], decimals, arena));
    Style style = {
        .align = ALIGN_MIDDLE, .angle = -90, .size = label_size, .faint = true};
    const char *note = scale->note;
    if (canvas->measure(canvas, style, note) > bar->strip + line) style.size = 0.7;
    Point beside = {at.x + STRIP_WIDTH + 2 * canvas->metrics.gap + bar->numbers +
                        line / 2,
                    at.y + bar->strip / 2};
    canvas->text(canvas, beside, style, note);
    draw_legends(bar, canvas, at);
}

void color_bar_draw(const ColorBar *bar, Canvas *canvas, Point at) {
    (canvas->metrics.characters ? draw_grid : draw_picture)(bar, canvas, at);
}
