/* Beam search against all possible targets, sampling against its distribution. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include "model/beam.h"
#include "model/sampling.h"
#include "ops/ops.h"

#include <cmocka.h> /* last: it has a macro named fail */

#include "units/small_model.h"

enum { LIMIT = 4, WORDS = 5, EVERY = 625, SEEDS = 6 };

static const char *const presets_tried[] = {"paper", "prenorm", "pytorch",
                                            "keras", "seq2seq", NULL};

/* A model of five words including <end>, with weights so far from 0 that its words
 * differ. */
static void open_tiny(Model *model, const char *preset, unsigned long long seed,
                      Arena *arena) {
    Config config;
    Error error;
    if (!configure(&config, preset, "target_vocabulary=5 source_vocabulary=12", arena,
                   &error) ||
        !model_new(model, &config, seed, NULL, &error))
        fail_msg("%s: %s", preset, error.message);
    for (int w = 0; w < model->weights.count; w++) {
        Tensor *tensor = model->weights.weight[w].tensor;
        for (int i = 0; i < tensor_size(tensor); i++) tensor->data[i] *= (Number)1.7;
    }
}

static void check_tape(const Tape *tape) {
    if (tape->failed) fail_msg("%s", tape->error.message);
}

static Encoded encode(Tape *tape, const Model *model) {
    const Ids ids = {source_ids, 1, LENGTH, NULL};
    return network_encode(tape, &model->network, &ids);
}

/* The best of all finished targets of at most LIMIT tokens, by exhaustive search. */
typedef struct {
    const Model *model;
    const Encoded *source;
    double alpha;
    double best, second;
    int id[LIMIT + 1], best_id[LIMIT], best_count, ended;
} Exhaustive;

static void try_all(Exhaustive *all, int count, double sum) {
    if (count == LIMIT) return;
    Tape tape = {0};
    const Ids ids = {all->id, 1, count + 1, NULL};
    Tensor *read = network_target(&tape, &ids);
    Tensor *logits =
        network_decode(&tape, &all->model->network, all->source, read, NULL);
    assert_non_null(logits);
    const double *more = sampling_log_probability(logits, &tape.arena);
    for (int id = 0; id < WORDS; id++) {
        all->id[count + 1] = id;
        if (id != all->model->config.end_id) {
            try_all(all, count + 1, sum + more[id]);
            continue;
        }
        double score =
            (sum + more[id]) / (pow(5 + count + 1, all->alpha) / pow(6, all->alpha));
        all->ended++;
        if (score > all->best) {
            all->best = score;
            all->best_count = count + 1;
            memcpy(all->best_id, all->id + 1, sizeof(int) * (size_t)(count + 1));
        }
    }
    tape_free(&tape);
}

static void check_exact(const Model *model, double alpha, bool cached) {
    Tape tape = {0};
    Arena arena = {0};
    Encoded source_encoded = encode(&tape, model);
    Exhaustive all = {.model = model,
                      .source = &source_encoded,
                      .alpha = alpha,
                      .best = -INFINITY,
                      .id = {model->config.start_id}};
    try_all(&all, 0, 0);
    assert_int_equal(all.ended, 1 + 4 + 16 + 64);
    const BeamOptions options = {EVERY, alpha, LIMIT, cached};
    Beam beam = beam_search(&tape, model, &source_encoded, &options, &arena);
    check_tape(&tape);
    Generated found = beam_target(&beam, beam.best, &arena);
    assert_true(found.ended);
    assert_int_equal(found.count, all.best_count);
    assert_memory_equal(found.id, all.best_id, sizeof(int) * (size_t)found.count);
    assert_true(fabs(beam.node[beam.best].score - all.best) < 1e-5);
    arena_free(&arena);
    tape_free(&tape);
}

static void test_a_wide_beam_is_an_exhaustive_search(void **state) {
    (void)state;
    for (int p = 0; presets_tried[p]; p++)
        for (unsigned long long seed = 1; seed <= SEEDS; seed++) {
            Arena arena = {0};
            Model model;
            open_tiny(&model, presets_tried[p], seed, &arena);
            check_exact(&model, 0, true);
            check_exact(&model, 0.6, true);
            check_exact(&model, 1.5, false);
            model_free(&model);
            arena_free(&arena);
        }
}

