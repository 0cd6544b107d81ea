/* One word followed down through the layers: the fractions, and how they are drawn. */
#include "units/recording_canvas.h"

#include "figure/figure_draw.h"
#include "units/scratch.h"

static Error error;

static const char *const words[] = {"나는", "집에", "갔다"};
enum { WORDS = 3, LAYERS = 2, HEADS = 2 };

/* [head 2, query 3, key 3] of two layers; the mean of the heads in quarters. */
static const Number first[] = {1,    0,    0, 0.5F, 0.5F, 0, 0, 0.5F, 0.5F,
                               0.5F, 0.5F, 0, 0.5F, 0.5F, 0, 0, 1,    0};
static const Number second[] = {1, 0, 0, 0, 1, 0, 0.5F, 0.25F, 0.25F,
                                1, 0, 0, 0, 1, 0, 0.5F, 0.25F, 0.25F};

static Slice *layers(void) {
    Axis axis[] = {{.name = "head", .size = HEADS, .label_rows = 1},
                   {.name = "query", .size = WORDS, .labels = words, .label_rows = 1},
                   {.name = "key", .size = WORDS, .labels = words, .label_rows = 1}};
    Slice *slice = ARENA_ARRAY(&arena, Slice, LAYERS);
    for (int l = 0; l < LAYERS; l++) {
        const char *name = arena_print(&arena, "encoder.%d.self_attention.weights", l);
        Tensor *tensor = tensor_new(&arena, name, 3, axis);
        memcpy(tensor->data, l ? second : first, sizeof first);
        slice[l] = slice_all(tensor);
    }
    return slice;
}

static Figure flow_figure(const Slice *slice) {
    return (Figure){.kind = FIGURE_FLOW, .slice = slice, .slices = LAYERS};
}

static Flow flow_from(const Slice *slice, int chosen) {
    const Matrix *layer[LAYERS];
    for (int l = 0; l < LAYERS; l++) {
        int count;
        layer[l] = matrix_list(&slice[l], NULL, &arena, &count);
        assert_int_equal(count, HEADS);
    }
    return flow_of(layer, LAYERS, HEADS, chosen, &arena);
}

static void assert_near(double value, double expected) {
    if (fabs(value - expected) > 1e-9) fail_msg("%.9f is not %.9f", value, expected);
}

static void test_half_stays_and_half_follows_the_attention(void **state) {
    (void)state;
    const Flow flow = flow_from(layers(), 2);
    /* Above: 1/2 stays, 1/2 * (1/2, 1/4, 1/4). */
    static const double middle[] = {0.25, 0.125, 0.625};
    /* Below, A = (mean of heads + 1) / 2, row by row. */
    static const double a[] = {0.875, 0.125, 0, 0.25, 0.75, 0, 0, 0.375, 0.625};
    for (int w = 0; w < WORDS; w++) {
        assert_near(flow.share[2 * WORDS + w], w == 2);
        assert_near(flow.share[WORDS + w], middle[w]);
        double sum = 0;
        for (int from = 0; from < WORDS; from++) {
            assert_near(flow.line[from * WORDS + w],
                        middle[from] * a[from * WORDS + w]);
            sum += middle[from] * a[from * WORDS + w];
        }
        assert_near(flow.share[w], sum);
    }
    assert_near(flow.share[0] + flow.share[1] + flow.share[2], 1);
}

static void test_the_word_is_the_chosen_or_the_last(void **state) {
    (void)state;
    Slice *slice = layers();
    const Figure figure = flow_figure(slice);
    const char *last =
        styled_text(figure_text(&figure, 80, COLORS_NONE, &arena, &error));
    assert_non_null(strstr(last, "What '갔다' is made of"));
    assert_non_null(strstr(last, "encoder.1  갔다 1.00\n"
                                 "encoder.0  갔다 0.62, 나는 0.25, 집에 0.12\n"));
    for (int l = 0; l < LAYERS; l++) {
        slice[l].from[1] = 0;
        slice[l].to[1] = 1;
    }
    const char *chosen =
        styled_text(figure_text(&figure, 80, COLORS_NONE, &arena, &error));
    assert_non_null(strstr(chosen, "encoder.0  나는 1.00\n"));
    assert_non_null(strstr(chosen, "words      나는 0.88, 집에 0.12\n"));
}

static void test_padding_is_not_the_last_word(void **state) {
    (void)state;
    static unsigned char hidden[HEADS * WORDS * WORDS];
    static const unsigned char *const both[] = {hidden, hidden};
    for (int i = 2; i < HEADS * WORDS * WORDS; i += WORDS) hidden[i] = 1;
    Figure figure = flow_figure(layers());
    figure.hidden = both;
    const char *text =
        styled_text(figure_text(&figure, 80, COLORS_NONE, &arena, &error));
    assert_non_null(strstr(text, "What '집에' is made of"));
}

