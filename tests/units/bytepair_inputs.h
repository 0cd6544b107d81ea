/* bytepair_inputs.h - inputs for the tests of byte pairs, and how to learn from
 * them. */
#pragma once

#include "base/random.h"
#include "text/bytepair.h"
#include "units/scratch.h"

/* After the headers of the project, because it defines a macro fail(). */
#include <cmocka.h>

static const char *const special[] = {"<pad>", "<start>", "<end>", "<unk>", NULL};

enum { SPECIAL = 4, BYTES = 256 };

/* What was learned from a text. */
typedef struct {
    Vocabulary vocabulary;
    BytePair merges;
} Learned;

static inline Learned learn(const char *text, size_t size, int merges) {
    Learned learned;
    Error error;
    assert_true(
        bytepair_learn(&(TextToLearn){text, size, special, SPECIAL + BYTES + merges},
                       &learned.vocabulary, &learned.merges, &arena, &error));
    return learned;
}

/* A text with few different letters, so that pairs repeat and overlap. */
static inline int random_text(Random *random, char *text, int letters) {
    static const char *const choice[] = {"a",  "a",  "b", "c", "가",
                                         "각", "나", " ", ".", "\xEB"};
    int size = 0;
    int kinds = 1 + random_below(random, (int)COUNT(choice));
    for (int i = random_below(random, letters + 1); i > 0; i--) {
        const char *letter = choice[random_below(random, kinds)];
        memcpy(text + size, letter, strlen(letter));
        size += (int)strlen(letter);
    }
    return size;
}

enum { LETTERS = 60, ROOM = 3 * LETTERS };
