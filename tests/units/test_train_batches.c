/* Which examples form a batch, and their ids. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/random.h"
#include "data/batches.h"

#include <cmocka.h> /* last: it has a macro named fail */

/* Examples of many lengths; the first id of each source is its number. */
static Examples make_examples(int count, Arena *arena) {
    Random random = random_new(1);
    Examples examples = {.example = ARENA_ARRAY(arena, Example, count), .count = count};
    for (int e = 0; e < count; e++) {
        Example *example = &examples.example[e];
        example->sources = 1 + random_below(&random, 12);
        example->targets = random_below(&random, 12);
        example->first = 1;
        example->last = 2;
        int *id = ARENA_ARRAY(arena, int, 12);
        for (int i = 0; i < 12; i++) id[i] = 100 + i;
        example->target = id + 1;
        int *source = ARENA_ARRAY(arena, int, 12);
        source[0] = e + 1;
        for (int i = 1; i < 12; i++) source[i] = 200 + i;
        example->source = source;
    }
    return examples;
}

static void check_part(const Batches *batches, const BatchPart *part, int *seen,
                       int *tokens) {
    int expected = 0;
    for (int row = 0; row < part->source.rows; row++) {
        const int *source = part->source.id + row * part->source.length;
        const int *target = part->target.id + row * part->target.length;
        const int *next = part->expected.id + row * part->expected.length;
        const Example *example = &batches->examples->example[source[0] - 1];
        seen[source[0] - 1]++;
        for (int i = 1; i < part->source.length; i++)
            assert_int_equal(source[i], i < example->sources ? 200 + i : 0);
        assert_int_equal(target[0], 1);
        for (int i = 0; i < part->target.length; i++) {
            int id = i < example->targets ? 101 + i : 0;
            assert_int_equal(next[i], i == example->targets ? 2 : id);
            if (i) assert_int_equal(target[i], i <= example->targets ? 100 + i : 0);
            expected += next[i] != 0;
        }
    }
    assert_int_equal(part->tokens, expected);
    *tokens += expected;
}

static void check_epoch(const Batches *batches, int parts) {
    Arena arena = {0};
    Config config = {.pad_id = 0, .start_id = 1, .end_id = 2};
    int *seen = ARENA_ARRAY(&arena, int, batches->examples->count);
    for (int b = 0; b < batches->count; b++) {
        int tokens = 0;
        int rows = 0;
        for (int p = 0; p < parts; p++) {
            BatchPart part = batches_part(batches, b, p, parts, &config, &arena);
            check_part(batches, &part, seen, &tokens);
            rows += part.source.rows;
        }
        assert_in_range(rows, 1, batches->size.sentences);
        assert_int_equal(tokens, batches_tokens(batches, b).target);
    }
    for (int e = 0; e < batches->examples->count; e++) assert_int_equal(seen[e], 1);
    arena_free(&arena);
}

static void every_example_is_in_one_batch_of_an_epoch(void **state) {
    (void)state;
    Arena arena = {0};
    Examples examples = make_examples(523, &arena);
    for (int parts = 1; parts <= 3; parts++) {
        Batches batches =
            batches_new(&examples, (BatchSize){.sentences = 8, .seed = 2}, &arena);
        check_epoch(&batches, parts);
        batches_plan(&batches, 5);
        check_epoch(&batches, parts);
    }
    arena_free(&arena);
}

static void orders_follow_from_seed_and_epoch(void **state) {
    (void)state;
    Arena arena = {0};
    Examples examples = make_examples(100, &arena);
    size_t size = 100 * sizeof(int);
    BatchSize batch = {.sentences = 8, .seed = 2};
    Batches one = batches_new(&examples, batch, &arena);
    Batches same = batches_new(&examples, batch, &arena);
    batch.seed = 3;
    Batches other = batches_new(&examples, batch, &arena);
    assert_memory_equal(one.order, same.order, size);
    assert_memory_not_equal(one.order, other.order, size);
    batches_plan(&one, 4);
    assert_memory_not_equal(one.order, same.order, size);
    batches_plan(&same, 4);
    assert_memory_equal(one.order, same.order, size);
    arena_free(&arena);
}

/* Tokens of the batches with padding, divided by those without. */
static double padded_share(const Batches *batches) {
    Arena arena = {0};
    Config config = {.pad_id = 0};
    double all = 0;
    double real = 0;
    for (int b = 0; b < batches->count; b++) {
        BatchPart part = batches_part(batches, b, 0, 1, &config, &arena);
        all += part.source.rows * (part.source.length + part.target.length);
        BatchTokens tokens = batches_tokens(batches, b);
        real += (double)(tokens.source + tokens.target);
    }
    arena_free(&arena);
    return all / real;
}

