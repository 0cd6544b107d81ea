/* Changing options of the current model, applying presets, learning and undoing: after
 * going back the model is the same bit for bit, and what is rejected changes
 * nothing. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "player/line.h"
#include "prompt/complete.h"
#include "sample.h"
#include "session/variants.h"

#include <cmocka.h> /* last: it has a macro named fail */

typedef struct {
    Arena arena;
    Session *session;
} Prompt;

/* Type a line; return whether it succeeded. */
static bool type(Prompt *prompt, const char *line) {
    Error error;
    bool done = line_run(prompt->session, line, &error);
    if (!done && strlen(error.message) < 10)
        fail_msg("%s: refused with '%s'", line, error.message);
    return done;
}

static void must(Prompt *prompt, const char *line) {
    Error error;
    if (!line_run(prompt->session, line, &error))
        fail_msg("%s: %s", line, error.message);
}

static void begin(Prompt *prompt, const char *model, const char *sentence) {
    *prompt = (Prompt){0};
    Error error;
    prompt->session = session_new(&prompt->arena);
    if (!session_open(prompt->session, model, &error)) fail_msg("%s", error.message);
    must(prompt, sentence);
}

/* A small model of the preset with initial weights. */
static void begin_preset(Prompt *prompt, const char *preset) {
    Config config;
    Error error;
    *prompt = (Prompt){0};
    prompt->session = session_new(&prompt->arena);
    assert_true(config_preset(&config, preset, &prompt->arena, &error));
    config.d_model = 16;
    if (!model_new(&prompt->session->model, &config, 5, "assets/models/ko-en", &error))
        fail_msg("%s: %s", preset, error.message);
    prompt->session->has_model = true;
    must(prompt, ":options limit=5");
    must(prompt, "나는 어제");
}

static void end(Prompt *prompt) {
    session_free(prompt->session);
    arena_free(&prompt->arena);
}

/* FNV-1a over the bytes, eight at a time; the last ones are padded with zeros. The
 * shift moves changes in high bits, such as signs, down to the others. */
static void mix(uint64_t *sum, const void *bytes, size_t size) {
    for (size_t i = 0; i < size; i += sizeof *sum) {
        uint64_t word = 0;
        size_t left = size - i < sizeof word ? size - i : sizeof word;
        memcpy(&word, (const char *)bytes + i, left);
        *sum = (*sum ^ word) * 0x100000001b3u;
        *sum ^= *sum >> 32;
    }
}

static void mix_tensor(uint64_t *sum, const Tensor *tensor) {
    mix(sum, tensor->name, strlen(tensor->name));
    mix(sum, tensor->data, (size_t)tensor_size(tensor) * sizeof(Number));
}

static uint64_t sum_of_weights(const Prompt *prompt) {
    const Weights *weights = &prompt->session->model.weights;
    uint64_t sum = 1;
    for (int w = 0; w < weights->count; w++)
        mix_tensor(&sum, weights->weight[w].tensor);
    return sum;
}

/* Hash every number of the run, the decoding and the weights, and all options. */
static uint64_t sum_of_all(const Prompt *prompt) {
    const Session *session = prompt->session;
    const Tape *tape[] = {&session->run->tape, &session->run->steps};
    uint64_t sum = sum_of_weights(prompt);
    Arena arena = {0};
    const char *config = config_print(&session->model.config, &arena);
    mix(&sum, config, strlen(config));
    for (int t = 0; t < 2; t++)
        for (int e = 0; e < tape[t]->entries; e++)
            mix_tensor(&sum, tape[t]->entry[e].tensor);
    arena_free(&arena);
    return sum;
}

static const char *const models[] = {"assets/models/ko-en",
                                     "assets/models/seq2seq-ko-en",
                                     "assets/models/classifier", NULL};
static const char sentence[] = "나는 어제 친구를 만났다.";

static const char *value_now(const Prompt *prompt, const Option *key, Arena *arena) {
    return variants_value(key, &prompt->session->model.config, arena);
}

/* The old value can be restored: after going back everything is as before. */
static void try_value(Prompt *prompt, const Option *key, const char *value,
                      uint64_t before) {
    Arena arena = {0};
    const char *was = value_now(prompt, key, &arena);
    const char *line = arena_print(&arena, ":option %s %s", key->name, value);
    bool done = type(prompt, line);
    if (!done && sum_of_all(prompt) != before)
        fail_msg("%s: refused, but it did", line);
    if (done && strcmp(value_now(prompt, key, &arena), value) != 0 &&
        key->kind != &option_number && !key->kind->separator)
        fail_msg("%s: it is %s", line, value_now(prompt, key, &arena));
    if (done) must(prompt, ":option reset");
    if (sum_of_all(prompt) != before) fail_msg("%s: from %s and back", line, was);
    arena_free(&arena);
}

