/* Nothing in a figure is cut, covered or misplaced: lay out figures of every size with
 * the letters of a picture, and check the boxes of their texts. */
#include <stdlib.h>

#include "units/recording_canvas.h"

#include "canvas/picture.h"

static Arena arena;
static Error error;
static PictureOptions options; /* the size of letters; 0: default */

/* A text as a box that may be rotated. */
typedef struct {
    const char *text;
    Point at, corner[4];
    Style style;
} Written;

/* Letters are lower than their line. */
static void set_corners(Written *written, double width) {
    const double ink = 9.5 * (options.body > 0 ? options.body / LETTERS_BODY : 1);
    const double turn = written->style.angle * acos(-1) / 180;
    double part = written->style.align == ALIGN_END      ? 1
                  : written->style.align == ALIGN_MIDDLE ? 0.5
                                                         : 0;
    double high = ink * (written->style.size > 0 ? written->style.size : 1) / 2;
    for (int c = 0; c < 4; c++) {
        double along = (c == 0 || c == 3 ? 0 : width) - part * width;
        double across = c < 2 ? -high : high;
        written->corner[c] =
            (Point){written->at.x + along * cos(turn) + across * sin(turn),
                    written->at.y - along * sin(turn) + across * cos(turn)};
    }
}

static Written *written_on(const Recording *recording) {
    Written *written = ARENA_ARRAY(&arena, Written, recording->words);
    for (int w = 0; w < recording->words; w++) {
        const RecordedWord *word = &recording->word[w];
        written[w] =
            (Written){.text = word->text, .at = word->at, .style = word->style};
        set_corners(&written[w], word->width);
    }
    return written;
}

/* How far the corners reach in a direction. */
static void span(const Written *written, Point direction, double *min, double *max) {
    *min = INFINITY;
    *max = -INFINITY;
    for (int c = 0; c < 4; c++) {
        double reach =
            written->corner[c].x * direction.x + written->corner[c].y * direction.y;
        *min = fmin(*min, reach);
        *max = fmax(*max, reach);
    }
}

/* Two boxes are separate if one of their sides separates them. */
static bool apart_along(const Written *a, const Written *b, Point side) {
    double a_min, a_max, b_min, b_max;
    span(a, side, &a_min, &a_max);
    span(b, side, &b_min, &b_max);
    double length = hypot(side.x, side.y);
    return a_max <= b_min + 0.5 * length || b_max <= a_min + 0.5 * length;
}

static bool overlap(const Written *a, const Written *b) {
    const Written *const both[] = {a, b};
    if (apart_along(a, b, (Point){1, 0}) || apart_along(a, b, (Point){0, 1}))
        return false;
    for (int w = 0; w < 2; w++)
        for (int c = 0; c < 2; c++) {
            Point from = both[w]->corner[c];
            Point to = both[w]->corner[c + 1];
            if (hypot(to.x - from.x, to.y - from.y) < 1e-9) continue;
            if (apart_along(a, b, (Point){to.x - from.x, to.y - from.y})) return false;
        }
    return true;
}

static void check_inside(const Recording *recording, const Written *written,
                         const char *what) {
    for (int c = 0; c < 4; c++) {
        Point corner = written->corner[c];
        if (corner.x < 0 || corner.y < 0 || corner.x > recording->width ||
            corner.y > recording->height)
            fail_msg("%s: '%s' reaches over the edge, to %.1f, %.1f of %.1f x %.1f",
                     what, written->text, corner.x, corner.y, recording->width,
                     recording->height);
    }
}

static int from_left(const void *one, const void *other) {
    const Written *a = one;
    const Written *b = other;
    double a_min, b_min, max;
    span(a, (Point){1, 0}, &a_min, &max);
    span(b, (Point){1, 0}, &b_min, &max);
    return a_min < b_min ? -1 : a_min > b_min;
}

