/* Recipes: every key right, and every key wrong. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "base/json.h"
#include "learn/adam.h"
#include "learn/recipe.h"

#include <cmocka.h> /* last: it has a macro named fail */

static const char *folder;

/* Read a recipe with that text from a file, with one "key=value" typed, or NULL. */
static bool read_recipe(Recipe *recipe, const char *text, const char *set, Arena *arena,
                        Error *error) {
    const char *path = file_join(arena, folder, "recipe.json");
    if (!file_save(path, text, strlen(text), true, error))
        fail_msg("%s", error->message);
    *error = (Error){0};
    return recipe_read(recipe, path, &set, set != NULL, arena, error);
}

static void defaults_and_values_are_read(void **state) {
    (void)state;
    Arena arena = {0};
    Recipe recipe;
    Error error;
    const char *text =
        "{\"preset\": \"kit\", \"data\": \"pairs.tsv\", \"validation\": \"/v.tsv\","
        " \"output\": \"../out\", \"source\": 2, \"target\": \"en\","
        " \"learning_rate\": 0.5, \"warmup\": 7, \"schedule\": \"cosine\","
        " \"one_vocabulary\": true, \"snapshots\": [\"a[b=1, c=2]\", \"d\"],"
        " \"model\": {\"d_model\": 32, \"norm\": \"pre\"}}";
    if (!read_recipe(&recipe, text, NULL, &arena, &error))
        fail_msg("%s", error.message);
    assert_string_equal(recipe.data, file_join(&arena, folder, "pairs.tsv"));
    assert_string_equal(recipe.validation, "/v.tsv");
    assert_string_equal(recipe.output, file_join(&arena, folder, "../out"));
    assert_string_equal(recipe.source, "2");
    assert_string_equal(recipe.target, "en");
    assert_string_equal(recipe.tokenizer, "words");
    assert_true(recipe.learning_rate == 0.5 && recipe.one_vocabulary);
    assert_int_equal(recipe.warmup, 7);
    assert_int_equal(recipe.schedule, SCHEDULE_COSINE);
    assert_int_equal(recipe.snapshot_count, 2);
    assert_string_equal(recipe.snapshots[0], "a[b=1, c=2]");
    assert_int_equal(recipe.config.d_model, 32);
    assert_int_equal(recipe.config.norm, NORM_PRE);
    assert_true(recipe.config.share_layers); /* from kit */
    assert_true(recipe.beta_1 == 0.9 && recipe.beta_2 == 0.98);
    assert_true(recipe.epsilon == 1e-9 && recipe.clip == 0 && recipe.smoothing == 0);
    arena_free(&arena);
}

static void what_is_typed_wins_over_the_file(void **state) {
    (void)state;
    Arena arena = {0};
    Recipe recipe;
    Error error;
    const char *text = "{\"data\": \"a\", \"output\": \"b\", \"batch\": 8,"
                       " \"model\": {\"d_model\": 32}}";
    assert_true(read_recipe(&recipe, text, "batch=9", &arena, &error));
    assert_int_equal(recipe.batch, 9);
    assert_true(read_recipe(&recipe, text, "model.d_model=64", &arena, &error));
    assert_int_equal(recipe.config.d_model, 64);
    assert_true(read_recipe(&recipe, text, "preset=keras", &arena, &error));
    assert_int_equal(recipe.config.d_model, 32);
    assert_true(recipe.config.dropout == 0.2);
    assert_true(read_recipe(&recipe, text, "output=here", &arena, &error));
    assert_string_equal(recipe.output, "here");
    arena_free(&arena);
}

/* Check that the recipe is rejected in one sentence that starts with the path and
 * contains `part`. */
static void check_refused(const char *text, const char *part) {
    Arena arena = {0};
    Recipe recipe;
    Error error;
    const char *path = file_join(&arena, folder, "recipe.json");
    if (read_recipe(&recipe, text, NULL, &arena, &error))
        fail_msg("%s was accepted", text);
    bool named = strncmp(error.message, path, strlen(path)) == 0;
    if (!named || !strstr(error.message, part) || strchr(error.message, '\n'))
        fail_msg("%s: %s", text, error.message);
    arena_free(&arena);
}