/* Try all its values; in `make test` one in three, starting at `place`. */
static void try_key(Prompt *prompt, const Option *key, int place, uint64_t before) {
    static const char *const words[] = {"true", "false", "none", "xyzzy", "a,b", NULL};
    static const char *const numbers[] = {"0",    "1",    "2",    "3",    "4", "8",
                                          "0.25", "1e-3", "1600", "-inf", NULL};
    const char *name;
    for (int w = 0; words[w]; w++)
        if (in_sample(place++, 3)) try_value(prompt, key, words[w], before);
    for (int c = 0; (name = option_choice_name(key, c)); c++)
        if (in_sample(place++, 3)) try_value(prompt, key, name, before);
    if (key->kind != &option_count && key->kind != &option_number) return;
    for (int n = 0; numbers[n]; n++)
        if (in_sample(place++, 3)) try_value(prompt, key, numbers[n], before);
}

static void every_option_works_or_is_refused_with_nothing_changed(void **state) {
    (void)state;
    for (const char *const *model = models; *model; model++) {
        Prompt prompt;
        begin(&prompt, *model, sentence);
        must(&prompt, ":options limit=6");
        must(&prompt, sentence);
        const uint64_t before = sum_of_all(&prompt);
        for (const Option *key = config_keys; key->name; key++)
            try_key(&prompt, key, (int)(key - config_keys + (model - models)), before);
        end(&prompt);
    }
}

static void every_preset_works_or_is_refused_with_nothing_changed(void **state) {
    (void)state;
    for (const char *const *model = models; *model; model++) {
        Prompt prompt;
        begin(&prompt, *model, sentence);
        must(&prompt, ":options limit=6");
        must(&prompt, sentence);
        const uint64_t before = sum_of_all(&prompt);
        for (const Preset *preset = presets; preset->name; preset++) {
            Arena arena = {0};
            if (type(&prompt, arena_print(&arena, ":preset %s", preset->name)))
                must(&prompt, ":option reset");
            if (sum_of_all(&prompt) != before) fail_msg("%s", preset->name);
            arena_free(&arena);
        }
        end(&prompt);
    }
}

/* The mistake of a preset, and the preset as it was meant, on the same weights. */
static void a_preset_as_written_and_as_meant_share_their_weights(void **state) {
    (void)state;
    for (const Preset *preset = presets; preset->name; preset++) {
        Prompt prompt;
        Arena arena = {0};
        if (!strstr(preset->name, "-as-written")) continue;
        begin_preset(&prompt, preset->name);
        const uint64_t weights = sum_of_weights(&prompt);
        const uint64_t all = sum_of_all(&prompt);
        must(&prompt, arena_print(&arena, ":preset %s", preset->based_on));
        assert_int_equal(prompt.session->model.config.as_written, 0);
        /* Positions that the mistake omits cannot be shared. */
        bool learned = prompt.session->model.config.position == POSITION_LEARNED;
        if (!learned && sum_of_weights(&prompt) != weights)
            fail_msg("%s", preset->name);
        must(&prompt, arena_print(&arena, ":preset %s", preset->name));
        if (sum_of_all(&prompt) != all) fail_msg("%s is not back", preset->name);
        end(&prompt);
        arena_free(&arena);
    }
}

/* When sharing ends, the new tensor is a copy: this does not change the results. */
static void an_untied_table_begins_as_a_copy(void **state) {
    (void)state;
    Prompt prompt;
    begin(&prompt, "assets/models/ko-en", sentence);
    Arena arena = {0};
    const Answer answer = prompt.session->run->answer[0];
    const char *text = arena_copy(&arena, answer.text, strlen(answer.text));
    must(&prompt, ":option tie_embeddings false");
    assert_non_null(weights_find(&prompt.session->model.weights, "lm_head.weight"));
    assert_string_equal(prompt.session->run->answer[0].text, text);
    assert_true(prompt.session->run->answer[0].sure == answer.sure);
    must(&prompt, ":option layer_norm_epsilon 1e-6");
    must(&prompt, ":option layer_norm_epsilon 1e-5");
    assert_string_equal(prompt.session->run->answer[0].text, text);
    arena_free(&arena);
    end(&prompt);
}

static void dropout_on_and_off_again_is_as_before(void **state) {
    (void)state;
    Prompt prompt;
    begin(&prompt, "assets/models/ko-en", sentence);
    const uint64_t before = sum_of_all(&prompt);
    must(&prompt, ":dropout on --seed 3");
    const uint64_t dropped = sum_of_all(&prompt);
    assert_true(dropped != before);
    must(&prompt, ":dropout on --seed 4");
    assert_true(sum_of_all(&prompt) != dropped);
    must(&prompt, ":dropout on --seed 3");
    assert_true(sum_of_all(&prompt) == dropped);
    must(&prompt, ":dropout off");
    assert_true(sum_of_all(&prompt) == before);
    must(&prompt, ":option dropout 0");
    assert_false(type(&prompt, ":dropout on"));
    end(&prompt);
}

