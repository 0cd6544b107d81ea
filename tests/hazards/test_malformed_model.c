/* Model folders that are malformed as a whole: files that are missing or do not match,
 * weights that are not numbers. */
#include <math.h>
#include <sys/stat.h>

#include "malformed.h"
#include "model/model.h"

/* A folder with a model of byte pairs, made again for each test. */
static const char *in_model(const char *name, Arena *arena) {
    return file_join(arena, malformed_folder, name);
}

static void make_model(Model *model) {
    static const char text[] = "나는 학생이다 나는 학교에 간다 나는 간다";
    Arena arena = {0};
    Tokenizer tokenizer;
    Config config;
    Error error;
    const Clean clean = {.text = text, .length = (int)strlen(text)};
    assert_true(tokenizer_learn(&tokenizer,
                                (TokenizerOptions){TOKENIZER_BPE, 300, false}, &clean,
                                &arena, &error));
    assert_true(tokenizer_save(&tokenizer, malformed_folder, "", true, &error));
    assert_true(config_preset(&config, "paper", &arena, &error));
    config.d_model = 8;
    config.attention_heads = 2;
    config.d_ff = 12;
    config.encoder_layers = config.decoder_layers = 2;
    config.max_length = 16;
    if (!model_new(model, &config, 3, malformed_folder, &error))
        fail_msg("%s", error.message);
    arena_free(&arena);
}

static void save_model(const Model *model) {
    Error error;
    if (!model_save(model, malformed_folder, true, &error))
        fail_msg("%s", error.message);
}

static int remove_model(void **state) {
    static const char *const files[] = {"config.json", "model.safetensors",
                                        "vocab.json", "merges.txt",
                                        "target_vocab.json"};
    Arena arena = {0};
    (void)state;
    for (int f = 0; f < ROWS(files); f++) {
        unlink(in_model(files[f], &arena));
        rmdir(in_model(files[f], &arena));
    }
    arena_free(&arena);
    return 0;
}

static void check_folder(const char *file, const char *expected) {
    Model model;
    Error error = {0};
    bool done = model_open(&model, malformed_folder, &error);
    check_verdict(expected, done, expected, file, &error);
}

static void a_folder_without_a_file_is_refused_by_its_name(void **state) {
    (void)state;
    static const char *const files[] = {"config.json", "model.safetensors",
                                        "vocab.json", "merges.txt"};
    Arena arena = {0};
    for (int f = 0; f < ROWS(files); f++) {
        static Model model;
        make_model(&model);
        save_model(&model);
        model_free(&model);
        Error error;
        assert_true(model_open(&model, malformed_folder, &error));
        model_free(&model);
        unlink(in_model(files[f], &arena));
        check_folder(files[f], "No such file or directory");
        assert_int_equal(mkdir(in_model(files[f], &arena), 0700), 0);
        check_folder(files[f], "it is a folder, not a file");
        remove_model(NULL);
    }
    static Model model;
    Error error;
    assert_false(model_open(&model, "/no/such/model", &error));
    assert_non_null(strstr(error.message, "/no/such/model/config.json"));
    arena_free(&arena);
}

static void a_vocabulary_of_another_size_is_refused(void **state) {
    (void)state;
    static Model model;
    make_model(&model);
    save_model(&model);
    model.config.source_vocabulary += 1;
    Arena arena = {0};
    const char *config = config_print(&model.config, &arena);
    write_file("config.json", (Bytes){config, strlen(config)}, &arena);
    check_folder("source tokenizer", "words, but source_vocabulary in config.json is");
    model.config.source_vocabulary -= 1;
    model.config.target_vocabulary -= 1;
    config = config_print(&model.config, &arena);
    write_file("config.json", (Bytes){config, strlen(config)}, &arena);
    check_folder("target tokenizer", "words, but target_vocabulary in config.json is");
    model_free(&model);
    arena_free(&arena);
}

