/* derivation.h - one way through a grammar, and the texts it gives. */
#pragma once

#include "grammar/grammar.h"

typedef struct Derivation Derivation;

/* An alternative whose slots are filled. */
struct Derivation {
    const Alternative *chosen;
    const Derivation *parent; /* the rule that uses it, or NULL */
    Derivation *child;        /* by slot */
    int children;             /* how many slots are filled so far */
    const char *asked;        /* the kinds that were asked for */
    int number;               /* from 0, apart from all others of the sentence */
    double nats;              /* minus the logarithm of how probable its choice was */
    bool is_told;             /* a text that was written has a field of it */
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

/* What the letters are, as a string in `arena`. */
const char *letters_text(const Letters *letters, Arena *arena);

/* Draw a whole sentence, in `arena`. */
bool derivation_draw(const Grammar *grammar, Random *random, Arena *arena,
                     Derivation *sentence, Error *error);

/* Add the text to `letters`, with the slots of `at` put in: they are told now. */
bool derivation_write(const Derivation *at, const char *text, Arena *arena,
                      Letters *letters, Error *error);

/* The same as a string, which tells nothing of the sentence. */
bool derivation_text(const Derivation *at, const char *text, Arena *arena,
                     const char **string, Error *error);

/* How much all choices that were told say together: minus the logarithm of the
 * probability of the text, where no other derivation gives it. */
double derivation_nats(const Derivation *sentence);