static void check_texts(const Recording *recording, const char *what) {
    Written *all = written_on(recording);
    qsort(all, (size_t)recording->words, sizeof *all, from_left);
    for (int t = 0; t < recording->words; t++) {
        const Written *written = &all[t];
        double min, max, next;
        check_inside(recording, written, what);
        span(written, (Point){1, 0}, &min, &max);
        for (int o = t + 1; o < recording->words; o++) {
            double other_max;
            span(&all[o], (Point){1, 0}, &next, &other_max);
            if (next > max) break;
            if (overlap(written, &all[o]))
                fail_msg("%s: '%s' at %.1f, %.1f and '%s' at %.1f, %.1f overlap", what,
                         written->text, written->at.x, written->at.y, all[o].text,
                         all[o].at.x, all[o].at.y);
        }
    }
}

/* Return where the cells of panel `h` start; the first filled box is a cell. */
static Point cells_of(const Recording *recording, const Work *work, int h) {
    const Panels *panels = &work->panels;
    Point first = {recording->box[0].box.x, recording->box[0].box.y};
    return (Point){first.x + panels->at[h].x - panels->at[0].x +
                       panels->heatmap[h].left - panels->heatmap[0].left,
                   first.y + panels->at[h].y - panels->at[0].y +
                       panels->heatmap[h].top - panels->heatmap[0].top};
}

/* Only numbers have a special ink. */
static const RecordedWord *next_number(const Recording *recording, int *t) {
    while (*t < recording->words && !recording->word[*t].style.color) ++*t;
    return *t < recording->words ? &recording->word[(*t)++] : NULL;
}

/* Each number is that of its cell, in its middle, and not wider. */
static void check_numbers(const Recording *recording, const Work *work,
                          const char *what) {
    int t = 0;
    for (int h = 0; h < work->panels.count; h++) {
        const Heatmap *heatmap = &work->panels.heatmap[h];
        const Matrix *matrix = &heatmap->matrix;
        Point from = cells_of(recording, work, h);
        for (int cell = 0; heatmap->numbers && cell < matrix->rows * matrix->columns;
             cell++) {
            int row = cell / matrix->columns;
            int column = cell % matrix->columns;
            if (matrix_is_hatched(matrix, row, column)) continue;
            const RecordedWord *written = next_number(recording, &t);
            if (!written) fail_msg("%s: numbers are missing", what);
            double x = from.x + (column + 0.5) * heatmap->cell_width;
            double y = from.y + (row + 0.5) * heatmap->cell_height;
            const char *number =
                scale_number(&work->scale, matrix_value(matrix, row, column), &arena);
            double width = work->canvas->measure(work->canvas, written->style, number);
            if (fabs(written->at.x - x) > 1 || fabs(written->at.y - y) > 1 ||
                strcmp(written->text, number) != 0 || width > heatmap->cell_width - 1)
                fail_msg(
                    "%s: panel %d, row %d, column %d: '%s' at %.1f, %.1f; it should "
                    "be '%s' at %.1f, %.1f",
                    what, h, row, column, written->text, written->at.x, written->at.y,
                    number, x, y);
        }
    }
    if (next_number(recording, &t)) fail_msg("%s: more numbers than cells", what);
}

/* Every row has its name beside it, and every column has one above it. */
static void check_names(const Recording *recording, const Work *work,
                        const char *what) {
    for (int h = 0; h < work->panels.count; h++) {
        const Heatmap *heatmap = &work->panels.heatmap[h];
        if (!heatmap->labels_left) continue;
        const char **name = matrix_labels(&heatmap->matrix, false, &arena);
        double top = cells_of(recording, work, h).y;
        double left = cells_of(recording, work, h).x;
        for (int row = 0; row < heatmap->matrix.rows; row++) {
            bool found = false;
            for (int t = 0; t < recording->words && !found; t++) {
                const RecordedWord *written = &recording->word[t];
                double y = top + (row + 0.5) * heatmap->cell_height;
                found = strcmp(written->text, name[row]) == 0 && written->at.x < left &&
                        left - written->at.x < 20 && fabs(written->at.y - y) < 1;
            }
            if (!found) fail_msg("%s: row %d, '%s', has no name", what, row, name[row]);
        }
        if (heatmap->labels_above && heatmap->columns.step > 1)
            fail_msg("%s: only every %d-th column has a name", what,
                     heatmap->columns.step);
    }
}

static const char *const korean[] = {"나는", "·어제", "·부산", "에서", "·친구",
                                     "를",   "·만",   "났다",  "."};
