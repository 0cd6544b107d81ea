/* Malformed grammars, in addition to those of test_grammar_files.c: wrong types, and
 * endless growth. */
#include "grammar/derivation.h"
#include "grammar/grammar.h"
#include "malformed.h"

/* `count` categories c0, c1 ..., each of which uses the next one twice; the last is
 * `leaf`. 2^count leaves in all. */
static const char *doubling(int count, const char *leaf, Arena *arena) {
    const char *text = arena_print(arena, "{\"sentence\": {\"rules\": [{\"slots\": {"
                                          "\"A\": \"c0\"}, \"a\": \"{A.t}\", \"b\": "
                                          "\"b\"}]}");
    for (int c = 0; c < count; c++)
        text = arena_print(arena,
                           "%s, \"c%d\": {\"rules\": [{\"slots\": {\"A\": \"c%d\", "
                           "\"B\": \"c%d\"}, \"t\": \"{A.t} {B.t}\"}]}",
                           text, c, c + 1, c + 1);
    return arena_print(arena, "%s, \"c%d\": {\"rules\": [{\"t\": \"%s\"}]}}", text,
                       count, leaf);
}

/* One rule whose texts t0, t1 ... each use the next one twice. */
static const char *doubling_text(int count, const char *leaf, Arena *arena) {
    const char *text = "{\"sentence\": {\"rules\": [{\"a\": \"{t0}\", \"b\": \"b\"";
    for (int c = 0; c < count; c++)
        text = arena_print(arena, "%s, \"t%d\": \"{t%d}{t%d}\"", text, c, c + 1, c + 1);
    return arena_print(arena, "%s, \"t%d\": \"%s\"}]}}", text, count, leaf);
}

static Bytes bytes_of(const char *text) {
    return (Bytes){text, strlen(text)};
}

static Bytes doubling_rules(Arena *arena) {
    return bytes_of(doubling(25, "x", arena));
}

/* The same with one more rule: 4097. */
static Bytes more_rules(Arena *arena) {
    char *text = arena_print(arena, "%s", doubling(11, "x", arena));
    char *slot = strstr(text, "\"A\": \"c0\"");
    return bytes_of(
        arena_print(arena, "%.*s\"B\": \"c11\", %s", (int)(slot - text), text, slot));
}

static Bytes many_rules(Arena *arena) {
    return bytes_of(doubling(11, "x", arena)); /* 1 + 2^12 - 1 rules */
}

/* `deep` rules, each of which uses the next one. */
static Bytes chain(int deep, Arena *arena) {
    const char *text = "{\"sentence\": {\"rules\": [{\"slots\": {\"A\": \"c2\"}, "
                       "\"a\": \"x\", \"b\": \"y\"}]}";
    for (int c = 2; c < deep; c++)
        text = arena_print(arena,
                           "%s, \"c%d\": {\"rules\": [{\"slots\": {\"A\": \"c%d\"}}]}",
                           text, c, c + 1);
    return bytes_of(arena_print(arena, "%s, \"c%d\": {\"rules\": [{}]}}", text, deep));
}

static Bytes deepest_rules(Arena *arena) {
    return chain(RULES_DEEPEST, arena);
}

static Bytes deeper_rules(Arena *arena) {
    return chain(RULES_DEEPEST + 1, arena);
}

static Bytes doubling_texts(Arena *arena) {
    return bytes_of(doubling_text(28, "x", arena));
}

static Bytes doubling_of_nothing(Arena *arena) {
    return bytes_of(doubling_text(28, "", arena));
}

static Bytes text_of(int size, Arena *arena) {
    char *leaf = arena_take(arena, (size_t)size + 1);
    memset(leaf, 'x', (size_t)size);
    return bytes_of(doubling_text(0, leaf, arena));
}

static Bytes longest_text(Arena *arena) {
    return text_of(LETTERS_MAX, arena);
}

static Bytes longer_text(Arena *arena) {
    return text_of(LETTERS_MAX + 1, arena);
}

/* Category c0 in a separate file. */
#define SENTENCE "{\"sentence\": {\"rules\": [{\"a\": \"x\", \"b\": \"y\"}]}"

