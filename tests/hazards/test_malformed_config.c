/* config.json with every key wrong in every way, and options that are not consistent;
 * whatever is accepted makes a model that runs. */
#include "base/json.h"
#include "base/random.h"
#include "model/generate.h"
#include <math.h>

#include "malformed.h"
#include "model/network.h"
#include "store/config.h"

static const Malformed configs[] = {
    {"nothing", .text = "", .expected = ":1: this is not valid JSON"},
    {"a list", .text = "[]", .expected = "has a list; expected an object with keys"},
    {"a number", .text = "3", .expected = ":1: this is not valid JSON"},
    {"no end", .text = "{\"d_model\": 8", .expected = ":1: this is not valid JSON"},
    {"a comment", .text = "{} // x", .expected = ":1: this is not valid JSON"},
    {"an unknown key", .text = "{\"d_mode\": 8}",
     .expected = "unknown key \"d_mode\"; did you mean d_model?"},
    {"a flag's name", .text = "{\"d_model\": 8, \"d-model\": 16}",
     .expected = "unknown key \"d-model\""},
    {"a key twice", .text = "{\"d_model\": 8,\n\"d_model\": 16}",
     .expected = ":2: the same name is twice"},
    {"zero heads", .text = "{\"attention_heads\": 0}",
     .expected = "\"attention_heads\" is 0; expected a whole number from 1"},
    {"negative layers", .text = "{\"encoder_layers\": -1}",
     .expected = "\"encoder_layers\" is -1; expected a whole number from 0 to 64"},
    {"huge layers", .text = "{\"encoder_layers\": 2000000000}",
     .expected =
         "\"encoder_layers\" is 2000000000; expected a whole number from 0 to 64"},
    {"beyond 64 bits", .text = "{\"d_model\": 99999999999999999999}",
     .expected = "too big integer"},
    {"no double", .text = "{\"dropout\": 1e999}", .expected = "real number overflow"},
    {"heads that do not divide", .text = "{\"attention_heads\": 7}",
     .expected = "d_model is 512; expected a multiple of attention_heads (7)"},
    {"an odd width", .text = "{\"d_model\": 7, \"attention_heads\": 1}",
     .expected = "choose an even d_model or another position"},
    {"no layers", .text = "{\"encoder_layers\": 0, \"decoder_layers\": 0}",
     .expected = "encoder_layers and decoder_layers are 0"},
    {"two sides without an encoder",
     .text = "{\"encoder_layers\": 0, \"share_embeddings\": true}",
     .expected = "share_embeddings needs two sides"},
    {"key heads that do not divide the heads", .text = "{\"key_value_heads\": 3}",
     .expected = "8; expected a multiple of key_value_heads (3)"},
    {"an odd head that turns", .text = "{\"position\": \"rotary\", \"d_model\": 24}",
     .expected = "rotary positions rotate numbers in pairs, but a head has 3"},
    {"a family that does not open here", .text = "{\"model_type\": \"phi3\"}",
     .expected =
         "\"model_type\" is \"phi3\", which cannot be opened; supported: one of "
         "transformer, classifier, seq2seq, and from other programs GPT-2 (gpt2), "
         "GPT-Neo"},
    {"a GPT-2 that computes otherwise",
     .text = "{\"model_type\": \"gpt2\", \"scale_attn_by_inverse_layer_idx\": true}",
     .expected = "\"scale_attn_by_inverse_layer_idx\" is true, but only false is "
                 "supported; open another model"},
    {"a Llama with scaled positions",
     .text = "{\"model_type\": \"llama\", \"rope_scaling\": {\"type\": \"linear\", "
             "\"factor\": 2.0}}",
     .expected = "\"rope_scaling.type\" is \"linear\", but only \"default\" is "
                 "supported"},
    {"a Llama with an unknown key", .text = "{\"model_type\": \"llama\", \"foo\": 3}",
     .expected = "\"foo\" is 3, but this key is unknown; if it does not change "
                 "the numbers, remove it from the file"},
    {"a Llama with a hostile key",
     .text = "{\"model_type\": \"llama\", \"\\u001b[2J\\u202e\": \"\\u001b\"}",
     .expected = "but this key is unknown"},
    {"a GPT-2 with a hostile size",
     .text = "{\"model_type\": \"gpt2\", \"n_embd\": 1e99}",
     .expected = "\"n_embd\" is 1e+99, but only a whole number from 1 to 16384"},
    {"more weights than memory",
     .text = "{\"d_model\": 16384, \"source_vocabulary\": 1048576, \"d_ff\": 65536}",
     .expected = "the model exceeds the limit of 536870912 weights"},
    {"a table beyond what an int counts",
     .text = "{\"preset\": \"seq2seq\", \"d_model\": 8, \"hidden_size\": 1024, "
             "\"target_vocabulary\": 1048576}",
     .expected = "with lm_head.weight [vocabulary 1048576, in 2048] the model exceeds"},
    {"an id beyond the words", .text = "{\"pad_id\": 8000}",
     .expected = "pad_id is 8000, but the vocabulary has only 8000 words"},
    {"an id twice", .text = "{\"pad_id\": 1}",
     .expected = "pad_id and start_id are both 1"},
    {"one table for two vocabularies",
     .text = "{\"share_embeddings\": true, \"target_vocabulary\": 9}",
     .expected = "share_embeddings needs equal vocabularies"},
    {"a classifier without labels", .text = "{\"model_type\": \"classifier\"}",
     .expected = "a classifier needs two or more"},
    {"a classifier with a decoder",
     .text = "{\"model_type\": \"classifier\", \"labels\": 2}",
     .expected = "decoder_layers must be 0 in a model of type classifier"},
    {"a recurrent model of two layers", .text = "{\"model_type\": \"seq2seq\"}",
     .expected = "hidden_size must be 1 or more in a model of type seq2seq"},
    {"65 labels", .text = "{\"labels\": 65}",
     .expected = "\"labels\" is 65; expected a list of at most 64 names"},
    {"an empty label", .text = "{\"labels\": [\"a\", \"\"]}",
     .expected = "\"labels\" is [\"a\", \"\"]; expected"},
    {"a mistake of another model", .text = "{\"as_written\": [\"lstm_restarts\"]}",
     .expected = "as_written has lstm_restarts, which needs model_type seq2seq"},
    {"a hostile key", .text = "{\"\\u001b[2J\\u202e\": 1}",
     .expected = "unknown key \""},
};

