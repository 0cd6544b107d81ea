/* question.h - a question of a lesson, as read from its block. */
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
    ASKS_STATE /* a condition to make true */
} Asks;

enum { CHOICES_MAX = 9, HINTS_MAX = 9, CONDITIONS_MAX = 9, COMMANDS_MAX = 20 };

/* Maximum length of a lesson's line in bytes. */
enum { LESSON_LINE_MAX = 4096 };

typedef struct {
    const char *text;
    const char *reply; /* why it is wrong, or NULL */
    bool is_right;
} Choosable;

typedef struct {
    Asks asks;
    bool predicts;   /* asked before the answer is shown: one try, no score */
    int line;        /* in the file */
    int answer_line; /* of the first command, or the same */
    const char *id;  /* key of its saved answers; changes with the block */
    const char *ask, *why;
    Choosable choice[CHOICES_MAX]; /* for a number: wrong answers with replies */
    int choices;
    const char
        *expected;    /* a number, texts separated by |, a token or an address; or "=
                       ..." to compute it (see value.h) */
    double tolerance; /* of a number; negative: the default */
    const char *hint[HINTS_MAX];
    int hints;
    const char *condition[CONDITIONS_MAX]; /* of a state */
    int conditions;
    const char *command[COMMANDS_MAX]; /* commands that make them true */
    int commands;
} Quiz;

/* An error in a lesson and its line. */
typedef struct {
    int line;
    const char *text;
} Finding;

typedef struct {
    Arena *arena;
    Finding *finding;
    int count, capacity;
} Findings;

/* Add a finding. Always return false. */
__attribute__((format(printf, 3, 4))) bool findings_add(Findings *findings, int line,
                                                        const char *format, ...);

/* Sort the findings by line. */
void findings_sort(Findings *findings);

/* Return a 64-bit FNV-1a hash (Fowler, Noll, Vo) as text, in `arena`. */
const char *digest_of(const char *bytes, size_t size, Arena *arena);

/* A line "key: value", without blanks around the value. */
typedef struct {
    const char *key, *value;
    int line;
} Item;

/* Parse such a line into `arena`. Return false if it has no colon, only a key. */
bool item_read(const char *line, int number, Item *item, Arena *arena);

/* Return the index of the item's key in a NULL-terminated list. -1: not found;
 * `question` is then "; did you mean ...?" or "". */
int item_key(const Item *item, const char *const *keys, const char **question,
             Arena *arena);

/* Read the lines of a block that starts at line `line` of the file. Errors are added to
 * the findings; return false if the question cannot be asked. */
bool question_read(Quiz *question, const char *text, int line, Findings *findings);
