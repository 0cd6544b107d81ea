/* Models: presets, config.json, weights on the disk, names on the tape. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "model/generate.h"
#include "model/model.h"

#include <cmocka.h> /* last: it has a macro named fail */

static const char *const tiny[] = {"d_model=8",
                                   "attention_heads=2",
                                   "source_vocabulary=11",
                                   "target_vocabulary=11",
                                   "max_length=16",
                                   NULL};

/* A tiny model of that preset, with small dimensions. */
static void make(Model *model, const char *preset) {
    Arena arena = {0};
    Config config;
    Error error;
    if (!config_preset(&config, preset, &arena, &error)) fail_msg("%s", error.message);
    for (int t = 0; tiny[t]; t++) {
        bool has_heads = config.attention_heads > 1;
        if (!has_heads && strncmp(tiny[t], "attention_heads", 15) == 0) continue;
        char *option = arena_print(&arena, "%s", tiny[t]);
        char *value = strchr(option, '=');
        *value++ = '\0';
        assert_true(config_set(&config, option, value, &arena, &error));
    }
    if (config.d_ff) config.d_ff = 12;
    if (!model_new(model, &config, 3, NULL, &error))
        fail_msg("%s: %s", preset, error.message);
    arena_free(&arena);
}

static const int source_id[] = {5, 6, 7, 2, 9, 2, 0, 0};
static const int target_id[] = {1, 4, 5, 6, 1, 8, 0, 0};
static const Ids source = {source_id, 2, 4, NULL};
static const Ids target = {target_id, 2, 4, NULL};

static bool is_transformer(const Model *model) {
    return model->config.model_type == MODEL_TRANSFORMER;
}

static void test_every_address_on_a_tape_is_unique(void **state) {
    (void)state;
    for (const Preset *preset = presets; preset->name; preset++) {
        static Model model;
        Tape tape = {0};
        make(&model, preset->name);
        if (is_transformer(&model))
            network_run(&tape, &model.network, &source, &target);
        if (tape.failed) fail_msg("%s: %s", preset->name, tape.error.message);
        for (int i = 0; i < tape.entries; i++)
            for (int j = 0; j < i; j++)
                if (strcmp(tape.entry[i].address, tape.entry[j].address) == 0)
                    fail_msg("%s: %s stands twice", preset->name,
                             tape.entry[i].address);
        tape_free(&tape);
        model_free(&model);
    }
}

static void test_steps_of_a_decoding_are_also_unique(void **state) {
    (void)state;
    static Model model;
    Tape tape = {0};
    Ids one = {source_id, 1, 4, NULL};
    make(&model, "paper");
    generate(&tape, &model, &one, 6, true);
    assert_false(tape.failed);
    assert_non_null(tape_find(&tape, "step.0.decoder.0.self_attention.key"));
    for (int i = 0; i < tape.entries; i++)
        for (int j = 0; j < i; j++)
            assert_string_not_equal(tape.entry[i].address, tape.entry[j].address);
    tape_free(&tape);
    model_free(&model);
}

/* Greedy decoding of three presets: with a cache, without, and recurrent. */
static void test_a_decoding_runs_again_from_its_record(void **state) {
    (void)state;
    static const char *const names[] = {"paper", "kit-as-written", "seq2seq"};
    const Ids one = {source_id, 1, 4, NULL};
    for (size_t n = 0; n < sizeof names / sizeof *names; n++) {
        static Model model;
        Tape tape = {0};
        Tape fresh = {0};
        make(&model, names[n]);
        model.config.end_id = -1; /* so that all have six steps */
        Generated before = generate(&tape, &model, &one, 6, true);
        assert_int_equal(before.count, 6);
        /* A different output layer makes different choices, so decoding continues
         * differently. */
        Tensor *head = weights_find(&model.weights, "lm_head.weight");
        for (int i = 0; i < tensor_size(head); i++) head->data[i] = -head->data[i];
        int steps = tape.count;
        tape_rerun(&tape, 0);
        Generated after = generate(&fresh, &model, &one, 6, true);
        assert_false(tape.failed);
        assert_int_equal(tape.count, steps);
        assert_true(after.id[0] != before.id[0]);
        for (int t = 0; t < after.count; t++) {
            char address[32];
            snprintf(address, sizeof address, "step.%d.choice", t);
            assert_int_equal((int)tape_find(&tape, address)->data[0], after.id[t]);
        }
        tape_free(&tape);
        tape_free(&fresh);
        model_free(&model);
    }
}

