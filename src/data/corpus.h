/* corpus.h - the training data: pairs of a source and a target, a text and its label,
 * or one text per line. */
#pragma once

#include "base/error.h"
#include "text/tokenizer.h"

typedef enum { HEADER_AUTO, HEADER_YES, HEADER_NO } HeaderKind;
typedef enum { BAD_ROWS_SKIP, BAD_ROWS_STOP } BadRowsKind;

/* The names of the kinds, ending with NULL. */
extern const char *const header_kinds[], *const bad_rows_kinds[];

typedef struct {
    const char *path;
    const char *source, *target; /* columns, by name or by number from 1; target "":
                                    none; target NULL: the second, if there is one */
    int header;                  /* HeaderKind */
    int bad_rows;                /* BadRowsKind */
} CorpusFile;

typedef struct {
    const char *source, *target; /* clean text; the target is "" if there is none */
    int line;                    /* of the file */
} CorpusPair;

typedef struct {
    int line;
    const char *problem;
} BadRow;

enum { BAD_ROWS_KEPT = 10, TEXT_BYTES_MAX = TOKENIZER_BYTES };

typedef struct {
    const char *path; /* safe to print */
    CorpusPair *pair;
    int count, capacity;
    BadRow bad[BAD_ROWS_KEPT]; /* the first ones */
    int bad_count;             /* number of all bad rows */
    bool has_header, has_targets;
} Corpus;

/* Read the file into `arena`. A bad row (not UTF-8; a column missing, empty or longer
 * than TEXT_BYTES_MAX; a quotation mark that is not closed) is counted and skipped, or
 * fails with "file:line: problem". Also fails if no row is left. */
bool corpus_read(Corpus *corpus, const CorpusFile *file, Arena *arena, Error *error);

/* Return all sources, all targets or both, one per line, to learn a tokenizer from.
 * Allocated in `arena`. */
enum { CORPUS_SOURCES = 1, CORPUS_TARGETS = 2 };
Clean corpus_text(const Corpus *corpus, int sides, Arena *arena);

/* Get the distinct targets, in `arena`: sorted as numbers if all are whole numbers,
 * else by first appearance. Fails if there are more than `max`. */
bool corpus_labels(const Corpus *corpus, int max, const char **label, int *count,
                   Arena *arena, Error *error);

/* Split the rows into training data and held-out data, the latter a fraction of all
 * rows but at least one. The seed decides which rows are held out; both parts keep the
 * order of the file. Allocated in `arena`; `corpus` does not change. Fails if there is
 * only one row. */
typedef struct {
    double measured; /* at most 0.5 */
    unsigned long long seed;
} CorpusShare;
bool corpus_part(const Corpus *corpus, const CorpusShare *share, Corpus *learned,
                 Corpus *measured, Arena *arena, Error *error);

/* Statistics of one side of the data: lengths of the sentences, number of tokens, and
 * how many of these are unknown. If `learned` is NULL, learn a vocabulary of at most
 * `words` words first. */
enum { SURVEY_BARS = 12 };
typedef struct {
    long long tokens, unknown;
    int words;             /* in the vocabulary */
    int shortest, longest; /* sentence lengths, in tokens */
    int step;              /* number of lengths per bar */
    int bar[SURVEY_BARS]; /* sentences of 1 .. step tokens, and so on; the last bar also
                             counts all longer ones */
} Survey;
bool corpus_survey(Survey *survey, const Corpus *corpus, bool targets,
                   const Tokenizer *learned, int words, Error *error);
