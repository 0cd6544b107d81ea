/* derivation.h - one derivation of a sentence from a grammar, and its texts. */
#pragma once

#include "grammar/grammar.h"

typedef struct Derivation Derivation;

/* An alternative with its slots filled. */
struct Derivation {
    const Alternative *chosen;
    const Derivation *parent; /* the rule that uses it, or NULL */
    Derivation *child;        /* by slot */
    int children;             /* number of slots filled so far */
    const char *asked;        /* the requested kinds */
    int number;               /* from 0, unique in the sentence */
    double nats;              /* minus the logarithm of the probability of its choice */
    bool is_told;             /* a field of it was written to a text */
};

/* Limits for the rules of a derivation and the bytes of a text: rules that use each
 * other twice double with every step. */
enum {
    RULES_MAX = 4096,
    RULES_DEEPEST = 32,
    LETTERS_MAX = 64 * 1024,
    TEXTS_MAX = 16 * 1024,
};

/* A byte of a text, and what it translates: 10 x the number of the derivation + the
 * mark, or 0 for nothing. */
typedef struct {
    char byte;
    int label;
} Letter;

typedef struct {
    Letter *letter;
    int count, capacity;
} Letters;

/* Return the letters as a string in `arena`. */
const char *letters_text(const Letters *letters, Arena *arena);

/* Draw a whole sentence at random, in `arena`. */
bool derivation_draw(const Grammar *grammar, Random *random, Arena *arena,
                     Derivation *sentence, Error *error);

/* Append the text to `letters`, with the slots of `at` inserted, and set their
 * is_told. */
bool derivation_write(const Derivation *at, const char *text, Arena *arena,
                      Letters *letters, Error *error);

/* Return the same text as a string, without marking anything. */
bool derivation_text(const Derivation *at, const char *text, Arena *arena,
                     const char **string, Error *error);

/* Return the information of all choices that appear in the text: minus the logarithm of
 * its probability, if no other derivation gives the same text. */
double derivation_nats(const Derivation *sentence);
