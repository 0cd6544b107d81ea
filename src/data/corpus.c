#include "data/corpus.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/builder.h"
#include "base/interrupt.h"
#include "base/language.h"
#include "base/random.h"
#include "data/columns.h"

const char *const header_kinds[] = {"auto", "yes", "no", NULL};
const char *const bad_rows_kinds[] = {"skip", "stop", NULL};

/* Common column names: if the first row has only such names, it is a header. */
static const char *const usual_names[] = {
    "source", "target", "input",   "output",   "text",  "label",    "question",
    "answer", "q",      "a",       "sentence", "class", "category", "ko",
    "en",     "korean", "english", "id",       NULL,
};

/* A file being read, and its columns. */
typedef struct {
    const CorpusFile *file;
    Corpus *corpus;
    Arena *arena;
    int source, target; /* from 0; -1: none */
    int columns;        /* in the first row; all rows must have that many */
} CorpusReading;

static bool is(Field field, const char *name) {
    return strlen(name) == field.length &&
           strncasecmp(field.text, name, field.length) == 0;
}

static bool has_header(const CorpusFile *file, const Row *row) {
    if (file->header != HEADER_AUTO) return file->header == HEADER_YES;
    bool all_usual = row->count > 1;
    for (int f = 0; f < row->count; f++) {
        const Field field = row->field[f];
        if (is(field, file->source) || (file->target && is(field, file->target)))
            return true;
        const char *const *name = usual_names;
        while (*name && !is(field, *name)) name++;
        all_usual = all_usual && *name;
    }
    return all_usual;
}

static bool find_column(const CorpusReading *reading, const char *column,
                        const Row *row, int *found, Error *error) {
    const char *path = reading->file->path;
    char *end;
    long number = strtol(column, &end, 10);
    bool is_number = *column && !*end && number >= 1 && number <= FIELDS_MAX;
    *found = is_number ? (int)number - 1 : -1;
    if (*found >= row->count)
        return fail(error, "%s:%d: there is no column %s; the row has %d", path,
                    row->line, column, row->count);
    if (*found >= 0) return true;
    if (!reading->corpus->has_header)
        return fail(error,
                    "%s has no header, so columns have no names such as '%s'; give "
                    "the column's number (the first is 1)",
                    path, column);
    for (int f = 0; f < row->count; f++)
        if (is(row->field[f], column)) return *found = f, true;
    enum { SHOWN = 12, BYTES = 200 };
    Arena *arena = reading->arena;
    Builder list = {.arena = arena};
    for (int f = 0; f < row->count && f < SHOWN; f++) {
        const Field *field = &row->field[f];
        int length = field->length < BYTES ? (int)field->length : BYTES;
        build_item(&list, ", ", "%s", vocabulary_show(field->text, length, arena));
    }
    const char *columns = builder_text(&list);
    if (row->count > SHOWN)
        columns = trf(arena, "%s and %d more", columns, row->count - SHOWN);
    return fail(error, "%s has no column '%s'; its columns are %s", path, column,
                columns);
}

/* Trim white space at both ends. Line ends inside a field become spaces: a sentence is
 * one line. */
static const char *clean_text(Field field, Arena *arena, const char **problem) {
    while (field.length && strchr(" \t\r\n", field.text[0]) && field.text[0])
        field = (Field){field.text + 1, field.length - 1};
    while (field.length && field.text[field.length - 1] &&
           strchr(" \t\r\n", field.text[field.length - 1]))
        field.length--;
    if (field.length == 0) *problem = tr("a text is empty");
    if (field.length > TEXT_BYTES_MAX)
        *problem = trf(arena, "a text has %zu bytes; the limit is %d", field.length,
                       TEXT_BYTES_MAX);
    if (field.length && memchr(field.text, '\0', field.length))
        *problem = tr("a text has a NUL byte");
    if (*problem) return "";
    Clean clean = unicode_clean(field.text, field.length, arena);
    if (clean.malformed) *problem = tr("it is not UTF-8");
    if (clean.length > TEXT_BYTES_MAX)
        *problem = tr("a text is too long for one "
                      "sentence");
    if (unicode_is_blank(&clean)) *problem = tr("a text is empty");
    char *text = arena_copy(arena, clean.text, (size_t)clean.length);
    for (char *c = text; *c; c++)
        if (*c == '\n' || *c == '\r') *c = ' ';
    return text;
}