/* A weight was changed: does a fresh decoding make the same choices? If so, running the
 * old one again gives all its numbers; otherwise it returns false. */
static bool decodes_again(Tape *tape, const Model *model, const Generated *before) {
    const Ids one = {source_id, 1, 4, NULL};
    Tape fresh = {0};
    Generated after = generate(&fresh, model, &one, before->count, true);
    bool same = memcmp(after.id, before->id, (size_t)after.count * sizeof(int)) == 0;
    assert_int_equal(generate_again(tape, before), same);
    for (int e = 0; same && e < fresh.entries; e++) {
        const Tensor *a = fresh.entry[e].tensor;
        const Tensor *b = tape->entry[e].tensor; /* computed in the same order */
        assert_string_equal(tape->entry[e].address, fresh.entry[e].address);
        assert_memory_equal(a->data, b->data, (size_t)tensor_size(a) * sizeof(Number));
    }
    tape_free(&fresh);
    return same;
}

static void test_a_decoding_that_chooses_the_same_is_made_again(void **state) {
    (void)state;
    static const char *const names[] = {"paper", "prenorm", "pytorch"};
    const Ids one = {source_id, 1, 4, NULL};
    int same = 0;
    int tried = 0;
    for (size_t n = 0; n < sizeof names / sizeof *names; n++) {
        static Model model;
        make(&model, names[n]);
        model.config.end_id = -1;
        for (int w = 0; w < model.weights.count; w++) {
            Tensor *weight = model.weights.weight[w].tensor;
            Tape tape = {0};
            Generated before = generate(&tape, &model, &one, 6, true);
            for (int i = 0; i < tensor_size(weight); i++) weight->data[i] *= 3;
            same += decodes_again(&tape, &model, &before);
            tried++;
            tape_free(&tape);
        }
        model_free(&model);
    }
    assert_in_range(same, 1, tried - 1);
}

static void test_steps_after_a_changed_tensor_run_again(void **state) {
    (void)state;
    static Model model;
    Tape tape = {0};
    make(&model, "paper");
    Tensor *logits = network_run(&tape, &model.network, &source, &target);
    Number untouched = tape_find(&tape, "encoder.0.norm_1")->data[0];
    Number before = logits->data[0];
    Tensor *changed = tape_find(&tape, "encoder.0.norm_2");
    Number usual = changed->data[0];
    Number given = usual + 1;
    changed->data[0] = given;
    tape_rerun(&tape, changed->step + 1);
    assert_true(changed->data[0] == given);
    assert_true(tape_find(&tape, "encoder.0.norm_1")->data[0] == untouched);
    assert_true(logits->data[0] != before);
    changed->data[0] = usual;
    tape_rerun(&tape, changed->step + 1);
    assert_true(logits->data[0] == before);
    tape_free(&tape);
    model_free(&model);
}

static void test_an_id_that_no_table_has_fails_a_second_run(void **state) {
    (void)state;
    static Model model;
    Tape tape = {0};
    make(&model, "paper");
    network_run(&tape, &model.network, &source, &target);
    tape_find(&tape, "encoder.ids")->data[0] = 999999;
    tape_rerun(&tape, 0);
    assert_true(tape.failed);
    assert_non_null(strstr(tape.error.message, "999999"));
    tape_free(&tape);
    model_free(&model);
}

static void test_every_entry_has_its_place(void **state) {
    (void)state;
    static Model model;
    Tape tape = {0};
    Arena arena = {0};
    const Ids one = {source_id, 1, 4, NULL};
    make(&model, "paper");
    generate(&tape, &model, &one, 3, true);
    for (int e = 0; e < tape.entries; e++) {
        const Entry *entry = &tape.entry[e];
        const Where *where = &entry->where;
        const char *step =
            where->step == NOWHERE ? "" : arena_print(&arena, "step.%d", where->step);
        const char *stack = arena_print(
            &arena, "%s%s%s", step, *step && *where->stack ? "." : "", where->stack);
        const char *place = where->layer == NOWHERE
                                ? stack
                                : arena_print(&arena, "%s.%d", stack, where->layer);
        assert_string_equal(where->place, place);
        const char *address =
            arena_print(&arena, "%s%s%s", place, *place ? "." : "", entry->part);
        assert_string_equal(entry->address, address);
        if (*where->box)
            assert_memory_equal(entry->part, where->box, strlen(where->box));
    }
    arena_free(&arena);
    tape_free(&tape);
    model_free(&model);
}