static void test_a_beam_of_one_is_greedy(void **state) {
    (void)state;
    for (int p = 0; presets_tried[p]; p++)
        for (unsigned long long seed = 1; seed <= SEEDS; seed++) {
            Arena arena = {0};
            Tape tape = {0};
            Model model;
            open_tiny(&model, presets_tried[p], seed, &arena);
            Encoded encoded = encode(&tape, &model);
            const BeamOptions options = {1, 0.6, 8, true};
            Beam beam = beam_search(&tape, &model, &encoded, &options, &arena);
            check_tape(&tape);
            Generated found = beam_target(&beam, beam.best, &arena);
            Generated greedy = generate_from(&tape, &model, &encoded, 8, true);
            check_tape(&tape);
            assert_int_equal(found.count, greedy.count);
            assert_int_equal(found.ended, greedy.ended);
            assert_memory_equal(found.id, greedy.id, sizeof(int) * (size_t)found.count);
            tape_free(&tape);
            model_free(&model);
            arena_free(&arena);
        }
}

static void test_a_beam_is_the_same_with_and_without_a_cache(void **state) {
    (void)state;
    for (int p = 0; presets_tried[p]; p++)
        for (int width = 1; width <= 4; width++) {
            Arena arena = {0};
            Tape tape = {0};
            Model model;
            make_with(&model, presets_tried[p], "", &arena);
            Encoded encoded = encode(&tape, &model);
            const BeamOptions cached = {width, 0.6, 10, true};
            const BeamOptions whole = {width, 0.6, 10, false};
            Beam one = beam_search(&tape, &model, &encoded, &cached, &arena);
            Beam other = beam_search(&tape, &model, &encoded, &whole, &arena);
            check_tape(&tape);
            assert_int_equal(one.count, other.count);
            assert_int_equal(one.best, other.best);
            for (int n = 0; n < one.count; n++) {
                assert_int_equal(one.node[n].id, other.node[n].id);
                assert_int_equal(one.node[n].parent, other.node[n].parent);
                assert_int_equal(one.node[n].end, other.node[n].end);
                assert_true(fabs(one.node[n].score - other.node[n].score) < 1e-4);
            }
            tape_free(&tape);
            model_free(&model);
            arena_free(&arena);
        }
}

/* The numbers in the tree are consistent. */
static void test_the_tree_adds_up(void **state) {
    (void)state;
    Arena arena = {0};
    Tape tape = {0};
    Model model;
    make_with(&model, "paper", "", &arena);
    Encoded encoded = encode(&tape, &model);
    const BeamOptions options = {3, 0.6, 10, true};
    Beam beam = beam_search(&tape, &model, &encoded, &options, &arena);
    int finished = 0;
    int at[12] = {0};
    for (int n = 1; n < beam.count; n++) {
        const BeamNode *node = &beam.node[n];
        const BeamNode *parent = &beam.node[node->parent];
        assert_true(node->parent < n);
        assert_int_equal(node->tokens, parent->tokens + 1);
        assert_true(parent->end == BEAM_GROWN);
        assert_true(fabs(parent->log_probability + node->token_log -
                         node->log_probability) < 1e-12);
        assert_true((node->end == BEAM_PRUNED) == (node->rank >= 3));
        assert_true(node->end != BEAM_FINISHED || node->id == model.config.end_id);
        finished += node->end == BEAM_FINISHED;
        at[node->tokens] += node->end != BEAM_PRUNED;
    }
    for (int t = 1; t <= 10; t++) assert_true(at[t] <= 3);
    for (int n = 0; n < beam.count; n++)
        if (finished && beam.node[n].end == BEAM_FINISHED)
            assert_true(beam.node[n].score <= beam.node[beam.best].score);
    tape_free(&tape);
    model_free(&model);
    arena_free(&arena);
}

