/* grammar.h - the project's own sentences and stories, written by a grammar that is
 * data.
 *
 * A grammar is a folder of JSON files. It has categories ("noun", "time", "sentence");
 * a category is a list of alternatives, and an alternative gives its fields, each a
 * text: "ko": "사과", "en": "apple". An alternative with slots is a rule: each slot is
 * filled from a category, and {N.ko} in a text stands for field ko of what fills slot
 * N. A sentence is one derivation from the category "sentence": its two fields that
 * the grammar calls source and target are a pair, and since both sides grow from the
 * same words it is known which word produced which. A grammar without a target writes
 * texts, of the field source alone.
 *
 *   slots      "N": "noun:food & count" takes alternatives of noun whose kinds have
 *              food and count; "food drink" is one or the other. {V.object} inside is
 *              a field of an earlier slot, {asked} the kinds that were asked of this
 *              rule. A kind "*" fits whatever is asked.
 *   texts      {N.ko} a field of a slot; of this rule, or else of the rule that uses
 *              it; {V.$S.form} the field of V that field form of S names; {ko} a field
 *              of this alternative itself. 을/를 is the left one behind a final
 *              consonant, the right one behind a vowel; 으로/로 knows of ㄹ. An
 *              English "a" becomes "an" by the sound that follows. [one|two] is one
 *              of them.
 *   marks      words translate each other when they come from the same alternative
 *              and have the same mark: "사과 주스=2" and "juice=2 of apple". Without
 *              a mark it is 1; =0 is none. In texts with {..} nothing is marked
 *              unless it says so. A word of function_words needs a mark above 1.
 *   lower      a sentence with this field does not begin with a capital.
 *   weight     how often it is drawn, beside its neighbours; 1 unless it says so.
 *   cells      texts such as "{V.id} {O.id}": the combinations by which sentences are
 *              kept out of the training. See grammar_split(). */
#pragma once

#include "base/arena.h"
#include "base/error.h"
#include "base/random.h"
#include "text/vocabulary.h"

typedef struct {
    const char *name, *text;
} GrammarField;

/* One way to fill a slot. */
typedef struct {
    const GrammarField *field; /* name and text */
    const GrammarField *slot;  /* name and "category:kinds" */
    const char *const *cell;
    int fields, slots, cells;
    const char *kinds; /* with spaces between */
    double weight;     /* how often it is drawn, beside its neighbours; mostly 1 */
} Alternative;

typedef struct {
    const char *name;
    Alternative *alternative;
    int count;
} Category;

typedef enum { SPLIT_TRAINING, SPLIT_VALIDATION, SPLIT_TEST, SPLITS } Split;

/* "training", "validation", "test": the names of the files, by Split. */
extern const char *const split_names[];

typedef struct {
    const char *path; /* of the file that was read, for messages */
    Category *category;
    int count, capacity;
    Vocabulary names;   /* of the categories, by index */
    const char *source; /* the fields of a sentence that make a pair; */
    const char *target; /* NULL: there is only the text of the source */
    const char *const *function_word;
    const char *const *said_with_vowel; /* "hour": an, though its first letter ... */
    const char *const *said_with_consonant;
    int function_words, with_vowel, with_consonant;
    int size[SPLITS];  /* sentences of each file of an export */
    int share[SPLITS]; /* cells in a thousand; of training: the rest */
    int word_at_least; /* times in the training, for a word of the other files */
    long long seed;
} Grammar;

/* A word of a sentence; . , ? and ! are words of their own. */
typedef struct {
    int start, end;     /* its bytes in the text */
    const int *aligned; /* the words of the other side that it translates: none, one,
                           or, as "living room" is one word in Korean, several */
    int alignments;
} PairWord;

typedef struct {
    const char *text;
    PairWord *word;
    int words;
} PairSide;

typedef struct {
    PairSide source, target; /* target: no words where the grammar has none */
    Split split;
    double nats;       /* what the text says: derivation_nats() */
    const char *cells; /* the combinations it stands for, with " | " between */
} SentencePair;

/* The grammar in the JSON file at `path`, which names the others of its folder, in
 * `arena`. An error names the file and the place. */
bool grammar_read(const char *path, Arena *arena, Grammar **grammar, Error *error);

/* The category of that name, or NULL. */
const Category *grammar_category(const Grammar *grammar, const char *name);

/* The field of the alternative, or NULL. */
const char *grammar_field(const Alternative *alternative, const char *name);

/* How many derivations there are: as many sentences, when no two give the same text. */
bool grammar_count(const Grammar *grammar, double *count, Error *error);

/* Draw a sentence; the pair lies in `arena`. Fails when a text names a field or a slot
 * that is not there, or when nothing fits a slot. */
bool grammar_sentence(const Grammar *grammar, Random *random, Arena *arena,
                      SentencePair *pair, Error *error);

/* Where sentences with this cell belong. A number in a thousand is made of the text
 * (FNV-1a, 64 bits); the lowest ones are the test's, the next ones the validation's.
 * A sentence belongs to the test when one of its cells does, or else to the
 * validation when one does: so no cell of the two is ever trained on. */
Split grammar_split(const Grammar *grammar, const char *cell);

/* Write training.tsv, validation.tsv and test.tsv into `folder`: distinct sentences,
 * drawn from the grammar's own seed, the same bytes everywhere. Without `replace` a
 * file that exists already is an error.
 * The words of validation and test are all in the training, "word_at_least" times.
 * A line is source, target and alignment, with tabs between; the alignment has a
 * number for each word of the target: the word of the source, or -1. With `reversed`
 * the two sides change places. Of texts a line is the text. `nats`, unless NULL, gets
 * what a text of each file says on average. */
bool grammar_export(const Grammar *grammar, const char *folder, bool reversed,
                    bool replace, double nats[SPLITS], Error *error);