/* Add the pair of a row, or record what is wrong with it. */
static bool keep_row(const CorpusReading *reading, const Row *row, Error *error) {
    Corpus *corpus = reading->corpus;
    Arena *arena = reading->arena;
    const char *problem = row->problem;
    CorpusPair pair = {.target = "", .line = row->line};
    if (!problem && row->count != reading->columns)
        problem = trf(arena, "it has %d columns; expected %d, as in the first row",
                      row->count, reading->columns);
    if (!problem)
        pair.source = clean_text(row->field[reading->source], arena, &problem);
    if (!problem && reading->target >= 0)
        pair.target = clean_text(row->field[reading->target], arena, &problem);
    if (!problem) {
        ARENA_GROW(arena, corpus->pair, corpus->count, corpus->capacity);
        corpus->pair[corpus->count++] = pair;
        return true;
    }
    if (reading->file->bad_rows == BAD_ROWS_STOP)
        return fail(error, "%s:%d: %s", corpus->path, row->line, problem);
    if (corpus->bad_count < BAD_ROWS_KEPT)
        corpus->bad[corpus->bad_count] = (BadRow){row->line, problem};
    corpus->bad_count++;
    return true;
}

bool corpus_read(Corpus *corpus, const CorpusFile *file, Arena *arena, Error *error) {
    Columns columns;
    Row row;
    *corpus = (Corpus){.path = unicode_escape(file->path, strlen(file->path), arena)};
    CorpusReading reading = {.file = file, .corpus = corpus, .arena = arena};
    if (!columns_open(&columns, file->path, arena, error)) return false;
    if (!columns_next(&columns, arena, &row))
        return fail(error, "%s is empty", file->path);
    if (row.problem) return fail(error, "%s:%d: %s", file->path, row.line, row.problem);
    /* The first row: is it a header, and which columns are used? */
    corpus->has_header = has_header(file, &row);
    reading.columns = row.count;
    reading.target = !file->target && row.count > 1 ? 1 : -1;
    if (!find_column(&reading, file->source, &row, &reading.source, error) ||
        (file->target && *file->target &&
         !find_column(&reading, file->target, &row, &reading.target, error)))
        return false;
    corpus->has_targets = reading.target >= 0;
    bool more = corpus->has_header ? columns_next(&columns, arena, &row) : true;
    for (; more; more = columns_next(&columns, arena, &row))
        if (!keep_row(&reading, &row, error) || !interrupt_none(error)) return false;
    if (corpus->count) return true;
    if (corpus->bad_count == 0)
        return fail(error, "%s has a header but no rows", file->path);
    return fail(error, "%s has no usable row; line %d: %s", file->path,
                corpus->bad[0].line, corpus->bad[0].problem);
}

Clean corpus_text(const Corpus *corpus, int sides, Arena *arena) {
    size_t bytes = 1;
    for (int p = 0; p < corpus->count; p++)
        bytes += strlen(corpus->pair[p].source) + strlen(corpus->pair[p].target) + 2;
    char *text = arena_take_raw(arena, bytes);
    char *end = text;
    for (int p = 0; p < corpus->count; p++) {
        const CorpusPair *pair = &corpus->pair[p];
        if (sides & CORPUS_SOURCES) end = stpcpy(stpcpy(end, pair->source), "\n");
        if (sides & CORPUS_TARGETS) end = stpcpy(stpcpy(end, pair->target), "\n");
    }
    *end = '\0';
    return (Clean){.text = text, .length = (int)(end - text)};
}

static int by_number(const void *one, const void *other) {
    long a = strtol(*(const char *const *)one, NULL, 10);
    long b = strtol(*(const char *const *)other, NULL, 10);
    return a < b ? -1 : a > b;
}

