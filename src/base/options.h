/* options.h - options by name: a table of rows, one for each field of a struct that can
 * be written in a file of JSON or typed.
 *
 * The rows give reading, printing, ranges for messages and help, and suggestions, so a
 * new option is a field and a row. Whatever the struct is, it comes as `void *owner`.
 * A value in JSON is taken when the same value would be taken as typed. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/arena.h"
#include "base/json.h"

typedef struct OptionKind OptionKind;

typedef struct {
    const char *name;
    const OptionKind *kind;
    size_t offset;         /* of its field in the struct */
    const char *otherwise; /* its value where none is given, as typed */
    const char *help;
    double least, most; /* numbers: the range; lists: at most so many items */
    const char *const
        *choices; /* choices and sets: their names, ending with NULL ... */
    const char *(*choice)(int i); /* ... or what gives the i-th, NULL after the last */
    const char *items;            /* lists: what they hold, "names" */
    size_t count;                 /* lists: offset of the int that counts the items */
    bool is_first;                /* one of the few that help shows first */
    bool may_change;              /* where what the struct says was begun already */
} Option;

/* A row of a table: OPTION(Config, d_model, option_count, "512", "help", ...). */
#define OPTION(Owner, field, kind_, otherwise_, help_, ...)                            \
    {                                                                                  \
        .name = #field, .kind = &(kind_), .offset = offsetof(Owner, field),            \
        .otherwise = (otherwise_), .help = (help_), __VA_ARGS__                        \
    }

typedef enum {
    OPTION_COUNT,  /* int, within least and most: digits */
    OPTION_NUMBER, /* double, within least and most; or -inf */
    OPTION_TRUTH,  /* bool */
    OPTION_CHOICE, /* int: an index of the choices */
    OPTION_TEXT,   /* const char * */
    OPTION_SET,    /* int: bit i for the i-th choice */
    OPTION_LIST,   /* an array of const char *, and its count; where JSON_WHOLE is
                      taken, a number is so many items called 0, 1, 2 ... */
    OPTION_OWN,    /* the kind's own functions know */
} OptionType;

/* How a value is written. */
struct OptionKind {
    OptionType type;
    const char *expects; /* "a whole number": for messages; NULL: option_range() */
    unsigned types;      /* bit t: JSON of type t is taken */
    char separator;      /* sets and lists: between items as typed; else '\0' */
    bool splits;         /* lists: no item has the separator, in JSON either */
    bool (*set)(const Option *option, void *owner, const char *text, Arena *arena);
    const char *(*print)(const Option *option, const void *owner);
};

extern const OptionKind option_count, option_number, option_truth, option_choice,
    option_text, option_set_of, option_list;

/* All of `text` as a whole number, which is a sign and digits. */
bool option_whole(const char *text, long long *number);

/* The row with that name, or NULL. Tables end with a row without name. */
const Option *option_find(const Option *table, const char *name);

/* The same where it may be written as a flag: "d-model" or "d_model". */
const Option *option_find_flag(const Option *table, const char *name);

/* The name as a flag, "d-model", in `arena`. */
const char *option_flag(const Option *option, Arena *arena);

/* "; did you mean batch?" or "", in `arena`. */
const char *option_nearest(const Option *table, const char *name, Arena *arena);

/* What the value may be: "a whole number from 0 to 64", "one of post, pre". In `arena`.
 */
const char *option_range(const Option *option, Arena *arena);

/* The name of the i-th choice, or NULL. */
const char *option_choice_name(const Option *option, int i);

/* Give every field of the table the value it has otherwise. Strings in `arena`. */
void option_reset(const Option *table, void *owner, Arena *arena);

/* Set the field from a typed word; strings in `arena`. False where that is not as
 * option_range() says. */
bool option_set(const Option *option, void *owner, const char *text, Arena *arena);

/* The same from JSON. */
bool option_read(const Option *option, void *owner, const Json *json, Arena *arena);

/* The value as it would be typed, and as it is in JSON; in `arena`. */
const char *option_print(const Option *option, const void *owner, Arena *arena);
const char *option_print_json(const Option *option, const void *owner, Arena *arena);
