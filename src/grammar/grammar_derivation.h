/* grammar_derivation.h - one way through a grammar, and the texts it gives. Between
 * the files of the grammar only: others use grammar.h. */
#pragma once

#include "grammar/grammar.h"

typedef struct Derivation Derivation;

/* An alternative whose slots are filled. */
struct Derivation {
    const Alternative *chosen;
    const Derivation *parent; /* the rule that uses it, or NULL */
    const Derivation *child;  /* by slot */
    int children;             /* how many slots are filled so far */
    const char *asked;        /* the kinds that were asked for */
    int number;               /* from 0, apart from all others of the sentence */
};

/* A derivation ends at so many rules, a text at so many bytes: rules that use each
 * other twice double with every step. */
enum {
    RULES_MAX = 4096,
    RULES_DEEPEST = 32,
    LETTERS_MAX = 64 * 1024,
    TEXTS_MAX = 16 * 1024,
};

/* A byte of a text, and what it translates: 10 x number of the derivation + mark, or
 * 0 for nothing. */
typedef struct {
    char byte;
    int label;
} Letter;

typedef struct {
    Letter *letter;
    int count, capacity;
} Letters;

/* The category of that name, or NULL. */
const Category *grammar_category(const Grammar *grammar, const char *name);

/* True if alternatives with these kinds answer what was asked. */
bool grammar_fits(const char *kinds, const char *asked);

/* What a slot asks for: something in `category` that is of these kinds. */
typedef struct {
    const Category *category;
    const char *kinds; /* "": of any */
} Demand;

/* Split what `spec` of a slot asks, with the fields of the slots of `at` that are
 * filled put in. In `arena`. */
bool grammar_ask(const Grammar *grammar, const Derivation *at, const char *spec,
                 Arena *arena, Demand *asked, Error *error);

/* Add the text to `letters`, with the slots of `at` put in. */
bool grammar_write(const Derivation *at, const char *text, Arena *arena,
                   Letters *letters, Error *error);

/* The same as a string. */
bool grammar_text(const Derivation *at, const char *text, Arena *arena,
                  const char **string, Error *error);

/* The field of the alternative, or NULL. */
const char *grammar_field(const Alternative *alternative, const char *name);

/* Both sides, their words and what these translate. */
bool grammar_pair(const Grammar *grammar, const Derivation *sentence, Arena *arena,
                  SentencePair *pair, Error *error);
