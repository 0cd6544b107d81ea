/* Malformed vocabularies and merges, and text for which a bad tokenizer takes quadratic
 * time. */

#include "malformed.h"
#include "text/tokenizer.h"

static Bytes token_of_ten_megabytes(Arena *arena) {
    enum { SIZE = 10 * 1000 * 1000 };
    char *text = arena_take(arena, SIZE + 16);
    memset(text, 'a', SIZE);
    memcpy(text, "{\"", 2);
    strcpy(text + SIZE, "\": 0}");
    return (Bytes){text, strlen(text)};
}

static Bytes line_of_ten_megabytes(Arena *arena) {
    enum { SIZE = 10 * 1000 * 1000 };
    char *text = arena_take(arena, SIZE + 1);
    memset(text, 'a', SIZE);
    text[5000] = ' ';
    return (Bytes){text, SIZE};
}

static Bytes words_beyond_the_limit(Arena *arena) {
    enum { WORDS = 1050000 };
    char *text = arena_take(arena, WORDS * 18 + 3);
    char *end = stpcpy(text, "{");
    for (int i = 0; i < WORDS; i++)
        end += sprintf(end, "%s\"%d\":%d", i ? "," : "", i, i);
    end = stpcpy(end, "}");
    return (Bytes){text, (size_t)(end - text)};
}

static const Malformed vocabularies[] = {
    {"nothing", .text = "", .expected = ":1: this is not valid JSON"},
    {"a list", .text = "[\"a\"]", .expected = "expected an object of words and ids"},
    {"no words", .text = "{}", .expected = "it has no words"},
    {"a word twice", .text = "{\"a\": 0,\n\"a\": 1}",
     .expected = ":2: the same name is twice"},
    {"a word twice, once escaped", .text = "{\"a\": 0, \"\\u0061\": 1}",
     .expected = "the same name is twice"},
    {"an id twice", .text = "{\"a\": 0, \"b\": 0}",
     .expected = "'a' and 'b' have the same id 0"},
    {"a gap", .text = "{\"a\": 0, \"b\": 2}",
     .expected = "'b' has the id 2; the ids of 2 words are 0 to 1"},
    {"a negative id", .text = "{\"a\": -1}", .expected = "'a' has the id -1"},
    {"an id of 2^32", .text = "{\"a\": 4294967296}",
     .expected = "'a' has the id 4294967296"},
    {"an id of 2^63 - 1", .text = "{\"a\": 9223372036854775807}",
     .expected = "'a' has the id 9223372036854775807"},
    {"an id that is a text", .text = "{\"a\": \"0\"}",
     .expected = "the id of 'a' is a string; expected a whole number"},
    {"an id with a point", .text = "{\"a\": 0.0}", .expected = "the id of 'a' is"},
    {"an empty word", .text = "{\"\": 0}", .expected = "the word '' has 0 bytes"},
    {"a byte that is none", .text = "{\"<0x-1>\": -1}",
     .expected = "'<0x-1>' has the id -1"},
    {"no UTF-8", .text = "{\"\xeb\x82\": 0}", .expected = ":1: this is not valid JSON"},
    {"a NUL", .text = "{\"a\0\": 0}", .size = 9,
     .expected = ":1: this is not valid JSON"},
    {"an escape", .text = "{\"\\u001b[31m\": 7}",
     .expected = "'<1B>[31m' has the id 7"},
    {"a token of 10 MB", .make = token_of_ten_megabytes,
     .expected = "a…' has 9999998 bytes; a word has 1 to 1024"},
    {"more words than are read", .make = words_beyond_the_limit,
     .expected = "has more than 1049600 values"},
};

static const Malformed merges[] = {
    {"one word", .text = "#version: 0.2\na\n",
     .expected = ":2: found 'a'; expected two words separated by a space"},
    {"three words", .text = "a b c\n", .expected = ":1: found 'a b c'"},
    {"an empty line", .text = "\n", .expected = ":1: found ''"},
    {"a word that is not there", .text = "a <0x-1>\n",
     .expected = ":1: the vocabulary has no word '<0x-1>'"},
    {"no UTF-8", .text = "a \xeb\x82\n",
     .expected = ":1: the vocabulary has no word '<EB 82>'"},
    {"a NUL", .text = "a \0\n", .size = 4,
     .expected = ":1: the vocabulary has no word '<00>'"},
    {"an escape", .text = "a \x1b]0;x\n",
     .expected = ":1: the vocabulary has no word '<1B>]0;x'"},
    {"a line of 10 MB", .make = line_of_ten_megabytes,
     .expected = ":1: the vocabulary has no word 'aaaaaaaaaaaa"},
};

