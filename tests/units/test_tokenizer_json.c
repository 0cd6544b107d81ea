#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "base/interrupt.h"
#include "text/tokenizer_json.h"

#include <cmocka.h> /* last: it has a macro named fail */

#define COUNT(array) (sizeof(array) / sizeof *(array))

/* A whole file: the parts before the model, and the model. */
#define FILE_OF(parts, model) "{" parts "\"model\": " model "}"
#define WORDS "\"vocab\": {\"a\": 0, \"b\": 1, \"ab\": 2, \"<unk>\": 3}"
#define PAIRS(more) "{\"type\": \"BPE\", " WORDS ", \"merges\": [\"a b\"]" more "}"
#define BEST(more)                                                                     \
    "{\"type\": \"Unigram\", \"vocab\": [[\"a\", -1], [\"b\", -2]]" more "}"

#define TWICE(step) step ", " step
#define EIGHT(step) TWICE(TWICE(TWICE(step)))
#define PART "{\"Sequence\": {\"id\": \"A\"}}"

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

static void unknown_parts_are_rejected_by_name(void **state) {
    static const struct {
        const char *text, *expected;
    } cases[] = {
        {"[]", "found a list; expected an object"},
        {"{}", "it has no \"model\""},
        {FILE_OF("", "{\"type\": \"Tree\"}"), "the model Tree is not supported"},
        {FILE_OF("", "{\"type\": \"BPE\"}"),
         "the model has no \"vocab\" that is an object"},
        {FILE_OF("", "{\"type\": \"BPE\", " WORDS "}"),
         "the model has no list \"merges\""},
        {FILE_OF("", "{\"type\": \"BPE\", " WORDS ", \"merges\": [\"a c\"]}"),
         "item 0 of \"merges\" joins text that is not a token"},
        {FILE_OF("", "{\"type\": \"BPE\", " WORDS ", \"merges\": [\"a\"]}"),
         "item 0 of \"merges\" is not valid; expected two tokens"},
        {FILE_OF("", PAIRS(", \"dropout\": 0.1")), "the model has \"dropout\""},
        {FILE_OF("", PAIRS(", \"end_of_word_suffix\": \"</w>\"")),
         "the model has \"end_of_word_suffix\""},
        {FILE_OF("", PAIRS(", \"unk_token\": \"?\"")), "\"unk_token\" is not a token"},
        {FILE_OF("", "{\"type\": \"WordPiece\", " WORDS "}"),
         "the model has no token for unknown text"},
        {FILE_OF("", BEST("")), "the model has no token for unknown"},
        {FILE_OF("\"normalizer\": {\"type\": \"Precompiled\"}, ", PAIRS("")),
         "the normalizer Precompiled is not supported"},
        {FILE_OF("\"normalizer\": {}, ", PAIRS("")),
         "the normalizer without a \"type\" is not supported"},
        {FILE_OF("\"pre_tokenizer\": {\"type\": \"Split\", \"behavior\": \"Removed\", "
                 "\"pattern\": {\"Regex\": \"a+\"}}, ",
                 PAIRS("")),
         "the pre-tokenizer has the regular expression a+, which is not supported"},
        {FILE_OF("\"pre_tokenizer\": {\"type\": \"Digits\", \"speed\": 1}, ",
                 PAIRS("")),
         "the pre-tokenizer Digits has \"speed\""},
        {FILE_OF("\"normalizer\": {\"type\": \"Replace\", \"content\": \"x\"}, ",
                 PAIRS("")),
         "the normalizer Replace lacks \"pattern\""},
        {FILE_OF("\"pre_tokenizer\": {\"type\": \"Metaspace\", "
                 "\"replacement\": \"\"}, ",
                 PAIRS("")),
         "\"replacement\" of the pre-tokenizer is \"\"; expected a string of one"},
        {FILE_OF("\"pre_tokenizer\": {\"type\": \"Metaspace\", "
                 "\"replacement\": \"나나\"}, ",
                 PAIRS("")),
         "\"replacement\" of the pre-tokenizer is \"나나\"; expected a string of "
         "one"},
        {FILE_OF("\"decoder\": {\"type\": \"Metaspace\", "
                 "\"prepend_scheme\": \"last\"}, ",
                 PAIRS("")),
         "\"prepend_scheme\" of the decoder is \"last\"; expected always, first or"},
        {FILE_OF("\"decoder\": {\"type\": \"Strip\", \"content\": \"\", "
                 "\"start\": 1, \"stop\": 0}, ",
                 PAIRS("")),
         "\"content\" of the decoder is \"\"; expected a string of one character"},
        {FILE_OF("\"normalizer\": {\"type\": \"Replace\", \"content\": \"x\", "
                 "\"pattern\": {\"String\": \"\"}}, ",
                 PAIRS("")),
         "expected an object with a non-empty \"String\""},
        {FILE_OF("\"decoder\": {\"type\": \"CTC\"}, ", PAIRS("")),
         "the decoder CTC is not supported"},
        {FILE_OF("\"post_processor\": {\"type\": \"BertProcessing\", "
                 "\"cls\": [\"a\", 0], \"sep\": [\"x\", 9]}, ",
                 PAIRS("")),
         "adds a token that does not exist to a sentence"},
        {FILE_OF("\"post_processor\": {\"type\": \"TemplateProcessing\", "
                 "\"single\": [" EIGHT(EIGHT(PART)) ", " PART "]}, ",
                 PAIRS("")),
         "\"single\" of the post-processor has 65 parts; the limit is 64"},
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
    } expected[] = {{4, 0, 4}, {2, 4, 6}, {3, 7, 10}, {1, 11, 14}};
    (void)state;
    Arena arena = {0};
    Error error = {0};
    JsonTokens tokens;
    const TokenizerJson *tokenizer = read_text(file, &arena, &error);
    if (!tokenizer) fail_msg("%s", error.message);
    const Bytes typed = {sentence, sizeof sentence - 1};
    assert_true(tokenizer_json_encode(tokenizer, typed, &arena, &tokens, &error));
    assert_int_equal(tokens.count, COUNT(expected));
    for (int t = 0; t < tokens.count; t++) {
        assert_int_equal(tokens.token[t].id, expected[t].id);
        assert_int_equal(tokens.token[t].start, expected[t].start);
        assert_int_equal(tokens.token[t].end, expected[t].end);
    }
    arena_free(&arena);
}

