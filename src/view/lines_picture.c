#include <math.h>
#include <stdlib.h>

#include "base/interrupt.h"
#include "base/language.h"
#include "view/lines.h"
#include "view/palette.h"

/* Pixels. */
enum { PITCH = 26, PITCH_MANY = 20, MANY = 40, PITCH_HEADS = 52 };
enum { BETWEEN_LEAST = 250, BETWEEN_MOST = 460, PAIR_GAP = 34, PAIRS_ACROSS = 1240 };
enum { HEADS_DOWN = 11, HEADS_APART = 6, SQUARE = 11, NUMBER_LETTERS = 5 };
enum { BAND = 12, BAND_HIGH = 14, BAND_MOST = 16 };

/* Most weights are small: a root keeps them visible without making them equal. */
static const Strength strength = {.power = 0.6, .thinnest = 0.7, .widest = 4.8};
static const double pale = 0.16; /* what is left of lines that were not chosen */
static const double number_size = 0.85;

/* A line on its way to the canvas. */
typedef struct {
    double weight;
    bool strong;
    int number; /* of equally strong ones the first comes first */
    Point from, to;
    Color color;
} Line;

/* Of a line that was not chosen. */
static Stroke pale_stroke(double weight) {
    Stroke stroke =
        strength_stroke(weight, &strength, palette_mix(color_white, color_grey, pale));
    stroke.width = fmax(stroke.width / 2, strength.thinnest);
    return stroke;
}

static double widest_word(Canvas *canvas, const char *const *word, int count,
                          const char *title) {
    double most = canvas->measure(canvas, (Style){.bold = true}, title);
    for (int i = 0; i < count; i++)
        most = fmax(most, canvas->measure(canvas, (Style){.bold = true}, word[i]));
    return ceil(most);
}

/* Weights stand beside the words where they are those of one word: of one head its
 * number, of several a band of squares as dark as the weights, in the order of the
 * heads. The room that they take in this column. */
static double weights_width(const LinesPair *pair, Canvas *canvas, bool right) {
    bool one = (pair->row == LINES_ALL) != (pair->column == LINES_ALL);
    if (!one || (pair->row != LINES_ALL) != right || pair->heads > BAND_MOST) return 0;
    return pair->heads == 1 ? NUMBER_LETTERS * canvas->metrics.letter
                            : pair->heads * BAND + canvas->metrics.gap;
}

static void plan_pair(const Lines *lines, LinesPair *pair, Canvas *canvas) {
    const Matrix *head = pair->head;
    const Metrics *metrics = &canvas->metrics;
    int most = head->rows > head->columns ? head->rows : head->columns;
    double left = widest_word(canvas, pair->asking, head->rows, lines->left_title) +
                  weights_width(pair, canvas, false) + metrics->gap;
    double right = widest_word(canvas, pair->asked, head->columns, lines->right_title) +
                   weights_width(pair, canvas, true) + metrics->gap;
    pair->between =
        (Box){left, lines->words - lines->pitch / 2,
              fmin(BETWEEN_LEAST + 4.0 * most, BETWEEN_MOST), most * lines->pitch};
    pair->width = left + pair->between.width + right;
    pair->height = pair->between.y + pair->between.height;
}

/* Side by side as far as the page goes, and in rows that are equally long. */
static void place_pairs(Work *work, Lines *lines) {
    double widest_pair = 0;
    for (int p = 0; p < lines->count; p++)
        widest_pair = fmax(widest_pair, lines->pair[p].width);
    int fits = (int)fmax((PAIRS_ACROSS + PAIR_GAP) / (widest_pair + PAIR_GAP), 1);
    int rows = (lines->count + fits - 1) / fits;
    lines->per_row = (lines->count + rows - 1) / rows;
    double y = 0;
    double highest = 0;
    for (int p = 0; p < lines->count; p++) {
        LinesPair *pair = &lines->pair[p];
        if (p && p % lines->per_row == 0) {
            y += highest + PAIR_GAP;
            highest = 0;
        }
        pair->at = (Point){p % lines->per_row * (widest_pair + PAIR_GAP), y};
        highest = fmax(highest, pair->height);
        work->width = fmax(work->width, pair->at.x + pair->width);
    }
    work->height = y + highest;
}

/* "head 3" */
static const char *head_name(const Matrix *head, Arena *arena) {
    return arena_print(arena, "head %d", lines_head(head));
}