/* Read `text` as a config.json without other files. */
static bool read_config(const char *text, Config *config, const char **path,
                        Arena *arena, Error *error) {
    *error = (Error){0};
    *path = write_file("file", (Bytes){text, strlen(text)}, arena);
    return config_read(config, *path, arena, error);
}

static void every_row_gets_its_verdict(void **state) {
    (void)state;
    for (int r = 0; r < ROWS(configs); r++) {
        Arena arena = {0};
        Config config;
        Error error;
        const char *path;
        if (read_config(configs[r].text, &config, &path, &arena, &error)) {
            /* The number of weights is known when they are declared. */
            Model model;
            assert_false(model_new(&model, &config, 1, NULL, &error));
            path = "";
        }
        check_verdict(configs[r].name, false, configs[r].expected, path, &error);
        arena_free(&arena);
    }
}

/* The JSON types that each kind accepts; all others are wrong. */
static const struct {
    const OptionKind *kind;
    unsigned types; /* bit t: JsonType t */
} taken[] = {
    {&option_count, 1u << JSON_WHOLE},
    {&option_number, 1u << JSON_WHOLE | 1u << JSON_DECIMAL},
    {&option_truth, 1u << JSON_TRUTH},
    {&option_choice, 1u << JSON_TEXT},
    {&option_text, 1u << JSON_TEXT},
    {&option_set_of, 1u << JSON_LIST},
};

static unsigned types_of(const Option *key) {
    if (key->items) return 1u << JSON_LIST | 1u << JSON_WHOLE;
    for (int t = 0; t < ROWS(taken); t++)
        if (taken[t].kind == key->kind) return taken[t].types;
    fail_msg("%s is of a kind without a row here", key->name);
    return 0;
}

static void check_refused(const Option *key, const char *value) {
    Arena arena = {0};
    Config config;
    Error error;
    const char *path;
    const char *text = arena_print(&arena, "{\"%s\": %s}", key->name, value);
    bool done = read_config(text, &config, &path, &arena, &error);
    check_verdict(text, done, arena_print(&arena, ": \"%s\" is ", key->name), path,
                  &error);
    check_verdict(text, done,
                  arena_print(&arena, "; expected %s", option_range(key, &arena)), path,
                  &error);
    arena_free(&arena);
}

static void every_key_with_a_wrong_type_is_named(void **state) {
    (void)state;
    static const char *const values[][2] = {[JSON_NOTHING] = {"null", "null"},
                                            [JSON_TRUTH] = {"true", "false"},
                                            [JSON_WHOLE] = {"4", "1"},
                                            [JSON_DECIMAL] = {"4.0", "1e3"},
                                            [JSON_TEXT] = {"\"4\"", "\"\\u0007\""},
                                            [JSON_LIST] = {"[4]", "[[]]"},
                                            [JSON_MAP] = {"{}", "{\"a\": 4}"}};
    for (const Option *key = config_keys; key->name; key++) {
        for (int type = 0; type < ROWS(values); type++)
            for (int v = 0; v < 2 && !(types_of(key) & 1u << type); v++)
                check_refused(key, values[type][v]);
        /* Items of a list are checked as well. */
        if (types_of(key) & 1u << JSON_LIST)
            for (int v = 0; v < 2; v++) check_refused(key, values[JSON_LIST][v]);
        if (option_choice_name(key, 0)) {
            check_refused(key, "\"\"");
            check_refused(key, "[\"no\"]");
        }
    }
}

