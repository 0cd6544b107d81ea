#include "figure/lines.h"

#include <math.h>
#include <stdlib.h>

#include "base/interrupt.h"
#include "base/language.h"
#include "chart/weight_line.h"

/* Maximum letters of a word; maximum words that can be distinguished in a column. */
enum { WORD_MAX = 20, WORDS_MAX = 300 };
/* More lines would be a gray patch, and take seconds to draw. */
enum { LINES_MAX = 8000 };

/* A weaker line would be as white as the paper. */
static const double weight_min = 0.005;
static const double rounding = 1e-4; /* float sums may exceed 1 by this */

/* Pixels. */
enum { PITCH = 26, PITCH_MANY = 20, MANY = 40, PITCH_HEADS = 52 };
enum { BETWEEN_MIN = 250, BETWEEN_MAX = 460, PAIR_GAP = 34, PAIRS_ACROSS = 1240 };
enum { HEADS_DOWN = 11, HEADS_APART = 6, SQUARE = 11, NUMBER_LETTERS = 5 };
enum { BAND = 12, BAND_HIGH = 14, BAND_MAX = 16 };

/* Most weights are small: a power below 1 keeps them visible without making them
 * equal. */
static const LineScale line_scale = {.power = 0.6, .thinnest = 0.7, .widest = 4.8};
static const double number_size = 0.85;

/* Open the whole axis if one index is selected, to highlight that word among all;
 * return the index, or LINES_ALL. A range stays a range. */
static int widen(Slice *slice, int axis) {
    int size = slice->tensor->axis[axis].size;
    if (size == 1 || slice->to[axis] - slice->from[axis] != 1) return LINES_ALL;
    int chosen = slice->from[axis];
    slice->from[axis] = 0;
    slice->to[axis] = size;
    return chosen;
}

static bool check_shares(const Matrix *head, Error *error) {
    for (int row = 0; row < head->rows; row++)
        for (int column = 0; column < head->columns; column++) {
            if (matrix_is_hatched(head, row, column)) continue;
            double value = matrix_value(head, row, column);
            if (value < 0 || value > 1 + rounding)
                return fail(error,
                            "lines show fractions from 0 to 1, such as attention "
                            "weights, but %s has %.3g; draw it as a heatmap",
                            head->slice.tensor->name, value);
        }
    return true;
}

/* Are both at the same position, except for the head? */
static bool is_of_pair(const Matrix *a, const Matrix *b) {
    const Tensor *tensor = a->slice.tensor;
    int head = tensor_axis(tensor, "head");
    for (int i = 0; i < tensor->rank; i++)
        if (i != head && a->slice.from[i] != b->slice.from[i]) return false;
    return true;
}

static const char **words_of(const Matrix *head, bool columns, Arena *arena) {
    return labels_cut(matrix_labels(head, columns, arena),
                      columns ? head->columns : head->rows, WORD_MAX, arena);
}

/* Append the pairs of one slice. */
static bool add_pairs(Work *work, Lines *lines, int s, Error *error) {
    const Figure *figure = work->figure;
    Slice slice = figure->slice[s];
    int rank = slice.tensor->rank;
    if (rank < 2)
        return fail(error, "%s has one axis; lines need tokens on two sides",
                    slice.tensor->name);
    LinesPair pair = {.row = widen(&slice, rank - 2),
                      .column = widen(&slice, rank - 1)};
    int count;
    const Matrix *list = figure_matrices(figure, &slice, s, work->arena, &count);
    const Matrix *first = &list[0];
    if (first->rows > WORDS_MAX || first->columns > WORDS_MAX)
        return fail(
            error,
            "lines between %d and %d tokens are unreadable; choose at most %d, as in "
            "[%s=0:50]",
            first->rows, first->columns, WORDS_MAX,
            matrix_axis(first, first->columns > WORDS_MAX)->name);
    /* "encoder.0, batch 1": distinguishes a pair from the others. */
    const char *called = figure_called(work, s);
    int batch = tensor_axis(slice.tensor, "batch");
    bool in_batch = batch >= 0 && slice.tensor->axis[batch].size > 1;
    for (int i = 0; i < count; i += pair.heads) {
        pair.head = &list[i];
        pair.heads = 0;
        while (i + pair.heads < count && is_of_pair(&list[i], &list[i + pair.heads]))
            if (!check_shares(&list[i + pair.heads++], error)) return false;
        pair.title = called;
        if (in_batch)
            pair.title =
                arena_print(work->arena, "%s%s%s %d", called, *called ? ", " : "",
                            slice.tensor->axis[batch].name, list[i].slice.from[batch]);
        pair.asking = words_of(&list[i], false, work->arena);
        pair.asked = words_of(&list[i], true, work->arena);
        ARENA_GROW(work->arena, lines->pair, lines->count, lines->capacity);
        lines->pair[lines->count++] = pair;
    }
    return true;
}

