#include "base/language.h"
#include "base/options.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static void *field(const Option *option, void *owner) {
    return (char *)owner + option->offset;
}

static const void *constant_field(const Option *option, const void *owner) {
    return (const char *)owner + option->offset;
}

static bool within(const Option *option, double number) {
    return number >= option->least && number <= option->most; /* false for NaN */
}

bool option_whole(const char *text, long long *number) {
    const char *digits = text + (*text == '-' || *text == '+');
    if (!*digits || digits[strspn(digits, "0123456789")]) return false;
    errno = 0;
    *number = strtoll(text, NULL, 10);
    return errno == 0;
}

static bool set_count(const Option *option, void *owner, const char *text,
                      Arena *arena) {
    (void)arena;
    long long number;
    if (!option_whole(text, &number) || !within(option, (double)number)) return false;
    *(int *)field(option, owner) = (int)number;
    return true;
}

static const char *print_count(const Option *option, const void *owner, int i,
                               Arena *arena) {
    (void)i;
    return arena_print(arena, "%d", *(const int *)constant_field(option, owner));
}

/* JSON has no infinity and no hexadecimal digits; what is typed has the first alone. */
static bool read_number(const char *text, double *number) {
    if (strcmp(text, "-inf") == 0) return *number = -INFINITY, true;
    char *end;
    *number = strtod(text, &end);
    return *text && !text[strspn(text, "+-.0123456789eE")] && *end == '\0';
}

static bool set_number(const Option *option, void *owner, const char *text,
                       Arena *arena) {
    (void)arena;
    double number;
    if (!read_number(text, &number) || !within(option, number)) return false;
    *(double *)field(option, owner) = number + 0.0; /* -0 becomes 0 */
    return true;
}

/* The fewest digits that read back as the same number: 1e-05,
 * not 1.0000000000000001e-05. */
static const char *print_number(const Option *option, const void *owner, int i,
                                Arena *arena) {
    (void)i;
    double number = *(const double *)constant_field(option, owner);
    for (int digits = 1;; digits++) {
        const char *text = arena_print(arena, "%.*g", digits, number);
        if (digits == 17 || strtod(text, NULL) == number) return text;
    }
}

static bool set_truth(const Option *option, void *owner, const char *text,
                      Arena *arena) {
    (void)arena;
    bool yes = strcmp(text, "true") == 0;
    if (!yes && strcmp(text, "false") != 0) return false;
    *(bool *)field(option, owner) = yes;
    return true;
}

static const char *print_truth(const Option *option, const void *owner, int i,
                               Arena *arena) {
    (void)i;
    (void)arena;
    return *(const bool *)constant_field(option, owner) ? "true" : "false";
}

static int find_choice(const Option *option, const char *text) {
    const char *name;
    for (int c = 0; (name = option_choice_name(option, c)); c++)
        if (strcmp(name, text) == 0) return c;
    return -1;
}

static bool set_choice(const Option *option, void *owner, const char *text,
                       Arena *arena) {
    (void)arena;
    int choice = find_choice(option, text);
    if (choice < 0) return false;
    *(int *)field(option, owner) = choice;
    return true;
}

static const char *print_choice(const Option *option, const void *owner, int i,
                                Arena *arena) {
    (void)i;
    (void)arena;
    return option_choice_name(option, *(const int *)constant_field(option, owner));
}

bool option_set_text(const Option *option, void *owner, const char *text,
                     Arena *arena) {
    *(const char **)field(option, owner) = arena_copy(arena, text, strlen(text));
    return true;
}

const char *option_print_text(const Option *option, const void *owner, int i,
                              Arena *arena) {
    (void)i;
    (void)arena;
    const char *text = *(const char *const *)constant_field(option, owner);
    return text ? text : "";
}

/* The empty word is the empty list. */
static bool add_each(const Option *option, void *owner, const char *text,
                     Arena *arena) {
    const char separator[] = {option->kind->separator, '\0'};
    while (*text) {
        size_t length = strcspn(text, separator);
        const char *item = arena_copy(arena, text, length);
        if (!option->kind->add(option, owner, item, arena)) return false;
        text += length + (text[length] != '\0');
    }
    return true;
}

static bool add_choice(const Option *option, void *owner, const char *text,
                       Arena *arena) {
    (void)arena;
    int choice = find_choice(option, text);
    if (choice >= 0) *(int *)field(option, owner) |= 1 << choice;
    return choice >= 0;
}

static bool set_set(const Option *option, void *owner, const char *text, Arena *arena) {
    *(int *)field(option, owner) = 0;
    return add_each(option, owner, text, arena);
}

static const char *print_member(const Option *option, const void *owner, int i,
                                Arena *arena) {
    (void)arena;
    int bits = *(const int *)constant_field(option, owner);
    for (int c = 0; bits >> c; c++)
        if (bits & 1 << c && i-- == 0) return option_choice_name(option, c);
    return NULL;
}

bool option_add_item(const Option *option, void *owner, const char *text,
                     Arena *arena) {
    int *count = (void *)((char *)owner + option->count);
    if (*count >= (int)option->most || !*text) return false;
    ((const char **)field(option, owner))[(*count)++] =
        arena_copy(arena, text, strlen(text));
    return true;
}

bool option_set_list(const Option *option, void *owner, const char *text,
                     Arena *arena) {
    *(int *)(void *)((char *)owner + option->count) = 0;
    return add_each(option, owner, text, arena);
}

const char *option_print_item(const Option *option, const void *owner, int i,
                              Arena *arena) {
    (void)arena;
    int count = *(const int *)(const void *)((const char *)owner + option->count);
    return i < count ? ((const char *const *)constant_field(option, owner))[i] : NULL;
}

enum {
    WHOLE = 1 << JSON_WHOLE,
    NUMBERS = 1 << JSON_WHOLE | 1 << JSON_DECIMAL,
    TRUTH = 1 << JSON_TRUTH,
    TEXT = 1 << JSON_TEXT,
    LIST = 1 << JSON_LIST,
};

const OptionKind option_count = {.expects = N_("a whole number"),
                                 .types = WHOLE,
                                 .is_bare = true,
                                 .set = set_count,
                                 .print = print_count};
const OptionKind option_number = {.expects = N_("a number"),
                                  .types = NUMBERS,
                                  .is_bare = true,
                                  .set = set_number,
                                  .print = print_number};
const OptionKind option_truth = {.expects = N_("true or false"),
                                 .types = TRUTH,
                                 .is_bare = true,
                                 .set = set_truth,
                                 .print = print_truth};
const OptionKind option_choice = {
    .types = TEXT, .set = set_choice, .print = print_choice};
const OptionKind option_text = {.expects = N_("a text"),
                                .types = TEXT,
                                .set = option_set_text,
                                .print = option_print_text};
const OptionKind option_set_of = {.types = LIST,
                                  .separator = ',',
                                  .set = set_set,
                                  .add = add_choice,
                                  .print = print_member};
const OptionKind option_list = {.types = LIST,
                                .separator = ',',
                                .set = option_set_list,
                                .add = option_add_item,
                                .print = option_print_item};
