/* Options by name: every kind read from text and from JSON, and printed. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/options.h"

#include <cmocka.h> /* last: it has a macro named fail */

enum { NAMES = 3 };

typedef struct {
    int count_of, color, flavours;
    double share;
    bool is_open;
    const char *title;
    const char *names[NAMES];
    int name_count;
} Shop;

static const char *const colors[] = {"red", "green", NULL};

static const char *flavour(int i) {
    return i < 3 ? (const char *const[]){"sweet", "sour", "hot"}[i] : NULL;
}

#define ROW(...) OPTION(Shop, __VA_ARGS__)

static const Option shop[] = {
    ROW(count_of, option_count, "3", "", .min = -5, .max = 9),
    ROW(share, option_number, "0.5", "", .min = -INFINITY, .max = 1),
    ROW(is_open, option_truth, "true", "", .choices = NULL),
    ROW(color, option_choice, "green", "", .choices = colors),
    ROW(flavours, option_set_of, "", "", .choice = flavour),
    ROW(title, option_text, "a \"b\"", "", .choices = NULL),
    ROW(names, option_list, "x", "", .max = NAMES, .items = "names",
        .count = offsetof(Shop, name_count)),
    {0},
};

static Arena arena;

static Shop fresh(void) {
    Shop owner = {0};
    option_reset(shop, &owner, &arena);
    return owner;
}

static const Json *json_of(const char *text) {
    const char *list = arena_print(&arena, "[%s]", text);
    const Json *json;
    Error error;
    if (!json_read((Bytes){list, strlen(list)}, "test", &arena, &json, &error))
        fail_msg("%s", error.message);
    return &json->child[0];
}

/* An accepted value: as typed, as in JSON, and as both are printed. */
static const struct {
    const char *name, *typed, *json, *printed, *printed_json;
} good[] = {
    {"count_of", "9", "9", "9", "9"},
    {"count_of", "-5", "-5", "-5", "-5"},
    {"count_of", "+4", "4", "4", "4"},
    {"count_of", "007", "7", "7", "7"},
    {"share", "1e-5", "0.00001", "1e-05", "1e-05"},
    {"share", "0.1", "1e-1", "0.1", "0.1"},
    {"share", "1", "1", "1", "1"},
    {"share", "-0", "-0.0", "0", "0"},
    {"share", "1e-400", "1e-400", "0", "0"},
    {"share", "-inf", "\"-inf\"", "-inf", "\"-inf\""},
    {"is_open", "false", "false", "false", "false"},
    {"color", "red", "\"red\"", "red", "\"red\""},
    {"flavours", "", "[]", "", "[]"},
    {"flavours", "hot,sweet", "[\"hot\", \"sweet\"]", "sweet,hot",
     "[\"sweet\", \"hot\"]"},
    {"title", "", "\"\"", "", "\"\""},
    {"title", "-inf", "\"-inf\"", "-inf", "\"-inf\""},
    {"title", "가 \"나\"", "\"가 \\\"나\\\"\"", "가 \"나\"", "\"가 \\\"나\\\"\""},
    {"names", "", "[]", "", "[]"},
    {"names", "a,b,c", "[\"a\", \"b\", \"c\"]", "a,b,c", "[\"a\", \"b\", \"c\"]"},
};

static void values_are_the_same_typed_and_in_json(void **state) {
    (void)state;
    for (size_t g = 0; g < sizeof good / sizeof *good; g++) {
        const Option *option = option_find(shop, good[g].name);
        Shop typed = fresh();
        Shop read = fresh();
        assert_true(option_set(option, &typed, good[g].typed, &arena));
        assert_true(option_read(option, &read, json_of(good[g].json), &arena));
        assert_string_equal(option_print(option, &typed, &arena), good[g].printed);
        assert_string_equal(option_print(option, &read, &arena), good[g].printed);
        assert_string_equal(option_print_json(option, &typed, &arena),
                            good[g].printed_json);
        const char *again = option_print_json(option, &read, &arena);
        assert_true(option_read(option, &typed, json_of(again), &arena));
        assert_string_equal(option_print_json(option, &typed, &arena), again);
    }
}

