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
    bool may_change;              /* where what the struct says was begun already */
} Option;

/* A row of a table: OPTION(Config, d_model, option_count, "512", "help", ...). */
#define OPTION(Owner, field, kind_, otherwise_, help_, ...)                            \
    {                                                                                  \
        .name = #field, .kind = &(kind_), .offset = offsetof(Owner, field),            \
        .otherwise = (otherwise_), .help = (help_), __VA_ARGS__                        \
    }

/* How a value is written. */
struct OptionKind {
    const char *expects; /* "a whole number": for messages; NULL: option_range() */
    unsigned types;      /* bit t: JSON of type t is taken */
    bool is_bare;        /* in JSON it stands without quotes */
    char separator;      /* lists: between items as typed; '\0': it is no list */
    /* From a typed word, of which only a copy is kept; false where it is none of the
     * kind or out of range. */
    bool (*set)(const Option *option, void *owner, const char *text, Arena *arena);
    /* Lists: one item more. */
    bool (*add)(const Option *option, void *owner, const char *text, Arena *arena);
    /* The value as typed; of a list its i-th item, NULL after the last. */
    const char *(*print)(const Option *option, const void *owner, int i, Arena *arena);
};

extern const OptionKind option_count;  /* int, within least and most: digits */
extern const OptionKind option_number; /* double, within least and most; or -inf */
extern const OptionKind option_truth;  /* bool */
extern const OptionKind option_choice; /* int: an index of the choices */
extern const OptionKind option_set_of; /* int: bit i for the i-th choice */
extern const OptionKind option_text;   /* const char * */
extern const OptionKind option_list;   /* an array of const char *, and its count */

/* What kinds of an owner's own are made of. */
bool option_set_text(const Option *option, void *owner, const char *text, Arena *arena);
const char *option_print_text(const Option *option, const void *owner, int i,
                              Arena *arena);
bool option_set_list(const Option *option, void *owner, const char *text, Arena *arena);
bool option_add_item(const Option *option, void *owner, const char *text, Arena *arena);
const char *option_print_item(const Option *option, const void *owner, int i,
                              Arena *arena);

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