static const char *const english[] = {"·I",  "·met",   "·the",       "·photographer",
                                      "·in", "·Busan", "·yesterday", "."};
static const char *const emoji[] = {"\U0001F600",
                                    "·\U0001F468\u200D\U0001F469\u200D\U0001F467",
                                    "e\u0301", "漢字", "⟨F0⟩"};

static const struct {
    const char *name;
    const char *const *word;
    int words;
} tongues[] = {{"Korean", korean, 9}, {"English", english, 8}, {"emoji", emoji, 5}};

/* Attention [batch, head, query, key] of repeated words; the second sentence of a batch
 * has a third of its keys as padding, which is in `hidden`. */
static Slice attention(int tongue, int tokens, int heads, int batch,
                       unsigned char **hidden) {
    const char **word = ARENA_ARRAY(&arena, const char *, batch *tokens);
    for (int i = 0; i < batch * tokens; i++)
        word[i] = tongues[tongue].word[i % tongues[tongue].words];
    Axis axis[] = {
        {.name = "batch", .size = batch, .label_rows = 1},
        {.name = "head", .size = heads, .label_rows = 1},
        {.name = "query", .size = tokens, .labels = word, .label_rows = batch},
        {.name = "key", .size = tokens, .labels = word, .label_rows = batch}};
    Tensor *tensor = tensor_new(&arena, "encoder.0.self_attention.weights", 4, axis);
    *hidden = ARENA_ARRAY(&arena, unsigned char, tensor_size(tensor));
    for (int i = 0; i < tensor_size(tensor); i++) {
        bool padded =
            tensor_index(tensor, 0, i) == 1 && i % tokens >= tokens - tokens / 3;
        (*hidden)[i] = padded;
        tensor->data[i] = padded ? 0 : (Number)(i % 7 + 1) / (Number)(4 * tokens);
    }
    return slice_all(tensor);
}

/* No level text is over the colors of the bar. */
static void check_bar(const Recording *recording, const Work *work, const char *what) {
    const Panels *panels = &work->panels;
    const Box bar = {work->page.x + panels->bar_at.x, work->page.y + panels->bar_at.y,
                     16, panels->bar.strip};
    for (int t = 0; t < recording->words; t++)
        if (recording_meet(recording->word[t].box, bar))
            fail_msg("%s: '%s' is over the color bar", what, recording->word[t].text);
}

/* Return whether the cells have numbers. */
static bool check_figure(const Figure *figure, const char *what) {
    Recording *recording = recording_new(&arena);
    recording->letters = image_new(&arena, IMAGE_SVG, &options);
    recording->canvas.metrics = recording->letters->metrics;
    recording->canvas.theme = theme_named(THEME_LIGHT);
    Work work = {
        .figure = figure, .canvas = &recording->canvas, .arena = &arena, .whole = true};
    if (!figure_draw(&work, &error)) fail_msg("%s: %s", what, error.message);
    if (work.panels.count) {
        check_numbers(recording, &work, what);
        check_names(recording, &work, what);
        check_bar(recording, &work, what);
    }
    check_texts(recording, what);
    picture_close(recording->letters);
    return work.panels.count && work.panels.heatmap[0].numbers;
}

static const Fact facts[] = {
    {"sentence",
     "나는 어제 부산에서 친구를 만났다 그리고 우리는 바다를 보며 오래 이야기했다."},
    {"model", "ko-en"},
    {"command",
     "glassbox draw 'encoder.0.self_attention.weights[head=0]' --model ko-en "
     "--source 'a-word-that-is-longer-than-a-line-of-the-caption-and-goes-on-and-on-"
     "and-on-and-on-and-on-and-on' --output weights.png"},
};

