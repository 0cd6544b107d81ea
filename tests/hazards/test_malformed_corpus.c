/* Malformed files of sentences, in addition to those of test_train_data.c: large ones,
 * and bytes that no editor writes. */
#include "data/columns.h"
#include "data/corpus.h"
#include "malformed.h"

enum { MEGABYTES = 10 * 1000 * 1000 };

static Bytes text_of(const char *text) {
    return (Bytes){text, strlen(text)};
}

/* "x\ty\n", a text of `size` bytes and its target, and one more pair. */
static Bytes pair_of(size_t size, Arena *arena) {
    char *text = arena_take(arena, size + 32);
    char *end = stpcpy(text, "x\ty\n");
    memset(end, 'a', size);
    strcpy(end + size, "\tb\nc\td\n");
    return text_of(text);
}

static Bytes line_of_ten_megabytes(Arena *arena) {
    return pair_of(MEGABYTES, arena);
}

static Bytes longest_text(Arena *arena) {
    return pair_of(TEXT_BYTES_MAX, arena);
}

static Bytes longer_text(Arena *arena) {
    return pair_of(TEXT_BYTES_MAX + 1, arena);
}

/* A character that normal form C makes three times as long: U+1D15F. */
static Bytes text_that_grows(Arena *arena) {
    enum { LETTERS = TEXT_BYTES_MAX / 4 };
    char *text = arena_take(arena, 4 * LETTERS + 32);
    char *end = stpcpy(text, "x\ty\n");
    for (int i = 0; i < LETTERS; i++) end = stpcpy(end, "\xf0\x9d\x85\x9f");
    strcpy(end, "\tb\n");
    return text_of(text);
}

static Bytes columns_of(int columns, Arena *arena) {
    char *text = arena_take(arena, 4 * (size_t)columns + 32);
    char *end = stpcpy(text, "a");
    for (int c = 1; c < columns; c++) end = stpcpy(end, ",b");
    end = stpcpy(end, "\n");
    for (int c = 0; c < columns; c++) end = stpcpy(end, c ? ",d" : "c");
    return text_of(text);
}

static Bytes max_columns(Arena *arena) {
    return columns_of(FIELDS_MAX, arena);
}

static Bytes more_columns(Arena *arena) {
    return columns_of(FIELDS_MAX + 1, arena);
}

/* A header whose names would fill memory if all were reported. */
static Bytes long_names(Arena *arena) {
    enum { COLUMNS = 200, NAME = 100 * 1000 };
    char *text = arena_take(arena, COLUMNS * (NAME + 1) + 8);
    for (int c = 0; c < COLUMNS; c++) {
        memset(text + c * (NAME + 1), 'a' + c % 26, NAME);
        text[c * (NAME + 1) + NAME] = c + 1 < COLUMNS ? ',' : '\n';
    }
    return text_of(text);
}

/* Quotation marks that are not closed, line after line. */
static Bytes open_quotes(Arena *arena) {
    enum { LINES = 100 * 1000 };
    char *text = arena_take(arena, LINES * 8 + 16);
    char *end = stpcpy(text, "a,b\n");
    for (int i = 0; i < LINES; i++) end = stpcpy(end, "\"x\"y,z\n");
    strcpy(end, "\"c,d");
    return text_of(text);
}

/* `expected`: part of the message; or, if pairs are read, of the first bad row's. */
static const struct {
    Malformed file; /* its name is the file's */
    const char *target;
    int pairs;
} corpora[] = {
    {{"a.tsv", .text = "", .expected = " is empty"}, "2", 0},
    {{"a.tsv", .text = "\xef\xbb\xbf", .expected = " is empty"}, "2", 0},
    {{"a.tsv", .text = "\0", .size = 1, .expected = "a text has a NUL byte"}, "", 0},
    {{"a.tsv", .text = "a\tb\nc\0\td\n", .size = 8, .expected = "2: a text has a NUL"},
     "2",
     1},
    {{"a.tsv", .text = "a\tb\nc\xff\td\n", .expected = "2: it is not UTF-8"}, "2", 1},
    {{"a.tsv", .text = "a\tb\n\xed\xa0\x80\td\n", .expected = "2: it is not UTF-8"},
     "2",
     1},
    {{"a.tsv", .text = "a\tb\n\u00a0\u3000\td\n", .expected = "2: a text is empty"},
     "2",
     1},
    {{"a.tsv", .text = "a\tb\rc\td\r", .expected = ": its lines end in CR only"},
     "2",
     0},
    {{"a.tsv", .text = "a\tb\r"}, "2", 1},
    {{"a.tsv", .text = "a\rb\tc\r\n"}, "2", 1},
    {{"a.tsv", .text = "\xfe\xff\0a", .size = 4, .expected = " is UTF-16"}, "2", 0},
    {{"a.csv", .text = "\"", .expected = "not closed"}, "2", 0},
    {{"a.csv", .text = "a,b\n\"", .expected = "2: a quotation mark is opened"}, "2", 1},
    {{"a.csv", .text = "a,b\n\"\"\",c\n", .expected = "2: a quotation mark is"},
     "2",
     1},
    {{"a.csv", .make = open_quotes, .expected = "2: there is text between"}, "2", 1},
    {{"a.csv", .make = max_columns}, "256", 2},
    {{"a.csv", .make = more_columns, .expected = "it has more than 256 columns"},
     "2",
     0},
    {{"a.csv", .make = long_names, .expected = " and 188 more"}, "no", 0},
    {{"a.tsv", .make = line_of_ten_megabytes,
      .expected = "2: a text has 10000000 bytes; the limit is 65536"},
     "2",
     2},
    {{"a.tsv", .make = longest_text}, "2", 3},
    {{"a.tsv", .make = longer_text, .expected = "2: a text has 65537 bytes"}, "2", 2},
    {{"a.tsv", .make = text_that_grows,
      .expected = "2: a text is too long for one sentence"},
     "2",
     1},
};

/* Return the message of a file that is rejected, or of its first bad row. */
static const char *message_of(bool done, const Corpus *corpus, const Error *error,
                              Arena *arena) {
    if (!done) return error->message;
    return arena_print(arena, "%d: %s", corpus->bad[0].line,
                       corpus->bad_count ? corpus->bad[0].problem : "");
}

static void every_file_of_sentences_gets_its_verdict(void **state) {
    (void)state;
    for (int r = 0; r < ROWS(corpora); r++) {
        Arena arena = {0};
        Corpus corpus;
        Error error = {0};
        const Malformed *row = &corpora[r].file;
        const char *path = write_file(row->name, malformed_bytes(row, &arena), &arena);
        CorpusFile file = {path, "1", corpora[r].target,
                           strcmp(corpora[r].target, "no") ? HEADER_NO : HEADER_YES,
                           BAD_ROWS_SKIP};
        bool done = corpus_read(&corpus, &file, &arena, &error);
        const char *message = message_of(done, &corpus, &error, &arena);
        if ((done ? corpus.count : 0) != corpora[r].pairs)
            fail_msg("row %d: %d pairs, '%s'", r, corpus.count, message);
        if (done && !row->expected && corpus.bad_count)
            fail_msg("row %d: '%s'", r, message);
        if (row->expected && !strstr(message, row->expected))
            fail_msg("row %d: found '%s', not '%s'", r, message, row->expected);
        if (!done) assert_non_null(strstr(error.message, path));
        unlink(path);
        arena_free(&arena);
    }
}

static int run_all(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_file_of_sentences_gets_its_verdict),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

int main(int count, char **argument) {
    return malformed_main(count, argument, NULL, 0, run_all);
}