/* A complete recipe in which one key has that value. */
static const char *recipe_with(const char *key, const char *value, Arena *arena) {
    const char *text = arena_print(arena, "{\"%s\": %s", key, value);
    if (strcmp(key, "data") != 0)
        text = arena_print(arena, "%s, \"data\": \"a\"", text);
    if (strcmp(key, "output") != 0)
        text = arena_print(arena, "%s, \"output\": \"b\"", text);
    return arena_print(arena, "%s}", text);
}

static void check_value_refused(const Option *key, const char *value, Arena *arena) {
    check_refused(recipe_with(key->name, value, arena),
                  arena_print(arena, "\"%s\" is %s; expected %s", key->name, value,
                              option_range(key, arena)));
}

static void every_key_with_a_wrong_type_is_named(void **state) {
    (void)state;
    static const char *const of_type[] = {
        [JSON_NOTHING] = "null",  [JSON_TRUTH] = "true", [JSON_WHOLE] = "3",
        [JSON_DECIMAL] = "3.5",   [JSON_TEXT] = "\"?\"", [JSON_LIST] = "[\"a\"]",
        [JSON_MAP] = "{\"a\": 1}"};
    Arena arena = {0};
    for (const Option *key = recipe_keys; key->name; key++)
        for (unsigned type = 0; type <= JSON_MAP; type++)
            if (!(key->kind->types & 1u << type))
                check_value_refused(key, of_type[type], &arena);
    arena_free(&arena);
}

static void every_key_with_a_wrong_value_is_named(void **state) {
    (void)state;
    Arena arena = {0};
    int checked = 0;
    for (const Option *key = recipe_keys; key->name; key++) {
        const unsigned whole = 1u << JSON_WHOLE;
        bool has_range = key->max > key->min && !key->items;
        if (has_range && key->kind->types & whole) {
            double below = key->min - 1;
            double above = key->max + 1;
            check_value_refused(key, arena_print(&arena, "%.0f", below), &arena);
            check_value_refused(key, arena_print(&arena, "%.0f", above), &arena);
            Recipe recipe;
            const char *min = arena_print(&arena, "%.17g", key->min);
            const char *max = arena_print(&arena, "%.17g", key->max);
            assert_true(option_set(key, &recipe, min, &arena));
            assert_true(option_set(key, &recipe, max, &arena));
            checked++;
        }
        if (key->choices) {
            check_value_refused(key, "\"other\"", &arena);
            checked++;
        }
        if (key->kind->types == 1u << JSON_LIST) {
            check_value_refused(key, "[7]", &arena);
            check_value_refused(key, "[\"\"]", &arena);
            Recipe recipe;
            assert_true(option_set(key, &recipe, "1;2;3;4;5;6;7;8", &arena));
            check_value_refused(
                key, "[\"1\", \"2\", \"3\", \"4\", \"5\", \"6\", \"7\", \"8\", \"9\"]",
                &arena);
            checked++;
        }
    }
    assert_true(checked >= 25);
    arena_free(&arena);
}

static void every_default_is_within_its_range(void **state) {
    (void)state;
    Arena arena = {0};
    for (const Option *key = recipe_keys; key->name; key++) {
        Recipe recipe = {0};
        if (!option_set(key, &recipe, key->otherwise, &arena))
            fail_msg("%s: '%s'", key->name, key->otherwise);
        assert_true(*key->help && *option_range(key, &arena));
    }
    arena_free(&arena);
}

static void unknown_and_missing_keys_are_named(void **state) {
    (void)state;
    check_refused("{\"data\": \"a\", \"output\": \"b\", \"bacth\": 3}",
                  "unknown key \"bacth\"; did you mean batch?");
    check_refused("{\"output\": \"b\"}", "\"data\" is missing");
    check_refused("{\"data\": \"b\"}", "\"output\" is missing");
    check_refused("[]", "has a list; expected an object with keys");
    check_refused("{\"data\": \"a\",}", "recipe.json:1:");
    check_refused("{\"data\": \"a\", \"output\": \"b\", \"preset\": \"no\"}",
                  "\"preset\": there is no preset 'no'");
    check_refused("{\"data\": \"a\", \"output\": \"b\", \"model\": 3}",
                  "\"model\" is a number");
    check_refused("{\"data\": \"a\", \"output\": \"b\", \"model\": {\"d_mode\": 3}}",
                  "\"model\": unknown key \"d_mode\"; did you mean d_model?");
    check_refused(
        "{\"data\": \"a\", \"output\": \"b\", \"model\": {\"d_model\": \"3\"}}",
        "\"model\": \"d_model\" is \"3\"; expected a whole number");
}