bool corpus_labels(const Corpus *corpus, int max, const char **label, int *count,
                   Arena *arena, Error *error) {
    bool numbers = true;
    *count = 0;
    for (int p = 0; p < corpus->count; p++) {
        const char *text = corpus->pair[p].target;
        int known = 0;
        while (known < *count && strcmp(label[known], text) != 0) known++;
        if (known < *count) continue;
        if (*count == max)
            return fail(error, "%s:%d: '%s' is label %d; a classifier has at most %d",
                        corpus->path, corpus->pair[p].line, text, max + 1, max);
        numbers = numbers && text[strspn(text, "0123456789")] == '\0' && *text;
        label[(*count)++] = arena_copy(arena, text, strlen(text));
    }
    if (numbers) qsort(label, (size_t)*count, sizeof *label, by_number);
    return true;
}

bool corpus_part(const Corpus *corpus, const CorpusShare *share, Corpus *learned,
                 Corpus *measured, Arena *arena, Error *error) {
    int count = corpus->count;
    int held = (int)(share->measured * count);
    if (count < 2)
        return fail(error,
                    "%s has only one row, so none can be set aside for "
                    "validation",
                    corpus->path);
    if (held == 0) held = 1;
    Random random = random_new(share->seed);
    int *order = ARENA_ARRAY(arena, int, count);
    bool *is_held = ARENA_ARRAY(arena, bool, count);
    for (int p = 0; p < count; p++) order[p] = p;
    random_shuffle(&random, order, count);
    for (int p = count - held; p < count; p++) is_held[order[p]] = true;
    *learned = *measured = *corpus;
    measured->bad_count = 0;
    learned->count = measured->count = 0;
    learned->capacity = count - held;
    measured->capacity = held;
    learned->pair = ARENA_ARRAY(arena, CorpusPair, learned->capacity);
    measured->pair = ARENA_ARRAY(arena, CorpusPair, measured->capacity);
    for (int p = 0; p < count; p++) {
        Corpus *part = is_held[p] ? measured : learned;
        part->pair[part->count++] = corpus->pair[p];
    }
    return true;
}

bool corpus_survey(Survey *survey, const Corpus *corpus, bool targets,
                   const Tokenizer *learned, int words, Error *error) {
    Arena arena = {0};
    Arena scratch = {0};
    Tokenizer made;
    Clean text = corpus_text(corpus, targets ? CORPUS_TARGETS : CORPUS_SOURCES, &arena);
    int *length = ARENA_ARRAY(&arena, int, corpus->count);
    *survey = (Survey){.shortest = INT_MAX};
    bool done = learned || tokenizer_learn(
                               &made, (TokenizerOptions){TOKENIZER_WORDS, words, false},
                               &text, &arena, error);
    if (!learned) learned = &made;
    for (int p = 0; done && p < corpus->count; p++) {
        const CorpusPair *pair = &corpus->pair[p];
        const char *said = targets ? pair->target : pair->source;
        Tokens tokens = {0};
        arena_reset(&scratch);
        done =
            interrupt_none(error) && tokenizer_encode(learned, said, (int)strlen(said),
                                                      &scratch, &tokens, error);
        length[p] = tokens.count;
        if (length[p] < survey->shortest) survey->shortest = length[p];
        if (length[p] > survey->longest) survey->longest = length[p];
        survey->tokens += tokens.count;
        for (int t = 0; t < tokens.count; t++)
            survey->unknown += tokens.token[t].id == learned->special.unknown;
    }
    /* The bar width: how many lengths share a bar. */
    survey->step = (survey->longest + SURVEY_BARS - 1) / SURVEY_BARS;
    if (survey->step == 0) survey->step = 1;
    for (int p = 0; done && p < corpus->count; p++) {
        int bar = length[p] ? (length[p] - 1) / survey->step : 0;
        survey->bar[bar < SURVEY_BARS ? bar : SURVEY_BARS - 1]++;
    }
    if (done) survey->words = learned->vocabulary.count;
    arena_free(&scratch);
    arena_free(&arena);
    return done;
}