static const char *temporary_folder(char *template) {
    const char *folder = mkdtemp(template);
    assert_non_null(folder);
    return folder;
}

static void remove_model(const char *folder) {
    static const char *const files[] = {"config.json", "model.safetensors"};
    Arena arena = {0};
    for (size_t f = 0; f < sizeof files / sizeof *files; f++)
        unlink(file_join(&arena, folder, files[f]));
    rmdir(folder);
    arena_free(&arena);
}

static void test_a_saved_model_opens_as_it_was(void **state) {
    (void)state;
    for (const Preset *preset = presets; preset->name; preset++) {
        static Model model;
        static Model opened;
        char template[] = "/tmp/glassbox-model-XXXXXX";
        const char *folder = temporary_folder(template);
        Arena arena = {0};
        Error error;
        make(&model, preset->name);
        if (!model_save(&model, folder, true, &error)) fail_msg("%s", error.message);
        if (!model_open(&opened, folder, &error)) fail_msg("%s", error.message);
        assert_string_equal(config_print(&model.config, &arena),
                            config_print(&opened.config, &arena));
        assert_int_equal(model.weights.count, opened.weights.count);
        for (int w = 0; w < model.weights.count; w++) {
            const Tensor *a = model.weights.weight[w].tensor;
            const Tensor *b = weights_find(&opened.weights, a->name);
            assert_non_null(b);
            assert_memory_equal(a->data, b->data,
                                (size_t)tensor_size(a) * sizeof(Number));
        }
        assert_false(model_save(&model, folder, false, &error));
        assert_non_null(strstr(error.message, "--force"));
        model_free(&model);
        model_free(&opened);
        arena_free(&arena);
        remove_model(folder);
    }
}

static void test_shared_layers_are_stored_once(void **state) {
    (void)state;
    static Model model;
    make(&model, "kit");
    assert_non_null(weights_find(&model.weights, "model.encoder.layers.0.fc1.weight"));
    assert_null(weights_find(&model.weights, "model.encoder.layers.1.fc1.weight"));
    assert_non_null(weights_find(&model.weights, "model.shared.weight"));
    model_free(&model);
}

static void
test_a_row_hidden_everywhere_has_no_weights_under_minus_infinity(void **state) {
    (void)state;
    static Model model;
    Tape tape = {0};
    static const int nothing[] = {0, 0, 0, 0, 5, 6, 7, 2};
    Ids padded = {nothing, 2, 4, NULL};
    make(&model, "paper");
    network_run(&tape, &model.network, &padded, &target);
    const Tensor *weights = tape_find(&tape, "encoder.0.self_attention.weights");
    for (int i = 0; i < tensor_size(weights) / 2; i++)
        assert_true(weights->data[i] == 0);
    const Tensor *logits = tape_find(&tape, "logits");
    for (int i = 0; i < tensor_size(logits); i++)
        assert_true(isfinite(logits->data[i]));
    tape_free(&tape);
    model_free(&model);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_address_on_a_tape_is_unique),
        cmocka_unit_test(test_steps_of_a_decoding_are_also_unique),
        cmocka_unit_test(test_a_decoding_runs_again_from_its_record),
        cmocka_unit_test(test_a_decoding_that_chooses_the_same_is_made_again),
        cmocka_unit_test(test_steps_after_a_changed_tensor_run_again),
        cmocka_unit_test(test_an_id_that_no_table_has_fails_a_second_run),
        cmocka_unit_test(test_every_entry_has_its_place),
        cmocka_unit_test(test_a_saved_model_opens_as_it_was),
        cmocka_unit_test(test_shared_layers_are_stored_once),
        cmocka_unit_test(
            test_a_row_hidden_everywhere_has_no_weights_under_minus_infinity),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
