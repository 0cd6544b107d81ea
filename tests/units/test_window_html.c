/* Blocks as HTML: every kind can be written, closes its tags, and lets no text become a
 * tag; a figure marks its matrices, and the tables have their numbers. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "canvas/picture.h"
#include "figure/web.h"
#include "units/view_inputs.h"
#include "window/html.h"

#include <cmocka.h> /* last: it has a macro named fail */

#define EVIL "<q onclick=\"x\">&'"

static double first_term(const Explanation *explanation) {
    return explanation->term[0].value;
}

static const Rule rule = {.name = EVIL, .combine = first_term};
static Term term = {.value = 2, .text = EVIL};
static const Explanation explanation = {
    .rule = &rule, .formula = EVIL, .term = &term, .count = 1};
static const TreeNode leaf = {.text = EVIL, .share = 1};
static const TreeNode root = {.text = EVIL, .child = &leaf, .children = 1};
static const Guess guess = {EVIL, 7, 0.25};
static const RankingBlock ranking = {EVIL, &guess, 1, true, 3};
static const char *const lines[] = {EVIL, EVIL};
static const ListItem listed = {.name = EVIL, .value = EVIL, .text = EVIL};
static const TokenRow token_row = {EVIL, 7, EVIL, 0, 1, EVIL};
static const MergeRow merge_row = {1, EVIL, EVIL, EVIL};
static const Frequency frequency = {1, 3, 4};
static const TermLabel label = {EVIL, {EVIL, EVIL}};
static const int order[] = {0};

/* One block of each kind, in which every text is EVIL. */
static void fill_blocks(Block *block) {
    for (int kind = 0; kind < BLOCK_KINDS; kind++)
        block[kind] = (Block){.kind = (BlockKind)kind, .text = EVIL};
    const char **labels = ARENA_ARRAY(&arena, const char *, 3);
    for (int i = 0; i < 3; i++) labels[i] = EVIL;
    const Axis axis[] = {
        {.name = "query", .size = 2, .labels = labels, .label_rows = 1},
        {.name = "key", .size = 3, .labels = labels, .label_rows = 1}};
    Tensor *tensor = tensor_new(&arena, EVIL, 2, axis);
    tensor->short_name = EVIL;
    for (int i = 0; i < 6; i++) tensor->data[i] = (Number)i / 8;
    Tensor **input = ARENA_ARRAY(&arena, Tensor *, 1);
    Slice *slice = ARENA_ARRAY(&arena, Slice, 1);
    input[0] = tensor;
    *slice = slice_all(tensor);
    block[BLOCK_HEADING].heading = (HeadingBlock){1, 0, 2, EVIL, EVIL};
    block[BLOCK_ANSWER].answer = (AnswerBlock){EVIL, EVIL};
    block[BLOCK_ITEM].item = (ItemBlock){1, "2)", EVIL};
    block[BLOCK_FORMULA].formula = (FormulaBlock){lines, 2, false};
    block[BLOCK_HINT].hint = (HintBlock){EVIL, EVIL};
    block[BLOCK_LIST].list = (ListBlock){LIST_STAGES, &listed, 1};
    block[BLOCK_SHAPE].shape = (ShapeBlock){EVIL, tensor, EVIL, input, 1};
    block[BLOCK_NUMBERS].numbers =
        (NumbersBlock){.title = EVIL, .slice = *slice, .digits = 3, .all = EVIL};
    block[BLOCK_TABLE].table =
        (Table){EVIL, 1, 1, lines, lines, lines, NULL, 0, 0, EVIL};
    block[BLOCK_FIGURE].figure = (Figure){.slice = slice, .slices = 1};
    block[BLOCK_TERMS].terms = (TermsBlock){.address = EVIL,
                                            .value = 2,
                                            .formula = EVIL,
                                            .note = EVIL,
                                            .explanation = &explanation,
                                            .order = order,
                                            .shown = 1,
                                            .label = &label,
                                            .common = {EVIL, EVIL}};
    block[BLOCK_TREE].tree = (TreeBlock){&root};
    block[BLOCK_RANKING].ranking = ranking;
    block[BLOCK_RANKINGS].rankings = (RankingsBlock){&ranking, 1, false};
    block[BLOCK_CHOICES].choices = (ChoicesBlock){&guess, 1, 0};
    block[BLOCK_TOKENS].tokens = (TokensBlock){&token_row, 1};
    block[BLOCK_SAMPLE].sample = (SampleBlock){1, EVIL, EVIL, EVIL};
    block[BLOCK_MERGES].merges = (MergesBlock){EVIL, &merge_row, 1, false};
    block[BLOCK_FREQUENCIES].frequencies = (FrequenciesBlock){&frequency, 1, 8};
}

