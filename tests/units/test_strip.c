/* A decoding step by step: words, bars and shares, wrapped at the width. */
#include "units/sheet.h"

#include "units/scratch.h"

static Error error;

static const StripWord first[] = {{"I", 0.75}, {"We", 0.2}, {"My", 0.0001}};
static const StripWord second[] = {
    {"갔다", 0.5}, {"unbelievably long", 0.25}, {".", 0}};

/* `count` steps, the two by turns. */
static Strip strip_of(int count) {
    StripStep *step = ARENA_ARRAY(&arena, StripStep, count);
    for (int s = 0; s < count; s++)
        step[s] = s % 2 ? (StripStep){second, 3, 0.25} : (StripStep){first, 3, 0.0499};
    return (Strip){step, count, "a note"};
}

static Figure figure_of(const Strip *strip) {
    return (Figure){.kind = FIGURE_STRIP, .strip = strip, .title = "T"};
}

static void test_what_was_said_stands_on_top(void **state) {
    (void)state;
    const Strip strip = strip_of(2);
    const Figure figure = figure_of(&strip);
    const char *text = figure_text(&figure, 80, COLORS_NONE, &arena, &error);
    assert_string_equal(
        text,
        "T\n\n"
        "               step.0                               step.1\n"
        "             I █████████     0.750             갔다 ██████        0.500\n"
        "            We ██            0.200   unbelievably … ███           0.250\n"
        "            My              <0.001                .               0.000\n"
        "        others █             0.050           others ███           0.250\n\n"
        "a note\n");
}

static void test_bars_are_as_long_as_their_shares(void **state) {
    (void)state;
    const Strip strip = strip_of(2);
    const Figure figure = figure_of(&strip);
    const Sheet *sheet = sheet_of(&figure, &arena);
    sheet_check(sheet, "strip");
    assert_int_equal(sheet->boxes, 8);
    double whole = sheet->box[0].box.width / 0.75;
    static const double shares[] = {0.75, 0.2, 0.0001, 0.0499, 0.5, 0.25, 0, 0.25};
    for (int i = 0; i < 8; i++) {
        double expected = fmax(shares[i] * whole, 1); /* none is unseen */
        assert_true(fabs(sheet->box[i].box.width - expected) < 1e-9);
    }
    assert_true(sheet_find(sheet, "I", 0)->style.bold);
    assert_false(sheet_find(sheet, "We", 0)->style.bold);
}

static void test_steps_wrap_and_none_is_cut(void **state) {
    (void)state;
    static const int counts[] = {1, 2, 7, 60, 200};
    for (size_t c = 0; c < COUNT(counts); c++) {
        const Strip strip = strip_of(counts[c]);
        const Figure figure = figure_of(&strip);
        const Sheet *sheet = sheet_of(&figure, &arena);
        sheet_check(sheet, arena_print(&arena, "%d steps", counts[c]));
        assert_true(sheet->width < 1200);
        for (int width = 40; width <= 120; width += 40) {
            const char *text = figure_text(&figure, width, COLORS_NONE, &arena, &error);
            int found = 0;
            for (const char *line = text; *line;) {
                size_t length = strcspn(line, "\n");
                assert_true(unicode_width(arena_copy(&arena, line, length)) <= width);
                line += length + (line[length] == '\n');
            }
            for (const char *at = text; (at = strstr(at, "step.")); at++) found++;
            assert_int_equal(found, counts[c]);
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_what_was_said_stands_on_top),
        cmocka_unit_test(test_bars_are_as_long_as_their_shares),
        cmocka_unit_test(test_steps_wrap_and_none_is_cut),
    };
    return cmocka_run_group_tests(tests, NULL, reset);
}
