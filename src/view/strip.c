#include "view/strip.h"

#include <math.h>

#include "base/interrupt.h"
#include "base/language.h"
#include "text/label.h"
#include "text/unicode.h"
#include "view/theme.h"

enum { LABEL_MOST = 14, NUMBER_LETTERS = 6, BAR_GRID = 12 }; /* letters */
enum { BAR = 84, APART = 30, ACROSS_MOST = 1100 };           /* pixels */

static const double bar_part = 0.62; /* of the height of a line */
static const double least = 0.0005;  /* "0.000" would not be true */

static const Color color_said = {0.93, 0.56, 0.20}, color_other = {0.62, 0.77, 0.88};

static const char *label_of(const StripLayout *layout, const StripWord *word,
                            Arena *arena) {
    const char *label = layout->plain ? label_bare(word->label) : word->label;
    return unicode_cut(label, LABEL_MOST, arena);
}

static int most_words(const Strip *strip) {
    int most = 0;
    for (int s = 0; s < strip->count; s++)
        most = strip->step[s].words > most ? strip->step[s].words : most;
    return most;
}

StripLayout strip_plan(const Strip *strip, bool plain, Canvas *canvas, Arena *arena) {
    const Metrics *metrics = &canvas->metrics;
    bool grid = metrics->characters;
    StripLayout layout = {.strip = strip, .plain = plain};
    layout.label = canvas->measure(canvas, (Style){0}, said("others"));
    for (int s = 0; s < strip->count; s++)
        for (int w = 0; w < strip->step[s].words; w++)
            layout.label = fmax(
                layout.label,
                canvas->measure(canvas, (Style){.bold = true},
                                label_of(&layout, &strip->step[s].word[w], arena)));
    layout.label = ceil(layout.label);
    layout.bar = grid ? BAR_GRID : BAR;
    layout.number = NUMBER_LETTERS * metrics->letter + (grid ? 0 : metrics->gap);
    double own =
        layout.label + metrics->gap + layout.bar + metrics->gap + layout.number;
    double apart = grid ? 3 : APART;
    double most = grid ? metrics->most : ACROSS_MOST;
    layout.across = own + apart;
    int fits = (int)fmax((most + apart) / layout.across, 1);
    int rows = (strip->count + fits - 1) / fits;
    layout.per_row = (strip->count + rows - 1) / rows; /* all of one length */
    /* A heading, the words, and the others. */
    double lines = (2 + most_words(strip)) * metrics->line;
    layout.down = lines + (grid ? 1 : metrics->line);
    layout.width = layout.per_row * layout.across - apart;
    layout.height = rows * layout.down - (layout.down - lines);
    return layout;
}

/* In letters a bar is letters, which show without colours, too. */
static void draw_bar(const StripLayout *layout, Canvas *canvas, Point at, double share,
                     bool is_said, Arena *arena) {
    const Metrics *metrics = &canvas->metrics;
    double length = fmin(fmax(share, 0), 1) * layout->bar;
    const Color *color = is_said ? &color_said : &color_other;
    if (metrics->characters) {
        const char *bar = share >= least && length < 0.5 ? "▏" : "";
        for (int i = 0; i < (int)round(length); i++)
            bar = arena_print(arena, "%s█", bar);
        canvas->text(canvas, at, (Style){.color = color}, bar);
        return;
    }
    double high = round(bar_part * metrics->line);
    canvas->fill(canvas, (Box){at.x, floor(at.y - high / 2), fmax(length, 1), high},
                 theme_color(canvas->theme, *color));
}

static const char *share_text(double share, Arena *arena) {
    return share > 0 && share < least ? "<0.001" : arena_print(arena, "%.3f", share);
}

static void draw_word(const StripLayout *layout, Canvas *canvas, Point at,
                      StripWord word, Style style, Arena *arena) {
    double gap = canvas->metrics.gap;
    double bar = at.x + layout->label + gap;
    Style left = style;
    left.align = ALIGN_END;
    canvas->text(canvas, (Point){at.x + layout->label, at.y}, left,
                 label_of(layout, &word, arena));
    draw_bar(layout, canvas, (Point){bar, at.y}, word.share, style.bold, arena);
    Style right = {.align = ALIGN_END, .bold = style.bold, .faint = style.faint};
    canvas->text(canvas, (Point){bar + layout->bar + gap + layout->number, at.y}, right,
                 share_text(word.share, arena));
}

static void draw_step(const StripLayout *layout, int s, Canvas *canvas, Point at,
                      Arena *arena) {
    const StripStep *step = &layout->strip->step[s];
    double line = canvas->metrics.line;
    Point middle = {at.x, at.y + line / 2};
    Point heading = {at.x + layout->label + canvas->metrics.gap, middle.y};
    canvas->text(canvas, heading, (Style){.faint = true},
                 arena_print(arena, "step.%d", s));
    for (int w = 0; w < step->words; w++) {
        middle.y += line;
        draw_word(layout, canvas, middle, step->word[w], (Style){.bold = w == 0},
                  arena);
    }
    middle.y += line;
    draw_word(layout, canvas, middle, (StripWord){said("others"), step->others},
              (Style){.faint = true}, arena);
}

void strip_draw(const StripLayout *layout, Canvas *canvas, Point at, Arena *arena) {
    for (int s = 0; s < layout->strip->count && !interrupt_signal(); s++) {
        const int row = s / layout->per_row;
        const int column = s % layout->per_row;
        Point corner = {at.x + column * layout->across, at.y + row * layout->down};
        draw_step(layout, s, canvas, corner, arena);
    }
}