/* Return the title of a column: "query (target)". */
static const char *column_title(const Work *work, bool right) {
    const Tensor *tensor = work->figure->slice[0].tensor;
    const char *axis = tensor->axis[tensor->rank - (right ? 1 : 2)].name;
    const char *side = right ? work->figure->asked : work->figure->asking;
    return side ? arena_print(work->arena, "%s (%s)", axis, tr(side)) : axis;
}

static int by_size(const void *a, const void *b) {
    const Number one = *(const Number *)a;
    const Number other = *(const Number *)b;
    return (one < other) - (one > other);
}

/* Choose the smallest weight with a line: if there are very many, only the strongest
 * get one. */
static double choose_min(const Lines *lines, Arena *arena) {
    Number *weight = NULL;
    int count = 0;
    int capacity = 0;
    for (int p = 0; p < lines->count; p++)
        for (int h = 0; h < lines->pair[p].heads; h++) {
            const Matrix *head = &lines->pair[p].head[h];
            for (int i = 0; i < head->rows * head->columns; i++) {
                if (lines_lack(lines, head, i / head->columns, i % head->columns))
                    continue;
                ARENA_GROW(arena, weight, count, capacity);
                weight[count++] =
                    (Number)matrix_value(head, i / head->columns, i % head->columns);
            }
        }
    if (count <= LINES_MAX) return weight_min;
    qsort(weight, (size_t)count, sizeof *weight, by_size);
    /* Round up slightly, since the note shows this number. */
    const double round = 1000;
    return ceil((double)weight[LINES_MAX] * round + 1 / round) / round;
}

/* Does any cell have no line because it is masked, or (`masked` false) not a number? */
static bool lacks(const LinesPair *pair, bool masked) {
    const Matrix *matrix = pair->head;
    for (int h = 0; h < pair->heads; h++, matrix++)
        for (int i = 0; i < matrix->rows * matrix->columns; i++) {
            int row = i / matrix->columns;
            int column = i % matrix->columns;
            const int cell = matrix_cell(matrix, row, column);
            const bool hidden = matrix->hidden && matrix->hidden[cell];
            if (matrix_is_hatched(matrix, row, column) && hidden == masked) return true;
        }
    return false;
}

static const char *note(const Lines *lines, Arena *arena) {
    bool masked = false;
    bool wrong = false;
    bool many = lines->pair[0].heads > 1;
    for (int p = 0; p < lines->count; p++) {
        masked = masked || lacks(&lines->pair[p], true);
        wrong = wrong || lacks(&lines->pair[p], false);
    }
    const char *text =
        trf(arena,
            "A line for each weight: the larger the weight, the wider and clearer "
            "the line; below %g there is no line.",
            lines->min);
    return arena_print(
        arena, "%s%s%s%s%s%s%s", text, masked ? " " : "",
        masked ? tr("Masked weights have no line.") : "", wrong ? " " : "",
        wrong ? tr("Values that are not numbers have no line.") : "", many ? " " : "",
        many ? tr("At each token the first head is on top.") : "");
}

/* Return the width of the weights beside the words of this column. They are shown for a
 * chosen word: for one head the number, for several a row of squares, one per head, as
 * dark as the weights. */