static void every_vocabulary_gets_its_verdict(void **state) {
    (void)state;
    for (int r = 0; r < ROWS(vocabularies); r++) {
        Arena arena = {0};
        Vocabulary vocabulary;
        Error error = {0};
        Bytes bytes = malformed_bytes(&vocabularies[r], &arena);
        const char *path = write_file("file", bytes, &arena);
        bool done = vocabulary_read(&vocabulary, path, &arena, &error);
        check_verdict(vocabularies[r].name, done, vocabularies[r].expected, path,
                      &error);
        arena_free(&arena);
    }
}

static void all_merges_get_their_verdict(void **state) {
    (void)state;
    Arena arena = {0};
    Vocabulary vocabulary = {0};
    for (int i = 0; i < 256; i++) {
        const char *word = bytepair_word(&(char){(char)i}, 1, &arena);
        vocabulary_add(&vocabulary, word, (int)strlen(word), &arena);
    }
    for (int r = 0; r < ROWS(merges); r++) {
        Arena scratch = {0};
        BytePair read;
        Error error = {0};
        const char *path =
            write_file("file", malformed_bytes(&merges[r], &scratch), &scratch);
        bool done = bytepair_read(&read, &vocabulary, path, &scratch, &error);
        check_verdict(merges[r].name, done, merges[r].expected, path, &error);
        arena_free(&scratch);
    }
    arena_free(&arena);
}

/* One piece: `letter` repeated, at most `size` bytes. */
static const char *repeated(const char *letter, int size, int *length, Arena *arena) {
    int bytes = (int)strlen(letter);
    char *text = arena_take(arena, (size_t)size + 1);
    for (*length = 0; *length + bytes <= size; *length += bytes)
        memcpy(text + *length, letter, (size_t)bytes);
    return text;
}

/* Merges that join a letter with itself, 2, 4, 8 ... times: the worst case. */
static Tokenizer doubling(const char *letter, Arena *arena) {
    Tokenizer tokenizer;
    Error error;
    Clean clean = {0};
    clean.text = repeated(letter, 4096, &clean.length, arena);
    if (!tokenizer_learn(&tokenizer, (TokenizerOptions){TOKENIZER_BPE, 290, false},
                         &clean, arena, &error))
        fail_msg("%s", error.message);
    assert_true(tokenizer.merges.count >= 8);
    return tokenizer;
}

/* tests/bench/bench_text.c measures how long it takes. */
static void a_piece_of_64_kib_is_encoded_to_its_end(void **state) {
    (void)state;
    static const char *const letters[] = {"a", "가", "a\u0301"};
    for (int l = 0; l < ROWS(letters); l++) {
        Arena arena = {0};
        Tokenizer tokenizer = doubling(letters[l], &arena);
        Tokens tokens;
        Error error;
        int length;
        const char *text = repeated(letters[l], TOKENIZER_BYTES, &length, &arena);
        assert_true(
            tokenizer_encode(&tokenizer, text, length, &arena, &tokens, &error));
        assert_int_equal(tokens.token[tokens.count - 1].end, length);
        arena_free(&arena);
    }
}

static void a_sentence_beyond_64_kib_is_refused(void **state) {
    (void)state;
    Arena arena = {0};
    Tokenizer tokenizer = doubling("a", &arena);
    Tokens tokens;
    Error error;
    int length;
    const char *text = repeated("a", TOKENIZER_BYTES + 1, &length, &arena);
    assert_true(
        tokenizer_encode(&tokenizer, text, TOKENIZER_BYTES, &arena, &tokens, &error));
    assert_false(tokenizer_encode(&tokenizer, text, length, &arena, &tokens, &error));
    assert_string_equal(error.message,
                        "the sentence has 65537 bytes; the limit is 65536");
    arena_free(&arena);
}

static int run_all(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_vocabulary_gets_its_verdict),
        cmocka_unit_test(all_merges_get_their_verdict),
        cmocka_unit_test(a_piece_of_64_kib_is_encoded_to_its_end),
        cmocka_unit_test(a_sentence_beyond_64_kib_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

int main(int count, char **argument) {
    const MalformedFiles files[] = {
        {"vocab.json", vocabularies, ROWS(vocabularies)},
        {"merges.txt", merges, ROWS(merges)},
    };
    return malformed_main(count, argument, files, ROWS(files), run_all);
}
