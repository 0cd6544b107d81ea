/* corpus.h - the sentences to learn from: pairs of a source and a target, a text and
 * its label, or one text a line. */
#pragma once

#include "base/error.h"
#include "text/tokenizer.h"

typedef enum { HEADER_AUTO, HEADER_YES, HEADER_NO } HeaderKind;
typedef enum { BAD_ROWS_SKIP, BAD_ROWS_STOP } BadRowsKind;

/* The names of the kinds, ending with NULL. */
extern const char *const header_kinds[], *const bad_rows_kinds[];

typedef struct {
    const char *path;
    const char *source, *target; /* columns, by name or by number from 1; "" as target:
                                    there is none; NULL: the second, if there is one */
    int header;                  /* HeaderKind */
    int bad_rows;                /* BadRowsKind */
} CorpusFile;

typedef struct {
    const char *source, *target; /* clean text; target "" where there is none */
    int line;                    /* of the file */
} Pair;

typedef struct {
    int line;
    const char *problem;
} BadRow;

enum { BAD_ROWS_KEPT = 10, TEXT_BYTES_MAX = TOKENIZER_BYTES };

typedef struct {
    const char *path; /* safe to print */
    Pair *pair;
    int count, capacity;
    BadRow bad[BAD_ROWS_KEPT]; /* the first of them */
    int bad_count;             /* all of them */
    bool has_header, has_targets;
} Corpus;

/* Read the file; everything lies in `arena`. A bad row (not UTF-8, a column missing,
 * empty or longer than TEXT_BYTES_MAX, a quotation mark that is not closed) is counted
 * and left out, or fails with "file:line: problem". Also fails when no row is left. */
bool corpus_read(Corpus *corpus, const CorpusFile *file, Arena *arena, Error *error);

/* All sources, all targets or both, one a line: what a tokenizer learns from. In
 * `arena`. */
enum { CORPUS_SOURCES = 1, CORPUS_TARGETS = 2 };
Clean corpus_text(const Corpus *corpus, int sides, Arena *arena);

/* The different targets, in `arena`: sorted as numbers if all are whole ones, else by
 * first appearance. Fails when there are more than `most`. */
bool corpus_labels(const Corpus *corpus, int most, const char **label, int *count,
                   Arena *arena, Error *error);

/* Part the rows into those to learn from and, of a share of them, at least one, those
 * to measure with: the last ones of an order that follows from the seed, each part in
 * the order of the file. In `arena`; `corpus` stays whole. Fails where there is one
 * row. */
typedef struct {
    double measured; /* up to 0.5 */
    unsigned long long seed;
} CorpusShare;
bool corpus_part(const Corpus *corpus, const CorpusShare *share, Corpus *learned,
                 Corpus *measured, Arena *arena, Error *error);

/* What is in one side of the data: how long the sentences are, how many tokens they
 * have and how many of those no vocabulary knows. With `learned` NULL a vocabulary of
 * at most `words` words is learned from it. */
enum { SURVEY_BARS = 12 };
typedef struct {
    long long tokens, unknown;
    int words;             /* of the vocabulary */
    int shortest, longest; /* sentences, in tokens */
    int step;              /* lengths that share a bar */
    int bar[SURVEY_BARS];  /* sentences of 1 .. step tokens, and so on; the last
                              bar has all longer ones */
} Survey;
bool corpus_survey(Survey *survey, const Corpus *corpus, bool targets,
                   const Tokenizer *learned, int words, Error *error);
