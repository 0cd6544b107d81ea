/* json.h - JSON as a tree in an arena. The only module that uses jansson, which reads
 * JSON and writes its strings. */
#pragma once

#include "base/arena.h"
#include "base/error.h"
#include "base/file.h"

typedef enum {
    JSON_NOTHING, /* null */
    JSON_TRUTH,   /* true, false */
    JSON_WHOLE,   /* a number without decimal point or exponent */
    JSON_DECIMAL, /* any other number */
    JSON_TEXT,
    JSON_LIST,
    JSON_MAP, /* an object */
} JsonType;

/* Limits for a file. None of our files is nested deeper than a grammar, and none has
 * more values than a vocabulary of 2^20 words. A value takes up to 200 bytes of memory,
 * so a hostile file takes at most 250 MB. */
enum { JSON_DEPTH_MAX = 32, JSON_VALUES_MAX = (1 << 20) + 1024 };

typedef struct Json Json;

struct Json {
    JsonType type;
    const char *name;  /* its key, inside an object */
    const char *text;  /* JSON_TEXT: UTF-8 without '\0' */
    double number;     /* JSON_WHOLE, JSON_DECIMAL; JSON_TRUTH: 0 or 1 */
    long long whole;   /* JSON_WHOLE, exactly */
    int count;         /* JSON_LIST, JSON_MAP: how many children */
    const Json *child; /* an array of them, in file order */
};

/* Parse `bytes` into a tree in `arena`. Fails with "`origin`:LINE: what is wrong". A
 * duplicate key in an object is an error, and so is exceeding the limits. */
bool json_read(Bytes bytes, const char *origin, Arena *arena, const Json **json,
               Error *error);

/* The same, but fails unless it is an object. */
bool json_read_map(Bytes bytes, const char *origin, Arena *arena, const Json **json,
                   Error *error);

/* Like json_read() with a limit of `values_max` values. */
bool json_read_within(Bytes bytes, const char *origin, int values_max, Arena *arena,
                      const Json **json, Error *error);

/* Return the child of `object` with that name. NULL if there is none, or if `object` is
 * not an object. */
const Json *json_find(const Json *object, const char *name);

/* Are they the same value? 1 equals 1.0; the order of keys matters. */
bool json_same(const Json *a, const Json *b);

/* Return the value on one line, as in a file, in `arena`; a long one is shortened with
 * "…". */
const char *json_brief(const Json *json, Arena *arena);

/* Return the name of its type for messages: "a string", "a list". */
const char *json_type_name(const Json *json);

/* Return `text` in quotes, with JSON's escapes, in `arena`. */
const char *json_quote(const char *text, Arena *arena);
