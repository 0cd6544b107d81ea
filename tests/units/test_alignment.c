/* Two runs are aligned by words: by the longest common subsequence of whole words. The
 * embedding of a token that is in both is bit-identical, however many pieces the words
 * before it have. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/random.h"
#include "change/snapshot.h"
#include "explain/subtraction.h"
#include "player/line.h"

#include <cmocka.h> /* last: it has a macro named fail */

#include "small_model.h"

enum { WORDS = 9, PIECES = 3 };

/* A sentence of few different words, so that many are common: "·a", "·b b", "·c c
 * c". */
typedef struct {
    int word[WORDS];
    int words;
    const char *label[WORDS * PIECES];
    Axis axis;
} Made;

static void make_sentence(Random *random, Made *sentence) {
    static const char *const begins[] = {"·a", "·b", "·c", ".", "<end>"};
    static const char *const goes_on[] = {"a", "b", "c"};
    int tokens = 0;
    sentence->words = 1 + random_below(random, WORDS - 1);
    for (int w = 0; w < sentence->words; w++) {
        int word = random_below(random, 5);
        sentence->word[w] = word;
        sentence->label[tokens++] = begins[word];
        for (int piece = 1; word < 3 && piece < word + 1; piece++)
            sentence->label[tokens++] = goes_on[word];
    }
    sentence->axis = (Axis){
        .name = "source", .size = tokens, .labels = sentence->label, .label_rows = 1};
}

static int pieces_of(int word) {
    return word < 3 ? word + 1 : 1;
}

/* Return the maximum number of tokens in common words, from words i and j on, by
 * exhaustive search. */
static int longest(const Made *a, const Made *b, int i, int j) {
    if (i == a->words || j == b->words) return 0;
    int down = longest(a, b, i + 1, j);
    int right = longest(a, b, i, j + 1);
    int best = down > right ? down : right;
    int both = a->word[i] == b->word[j] ? 1 + longest(a, b, i + 1, j + 1) : 0;
    return both > best ? both : best;
}

/* Return the index of the word that contains token `index`. */
static int word_at(const Made *sentence, int index) {
    int word = 0;
    while (index >= pieces_of(sentence->word[word]))
        index -= pieces_of(sentence->word[word++]);
    return word;
}

static void check_alignment(const Made *a, const Made *b, const Alignment *alignment) {
    int next[2] = {0, 0};
    int words = 0;
    int last = -1;
    for (int p = 0; p < alignment->count; p++) {
        const Partners pair = alignment->pair[p];
        assert_true(pair.before != NOWHERE || pair.after != NOWHERE);
        if (pair.before != NOWHERE) assert_int_equal(pair.before, next[0]++);
        if (pair.after != NOWHERE) assert_int_equal(pair.after, next[1]++);
        if (pair.before == NOWHERE || pair.after == NOWHERE) continue;
        assert_string_equal(a->label[pair.before], b->label[pair.after]);
        int word = word_at(a, pair.before);
        assert_int_equal(a->word[word], b->word[word_at(b, pair.after)]);
        words += word != last;
        last = word;
    }
    assert_int_equal(next[0], a->axis.size); /* each token of both exactly once */
    assert_int_equal(next[1], b->axis.size);
    assert_int_equal(words, longest(a, b, 0, 0));
    /* Every word is paired as a whole, or not at all. */
    for (int p = 1; p < alignment->count; p++) {
        const Partners pair = alignment->pair[p];
        const Partners before = alignment->pair[p - 1];
        if (pair.before <= 0 || before.before != pair.before - 1 ||
            word_at(a, pair.before) != word_at(a, pair.before - 1))
            continue;
        assert_int_equal(pair.after == NOWHERE, before.after == NOWHERE);
    }
}

static void words_are_aligned_by_their_longest_common_subsequence(void **state) {
    (void)state;
    enum { TRIES = 400 };
    Random random = random_new(38);
    for (int t = 0; t < TRIES; t++) {
        Arena arena = {0};
        Made a, b;
        make_sentence(&random, &a);
        make_sentence(&random, &b);
        Alignments alignments = {.arena = &arena};
        check_alignment(&a, &b, alignment_of(&alignments, &a.axis, &b.axis));
        arena_free(&arena);
    }
}

static void runs_with_nothing_in_common_are_not_compared(void **state) {
    (void)state;
    static const char *const korean[] = {"나는", "·간다", ".", "<end>"};
    static const char *const english[] = {"I", "·go", ".", "<end>"};
    Arena arena = {0};
    Alignments alignments = {.arena = &arena};
    const Axis a = {.name = "source", .size = 4, .labels = korean, .label_rows = 1};
    const Axis b = {.name = "source", .size = 4, .labels = english, .label_rows = 1};
    const Axis narrow = {.name = "d_model", .size = 4};
    const Axis wide = {.name = "d_model", .size = 8};
    assert_true(alignment_of(&alignments, &a, &b)->is_void);
    assert_false(alignment_of(&alignments, &a, &a)->is_void);
    assert_true(alignment_of(&alignments, &narrow, &wide)->is_void);
    arena_free(&arena);
}

static void say(Session *session, const char *line) {
    Error error;
    session_clear(session);
    if (!line_run(session, line, &error)) fail_msg("%s: %s", line, error.message);
}

