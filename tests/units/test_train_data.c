/* Reading sentences from TSV, CSV and lines. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "base/random.h"
#include "data/corpus.h"

#include <cmocka.h> /* last: it has a macro named fail */

typedef struct {
    const char *name; /* of the file */
    const char *text;
    const char *source, *target; /* columns */
    int header, bad_rows;
    const char *expected; /* "source>target;" for each pair, or the end of the error */
    const char *bad;      /* "line: problem;" for each bad row */
} Case;

static const Case cases[] = {
    {"tabs.tsv", "a b\tc\nd\te\n", "1", "2", 0, 0, "a b>c;d>e;", ""},
    {"no-end.tsv", "a\tb\nc\td", "1", "2", 0, 0, "a>b;c>d;", ""},
    {"crlf.tsv", "a\tb\r\nc\td\r\n", "1", "2", 0, 0, "a>b;c>d;", ""},
    {"mark.tsv", "\xef\xbb\xbfko\ten\n가\tb\n", "ko", "en", 0, 0, "가>b;", ""},
    {"swapped.tsv", "ko\ten\n가\tb\n", "en", "ko", 0, 0, "b>가;", ""},
    {"number.tsv", "x\ty\tz\n1\t2\t3\n", "3", "1", 0, 0, "z>x;3>1;", ""},
    {"forced.tsv", "x\ty\n1\t2\n", "1", "2", HEADER_YES, 0, "1>2;", ""},
    {"refused.tsv", "source\ttarget\n1\t2\n", "1", "2", HEADER_NO, 0,
     "source>target;1>2;", ""},
    {"usual.csv", "Q,A\nx,y\n", "1", "2", 0, 0, "x>y;", ""},
    {"blank.tsv", "a\tb\n\n\r\nc\td\n", "1", "2", 0, 0, "a>b;c>d;", ""},
    {"edges.tsv", "  a \t b\t\n", "1", "2", 0, 0, "a>b;", ""},
    {"quotes-in.tsv", "\"a\"\tb\"c\n", "1", "2", 0, 0, "\"a\">b\"c;", ""},
    {"lines.txt", "one\ntwo, three\n", "1", "", 0, 0, "one>;two, three>;", ""},
    {"lines-only.txt", "one\ntwo\n", "1", NULL, 0, 0, "one>;two>;", ""},
    {"tab-in-txt.txt", "a\tb\n", "1", NULL, 0, 0, "a>b;", ""},
    {"plain.csv", "a,b\nc,d\n", "1", "2", 0, 0, "a>b;c>d;", ""},
    {"quoted.csv", "\"a, b\",\"say \"\"hi\"\"\"\n\"\"\"\",c\n", "1", "2", 0, 0,
     "a, b>say \"hi\";\">c;", ""},
    {"line-in-quotes.csv", "\"a\nb\",c\r\nd,\"e\r\nf\"\n", "1", "2", 0, 0,
     "a b>c;d>e  f;", ""},
    {"quote-inside.csv", "a\"b,c\n", "1", "2", 0, 0, "a\"b>c;", ""},
    {"last-empty.csv", "a,b\nc,\nd,e\n", "1", "2", 0, 0, "a>b;d>e;",
     "2: a text is empty;"},
    {"columns.csv", "a,b\nc\nd,e,f\ng,h\n", "1", "2", 0, 0, "a>b;g>h;",
     "2: it has 1 columns; expected 2, as in the first row;3: it has 3 columns; "
     "expected 2, as in "
     "the first row;"},
    {"behind-quote.csv", "a,b\n\"c\"d,e\nf,g\n", "1", "2", 0, 0, "a>b;f>g;",
     "2: there is text between a closing quotation mark and the next comma;"},
    {"never-closed.csv", "a,b\n\"c,d\ne,f\n", "1", "2", 0, 0, "a>b;e>f;",
     "2: a quotation mark is opened but not closed;"},
    {"lines-counted.csv", "a,\"b\nc\"\nd\ne,f\n", "1", "2", 0, 0, "a>b c;e>f;",
     "3: it has 1 columns; expected 2, as in the first row;"},
    {"latin.tsv", "a\tb\n\xc7\xd1\tc\n", "1", "2", 0, 0, "a>b;", "2: it is not UTF-8;"},
    {"decomposed.tsv", "\xe1\x84\x92\xe1\x85\xa1\xe1\x86\xab\tb\n", "1", "2", 0, 0,
     "한>b;", ""},
    {"stop.tsv", "a\tb\nc\n", "1", "2", 0, BAD_ROWS_STOP,
     ":2: it has 1 columns; expected 2, as in the first row", NULL},
    {"empty.tsv", "", "1", "2", 0, 0, " is empty", NULL},
    {"only-lines.tsv", "\n\n\n", "1", "2", 0, 0, " is empty", NULL},
    {"only-header.tsv", "source\ttarget\n", "1", "2", 0, 0, " has a header but no rows",
     NULL},
    {"all-bad.tsv", "a\tb\nc\t\n", "1", "2", HEADER_YES, 0,
     " has no usable row; line 2: a text is empty", NULL},
    {"no-name.tsv", "a\tb\n", "source", "2", 0, 0,
     " has no header, so columns have no names such as 'source'; give the column's "
     "number (the first is 1)",
     NULL},
    {"no-column.tsv", "source\tb\n1\t2\n", "source", "wanted", 0, 0,
     " has no column 'wanted'; its columns are source, b", NULL},
    {"few.tsv", "a\tb\n", "1", "3", 0, 0, ":1: there is no column 3; the row has 2",
     NULL},
    {"wide.tsv", "\xff\xfe\x61\x00", "1", "2", 0, 0, " is UTF-16; save it as UTF-8",
     NULL},
};