/* Rows of attention with dropout do not add up to 1. */
static void rows_with_dropout_have_other_sums(void **state) {
    (void)state;
    Prompt prompt;
    begin(&prompt, "assets/models/ko-en", sentence);
    must(&prompt, ":option attention_dropout 0.3");
    must(&prompt, ":dropout on");
    const Tensor *dropped = tape_find(&prompt.session->run->tape,
                                      "encoder.0.self_attention.weights_dropped");
    assert_non_null(dropped);
    int otherwise = 0;
    for (int start = 0; start < tensor_size(dropped); start += tensor_row(dropped)) {
        double sum = 0;
        for (int i = 0; i < tensor_row(dropped); i++)
            sum += (double)dropped->data[start + i];
        otherwise += sum < 0.999 || sum > 1.001;
    }
    assert_true(otherwise > 10);
    must(&prompt, ":goto weights-dropped");
    end(&prompt);
}

static void learning_and_undoing_restores_every_bit(void **state) {
    (void)state;
    static const char *const targets[][2] = {
        {"assets/models/ko-en", ":learn I met a friend."},
        {"assets/models/seq2seq-ko-en", ":learn I met a friend."},
        {"assets/models/classifier", ":learn 걱정"}};
    for (int t = 0; t < 3; t++) {
        Prompt prompt;
        begin(&prompt, targets[t][0], sentence);
        const uint64_t weights = sum_of_weights(&prompt);
        must(&prompt, targets[t][1]);
        const uint64_t once = sum_of_weights(&prompt);
        assert_true(once != weights);
        for (int enter = 0; enter < 20; enter++) must(&prompt, ":map");
        must(&prompt, targets[t][1]);
        assert_true(sum_of_weights(&prompt) != once);
        must(&prompt, ":learn undo");
        assert_true(sum_of_weights(&prompt) == weights);
        assert_false(type(&prompt, ":learn undo"));
        must(&prompt, targets[t][1]);
        assert_true(sum_of_weights(&prompt) == once);
        end(&prompt);
    }
}

/* Learned weights stay when options change, and undoing finds them. */
static void learning_between_options_is_undone_as_well(void **state) {
    (void)state;
    Prompt prompt;
    begin(&prompt, "assets/models/ko-en", sentence);
    must(&prompt, ":target I met a friend.");
    const uint64_t before = sum_of_all(&prompt);
    must(&prompt, ":option norm pre final_norm true");
    must(&prompt, ":learn");
    must(&prompt, ":option activation gelu");
    must(&prompt, ":learn");
    must(&prompt, ":option reset");
    assert_true(sum_of_all(&prompt) != before);
    must(&prompt, ":learn");
    must(&prompt, ":learn undo");
    assert_true(sum_of_all(&prompt) == before);
    end(&prompt);
}

static void check_completes(Prompt *prompt, const char *line, const char *expected) {
    const char *word = strrchr(line, ' ') + 1;
    Arena arena = {0};
    int count;
    bool found = false;
    const char *const *words =
        complete_words(prompt->session, line, word, &arena, &count);
    for (int w = 0; w < count; w++) found = found || strcmp(words[w], expected) == 0;
    if (!found) fail_msg("'%s' is not completed with %s", line, expected);
    arena_free(&arena);
}

static void names_and_values_are_completed(void **state) {
    (void)state;
    Prompt prompt;
    begin(&prompt, "assets/models/ko-en", sentence);
    check_completes(&prompt, ":option no", "norm");
    check_completes(&prompt, ":option ", "reset");
    check_completes(&prompt, ":option norm ", "pre");
    check_completes(&prompt, ":option norm pre fin", "final_norm");
    check_completes(&prompt, ":option as_written mask", "mask_hides_self");
    check_completes(&prompt, ":option as_written n", "none");
    check_completes(&prompt, ":option causal f", "false");
    check_completes(&prompt, ":preset ki", "kit-as-written");
    check_completes(&prompt, ":dropout o", "off");
    end(&prompt);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_option_works_or_is_refused_with_nothing_changed),
        cmocka_unit_test(every_preset_works_or_is_refused_with_nothing_changed),
        cmocka_unit_test(a_preset_as_written_and_as_meant_share_their_weights),
        cmocka_unit_test(an_untied_table_begins_as_a_copy),
        cmocka_unit_test(names_and_values_are_completed),
        cmocka_unit_test(dropout_on_and_off_again_is_as_before),
        cmocka_unit_test(rows_with_dropout_have_other_sums),
        cmocka_unit_test(learning_and_undoing_restores_every_bit),
        cmocka_unit_test(learning_between_options_is_undone_as_well),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
