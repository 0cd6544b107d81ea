#include "session/models.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/language.h"
#include "base/nearest.h"
#include "session/program.h"
#include "store/about.h"

static const char *const default_model = "ko-en";

/* The default model for speakers of a language. */
static const struct {
    const char *language, *model;
} first_models[] = {
    {"en", "passive"},
    {"ko", "ko-en"},
};

const char *models_first(void) {
    for (size_t i = 0; i < sizeof first_models / sizeof *first_models; i++)
        if (strcmp(first_models[i].language, language_name()) == 0)
            return first_models[i].model;
    return default_model;
}

static bool is_model(const char *folder, Arena *arena) {
    return file_exists(file_join(arena, folder, "config.json"));
}

static bool is_preset(const char *name) {
    for (const Preset *preset = presets; preset->name; preset++)
        if (strcmp(preset->name, name) == 0) return true;
    return false;
}

/* Return the folder of a model: `name` itself, or one of the program's own models if
 * `name` is a bare name and not a model here. A lesson gets the program's own model
 * first, because a file of that name may have been put into its folder. */
static const char *find_folder(const char *name, Arena *arena) {
    const char *models = program_folder("models", arena);
    if (name && (strchr(name, '/') || !models)) return name;
    if (!models) return default_model;
    const char *own = file_join(arena, models, name ? name : default_model);
    bool own_first =
        confine_now().is_on && name && (is_preset(name) || is_model(own, arena));
    return name && !own_first && is_model(name, arena) ? name : own;
}

static int by_name(const void *a, const void *b) {
    return strcmp(((const NamedModel *)a)->name, ((const NamedModel *)b)->name);
}

bool models_list(ModelList *list, Arena *arena, Error *error) {
    enum { FOLDERS_MAX = 256 };
    int preset = 0;
    while (presets[preset].name) preset++;
    NamedModel *model = ARENA_ARRAY(arena, NamedModel, FOLDERS_MAX + preset);
    int count = 0;
    const char *models = program_folder("models", arena);
    DIR *all = models ? opendir(models) : NULL;
    bool done = !models || all ||
                fail(error, "cannot read %s: %s", models, error_reason(errno));
    for (const struct dirent *entry;
         all && count < FOLDERS_MAX && (entry = readdir(all));) {
        const char *folder = file_join(arena, models, entry->d_name);
        if (entry->d_name[0] == '.' || !is_model(folder, arena)) continue;
        About about;
        done = about_read(&about, folder, arena, error) && done;
        model[count++] = (NamedModel){.name = arena_print(arena, "%s", entry->d_name),
                                      .text = about.purpose,
                                      .reads = about.reads,
                                      .writes = about.writes};
    }
    if (all) closedir(all);
    qsort(model, (size_t)count, sizeof *model, by_name);
    for (int p = 0; p < preset; p++)
        model[count++] =
            (NamedModel){presets[p].name, tr(presets[p].summary), "", "", true};
    *list = (ModelList){model, count};
    return done;
}

bool models_words(const char *folder, SeenWords *seen, Arena *arena, Error *error) {
    const char *path = file_join(arena, folder, WORDS_FILE);
    Bytes bytes;
    return file_exists(path) &&
           file_read_regular(path, WORDS_FILE_BYTES, arena, &bytes, error) &&
           seen_words_read(seen, bytes, path, arena, error);
}

const MetModel *models_met(const char *text, Arena *arena, int *count) {
    ModelList list;
    Error unread;
    const char *models = program_folder("models", arena);
    models_list(&list, arena, &unread);
    MetModel *met = ARENA_ARRAY(arena, MetModel, list.count);
    *count = 0;
    for (int m = 0; models && m < list.count && !list.model[m].is_preset; m++) {
        const char *folder = file_join(arena, models, list.model[m].name);
        SeenWords seen;
        if (models_words(folder, &seen, arena, &unread))
            met[(*count)++] =
                (MetModel){list.model[m], seen_words_check(&seen, text, arena)};
    }
    return met;
}

bool models_open(Model *model, const char *name, Arena *arena, Error *error) {
    const char *folder = find_folder(name, arena);
    if (!name || strchr(name, '/') || is_model(folder, arena))
        return model_open(model, folder, error);
    if (is_preset(name)) {
        Config config;
        if (!config_preset(&config, name, arena, error) ||
            !model_new(model, &config, 1, find_folder(NULL, arena), error))
            return false;
        model->path = arena_copy(&model->arena, name, strlen(name));
        return true;
    }
    /* A folder without config.json: let the error say so. */
    if (file_exists(name)) return model_open(model, name, error);
    ModelList list;
    Error unread;
    models_list(&list, arena, &unread);
    Nearest nearest = {.word = name};
    for (int i = 0; i < list.count; i++) nearest_offer(&nearest, list.model[i].name);
    return fail(error, "there is no model '%s'%s; :models lists the models", name,
                nearest_question(&nearest, arena));
}