static const char *folder;

static const char *write_file(const char *name, const char *text, size_t size,
                              Arena *arena) {
    Error error;
    const char *path = file_join(arena, folder, name);
    if (!file_save(path, text, size, true, &error)) fail_msg("%s", error.message);
    return path;
}

static void check_case(const Case *c) {
    Arena arena = {0};
    Corpus corpus;
    Error error = {0};
    CorpusFile file = {write_file(c->name, c->text, strlen(c->text), &arena), c->source,
                       c->target, c->header, c->bad_rows};
    if (strcmp(c->name, "wide.tsv") == 0) write_file(c->name, c->text, 4, &arena);
    const char *found = "";
    const char *bad = "";
    bool done = corpus_read(&corpus, &file, &arena, &error);
    for (int p = 0; done && p < corpus.count; p++)
        found = arena_print(&arena, "%s%s>%s;", found, corpus.pair[p].source,
                            corpus.pair[p].target);
    for (int b = 0; done && b < corpus.bad_count; b++)
        bad = arena_print(&arena, "%s%d: %s;", bad, corpus.bad[b].line,
                          corpus.bad[b].problem);
    if (done != (c->bad != NULL)) fail_msg("%s: '%s'", c->name, error.message);
    if (!done) found = error.message + strlen(file.path);
    if (strcmp(found, c->expected) != 0)
        fail_msg("%s: found '%s', not '%s'", c->name, found, c->expected);
    if (done && strcmp(bad, c->bad) != 0)
        fail_msg("%s: bad rows are '%s', not '%s'", c->name, bad, c->bad);
    arena_free(&arena);
}

static void files_of_every_kind_are_read_as_they_should(void **state) {
    (void)state;
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) check_case(&cases[c]);
}

/* Bytes of all kinds, especially those with a meaning in a CSV file. */
static void no_bytes_make_reading_fail_badly(void **state) {
    (void)state;
    static const char likely[] = "\"\",,\n\n\r\ta가 ";
    Random random = random_new(3);
    for (int round = 0; round < 1000; round++) {
        Arena arena = {0};
        Corpus corpus;
        Error error = {0};
        char text[64];
        size_t size = (size_t)random_below(&random, sizeof text);
        for (size_t i = 0; i < size; i++)
            text[i] = random_below(&random, 8)
                          ? likely[random_below(&random, sizeof likely - 1)]
                          : (char)random_below(&random, 256);
        const char *path =
            write_file(round % 2 ? "f.csv" : "f.tsv", text, size, &arena);
        CorpusFile file = {path, "1", NULL, HEADER_AUTO, BAD_ROWS_SKIP};
        bool done = corpus_read(&corpus, &file, &arena, &error);
        if (!done) assert_true(*error.message);
        for (int p = 0; done && p < corpus.count; p++)
            assert_true(*corpus.pair[p].source && corpus.pair[p].line >= 1);
        arena_free(&arena);
    }
}

