#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "text/tokenizer_json.h"

#include <cmocka.h> /* last: it has a macro named fail */

#define COUNT(array) (sizeof(array) / sizeof *(array))

/* A whole file: what comes before the model, and the model. */
#define FILE_OF(parts, model) "{" parts "\"model\": " model "}"
#define WORDS "\"vocab\": {\"a\": 0, \"b\": 1, \"ab\": 2, \"<unk>\": 3}"
#define PAIRS(more) "{\"type\": \"BPE\", " WORDS ", \"merges\": [\"a b\"]" more "}"
#define BEST(more)                                                                     \
    "{\"type\": \"Unigram\", \"vocab\": [[\"a\", -1], [\"b\", -2]]" more "}"

static const TokenizerJson *read_text(const char *text, Arena *arena, Error *error) {
    char path[] = "/tmp/tokenizer-XXXXXX";
    int file = mkstemp(path);
    assert_true(file >= 0);
    assert_int_equal(write(file, text, strlen(text)), (ssize_t)strlen(text));
    close(file);
    const TokenizerJson *tokenizer = tokenizer_json_read(path, arena, error);
    unlink(path);
    return tokenizer;
}

static void what_is_not_known_is_refused_by_its_name(void **state) {
    static const struct {
        const char *text, *expected;
    } cases[] = {
        {"[]", "it holds a list; it must be an object"},
        {"{}", "it has no \"model\""},
        {FILE_OF("", "{\"type\": \"Tree\"}"), "the model Tree is not known here"},
        {FILE_OF("", "{\"type\": \"BPE\"}"),
         "the model has no \"vocab\" that is an object"},
        {FILE_OF("", "{\"type\": \"BPE\", " WORDS "}"),
         "the model has no list \"merges\""},
        {FILE_OF("", "{\"type\": \"BPE\", " WORDS ", \"merges\": [\"a c\"]}"),
         "item 0 of \"merges\" joins what is no token"},
        {FILE_OF("", "{\"type\": \"BPE\", " WORDS ", \"merges\": [\"a\"]}"),
         "item 0 of \"merges\" must be two tokens"},
        {FILE_OF("", PAIRS(", \"dropout\": 0.1")), "the model has \"dropout\""},
        {FILE_OF("", PAIRS(", \"end_of_word_suffix\": \"</w>\"")),
         "the model has \"end_of_word_suffix\""},
        {FILE_OF("", PAIRS(", \"unk_token\": \"?\"")), "\"unk_token\" is no token"},
        {FILE_OF("", "{\"type\": \"WordPiece\", " WORDS "}"),
         "the model does not say which token stands for unknown ones"},
        {FILE_OF("", BEST("")), "the model does not say which token"},
        {FILE_OF("\"normalizer\": {\"type\": \"Precompiled\"}, ", PAIRS("")),
         "the normalizer Precompiled is not known here"},
        {FILE_OF("\"normalizer\": {}, ", PAIRS("")),
         "the normalizer without a \"type\" is not known here"},
        {FILE_OF("\"pre_tokenizer\": {\"type\": \"Split\", \"behavior\": \"Removed\", "
                 "\"pattern\": {\"Regex\": \"a+\"}}, ",
                 PAIRS("")),
         "the pre-tokenizer has the regular expression a+, which is not known here"},
        {FILE_OF("\"pre_tokenizer\": {\"type\": \"Digits\", \"speed\": 1}, ",
                 PAIRS("")),
         "the pre-tokenizer Digits has \"speed\""},
        {FILE_OF("\"normalizer\": {\"type\": \"Replace\", \"content\": \"x\"}, ",
                 PAIRS("")),
         "the normalizer Replace lacks \"pattern\""},
        {FILE_OF("\"pre_tokenizer\": {\"type\": \"Metaspace\", "
                 "\"replacement\": \"\"}, ",
                 PAIRS("")),
         "\"replacement\" of the pre-tokenizer is \"\"; it must be a string of one"},
        {FILE_OF("\"pre_tokenizer\": {\"type\": \"Metaspace\", "
                 "\"replacement\": \"나나\"}, ",
                 PAIRS("")),
         "\"replacement\" of the pre-tokenizer is \"나나\"; it must be a string of "
         "one"},
        {FILE_OF("\"decoder\": {\"type\": \"Metaspace\", "
                 "\"prepend_scheme\": \"last\"}, ",
                 PAIRS("")),
         "\"prepend_scheme\" of the decoder is \"last\"; it must be always, first or"},
        {FILE_OF("\"decoder\": {\"type\": \"Strip\", \"content\": \"\", "
                 "\"start\": 1, \"stop\": 0}, ",
                 PAIRS("")),
         "\"content\" of the decoder is \"\"; it must be a string of one character"},
        {FILE_OF("\"normalizer\": {\"type\": \"Replace\", \"content\": \"x\", "
                 "\"pattern\": {\"String\": \"\"}}, ",
                 PAIRS("")),
         "it must be an object with a \"String\" that is not empty"},
        {FILE_OF("\"decoder\": {\"type\": \"CTC\"}, ", PAIRS("")),
         "the decoder CTC is not known here"},
        {FILE_OF("\"post_processor\": {\"type\": \"BertProcessing\", "
                 "\"cls\": [\"a\", 0], \"sep\": [\"x\", 9]}, ",
                 PAIRS("")),
         "puts a token around a sentence that there is not"},
        {FILE_OF("\"added_tokens\": [{\"id\": 1, \"content\": \"c\"}], ", PAIRS("")),
         "'b' and 'c' have the same id 1"},
        {FILE_OF("\"added_tokens\": [{\"id\": 9999, \"content\": \"c\"}], ", PAIRS("")),
         "it has 5 tokens, but their ids go up to 9999"},
        {FILE_OF("\"added_tokens\": [{\"id\": 9, \"content\": \"a\"}], ", PAIRS("")),
         "the token 'a' has two ids"},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        Arena arena = {0};
        Error error = {0};
        assert_null(read_text(cases[i].text, &arena, &error));
        if (!strstr(error.message, cases[i].expected))
            fail_msg("%s\n  says %s", cases[i].text, error.message);
        arena_free(&arena);
    }
}