static void sentences_of_like_length_go_together(void **state) {
    (void)state;
    Arena arena = {0};
    Examples examples = make_examples(2000, &arena);
    Batches sorted = batches_new(&examples, (BatchSize){.sentences = 16}, &arena);
    Batches mixed = batches_new(&examples, (BatchSize){.sentences = 16}, &arena);
    Random random = random_new(1);
    for (int i = 0; i < examples.count; i++) {
        int other = random_below(&random, examples.count);
        int kept = mixed.order[i];
        mixed.order[i] = mixed.order[other];
        mixed.order[other] = kept;
    }
    if (!(padded_share(&sorted) < 1.4 && padded_share(&mixed) > 1.7))
        fail_msg("padding: %g sorted, %g mixed", padded_share(&sorted),
                 padded_share(&mixed));
    arena_free(&arena);
}

static void batches_have_at_most_the_requested_tokens(void **state) {
    (void)state;
    Arena arena = {0};
    Config config = {.pad_id = 0};
    Examples examples = make_examples(600, &arena);
    Batches batches = batches_new(&examples, (BatchSize){.tokens = 100}, &arena);
    for (int b = 0; b < batches.count; b++) {
        BatchPart part = batches_part(&batches, b, 0, 1, &config, &arena);
        int tokens = part.source.rows * (part.source.length + part.target.length);
        assert_in_range(tokens, 1, 100);
    }
    assert_true(batches.count < 120);
    arena_free(&arena);
}

static void even_sources_have_one_length_in_a_batch(void **state) {
    (void)state;
    Arena arena = {0};
    Examples examples = make_examples(600, &arena);
    Batches batches = batches_new(
        &examples, (BatchSize){.sentences = 8, .even_sources = true}, &arena);
    for (int b = 0; b < batches.count; b++) {
        int first = batches.start[b];
        for (int i = first; i < batches.start[b + 1]; i++)
            assert_int_equal(examples.example[batches.order[i]].sources,
                             examples.example[batches.order[first]].sources);
    }
    check_epoch(&batches, 2);
    arena_free(&arena);
}

/* Each text is followed by <end>, one after the other, and each token is predicted
 * once. */
static void packed_rows_contain_all_texts_in_order(void **state) {
    (void)state;
    enum { TEXTS = 7, LENGTH = 5 };
    Arena arena = {0};
    Error error;
    Config config;
    assert_true(config_preset(&config, "gpt2", &arena, &error));
    config.max_length = LENGTH;
    config.decoder_layers = 1;
    config.d_model = 8;
    config.attention_heads = 2;
    Clean text = {.text = "a b c d e f g\n", .length = 14};
    Tokenizers words = {0};
    assert_true(tokenizer_learn(&words.source,
                                (TokenizerOptions){TOKENIZER_WORDS, 20, false}, &text,
                                &arena, &error));
    words.target = words.source;
    Model model;
    assert_true(model_new_with(&model, &config, 1, &words, &error));
    static CorpusPair pair[TEXTS] = {
        {"a b", "", 1},  {"c", "", 2}, {"d e f g a b c d", "", 3},
        {"a", "", 4},    {"b", "", 5}, {"c c", "", 6},
        {"g f e", "", 7}};
    const Corpus corpus = {.path = "texts", .pair = pair, .count = TEXTS};
    Examples examples;
    assert_true(examples_new(&examples, &corpus, &model, true, &arena, &error));
    const SpecialIds *special = &model.source.special;
    int stream[64], count = 0, at = 0;
    stream[count++] = special->start;
    for (int t = 0; t < TEXTS; t++) {
        for (const char *c = pair[t].source; *c; c++)
            if (*c != ' ')
                stream[count++] = vocabulary_find(&model.source.vocabulary, c, 1);
        stream[count++] = special->end;
    }
    Batches batches = batches_in_order(&examples, (BatchSize){.sentences = 1}, &arena);
    assert_int_equal(examples.count, (count - 1 + LENGTH - 1) / LENGTH);
    for (int e = 0; e < examples.count; e++) {
        batches.order[0] = e;
        BatchPart part = batches_part(&batches, 0, 0, 1, &model.config, &arena);
        assert_int_equal(part.target.length, part.expected.length);
        assert_in_range(part.target.length, 1, LENGTH);
        for (int i = 0; i < part.target.length; i++, at++) {
            assert_int_equal(part.target.id[i], stream[at]);
            assert_int_equal(part.expected.id[i], stream[at + 1]);
        }
    }
    assert_int_equal(at, count - 1);
    model_free(&model);
    arena_free(&arena);
}

