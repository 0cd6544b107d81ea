/* The best of a row as bars: which columns they are, and the bar of the others. */
#include <math.h>
#include <string.h>

#include "figure/figure.h"
#include "units/scratch.h"

/* Last: its fail() would replace the one of base/error.h. */
#include <cmocka.h>

static const char *const places[] = {"<start>", "나는"};
static const char *const words[] = {"a", "b", "c", "d", "e"};

/* [target 2, vocabulary 5] */
static Tensor *ends(const char *name, const Number *number) {
    Axis axis[] = {{.name = "target", .size = 2, .labels = places, .label_rows = 1},
                   {.name = "vocabulary", .size = 5, .labels = words, .label_rows = 1}};
    Tensor *tensor = tensor_new(&arena, name, 2, axis);
    memcpy(tensor->data, number, 10 * sizeof *number);
    return tensor;
}

static Tensor *shares(void) {
    static const Number number[] = {0.1F, 0.5F, 0.1F, 0.2F, 0.1F, 0, 0, 1, 0, 0};
    return ends("probabilities", number);
}

static Bars rank(const Tensor *tensor, const unsigned char *marked,
                 BarsOptions options) {
    static const char *const heading[] = {""};
    Slice slice = slice_all(tensor);
    Matrix *matrix = matrix_list(&slice, NULL, &arena, &options.count);
    matrix->marked = marked;
    options.matrix = matrix;
    options.heading = heading;
    return bars_rank(&options, &arena);
}

static void the_largest_come_first_and_the_first_of_equals(void **state) {
    (void)state;
    Bars bars = rank(shares(), NULL, (BarsOptions){.best = 3, .shares = true});
    assert_int_equal(bars.count, 2);
    const BarGroup *group = &bars.group[0];
    assert_string_equal(group->title, "after <start>");
    assert_int_equal(group->count, 4);
    assert_string_equal(group->bar[0].word, "b");
    assert_string_equal(group->bar[0].text, "0.500");
    assert_string_equal(group->bar[1].word, "d");
    assert_string_equal(group->bar[2].word, "a");
    assert_string_equal(group->bar[3].word, "2 others");
    assert_string_equal(group->bar[3].text, "in total 0.200");
    assert_float_equal(group->bar[3].to, 0.2, 1e-6);
    assert_float_equal(bars.zero, 0, 0);
}

static void the_chosen_word_is_always_shown(void **state) {
    (void)state;
    unsigned char marked[10] = {[4] = 1, [7] = 1};
    Bars bars = rank(shares(), marked, (BarsOptions){.best = 1, .shares = true});
    const BarGroup *group = &bars.group[0];
    assert_int_equal(group->count, 3);
    assert_false(group->bar[0].marked);
    assert_string_equal(group->bar[1].word, "e");
    assert_true(group->bar[1].marked);
    assert_string_equal(group->bar[1].text, "0.100 ◀ rank 3");
    assert_string_equal(group->bar[2].text, "in total 0.400");
    assert_string_equal(bars.group[1].bar[0].text, "1.000 ◀");
    assert_true(bars.marks);
}

static void scores_have_no_sum_and_may_be_negative(void **state) {
    (void)state;
    static const Number number[] = {-1, -2, 3, -4, -5, 0, 1, 2, 3, INFINITY};
    Bars bars = rank(ends("logits", number), NULL, (BarsOptions){.best = 2});
    const BarGroup *group = &bars.group[0];
    assert_string_equal(group->bar[0].text, "3.00");
    assert_string_equal(group->bar[1].text, "-1.00");
    assert_string_equal(group->bar[2].text, "at most -2.00");
    assert_float_equal(bars.zero, 0.25, 1e-9);
    assert_float_equal(group->bar[1].to, 0, 1e-9);
    assert_float_equal(group->bar[0].to, 1, 1e-9);
    /* NaN is neither a bar nor one of the others. */
    assert_string_equal(bars.group[1].bar[0].word, "d");
    assert_string_equal(bars.group[1].bar[2].word, "2 others");
}

static void differences_are_ranked_by_their_size(void **state) {
    (void)state;
    static const Number number[] = {0.1F, -0.7F, 0.2F, 0, 0.5F, 0, 0, 0, 0, 0};
    Bars bars = rank(ends("probabilities", number), NULL,
                     (BarsOptions){.best = 2, .by_size = true});
    assert_string_equal(bars.group[0].bar[0].word, "b");
    assert_string_equal(bars.group[0].bar[1].word, "e");
    assert_string_equal(bars.group[0].bar[2].text, "at most ±0.200");
}

static void bars_can_be_text(void **state) {
    (void)state;
    Slice slice = slice_all(shares());
    slice.to[0] = 1;
    const unsigned char marked[10] = {[1] = 1};
    const unsigned char *const marks[] = {marked};
    Figure figure = {.kind = FIGURE_BARS,
                     .slice = &slice,
                     .slices = 1,
                     .marked = marks,
                     .marked_as = "◀ next",
                     .best = 2};
    Error error;
    const char *text =
        styled_text(figure_text(&figure, 60, COLORS_NONE, &arena, &error));
    assert_string_equal(text, "probabilities\n"
                              "\n"
                              "         after <start>\n"
                              "       b ██████████ 0.500 ◀\n"
                              "       d ████ 0.200\n"
                              "3 others ██████ in total 0.300\n"
                              "\n"
                              "◀ next\n");
}

static void ids_cannot_be_bars(void **state) {
    (void)state;
    Tensor *tensor = shares();
    tensor->holds_ids = true;
    Slice slice = slice_all(tensor);
    Figure figure = {.kind = FIGURE_BARS, .slice = &slice, .slices = 1};
    Error error;
    assert_null(figure_text(&figure, 60, COLORS_NONE, &arena, &error));
    assert_non_null(strstr(error.message, "holds ids"));
}

static int forget(void **state) {
    (void)state;
    arena_free(&arena);
    return 0;
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_largest_come_first_and_the_first_of_equals),
        cmocka_unit_test(the_chosen_word_is_always_shown),
        cmocka_unit_test(scores_have_no_sum_and_may_be_negative),
        cmocka_unit_test(differences_are_ranked_by_their_size),
        cmocka_unit_test(bars_can_be_text),
        cmocka_unit_test(ids_cannot_be_bars),
    };
    return cmocka_run_group_tests_name("bars", tests, NULL, forget);
}