/* Every tag that is opened is closed in the right order. */
static void check_tags(const char *html) {
    enum { DEEP = 32 };
    const char *open[DEEP];
    int depth = 0;
    for (const char *at = html; (at = strchr(at, '<')); at++) {
        const char *end = strchr(at, '>');
        assert_non_null(end);
        size_t length = strcspn(at + 1, " />");
        if (at[1] == '/') {
            length = strcspn(at + 2, ">");
            assert_true(depth > 0);
            depth--;
            if (strncmp(open[depth], at + 2, length) != 0)
                fail_msg("%.40s closes %.20s", at, open[depth]);
        } else if (end[-1] != '/' && strncmp(at, "<br>", 4) != 0) {
            assert_true(depth < DEEP && length > 0);
            open[depth++] = at + 1;
        }
    }
    assert_int_equal(depth, 0);
}

/* The window's output for the blocks. */
static const char *written(const Block *block, int count) {
    Builder html = {.arena = &arena};
    Canvas *letters = image_new(&arena, IMAGE_SVG, &(PictureOptions){0});
    HtmlWindow *window = window_html_new(&arena, &html, &(Record){0}, letters);
    Error error;
    for (int b = 0; b < count; b++)
        if (!window->window.draw(window->window.state, &block[b], &error))
            fail_msg("block %d: %s", b, error.message);
    window_html_close(window);
    window_html_free(window);
    picture_close(letters);
    return builder_text(&html);
}

static int count_of(const char *text, const char *what) {
    int count = 0;
    for (; (text = strstr(text, what)); text++) count++;
    return count;
}

static void test_every_kind_is_whole_and_safe(void **state) {
    (void)state;
    Block block[BLOCK_KINDS];
    fill_blocks(block);
    for (int kind = 0; kind < BLOCK_KINDS; kind++) {
        bool is_silent =
            kind == BLOCK_GAP || kind == BLOCK_PROGRESS || kind == BLOCK_COUNTING;
        const char *html = written(&block[kind], 1);
        check_tags(html);
        assert_null(strstr(html, "<q"));
        assert_null(strstr(html, "\">&'"));
        if (is_silent)
            assert_string_equal(html, "");
        else if (kind != BLOCK_FREQUENCIES)
            assert_non_null(strstr(html, "&lt;q onclick=&quot;x&quot;&gt;&amp;"));
    }
    check_tags(written(block, BLOCK_KINDS));
}

static void test_items_are_nested(void **state) {
    (void)state;
    const int levels[] = {1, 2, 2, 1};
    Block block[4];
    for (int i = 0; i < 4; i++)
        block[i] = (Block){.kind = BLOCK_ITEM, .item = {levels[i], "-", "it"}};
    assert_string_equal(written(block, 4),
                        "<ul>\n<li>it<ul>\n<li>it</li>\n<li>it</li></ul>\n</li>\n"
                        "<li>it</li></ul>\n");
}

static void test_numbers_have_addresses(void **state) {
    (void)state;
    Tensor *tensor = waves(2, 40);
    Block block = {.kind = BLOCK_NUMBERS,
                   .numbers = {.title = "position",
                               .slice = slice_all(tensor),
                               .digits = 3,
                               .columns_max = 64,
                               .all = ":show encoder.position"}};
    const char *html = written(&block, 1);
    assert_non_null(strstr(html, "id=\"n1\" data-name=\"encoder.position\""));
    assert_non_null(strstr(html, "data-item=\"token=1\">1</th><td>"));
    assert_non_null(strstr(html, "data-item=\"d_model=11\""));
    assert_null(strstr(html, "data-item=\"d_model=12\""));
    assert_non_null(strstr(html, "28 more numbers"));
    assert_non_null(strstr(html, "<td>0.644</td>")); /* sin(0.7) */
}

