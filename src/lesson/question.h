/* question.h - a question of a lesson, as its block says it. */
#pragma once

#include <stdbool.h>

#include "base/arena.h"
#include "base/file.h"

typedef enum {
    ASKS_NOTHING, /* not yet known */
    ASKS_CHOICE,
    ASKS_NUMBER,
    ASKS_TEXT,
    ASKS_TOKEN,
    ASKS_CELL,
    ASKS_STATE /* something to be made true */
} Asks;

enum { CHOICES_MAX = 9, HINTS_MAX = 9, CONDITIONS_MAX = 9, COMMANDS_MAX = 20 };

/* Bytes of a line that a lesson types. */
enum { LESSON_LINE_MAX = 4096 };

typedef struct {
    const char *text;
    const char *reply; /* why it is wrong; NULL: nothing is said */
    bool is_right;
} Choosable;

typedef struct {
    Asks asks;
    bool predicts;  /* before something is shown: one try, and no score */
    int line;       /* of the file */
    const char *id; /* by which its answers are kept: it changes where the block does */
    const char *ask, *why;
    Choosable choice[CHOICES_MAX]; /* of a number: wrong ones that are replied to */
    int choices;
    const char *wanted; /* a number, texts with | between them, a token, an address; or
                           "= ..." to be computed; see value.h */
    double tolerance;   /* of a number; negative: the usual one */
    const char *hint[HINTS_MAX];
    int hints;
    const char *condition[CONDITIONS_MAX]; /* of a state */
    int conditions;
    const char *command[COMMANDS_MAX]; /* by which it is reached */
    int commands;
} Quiz;

/* Something that is wrong with a lesson, and where. */
typedef struct {
    int line;
    const char *text;
} Finding;

typedef struct {
    Arena *arena;
    Finding *finding;
    int count, capacity;
} Findings;

/* Always false. */
__attribute__((format(printf, 3, 4))) bool findings_add(Findings *findings, int line,
                                                        const char *format, ...);

/* Put them in the order of their lines. */
void findings_sort(Findings *findings);

/* 64 bits of FNV-1a (Fowler, Noll, Vo) as text, in `arena`. */
const char *digest_of(const char *bytes, size_t size, Arena *arena);

/* The next line of `text` without its end, in `arena`; `text` goes on behind it. */
const char *line_next(Bytes *text, Arena *arena);

/* A line "key: value", without blanks around the value. */
typedef struct {
    const char *key, *value;
    int line;
} Item;

/* Cut such a line, in `arena`; false where it has no colon, and is a key alone. */
bool item_read(const char *line, int number, Item *item, Arena *arena);

/* The place of its key in a list that ends with NULL. -1: it is none of these, and
 * `question` is "; did you mean ...?", or "". */
int item_key(const Item *item, const char *const *keys, const char **question,
             Arena *arena);

/* Read the lines of a block, the first of which is line `line` of the file. What is
 * wrong is added to the findings; false where it cannot be asked so. */
bool question_read(Quiz *question, const char *text, int line, Findings *findings);
