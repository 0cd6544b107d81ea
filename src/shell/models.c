#include "shell/models.h"

#include <dirent.h>
#include <stdlib.h>
#include <string.h>

#include "base/language.h"
#include "base/nearest.h"
#include "shell/program.h"
#include "store/about.h"

static const char *const default_model = "ko-en";

/* The folder of a model: `name` as it is, or, where that is a bare name and no folder
 * here, one of the program's own. */
static const char *find_folder(const char *name, Arena *arena) {
    const char *models = program_folder("models", arena);
    if (name && (strchr(name, '/') || file_exists(name) || !models)) return name;
    if (!name) name = default_model;
    return models ? file_join(arena, models, name) : name;
}

static int by_name(const void *a, const void *b) {
    return strcmp(((const NamedModel *)a)->name, ((const NamedModel *)b)->name);
}

/* What stands in the folder `models`, from `list` on; how many. */
static int list_folders(const char *models, NamedModel *list, int most, Arena *arena) {
    DIR *all = opendir(models);
    int count = 0;
    for (const struct dirent *entry; all && count < most && (entry = readdir(all));) {
        const char *folder = file_join(arena, models, entry->d_name);
        if (entry->d_name[0] == '.' ||
            !file_exists(file_join(arena, folder, "config.json")))
            continue;
        list[count++] = (NamedModel){.name = arena_print(arena, "%s", entry->d_name),
                                     .text = about_read(folder, arena).purpose};
    }
    if (all) closedir(all);
    qsort(list, (size_t)count, sizeof *list, by_name);
    return count;
}

const NamedModel *models_list(Arena *arena, int *count) {
    enum { FOLDERS_MAX = 256 };
    int preset = 0;
    while (presets[preset].name) preset++;
    NamedModel *list = ARENA_ARRAY(arena, NamedModel, FOLDERS_MAX + preset);
    const char *models = program_folder("models", arena);
    *count = models ? list_folders(models, list, FOLDERS_MAX, arena) : 0;
    for (int p = 0; p < preset; p++)
        list[(*count)++] =
            (NamedModel){presets[p].name, said(presets[p].summary), true};
    return list;
}

static bool is_preset(const char *name) {
    for (const Preset *preset = presets; preset->name; preset++)
        if (strcmp(preset->name, name) == 0) return true;
    return false;
}

static bool open_preset(Model *model, const char *name, Arena *arena, Error *error) {
    Config config;
    if (!config_preset(&config, name, arena, error) ||
        !model_new(model, &config, 1, find_folder(NULL, arena), error))
        return false;
    model->path = arena_copy(&model->arena, name, strlen(name));
    return true;
}

static bool fail_unknown(const char *name, Arena *arena, Error *error) {
    int count;
    const NamedModel *list = models_list(arena, &count);
    Nearest nearest = {.word = name};
    for (int i = 0; i < count; i++) nearest_offer(&nearest, list[i].name);
    return fail(error, "there is no model '%s'%s; :models lists those that there are",
                name, nearest_question(&nearest, arena));
}

bool models_open(Model *model, const char *name, Arena *arena, Error *error) {
    const char *folder = find_folder(name, arena);
    if (!name || strchr(name, '/') || file_exists(folder))
        return model_open(model, folder, error);
    if (is_preset(name)) return open_preset(model, name, arena, error);
    return fail_unknown(name, arena, error);
}