/* Mismatches are reported with the expected shape, in at most ten lines. */
static void weights_of_another_model_are_listed_line_by_line(void **state) {
    (void)state;
    static Model model;
    static Model other;
    Error error = {0};
    Arena arena = {0};
    make_model(&model);
    save_model(&model);
    model.config.share_layers = true;
    const char *config = config_print(&model.config, &arena);
    write_file("config.json", (Bytes){config, strlen(config)}, &arena);
    assert_false(model_open(&other, malformed_folder, &error));
    assert_non_null(strstr(error.message, "does not fit config.json (42 differences)"));
    assert_non_null(strstr(error.details, "model.encoder.layers.1.self_attn.q_proj."
                                          "weight is not part of such a model"));
    model.config.share_layers = false;
    model.config.d_ff = 10;
    model.config.encoder_layers = 3;
    config = config_print(&model.config, &arena);
    write_file("config.json", (Bytes){config, strlen(config)}, &arena);
    assert_false(model_open(&other, malformed_folder, &error));
    assert_non_null(strstr(error.details,
                           "\n  model.encoder.layers.0.fc1.weight is F32 [12, 8]; "
                           "expected [d_ff 10, in 8]"));
    assert_non_null(
        strstr(error.details, "layers.2.self_attn.q_proj.weight is missing"));
    int lines = 0;
    for (const char *c = error.details; *c; c++) lines += *c == '\n';
    assert_int_equal(lines, 11); /* the last one says how many more there are */
    assert_non_null(strstr(error.details, "\n  and 18 more"));
    model_free(&model);
    arena_free(&arena);
}

static void nan_is_counted_and_located(void **state) {
    (void)state;
    static Model model;
    static Model opened;
    Error error;
    Arena arena = {0};
    Broken broken;
    int next = 0;
    make_model(&model);
    assert_false(weights_broken(&model.weights, &next, &broken));
    Tensor *head = weights_find(&model.weights, "lm_head.weight");
    head->data[8 * 4 + 5] = (Number)NAN;
    head->data[8 * 4 + 6] = (Number)NAN;
    head->data[8 * 7] = (Number)-NAN;
    Tensor *hidden = weights_find(&model.weights, "model.encoder.layers.0.fc1.bias");
    hidden->data[3] = (Number)-INFINITY;
    hidden->data[4] = (Number)INFINITY;
    hidden->data[5] = (Number)NAN;
    Tensor *bias = weights_find(&model.weights, "lm_head.bias");
    bias->data[2] = (Number)INFINITY;
    bias->data[1] = (Number)3e38; /* large numbers are valid */
    save_model(&model);
    if (!model_open(&opened, malformed_folder, &error)) fail_msg("%s", error.message);
    next = 0;
    assert_true(weights_broken(&opened.weights, &next, &broken));
    assert_string_equal(weights_describe_broken(&broken, &arena),
                        "tensor model.encoder.layers.0.fc1.bias: 1 NaN and 2 infinite, "
                        "first at [3]");
    assert_true(weights_broken(&opened.weights, &next, &broken));
    assert_string_equal(weights_describe_broken(&broken, &arena),
                        "tensor lm_head.weight: 3 NaN, first at [4,5]");
    assert_true(weights_broken(&opened.weights, &next, &broken));
    assert_string_equal(weights_describe_broken(&broken, &arena),
                        "tensor lm_head.bias: 1 infinite, first at [2]");
    assert_false(weights_broken(&opened.weights, &next, &broken));
    model_free(&model);
    model_free(&opened);
    arena_free(&arena);
}

#define WITH_MODEL(test) cmocka_unit_test_teardown(test, remove_model)

static int run_all(void) {
    const struct CMUnitTest tests[] = {
        WITH_MODEL(a_folder_without_a_file_is_refused_by_its_name),
        WITH_MODEL(a_vocabulary_of_another_size_is_refused),
        WITH_MODEL(weights_of_another_model_are_listed_line_by_line),
        WITH_MODEL(nan_is_counted_and_located),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

int main(int count, char **argument) {
    return malformed_main(count, argument, NULL, 0, run_all);
}
