#include "base/options.h"

#include <string.h>

#include "base/language.h"
#include "base/nearest.h"

const Option *option_find(const Option *table, const char *name) {
    for (const Option *option = table; option->name; option++)
        if (strcmp(option->name, name) == 0) return option;
    return NULL;
}

const Option *option_find_flag(const Option *table, const char *name) {
    Arena arena = {0};
    char *written = arena_print(&arena, "%s", name);
    for (char *c = written; *c; c++)
        if (*c == '-') *c = '_';
    const Option *option = option_find(table, written);
    arena_free(&arena);
    return option;
}

const char *option_flag(const Option *option, Arena *arena) {
    char *flag = arena_print(arena, "%s", option->name);
    for (char *c = flag; *c; c++)
        if (*c == '_') *c = '-';
    return flag;
}

const char *option_nearest(const Option *table, const char *name, Arena *arena) {
    Nearest nearest = {.word = name};
    for (const Option *option = table; option->name; option++)
        nearest_offer(&nearest, option->name);
    return nearest_question(&nearest, arena);
}

const char *option_choice_name(const Option *option, int i) {
    if (option->choice) return option->choice(i);
    return option->choices ? option->choices[i] : NULL;
}

const char *option_range(const Option *option, Arena *arena) {
    const OptionKind *kind = option->kind;
    if (option->items)
        return trf(arena, "a list of at most %.0f %s", option->most, tr(option->items));
    if (option->most > option->least && kind == &option_count)
        return trf(arena, "a whole number from %.10g to %.10g", option->least,
                   option->most);
    if (option->most > option->least)
        return trf(arena, "a number from %.10g to %.10g", option->least, option->most);
    const char *names = "";
    const char *name;
    for (int c = 0; (name = option_choice_name(option, c)); c++)
        names = arena_print(arena, "%s%s%s", names, c ? ", " : "", name);
    if (!*names) return tr(kind->expects);
    return kind->add ? trf(arena, "a list of %s", names)
                     : trf(arena, "one of %s", names);
}

void option_reset(const Option *table, void *owner, Arena *arena) {
    for (const Option *option = table; option->name; option++)
        option_set(option, owner, option->otherwise, arena);
}

bool option_set(const Option *option, void *owner, const char *text, Arena *arena) {
    return option->kind->set(option, owner, text, arena);
}

/* A value of JSON as it would be typed; NULL: it is a list, or not of the kind. */
static const char *typed(const Option *option, const Json *json, Arena *arena) {
    /* JSON has no infinity, so "-inf" is there as a string. */
    bool infinite = option->kind == &option_number && json->type == JSON_TEXT &&
                    strcmp(json->text, "-inf") == 0;
    if (!infinite && !(option->kind->types & 1u << json->type)) return NULL;
    if (json->type == JSON_TEXT) return json->text;
    if (json->type == JSON_TRUTH) return json->number != 0 ? "true" : "false";
    if (json->type == JSON_WHOLE) return arena_print(arena, "%lld", json->whole);
    if (json->type == JSON_DECIMAL) return arena_print(arena, "%.17g", json->number);
    return NULL;
}

bool option_read(const Option *option, void *owner, const Json *json, Arena *arena) {
    const OptionKind *kind = option->kind;
    if (!kind->add || json->type != JSON_LIST) {
        const char *text = typed(option, json, arena);
        return text && option_set(option, owner, text, arena);
    }
    option_set(option, owner, "", arena);
    for (int i = 0; i < json->count; i++)
        if (json->child[i].type != JSON_TEXT ||
            !kind->add(option, owner, json->child[i].text, arena))
            return false;
    return true;
}

const char *option_print(const Option *option, const void *owner, Arena *arena) {
    const OptionKind *kind = option->kind;
    if (!kind->add) return kind->print(option, owner, 0, arena);
    const char *list = "";
    const char *item;
    for (int i = 0; (item = kind->print(option, owner, i, arena)); i++)
        list = i ? arena_print(arena, "%s%c%s", list, kind->separator, item) : item;
    return list;
}

const char *option_print_json(const Option *option, const void *owner, Arena *arena) {
    const OptionKind *kind = option->kind;
    if (!kind->add) {
        const char *text = kind->print(option, owner, 0, arena);
        bool bare = kind->is_bare && strcmp(text, "-inf") != 0;
        return bare ? text : json_quote(text, arena);
    }
    const char *list = "";
    const char *item;
    for (int i = 0; (item = kind->print(option, owner, i, arena)); i++)
        list =
            arena_print(arena, "%s%s%s", list, i ? ", " : "", json_quote(item, arena));
    return arena_print(arena, "[%s]", list);
}