enum { MEBIBYTE = 1 << 20, ROOM_MAX = 200 * MEBIBYTE };

/* `count` times the same letter. */
static Bytes letters(char letter, size_t count, Arena *arena) {
    char *text = arena_take(arena, count + 1);
    memset(text, letter, count);
    return (Bytes){text, count};
}

#define A8 "aaaaaaaa"
#define A64 A8 A8 A8 A8 A8 A8 A8 A8
#define REPLACE(content)                                                               \
    "{\"type\": \"Replace\", \"pattern\": {\"String\": \"a\"}, \"content\": "          \
    "\"" content "\"}"
#define SEQUENCE(role, list, steps)                                                    \
    "\"" role "\": {\"type\": \"Sequence\", \"" list "\": [" steps "]}, "

/* The memory that steps need is checked before they allocate it. */
static void steps_that_make_a_sentence_grow_are_stopped(void **state) {
    static const char *const files[] = {
        FILE_OF(SEQUENCE("normalizer", "normalizers", EIGHT(REPLACE(A64))), PAIRS("")),
        FILE_OF(SEQUENCE("normalizer", "normalizers", REPLACE(A8 A8) ", " REPLACE(A64)),
                PAIRS("")),
        FILE_OF(SEQUENCE("normalizer", "normalizers", REPLACE(A8 A8))
                    SEQUENCE("pre_tokenizer", "pretokenizers",
                             EIGHT("{\"type\": \"Split\", \"behavior\": \"Isolated\", "
                                   "\"pattern\": {\"String\": \"a\"}}")),
                PAIRS("")),
    };
    (void)state;
    for (size_t f = 0; f < COUNT(files); f++) {
        Arena arena = {0};
        Error error = {0};
        TextParts parts;
        const TokenizerJson *tokenizer = read_text(files[f], &arena, &error);
        if (!tokenizer) fail_msg("%s", error.message);
        Bytes typed = letters('a', 65536, &arena);
        assert_false(tokenizer_json_pieces(tokenizer, typed, &parts, &arena, &error));
        assert_non_null(strstr(error.message,
                               "of the tokenizer turns the sentence into more than"));
        assert_in_range(arena_bytes(&arena), 0, ROOM_MAX);
        arena_free(&arena);
    }
}

