#include "grammar/grammar.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/json.h"
#include "base/language.h"

enum { FILE_BYTES = 16 << 20, NUMBER_MAX = 10000000, WEIGHT_MAX = 1000000 };

const char *const split_names[] = {"training", "validation", "test"};

typedef struct {
    Grammar *grammar;
    Arena *arena;
    Error *error;
    const char *path;
} Parser;

const Category *grammar_category(const Grammar *grammar, const char *name) {
    int index = vocabulary_find(&grammar->names, name, (int)strlen(name));
    return index < 0 ? NULL : &grammar->category[index];
}

const char *grammar_field(const Alternative *alternative, const char *name) {
    for (int i = 0; i < alternative->fields; i++)
        if (strcmp(alternative->field[i].name, name) == 0)
            return alternative->field[i].text;
    return NULL;
}

static Category *add_category(Parser *reader, const char *name) {
    Grammar *grammar = reader->grammar;
    ARENA_GROW(reader->arena, grammar->category, grammar->count, grammar->capacity);
    assert(grammar->category);
    grammar->category[grammar->count] = (Category){.name = name};
    vocabulary_add(&grammar->names, name, (int)strlen(name), reader->arena);
    return &grammar->category[grammar->count++];
}

static bool read_json(Parser *reader, const Json **json) {
    Bytes bytes;
    return file_read(reader->path, FILE_BYTES, reader->arena, &bytes, reader->error) &&
           json_read(bytes, reader->path, reader->arena, json, reader->error);
}

/* Does the value at that position have the expected type? */
static bool is_a(const Parser *reader, JsonType type, const Json *json,
                 const char *place) {
    const Json expected = {.type = type};
    return json->type == type ||
           fail(reader->error, "%s: %s is %s; expected %s", reader->path, place,
                json_type_name(json), json_type_name(&expected));
}

/* Read a list of strings; a missing list is empty. */
static bool read_strings(Parser *reader, const Json *list, const char *place,
                         const char *const **strings, int *count) {
    *count = 0;
    if (!list) return true;
    if (!is_a(reader, JSON_LIST, list, place)) return false;
    const char **copy = ARENA_ARRAY(reader->arena, const char *, list->count);
    for (int i = 0; i < list->count; i++) {
        if (!is_a(reader, JSON_TEXT, &list->child[i], place)) return false;
        copy[i] = list->child[i].text;
    }
    *strings = copy;
    *count = list->count;
    return true;
}

/* Turn "[one|two]" into a new category, and a slot that is filled from it. */
static void unfold_choice(Parser *reader, const char *open, const char *close,
                          GrammarField *slot) {
    const char *name = arena_copy(reader->arena, open, (size_t)(close + 1 - open));
    slot->text = name;
    if (grammar_category(reader->grammar, name)) return;
    int count = 1;
    for (const char *c = open; c < close; c++) count += *c == '|';
    Category *category = add_category(reader, name);
    category->count = count;
    category->alternative = ARENA_ARRAY(reader->arena, Alternative, count);
    const char *part = open + 1;
    for (int i = 0; i < count; i++) {
        size_t length = strcspn(part, "|]");
        GrammarField *field = ARENA_ARRAY(reader->arena, GrammarField, 1);
        *field = (GrammarField){"text", arena_copy(reader->arena, part, length)};
        category->alternative[i] =
            (Alternative){.field = field, .fields = 1, .kinds = "*", .weight = 1};
        part += length + 1;
    }
}

/* Replace the choices in the alternative's fields by slots #0, #1 ... */
static bool unfold_choices(Parser *reader, Alternative *alternative,
                           GrammarField *field) {
    int count = alternative->slots, capacity = count;
    GrammarField *slot = ARENA_ARRAY(reader->arena, GrammarField, count);
    for (int i = 0; i < count; i++) slot[i] = alternative->slot[i];
    for (int i = 0; i < alternative->fields; i++) {
        const char *open;
        while ((open = strchr(field[i].text, '[')) != NULL) {
            const char *close = strchr(open, ']');
            if (!close)
                return fail(reader->error, "%s: '%s' has [ without ]", reader->path,
                            field[i].text);
            ARENA_GROW(reader->arena, slot, count, capacity);
            slot[count].name = arena_print(reader->arena, "#%d", count);
            unfold_choice(reader, open, close, &slot[count]);
            field[i].text = arena_print(reader->arena, "%.*s{%s.text}%s",
                                        (int)(open - field[i].text), field[i].text,
                                        slot[count].name, close + 1);
            count++;
        }
    }
    alternative->slot = slot;
    alternative->slots = count;
    return true;
}