static void test_the_picture_shows_the_fractions(void **state) {
    (void)state;
    const Figure figure = flow_figure(layers());
    const Recording *recording = recording_of(&figure, &arena);
    recording_check(recording, "flow");
    const Flow flow = flow_from(figure.slice, 2);
    for (int w = 0; w < WORDS; w++) {
        double y = recording_middle(recording_find(recording, words[w], 0));
        bool found = false;
        const char *share = arena_print(&arena, "%.2f", flow.share[w]);
        for (int i = 0; recording_find(recording, share, i); i++)
            found =
                found ||
                fabs(recording_middle(recording_find(recording, share, i)) - y) < 1e-6;
        assert_true(found);
    }
    /* The followed word is on both sides. */
    assert_non_null(recording_find(recording, words[2], 1));
    assert_null(recording_find(recording, words[1], 1));
    int spots = 0;
    int ways = 0;
    for (int i = 0; i < recording->lines; i++) {
        const RecordedLine *line = &recording->line[i];
        bool spot = line->from.x == line->to.x && line->from.y == line->to.y;
        spots += spot;
        ways += !spot;
    }
    assert_int_equal(spots, (LAYERS + 1) * WORDS);
    assert_int_equal(ways, 3 + 6 + 4); /* above, below, and those of the legend */
}

static void refuse(const Figure *figure, const char *part) {
    assert_null(recording_try(figure, &arena, &error));
    if (!strstr(error.message, part)) fail_msg("%s", error.message);
}

static void test_other_tensors_are_rejected(void **state) {
    (void)state;
    static const char *const others[] = {"I", "went", "home"};
    Slice *slice = layers();
    const Figure figure = flow_figure(slice);
    slice[0].to[1] = 2;
    refuse(&figure, "choose one, as in [query=0]");
    slice[0].to[1] = WORDS;
    Axis axis[] = {{.name = "query", .size = WORDS, .labels = words, .label_rows = 1},
                   {.name = "key", .size = WORDS, .labels = others, .label_rows = 1}};
    Tensor *cross = tensor_new(&arena, "decoder.0.cross_attention.weights", 2, axis);
    slice[0] = slice_all(cross);
    Figure crossing = figure;
    crossing.slices = 1;
    refuse(&crossing, "decoder.0.cross_attention.weights does not");
    axis[1].labels = words;
    slice[0] = slice_all(tensor_new(&arena, "one", 2, axis));
    refuse(&figure, "has other heads than the layer before it");
    slice = layers();
    const Figure scores = flow_figure(slice);
    slice[1].tensor->data[4] = -3;
    refuse(&scores, "has -3");
    slice[1].tensor->data[4] = NAN;
    refuse(&scores, "has nan");
}

static void test_no_word_is_cut_or_covered(void **state) {
    (void)state;
    static const int tokens[] = {1, 2, 12, 60, 200};
    static const int deep[] = {1, 12};
    for (size_t t = 0; t < COUNT(tokens); t++)
        for (size_t d = 0; d < COUNT(deep); d++) {
            const char **word = ARENA_ARRAY(&arena, const char *, tokens[t]);
            for (int i = 0; i < tokens[t]; i++)
                word[i] = arena_print(&arena, "%s%d", i % 3 ? "만났습니다" : "🙂", i);
            Axis axis[] = {
                {.name = "query", .size = tokens[t], .labels = word, .label_rows = 1},
                {.name = "key", .size = tokens[t], .labels = word, .label_rows = 1}};
            Slice *slice = ARENA_ARRAY(&arena, Slice, deep[d]);
            for (int l = 0; l < deep[d]; l++) {
                Tensor *made = tensor_new(
                    &arena, arena_print(&arena, "encoder.%d.self_attention.weights", l),
                    2, axis);
                for (int i = 0; i < tensor_size(made); i++)
                    made->data[i] = 1 / (Number)tokens[t];
                slice[l] = slice_all(made);
            }
            const Figure figure = {
                .kind = FIGURE_FLOW, .slice = slice, .slices = deep[d]};
            recording_check(
                recording_of(&figure, &arena),
                arena_print(&arena, "%d tokens, %d layers", tokens[t], deep[d]));
        }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_half_stays_and_half_follows_the_attention),
        cmocka_unit_test(test_the_word_is_the_chosen_or_the_last),
        cmocka_unit_test(test_padding_is_not_the_last_word),
        cmocka_unit_test(test_the_picture_shows_the_fractions),
        cmocka_unit_test(test_other_tensors_are_rejected),
        cmocka_unit_test(test_no_word_is_cut_or_covered),
    };
    return cmocka_run_group_tests(tests, NULL, reset);
}
