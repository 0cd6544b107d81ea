/* Attention as lines: which words are connected, how strongly, in which color; and in
 * text. */
#include "units/recording_canvas.h"

#include "chart/weight_line.h"
#include "units/scratch.h"

static Error error;

static const char *const target[] = {"<start>", "나는", "왔다"};
static const char *const source[] = {"I", "came", "home", "."};

/* Two heads, [1, head 2, query 3, key 4]; the third query cannot attend to the last
 * key, and one weight is NaN. */
static const Number numbers[] = {0.70F, 0.20F, 0.08F, 0.02F, //
                                 0.10F, 0.50F, 0.30F, 0.10F, //
                                 0.00F, 0.00F, 1.00F, 0.00F, //
                                 0.25F, 0.25F, 0.25F, 0.25F, //
                                 0.97F, 0.01F, 0.01F, 0.01F, //
                                 0.40F, NAN,   0.60F, 0.003F};
enum { HEADS = 2, QUERIES = 3, KEYS = 4, CELLS = HEADS * QUERIES * KEYS };
static unsigned char hidden[CELLS];
static const unsigned char *const hidings[] = {hidden};

static Tensor *attention(const char *name) {
    Axis axis[] = {
        {.name = "batch", .size = 1, .label_rows = 1},
        {.name = "head", .size = HEADS, .label_rows = 1},
        {.name = "query", .size = QUERIES, .labels = target, .label_rows = 1},
        {.name = "key", .size = KEYS, .labels = source, .label_rows = 1}};
    Tensor *tensor = tensor_new(&arena, name, 4, axis);
    memcpy(tensor->data, numbers, sizeof numbers);
    memset(hidden, 0, sizeof hidden);
    return tensor;
}

static Figure lines_of(const char *address) {
    Slice *slice = ARENA_ARRAY(&arena, Slice, 1);
    const Tensor *tensor = attention("decoder.0.cross_attention.weights");
    if (!address_slice(address, tensor, &arena, slice, &error))
        fail_msg("%s", error.message);
    return (Figure){.kind = FIGURE_LINES,
                    .slice = slice,
                    .slices = 1,
                    .hidden = hidings,
                    .asking = "target",
                    .asked = "source"};
}

static const char *text_of(const Figure *figure, int width) {
    const char *text =
        styled_text(figure_text(figure, width, COLORS_NONE, &arena, &error));
    if (!text) fail_msg("%s", error.message);
    return text;
}

/* Lines of attention touch no word and no legend: both ends are between the columns. */
static int lines_between(const Recording *recording, const RecordedLine **found) {
    double left = recording_find(recording, target[0], 0)->box.x;
    double right = recording_find(recording, source[1], 0)->box.x;
    int count = 0;
    for (int i = 0; i < recording->lines; i++)
        if (recording->line[i].from.x > left && recording->line[i].to.x < right)
            found[count++] = &recording->line[i];
    return count;
}

static bool same(Color a, Color b) {
    return fabs(a.red - b.red) + fabs(a.green - b.green) + fabs(a.blue - b.blue) < 1e-9;
}

static void test_a_line_connects_query_and_key(void **state) {
    (void)state;
    const Figure figure = lines_of("weights[head=0]");
    const Recording *recording = recording_of(&figure, &arena);
    const RecordedLine *line[CELLS];
    int count = lines_between(recording, line);
    assert_int_equal(count, 9); /* of 12, three are 0 */
    for (int q = 0; q < QUERIES; q++)
        for (int k = 0; k < KEYS; k++) {
            double from = recording_middle(recording_find(recording, target[q], 0));
            double to = recording_middle(recording_find(recording, source[k], 0));
            int joined = 0;
            for (int i = 0; i < count; i++)
                joined += fabs(line[i]->from.y - from) < 1e-6 &&
                          fabs(line[i]->to.y - to) < 1e-6;
            assert_int_equal(joined, numbers[q * KEYS + k] >= 0.005);
        }
    recording_check(recording, "lines");
}

static void test_the_stronger_is_wider_and_comes_later(void **state) {
    (void)state;
    const Figure figure = lines_of("weights");
    const Recording *recording = recording_of(&figure, &arena);
    const RecordedLine *line[CELLS];
    int count = lines_between(recording, line);
    for (int i = 1; i < count; i++)
        assert_true(line[i]->stroke.width >= line[i - 1]->stroke.width);
    assert_true(line[count - 1]->stroke.width > 3 * line[0]->stroke.width);
    assert_true(same(line[count - 1]->stroke.color, head_color(0))); /* 1.00 */
}

