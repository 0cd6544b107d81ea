#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "text/tokenizer.h"
#include "units/scratch.h"

#include <cmocka.h> /* last: it has a macro named fail */

static char path[] = "/tmp/test_vocabulary.XXXXXX";

static int make_file(void **state) {
    (void)state;
    int file = mkstemp(path);
    return file < 0 ? -1 : close(file);
}

static int remove_file(void **state) {
    (void)state;
    return unlink(path);
}

static void write_file(const char *content) {
    Error error;
    assert_true(file_save(path, content, strlen(content), true, &error));
}

static void every_word_is_found_again(void **state) {
    (void)state;
    Vocabulary vocabulary = {0};
    assert_int_equal(vocabulary_find(&vocabulary, "a", 1), -1);
    for (int i = 0; i < 10000; i++) {
        const char *word = arena_print(&arena, "word %d", i);
        int length = (int)strlen(word);
        assert_int_equal(vocabulary_find(&vocabulary, word, length), -1);
        assert_int_equal(vocabulary_add(&vocabulary, word, length, &arena), i);
        assert_int_equal(vocabulary_add(&vocabulary, word, length, &arena), i);
    }
    assert_int_equal(vocabulary.count, 10000);
    for (int i = 0; i < 10000; i++)
        assert_int_equal(
            vocabulary_find(&vocabulary, vocabulary.word[i], vocabulary.length[i]), i);
}

static void a_vocabulary_is_read_as_it_was_saved(void **state) {
    static const char *const words[] = {"<pad>", "나는", "\"", "\\",
                                        "a b",   "\x1F", "😀"};
    (void)state;
    Vocabulary saved = {0};
    Vocabulary loaded;
    Error error;
    for (size_t i = 0; i < COUNT(words); i++)
        vocabulary_add(&saved, words[i], (int)strlen(words[i]), &arena);
    assert_true(vocabulary_save(&saved, path, true, &error));
    assert_false(vocabulary_save(&saved, path, false, &error));
    assert_true(vocabulary_read(&loaded, path, &arena, &error));
    assert_int_equal(loaded.count, COUNT(words));
    for (int i = 0; i < loaded.count; i++) {
        assert_string_equal(loaded.word[i], words[i]);
        assert_int_equal(loaded.length[i], strlen(words[i]));
    }
    write_file("{\"b\": 1, \"a\": 0}");
    assert_true(vocabulary_read(&loaded, path, &arena, &error));
    assert_string_equal(loaded.word[0], "a");
}

static void a_broken_vocabulary_is_an_error_that_names_the_word(void **state) {
    static const struct {
        const char *content, *message;
    } cases[] = {
        {"", ":1: "},
        {"{", ":1: "},
        {"[1]", "it contains a list"},
        {"{}", "it has no words"},
        {"{\"a\": 0, \"a\": 1}", "duplicate object key"},
        {"{\"a\": 0, \"나\": 0}", "'a' and '나' have the same id 0"},
        {"{\"a\": -1}", "'a' has the id -1; the ids of 1 words are 0 to 0"},
        {"{\"a\": 0, \"b\": 2}", "'b' has the id 2; the ids of 2 words are 0 to 1"},
        {"{\"a\": 0.5}", "the id of 'a' is a number; expected a whole number"},
        {"{\"a\": 1e0}", "the id of 'a' is"},
        {"{\"a\": \"0\"}", "the id of 'a' is a string"},
        {"{\"a\": 4294967296}", "'a' has the id 4294967296"},
        {"{\"a\": 99999999999999999999}", "too big integer"},
        {"{\"\": 0}", "the word '' has 0 bytes"},
        {"{\"a\\u0000\": 0}", ":1: "},
        {"{\"\xFF\": 0}", ":1: "},
        {"{\"\\u001b[31m\": 1}", "'<1B>[31m' has the id 1"},
        {"{\"a\": 0} x", ":1: "},
    };
    (void)state;
    Vocabulary vocabulary;
    Error error;
    for (size_t i = 0; i < COUNT(cases); i++) {
        write_file(cases[i].content);
        assert_false(vocabulary_read(&vocabulary, path, &arena, &error));
        assert_non_null(strstr(error.message, cases[i].message));
        assert_memory_equal(error.message, path, strlen(path));
    }
    char word[VOCABULARY_WORD_BYTES + 2] = {0};
    memset(word, 'a', sizeof word - 1);
    write_file(arena_print(&arena, "{\"%s\": 0}", word));
    assert_false(vocabulary_read(&vocabulary, path, &arena, &error));
    assert_non_null(strstr(error.message, "has 1025 bytes; a word has 1 to 1024"));
    unlink(path);
    assert_false(vocabulary_read(&vocabulary, path, &arena, &error));
    write_file("");
}

/* A vocabulary of the bytes, and of "ab", "abc" and "d" with a space before it. */
static Vocabulary byte_words(void) {
    static const char *const more[] = {"ab", "abc", "Ġd"};
    Vocabulary vocabulary = {0};
    for (int i = 0; i < 256; i++) {
        char byte = (char)i;
        const char *word = bytepair_word(&byte, 1, &arena);
        vocabulary_add(&vocabulary, word, (int)strlen(word), &arena);
    }
    for (size_t i = 0; i < COUNT(more); i++)
        vocabulary_add(&vocabulary, more[i], (int)strlen(more[i]), &arena);
    return vocabulary;
}

