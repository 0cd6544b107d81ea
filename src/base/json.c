#include "base/json.h"

#include <jansson.h>
#include <math.h>
#include <string.h>

#include "base/builder.h"
#include "base/interrupt.h"
#include "base/language.h"

static Json tree_of(json_t *from, const char *name, Arena *arena);

/* JSON_DEPTH_MAX also limits this recursion. */
static Json tree_of(json_t *from, const char *name, Arena *arena) {
    static const JsonType types[] = {
        [JSON_NULL] = JSON_NOTHING, [JSON_TRUE] = JSON_TRUTH,
        [JSON_FALSE] = JSON_TRUTH,  [JSON_INTEGER] = JSON_WHOLE,
        [JSON_REAL] = JSON_DECIMAL, [JSON_STRING] = JSON_TEXT,
        [JSON_ARRAY] = JSON_LIST,   [JSON_OBJECT] = JSON_MAP,
    };
    Json to = {.type = types[json_typeof(from)], .name = name};
    if (to.type == JSON_TRUTH) to.number = json_is_true(from);
    if (to.type == JSON_WHOLE) to.whole = json_integer_value(from);
    if (to.type == JSON_WHOLE || to.type == JSON_DECIMAL)
        to.number = json_number_value(from);
    if (to.type == JSON_TEXT)
        to.text = arena_copy(arena, json_string_value(from), json_string_length(from));
    if (to.type == JSON_LIST) {
        size_t count = json_array_size(from);
        Json *child = ARENA_ARRAY(arena, Json, count);
        to.child = child;
        for (size_t i = 0; i < count && !interrupt_signal(); i++)
            child[to.count++] = tree_of(json_array_get(from, i), NULL, arena);
    }
    if (to.type == JSON_MAP) {
        Json *child = ARENA_ARRAY(arena, Json, json_object_size(from));
        const char *key;
        json_t *value;
        to.child = child;
        json_object_foreach(from, key, value) {
            if (interrupt_signal()) break;
            child[to.count++] =
                tree_of(value, arena_copy(arena, key, strlen(key)), arena);
        }
    }
    return to;
}

/* Return the next bytes to jansson, which knows nothing about signals. After a signal
 * return no more bytes. */
static size_t next_bytes(void *buffer, size_t room, void *state) {
    Bytes *rest = state;
    if (interrupt_signal()) return (size_t)-1;
    size_t count = rest->size < room ? rest->size : room;
    memcpy(buffer, rest->bytes, count);
    *rest = (Bytes){rest->bytes + count, rest->size - count};
    return count;
}

bool json_read(Bytes bytes, const char *origin, Arena *arena, const Json **json,
               Error *error) {
    return json_read_within(bytes, origin, JSON_VALUES_MAX, arena, json, error);
}

bool json_read_within(Bytes bytes, const char *origin, int values_max, Arena *arena,
                      const Json **json, Error *error) {
    json_error_t problem;
    /* Count before building anything: jansson has no such limit. */
    enum { PIECE = 1 << 16 };
    int line = 1, depth = 0, values = 1;
    bool in_string = false;
    bytes = file_without_mark(bytes);
    for (size_t i = 0; i < bytes.size; i++) {
        char byte = bytes.bytes[i];
        bool opens = !in_string && (byte == '[' || byte == '{');
        bool closes = !in_string && (byte == ']' || byte == '}');
        depth += opens - closes;
        values += opens || (!in_string && byte == ',');
        line += byte == '\n';
        if (byte == '"') in_string = !in_string;
        i += in_string && byte == '\\'; /* skip the byte that it escapes */
        if (i % PIECE == 0 && !interrupt_none(error)) return false;
        if (depth > JSON_DEPTH_MAX)
            return fail(error, "%s:%d: lists and objects are nested more than %d deep",
                        origin, line, JSON_DEPTH_MAX);
        if (values > values_max)
            return fail(error, "%s has more than %d values, too many to read", origin,
                        values_max);
    }
    json_t *root =
        json_load_callback(next_bytes, &bytes, JSON_REJECT_DUPLICATES, &problem);
    if (!root && !interrupt_none(error)) return false;
    if (!root && json_error_code(&problem) == json_error_duplicate_key)
        return fail(error, "%s:%d: the same name is twice in an object: %s", origin,
                    problem.line, problem.text);
    if (!root)
        return fail(error, "%s:%d: this is not valid JSON: %s", origin, problem.line,
                    problem.text);
    Json *copied = ARENA_ARRAY(arena, Json, 1);
    *copied = tree_of(root, NULL, arena);
    json_decref(root);
    *json = copied;
    return interrupt_none(error); /* after a signal the tree is incomplete */
}

