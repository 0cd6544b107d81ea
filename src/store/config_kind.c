#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "store/config_kind.h"

static void *field(const ConfigKey *key, Config *config) {
    return (char *)config + key->offset;
}

static const void *constant_field(const ConfigKey *key, const Config *config) {
    return (const char *)config + key->offset;
}

/* All of `text` as a number. */
static bool read_number(const char *text, double *number) {
    char *end;
    *number = strtod(text, &end);
    return *text && !isspace((unsigned char)*text) && *end == '\0';
}

static bool within(const ConfigKey *key, double number) {
    return number >= key->least && number <= key->most; /* false for NaN */
}

static bool keep_count(const ConfigKey *key, Config *config, double number) {
    if (!within(key, number) || number != floor(number)) return false;
    *(int *)field(key, config) = (int)number;
    return true;
}

static bool set_count(const ConfigKey *key, Config *config, const char *text,
                      Arena *arena) {
    (void)arena;
    double number;
    return read_number(text, &number) && keep_count(key, config, number);
}

static bool read_count(const ConfigKey *key, Config *config, const Json *json,
                       Arena *arena) {
    (void)arena;
    return json->type == JSON_WHOLE && keep_count(key, config, json->number);
}

static const char *print_count(const ConfigKey *key, const Config *config,
                               Arena *arena) {
    return arena_print(arena, "%d", *(const int *)constant_field(key, config));
}

static bool keep_number(const ConfigKey *key, Config *config, double number) {
    if (!within(key, number)) return false;
    *(double *)field(key, config) = number + 0.0; /* -0 becomes 0 */
    return true;
}

static bool set_number(const ConfigKey *key, Config *config, const char *text,
                       Arena *arena) {
    (void)arena;
    double number;
    return read_number(text, &number) && keep_number(key, config, number);
}

/* JSON has no infinity, so "-inf" stands there as a string. */
static bool read_json_number(const ConfigKey *key, Config *config, const Json *json,
                             Arena *arena) {
    if (json->type == JSON_TEXT && strcmp(json->text, "-inf") == 0)
        return set_number(key, config, json->text, arena);
    return (json->type == JSON_WHOLE || json->type == JSON_DECIMAL) &&
           keep_number(key, config, json->number);
}

/* The fewest digits that read back as the same number: 1e-05,
 * not 1.0000000000000001e-05. */
static const char *print_number(const ConfigKey *key, const Config *config,
                                Arena *arena) {
    double number = *(const double *)constant_field(key, config);
    if (isinf(number)) return "\"-inf\"";
    for (int digits = 1;; digits++) {
        const char *text = arena_print(arena, "%.*g", digits, number);
        if (digits == 17 || strtod(text, NULL) == number) return text;
    }
}

static bool set_truth(const ConfigKey *key, Config *config, const char *text,
                      Arena *arena) {
    (void)arena;
    bool yes = strcmp(text, "true") == 0;
    if (!yes && strcmp(text, "false") != 0) return false;
    *(bool *)field(key, config) = yes;
    return true;
}

static bool read_truth(const ConfigKey *key, Config *config, const Json *json,
                       Arena *arena) {
    (void)arena;
    if (json->type != JSON_TRUTH) return false;
    *(bool *)field(key, config) = json->number != 0;
    return true;
}

static const char *print_truth(const ConfigKey *key, const Config *config,
                               Arena *arena) {
    (void)arena;
    return *(const bool *)constant_field(key, config) ? "true" : "false";
}

static int find_choice(const ConfigKey *key, const char *text) {
    for (int c = 0; key->choices[c]; c++)
        if (strcmp(key->choices[c], text) == 0) return c;
    return -1;
}

static bool set_choice(const ConfigKey *key, Config *config, const char *text,
                       Arena *arena) {
    (void)arena;
    int choice = find_choice(key, text);
    if (choice < 0) return false;
    *(int *)field(key, config) = choice;
    return true;
}

static bool read_choice(const ConfigKey *key, Config *config, const Json *json,
                        Arena *arena) {
    return json->type == JSON_TEXT && set_choice(key, config, json->text, arena);
}

static const char *print_choice(const ConfigKey *key, const Config *config,
                                Arena *arena) {
    int choice = *(const int *)constant_field(key, config);
    return arena_print(arena, "\"%s\"", key->choices[choice]);
}

static bool set_text(const ConfigKey *key, Config *config, const char *text,
                     Arena *arena) {
    *(const char **)field(key, config) = arena_copy(arena, text, strlen(text));
    return true;
}