/* Typed values and values in a file are read by different code. */
static void a_typed_value_is_checked_like_one_in_a_file(void **state) {
    (void)state;
    static const char *const wrong[] = {"4.5", "",    " 4", "4x",   "1e99",
                                        "nan", "-1",  "0x", "0x10", "1e-400",
                                        "4.0", "1e3", "--4"};
    Arena arena = {0};
    for (int w = 0; w < ROWS(wrong); w++) {
        Config config = {0};
        Error error;
        assert_false(config_set(&config, "max_length", wrong[w], &arena, &error));
        assert_non_null(
            strstr(error.message, "expected a whole number from 1 to 65536"));
    }
    arena_free(&arena);
}

/* Does the key accept the value, with everything else as in the preset? */
static bool takes(const Option *key, double number, Arena *arena) {
    Config config = {0};
    Json json = {.type = JSON_DECIMAL, .number = number};
    if (number == (double)(long long)number)
        json = (Json){.type = JSON_WHOLE, .number = number, .whole = (long long)number};
    return option_read(key, &config, &json, arena);
}

static void every_range_is_exact_at_both_ends(void **state) {
    (void)state;
    Arena arena = {0};
    int ranges = 0;
    for (const Option *key = config_keys; key->name; key++) {
        if (key->max <= key->min || key->items) continue;
        bool whole = key->kind == &option_count;
        double step = whole ? 1 : 1e-9 * fmax(1, fabs(key->max)); /* for doubles */
        assert_true(takes(key, key->max, &arena));
        assert_false(takes(key, key->max + step, &arena));
        assert_false(takes(key, NAN, &arena));
        if (isinf(key->min)) continue;
        assert_true(takes(key, key->min, &arena));
        assert_false(takes(key, key->min - step, &arena));
        ranges++;
    }
    assert_in_range(ranges, 14, 40);
    assert_true(takes(option_find(config_keys, "labels"), LABELS_MAX, &arena));
    assert_false(takes(option_find(config_keys, "labels"), LABELS_MAX + 1, &arena));
    arena_free(&arena);
}

/* A random value of a key that keeps the model small enough to be made a thousand
 * times. */
static const char *any_value(const Option *key, Random *random, Arena *arena) {
    if (option_choice_name(key, 0)) {
        int count = 0;
        while (option_choice_name(key, count)) count++;
        bool none = key->kind == &option_set_of && random_below(random, 4);
        return none ? "" : option_choice_name(key, random_below(random, count));
    }
    if (key->kind == &option_truth) return random_below(random, 2) ? "true" : "false";
    if (key->items) return random_below(random, 2) ? "" : "no,yes";
    if (key->kind == &option_text) return "x";
    if (strstr(key->name, "vocabulary")) return "9";
    if (strstr(key->name, "_id")) return NULL;
    double max = key->max < 4 ? key->max : 4;
    double min = isinf(key->min) ? -1e9 : key->min;
    if (key->kind == &option_number)
        return arena_print(arena, "%g", min + (max - min) * random_unit(random));
    return arena_print(arena, "%d", (int)min + random_below(random, 5));
}

static void run_model(const Config *config) {
    static const int source_ids[] = {5, 6, 2};
    static const int target_ids[] = {1, 4, 7};
    const Ids source = {source_ids, 1, 3, NULL};
    const Ids target = {target_ids, 1, 3, NULL};
    static Model model;
    Tape tape = {0};
    Error error;
    if (!model_new(&model, config, 3, NULL, &error)) return;
    network_run(&tape, &model.network, &source, &target);
    tape_free(&tape);
    tape = (Tape){0};
    if (config->decoder_layers) generate(&tape, &model, &source, 3, true);
    tape_free(&tape);
    model_free(&model);
}

/* Start from a preset and change some keys: nothing that is accepted may crash. */
static void every_accepted_config_runs(void **state) {
    (void)state;
    Random random = random_new(11);
    int accepted = 0;
    int count = 0;
    while (presets[count].name) count++;
    for (int round = 0; round < 3000; round++) {
        Arena arena = {0};
        Config config;
        Error error;
        assert_true(
            config_preset(&config, presets[round % count].name, &arena, &error));
        config.d_model = 4;
        config.attention_heads = config.hidden_size ? 1 : 2;
        config.d_ff = config.d_ff ? 5 : 0;
        config.hidden_size = config.hidden_size ? 3 : 0;
        config.max_length = 8;
        config.source_vocabulary = config.target_vocabulary = 9;
        for (const Option *key = config_keys; key->name; key++) {
            const char *value = any_value(key, &random, &arena);
            if (random_below(&random, 10) || !value) continue;
            if (!config_set(&config, key->name, value, &arena, &error))
                fail_msg("%s", error.message);
        }
        config.tokenizer = 0;
        if (config_check(&config, &error)) {
            run_model(&config);
            accepted++;
        }
        arena_free(&arena);
    }
    assert_in_range(accepted, 500, 2900);
}

static int run_all(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_row_gets_its_verdict),
        cmocka_unit_test(every_key_with_a_wrong_type_is_named),
        cmocka_unit_test(a_typed_value_is_checked_like_one_in_a_file),
        cmocka_unit_test(every_range_is_exact_at_both_ends),
        cmocka_unit_test(every_accepted_config_runs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

int main(int count, char **argument) {
    const MalformedFiles files = {"config.json", configs, ROWS(configs)};
    return malformed_main(count, argument, &files, 1, run_all);
}
