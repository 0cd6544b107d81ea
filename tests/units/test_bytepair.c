#include <string.h>
#include <time.h>

#include "text/unicode.h"

#include "units/bytepair_inputs.h" /* last: cmocka has a macro fail() */

static double seconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static int encode(const BytePair *merges, const char *piece, int length, int *id,
                  int *bytes, Arena *scratch) {
    bytepair_begin(merges, piece, length, id, bytes);
    return bytepair_join(merges, id, bytes, length, scratch);
}

static void each_byte_has_its_character_of_gpt2(void **state) {
    static const struct {
        int byte;
        const char *word;
    } cases[] = {
        {'a', "a"},  {' ', "Ġ"},  {'\n', "Ċ"}, {'\0', "Ā"}, {'~', "~"},  {0x7F, "ġ"},
        {0xA0, "ł"}, {0xA1, "¡"}, {0xAD, "Ń"}, {0xEB, "ë"}, {0x82, "Ĥ"}, {0xFF, "ÿ"},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        char byte = (char)cases[i].byte;
        assert_string_equal(bytepair_word(&byte, 1, &arena), cases[i].word);
    }
    char all[BYTES];
    for (int i = 0; i < BYTES; i++) all[i] = (char)i;
    const char *word = bytepair_word(all, BYTES, &arena);
    for (const char *c = word; *c; c += unicode_grapheme(c))
        assert_int_not_equal(unicode_width(c), 0);
    int length;
    const char *bytes = bytepair_bytes(word, &length, &arena);
    assert_int_equal(length, BYTES);
    assert_memory_equal(bytes, all, BYTES);
    assert_null(bytepair_bytes("a b", &length, &arena));
    assert_null(bytepair_bytes("나", &length, &arena));
    assert_null(bytepair_bytes("\u0144", &length, &arena));
}

static void a_text_is_cut_as_by_gpt2(void **state) {
    static const char *const cases[] = {
        "Hello| world",
        "I|'m| sure| they|'ll| say| it|'s| '|ok|'",
        "we|'ve| don|'t| you|'re| he|'d| I|'|M",
        "나는| 3|시에| 학교에| 갔다|.",
        " 나는",
        "a|  | b",
        "a|\n|b|\n\n|\n|c|\n\n",
        "x| |\t|y",
        "12|ab|34",
        "hi|!?|한|...| ...",
        "e\u0301a|½",
        "   ",
        "\U0001F600\U0001F600|a",
        "a|\xEB\x82|b",
    };
    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        char text[100];
        int left = 0;
        for (const char *c = cases[i]; *c; c++)
            if (*c != '|') text[left++] = *c;
        const char *expected = cases[i];
        for (const char *piece = text; left > 0;) {
            int length = bytepair_piece(piece, left);
            assert_true(length > 0 && length <= left);
            assert_memory_equal(piece, expected, (size_t)length);
            assert_true(expected[length] == '|' || expected[length] == '\0');
            expected += length + (expected[length] == '|');
            piece += length;
            left -= length;
        }
        assert_string_equal(expected, "");
    }
}

static void encoding_ends_as_watching_does(void **state) {
    (void)state;
    Random random = random_new(2);
    int joined = 0;
    for (int round = 0; round < 2000; round++) {
        char text[ROOM];
        Learned learned;
        int size = random_text(&random, text, LETTERS);
        learned = learn(text, (size_t)size, 40);
        /* Ranks in an order that was never learned, which a file may have. */
        if (round % 2)
            for (int i = learned.merges.count; i > 1; i--) {
                Merge *merge = learned.merges.merge;
                int other = random_below(&random, i);
                Merge kept = merge[i - 1];
                merge[i - 1] = merge[other];
                merge[other] = kept;
            }
        BytePair mixed = {0};
        for (int i = 0; i < learned.merges.count; i++)
            bytepair_add(&mixed, learned.merges.merge[i], &arena);
        bytepair_find_bytes(&mixed, &learned.vocabulary);
        size = random_text(&random, text, LETTERS);
        if (size == 0) continue;
        mixed.one_by_one = random_below(&random, 2);
        int id[ROOM], bytes[ROOM], single[ROOM], ones[ROOM];
        MergeStep *step;
        bytepair_begin(&mixed, text, size, single, ones);
        int count = encode(&mixed, text, size, id, bytes, &arena);
        int steps = bytepair_watch(&mixed, single, ones, size, &step, &arena);
        assert_true(steps > 0 && steps <= size);
        assert_int_equal(step[0].rank, -1);
        assert_int_equal(step[0].count, size);
        for (int i = 0; i < steps; i++) {
            int covered = 0;
            for (int k = 0; k < step[i].count; k++) covered += step[i].bytes[k];
            assert_int_equal(covered, size);
            assert_true(i == 0 || step[i].count < step[i - 1].count);
        }
        assert_int_equal(count, step[steps - 1].count);
        for (int k = 0; k < count; k++) {
            assert_int_equal(id[k], step[steps - 1].id[k]);
            assert_int_equal(bytes[k], step[steps - 1].bytes[k]);
        }
        joined += size - count;
        arena_reset(&arena);
    }
    assert_true(joined > 10000);
}

