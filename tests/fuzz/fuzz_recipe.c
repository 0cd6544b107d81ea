/* A recipe, followed by the "key=value" texts of --set. */
#include "fuzz.h"
#include "learn/recipe.h"

enum { SETS = 8 };

/* A printed value must be read as the same value. */
static void check_values(Recipe *recipe, Arena *arena) {
    const Recipe before = *recipe;
    for (const Option *key = recipe_keys; key->name; key++) {
        const char *printed = option_print(key, recipe, arena);
        MUST(option_set(key, recipe, printed, arena));
        MUST(strcmp(option_print(key, recipe, arena), printed) == 0);
    }
    MUST(recipe->learning_rate == before.learning_rate && recipe->clip == before.clip);
    MUST(recipe->snapshot_count == before.snapshot_count);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static int file = -1;
    if (file < 0) file = fuzz_file("recipe.json");
    Bytes rest = {(const char *)data, size};
    Arena arena = {0};
    const char *path = fuzz_fill(file, fuzz_part(&rest));
    const char *set[SETS];
    int sets = 0;
    while (sets < SETS && rest.size) set[sets++] = fuzz_text(&rest, &arena);
    Recipe recipe;
    Error error = {0};
    if (recipe_read(&recipe, path, set, sets, &arena, &error)) {
        MUST(*recipe.data && *recipe.output);
        MUST(*recipe_print(&recipe, &arena));
        MUST(*config_print(&recipe.config, &arena));
        check_values(&recipe, &arena);
    } else {
        MUST(*error.message);
    }
    arena_free(&arena);
    return 0;
}
