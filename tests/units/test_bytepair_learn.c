#include <string.h>

#include "units/bytepair_inputs.h" /* last: cmocka has a macro fail() */

/* A token of the slow learner, with its bytes; `ends`: it is the last of its piece. */
typedef struct {
    int id;
    bool ends;
    const char *text;
    int size;
} Unit;

static bool is_inside(char byte) {
    return ((unsigned char)byte & 0xc0) == 0x80;
}

/* Return the length of the character that starts with that byte. */
static int letter_size(char byte) {
    unsigned char first = (unsigned char)byte;
    return first < 0x80 ? 1 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
}

/* Whole characters, or a part of one and nothing else. */
static bool is_readable(const char *text, int size) {
    int inside = 0;
    for (int i = 0; i < size; i++) inside += is_inside(text[i]);
    if (inside == size) return true;
    if (inside == size - 1 && !is_inside(text[0]) && size < letter_size(text[0]))
        return true;
    for (int i = 0, length; i < size; i += length) {
        length = letter_size(text[i]);
        if (is_inside(text[i]) || i + length > size) return false;
        for (int k = 1; k < length; k++)
            if (!is_inside(text[i + k])) return false;
    }
    return true;
}

static int cut(const char *text, int size, const BytePair *merges, Unit *unit) {
    int count = 0;
    for (int i = 0, length; i < size; i += length) {
        length = bytepair_piece(text + i, size - i);
        for (int k = 0; k < length; k++)
            unit[count++] = (Unit){merges->byte[(unsigned char)text[i + k]],
                                   k + 1 == length, text + i + k, 1};
    }
    return count;
}

static int count_pair(const Unit *unit, int count, int left, int right) {
    int times = 0;
    for (int i = 0; i + 1 < count; i++)
        times += !unit[i].ends && unit[i].id == left && unit[i + 1].id == right;
    return times;
}

static int replace(Unit *unit, int count, Merge merge) {
    int kept = 0;
    for (int i = 0; i < count; i++, kept++) {
        bool joins = i + 1 < count && !unit[i].ends && unit[i].id == merge.left &&
                     unit[i + 1].id == merge.right;
        unit[kept] = joins ? (Unit){merge.joined, unit[i + 1].ends, unit[i].text,
                                    unit[i].size + unit[i + 1].size}
                           : unit[i];
        i += joins;
    }
    return kept;
}

/* Return the first of the most frequent pairs that make a new word without an
 * incomplete character, counting everything again. */
static int best_place(const Unit *unit, int count, const Vocabulary *vocabulary,
                      int known) {
    int best = -1;
    int max = 1;
    for (int i = 0; i + 1 < count; i++) {
        if (unit[i].ends) continue;
        int times = count_pair(unit, count, unit[i].id, unit[i + 1].id);
        const char *word = arena_print(&arena, "%s%s", vocabulary->word[unit[i].id],
                                       vocabulary->word[unit[i + 1].id]);
        int id = vocabulary_find(vocabulary, word, (int)strlen(word));
        bool is_new = id < 0 || id >= known;
        bool readable = is_readable(unit[i].text, unit[i].size + unit[i + 1].size);
        if (times > max && is_new && readable) {
            max = times;
            best = i;
        }
    }
    return best;
}

static void learning_agrees_with_counting_everything_again(void **state) {
    (void)state;
    Random random = random_new(1);
    int merges = 0;
    for (int round = 0; round < 2000; round++) {
        char text[ROOM];
        Unit unit[ROOM];
        int size = random_text(&random, text, LETTERS);
        Learned learned = learn(text, (size_t)size, 40);
        int count = cut(text, size, &learned.merges, unit);
        for (int rank = 0;; rank++) {
            int known = SPECIAL + BYTES + rank;
            int place = best_place(unit, count, &learned.vocabulary, known);
            if (rank == 40) break;
            assert_int_equal(place >= 0, rank < learned.merges.count);
            if (place < 0) break;
            Merge merge = learned.merges.merge[rank];
            assert_int_equal(merge.left, unit[place].id);
            assert_int_equal(merge.right, unit[place + 1].id);
            assert_int_equal(merge.joined, known);
            count = replace(unit, count, merge);
            merges++;
        }
        arena_reset(&arena);
    }
    assert_true(merges > 10000);
}

static void no_token_joins_a_part_of_a_letter_with_another(void **state) {
    (void)state;
    const char *text = "만나 만나 만났 만났 만난 만난 안나 안나 안났 바다 바닥";
    Learned learned = learn(text, strlen(text), 60);
    assert_true(learned.merges.count > 10);
    for (int i = SPECIAL + BYTES; i < learned.vocabulary.count; i++) {
        int size;
        const char *bytes = bytepair_bytes(learned.vocabulary.word[i], &size, &arena);
        if (!is_readable(bytes, size)) fail_msg("token %d ends inside a letter", i);
    }
}

static void special_words_come_first_then_bytes_then_merges(void **state) {
    (void)state;
    const char *text = "<pad> <pad> 가나 가나 가나 <pad>";
    Learned learned = learn(text, strlen(text), 100);
    for (int i = 0; i < SPECIAL; i++)
        assert_string_equal(learned.vocabulary.word[i], special[i]);
    for (int i = 0; i < BYTES; i++)
        assert_int_equal(learned.merges.byte[i], SPECIAL + i);
    assert_int_equal(learned.vocabulary.count, SPECIAL + BYTES + learned.merges.count);
    for (int i = 0; i < learned.merges.count; i++)
        assert_int_equal(learned.merges.merge[i].joined, SPECIAL + BYTES + i);
    Error error;
    assert_false(
        bytepair_learn(&(TextToLearn){text, strlen(text), special, SPECIAL + BYTES - 1},
                       &learned.vocabulary, &learned.merges, &arena, &error));
    assert_non_null(strstr(error.message, "260"));
}

#define TEST(name) cmocka_unit_test_teardown(name, reset)

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(learning_agrees_with_counting_everything_again),
        TEST(no_token_joins_a_part_of_a_letter_with_another),
        TEST(special_words_come_first_then_bytes_then_merges),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