/* Rejected values; NULL if JSON cannot express it. */
static const struct {
    const char *name, *typed, *json;
} bad[] = {
    {"count_of", "10", "10"},
    {"count_of", "-6", "-6"},
    {"count_of", "1.0", "1.0"},
    {"count_of", "1e0", "1e0"},
    {"count_of", "1e-400", "1e-400"},
    {"count_of", "0x1", "\"0x1\""},
    {"count_of", "", "\"\""},
    {"count_of", "-", "null"},
    {"count_of", " 4", "\"4\""},
    {"count_of", "4 ", "[4]"},
    {"count_of", "99999999999999999999", "9223372036854775807"},
    {"share", "2", "2"},
    {"share", "nan", "\"nan\""},
    {"share", "inf", "\"inf\""},
    {"share", "-infinity", "\"-infinity\""},
    {"share", "0x1p-1", "\"0x1p-1\""},
    {"share", " 0", "\"0\""},
    {"share", "1e", "true"},
    {"is_open", "yes", "1"},
    {"is_open", "True", "\"true\""},
    {"color", "blue", "\"blue\""},
    {"color", "", "0"},
    {"flavours", "salty", "[\"salty\"]"},
    {"flavours", "hot,,hot", "[\"\"]"},
    {"flavours", "hot sweet", "\"hot\""},
    {"names", "a,,b", "[\"a\", \"\"]"},
    {"names", "a,b,c,d", "[\"a\", \"b\", \"c\", \"d\"]"},
    {"names", ",", "[[]]"},
};

static void values_are_refused_alike_typed_and_in_json(void **state) {
    (void)state;
    for (size_t b = 0; b < sizeof bad / sizeof *bad; b++) {
        const Option *option = option_find(shop, bad[b].name);
        Shop owner = fresh();
        if (option_set(option, &owner, bad[b].typed, &arena))
            fail_msg("%s: '%s' was taken", bad[b].name, bad[b].typed);
        if (option_read(option, &owner, json_of(bad[b].json), &arena))
            fail_msg("%s: %s was taken", bad[b].name, bad[b].json);
    }
}

static void omitted_options_have_the_defaults_of_the_table(void **state) {
    (void)state;
    Shop owner = fresh();
    for (const Option *option = shop; option->name; option++)
        assert_string_equal(option_print(option, &owner, &arena), option->otherwise);
}

static void what_is_typed_is_copied(void **state) {
    (void)state;
    Shop owner = fresh();
    char text[] = "before";
    option_set(option_find(shop, "title"), &owner, text, &arena);
    option_set(option_find(shop, "names"), &owner, text, &arena);
    strcpy(text, "after!");
    assert_string_equal(owner.title, "before");
    assert_string_equal(owner.names[0], "before");
}

static void ranges_are_sentences(void **state) {
    (void)state;
    static const char *const range[] = {
        "a whole number from -5 to 9", "a number from -inf to 1",    "true or false",
        "one of red, green",           "a list of sweet, sour, hot", "a text",
        "a list of at most 3 names"};
    for (int i = 0; shop[i].name; i++)
        assert_string_equal(option_range(&shop[i], &arena), range[i]);
}

static void names_are_found_and_suggested(void **state) {
    (void)state;
    const Option *open = option_find(shop, "is_open");
    assert_ptr_equal(option_find_flag(shop, "is-open"), open);
    assert_ptr_equal(option_find_flag(shop, "is_open"), open);
    assert_null(option_find(shop, "is-open"));
    assert_null(option_find_flag(shop, "is-ope"));
    assert_string_equal(option_flag(open, &arena), "is-open");
    assert_string_equal(option_nearest(shop, "sahre", &arena), "; did you mean share?");
    assert_string_equal(option_nearest(shop, "qqqqqqqq", &arena), "");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(values_are_the_same_typed_and_in_json),
        cmocka_unit_test(values_are_refused_alike_typed_and_in_json),
        cmocka_unit_test(omitted_options_have_the_defaults_of_the_table),
        cmocka_unit_test(what_is_typed_is_copied),
        cmocka_unit_test(ranges_are_sentences),
        cmocka_unit_test(names_are_found_and_suggested),
    };
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    arena_free(&arena);
    return failed;
}