static void merges_are_read_in_their_order(void **state) {
    static const char *const files[] = {
        "#version: 0.2\na b\nab c\nĠ d\n",
        "a b\nab c\nĠ d",
        "#version: 0.2\r\na b\r\nab c\r\nĠ d\r\n",
    };
    (void)state;
    Vocabulary vocabulary = byte_words();
    BytePair merges;
    Error error;
    for (size_t i = 0; i < COUNT(files); i++) {
        write_file(files[i]);
        assert_true(bytepair_read(&merges, &vocabulary, path, &arena, &error));
        assert_int_equal(merges.count, 3);
        assert_int_equal(bytepair_rank(&merges, merges.byte['a'], merges.byte['b']), 0);
        assert_int_equal(bytepair_rank(&merges, 256, merges.byte['c']), 1);
        assert_int_equal(merges.merge[2].joined, 258);
        assert_int_equal(merges.byte[0xEB], 0xEB);
    }
    assert_true(bytepair_save(&merges, &vocabulary, path, true, &error));
    Bytes bytes;
    assert_true(file_read(path, 1000, &arena, &bytes, &error));
    assert_string_equal(bytes.bytes, files[0]);
}

static void a_broken_merge_is_an_error_that_names_its_line(void **state) {
    static const struct {
        const char *content, *message;
    } cases[] = {
        {"a b\nab\n", ":2: found 'ab'; expected two words"},
        {"a b\n\nab c\n", ":2: found ''; expected two words"},
        {"a b c\n", ":1: found 'a b c'; expected two words"},
        {"a  b\n", ":1: found 'a  b'; expected two words"},
        {" a\n", ":1: found ' a'; expected two words"},
        {"a \n", ":1: found 'a '; expected two words"},
        {"#version: 0.2\nabcd e\n", ":2: the vocabulary has no word 'abcd'"},
        {"a b\na xy\n", ":2: the vocabulary has no word 'xy'"},
        {"a b\na c\n", ":2: the vocabulary has no word 'ac'"},
        {"a b\nab c\na b\n", ":3: 'a b' is already in an earlier line"},
        {"a b\n#version: 0.2\n", ":2: the vocabulary has no word '#version:'"},
        {"a \x1B\n", ":1: the vocabulary has no word '<1B>'"},
    };
    (void)state;
    Vocabulary vocabulary = byte_words();
    BytePair merges;
    Error error;
    for (size_t i = 0; i < COUNT(cases); i++) {
        write_file(cases[i].content);
        assert_false(bytepair_read(&merges, &vocabulary, path, &arena, &error));
        assert_non_null(strstr(error.message, cases[i].message));
        assert_memory_equal(error.message, path, strlen(path));
    }
    Vocabulary few = {0};
    vocabulary_add(&few, "Ā", 2, &arena);
    assert_false(bytepair_read(&merges, &few, path, &arena, &error));
    assert_non_null(strstr(error.message, "no word for the byte 01"));
}

/* FNV-1a (32 bits) has the same value for both words of each pair. So a file could
 * contain a million words that all collide: adding them took hours. */
static void words_with_equal_hashes_are_distinguished(void **state) {
    static const char pairs[][2][8] = {
        {"cmMt5", "C7Q5d"}, {"BKHYO", "9wq8f"}, {"MT7o2", "RwXcC"}, {"7mNjE", "djHHG"},
        {"J056l", "vkW4I"}, {"v0Ovv", "H5oTe"}, {"4iXT9", "UwxqY"}, {"Awjag", "4GWes"},
        {"gx68x", "JOJFv"}, {"xxF5c", "a80kZ"}, {"6TqjI", "UdSIi"}, {"EQh3U", "ryqXf"},
        {"8EuwI", "6Iwe3"}, {"baaQu", "5ix8D"}, {"Jmv8c", "xfws0"}, {"gSukd", "zNRo5"},
        {"OGI7S", "2cJBb"}, {"fdE1k", "AXZ22"}, {"Ifkfp", "I42Wd"}, {"sq5Ki", "xjej0"}};
    enum { PAIRS = sizeof pairs / sizeof *pairs, WORDS = 1 << PAIRS };
    (void)state;
    Vocabulary vocabulary = {0};
    for (int w = 0; w < WORDS; w++) {
        char word[PAIRS * 8] = "";
        char *end = word;
        for (int p = 0; p < PAIRS; p++) end = stpcpy(end, pairs[p][w >> p & 1]);
        assert_int_equal(vocabulary_add(&vocabulary, word, (int)(end - word), &arena),
                         w);
    }
}

#define TEST(name) cmocka_unit_test_teardown(name, reset)

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(words_with_equal_hashes_are_distinguished),
        TEST(every_word_is_found_again),
        TEST(a_vocabulary_is_read_as_it_was_saved),
        TEST(a_broken_vocabulary_is_an_error_that_names_the_word),
        TEST(merges_are_read_in_their_order),
        TEST(a_broken_merge_is_an_error_that_names_its_line),
    };
    return cmocka_run_group_tests(tests, make_file, remove_file);
}