static void
test_a_figure_marks_its_matrices_in_the_order_of_their_tables(void **state) {
    (void)state;
    const Axis axis[] = {{.name = "head", .size = 3, .label_rows = 1},
                         {.name = "query", .size = 2, .label_rows = 1},
                         {.name = "key", .size = 4, .label_rows = 1}};
    Tensor *tensor = tensor_new(&arena, "weights", 3, axis);
    for (int i = 0; i < 24; i++) tensor->data[i] = (Number)i;
    const Slice slice = slice_all(tensor);
    Block block[2] = {{.kind = BLOCK_FIGURE,
                       .figure = {.kind = FIGURE_GRID, .slice = &slice, .slices = 1}}};
    block[1] = block[0];
    const char *html = written(block, 2);
    for (int n = 1; n <= 6; n++) {
        const char *mark = arena_print(&arena, "data-of=\"n%d\" data-size=\"2 4\"", n);
        const char *table = arena_print(
            &arena, "id=\"n%d\" data-name=\"weights\" data-fixed=\"head=%d\"", n,
            (n - 1) % 3);
        assert_int_equal(count_of(html, mark), 1);
        assert_int_equal(count_of(html, table), 1);
    }
    assert_int_equal(count_of(html, "class=\"cells\""), 6);
}

static void test_many_cells_of_one_colour_are_one_path(void **state) {
    (void)state;
    enum { SIDE = 100, OTHERS = 400 }; /* of the color bar and the letters */
    Tensor *tensor = waves(SIDE, SIDE);
    for (int i = 0; i < SIDE * SIDE; i++) tensor->data[i] = (Number)(i % 3);
    const Slice slice = slice_all(tensor);
    Block block = {.kind = BLOCK_FIGURE, .figure = {.slice = &slice, .slices = 1}};
    const char *html = written(&block, 1);
    assert_in_range(count_of(html, "<path"), 3, OTHERS);
    assert_true(count_of(html, "z") > SIDE * SIDE);
}

static void test_a_cell_without_a_value_is_hatched(void **state) {
    (void)state;
    Tensor *tensor = waves(2, 3);
    tensor->data[4] = (Number)NAN;
    const Slice slice = slice_all(tensor);
    Block block = {.kind = BLOCK_FIGURE, .figure = {.slice = &slice, .slices = 1}};
    const char *html = written(&block, 1);
    /* Once in the drawing's cells and once in its legend; and in the table. */
    assert_in_range(count_of(html, "url(#hatch)"), 1, 2);
    assert_int_equal(count_of(html, "<td class=\"hatched\">"), 1);
}

static void test_an_error_of_drawing_is_above_the_numbers(void **state) {
    (void)state;
    const Slice slice = slice_all(waves(1, 4000)); /* an unreadable strip */
    Block block = {.kind = BLOCK_FIGURE, .figure = {.slice = &slice, .slices = 1}};
    const char *html = written(&block, 1);
    check_tags(html);
    if (!strstr(html, "<svg")) {
        assert_non_null(strstr(html, "strip of"));
        assert_non_null(strstr(html, "<details open>"));
    }
    assert_non_null(strstr(html, "64 of 4000 columns"));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_kind_is_whole_and_safe),
        cmocka_unit_test(test_items_are_nested),
        cmocka_unit_test(test_numbers_have_addresses),
        cmocka_unit_test(test_a_figure_marks_its_matrices_in_the_order_of_their_tables),
        cmocka_unit_test(test_many_cells_of_one_colour_are_one_path),
        cmocka_unit_test(test_a_cell_without_a_value_is_hatched),
        cmocka_unit_test(test_an_error_of_drawing_is_above_the_numbers),
    };
    return cmocka_run_group_tests(tests, NULL, reset);
}