static void keys_that_do_not_fit_each_other_are_named(void **state) {
    (void)state;
    static const char *const start = "{\"data\": \"a\", \"output\": \"b\", ";
    static const char *const wrong[][2] = {
        {"\"model\": {\"source_vocabulary\": 9}}",
         "\"model.source_vocabulary\" follows from the data"},
        {"\"model\": {\"target_vocabulary\": 9}}",
         "\"model.target_vocabulary\" follows from the data"},
        {"\"model\": {\"tokenizer\": \"words\"}}",
         "\"model.tokenizer\" follows from the data"},
        {"\"one_vocabulary\": false, \"model\": {\"share_embeddings\": true}}",
         "\"one_vocabulary\" is false, but share_embeddings needs it"},
        {"\"batch\": 0}", "\"batch\" and \"batch_tokens\" are both 0"},
        {"\"epochs\": 0}", "\"steps\" and \"epochs\" are both 0"},
        {"\"warmup\": 0}", "\"warmup\" is 0"},
        {"\"preset\": \"minimal\"}", "without decoder_layers has nothing to learn"},
    };
    Arena arena = {0};
    for (size_t w = 0; w < sizeof wrong / sizeof *wrong; w++)
        check_refused(arena_print(&arena, "%s%s", start, wrong[w][0]), wrong[w][1]);
    arena_free(&arena);
}

static void what_is_typed_wrongly_is_named(void **state) {
    (void)state;
    static const char *const wrong[][2] = {
        {"batch", "--set batch: write key=value"},
        {"bach=3", "--set bach=3: unknown key \"bach\"; did you mean batch?"},
        {"batch=x", "--set batch=x: \"batch\" is not valid; expected a whole number "
                    "from 0 to 65536"},
        {"schedule=fast", "--set schedule=fast: \"schedule\" is not valid; expected "
                          "one of paper, constant, cosine"},
        {"clip=-1", "--set clip=-1: \"clip\" is not valid; expected a number from 0 to "
                    "1000000000"},
        {"clip=nan", "--set clip=nan: \"clip\" is not valid; expected a number from 0 "
                     "to 1000000000"},
    };
    Arena arena = {0};
    Recipe recipe;
    Error error;
    for (size_t w = 0; w < sizeof wrong / sizeof *wrong; w++) {
        assert_false(read_recipe(&recipe, "{\"data\": \"a\", \"output\": \"b\"}",
                                 wrong[w][0], &arena, &error));
        assert_string_equal(error.message, wrong[w][1]);
    }
    assert_false(read_recipe(&recipe, "{\"data\": \"a\", \"output\": \"b\"}",
                             "model.norm=x", &arena, &error));
    assert_non_null(strstr(error.message, "--set model.norm=x: norm is 'x'"));
    arena_free(&arena);
}

static void a_resumed_recipe_may_differ_only_in_some_keys(void **state) {
    (void)state;
    Arena arena = {0};
    Recipe recipe;
    Error error;
    const char *text = "{\"data\": \"a\", \"output\": \"b\"}";
    assert_true(read_recipe(&recipe, text, NULL, &arena, &error));
    const char *same = recipe_print(&recipe, &arena);
    assert_true(read_recipe(&recipe, text, "epochs=99", &arena, &error));
    assert_string_equal(recipe_print(&recipe, &arena), same);
    assert_true(read_recipe(&recipe, text, "batch=99", &arena, &error));
    assert_string_not_equal(recipe_print(&recipe, &arena), same);
    arena_free(&arena);
}

int main(void) {
    char path[] = "/tmp/test_train_recipe.XXXXXX";
    folder = mkdtemp(path);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(defaults_and_values_are_read),
        cmocka_unit_test(what_is_typed_wins_over_the_file),
        cmocka_unit_test(every_key_with_a_wrong_type_is_named),
        cmocka_unit_test(every_key_with_a_wrong_value_is_named),
        cmocka_unit_test(every_default_is_within_its_range),
        cmocka_unit_test(unknown_and_missing_keys_are_named),
        cmocka_unit_test(keys_that_do_not_fit_each_other_are_named),
        cmocka_unit_test(what_is_typed_wrongly_is_named),
        cmocka_unit_test(a_resumed_recipe_may_differ_only_in_some_keys),
    };
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    Arena arena = {0};
    unlink(file_join(&arena, folder, "recipe.json"));
    rmdir(folder);
    arena_free(&arena);
    return failed;
}