/* The text stays as it was before the step, and an error is reported. */
static void decoders_that_make_a_text_grow_are_stopped(void **state) {
    static const char *const files[] = {
        FILE_OF(SEQUENCE("decoder", "decoders", EIGHT(REPLACE(A64))), PAIRS("")),
        FILE_OF(SEQUENCE("decoder", "decoders",
                         REPLACE("b") ", {\"type\": \"Fuse\"}, {\"type\": "
                                      "\"Replace\", \"pattern\": {\"String\": \"b\"}, "
                                      "\"content\": \"" A64 "\"}"),
                PAIRS("")),
    };
    enum { IDS = 40000 };
    static int id[IDS]; /* "a" */
    (void)state;
    for (size_t f = 0; f < COUNT(files); f++) {
        Arena arena = {0};
        Error error = {0};
        const TokenizerJson *tokenizer = read_text(files[f], &arena, &error);
        if (!tokenizer) fail_msg("%s", error.message);
        Bytes text = tokenizer_json_decode(tokenizer, id, IDS, &arena);
        assert_in_range(text.size, IDS, 2 * MEBIBYTE);
        assert_non_null(strstr(text.bytes, "this is the text before that step]"));
        assert_in_range(arena_bytes(&arena), 0, ROOM_MAX);
        arena_free(&arena);
    }
}

/* Memory for each token once, not for all tokens after it again. */
static void bytes_among_many_tokens_take_no_square_of_memory(void **state) {
    static const char file[] = FILE_OF(
        "\"decoder\": {\"type\": \"ByteFallback\"}, ",
        "{\"type\": \"BPE\", \"vocab\": {\"a\": 0, \"<0xEB>\": 1, \"<0x82>\": 2, "
        "\"<0x98>\": 3}, \"merges\": []}");
    enum { IDS = 40000 };
    static int id[IDS];
    (void)state;
    for (int i = 0; i < IDS; i++) id[i] = i % 4;
    id[IDS - 1] = 0;
    Arena arena = {0};
    Error error = {0};
    const TokenizerJson *tokenizer = read_text(file, &arena, &error);
    if (!tokenizer) fail_msg("%s", error.message);
    Bytes text = tokenizer_json_decode(tokenizer, id, IDS, &arena);
    assert_int_equal(text.size, IDS + 4); /* two bytes that are not text, as U+FFFD */
    assert_memory_equal(text.bytes, "a나a나", strlen("a나a나"));
    assert_string_equal(text.bytes + text.size - 8, "a\uFFFD\uFFFDa");
    assert_in_range(arena_bytes(&arena), 0, 32 * MEBIBYTE);
    arena_free(&arena);
}

/* A tokenizer with `count` added tokens: 4 and so on, after WORDS. */
static const TokenizerJson *with_added(const char *const *token, int count,
                                       Arena *arena) {
    Error error = {0};
    size_t room = 0;
    for (int t = 0; t < count; t++) room += strlen(token[t]) + 48;
    char *text = arena_take(arena, room + 200);
    char *end = stpcpy(text, "{\"model\": " PAIRS("") ", \"added_tokens\": [");
    for (int t = 0; t < count; t++)
        end += sprintf(end, "%s{\"id\": %d, \"content\": \"%s\"}", t ? "," : "", t + 4,
                       token[t]);
    stpcpy(end, "]}");
    const TokenizerJson *tokenizer =
        tokenizer_json_parse("file", (Bytes){text, strlen(text)}, arena, &error);
    if (!tokenizer) fail_msg("%s", error.message);
    return tokenizer;
}