/* Count what happened to all words of many rows: [chosen and masked, chosen and
 * replaced, chosen and kept, not chosen]. <start> and <end> are never chosen. */
static void count_fates(const Batches *batches, int tokens, int *fate) {
    const Config *config = batches->size.hides;
    int read[16], expected[16];
    memset(fate, 0, 4 * sizeof *fate);
    for (int e = 0; e < batches->examples->count; e++) {
        const int *id = batches->examples->example[batches->order[e]].source;
        int found = batches_hide(batches, e, read, expected);
        int counted = 0;
        for (int t = 0; t < tokens; t++) {
            bool is_expected = expected[t] != config->pad_id;
            bool is_end = id[t] == config->start_id || id[t] == config->end_id;
            if (is_expected) assert_int_equal(expected[t], id[t]);
            if (!is_expected || is_end) assert_int_equal(read[t], id[t]);
            assert_false(is_end && is_expected);
            counted += is_expected;
            if (!is_end)
                fate[!is_expected                 ? 3
                     : read[t] == config->mask_id ? 0
                     : read[t] == id[t]           ? 2
                                                  : 1]++;
        }
        assert_int_equal(found, counted);
        assert_true(found >= 1);
    }
}

static void words_are_masked_with_the_rates_of_the_paper(void **state) {
    (void)state;
    enum { ROWS = 4000, TOKENS = 14 };
    Arena arena = {0};
    const Config config = {.pad_id = 0,
                           .start_id = 1,
                           .end_id = 2,
                           .unknown_id = 3,
                           .mask_id = 4,
                           .source_vocabulary = 500};
    static const int id[TOKENS] = {1,   100, 101, 102, 103, 104, 105,
                                   106, 107, 108, 109, 110, 111, 2};
    Example *example = ARENA_ARRAY(&arena, Example, ROWS);
    for (int e = 0; e < ROWS; e++)
        example[e] = (Example){.source = id, .sources = TOKENS};
    const Examples examples = {.example = example, .count = ROWS};
    const BatchSize size = {.sentences = 8, .hides = &config, .seed = 3};
    Batches batches = batches_new(&examples, size, &arena);
    int fate[4], again[4], other[4];
    count_fates(&batches, TOKENS, fate);
    double all = ROWS * (TOKENS - 2);
    double chosen = fate[0] + fate[1] + fate[2];
    /* At least one per row: 0.15, plus a twelfth of the rows that would have none. */
    assert_true(fabs(chosen / all - (0.15 + pow(0.85, 12) / 12)) < 0.01);
    assert_true(fabs(fate[0] / chosen - 0.8) < 0.02);
    assert_true(fabs(fate[1] / chosen - 0.1) < 0.02);
    assert_true(fabs(fate[2] / chosen - 0.1) < 0.02);
    count_fates(&batches, TOKENS, again);
    assert_memory_equal(fate, again, sizeof fate);
    batches_plan(&batches, 1);
    count_fates(&batches, TOKENS, other);
    assert_memory_not_equal(fate, other, sizeof fate);
    long long expected = 0;
    for (int b = 0; b < batches.count; b++) {
        int of_parts = 0;
        for (int p = 0; p < 3; p++)
            of_parts += batches_part(&batches, b, p, 3, &config, &arena).tokens;
        assert_int_equal(of_parts, batches_tokens(&batches, b).target);
        expected += of_parts;
    }
    assert_int_equal(expected, other[0] + other[1] + other[2]);
    /* For measuring, all chosen tokens are masked. */
    Batches measured = batches_in_order(&examples, size, &arena);
    count_fates(&measured, TOKENS, fate);
    assert_int_equal(fate[1] + fate[2], 0);
    arena_free(&arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_example_is_in_one_batch_of_an_epoch),
        cmocka_unit_test(orders_follow_from_seed_and_epoch),
        cmocka_unit_test(sentences_of_like_length_go_together),
        cmocka_unit_test(batches_have_at_most_the_requested_tokens),
        cmocka_unit_test(even_sources_have_one_length_in_a_batch),
        cmocka_unit_test(packed_rows_contain_all_texts_in_order),
        cmocka_unit_test(words_are_masked_with_the_rates_of_the_paper),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