/* Nothing that is still open could win, and greedy's target wins if not pruned. */
static void test_a_beam_ends_when_nothing_open_can_win(void **state) {
    (void)state;
    int open = 0, lost = 0, searches = 0;
    for (int p = 0; presets_tried[p]; p++)
        for (unsigned long long seed = 1; seed <= 20; seed++) {
            Arena arena = {0};
            Tape tape = {0};
            Model model;
            open_tiny(&model, presets_tried[p], seed, &arena);
            Encoded encoded = encode(&tape, &model);
            Generated greedy = generate_from(&tape, &model, &encoded, 8, true);
            for (int width = 1; width <= 4; width++) {
                const BeamOptions options = {width, width % 2 ? 0 : 0.6, 8, true};
                Beam beam = beam_search(&tape, &model, &encoded, &options, &arena);
                const BeamOptions narrow = {1, options.alpha, 8, true};
                Beam one = beam_search(&tape, &model, &encoded, &narrow, &arena);
                check_tape(&tape);
                const BeamNode *best = &beam.node[beam.best];
                bool is_whole = best->end == BEAM_FINISHED;
                for (int n = 0; n < beam.count && is_whole; n++) {
                    const BeamNode *node = &beam.node[n];
                    if (node->end != BEAM_LEFT || node->tokens == 8) continue;
                    open++;
                    assert_true(node->log_probability /
                                    beam_length_penalty(8, options.alpha) <=
                                best->score + 1e-9);
                }
                int kept = beam_lost(&beam, &greedy);
                searches++;
                lost += kept < greedy.count;
                if (kept == greedy.count && greedy.ended)
                    assert_true(best->score >= one.node[one.best].score - 1e-9);
            }
            tape_free(&tape);
            model_free(&model);
            arena_free(&arena);
        }
    assert_true(open > 100 && lost > 0 && lost < searches);
}

static void test_the_length_penalty_is_that_of_the_paper(void **state) {
    (void)state;
    assert_true(beam_length_penalty(1, 0.6) == 1);
    assert_true(beam_length_penalty(7, 0) == 1);
    assert_true(fabs(beam_length_penalty(7, 1) - 2) < 1e-12);
    assert_true(fabs(beam_length_penalty(19, 0.5) - 2) < 1e-12);
}

/* The memory needed for the last step is known before the first. */
static void test_a_beam_that_may_not_fit_is_refused_at_once(void **state) {
    (void)state;
    Arena arena = {0};
    Tape tape = {0};
    Model model;
    make_with(&model, "paper",
              "d_model=2 attention_heads=1 d_ff=2 encoder_layers=1 decoder_layers=1 "
              "max_length=64 source_vocabulary=12 target_vocabulary=200000",
              &arena);
    Encoded encoded = encode(&tape, &model);
    const BeamOptions narrow = {2, 0.6, 2, true};
    assert_true(beam_search(&tape, &model, &encoded, &narrow, &arena).count > 0);
    check_tape(&tape);
    const BeamOptions wide = {BEAM_WIDTH_MAX, 0.6, 50, true};
    assert_int_equal(beam_search(&tape, &model, &encoded, &wide, &arena).count, 0);
    assert_true(tape.failed);
    assert_non_null(strstr(tape.error.message, "a beam of 64 with up to 50 tokens"));
    tape_free(&tape);
    model_free(&model);
    arena_free(&arena);
}

static void test_a_classifier_has_no_beam(void **state) {
    (void)state;
    Arena arena = {0};
    Tape tape = {0};
    Model model;
    make_with(&model, "classifier", "labels=good,bad", &arena);
    Encoded encoded = encode(&tape, &model);
    const BeamOptions options = {3, 0.6, 10, true};
    Beam beam = beam_search(&tape, &model, &encoded, &options, &arena);
    assert_int_equal(beam.count, 0);
    assert_true(tape.failed);
    assert_non_null(strstr(tape.error.message, "classifier"));
    tape_free(&tape);
    model_free(&model);
    arena_free(&arena);
}

static Tensor *logits_of(const Number *x, int count, Arena *arena) {
    const Axis axis[] = {{.name = "batch", .size = 1},
                         {.name = "target", .size = 1},
                         {.name = "vocabulary", .size = count}};
    Tensor *logits = tensor_new(arena, "logits", 3, axis);
    memcpy(logits->data, x, sizeof(Number) * (size_t)count);
    return logits;
}

static void test_cuts_keep_the_right_tokens(void **state) {
    (void)state;
    Arena arena = {0};
    /* Probabilities 0.1, 0.4, 0.2, 0.3. */
    const Number x[] = {(Number)log(0.1), (Number)log(0.4), (Number)log(0.2),
                        (Number)log(0.3)};
    const Tensor *logits = logits_of(x, 4, &arena);
    static const struct {
        Sampling sampling;
        int kept;
        double first;
    } rows[] = {
        {{1, 0, 1}, 4, 0.4},          {{1, 2, 1}, 2, 0.4 / 0.7},
        {{1, 9, 1}, 4, 0.4},          {{1, 0, 0.65}, 2, 0.4 / 0.7},
        {{1, 0, 0.75}, 3, 0.4 / 0.9}, {{1, 0, 1e-9}, 1, 1},
        {{1, 3, 0.75}, 2, 0.4 / 0.7}, {{0.5, 0, 1}, 4, 0.16 / 0.3},
        {{1e-9, 0, 1}, 4, 1},         {{1e9, 0, 1}, 4, 0.25},
    };
    for (size_t r = 0; r < sizeof rows / sizeof *rows; r++) {
        Distribution found = sampling_distribution(logits, &rows[r].sampling, &arena);
        assert_int_equal(found.count, 4);
        assert_int_equal(found.kept, rows[r].kept);
        assert_int_equal(found.token[0].id, 1);
        assert_true(fabs(found.token[0].share - rows[r].first) < 1e-6);
        assert_true(fabs(found.token[3].sum - 1) < 1e-12);
        for (int i = 0; i < 4; i++)
            assert_true((found.token[i].cut == SAMPLING_KEPT) == (i < found.kept));
    }
    arena_free(&arena);
}

