#include "learn/recipe_kind.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/json.h"

static void *field(const RecipeKey *key, Recipe *recipe) {
    return (char *)recipe + key->offset;
}

static const void *constant_field(const RecipeKey *key, const Recipe *recipe) {
    return (const char *)recipe + key->offset;
}

/* All of `text` as a number within the key's range. */
static bool read_number(const RecipeKey *key, const char *text, double *number) {
    char *end;
    *number = strtod(text, &end);
    return *text && !isspace((unsigned char)*text) && *end == '\0' &&
           *number >= key->least && *number <= key->most;
}

static bool set_count(const RecipeKey *key, Recipe *recipe, const char *text,
                      Arena *arena) {
    (void)arena;
    double number;
    if (!read_number(key, text, &number) || number != floor(number)) return false;
    *(int *)field(key, recipe) = (int)number;
    return true;
}

static const char *print_count(const RecipeKey *key, const Recipe *recipe,
                               Arena *arena) {
    return arena_print(arena, "%d", *(const int *)constant_field(key, recipe));
}

static bool set_number(const RecipeKey *key, Recipe *recipe, const char *text,
                       Arena *arena) {
    (void)arena;
    return read_number(key, text, field(key, recipe));
}

static const char *print_number(const RecipeKey *key, const Recipe *recipe,
                                Arena *arena) {
    return arena_print(arena, "%.17g", *(const double *)constant_field(key, recipe));
}

static bool set_truth(const RecipeKey *key, Recipe *recipe, const char *text,
                      Arena *arena) {
    (void)arena;
    bool yes = strcmp(text, "true") == 0;
    if (!yes && strcmp(text, "false") != 0) return false;
    *(bool *)field(key, recipe) = yes;
    return true;
}

static const char *print_truth(const RecipeKey *key, const Recipe *recipe,
                               Arena *arena) {
    (void)arena;
    return *(const bool *)constant_field(key, recipe) ? "true" : "false";
}

static bool set_choice(const RecipeKey *key, Recipe *recipe, const char *text,
                       Arena *arena) {
    (void)arena;
    for (int c = 0; key->choices[c]; c++) {
        if (strcmp(key->choices[c], text) != 0) continue;
        *(int *)field(key, recipe) = c;
        return true;
    }
    return false;
}

static const char *print_choice(const RecipeKey *key, const Recipe *recipe,
                                Arena *arena) {
    (void)arena;
    return key->choices[*(const int *)constant_field(key, recipe)];
}

static bool set_text(const RecipeKey *key, Recipe *recipe, const char *text,
                     Arena *arena) {
    *(const char **)field(key, recipe) = arena_copy(arena, text, strlen(text));
    return true;
}

static const char *print_text(const RecipeKey *key, const Recipe *recipe,
                              Arena *arena) {
    (void)arena;
    return *(const char *const *)constant_field(key, recipe);
}

/* Semicolons stand between the addresses, which may have commas inside. */
static bool set_list(const RecipeKey *key, Recipe *recipe, const char *text,
                     Arena *arena) {
    (void)key;
    recipe->snapshot_count = 0;
    for (size_t length; *text; text += length + (text[length] == ';')) {
        length = strcspn(text, ";");
        if (recipe->snapshot_count == RECIPE_SNAPSHOTS || length == 0) return false;
        recipe->snapshots[recipe->snapshot_count++] = arena_copy(arena, text, length);
    }
    return true;
}

static const char *print_list(const RecipeKey *key, const Recipe *recipe,
                              Arena *arena) {
    (void)key;
    const char *list = "";
    for (int s = 0; s < recipe->snapshot_count; s++)
        list = arena_print(arena, "%s%s%s", list, s ? ";" : "", recipe->snapshots[s]);
    return list;
}

enum {
    WHOLE = 1 << JSON_WHOLE,
    NUMBERS = 1 << JSON_WHOLE | 1 << JSON_DECIMAL,
    TEXT = 1 << JSON_TEXT,
};

const RecipeKind recipe_count = {.expects = "a whole number",
                                 .types = WHOLE,
                                 .set = set_count,
                                 .print = print_count};
const RecipeKind recipe_number = {
    .expects = "a number", .types = NUMBERS, .set = set_number, .print = print_number};
const RecipeKind recipe_truth = {.expects = "true or false",
                                 .types = 1 << JSON_TRUTH,
                                 .set = set_truth,
                                 .print = print_truth};
const RecipeKind recipe_choice = {
    .expects = "one of", .types = TEXT, .set = set_choice, .print = print_choice};
const RecipeKind recipe_text = {
    .expects = "a text", .types = TEXT, .set = set_text, .print = print_text};
const RecipeKind recipe_column = {.expects = "the name of a column, or its number",
                                  .types = TEXT | WHOLE,
                                  .set = set_text,
                                  .print = print_text};
const RecipeKind recipe_path = {.expects = "a path",
                                .types = TEXT,
                                .is_path = true,
                                .set = set_text,
                                .print = print_text};
const RecipeKind recipe_list = {.expects = "a list of at most 8 addresses",
                                .types = 1 << JSON_LIST,
                                .set = set_list,
                                .print = print_list};