bool json_read_map(Bytes bytes, const char *origin, Arena *arena, const Json **json,
                   Error *error) {
    return json_read(bytes, origin, arena, json, error) &&
           ((*json)->type == JSON_MAP ||
            fail(error, "%s has %s; expected an object with keys", origin,
                 json_type_name(*json)));
}

const Json *json_find(const Json *object, const char *name) {
    bool is_object = object && object->type == JSON_MAP;
    for (int i = 0; is_object && i < object->count; i++)
        if (strcmp(object->child[i].name, name) == 0) return &object->child[i];
    return NULL;
}

bool json_same(const Json *a, const Json *b) {
    bool are_whole = a->type == JSON_WHOLE && b->type == JSON_WHOLE;
    bool are_numbers = (a->type == JSON_WHOLE || a->type == JSON_DECIMAL) &&
                       (b->type == JSON_WHOLE || b->type == JSON_DECIMAL);
    if (are_whole) return a->whole == b->whole;
    if (are_numbers) return a->number == b->number;
    if (a->type != b->type || a->number != b->number || a->count != b->count)
        return false;
    if (a->type == JSON_TEXT && strcmp(a->text, b->text) != 0) return false;
    for (int i = 0; i < a->count; i++) {
        const Json *one = &a->child[i], *other = &b->child[i];
        if (a->type == JSON_MAP && strcmp(one->name, other->name) != 0) return false;
        if (!json_same(one, other)) return false;
    }
    return true;
}

/* Append the text in quotes; if too long, it is cut between characters. */
static void brief_text(Builder *to, const char *text) {
    enum { LONGEST = 60 };
    size_t length = strnlen(text, LONGEST + 1);
    bool is_cut = length > LONGEST;
    while (is_cut && length && ((unsigned char)text[length - 1] & 0xc0) == 0x80)
        length--;
    if (is_cut) length--;
    build(to, "%s%s", json_quote(arena_copy(to->arena, text, length), to->arena),
          is_cut ? "…" : "");
}

static void brief(Builder *to, const Json *json) {
    enum { LONGEST = 80 };
    bool is_map = json->type == JSON_MAP;
    switch (json->type) {
    case JSON_NOTHING:
        build_text(to, "null");
        break;
    case JSON_TRUTH:
        build_text(to, json->number != 0 ? "true" : "false");
        break;
    case JSON_WHOLE:
        build(to, "%lld", json->whole);
        break;
    case JSON_DECIMAL: /* 4.0 differs from 4 */
        build(to,
              fmod(json->number, 1) == 0 && fabs(json->number) < 1e9 ? "%.1f" : "%.10g",
              json->number);
        break;
    case JSON_TEXT:
        brief_text(to, json->text);
        break;
    case JSON_LIST:
    case JSON_MAP:
        build_text(to, is_map ? "{" : "[");
        for (int i = 0; i < json->count; i++) {
            if (i) build_text(to, ", ");
            if (to->count > LONGEST) {
                build_text(to, "…");
                break;
            }
            if (is_map) brief_text(to, json->child[i].name);
            if (is_map) build_text(to, ": ");
            brief(to, &json->child[i]);
        }
        build_text(to, is_map ? "}" : "]");
    }
}

const char *json_brief(const Json *json, Arena *arena) {
    Builder text = {.arena = arena};
    brief(&text, json);
    return builder_text(&text);
}

const char *json_type_name(const Json *json) {
    static const char *const names[] = {
        [JSON_NOTHING] = "null",       [JSON_TRUTH] = N_("true or false"),
        [JSON_WHOLE] = N_("a number"), [JSON_DECIMAL] = N_("a number"),
        [JSON_TEXT] = N_("a string"),  [JSON_LIST] = N_("a list"),
        [JSON_MAP] = N_("an object"),
    };
    return tr(names[json->type]);
}

const char *json_quote(const char *text, Arena *arena) {
    enum { LONGEST_ESCAPE = 6, QUOTES = 2 };
    json_t *string = json_string(text);
    if (!string) { /* JSON must be UTF-8: each byte that is not ASCII becomes U+FFFD */
        char *plain = arena_take(arena, 3 * strlen(text) + 1);
        char *end = plain;
        for (const char *c = text; *c; c++) {
            if ((unsigned char)*c < 0x80)
                *end++ = *c;
            else
                end = stpcpy(end, "\xef\xbf\xbd");
        }
        string = json_string(plain);
    }
    size_t room = LONGEST_ESCAPE * strlen(text) + QUOTES;
    char *quoted = arena_take(arena, room + 1);
    quoted[json_dumpb(string, quoted, room, JSON_ENCODE_ANY)] = '\0';
    json_decref(string);
    return quoted;
}
