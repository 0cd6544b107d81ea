#include "base/options.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/builder.h"
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
        return trf(arena, "a list of at most %.0f %s", option->max, tr(option->items));
    if (option->max > option->min && kind == &option_count)
        return trf(arena, "a whole number from %.10g to %.10g", option->min,
                   option->max);
    if (option->max > option->min)
        return trf(arena, "a number from %.10g to %.10g", option->min, option->max);
    Builder names = {.arena = arena};
    const char *name;
    for (int c = 0; (name = option_choice_name(option, c)); c++)
        build_item(&names, ", ", "%s", name);
    if (!names.count) return tr(kind->expects);
    return kind->separator ? trf(arena, "a list of %s", builder_text(&names))
                           : trf(arena, "one of %s", builder_text(&names));
}

const OptionKind option_count = {OPTION_COUNT, N_("a whole number"),
                                 .types = 1 << JSON_WHOLE};
const OptionKind option_number = {OPTION_NUMBER, N_("a number"),
                                  .types = 1 << JSON_WHOLE | 1 << JSON_DECIMAL};
const OptionKind option_truth = {OPTION_TRUTH, N_("true or false"),
                                 .types = 1 << JSON_TRUTH};
const OptionKind option_choice = {OPTION_CHOICE, .types = 1 << JSON_TEXT};
const OptionKind option_text = {OPTION_TEXT, N_("a text"), .types = 1 << JSON_TEXT};
const OptionKind option_set_of = {OPTION_SET, .types = 1 << JSON_LIST,
                                  .separator = ','};
const OptionKind option_list = {OPTION_LIST, .types = 1 << JSON_LIST, .separator = ','};

bool option_listed(const char *list, char separator, const char *word, size_t length) {
    for (const char *end; *list; list = end + (*end == separator)) {
        end = strchrnul(list, separator);
        if ((size_t)(end - list) == length && memcmp(list, word, length) == 0)
            return true;
    }
    return false;
}

bool option_whole(const char *text, long long *number) {
    const char *digits = text + (*text == '-' || *text == '+');
    if (!*digits || digits[strspn(digits, "0123456789")]) return false;
    errno = 0;
    *number = strtoll(text, NULL, 10);
    return errno == 0;
}

static bool within(const Option *option, double number) {
    return number >= option->min && number <= option->max; /* false for NaN */
}

static int find_choice(const Option *option, const char *text) {
    const char *name;
    for (int c = 0; (name = option_choice_name(option, c)); c++)
        if (strcmp(name, text) == 0) return c;
    return -1;
}

/* Add an item to a set or a list. */
static bool add_item(const Option *option, void *owner, const char *text,
                     Arena *arena) {
    void *field = (char *)owner + option->offset;
    if (option->kind->type == OPTION_SET) {
        int choice = find_choice(option, text);
        if (choice >= 0) *(int *)field |= 1 << choice;
        return choice >= 0;
    }
    int *count = (void *)((char *)owner + option->count);
    if (*count >= (int)option->max || !*text) return false;
    if (option->kind->splits && strchr(text, option->kind->separator)) return false;
    ((const char **)field)[(*count)++] = arena_copy(arena, text, strlen(text));
    return true;
}

/* An empty word is an empty set or list. */
static bool set_items(const Option *option, void *owner, const char *text,
                      Arena *arena) {
    bool is_list = option->kind->type == OPTION_LIST;
    long long many = 0;
    bool is_counted =
        option->kind->types & 1 << JSON_WHOLE && option_whole(text, &many);
    if (is_counted && !within(option, (double)many)) return false;
    *(int *)(void *)((char *)owner + (is_list ? option->count : option->offset)) = 0;
    if (is_counted) {
        for (int i = 0; i < many; i++)
            add_item(option, owner, arena_print(arena, "%d", i), arena);
        return true;
    }
    const char separator[] = {option->kind->separator, '\0'};
    while (*text) {
        size_t length = strcspn(text, separator);
        if (!add_item(option, owner, arena_copy(arena, text, length), arena))
            return false;
        text += length + (text[length] != '\0');
    }
    return true;
}

bool option_set(const Option *option, void *owner, const char *text, Arena *arena) {
    void *field = (char *)owner + option->offset;
    long long whole;
    double number;
    char *end;
    int choice;
    switch (option->kind->type) {
    case OPTION_COUNT:
        if (!option_whole(text, &whole) || !within(option, (double)whole)) return false;
        *(int *)field = (int)whole;
        return true;
    case OPTION_NUMBER:
        number = strtod(text, &end);
        /* JSON has no infinity and no hexadecimal numbers; options may be "-inf". */
        if (text[strspn(text, "+-.0123456789eE")] && strcmp(text, "-inf") != 0)
            return false;
        if (!*text || *end || !within(option, number)) return false;
        *(double *)field = number + 0.0; /* -0 becomes 0 */
        return true;
    case OPTION_TRUTH:
        if (strcmp(text, "true") != 0 && strcmp(text, "false") != 0) return false;
        *(bool *)field = *text == 't';
        return true;
    case OPTION_CHOICE:
        choice = find_choice(option, text);
        if (choice >= 0) *(int *)field = choice;
        return choice >= 0;
    case OPTION_TEXT:
        *(const char **)field = arena_copy(arena, text, strlen(text));
        return true;
    case OPTION_SET:
    case OPTION_LIST:
        return set_items(option, owner, text, arena);
    case OPTION_OWN:
        return option->kind->set(option, owner, text, arena);
    }
    return false;
}

