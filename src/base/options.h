/* options.h - options by name: a table with one row for each field of a struct that can
 * be read from JSON or typed.
 *
 * Reading, printing, ranges in messages, help and suggestions are derived from the
 * rows, so a new option is a field and a row. The struct is passed as `void *owner`.
 * JSON accepts a value exactly if it would be accepted as typed. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/arena.h"
#include "base/error.h"
#include "base/json.h"

typedef struct OptionKind OptionKind;

typedef struct {
    const char *name;
    const OptionKind *kind;
    size_t offset;         /* of the field in the struct */
    const char *otherwise; /* its default, as typed */
    const char *help;
    double min, max; /* numbers: the range; lists: `max` items */
    const char *const
        *choices; /* choices and sets: their names, ending with NULL ... */
    const char *(*choice)(int i); /* ... or a function; NULL after the last */
    const char *items;            /* lists: the plural of what they contain, "names" */
    size_t count;    /* lists: offset of the int with the number of items */
    bool is_first;   /* help shows it first */
    bool may_change; /* may be changed after the work described by the struct has
                        started */
} Option;

/* A row of a table: OPTION(Config, d_model, option_count, "512", "help", ...). */
#define OPTION(Owner, field, kind_, otherwise_, help_, ...)                            \
    {                                                                                  \
        .name = #field, .kind = &(kind_), .offset = offsetof(Owner, field),            \
        .otherwise = (otherwise_), .help = (help_), __VA_ARGS__                        \
    }

typedef enum {
    OPTION_COUNT,  /* int, from least to most: digits */
    OPTION_NUMBER, /* double, from least to most; or -inf */
    OPTION_TRUTH,  /* bool */
    OPTION_CHOICE, /* int: index into the choices */
    OPTION_TEXT,   /* const char * */
    OPTION_SET,    /* int: bit i is set for the i-th choice */
    OPTION_LIST,   /* an array of const char *, and its length; if the kind accepts
                      JSON_WHOLE, a number n means n items named 0, 1, 2 ... */
    OPTION_OWN,    /* handled by the kind's own functions */
} OptionType;

/* How the value of an option is written. */
struct OptionKind {
    OptionType type;
    const char *expects; /* "a whole number", for messages; NULL: use option_range() */
    unsigned types;      /* bit t: accepts JSON of type t */
    char separator;      /* sets and lists: the separator as typed; else '\0' */
    bool splits;         /* lists: items cannot contain the separator, even in JSON */
    bool (*set)(const Option *option, void *owner, const char *text, Arena *arena);
    const char *(*print)(const Option *option, const void *owner);
};

extern const OptionKind option_count, option_number, option_truth, option_choice,
    option_text, option_set_of, option_list;

/* Return true if `list`, separated by `separator`, contains the word. */
bool option_listed(const char *list, char separator, const char *word, size_t length);

/* Parse all of `text` as a whole number: digits with an optional sign. */
bool option_whole(const char *text, long long *number);

/* Return the row with that name, or NULL. A row without a name ends the table. */
const Option *option_find(const Option *table, const char *name);

/* The same if the name may be written as a flag: "d-model" or "d_model". */
const Option *option_find_flag(const Option *table, const char *name);

/* Return the name as a flag, "d-model", in `arena`. */
const char *option_flag(const Option *option, Arena *arena);

/* Return "; did you mean batch?" or "", in `arena`. */
const char *option_nearest(const Option *table, const char *name, Arena *arena);

/* Return the accepted values: "a whole number from 0 to 64", "one of post, pre".
 * Allocated in `arena`. */
const char *option_range(const Option *option, Arena *arena);

/* Return the name of the i-th choice, or NULL. */
const char *option_choice_name(const Option *option, int i);

/* Set every field of the table to its default. Strings go to `arena`. */
void option_reset(const Option *table, void *owner, Arena *arena);

/* Set the field from a typed word; strings go to `arena`. False if the value is not in
 * option_range(). */
bool option_set(const Option *option, void *owner, const char *text, Arena *arena);

/* The same from JSON. */
bool option_read(const Option *option, void *owner, const Json *json, Arena *arena);

/* Set the field of the table with the name of a JSON value. Fail with "`origin`: ...",
 * the key and what it may be. */
bool option_take(const Option *table, void *owner, const Json *value,
                 const char *origin, Arena *arena, Error *error);

/* Return the value as typed, and as JSON; allocated in `arena`. */
const char *option_print(const Option *option, const void *owner, Arena *arena);
const char *option_print_json(const Option *option, const void *owner, Arena *arena);

/* Return all options of the table as a JSON object in `arena`, one per line. */
const char *options_print_json(const Option *table, const void *owner, Arena *arena);