static double weights_width(const LinesPair *pair, Canvas *canvas, bool right) {
    bool one = (pair->row == LINES_ALL) != (pair->column == LINES_ALL);
    if (!one || (pair->row != LINES_ALL) != right || pair->heads > BAND_MAX) return 0;
    return pair->heads == 1 ? NUMBER_LETTERS * canvas->metrics.letter
                            : pair->heads * BAND + canvas->metrics.gap;
}

/* Return the width of a column, including its weights. */
static double column_width(const LinesPair *pair, Canvas *canvas, bool right,
                           const char *title) {
    const Style bold = {.bold = true};
    int count = right ? pair->head->columns : pair->head->rows;
    double words =
        canvas_widest(canvas, bold, right ? pair->asked : pair->asking, count);
    return ceil(fmax(words, canvas->measure(canvas, bold, title))) +
           weights_width(pair, canvas, right) + canvas->metrics.gap;
}

/* Place the legend: the heads by color, then the meaning of the widths. */
static void place_legend(Work *work, Lines *lines) {
    Canvas *canvas = work->canvas;
    const Metrics *metrics = &canvas->metrics;
    const LinesPair *pair = &lines->pair[0];
    lines->legend =
        (Point){work->width + 2 * metrics->gap, lines->words - metrics->line / 2};
    const Point weights = weight_line_legend_size(canvas, tr("weight"));
    double width = weights.x;
    int down = 0; /* lines of the legend above the weights */
    if (pair->heads > 1) {
        const char *last = arena_print(work->arena, "head %d",
                                       lines_head(&pair->head[pair->heads - 1]));
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

static void draw_lines(const Lines *lines, const LinesPair *pair, Canvas *canvas,
                       Point at) {
    /* Lines of several heads end at a word one below the other. */
    double apart = fmin(HEADS_APART, 0.8 * lines->pitch / pair->heads);
    double left = at.x + pair->between.x;
    double right = left + pair->between.width;
    WeightLine *line = NULL;
    int count = 0;
    int capacity = 0;
    for (int h = 0; h < pair->heads; h++) {
        const Matrix *head = &pair->head[h];
        double y = at.y + lines->words + (h - (pair->heads - 1) / 2.0) * apart;
        for (int i = 0; i < head->rows * head->columns; i++) {
            int row = i / head->columns;
            int column = i % head->columns;
            if (lines_lack(lines, head, row, column)) continue;
            ARENA_GROW(canvas->arena, line, count, capacity);
            line[count] = (WeightLine){
                matrix_value(head, row, column),
                !((pair->row == LINES_ALL || pair->row == row) &&
                  (pair->column == LINES_ALL || pair->column == column)),
                count,
                {{left, y + row * lines->pitch}, {right, y + column * lines->pitch}},
                head_color(lines_head(head))};
            count++;
        }
    }
    weight_lines_draw(line, count, &line_scale, canvas);
}

/* Draw what is between the lines and word `i` of the column without a chosen word. */
static void draw_weights(const LinesPair *pair, Canvas *canvas, int i, Point at,
                         Align align) {
    int row = pair->row == LINES_ALL ? i : pair->row;
    int column = pair->row == LINES_ALL ? pair->column : i;
    double left = align == ALIGN_START ? at.x : at.x - pair->heads * BAND;
    for (int h = 0; h < pair->heads; h++) {
        const Matrix *head = &pair->head[h];
        if (matrix_is_hatched(head, row, column)) continue;
        double weight = matrix_value(head, row, column);
        if (pair->heads == 1) {
            canvas->text(canvas, at, (Style){.align = align, .size = number_size},
                         arena_print(canvas->arena, "%.2f", weight));
            continue;
        }
        Box square = {left + h * BAND, floor(at.y - BAND_HIGH / 2.0), BAND, BAND_HIGH};
        Color color = head_color(lines_head(head));
        color = weight_line_stroke(weight, &line_scale, color).color;
        canvas->fill(canvas, square, theme_color(canvas->theme, color));
    }
}

/* Draw one column; `edge` is its end toward the lines. */
static void draw_words(const Lines *lines, const LinesPair *pair, Canvas *canvas,
                       Point edge, bool right) {
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
        if (weights > 0) draw_weights(pair, canvas, i, (Point){edge.x, at.y}, align);
    }
}

static void draw_picture(Work *work, Point at) {
    const Lines *lines = work->own;
    Canvas *canvas = work->canvas;
    const Metrics *metrics = &canvas->metrics;
    for (int p = 0; p < lines->count && !interrupt_signal(); p++) {
        const LinesPair *pair = &lines->pair[p];
        const Point corner = {at.x + pair->at.x, at.y + pair->at.y};
        double left = corner.x + pair->between.x;
        double right = left + pair->between.width;
        double y = corner.y + lines->words;
        if (*pair->title)
            canvas->text(canvas,
                         (Point){(left + right) / 2, corner.y + metrics->line / 2},
                         (Style){.align = ALIGN_MIDDLE, .bold = true}, pair->title);
        draw_lines(lines, pair, canvas, corner);
        draw_words(lines, pair, canvas, (Point){left - metrics->gap, y}, false);
        draw_words(lines, pair, canvas, (Point){right + metrics->gap, y}, true);
    }
    /* The heads by color, then the meaning of the widths. */
    at.x += lines->legend.x;
    at.y += lines->legend.y;
    const LinesPair *pair = &lines->pair[0];
    for (int h = 0; h < pair->heads && pair->heads > 1; h++) {
        int head = lines_head(&pair->head[h]);
        int column = h / lines->heads_down;
        double x = at.x + column * lines->heads_across;
        double middle = at.y + (h % lines->heads_down + 0.5) * metrics->line;
        Box square = {x, floor(middle - SQUARE / 2.0), SQUARE, SQUARE};
        canvas->fill(canvas, square, theme_color(canvas->theme, head_color(head)));
        canvas->text(canvas, (Point){x + SQUARE + metrics->gap, middle}, (Style){0},
                     arena_print(canvas->arena, "head %d", head));
    }
    weight_line_legend(
        canvas, (Point){at.x, at.y + lines->legend_weights}, tr("weight"), &line_scale,
        pair->heads > 1 ? color_black : head_color(lines_head(&pair->head[0])));
}

static void plan_picture(Work *work, Lines *lines) {
    Canvas *canvas = work->canvas;
    int max = 0;
    int heads = lines->pair[0].heads;
    bool titled = false;
    for (int p = 0; p < lines->count; p++) {
        const Matrix *head = lines->pair[p].head;
        max = (int)fmax(max, fmax(head->rows, head->columns));
        titled = titled || *lines->pair[p].title;
    }
    double line = canvas->metrics.line;
    lines->pitch =
        max > MANY ? PITCH_MANY : fmax(PITCH, fmin(heads * 4.5, PITCH_HEADS));
    lines->pitch = fmax(lines->pitch, PITCH_MANY * canvas_growth(canvas));
    lines->words = line + 4 + line / 2 + (titled ? line + 4 : 0);
    for (int p = 0; p < lines->count; p++) {
        LinesPair *pair = &lines->pair[p];
        int words = (int)fmax(pair->head->rows, pair->head->columns);
        double left = column_width(pair, canvas, false, lines->left_title);
        double right = column_width(pair, canvas, true, lines->right_title);
        pair->between =
            (Box){left, lines->words - lines->pitch / 2,
                  fmin(BETWEEN_MIN + 4.0 * words, BETWEEN_MAX), words * lines->pitch};
        pair->width = left + pair->between.width + right;
        pair->height = pair->between.y + pair->between.height;
    }
    /* Side by side as long as they fit, in rows of equal length. */
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
    place_legend(work, lines);
    work->draw = draw_picture;
}

bool plan_lines(Work *work, Error *error) {
    Lines *lines = ARENA_ARRAY(work->arena, Lines, 1);
    for (int s = 0; s < work->figure->slices; s++)
        if (!add_pairs(work, lines, s, error)) return false;
    lines->min = weight_min;
    lines->min = choose_min(lines, work->arena);
    lines->left_title = column_title(work, false);
    lines->right_title = column_title(work, true);
    work->own = lines;
    if (work->canvas->metrics.characters) {
        lines_plan_text(work, lines);
        return true;
    }
    plan_picture(work, lines);
    work->note = note(lines, work->arena);
    lines_describe(work, lines);
    return true;
}