static const Malformed words[] = {
    {"this is not valid JSON", .text = SENTENCE "}"},
    {"nothing", .text = "", .expected = ":1: this is not valid JSON"},
    {"a list", .text = "[{\"rules\": [{\"a\": \"x\"}]}]",
     .expected = "the file is a list where an object is expected"},
    {"a category that is a number", .text = "{\"sentence\": 3}",
     .expected = "category sentence needs a list"},
    {"rules that are an object", .text = "{\"sentence\": {\"rules\": {}}}",
     .expected = "category sentence needs a list"},
    {"a rule that is a list", .text = "{\"sentence\": {\"rules\": [[]]}}",
     .expected = "a rule is a list where an object is expected"},
    {"slots that are a list", .text = "{\"sentence\": {\"rules\": [{\"slots\": []}]}}",
     .expected = "slots is a list where an object is expected"},
    {"a slot that is a number",
     .text = "{\"sentence\": {\"rules\": [{\"slots\": {\"N\": 1}}]}}",
     .expected = "N is a number where a string is expected"},
    {"a text that is a number", .text = "{\"sentence\": {\"rules\": [{\"a\": 1}]}}",
     .expected = "a is a number where a string is expected"},
    {"cells that are a number", .text = "{\"sentence\": {\"rules\": [{\"cells\": 1}]}}",
     .expected = "cells is a number where a list is expected"},
    {"a negative weight", .text = "{\"sentence\": {\"rules\": [{\"weight\": -1}]}}",
     .expected = "weight is a number where a string is expected"},
    {"an endless weight",
     .text = "{\"x\": {\"fields\": [\"weight\"], \"words\": [[\"inf\"]]}}",
     .expected = "the weight of 'inf' is 'inf'; expected a positive number up to 1000000"},
    {"a weight that is none",
     .text = "{\"x\": {\"fields\": [\"weight\"], \"words\": [[\"nan\"]]}}",
     .expected = "expected a positive number up to"},
    {"a row that is a text", .text = "{\"x\": {\"words\": [\"a\"]}}",
     .expected = "a row of words is a string; expected a list"},
    {"a word that is a number",
     .text = "{\"x\": {\"fields\": [\"a\"], \"words\": [[1]]}}",
     .expected = "a row of words is a number; expected a string"},
    {"4096 rules", .make = many_rules},
    {"4097 rules", .make = more_rules, .expected = "more than 4096 rules"},
    {"rules that double", .make = doubling_rules,
     .expected = "a sentence uses more than 4096 rules"},
    {"rules 32 deep", .make = deepest_rules},
    {"rules 33 deep", .make = deeper_rules, .expected = "use themselves without end"},
    {"texts that double", .make = doubling_texts,
     .expected = "it grows beyond 65536 bytes or 16384 parts"},
    {"nothing that doubles", .make = doubling_of_nothing,
     .expected = "it grows beyond 65536 bytes or 16384 parts"},
    {"a text of 64 KiB", .make = longest_text},
    {"one byte more", .make = longer_text, .expected = "it grows beyond 65536 bytes"},
    {"a brace without end",
     .text = "{\"sentence\": {\"rules\": [{\"a\": \"{\", \"b\": \"y\"}]}}",
     .expected = "no field ''"},
    {"a particle without letters",
     .text = "{\"sentence\": {\"rules\": [{\"a\": \"/\", \"b\": \"y\"}]}}",
     .expected = "no Korean letter before '/'"},
};

/* The grammar's main file; the file of the words is correct. */
#define HEAD(rest)                                                                     \
    "{\"source\": \"a\", \"target\": \"b\", \"files\": [\"words.json\"]" rest "}"

static const Malformed heads[] = {
    {"this is not valid JSON", .text = HEAD("")},
    {"a list", .text = "[]", .expected = "'source' must name a field"},
    {"no source", .text = "{\"target\": \"b\"}",
     .expected = "'source' must name a field"},
    {"a source that is a number", .text = "{\"source\": 1, \"target\": \"b\"}",
     .expected = "'source' must name a field"},
    {"a target that is a number", .text = "{\"source\": \"a\", \"target\": 1}",
     .expected = "and 'target' another field or nothing"},
    {"files that are a text",
     .text = "{\"source\": \"a\", \"target\": \"b\", \"files\": \"words.json\"}",
     .expected = "files is a string where a list is expected"},
    {"no files", .text = "{\"source\": \"a\", \"target\": \"b\"}",
     .expected = "no category 'sentence'"},
    {"a file that is not there",
     .text = "{\"source\": \"a\", \"target\": \"b\", \"files\": [\"no.json\"]}",
     .expected = "no.json: No such file"},
    {"10 million", .text = HEAD(", \"sentences\": {\"training\": 10000000}")},
    {"one more", .text = HEAD(", \"sentences\": {\"training\": 10000001}"),
     .expected = "training is not a whole number from 0 to 10000000"},
    {"-1", .text = HEAD(", \"word_at_least\": -1"),
     .expected = "word_at_least is not a whole number"},
    {"1e300", .text = HEAD(", \"word_at_least\": 1e300"),
     .expected = "word_at_least is not a whole number"},
    {"a text for a number",
     .text = HEAD(", \"cells_in_a_thousand\": {\"test\": \"1\"}"),
     .expected = "test is not a whole number"},
    {"function words that are a number", .text = HEAD(", \"function_words\": 1"),
     .expected = "function_words is a number where a list is expected"},
};

static bool write_sentence(const char *head, Arena *arena, Error *error) {
    Grammar *grammar;
    Random random = random_new(1);
    SentencePair pair;
    return grammar_read(head, arena, &grammar, error) &&
           grammar_sentence(grammar, &random, arena, &pair, error);
}

static void check_rows(const Malformed *row, int rows, bool of_words) {
    static const Malformed right = {.text = SENTENCE "}"};
    static const Malformed head = {.text = HEAD("")};
    for (int r = 0; r < rows; r++) {
        Arena arena = {0};
        Error error = {0};
        const Malformed *first = of_words ? &head : &row[r];
        const Malformed *second = of_words ? &row[r] : &right;
        const char *path = write_file("file", malformed_bytes(first, &arena), &arena);
        const char *used =
            write_file("words.json", malformed_bytes(second, &arena), &arena);
        bool done = write_sentence(path, &arena, &error);
        check_verdict(row[r].name, done, row[r].expected, malformed_folder, &error);
        unlink(used);
        arena_free(&arena);
    }
}

static void every_head_gets_its_verdict(void **state) {
    (void)state;
    check_rows(heads, ROWS(heads), false);
}

static void all_words_and_rules_get_their_verdict(void **state) {
    (void)state;
    check_rows(words, ROWS(words), true);
}

static int run_all(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_head_gets_its_verdict),
        cmocka_unit_test(all_words_and_rules_get_their_verdict),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

int main(int count, char **argument) {
    return malformed_main(count, argument, NULL, 0, run_all);
}