static void test_nan_is_never_drawn(void **state) {
    (void)state;
    Arena arena = {0};
    const Number x[] = {(Number)NAN, 1, -(Number)INFINITY, 0};
    const Sampling plain = {1, 0, 1};
    Distribution found = sampling_distribution(logits_of(x, 4, &arena), &plain, &arena);
    Random random = random_new(1);
    for (int i = 0; i < 1000; i++) {
        int id = found.token[sampling_draw(&found, random_unit(&random))].id;
        assert_true(id == 1 || id == 3);
    }
    assert_int_equal(sampling_draw(&found, 1), 3);
    arena_free(&arena);
}

static void test_infinite_and_nan_logits(void **state) {
    (void)state;
    Arena arena = {0};
    const Number inf = (Number)INFINITY;
    const Number x[][4] = {{1, inf, (Number)NAN, inf},
                           {(Number)NAN, -inf, (Number)NAN, (Number)NAN}};
    const double wanted[] = {-INFINITY, log(0.5), -INFINITY, log(0.5)};
    const Tensor *logits = logits_of(x[0], 4, &arena);
    const double *found = sampling_log_probability(logits, &arena);
    assert_true(generate_ranks(logits));
    for (int i = 0; i < 4; i++)
        assert_true(found[i] == wanted[i] || fabs(found[i] - wanted[i]) < 1e-12);
    const Sampling plain = {1, 0, 1};
    const Sampling cold = {1e-300, 0, 1};
    Distribution shares = sampling_distribution(logits, &plain, &arena);
    assert_true(shares.token[0].share == 0.5 && shares.token[1].share == 0.5);
    /* A low temperature makes two logits infinite: the larger one has 100%. */
    const Number high[] = {30, 20, 10};
    logits = logits_of(high, 3, &arena);
    assert_true(sampling_distribution(logits, &cold, &arena).token[0].share == 1);
    logits = logits_of(x[1], 4, &arena);
    assert_false(generate_ranks(logits));
    found = sampling_log_probability(logits, &arena);
    for (int i = 0; i < 4; i++) assert_true(isnan(found[i]));
    arena_free(&arena);
}

/* Pearson's chi-square of counts and probabilities, over those that are not 0. */
static double chi_square(const int *count, const Distribution *wanted, int draws) {
    double sum = 0;
    for (int i = 0; i < wanted->kept; i++) {
        double expected = wanted->token[i].share * draws;
        sum += pow(count[i] - expected, 2) / expected;
    }
    return sum;
}

static void test_frequencies_are_those_of_the_distribution(void **state) {
    (void)state;
    enum { DRAWS = 20000, TOKENS = 8 };
    static const Sampling rules[] = {
        {1, 0, 1}, {0.7, 0, 1}, {1.5, 5, 1}, {1, 0, 0.8}, {1.2, 6, 0.9}};
    /* Values that chi-square exceeds once in a thousand, by degrees of freedom. */
    static const double limit[] = {0, 10.83, 13.82, 16.27, 18.47, 20.52, 22.46, 24.32};
    const Number x[TOKENS] = {2, (Number)1.5, 1, (Number)0.5, 0, (Number)-0.5, -1, -2};
    Arena arena = {0};
    const Tensor *logits = logits_of(x, TOKENS, &arena);
    for (size_t r = 0; r < sizeof rules / sizeof *rules; r++) {
        Distribution wanted = sampling_distribution(logits, &rules[r], &arena);
        int count[TOKENS] = {0};
        Random random = random_new(2026 + r);
        for (int i = 0; i < DRAWS; i++)
            count[sampling_draw(&wanted, random_unit(&random))]++;
        for (int i = wanted.kept; i < TOKENS; i++) assert_int_equal(count[i], 0);
        double found = chi_square(count, &wanted, DRAWS);
        if (!(found < limit[wanted.kept - 1]))
            fail_msg("rule %zu: chi-square %g of %d tokens", r, found, wanted.kept);
    }
    arena_free(&arena);
}