static void test_every_head_has_its_colour(void **state) {
    (void)state;
    for (int a = 0; a < 3 * PALETTE_CURVES; a++)
        for (int b = 0; b < a; b++) assert_false(same(head_color(a), head_color(b)));
    const Figure figure = lines_of("weights");
    const Recording *recording = recording_of(&figure, &arena);
    assert_non_null(recording_find(recording, "head 0", 0));
    assert_non_null(recording_find(recording, "head 1", 0));
    int squares = 0;
    for (int i = 0; i < recording->boxes; i++)
        squares += same(recording->box[i].color, head_color(0)) ||
                   same(recording->box[i].color, head_color(1));
    assert_int_equal(squares, 2);
    const Figure one = lines_of("weights[head=1]");
    const RecordedLine *line[CELLS];
    recording = recording_of(&one, &arena);
    assert_null(recording_find(recording, "head 1", 0)); /* the title says so */
    assert_int_equal(lines_between(recording, line), 10);
}

/* Is the sentence in the note, which is wrapped? */
static bool says(const Recording *recording, const char *sentence) {
    const char *text = "";
    for (int w = 0; w < recording->words; w++)
        if (recording->word[w].style.size > 0 && recording->word[w].style.faint)
            text = arena_print(&arena, "%s%s ", text, recording->word[w].text);
    return strstr(text, sentence) != NULL;
}

static void test_masked_weights_and_nan_have_no_line(void **state) {
    (void)state;
    const Figure figure = lines_of("weights[head=1]");
    const RecordedLine *line[CELLS];
    const Recording *recording = recording_of(&figure, &arena);
    assert_int_equal(lines_between(recording, line), 10);
    assert_true(says(recording, "Values that are not numbers have no line."));
    assert_false(says(recording, "Masked weights have no line."));
    hidden[QUERIES * KEYS] = 1;
    recording = recording_of(&figure, &arena);
    assert_int_equal(lines_between(recording, line), 9);
    assert_true(says(recording, "Masked weights have no line."));
}

static void test_one_word_chosen_fades_the_others(void **state) {
    (void)state;
    const Figure figure = lines_of("weights[head=0, query=1]");
    const Recording *recording = recording_of(&figure, &arena);
    const RecordedLine *line[CELLS];
    int count = lines_between(recording, line);
    assert_int_equal(count, 9);
    double chosen = recording_middle(recording_find(recording, target[1], 0));
    for (int i = 0; i < count; i++) {
        Color color = line[i]->stroke.color;
        bool grey = fabs(color.red - color.blue) < 0.02;
        assert_int_equal(grey, fabs(line[i]->from.y - chosen) > 1e-6);
    }
    assert_true(recording_find(recording, target[1], 0)->style.bold);
    assert_true(recording_find(recording, target[0], 0)->style.faint);
    assert_non_null(recording_find(recording, "0.50", 0));
    double number = recording_middle(recording_find(recording, "0.50", 0));
    assert_true(fabs(number - recording_middle(recording_find(recording, "came", 0))) <
                1e-6);
    recording_check(recording, "one word");
}

static void test_one_word_in_all_heads_has_bands(void **state) {
    (void)state;
    const Figure figure = lines_of("weights[query=2]");
    const Recording *recording = recording_of(&figure, &arena);
    double home = recording_middle(recording_find(recording, "home", 0));
    double right = recording_find(recording, "home", 0)->box.x;
    int squares = 0;
    bool strong = false;
    for (int i = 0; i < recording->boxes; i++) {
        const Box box = recording->box[i].box;
        if (box.x + box.width > right) continue; /* of the legend */
        squares++;
        bool here = box.y < home && box.y + box.height > home;
        strong = strong || (here && same(recording->box[i].color, head_color(0)));
    }
    assert_int_equal(squares, HEADS * KEYS - 1); /* one is not a number */
    assert_true(strong);                         /* weight 1.00 of the first head */
    recording_check(recording, "bands");
}

static void test_the_columns_have_titles(void **state) {
    (void)state;
    const Figure figure = lines_of("weights[head=0]");
    const Recording *recording = recording_of(&figure, &arena);
    const RecordedWord *asks = recording_find(recording, "query (target)", 0);
    const RecordedWord *asked = recording_find(recording, "key (source)", 0);
    assert_true(asks && asked && asks->box.x < asked->box.x);
}