static void a_merge_is_made_everywhere_before_the_next_one(void **state) {
    (void)state;
    Vocabulary vocabulary = {0};
    BytePair merges = {0};
    Error error;
    assert_true(bytepair_learn(&(TextToLearn){"", 0, special, 1000}, &vocabulary,
                               &merges, &arena, &error));
    int a = merges.byte['a'];
    int b = merges.byte['b'];
    int ab = vocabulary_add(&vocabulary, "ab", 2, &arena);
    int aba = vocabulary_add(&vocabulary, "aba", 3, &arena);
    bytepair_add(&merges, (Merge){ab, a, aba}, &arena);
    bytepair_add(&merges, (Merge){a, b, ab}, &arena);
    int id[5], bytes[5];
    assert_int_equal(encode(&merges, "abab", 4, id, bytes, &arena), 2);
    assert_int_equal(id[0], ab);
    assert_int_equal(id[1], ab);
    assert_int_equal(encode(&merges, "ababa", 5, id, bytes, &arena), 2);
    assert_int_equal(id[1], aba);
    assert_int_equal(bytes[1], 3);
    merges.one_by_one = true;
    assert_int_equal(encode(&merges, "abab", 4, id, bytes, &arena), 2);
    assert_int_equal(id[0], aba);
    assert_int_equal(id[1], b);
    MergeStep *step;
    assert_int_equal(bytepair_watch(&merges, id, bytes, 0, &step, &arena), 0);
    int *longer = ARENA_ARRAY(&arena, int, BYTEPAIR_WATCH_MAX + 1);
    assert_int_equal(
        bytepair_watch(&merges, longer, longer, BYTEPAIR_WATCH_MAX + 1, &step, &arena),
        0);
}

/* The minimum time of five runs that encode the bytes, in seconds. */
static double encoding_time(const Learned *learned, const char *text, int size) {
    double min = 1e9;
    int *id = ARENA_ARRAY(&arena, int, size);
    int *bytes = ARENA_ARRAY(&arena, int, size);
    for (int i = 0; i < 5; i++) {
        Arena scratch = {0};
        double start = seconds();
        assert_true(encode(&learned->merges, text, size, id, bytes, &scratch) > 0);
        double time = seconds() - start;
        if (time < min) min = time;
        arena_free(&scratch);
    }
    return min;
}

static void a_long_piece_takes_n_log_n_time(void **state) {
    enum { LONG = 64 * 1024 };
    static const char *const letters[] = {"가", "a", "ab", "가나다라마바사"};
    (void)state;
    for (size_t i = 0; i < COUNT(letters); i++) {
        int length = (int)strlen(letters[i]);
        char *text = arena_take(&arena, LONG);
        for (int k = 0; k < LONG; k++) text[k] = letters[i][k % length];
        Learned learned = learn(text, 4096, 100);
        assert_true(learned.merges.count >= 8);
        double quarter = encoding_time(&learned, text, LONG / 4);
        double whole = encoding_time(&learned, text, LONG);
        assert_true(whole < 0.2);
        assert_true(whole < 9 * quarter); /* n log n: 4.6, n * n: 16 */
    }
}

#define TEST(name) cmocka_unit_test_teardown(name, reset)

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(each_byte_has_its_character_of_gpt2),
        TEST(a_text_is_cut_as_by_gpt2),
        TEST(encoding_ends_as_watching_does),
        TEST(a_merge_is_made_everywhere_before_the_next_one),
        TEST(a_long_piece_takes_n_log_n_time),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