static void the_seed_splits_the_rows_and_repeats_none(void **state) {
    (void)state;
    Arena arena = {0};
    Error error;
    CorpusPair pair[10] = {0};
    for (int p = 0; p < 10; p++) pair[p].line = p + 1;
    const Corpus all = {.path = "f", .pair = pair, .count = 10, .bad_count = 2};
    Corpus learned[3];
    Corpus measured[3];
    for (int t = 0; t < 3; t++)
        assert_true(corpus_part(&all, &(CorpusShare){0.35, t < 2 ? 5 : 6}, &learned[t],
                                &measured[t], &arena, &error));
    bool seen[11] = {0};
    bool differs = false;
    assert_int_equal(learned[0].count, 7);
    assert_int_equal(measured[0].count, 3);
    for (int p = 0; p < 7; p++) seen[learned[0].pair[p].line] = true;
    for (int p = 0; p < 3; p++) {
        int line = measured[0].pair[p].line;
        assert_false(seen[line]);
        assert_int_equal(measured[1].pair[p].line, line);
        differs = differs || measured[2].pair[p].line != line;
    }
    assert_true(differs && measured[0].bad_count == 0 && learned[0].bad_count == 2);
    const Corpus one = {.path = "f", .pair = pair, .count = 1};
    assert_false(corpus_part(&one, &(CorpusShare){0.2, 1}, &learned[0], &measured[0],
                             &arena, &error));
    assert_string_equal(error.message,
                        "f has only one row, so none can be set aside for validation");
    arena_free(&arena);
}

static void labels_are_found_and_numbers_sorted(void **state) {
    (void)state;
    Arena arena = {0};
    Error error;
    const char *label[4];
    int count;
    CorpusPair pair[] = {{"a", "10", 1}, {"b", "2", 2}, {"c", "10", 3}, {"d", "0", 4}};
    Corpus corpus = {.path = "x", .pair = pair, .count = 4};
    assert_true(corpus_labels(&corpus, 4, label, &count, &arena, &error));
    assert_int_equal(count, 3);
    assert_string_equal(label[0], "0");
    assert_string_equal(label[1], "2");
    assert_string_equal(label[2], "10");
    pair[3].target = "no";
    assert_true(corpus_labels(&corpus, 4, label, &count, &arena, &error));
    assert_string_equal(label[0], "10");
    assert_string_equal(label[2], "no");
    assert_false(corpus_labels(&corpus, 2, label, &count, &arena, &error));
    assert_string_equal(error.message,
                        "x:4: 'no' is label 3; a classifier has at most 2");
    arena_free(&arena);
}

static void a_survey_counts_tokens_and_unknown_ones(void **state) {
    (void)state;
    Error error;
    Survey survey;
    CorpusPair pair[] = {{"a a a b", "", 1}, {"a b c", "", 2}, {"a", "", 3}};
    Corpus corpus = {.path = "x", .pair = pair, .count = 3};
    assert_true(corpus_survey(&survey, &corpus, false, NULL, 6, &error));
    assert_int_equal(survey.words, 6); /* four special words, a and b */
    assert_int_equal(survey.tokens, 8);
    assert_int_equal(survey.unknown, 1);
    assert_int_equal(survey.shortest, 1);
    assert_int_equal(survey.longest, 4);
    assert_int_equal(survey.bar[0], 1);
    assert_int_equal(survey.bar[1], 0);
    assert_int_equal(survey.bar[2], 1);
    assert_int_equal(survey.bar[3], 1);
}

int main(void) {
    char path[] = "/tmp/test_train_data.XXXXXX";
    folder = mkdtemp(path);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(files_of_every_kind_are_read_as_they_should),
        cmocka_unit_test(no_bytes_make_reading_fail_badly),
        cmocka_unit_test(the_seed_splits_the_rows_and_repeats_none),
        cmocka_unit_test(labels_are_found_and_numbers_sorted),
        cmocka_unit_test(a_survey_counts_tokens_and_unknown_ones),
    };
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    Arena arena = {0};
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++)
        unlink(file_join(&arena, folder, cases[c].name));
    unlink(file_join(&arena, folder, "f.csv"));
    unlink(file_join(&arena, folder, "f.tsv"));
    rmdir(folder);
    arena_free(&arena);
    return failed;
}