/* The heads by colour, then what a width stands for. */
static void place_legend(Work *work, Lines *lines) {
    Canvas *canvas = work->canvas;
    const Metrics *metrics = &canvas->metrics;
    const LinesPair *pair = &lines->pair[0];
    lines->legend =
        (Point){work->width + 2 * metrics->gap, lines->words - metrics->line / 2};
    const Point weights = strength_samples_size(canvas, said("weight"));
    double width = weights.x;
    int down = 0; /* lines of the legend above the weights */
    if (pair->heads > 1) {
        const char *last = head_name(&pair->head[pair->heads - 1], work->arena);
        int room = (int)((work->height - lines->words - weights.y) / metrics->line);
        lines->heads_down = room > HEADS_DOWN ? room : HEADS_DOWN;
        lines->heads_across =
            SQUARE + 3 * metrics->gap + ceil(canvas->measure(canvas, (Style){0}, last));
        int columns = (pair->heads + lines->heads_down - 1) / lines->heads_down;
        width = fmax(width, columns * lines->heads_across - 2 * metrics->gap);
        down = 1 + (pair->heads < lines->heads_down ? pair->heads : lines->heads_down);
    }
    lines->legend_weights = down * metrics->line;
    work->width = ceil(lines->legend.x + width);
    work->height =
        fmax(work->height, lines->legend.y + lines->legend_weights + weights.y);
}

/* Where the lines of a head end at a word, from the word's middle. */
static double offset_of(const Lines *lines, const LinesPair *pair, int h) {
    double apart = fmin(HEADS_APART, 0.8 * lines->pitch / pair->heads);
    return (h - (pair->heads - 1) / 2.0) * apart;
}

static int compare(const void *a, const void *b) {
    const Line *one = a;
    const Line *other = b;
    if (one->strong != other->strong) return one->strong ? 1 : -1;
    if (one->weight != other->weight) return one->weight < other->weight ? -1 : 1;
    return one->number - other->number;
}

static Line *collect(const Lines *lines, const LinesPair *pair, Point at, Arena *arena,
                     int *count) {
    const Matrix *head = pair->head;
    Line *line = NULL;
    int capacity = 0;
    double left = at.x + pair->between.x;
    double right = left + pair->between.width;
    for (int h = 0; h < pair->heads; h++)
        for (int i = 0; i < head->rows * head->columns; i++) {
            int row = i / head->columns;
            int column = i % head->columns;
            if (lines_leave_out(lines, &pair->head[h], row, column)) continue;
            double y = at.y + lines->words + offset_of(lines, pair, h);
            ARENA_GROW(arena, line, *count, capacity);
            line[*count] = (Line){matrix_value(&pair->head[h], row, column),
                                  lines_chosen(pair, row, column),
                                  *count,
                                  {left, y + row * lines->pitch},
                                  {right, y + column * lines->pitch},
                                  lines_color(lines_head(&pair->head[h]))};
            ++*count;
        }
    return line;
}

/* The weak ones first, so that none lies over a stronger one. */
static void draw_lines(const Lines *lines, const LinesPair *pair, Canvas *canvas,
                       Point at, Arena *arena) {
    int count = 0;
    Line *line = collect(lines, pair, at, arena, &count);
    if (count) qsort(line, (size_t)count, sizeof *line, compare);
    for (int i = 0; i < count && !interrupt_signal(); i++) {
        const Point ends[] = {line[i].from, line[i].to};
        canvas->line(canvas, ends, 2,
                     line[i].strong
                         ? strength_stroke(line[i].weight, &strength, line[i].color)
                         : pale_stroke(line[i].weight));
    }
}

static void draw_band(const LinesPair *pair, Canvas *canvas, int row, int column,
                      Box first) {
    for (int h = 0; h < pair->heads; h++, first.x += BAND) {
        const Matrix *head = &pair->head[h];
        if (matrix_is_hatched(head, row, column)) continue;
        double weight = matrix_value(head, row, column);
        Color color = lines_color(lines_head(head));
        color = strength_stroke(weight, &strength, color).color;
        canvas->fill(canvas, first, theme_color(canvas->theme, color));
    }
}

/* What stands between the lines and word `i` of the column of those who were not
 * chosen. */
static void draw_weights(const LinesPair *pair, Canvas *canvas, int i, Point at,
                         Align align, Arena *arena) {
    int row = pair->row == LINES_ALL ? i : pair->row;
    int column = pair->row == LINES_ALL ? pair->column : i;
    if (pair->heads > 1) {
        double left = align == ALIGN_START ? at.x : at.x - pair->heads * BAND;
        draw_band(pair, canvas, row, column,
                  (Box){left, floor(at.y - BAND_HIGH / 2.0), BAND, BAND_HIGH});
    } else if (!matrix_is_hatched(pair->head, row, column)) {
        canvas->text(canvas, at, (Style){.align = align, .size = number_size},
                     arena_print(arena, "%.2f", matrix_value(pair->head, row, column)));
    }
}