static bool is_weight(double weight) {
    return weight > 0 && weight <= WEIGHT_MAX; /* false for NaN */
}

/* A rule is an object: kinds, weight, slots and cells; all other keys are its texts. */
static bool read_rule(Parser *reader, const Json *rule, Alternative *alternative) {
    if (!is_a(reader, JSON_MAP, rule, "a rule")) return false;
    GrammarField *field = ARENA_ARRAY(reader->arena, GrammarField, rule->count);
    alternative->field = field;
    for (int i = 0; i < rule->count; i++) {
        const Json *value = &rule->child[i];
        const char *name = value->name;
        bool done = true;
        if (strcmp(name, "slots") == 0) {
            if (!is_a(reader, JSON_MAP, value, "slots")) return false;
            GrammarField *slot = ARENA_ARRAY(reader->arena, GrammarField, value->count);
            for (int s = 0; s < value->count && done; s++) {
                const Json *text = &value->child[s];
                done = is_a(reader, JSON_TEXT, text, text->name);
                slot[s] = (GrammarField){text->name, text->text};
            }
            alternative->slot = slot;
            alternative->slots = value->count;
        } else if (strcmp(name, "cells") == 0)
            done = read_strings(reader, value, name, &alternative->cell,
                                &alternative->cells);
        else if (strcmp(name, "weight") == 0 && is_weight(value->number))
            alternative->weight = value->number;
        else if (value->type != JSON_TEXT)
            done = is_a(reader, JSON_TEXT, value, name);
        else if (strcmp(name, "kinds") == 0)
            alternative->kinds = value->text;
        else
            field[alternative->fields++] = (GrammarField){name, value->text};
        if (!done) return false;
    }
    return unfold_choices(reader, alternative, field);
}

/* A row of words has the texts of the category's fields, in that order. */
static bool read_words(Parser *reader, const Json *row, const char *const *names,
                       int count, Alternative *alternative) {
    const char *const *texts = NULL;
    int found;
    if (!read_strings(reader, row, tr("a row of words"), &texts, &found)) return false;
    if (found != count)
        return fail(reader->error, "%s: the row of '%s' has %d texts for %d fields",
                    reader->path, found ? texts[0] : "", found, count);
    GrammarField *field = ARENA_ARRAY(reader->arena, GrammarField, count);
    alternative->field = field;
    const char *weight = "1";
    for (int i = 0; i < count; i++)
        if (strcmp(names[i], "kinds") == 0)
            alternative->kinds = texts[i];
        else if (strcmp(names[i], "weight") == 0)
            weight = texts[i];
        else
            field[alternative->fields++] = (GrammarField){names[i], texts[i]};
    char *end;
    alternative->weight = strtod(weight, &end);
    if (*end || !is_weight(alternative->weight))
        return fail(reader->error,
                    "%s: the weight of '%s' is '%s'; expected a positive number up "
                    "to %d",
                    reader->path, count ? texts[0] : "", weight, WEIGHT_MAX);
    return unfold_choices(reader, alternative, field);
}

