/* json.h - JSON as a tree in an arena. The only home of jansson, which reads it, and
 * writes its strings. */
#pragma once

#include "base/arena.h"
#include "base/error.h"
#include "base/file.h"

typedef enum {
    JSON_NOTHING, /* null */
    JSON_TRUTH,   /* true, false */
    JSON_WHOLE,   /* a number without point or exponent */
    JSON_DECIMAL, /* any other number */
    JSON_TEXT,
    JSON_LIST,
    JSON_MAP, /* an object */
} JsonType;

/* What a file may hold: no file of ours is nested deeper than a grammar, and none has
 * more values than a vocabulary of 2^20 words. A hostile one takes 200 bytes of memory
 * for each value, so 250 MB in all. */
enum { JSON_DEPTH_MAX = 32, JSON_VALUES_MAX = (1 << 20) + 1024 };

typedef struct Json Json;

struct Json {
    JsonType type;
    const char *name;  /* its key, inside an object */
    const char *text;  /* JSON_TEXT: UTF-8 without '\0' inside */
    double number;     /* JSON_WHOLE, JSON_DECIMAL; JSON_TRUTH: 0 or 1 */
    long long whole;   /* JSON_WHOLE, exactly */
    int count;         /* JSON_LIST, JSON_MAP: how many children */
    const Json *child; /* an array of them, in the order of the file */
};

/* The tree of `bytes`, in `arena`. Fails with "`origin`:LINE: what is wrong"; a key
 * that stands twice in an object is wrong, and so is more than the limits allow. */
bool json_read(Bytes bytes, const char *origin, Arena *arena, const Json **json,
               Error *error);

/* The same for a file that has at most `values_max` values. */
bool json_read_within(Bytes bytes, const char *origin, int values_max, Arena *arena,
                      const Json **json, Error *error);

/* The child of `object` with that name, or NULL; NULL also of what is no object. */
const Json *json_find(const Json *object, const char *name);

/* Are they the same value? 1 and 1.0 are; keys count in the order of the file. */
bool json_same(const Json *a, const Json *b);

/* The value as a file has it, in one line, in `arena`; what is long is cut with "…". */
const char *json_brief(const Json *json, Arena *arena);

/* "a string", "a list": what a message says that it found. */
const char *json_type_name(const Json *json);

/* `text` in quotes, with JSON's escapes, in `arena`. */
const char *json_quote(const char *text, Arena *arena);
