/* A tree of sentences in text and in pictures. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "canvas/picture.h"
#include "figure/figure.h"
#include "text/unicode.h"

#include <cmocka.h> /* last: it has a macro named fail */

static const BranchWord words[] = {
    {"<start>", "", NULL, -1, BRANCH_GROWN, true},
    {"I", "0.90", NULL, 0, BRANCH_GROWN, true},
    {"we", "0.05", "fell out (-4.00)", 0, BRANCH_PRUNED, false},
    {"saw", "0.80", NULL, 1, BRANCH_GROWN, true},
    {"met", "0.10", NULL, 1, BRANCH_GROWN, false},
    {"<end>", "0.70", "-0.52", 3, BRANCH_FINISHED, true},
    {"him", "0.60", "unfinished (-3.00)", 4, BRANCH_LEFT, false},
};
static const BranchTree tree = {words, 7, "a note"};

static const char *drawn(const BranchTree *branches, int width, Arena *arena) {
    Error error;
    const Figure figure = {.kind = FIGURE_BRANCHES, .branches = branches, .title = "T"};
    const char *text =
        styled_text(figure_text(&figure, width, COLORS_NONE, arena, &error));
    if (!text) fail_msg("%s", error.message);
    return text;
}

static void test_words_without_a_branch_are_on_one_line(void **state) {
    (void)state;
    Arena arena = {0};
    assert_string_equal(drawn(&tree, 80, &arena),
                        "T\n\n"
                        "<start>\n"
                        "├─ I 0.90\n"
                        "│  ├─ saw 0.80 ─ <end> 0.70 ■ -0.52\n"
                        "│  └─ met 0.10 ─ him 0.60 … unfinished (-3.00)\n"
                        "└─ we 0.05 ✂ fell out (-4.00)\n\n"
                        "a note\n");
    arena_free(&arena);
}

static void test_a_long_line_continues_below(void **state) {
    (void)state;
    Arena arena = {0};
    assert_string_equal(drawn(&tree, 40, &arena),
                        "T\n\n"
                        "<start>\n"
                        "├─ I 0.90\n"
                        "│  ├─ saw 0.80 ─ <end> 0.70 ■ -0.52\n"
                        "│  └─ met 0.10 ─ him 0.60\n"
                        "│        … unfinished (-3.00)\n"
                        "└─ we 0.05 ✂ fell out (-4.00)\n\n"
                        "a note\n");
    arena_free(&arena);
}

/* A tree that branches at each of `deep` words. */
static BranchTree deep_tree(int deep, Arena *arena) {
    BranchWord *word = ARENA_ARRAY(arena, BranchWord, 2 * deep + 1);
    word[0] = (BranchWord){"<start>", "", NULL, -1, BRANCH_GROWN, true};
    for (int d = 0; d < deep; d++) {
        int parent = d ? 2 * d - 1 : 0;
        word[2 * d + 1] =
            (BranchWord){"부산", "0.50", NULL, parent, BRANCH_GROWN, true};
        word[2 * d + 2] =
            (BranchWord){"다른", "0.10", "fell out", parent, BRANCH_PRUNED, false};
    }
    return (BranchTree){word, 2 * deep + 1, NULL};
}

static void test_no_line_is_too_long_however_deep_it_is(void **state) {
    (void)state;
    static const int depths[] = {1, 5, 15, 40, 200};
    for (int width = 40; width <= 120; width += 10)
        for (size_t d = 0; d < sizeof depths / sizeof *depths; d++) {
            Arena arena = {0};
            BranchTree deep = deep_tree(depths[d], &arena);
            const char *text = drawn(&deep, width, &arena);
            int lines = 0;
            for (const char *line = text; *line; lines++) {
                size_t length = strcspn(line, "\n");
                assert_true(unicode_width(arena_copy(&arena, line, length)) <= width);
                line += length + 1;
            }
            assert_true(lines >= 2 * depths[d]);
            arena_free(&arena);
        }
}

static bool overlap(Box a, Box b) {
    return a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height &&
           b.y < a.y + a.height;
}

static void check_boxes(const BranchTree *branches, const BranchTreeLayout *layout) {
    for (int b = 0; b < branches->count; b++) {
        const Box *box = &layout->box[b];
        assert_true(box->x >= 0 && box->y >= 0);
        assert_true(box->x + box->width <= layout->width);
        assert_true(box->y + box->height <= layout->height);
        int parent = branches->branch[b].parent;
        if (parent >= 0)
            assert_true(box->x >= layout->box[parent].x + layout->box[parent].width);
        for (int other = 0; other < b; other++)
            assert_false(overlap(*box, layout->box[other]));
    }
}

static void test_nothing_overlaps_in_a_picture(void **state) {
    (void)state;
    Arena arena = {0};
    Canvas *canvas = image_new(&arena, IMAGE_SVG, &(PictureOptions){0});
    BranchTree deep = deep_tree(12, &arena);
    BranchTreeLayout layout = branch_tree_plan(&tree, canvas);
    check_boxes(&tree, &layout);
    layout = branch_tree_plan(&deep, canvas);
    check_boxes(&deep, &layout);
    picture_close(canvas);
    arena_free(&arena);
}

static void test_branches_cannot_be_a_heatmap(void **state) {
    (void)state;
    Arena arena = {0};
    Error error;
    const Figure figure = {.kind = FIGURE_HEATMAP, .branches = &tree};
    assert_null(figure_text(&figure, 80, COLORS_NONE, &arena, &error));
    assert_non_null(strstr(error.message, "are not numbers"));
    arena_free(&arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_words_without_a_branch_are_on_one_line),
        cmocka_unit_test(test_a_long_line_continues_below),
        cmocka_unit_test(test_no_line_is_too_long_however_deep_it_is),
        cmocka_unit_test(test_nothing_overlaps_in_a_picture),
        cmocka_unit_test(test_branches_cannot_be_a_heatmap),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