static void the_longest_added_token_is_found(void **state) {
    static const char *const added[] = {"<a",   "<ab>", "<a><b", "ba", "<",
                                        "abba", "<나>", "<낙",   "bab"};
    static const char *const bits[] = {"<", "a", "b", ">", "나", "낙"};
    (void)state;
    Arena arena = {0};
    Error error = {0};
    TextParts parts;
    const TokenizerJson *tokenizer = with_added(added, COUNT(added), &arena);
    srand(1);
    for (int round = 0; round < 5000; round++) {
        char text[128] = "";
        for (int n = 1 + rand() % 20; n > 0; n--)
            strcat(text, bits[(size_t)rand() % COUNT(bits)]);
        const Bytes typed = {text, strlen(text)};
        assert_true(tokenizer_json_pieces(tokenizer, typed, &parts, &arena, &error));
        int part = 0;
        for (const char *at = text, *rest = text; *at; rest = at) {
            int best = -1;
            for (; *at && best < 0; at += best < 0)
                for (int t = 0; t < (int)COUNT(added); t++)
                    if (strncmp(at, added[t], strlen(added[t])) == 0 &&
                        (best < 0 || strlen(added[t]) > strlen(added[best])))
                        best = t;
            if (at > rest) {
                assert_int_equal(parts.part[part].id, -1);
                assert_int_equal(parts.part[part++].length, at - rest);
            }
            if (best < 0) break;
            assert_int_equal(parts.part[part++].id, best + 4);
            at += strlen(added[best]);
        }
        assert_int_equal(parts.count, part);
    }
    arena_free(&arena);
}

/* Comparing each of them at each byte would take an hour. */
static void many_added_tokens_are_found_at_once(void **state) {
    enum { TOKENS = 200000, SENTENCES = 50 };
    (void)state;
    Arena arena = {0};
    const char **added = ARENA_ARRAY(&arena, const char *, TOKENS);
    for (int t = 0; t < TOKENS; t++) added[t] = arena_print(&arena, "<x%06d>", t);
    const TokenizerJson *tokenizer = with_added(added, TOKENS, &arena);
    char *text = arena_take(&arena, 65536 + 1);
    for (int at = 0; at + 8 <= 65536; at += 8)
        memcpy(text + at, at % 80 ? "<x12345<" : "<x199999", 8);
    const Bytes typed = {text, strlen(text)};
    for (int n = 0; n < SENTENCES; n++) {
        Arena scratch = {0};
        Error error = {0};
        TextParts parts;
        assert_true(tokenizer_json_pieces(tokenizer, typed, &parts, &scratch, &error));
        assert_int_equal(parts.count, 1);
        arena_free(&scratch);
    }
    arena_free(&arena);
}

/* Parsing a file of the maximum size takes seconds. */
static void parsing_stops_at_control_c(void **state) {
    (void)state;
    static const char file[] = FILE_OF("", PAIRS(""));
    const Bytes bytes = {file, sizeof file - 1};
    Arena arena = {0};
    Error error = {0};
    interrupt_again(SIGINT);
    assert_null(tokenizer_json_parse("file", bytes, &arena, &error));
    assert_int_equal(interrupt_answer(), SIGINT);
    assert_true(error.is_stop);
    assert_non_null(tokenizer_json_parse("file", bytes, &arena, &error));
    arena_free(&arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(unknown_parts_are_rejected_by_name),
        cmocka_unit_test(a_token_covers_the_bytes_that_it_came_from),
        cmocka_unit_test(steps_that_make_a_sentence_grow_are_stopped),
        cmocka_unit_test(decoders_that_make_a_text_grow_are_stopped),
        cmocka_unit_test(bytes_among_many_tokens_take_no_square_of_memory),
        cmocka_unit_test(the_longest_added_token_is_found),
        cmocka_unit_test(many_added_tokens_are_found_at_once),
        cmocka_unit_test(parsing_stops_at_control_c),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