static const struct {
    const char *model, *embedding, *one, *other;
    int alone[2]; /* number of tokens of each without a partner: the words that were
                     exchanged */
} cases[] = {
    /* 부산에서 is 부산 and 에서, 서울에서 is 서, 울 and 에서 */
    {"ko-en",
     "encoder.embedding",
     "나는 어제 부산에서 친구를 만났다.",
     "나는 어제 서울에서 친구를 만났다.",
     {2, 3}},
    {"ko-en",
     "encoder.embedding",
     "나는 친구를 만났다.",
     "나는 어제 부산에서 친구를 만났다.",
     {0, 3}},
    {"en-ko", "encoder.embedding", "I like my car.", "I like my castle.", {1, 3}},
    {"stories",
     "decoder.embedding",
     "Lily had a ball.",
     "Lily had a red ball.",
     {-1, -1}}, /* and everything after it: two stories */
    {"seq2seq-ko-en",
     "encoder.embedding",
     "나는 책을 읽었다.",
     "나는 어제 책을 읽었다.",
     {0, 1}},
};

static void check_embedding(const Snapshot *before, const Snapshot *after, int c) {
    Arena arena = {0};
    Error error;
    Operand difference;
    const char *address = cases[c].embedding;
    const Operand one = {slice_all(snapshot_find(after, address)), NULL, 0};
    const Operand other = {slice_all(snapshot_find(before, address)), NULL, 0};
    if (!subtraction_slice(&one, &other, &arena, &difference, &error))
        fail_msg("%s", error.message);
    const Tensor *made = difference.slice.tensor;
    const Axis *tokens = &made->axis[1];
    int alone[2] = {0, 0};
    for (int t = 0; t < tokens->size; t++) {
        const char *label = axis_label(tokens, 0, t);
        bool added = *label == '+';
        bool gone = strncmp(label, "−", strlen("−")) == 0;
        alone[0] += gone;
        alone[1] += added;
        for (int i = 0; i < tensor_row(made); i++) {
            Number number = made->data[t * tensor_row(made) + i];
            if (added || gone ? !isnan(number) : number != 0)
                fail_msg("%s: %s: %g", cases[c].model, label, (double)number);
        }
    }
    assert_int_equal(difference.alone, alone[0] + alone[1]);
    for (int r = 0; r < 2 && cases[c].alone[0] >= 0; r++)
        if (alone[r] != cases[c].alone[r])
            fail_msg("%s, %s: %d tokens without a partner, not %d", cases[c].model,
                     r ? cases[c].other : cases[c].one, alone[r], cases[c].alone[r]);
    arena_free(&arena);
}

static void what_both_have_has_the_same_embedding(void **state) {
    (void)state;
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        Arena arena = {0};
        Session *session = session_new(&arena);
        Error error;
        const char *path = arena_print(&arena, "assets/models/%s", cases[c].model);
        if (!session_open(session, path, &error)) fail_msg("%s", error.message);
        say(session, cases[c].one);
        Snapshot before = session_snapshot(session, SNAPSHOT_OUTLIVES_MODEL, &arena);
        say(session, cases[c].other);
        Snapshot after = session_snapshot(session, SNAPSHOT_SHALLOW, &arena);
        check_embedding(&before, &after, (int)c);
        const Differences found = snapshot_differences(&before, &after, false, &arena);
        assert_true(found.count > 0 && found.shared > found.count);
        for (int d = 0; d < found.count; d++)
            assert_string_not_equal(found.found[d].after->name, cases[c].embedding);
        session_free(session);
        arena_free(&arena);
    }
}

/* Ids do not show where words start. */
static void sentences_of_ids_are_not_compared(void **state) {
    (void)state;
    Arena arena = {0};
    Session *session = session_new(&arena);
    Error error;
    make_with(&session->model, "paper", "", &arena);
    session->has_model = true;
    Snapshot run[3];
    static const char *const ids[] = {"5,7,9,2", "5,9,7,2", "5,7,9,2"};
    for (int r = 0; r < 3; r++) {
        const Request request = {.source_ids = ids[r], .limit = 4};
        session_clear(session);
        if (!session_run(session, &request, &error)) fail_msg("%s", error.message);
        run[r] = session_snapshot(session, SNAPSHOT_OUTLIVES_MODEL, &arena);
    }
    Differences found = snapshot_differences(&run[0], &run[1], false, &arena);
    assert_int_equal(found.count + found.shared, 0);
    assert_true(found.voids > 0);
    found = snapshot_differences(&run[0], &run[2], false, &arena);
    assert_int_equal(found.count + found.voids, 0);
    assert_true(found.shared > 0);
    static const char minus[] =
        ":draw encoder.0.norm_1 --minus source=5,9,7,2 -o none.txt";
    assert_false(line_run(session, minus, &error));
    assert_non_null(strstr(error.message, "no words to align"));
    session_free(session);
    arena_free(&arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(words_are_aligned_by_their_longest_common_subsequence),
        cmocka_unit_test(runs_with_nothing_in_common_are_not_compared),
        cmocka_unit_test(what_both_have_has_the_same_embedding),
        cmocka_unit_test(sentences_of_ids_are_not_compared),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
