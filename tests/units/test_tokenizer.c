#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "base/random.h"
#include "text/tokenizer.h"
#include "text/words.h"
#include "units/scratch.h"

#include <cmocka.h> /* last: it has a macro named fail */

static const SpecialIds ids = {0, 1, 2, 3, -1};

static const char text[] =
    "나는 학생입니다. 나는 학교에 갑니다. 철수는 학교에서 영희를 만났다.\n"
    "나는 철수를 만났다. 영희는 (어제) 학교에 갔다! I am a student, and you?\n";

static char folder[] = "/tmp/test_tokenizer.XXXXXX";

static int make_folder(void **state) {
    (void)state;
    return mkdtemp(folder) ? 0 : -1;
}

static int remove_folder(void **state) {
    static const char *const names[] = {"vocab.json", "merges.txt", "target_vocab.json",
                                        "target_merges.txt"};
    (void)state;
    for (size_t i = 0; i < COUNT(names); i++)
        unlink(file_join(&arena, folder, names[i]));
    arena_free(&arena);
    return rmdir(folder);
}

static Tokenizer learn(TokenizerKind kind, int words) {
    Tokenizer tokenizer;
    Error error;
    Clean clean = unicode_clean(text, strlen(text), &arena);
    assert_true(tokenizer_learn(&tokenizer, (TokenizerOptions){kind, words, false},
                                &clean, &arena, &error));
    return tokenizer;
}

static Tokens encode(const Tokenizer *tokenizer, const char *sentence) {
    Tokens tokens;
    Error error;
    assert_true(tokenizer_encode(tokenizer, sentence, (int)strlen(sentence), &arena,
                                 &tokens, &error));
    return tokens;
}

static const char *decode(const Tokenizer *tokenizer, Tokens tokens) {
    int *id = ARENA_ARRAY(&arena, int, tokens.count);
    for (int i = 0; i < tokens.count; i++) id[i] = tokens.token[i].id;
    return tokenizer_decode(tokenizer, id, tokens.count, &arena);
}

static void words_end_at_spaces_and_punctuation(void **state) {
    static const char *const cases[] = {
        "철수는|만났다|.", "don|'|t|stop|!|!",
        "3|.|14",          "12시|(|땡|)",
        "e\u0301te\u0301", "a|\U0001F44D\U0001F3FD|\u2764\uFE0F|b",
        "a|<|end|>",       "",
    };
    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        char *spaced = arena_print(&arena, " %s\u3000", cases[i]);
        for (char *c = spaced; *c; c++)
            if (*c == '|') *c = ' ';
        int end = 0;
        const char *expected = cases[i];
        for (int start; words_next(spaced, &start, &end);) {
            size_t length = strcspn(expected, "|");
            assert_int_equal(end - start, length);
            assert_memory_equal(spaced + start, expected, length);
            expected += length + (expected[length] == '|');
        }
        assert_string_equal(expected, "");
    }
    int start;
    int end = 0;
    assert_true(words_next("만났다.", &start, &end));
    assert_int_equal(end, strlen("만났다"));
}

static void words_are_learned_by_frequency_then_by_place(void **state) {
    (void)state;
    static const char *const expected[] = {"<pad>",  "<start>", "<end>",
                                           "<unk>",  ".",       "나는",
                                           "학교에", "만났다",  "학생입니다"};
    Tokenizer tokenizer = learn(TOKENIZER_WORDS, 9);
    assert_int_equal(tokenizer.vocabulary.count, 9);
    for (int i = 0; i < 9; i++) {
        assert_string_equal(tokenizer.vocabulary.word[i], expected[i]);
        assert_string_equal(tokenizer_label(&tokenizer, i), expected[i]);
    }
    Error error;
    Clean clean = unicode_clean(text, strlen(text), &arena);
    assert_false(tokenizer_learn(&tokenizer,
                                 (TokenizerOptions){TOKENIZER_WORDS, 4, false}, &clean,
                                 &arena, &error));
    assert_non_null(strstr(error.message, "at least 5"));
}

static void an_unknown_word_is_the_unknown_id_and_keeps_its_bytes(void **state) {
    (void)state;
    Tokenizer tokenizer = learn(TOKENIZER_WORDS, 100);
    Tokens tokens = encode(&tokenizer, "나는  고양이. <end>");
    assert_int_equal(tokens.count, 6);
    assert_int_equal(tokens.token[1].id, 3);
    assert_string_equal(tokens.token[1].label, "<unk>");
    assert_int_equal(tokens.token[1].start, strlen("나는  "));
    assert_int_equal(tokens.token[1].end, strlen("나는  고양이"));
    for (int i = 3; i < 6; i++) assert_int_equal(tokens.token[i].id, 3);
}