/* First tokens of sentences have the distribution of the model's first step. */
static void test_sentences_are_drawn_from_the_model(void **state) {
    (void)state;
    enum { DRAWS = 2000 };
    const Sampling rule = {1.3, 4, 1};
    Arena arena = {0};
    Tape tape = {0};
    Tape work = {0};
    Model model;
    make_with(&model, "paper", "", &arena);
    Encoded encoded = encode(&tape, &model);
    Random random = random_new(7);
    Sampled first = sampling_run(&work, &model, &encoded, 3, &rule, &random);
    Distribution wanted =
        sampling_distribution(tape_find(&work, "step.0.logits"), &rule, &arena);
    Random again = random_new(7);
    Sampled same = sampling_run(&tape, &model, &encoded, 3, &rule, &again);
    assert_int_equal(first.generated.count, same.generated.count);
    assert_true(first.log_probability == same.log_probability);
    assert_true(first.log_drawn > first.log_probability - 20 && first.log_drawn < 0);
    int count[4] = {0};
    for (int i = 0; i < DRAWS; i++) {
        tape_reset(&work);
        Sampled drawn = sampling_run(&work, &model, &encoded, 1, &rule, &random);
        for (int k = 0; k < wanted.kept; k++)
            count[k] += wanted.token[k].id == drawn.generated.id[0];
    }
    assert_int_equal(count[0] + count[1] + count[2] + count[3], DRAWS);
    assert_true(chi_square(count, &wanted, DRAWS) < 16.27);
    tape_free(&work);
    tape_free(&tape);
    model_free(&model);
    arena_free(&arena);
}

/* The token of a step can be chosen; the following steps depend on it. */
static int take_third(void *state, int step, const Tensor *logits) {
    (void)logits;
    return step == 1 ? *(int *)state : TAKES_BEST;
}

static void test_a_token_can_be_picked(void **state) {
    (void)state;
    Arena arena = {0};
    Tape tape = {0};
    Tape other = {0};
    Model model;
    make_with(&model, "paper", "", &arena);
    Encoded encoded = encode(&tape, &model);
    Generated greedy = generate_from(&tape, &model, &encoded, 4, true);
    int picked = greedy.id[1] == 9 ? 8 : 9;
    const Chooser chooser = {take_third, &picked};
    Generated found = generate_chosen(&other, &model, &encoded, 4, &chooser);
    check_tape(&other);
    assert_int_equal(found.id[0], greedy.id[0]);
    assert_int_equal(found.id[1], picked);
    assert_int_equal(tape_find(&other, "step.1.choice")->data[0], picked);
    assert_int_equal(tape_find(&other, "step.2.decoder.ids")->data[0], picked);
    int prefix[] = {model.config.start_id, found.id[0], picked};
    const Ids ids = {prefix, 1, 3, NULL};
    Tensor *logits = network_decode(&tape, &model.network, &encoded,
                                    network_target(&tape, &ids), NULL);
    Tensor *choice = choose(&tape, "choice", logits);
    assert_int_equal((int)choice->data[0], found.id[2]);
    tape_free(&other);
    tape_free(&tape);
    model_free(&model);
    arena_free(&arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_wide_beam_is_an_exhaustive_search),
        cmocka_unit_test(test_a_beam_of_one_is_greedy),
        cmocka_unit_test(test_a_beam_is_the_same_with_and_without_a_cache),
        cmocka_unit_test(test_the_tree_adds_up),
        cmocka_unit_test(test_a_beam_ends_when_nothing_open_can_win),
        cmocka_unit_test(test_the_length_penalty_is_that_of_the_paper),
        cmocka_unit_test(test_a_beam_that_may_not_fit_is_refused_at_once),
        cmocka_unit_test(test_a_classifier_has_no_beam),
        cmocka_unit_test(test_cuts_keep_the_right_tokens),
        cmocka_unit_test(test_nan_is_never_drawn),
        cmocka_unit_test(test_infinite_and_nan_logits),
        cmocka_unit_test(test_frequencies_are_those_of_the_distribution),
        cmocka_unit_test(test_sentences_are_drawn_from_the_model),
        cmocka_unit_test(test_a_token_can_be_picked),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