void option_reset(const Option *table, void *owner, Arena *arena) {
    for (const Option *option = table; option->name; option++)
        option_set(option, owner, option->otherwise, arena);
}

bool option_read(const Option *option, void *owner, const Json *json, Arena *arena) {
    const OptionKind *kind = option->kind;
    if (kind->separator && json->type == JSON_LIST) {
        option_set(option, owner, "", arena);
        for (int i = 0; i < json->count; i++)
            if (json->child[i].type != JSON_TEXT ||
                !add_item(option, owner, json->child[i].text, arena))
                return false;
        return true;
    }
    /* JSON has no infinity, so it is written as the string "-inf". */
    bool infinite = kind == &option_number && json->type == JSON_TEXT &&
                    strcmp(json->text, "-inf") == 0;
    const char *text = NULL;
    if (!infinite && !(kind->types & 1u << json->type)) return false;
    if (json->type == JSON_TEXT) text = json->text;
    if (json->type == JSON_TRUTH) text = json->number != 0 ? "true" : "false";
    if (json->type == JSON_WHOLE) text = arena_print(arena, "%lld", json->whole);
    if (json->type == JSON_DECIMAL) text = arena_print(arena, "%.17g", json->number);
    return text && option_set(option, owner, text, arena);
}

bool option_take(const Option *table, void *owner, const Json *value,
                 const char *origin, Arena *arena, Error *error) {
    const Option *option = option_find(table, value->name);
    if (!option)
        return fail(error, "%s: unknown key \"%s\"%s", origin, value->name,
                    option_nearest(table, value->name, arena));
    return option_read(option, owner, value, arena) ||
           fail(error, "%s: \"%s\" is %s; expected %s", origin, option->name,
                json_brief(value, arena), option_range(option, arena));
}

/* Return the value as typed. For a set or list return its i-th item, NULL after the
 * last. */
static const char *print_item(const Option *option, const void *owner, int i,
                              Arena *arena) {
    const void *field = (const char *)owner + option->offset;
    int number = 0;
    switch (option->kind->type) {
    case OPTION_COUNT:
        return arena_print(arena, "%d", *(const int *)field);
    case OPTION_NUMBER:
        /* Use the fewest digits that read back as the same number: 1e-05, not
         * 1.0000000000000001e-05. */
        for (int digits = 1;; digits++) {
            double value = *(const double *)field;
            const char *text = arena_print(arena, "%.*g", digits, value);
            if (digits == 17 || strtod(text, NULL) == value) return text;
        }
    case OPTION_TRUTH:
        return *(const bool *)field ? "true" : "false";
    case OPTION_CHOICE:
        return option_choice_name(option, *(const int *)field);
    case OPTION_TEXT:
        return *(const char *const *)field ? *(const char *const *)field : "";
    case OPTION_SET:
        number = *(const int *)field;
        for (int c = 0; number >> c; c++)
            if (number & 1 << c && i-- == 0) return option_choice_name(option, c);
        return NULL;
    case OPTION_LIST:
        number = *(const int *)(const void *)((const char *)owner + option->count);
        return i < number ? ((const char *const *)field)[i] : NULL;
    case OPTION_OWN:
        return option->kind->print(option, owner);
    }
    return NULL;
}

const char *option_print(const Option *option, const void *owner, Arena *arena) {
    char separator = option->kind->separator;
    if (!separator) return print_item(option, owner, 0, arena);
    const char *list = "";
    const char *item;
    for (int i = 0; (item = print_item(option, owner, i, arena)); i++)
        list = i ? arena_print(arena, "%s%c%s", list, separator, item) : item;
    return list;
}

const char *option_print_json(const Option *option, const void *owner, Arena *arena) {
    const OptionKind *kind = option->kind;
    if (!kind->separator) {
        const char *text = print_item(option, owner, 0, arena);
        bool is_bare = !(kind->types & 1 << JSON_TEXT) && strcmp(text, "-inf") != 0;
        return is_bare ? text : json_quote(text, arena);
    }
    Builder list = {.arena = arena};
    const char *item;
    for (int i = 0; (item = print_item(option, owner, i, arena)); i++)
        build_item(&list, ", ", "%s", json_quote(item, arena));
    return arena_print(arena, "[%s]", builder_text(&list));
}

const char *options_print_json(const Option *table, const void *owner, Arena *arena) {
    Builder lines = {.arena = arena};
    for (const Option *option = table; option->name; option++)
        build_item(&lines, ",", "\n  \"%s\": %s", option->name,
                   option_print_json(option, owner, arena));
    return arena_print(arena, "{%s\n}\n", builder_text(&lines));
}