static void decoded_words_are_spaced_as_in_a_sentence(void **state) {
    (void)state;
    Tokenizer tokenizer = learn(TOKENIZER_WORDS, 100);
    static const char sentence[] =
        "영희는 (어제) 학교에 갔다! I am a student, and you?";
    assert_string_equal(decode(&tokenizer, encode(&tokenizer, sentence)), sentence);
    const int some[] = {1, 5, 3, 4, 2, 0, -1, 100000};
    assert_string_equal(tokenizer_decode(&tokenizer, some, COUNT(some), &arena),
                        "나는.");
    assert_string_equal(tokenizer_decode(&tokenizer, some, 0, &arena), "");
}

static void byte_pairs_reproduce_every_text(void **state) {
    (void)state;
    Tokenizer tokenizer = learn(TOKENIZER_BPE, 400);
    assert_true(tokenizer.merges.count > 30);
    Random random = random_new(1);
    for (int round = 0; round < 5000; round++) {
        char bytes[100];
        int size = random_below(&random, (int)sizeof bytes);
        int from = random_below(&random, (int)strlen(text) - (int)sizeof bytes);
        memcpy(bytes, text + from, (size_t)size);
        for (int i = random_below(&random, 4); i > 0 && size > 0; i--)
            bytes[random_below(&random, size)] = (char)random_below(&random, 256);
        Arena kept = {0};
        Clean clean = unicode_clean(bytes, (size_t)size, &kept);
        Tokens tokens = encode(&tokenizer, clean.text);
        int end = 0;
        for (int i = 0; i < tokens.count; i++) {
            const Token *token = &tokens.token[i];
            assert_int_equal(token->start, end);
            end = token->end;
            assert_ptr_equal(token->label, tokenizer_label(&tokenizer, token->id));
        }
        assert_int_equal(end, clean.length);
        assert_string_equal(decode(&tokenizer, tokens), clean.text);
        arena_free(&kept);
    }
    const int half[] = {tokenizer.merges.byte[0xEB], tokenizer.merges.byte['a'], 2};
    assert_string_equal(tokenizer_decode(&tokenizer, half, 3, &arena), "\xEF\xBF\xBD"
                                                                       "a");
}

static void no_sentence_contains_a_special_word(void **state) {
    static const char sentence[] = "<pad> <start> <end> <unk><end>";
    (void)state;
    const char *longer = "";
    for (int i = 0; i < 50; i++) longer = arena_print(&arena, "%s%s", longer, sentence);
    Error error;
    for (TokenizerKind kind = TOKENIZER_WORDS; kind <= TOKENIZER_BPE; kind++) {
        Tokenizer tokenizer;
        Clean clean = unicode_clean(longer, strlen(longer), &arena);
        assert_true(tokenizer_learn(&tokenizer, (TokenizerOptions){kind, 500, false},
                                    &clean, &arena, &error));
        Tokens tokens = encode(&tokenizer, sentence);
        assert_true(tokens.count > 4);
        for (int i = 0; i < tokens.count; i++) assert_true(tokens.token[i].id > 3);
    }
}

static void labels_show_spaces_and_bytes(void **state) {
    (void)state;
    Tokenizer tokenizer = learn(TOKENIZER_BPE, 400);
    const int *byte = tokenizer.merges.byte;
    assert_string_equal(tokenizer_label(&tokenizer, 2), "<end>");
    assert_string_equal(tokenizer_label(&tokenizer, byte[' ']), "·");
    assert_string_equal(tokenizer_label(&tokenizer, byte['\n']), "<0A>");
    assert_string_equal(tokenizer_label(&tokenizer, byte['a']), "a");
    assert_string_equal(tokenizer_label(&tokenizer, byte[0xEB]), "<EB>");
    int spaced = 0;
    for (int id = 0; id < tokenizer.vocabulary.count; id++) {
        const char *label = tokenizer_label(&tokenizer, id);
        assert_string_equal(label, unicode_escape(label, strlen(label), &arena));
        spaced += strcmp(label, "·학교에") == 0;
    }
    assert_int_equal(spaced, 1);
    assert_null(tokenizer_label(&tokenizer, 400));
    assert_null(tokenizer_label(&tokenizer, -1));
}