/* A later file may extend a category: its alternatives are appended. */
static bool read_category(Parser *reader, const Json *json) {
    static const Json none = {.type = JSON_LIST};
    const Json *words = json_find(json, "words"), *rules = json_find(json, "rules");
    if (!words) words = &none;
    if (!rules) rules = &none;
    if (words->type != JSON_LIST || rules->type != JSON_LIST ||
        words->count + rules->count == 0)
        return fail(reader->error, "%s: category %s needs a list 'words' or 'rules'",
                    reader->path, json->name);
    const char *const *names = NULL, *const *cell = NULL;
    int fields, cells;
    if (!read_strings(reader, json_find(json, "fields"), "fields", &names, &fields) ||
        !read_strings(reader, json_find(json, "cells"), "cells", &cell, &cells))
        return false;
    int count = words->count + rules->count;
    Alternative *read = ARENA_ARRAY(reader->arena, Alternative, count);
    for (int i = 0; i < count; i++) {
        read[i] =
            (Alternative){.kinds = "*", .weight = 1, .cell = cell, .cells = cells};
        if (!(i < words->count
                  ? read_words(reader, &words->child[i], names, fields, &read[i])
                  : read_rule(reader, &rules->child[i - words->count], &read[i])))
            return false;
    }
    Grammar *grammar = reader->grammar;
    const Category *found = grammar_category(grammar, json->name);
    Category *category = found ? &grammar->category[found - grammar->category]
                               : add_category(reader, json->name);
    Alternative *all = ARENA_ARRAY(reader->arena, Alternative, category->count + count);
    for (int i = 0; i < category->count; i++) all[i] = category->alternative[i];
    for (int i = 0; i < count; i++) all[category->count + i] = read[i];
    category->alternative = all;
    category->count += count;
    return true;
}

/* Read a whole number; 0 if it is missing. */
static bool read_number(Parser *reader, const Json *map, const char *name,
                        int *number) {
    const Json *json = map ? json_find(map, name) : NULL;
    *number = 0;
    if (!json) return true;
    if (json->type != JSON_WHOLE || json->whole < 0 || json->whole > NUMBER_MAX)
        return fail(reader->error, "%s: %s is not a whole number from 0 to %d",
                    reader->path, name, NUMBER_MAX);
    *number = (int)json->whole;
    return true;
}

static bool read_head(Parser *reader, const Json *head) {
    Grammar *grammar = reader->grammar;
    const Json *source = json_find(head, "source"), *target = json_find(head, "target");
    const Json *seed = json_find(head, "seed");
    if (!source || source->type != JSON_TEXT || (target && target->type != JSON_TEXT))
        return fail(
            reader->error,
            "%s: 'source' must name a field, and 'target' another field or nothing",
            reader->path);
    grammar->source = source->text;
    grammar->target = target ? target->text : NULL;
    grammar->seed = seed ? seed->whole : 0;
    const Json *sizes = json_find(head, "sentences");
    const Json *shares = json_find(head, "cells_in_a_thousand");
    if (!read_number(reader, head, "word_at_least", &grammar->word_at_least))
        return false;
    for (int i = 0; i < SPLITS; i++)
        if (!read_number(reader, sizes, split_names[i], &grammar->size[i]) ||
            !read_number(reader, shares, split_names[i], &grammar->share[i]))
            return false;
    return read_strings(reader, json_find(head, "function_words"), "function_words",
                        &grammar->function_word, &grammar->function_words) &&
           read_strings(reader, json_find(head, "said_with_vowel"), "said_with_vowel",
                        &grammar->said_with_vowel, &grammar->with_vowel) &&
           read_strings(reader, json_find(head, "said_with_consonant"),
                        "said_with_consonant", &grammar->said_with_consonant,
                        &grammar->with_consonant);
}

bool grammar_read(const char *path, Arena *arena, Grammar **grammar, Error *error) {
    *grammar = ARENA_ARRAY(arena, Grammar, 1);
    (*grammar)->path = arena_copy(arena, path, strlen(path));
    Parser reader = {*grammar, arena, error, path};
    const Json *json;
    const char *const *files = NULL;
    int count;
    if (!read_json(&reader, &json) || !read_head(&reader, json) ||
        !read_strings(&reader, json_find(json, "files"), "files", &files, &count))
        return false;
    const char *slash = strrchr(path, '/');
    int folder = slash ? (int)(slash + 1 - path) : 0;
    for (int i = 0; i < count; i++) {
        /* Grammars are untrusted; the files they name must be in the same folder. */
        if (strchr(files[i], '/'))
            return fail(error,
                        "%s: 'files' has '%s'; expected names of files in its own "
                        "folder",
                        path, files[i]);
        reader.path = arena_print(arena, "%.*s%s", folder, path, files[i]);
        if (!read_json(&reader, &json) ||
            !is_a(&reader, JSON_MAP, json, tr("the file")))
            return false;
        for (int c = 0; c < json->count; c++)
            if (!read_category(&reader, &json->child[c])) return false;
    }
    return grammar_category(*grammar, "sentence") ||
           fail(error, "%s: no category 'sentence' in its files", path);
}