static void every_size_is_laid_out_without_a_collision(void **state) {
    (void)state;
    static const int tokens[] = {1, 2, 12, 60, 200};
    static const int heads[] = {1, 2, 32};
    for (int tongue = 0; tongue < 3; tongue++)
        for (size_t t = 0; t < sizeof tokens / sizeof *tokens; t++)
            for (size_t h = 0; h < sizeof heads / sizeof *heads; h++)
                for (int batch = 1; batch <= 2; batch++) {
                    if (tokens[t] * heads[h] * batch > 4000)
                        continue; /* too large to draw */
                    unsigned char *hidden;
                    Slice slice =
                        attention(tongue, tokens[t], heads[h], batch, &hidden);
                    const unsigned char *const masked[] = {hidden};
                    bool one = heads[h] * batch == 1;
                    Figure figure = {.kind = one ? FIGURE_HEATMAP : FIGURE_GRID,
                                     .slice = &slice,
                                     .slices = 1,
                                     .hidden = masked,
                                     .scale = SCALE_SHARES,
                                     .row_sums = one,
                                     .fact = facts,
                                     .facts = sizeof facts / sizeof *facts};
                    check_figure(
                        &figure,
                        arena_print(&arena, "%s, %d tokens, %d heads, batch of %d",
                                    tongues[tongue].name, tokens[t], heads[h], batch));
                    arena_reset(&arena);
                }
}

static void curves_of_words_are_laid_out_without_a_collision(void **state) {
    (void)state;
    for (int tongue = 0; tongue < 3; tongue++)
        for (int tokens = 2; tokens <= 200; tokens = tokens * 5 / 2) {
            unsigned char *hidden;
            Slice slice = attention(tongue, tokens, 1, 1, &hidden);
            Figure figure = {.kind = FIGURE_CURVES, .slice = &slice, .slices = 1};
            check_figure(&figure, arena_print(&arena, "curves, %s, %d tokens",
                                              tongues[tongue].name, tokens));
            arena_reset(&arena);
        }
}

/* Whatever has a place in letters of the default size also has one in large letters. */
static void check_sizes(int tongue, int tokens, int heads, FigureKind kind) {
    static const double sizes[] = {0, 8, 12, 18, 24, 30, 36};
    bool numbers = false;
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
        unsigned char *hidden;
        Slice slice = attention(tongue, tokens, heads, 1, &hidden);
        Figure figure = {.kind = kind,
                         .slice = &slice,
                         .slices = 1,
                         .scale = SCALE_SHARES,
                         .row_sums = heads == 1,
                         .fact = facts,
                         .facts = sizeof facts / sizeof *facts};
        options.body = sizes[s] * UNITS_PER_INCH / POINTS_PER_INCH;
        const char *what = arena_print(&arena, "%s, %s, %d tokens, %d heads, %g points",
                                       tongues[tongue].name, figure_kinds[kind], tokens,
                                       heads, sizes[s]);
        bool has_numbers = check_figure(&figure, what);
        if (s == 0) numbers = has_numbers;
        if (numbers && !has_numbers) fail_msg("%s: no numbers", what);
        arena_reset(&arena);
    }
    options.body = 0;
}

static void large_letters_have_room(void **state) {
    (void)state;
    static const int tokens[] = {1, 2, 11, 25};
    for (int tongue = 0; tongue < 3; tongue++)
        for (int t = 0; t < 4; t++)
            for (FigureKind kind = FIGURE_HEATMAP; figure_kinds[kind]; kind++) {
                check_sizes(tongue, tokens[t], 1, kind);
                if (kind != FIGURE_HEATMAP && kind != FIGURE_CURVES)
                    check_sizes(tongue, tokens[t], 4, kind);
            }
}

static void a_wide_title_over_one_column_has_room(void **state) {
    (void)state;
    Axis axis[] = {{.name = "source", .size = 2}, {.name = "d_model", .size = 1}};
    Tensor *tensor = tensor_new(&arena, "encoder.0.norm_1", 2, axis);
    Slice slice = slice_all(tensor);
    tensor->data[0] = 0.5;
    Figure figure = {.slice = &slice, .slices = 1};
    options.body = 48;
    check_figure(&figure, "one column");
    options.body = 0;
    arena_reset(&arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_size_is_laid_out_without_a_collision),
        cmocka_unit_test(curves_of_words_are_laid_out_without_a_collision),
        cmocka_unit_test(large_letters_have_room),
        cmocka_unit_test(a_wide_title_over_one_column_has_room),
    };
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    arena_free(&arena);
    return failed;
}