static bool read_text(const ConfigKey *key, Config *config, const Json *json,
                      Arena *arena) {
    return json->type == JSON_TEXT && set_text(key, config, json->text, arena);
}

static const char *print_text(const ConfigKey *key, const Config *config,
                              Arena *arena) {
    const char *text = *(const char *const *)constant_field(key, config);
    return json_quote(text ? text : "", arena);
}

/* A list of words on the command line: "a,b,c"; the empty word is the empty list. */
static bool set_each(const ConfigKey *key, Config *config, const char *text,
                     Arena *arena,
                     bool (*one)(const ConfigKey *, Config *, const char *, Arena *)) {
    while (*text) {
        size_t length = strcspn(text, ",");
        if (!one(key, config, arena_copy(arena, text, length), arena)) return false;
        text += length;
        if (*text) text++;
    }
    return true;
}

static bool read_each(const ConfigKey *key, Config *config, const Json *json,
                      Arena *arena,
                      bool (*one)(const ConfigKey *, Config *, const char *, Arena *)) {
    if (json->type != JSON_LIST) return false;
    for (int i = 0; i < json->count; i++)
        if (json->child[i].type != JSON_TEXT ||
            !one(key, config, json->child[i].text, arena))
            return false;
    return true;
}

static bool add_to_set(const ConfigKey *key, Config *config, const char *text,
                       Arena *arena) {
    (void)arena;
    int choice = find_choice(key, text);
    if (choice >= 0) *(int *)field(key, config) |= 1 << choice;
    return choice >= 0;
}

static bool set_set(const ConfigKey *key, Config *config, const char *text,
                    Arena *arena) {
    *(int *)field(key, config) = 0;
    return set_each(key, config, text, arena, add_to_set);
}

static bool read_set(const ConfigKey *key, Config *config, const Json *json,
                     Arena *arena) {
    *(int *)field(key, config) = 0;
    return read_each(key, config, json, arena, add_to_set);
}

static const char *print_set(const ConfigKey *key, const Config *config, Arena *arena) {
    const char *list = "";
    for (int c = 0; key->choices[c]; c++)
        if (*(const int *)constant_field(key, config) & 1 << c)
            list = arena_print(arena, "%s%s\"%s\"", list, *list ? ", " : "",
                               key->choices[c]);
    return arena_print(arena, "[%s]", list);
}

/* The one list of free words: the names of a classifier's answers. */
static bool add_label(const ConfigKey *key, Config *config, const char *text,
                      Arena *arena) {
    (void)key;
    if (config->label_count == LABELS_MAX || !*text) return false;
    config->labels[config->label_count++] = arena_copy(arena, text, strlen(text));
    return true;
}

static bool set_labels(const ConfigKey *key, Config *config, const char *text,
                       Arena *arena) {
    config->label_count = 0;
    return set_each(key, config, text, arena, add_label);
}

/* A number instead of a list: that many answers, called 0, 1, 2 ... */
static bool number_labels(Config *config, double count, Arena *arena) {
    if (count < 0 || count > LABELS_MAX) return false;
    while (config->label_count < (int)count) {
        const char *label = arena_print(arena, "%d", config->label_count);
        config->labels[config->label_count++] = label;
    }
    return true;
}

static bool read_labels(const ConfigKey *key, Config *config, const Json *json,
                        Arena *arena) {
    config->label_count = 0;
    if (json->type == JSON_WHOLE) return number_labels(config, json->number, arena);
    return read_each(key, config, json, arena, add_label);
}

static const char *print_labels(const ConfigKey *key, const Config *config,
                                Arena *arena) {
    (void)key;
    const char *list = "";
    for (int l = 0; l < config->label_count; l++)
        list = arena_print(arena, "%s%s%s", list, l ? ", " : "",
                           json_quote(config->labels[l], arena));
    return arena_print(arena, "[%s]", list);
}

const ConfigKind config_count = {"a whole number", set_count, read_count, print_count};
const ConfigKind config_number = {"a number", set_number, read_json_number,
                                  print_number};
const ConfigKind config_truth = {"true or false", set_truth, read_truth, print_truth};
const ConfigKind config_choice = {"one of", set_choice, read_choice, print_choice};
const ConfigKind config_text = {"a text", set_text, read_text, print_text};
const ConfigKind config_set_of = {"a list of", set_set, read_set, print_set};
const ConfigKind config_labels = {"a list of at most 64 names", set_labels, read_labels,
                                  print_labels};
