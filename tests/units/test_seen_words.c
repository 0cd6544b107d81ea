/* Words of a sentence that were not in the training data. */
#include "text/seen_words.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h> /* last: it has a macro named fail */

static char path[] = "/tmp/glassbox-words-XXXXXX";

static bool read_file(SeenWords *seen, Arena *arena, Error *error) {
    Bytes bytes;
    assert_true(file_read_regular(path, WORDS_FILE_BYTES, arena, &bytes, error));
    return seen_words_read(seen, bytes, path, arena, error);
}

/* Return the missing words as "a b". */
static const char *missing(const SeenWords *seen, const char *text, Arena *arena) {
    const WordsMet met = seen_words_check(seen, text, arena);
    const char *list = "";
    for (int w = 0; w < met.missing_count; w++)
        list = arena_print(arena, "%s%s%s", list, w ? " " : "", met.missing[w]);
    return list;
}

static void a_word_counts_with_others_that_begin_like_it(void **state) {
    (void)state;
    Arena arena = {0};
    SeenWords seen = {0};
    seen_words_add(&seen, "나는 어제 학교에 갔습니다. I saw the expensive one!",
                   &arena);
    static const struct {
        const char *text, *missing;
    } cases[] = {
        {"나는 어제 학교에 갔습니다.", ""},
        {"학교에서 갔습니까?", ""},         /* two thirds of the letters */
        {"갔다 학생에게", "갔다 학생에게"}, /* a single letter is too short */
        {"나는 나는 커피를 커피를", "커피를"},
        {"The Expensive i SAW", "SAW"},
        {"expensively", ""},
        {"12 , ? !", ""},
        {"", ""},
    };
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++)
        assert_string_equal(missing(&seen, cases[c].text, &arena), cases[c].missing);
    arena_free(&arena);
}

static void words_and_sentences_are_counted(void **state) {
    (void)state;
    Arena arena = {0};
    SeenWords korean = {0};
    static const struct {
        const char *text;
        int words, foreign, sentences;
    } cases[] = {
        {"", 0, 0, 0},
        {"12 + 3 = ?", 0, 0, 0},
        {"나는 간다.", 2, 0, 1},
        {"나는 간다. 너는 온다! 왜?", 5, 0, 3},
        {"음... 3.5 원이다.", 2, 0, 2},
        {"www.example.org", 3, 3, 1},
        {"나는 pizza를 Rom에서", 3, 2, 1},
        {"こんにちは Привет ㅋㅋ", 3, 2, 1},
    };
    for (int w = 0; w < 200; w++)
        seen_words_add(&korean, arena_print(&arena, "가%d나", w), &arena);
    seen_words_add(&korean, "AI", &arena); /* one of 201 */
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        const WordsMet met = seen_words_check(&korean, cases[c].text, &arena);
        assert_int_equal(met.words, cases[c].words);
        assert_int_equal(met.foreign, cases[c].foreign);
        assert_int_equal(met.sentences, cases[c].sentences);
    }
    arena_free(&arena);
}

static void a_file_returns_the_saved_words(void **state) {
    (void)state;
    Arena arena = {0};
    Error error;
    SeenWords seen = {0};
    SeenWords read;
    seen_words_add(&seen, "나는 책을 산다 나는 apple", &arena);
    assert_true(seen_words_save(&seen, path, &error));
    assert_true(read_file(&read, &arena, &error));
    assert_int_equal(read.words.count, 4);
    assert_string_equal(read.words.word[0], "apple");
    assert_string_equal(missing(&read, "나는 책을 판다", &arena), "판다");
    arena_free(&arena);
}

static void a_line_that_is_not_a_word_is_named(void **state) {
    (void)state;
    static const char *const bad[] = {"two words\n", "\n",   "12\n",
                                      "a\xff\n",     " a\n", "a.\n"};
    for (size_t b = 0; b < sizeof bad / sizeof *bad; b++) {
        Arena arena = {0};
        Error error;
        SeenWords read;
        FILE *file = fopen(path, "w");
        assert_non_null(file);
        fprintf(file, "good\n%s", bad[b]);
        assert_int_equal(fclose(file), 0);
        assert_false(read_file(&read, &arena, &error));
        assert_non_null(strstr(error.message, ":2: this line is not a word"));
        arena_free(&arena);
    }
}

static int make_file(void **state) {
    (void)state;
    int file = mkstemp(path);
    return file < 0 ? 1 : close(file);
}

static int remove_file(void **state) {
    (void)state;
    return unlink(path);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(words_and_sentences_are_counted),
        cmocka_unit_test(a_word_counts_with_others_that_begin_like_it),
        cmocka_unit_test(a_file_returns_the_saved_words),
        cmocka_unit_test(a_line_that_is_not_a_word_is_named),
    };
    return cmocka_run_group_tests(tests, make_file, remove_file);
}