/* One column: `edge` is where it ends, towards the lines. */
static void draw_words(const Lines *lines, const LinesPair *pair, Canvas *canvas,
                       Point edge, bool right, Arena *arena) {
    int count = right ? pair->head->columns : pair->head->rows;
    int chosen = right ? pair->column : pair->row;
    bool fades = chosen != LINES_ALL;
    double weights = weights_width(pair, canvas, right);
    Align align = right ? ALIGN_START : ALIGN_END;
    double away = right ? weights : -weights;
    const char *title = right ? lines->right_title : lines->left_title;
    canvas->text(canvas, (Point){edge.x + away, edge.y - canvas->metrics.line - 4},
                 (Style){.align = align, .bold = true}, title);
    for (int i = 0; i < count; i++) {
        Point at = {edge.x + away, edge.y + i * lines->pitch};
        Style style = {
            .align = align, .bold = i == chosen, .faint = fades && i != chosen};
        canvas->text(canvas, at, style, right ? pair->asked[i] : pair->asking[i]);
        if (weights > 0)
            draw_weights(pair, canvas, i, (Point){edge.x, at.y}, align, arena);
    }
}

static void draw_pair(const Lines *lines, const LinesPair *pair, Canvas *canvas,
                      Point at, Arena *arena) {
    double gap = canvas->metrics.gap;
    double left = at.x + pair->between.x;
    double right = left + pair->between.width;
    if (*pair->title)
        canvas->text(canvas,
                     (Point){(left + right) / 2, at.y + canvas->metrics.line / 2},
                     (Style){.align = ALIGN_MIDDLE, .bold = true}, pair->title);
    draw_lines(lines, pair, canvas, at, arena);
    draw_words(lines, pair, canvas, (Point){left - gap, at.y + lines->words}, false,
               arena);
    draw_words(lines, pair, canvas, (Point){right + gap, at.y + lines->words}, true,
               arena);
}

static void draw_heads(const Lines *lines, Canvas *canvas, Point at, Arena *arena) {
    const Metrics *metrics = &canvas->metrics;
    const LinesPair *pair = &lines->pair[0];
    for (int h = 0; h < pair->heads; h++) {
        int column = h / lines->heads_down;
        double x = at.x + column * lines->heads_across;
        double middle = at.y + (h % lines->heads_down + 0.5) * metrics->line;
        Box square = {x, floor(middle - SQUARE / 2.0), SQUARE, SQUARE};
        canvas->fill(
            canvas, square,
            theme_color(canvas->theme, lines_color(lines_head(&pair->head[h]))));
        canvas->text(canvas, (Point){x + SQUARE + metrics->gap, middle}, (Style){0},
                     head_name(&pair->head[h], arena));
    }
}

static void draw_legend(const Lines *lines, Canvas *canvas, Point at, Arena *arena) {
    const LinesPair *pair = &lines->pair[0];
    Color color =
        pair->heads > 1 ? color_black : lines_color(lines_head(&pair->head[0]));
    if (pair->heads > 1) draw_heads(lines, canvas, at, arena);
    strength_samples(canvas, (Point){at.x, at.y + lines->legend_weights},
                     said("weight"), &strength, color, arena);
}

static void draw(Work *work, Point at) {
    const Lines *lines = work->own;
    for (int p = 0; p < lines->count && !interrupt_signal(); p++) {
        const LinesPair *pair = &lines->pair[p];
        draw_pair(lines, pair, work->canvas,
                  (Point){at.x + pair->at.x, at.y + pair->at.y}, work->arena);
    }
    draw_legend(lines, work->canvas,
                (Point){at.x + lines->legend.x, at.y + lines->legend.y}, work->arena);
}

void lines_plan_picture(Work *work) {
    Lines *lines = work->own;
    int most = 0;
    int heads = lines->pair[0].heads;
    bool titled = false;
    for (int p = 0; p < lines->count; p++) {
        const Matrix *head = lines->pair[p].head;
        most = (int)fmax(most, fmax(head->rows, head->columns));
        titled = titled || *lines->pair[p].title;
    }
    double line = work->canvas->metrics.line;
    lines->pitch =
        most > MANY ? PITCH_MANY : fmax(PITCH, fmin(heads * 4.5, PITCH_HEADS));
    lines->words = line + 4 + line / 2 + (titled ? line + 4 : 0);
    for (int p = 0; p < lines->count; p++)
        plan_pair(lines, &lines->pair[p], work->canvas);
    place_pairs(work, lines);
    place_legend(work, lines);
    work->draw = draw;
}