static void a_token_covers_the_bytes_that_it_came_from(void **state) {
    static const char file[] = FILE_OF(
        "\"normalizer\": {\"type\": \"Sequence\", \"normalizers\": ["
        "{\"type\": \"NFKC\"}, {\"type\": \"Lowercase\"}]}, "
        "\"pre_tokenizer\": {\"type\": \"WhitespaceSplit\"}, "
        "\"added_tokens\": [{\"id\": 4, \"content\": \"<s>\", \"special\": true, "
        "\"rstrip\": true}], ",
        PAIRS(", \"unk_token\": \"<unk>\", \"fuse_unk\": true"));
    static const char sentence[] = "<s> AB ㎏ ｂ"; /* 3 bytes each, the last two */
    static const struct {
        int id, start, end;
    } wanted[] = {{4, 0, 4}, {2, 4, 6}, {3, 7, 10}, {1, 11, 14}};
    (void)state;
    Arena arena = {0};
    Error error = {0};
    JsonTokens tokens;
    const TokenizerJson *tokenizer = read_text(file, &arena, &error);
    if (!tokenizer) fail_msg("%s", error.message);
    const Bytes typed = {sentence, sizeof sentence - 1};
    assert_true(tokenizer_json_encode(tokenizer, typed, &arena, &tokens, &error));
    assert_int_equal(tokens.count, COUNT(wanted));
    for (int t = 0; t < tokens.count; t++) {
        assert_int_equal(tokens.token[t].id, wanted[t].id);
        assert_int_equal(tokens.token[t].start, wanted[t].start);
        assert_int_equal(tokens.token[t].end, wanted[t].end);
    }
    arena_free(&arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_not_known_is_refused_by_its_name),
        cmocka_unit_test(a_token_covers_the_bytes_that_it_came_from),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