static void test_in_letters_each_word_has_those_it_asks_most(void **state) {
    (void)state;
    const Figure all = lines_of("weights[head=0]");
    const char *text = text_of(&all, 80);
    assert_non_null(strstr(text, "query (target) → key (source)\n"));
    assert_non_null(strstr(text, "<start> → I 0.70, came 0.20, home 0.08\n"));
    assert_non_null(strstr(text, "   나는 → came 0.50, home 0.30, I 0.10\n"));
    assert_non_null(strstr(text, "   왔다 → home 1.00\n"));
    const Figure one = lines_of("weights[query=1]");
    text = text_of(&one, 80);
    assert_non_null(
        strstr(text, "head 0\n나는 → came 0.50, home 0.30, I 0.10, . 0.10\n"));
    assert_null(strstr(text, "→ I 0.70"));
    hidden[0] = 1;
    assert_non_null(
        strstr(text_of(&all, 80), "<start> → came 0.20, home 0.08, . 0.02\n"));
}

/* [head, token, token] with very long words. */
static Figure large(int heads, int tokens, Tensor **made) {
    static const char *const words[] = {"가", "unbelievably", "🙂", "만났습니다",
                                        "·a"};
    const char **word = ARENA_ARRAY(&arena, const char *, tokens);
    for (int i = 0; i < tokens; i++) word[i] = words[i % 5];
    Axis axis[] = {{.name = "head", .size = heads, .label_rows = 1},
                   {.name = "query", .size = tokens, .labels = word, .label_rows = 1},
                   {.name = "key", .size = tokens, .labels = word, .label_rows = 1}};
    Tensor *tensor = tensor_new(&arena, "encoder.0.self_attention.weights", 3, axis);
    for (int i = 0; i < tensor_size(tensor); i++)
        tensor->data[i] = (Number)(i % 7 == 0 ? 7.0 / tokens : 0);
    for (int i = 0; i < tensor_size(tensor); i++)
        if (tensor->data[i] > 1) tensor->data[i] = 1;
    Slice *slice = ARENA_ARRAY(&arena, Slice, 1);
    *slice = slice_all(tensor);
    *made = tensor;
    return (Figure){.kind = FIGURE_LINES, .slice = slice, .slices = 1};
}

static void test_no_word_is_cut_or_covered(void **state) {
    (void)state;
    static const int tokens[] = {1, 2, 12, 60, 200};
    static const int heads[] = {1, 32};
    for (size_t t = 0; t < COUNT(tokens); t++)
        for (size_t h = 0; h < COUNT(heads); h++) {
            Tensor *made;
            const Figure figure = large(heads[h], tokens[t], &made);
            recording_check(
                recording_of(&figure, &arena),
                arena_print(&arena, "%d tokens, %d heads", tokens[t], heads[h]));
            for (const char *line = text_of(&figure, 40); *line;) {
                size_t length = strcspn(line, "\n");
                assert_true(unicode_width(arena_copy(&arena, line, length)) <= 40);
                line += length + (line[length] == '\n');
            }
        }
}

static void refuse(const Figure *figure, const char *part) {
    assert_null(recording_try(figure, &arena, &error));
    if (!strstr(error.message, part)) fail_msg("%s", error.message);
}

static void test_other_numbers_than_weights_are_rejected(void **state) {
    (void)state;
    Tensor *tensor;
    Figure figure = large(1, 3, &tensor);
    tensor->data[1] = -2;
    refuse(&figure, "has -2; draw it as a heatmap");
    figure = large(1, 301, &tensor);
    refuse(&figure, "choose at most 300, as in [key=0:50]");
    Axis axis = {.name = "d_model", .size = 3, .label_rows = 1};
    Slice one = slice_all(tensor_new(&arena, "bias", 1, &axis));
    figure.slice = &one;
    refuse(&figure, "bias has one axis");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_line_connects_query_and_key),
        cmocka_unit_test(test_the_stronger_is_wider_and_comes_later),
        cmocka_unit_test(test_every_head_has_its_colour),
        cmocka_unit_test(test_masked_weights_and_nan_have_no_line),
        cmocka_unit_test(test_one_word_chosen_fades_the_others),
        cmocka_unit_test(test_one_word_in_all_heads_has_bands),
        cmocka_unit_test(test_the_columns_have_titles),
        cmocka_unit_test(test_in_letters_each_word_has_those_it_asks_most),
        cmocka_unit_test(test_no_word_is_cut_or_covered),
        cmocka_unit_test(test_other_numbers_than_weights_are_rejected),
    };
    return cmocka_run_group_tests(tests, NULL, reset);
}
