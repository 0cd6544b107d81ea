#include "commands/settings.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/json.h"
#include "base/language.h"
#include "commands/commands.h"

/* Return the folder, or NULL. */
static const char *settings_folder(Arena *arena) {
    const char *config = state_base("XDG_CONFIG_HOME", ".config", arena);
    return config ? file_join(arena, config, "glassbox") : NULL;
}

/* Return the file in the folder. If it is a link, return the file that it names,
 * because a save replaces links. */
static const char *settings_file(const char *folder, Arena *arena) {
    const char *path = file_join(arena, folder, "config.json");
    char real[PATH_MAX];
    return realpath(path, real) ? arena_print(arena, "%s", real) : path;
}

static bool read_file(Display *options, const char *path, Arena *arena, Error *error) {
    enum { LARGEST = 1 << 16 };
    Bytes bytes;
    const Json *json;
    if (!file_read_regular(path, LARGEST, arena, &bytes, error) ||
        !json_read_map(bytes, path, arena, &json, error))
        return false;
    for (int i = 0; i < json->count; i++)
        if (!option_take(display_options, options, &json->child[i], path, arena, error))
            return false;
    return true;
}

bool settings_read(Display *options, Arena *arena, Error *error) {
    const char *folder = settings_folder(arena);
    const char *path = folder ? settings_file(folder, arena) : NULL;
    Display read = *options;
    Error problem;
    if (!path || !file_exists(path)) return true;
    if (!read_file(&read, path, arena, &problem))
        return fail(error,
                    "%s (until it is corrected, all options have their defaults)",
                    problem.message);
    *options = read;
    return true;
}

bool settings_save(const Display *options, bool force, Arena *arena, const char **path,
                   Error *error) {
    const char *folder = settings_folder(arena);
    Display ignored = *options;
    Error problem;
    if (!folder)
        return fail(error, "there is no folder to store settings; set HOME or "
                           "XDG_CONFIG_HOME to a folder that exists");
    *path = settings_file(folder, arena);
    if (!force && file_exists(*path) && !read_file(&ignored, *path, arena, &problem))
        return fail(error, "%s; it is not overwritten without --force",
                    problem.message);
    const char *text = options_print_json(display_options, options, arena);
    return file_make_folder(folder, error) &&
           file_save(*path, text, strlen(text), true, error);
}

static bool run_options(Session *session, const Arguments *arguments, Error *error) {
    Arena *arena = &session->scratch;
    const int depth = session->options.depth;
    for (int w = 0; w < arguments->words; w++) {
        const char *word = arguments->word[w];
        size_t length = strcspn(word, "=");
        const char *name = arena_copy(arena, word, length);
        const char *value = word + length + 1;
        if (!word[length])
            return fail(error,
                        "write name=value, such as digits=4; :options lists the names");
        const Option *setting = option_find(display_options, name);
        if (!setting)
            return fail(error, "there is no option '%s'; :options lists them", name);
        if (!option_set(setting, &session->options, value, arena))
            return fail(error, "%s is '%s'; expected %s", name, value,
                        option_range(setting, arena));
    }
    language_choose(session->options.language);
    if (session->options.depth != depth) session_did(session, DID_MOVE);
    if (arguments_flag(arguments, "save")) {
        const char *path = NULL;
        if (!settings_save(&session->options, arguments_flag(arguments, "force"), arena,
                           &path, error))
            return false;
        page_line(&session->page, "saved for later starts: %s",
                  session_safe(session, path));
        return true;
    }
    int count = 0;
    while (display_options[count].name) count++;
    ListItem *item = ARENA_ARRAY(arena, ListItem, count);
    for (int s = 0; s < count; s++)
        item[s] = (ListItem){
            .name = display_options[s].name,
            .value = option_print(&display_options[s], &session->options, arena),
            .text = tr(display_options[s].help),
        };
    page_list(&session->page, LIST_SETTINGS, item, count);
    return true;
}

static const Flag flags_options[] = {
    {"save", 0, NULL, N_("save all options in config.json, for later starts")},
    {"force", 0, NULL, N_("with --save: overwrite a file that has anything else")},
    {0},
};

const Command command_options = {
    .name = "options",
    .group = GROUP_PROGRAM,
    .arguments = "[NAME=VALUE ...]",
    .summary = N_("show or change display settings"),
    .details = N_("They last until the program ends; --save keeps them in "
                  "$XDG_CONFIG_HOME/glassbox/config.json (by default in ~/.config), "
                  "which you can also edit."),
    .example = ":options digits=4 candidates=3",
    .words = {0, WORDS_MAX},
    .flags = {flags_options},
    .only_prompt = true,
    .pages = true,
    .choice = CHOICE_SETTING,
    .run = run_options,
};