static void a_tokenizer_is_read_as_it_was_saved(void **state) {
    (void)state;
    Error error;
    for (TokenizerKind kind = TOKENIZER_NONE; kind <= TOKENIZER_BPE; kind++) {
        Tokenizer saved = learn(kind, 400);
        Tokenizer loaded = {.kind = kind, .special = ids};
        assert_true(tokenizer_save(&saved, folder, "target_", true, &error));
        assert_true(tokenizer_load(&loaded, folder, "target_", &arena, &error));
        assert_int_equal(loaded.vocabulary.count, saved.vocabulary.count);
        for (int id = 0; id < saved.vocabulary.count; id++) {
            assert_string_equal(loaded.vocabulary.word[id], saved.vocabulary.word[id]);
            assert_string_equal(loaded.label[id], saved.label[id]);
        }
        assert_int_equal(loaded.merges.count, saved.merges.count);
        for (int rank = 0; rank < saved.merges.count; rank++)
            assert_memory_equal(&loaded.merges.merge[rank], &saved.merges.merge[rank],
                                sizeof(Merge));
    }
    Tokenizer words = learn(TOKENIZER_WORDS, 100);
    assert_false(tokenizer_save(&words, folder, "target_", false, &error));
}

static void a_sentence_has_a_limit(void **state) {
    (void)state;
    Error error;
    Tokens tokens;
    char *sentence = arena_take(&arena, TOKENIZER_BYTES + 2);
    memset(sentence, 'a', TOKENIZER_BYTES + 1);
    for (TokenizerKind kind = TOKENIZER_WORDS; kind <= TOKENIZER_BPE; kind++) {
        Tokenizer tokenizer = learn(kind, 300);
        assert_true(tokenizer_encode(&tokenizer, sentence, TOKENIZER_BYTES, &arena,
                                     &tokens, &error));
        assert_false(tokenizer_encode(&tokenizer, sentence, TOKENIZER_BYTES + 1, &arena,
                                      &tokens, &error));
        assert_non_null(strstr(error.message, "65536"));
    }
    Tokenizer none = learn(TOKENIZER_NONE, 0);
    assert_false(tokenizer_encode(&none, "a", 1, &arena, &tokens, &error));
    assert_non_null(strstr(error.message, "5,7,9,2"));
    assert_null(tokenizer_label(&none, 0));
}

static void special_ids_must_fit_the_vocabulary(void **state) {
    (void)state;
    Error error;
    Tokenizer saved = learn(TOKENIZER_BPE, 300);
    assert_true(tokenizer_save(&saved, folder, "", true, &error));
    static const struct {
        SpecialIds ids;
        const char *message;
    } cases[] = {
        {{0, 1, 2, 300, -1}, "unknown_id is 300"},
        {{300, 1, 2, 3, -1}, "pad_id is 300"},
        {{0, 1, 2, 4 + 'a', -1}, "special id 101 is the word of the byte 61"},
        {{0, 1, 2, 290, -1}, "makes the special word"},
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        Tokenizer loaded = {.kind = TOKENIZER_BPE, .special = cases[i].ids};
        assert_false(tokenizer_load(&loaded, folder, "", &arena, &error));
        assert_non_null(strstr(error.message, cases[i].message));
        assert_non_null(strstr(error.message, folder));
    }
    /* A model without an encoder needs none of them. */
    Tokenizer bare = {.kind = TOKENIZER_BPE, .special = {-1, -1, -1, -1, -1}};
    assert_true(tokenizer_load(&bare, folder, "", &arena, &error));
}

#define TEST(name) cmocka_unit_test_teardown(name, reset)

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(words_end_at_spaces_and_punctuation),
        TEST(words_are_learned_by_frequency_then_by_place),
        TEST(an_unknown_word_is_the_unknown_id_and_keeps_its_bytes),
        TEST(decoded_words_are_spaced_as_in_a_sentence),
        TEST(byte_pairs_reproduce_every_text),
        TEST(no_sentence_contains_a_special_word),
        TEST(labels_show_spaces_and_bytes),
        TEST(a_tokenizer_is_read_as_it_was_saved),
        TEST(a_sentence_has_a_limit),
        TEST(special_ids_must_fit_the_vocabulary),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
