/* Deliberate limits, each tested from both sides: the last value that is accepted, the
 * first that is not. Limits of files are in test_malformed_*.c, those of the prompt in
 * test_limits.py. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/json.h"
#include "base/random.h"
#include "canvas/canvas.h"
#include "canvas/picture.h"
#include "data/corpus.h"
#include "explain/export.h"
#include "explain/npy.h"
#include "learn/recipe.h"
#include "model/model.h"
#include "tensor/tape.h"

#include <cmocka.h> /* last: it has a macro named fail */

__extension__ typedef unsigned __int128 Wide;

static Arena arena;
static Error error;

static int reset(void **state) {
    (void)state;
    arena_free(&arena);
    error = (Error){0};
    return 0;
}

static void check_said(bool done, const char *expected) {
    if (done) fail_msg("accepted, not '%s'", expected);
    if (!strstr(error.message, expected))
        fail_msg("found '%s', not '%s'", error.message, expected);
}

/* Every sum, product and alignment of the two is correct, or reported as overflow. */
static void check_sizes(size_t a, size_t b) {
    Wide sum = (Wide)a + b;
    Wide product = (Wide)a * b;
    size_t result = 0;
    assert_int_equal(size_add(a, b, &result), sum <= SIZE_MAX);
    if (sum <= SIZE_MAX) assert_true(result == (size_t)sum);
    assert_int_equal(size_multiply(a, b, &result), product <= SIZE_MAX);
    if (product <= SIZE_MAX) assert_true(result == (size_t)product);
    if (b == 0) return;
    Wide up = ((Wide)a + b - 1) / b * b;
    assert_int_equal(size_align(a, b, &result), up <= SIZE_MAX);
    if (up <= SIZE_MAX) assert_true(result == (size_t)up);
}

static void sizes_are_right_or_reported_as_overflow(void **state) {
    (void)state;
    static const size_t edge[] = {
        0,
        1,
        2,
        UINT32_MAX,
        (size_t)UINT32_MAX + 1,
        (size_t)UINT32_MAX + 2,
        SIZE_MAX / 2,
        SIZE_MAX / 2 + 1,
        SIZE_MAX - 1,
        SIZE_MAX,
    };
    enum { EDGES = sizeof edge / sizeof *edge, ROUNDS = 200 * 1000 };
    for (int i = 0; i < EDGES; i++)
        for (int j = 0; j < EDGES; j++) check_sizes(edge[i], edge[j]);
    Random random = random_new(5);
    for (int round = 0; round < ROUNDS; round++) {
        size_t a = random_bits(&random) >> random_below(&random, 64);
        size_t b = random_bits(&random) >> random_below(&random, 64);
        check_sizes(a, b);
        if (a) check_sizes(a, SIZE_MAX / a);
    }
}

static bool read_json(const char *text) {
    const Json *json;
    return json_read((Bytes){text, strlen(text)}, "here", &arena, &json, &error);
}

/* `text` repeated. */
static char *times(const char *text, int count) {
    size_t length = strlen(text);
    char *all = arena_take(&arena, length * (size_t)count + 1);
    for (int i = 0; i < count; i++) memcpy(all + (size_t)i * length, text, length);
    return all;
}

static const char *nested(const char *open, const char *close, int depth) {
    return arena_print(&arena, "%s1%s", times(open, depth), times(close, depth));
}

static void json_is_nested_32_deep_at_most(void **state) {
    (void)state;
    assert_true(read_json(nested("[", "]", JSON_DEPTH_MAX)));
    assert_true(read_json(nested("{\"a\":", "}", JSON_DEPTH_MAX)));
    check_said(read_json(nested("[", "]", JSON_DEPTH_MAX + 1)),
               "here:1: lists and objects are nested more than 32 deep");
    check_said(read_json(nested("\n{\"a\":", "}", JSON_DEPTH_MAX + 1)), "here:34: ");
    check_said(read_json(times("[", 100 * 1000)), "more than 32 deep");
    /* Brackets inside strings do not count. */
    const char *brackets = arena_print(&arena, "[\"%s\"]", times("[{\\\"", 100));
    if (!read_json(brackets)) fail_msg("%s", error.message);
    assert_true(read_json(arena_print(&arena, "[[\"\\\\\"],\"%s\"]", times("[", 99))));
    assert_true(read_json(arena_print(&arena, "[%s[]]", times("[],", 99))));
}

static void json_has_a_million_values_at_most(void **state) {
    (void)state;
    const char *ones = times("1,", JSON_VALUES_MAX - 2);
    assert_true(read_json(arena_print(&arena, "[%s1]", ones)));
    check_said(read_json(arena_print(&arena, "[%s1,1]", ones)),
               "here has more than 1049600 values, too many to read");
}

static bool has_room(int first, int second) {
    Weights weights = {0};
    Axis axis[] = {{.name = "d_model", .size = 1}, {.name = "in", .size = first}};
    weights_add(&weights, "a", "weight", INITIAL_ZERO, 2, axis);
    axis[0].size = second;
    axis[1].size = 1;
    weights_add(&weights, "b", "weight", INITIAL_ZERO, 2, axis);
    bool done = weights_check(&weights, &error);
    weights_free(&weights);
    return done;
}

static void a_model_has_half_a_billion_weights_at_most(void **state) {
    (void)state;
    assert_true(has_room(WEIGHTS_MAX, 0));
    assert_true(has_room(WEIGHTS_MAX - 7, 7));
    check_said(has_room(WEIGHTS_MAX - 7, 8),
               "with b.weight [d_model 8, in 1] the model");
    check_said(has_room(WEIGHTS_MAX, INT32_MAX), "the limit of 536870912 weights");
    Axis huge[] = {{.name = "vocabulary", .size = 1 << 20},
                   {.name = "d", .size = 1 << 14}};
    Weights weights = {0};
    weights_add(&weights, "a", "weight", INITIAL_ZERO, 2, huge);
    check_said(weights_check(&weights, &error), "choose a smaller d_model");
    weights_free(&weights);
}

static void a_run_has_half_a_billion_numbers_at_most(void **state) {
    (void)state;
    Tape tape = {0};
    const Axis max[] = {{.name = "x", .size = TAPE_NUMBERS_MAX - 6}};
    const Axis six[] = {{.name = "query", .size = 2}, {.name = "key", .size = 3}};
    const Axis one[] = {{.name = "key", .size = 1}};
    assert_non_null(tape_given(&tape, "most", 1, max)); /* nothing is written there */
    assert_non_null(tape_given(&tape, "scores", 2, six));
    assert_null(tape_given(&tape, "weights", 1, one));
    assert_string_equal(tape.error.message,
                        "with weights, this run would need more than 536870912 numbers "
                        "(2 GiB); give shorter sentences, or fewer at a time");
    tape_reset(&tape);
    assert_non_null(tape_given(&tape, "weights", 1, one));
    const Axis huge[] = {{.name = "query", .size = 1 << 16},
                         {.name = "key", .size = 1 << 16},
                         {.name = "x", .size = 1 << 16},
                         {.name = "y", .size = 1 << 16}};
    assert_null(tape_given(&tape, "huge", 4, huge)); /* 2^64: 0 if it wrapped around */
    tape_free(&tape);
}

static void all_runs_have_a_billion_numbers_at_most(void **state) {
    (void)state;
    Tape run = {0}, steps = {0}, learning = {.learns = true},
         training = {.recycles = true};
    const Axis half[] = {{.name = "x", .size = TAPE_NUMBERS_MAX / 2}};
    const Axis one[] = {{.name = "x", .size = 1}};
    assert_non_null(tape_given(&run, "x", 1, half));
    assert_non_null(tape_given(&steps, "x", 1, half));
    assert_non_null(tape_given(&learning, "x", 1, half)); /* with its gradients */
    assert_null(tape_given(&run, "one", 1, one));
    assert_non_null(strstr(run.error.message, "1073741824 numbers (4 GiB)"));
    assert_non_null(tape_given(&training, "one", 1, one));
    tape_reset(&learning);
    assert_non_null(tape_given(&steps, "one", 1, one));
    tape_free(&run);
    tape_free(&steps);
    tape_free(&learning);
    tape_free(&training);
}

static bool has_word_of(int bytes) {
    char path[] = "/tmp/test_limits.XXXXXX";
    close(mkstemp(path));
    const char *text = arena_print(&arena, "{\"%s\": 0}", times("a", bytes));
    assert_true(file_save(path, text, strlen(text), true, &error));
    Vocabulary vocabulary;
    bool done = vocabulary_read(&vocabulary, path, &arena, &error);
    unlink(path);
    return done;
}

static void a_word_has_1024_bytes_at_most(void **state) {
    (void)state;
    assert_true(has_word_of(VOCABULARY_WORD_BYTES));
    check_said(has_word_of(VOCABULARY_WORD_BYTES + 1), "has 1025 bytes; a word has 1");
}

/* Each size of file that a reader accepts, padded with spaces up to it and one
 * beyond. */
static void config_and_recipe_have_a_megabyte_at_most(void **state) {
    (void)state;
    enum { LIMIT = 1 << 20 };
    char path[] = "/tmp/test_limits.XXXXXX";
    close(mkstemp(path));
    char *text = arena_take(&arena, LIMIT + 1);
    memset(text, ' ', LIMIT + 1);
    memcpy(text, "{}", 2);
    Config config;
    Recipe recipe;
    assert_true(file_save(path, text, LIMIT, true, &error));
    assert_true(config_read(&config, path, &arena, &error));
    check_said(recipe_read(&recipe, path, NULL, 0, &arena, &error),
               "\"data\" is missing");
    assert_true(file_save(path, text, LIMIT + 1, true, &error));
    const char *said = "has 1048577 bytes; the limit here is 1048576";
    check_said(config_read(&config, path, &arena, &error), said);
    check_said(recipe_read(&recipe, path, NULL, 0, &arena, &error), said);
    unlink(path);
}

static void a_sentence_file_has_256_megabytes_at_most(void **state) {
    (void)state;
    char path[] = "/tmp/test_limits.XXXXXX";
    close(mkstemp(path));
    const CorpusFile file = {.path = path, .source = "1"};
    Corpus corpus;
    assert_int_equal(truncate(path, (256 << 20) + 1), 0);
    check_said(corpus_read(&corpus, &file, &arena, &error),
               "has 268435457 bytes; the limit here is 268435456");
    unlink(path);
}

static bool draws(Canvas *canvas, double width, double height) {
    return canvas->begin(canvas, width, height, &error);
}

static bool draws_image(int scale, double width, double height) {
    Canvas *canvas = image_new(&arena, IMAGE_PNG, &(PictureOptions){.density = scale});
    bool done = draws(canvas, width, height);
    if (done) picture_close(canvas);
    return done;
}

static void a_picture_has_67_million_pixels_at_most(void **state) {
    (void)state;
    assert_true(draws_image(1, IMAGE_SIDE_MAX, 10));
    check_said(draws_image(1, IMAGE_SIDE_MAX + 1, 10),
               "32768 x 10 pixels, but the limit is");
    assert_true(draws_image(1, 10, IMAGE_SIDE_MAX));
    check_said(draws_image(1, 10, 1e6),
               "10 x 1000000 pixels, but the limit is 32767 per side");
    assert_true(draws_image(1, 8192, 8192));
    check_said(draws_image(1, 8192, 8193), "million in total; choose a part");
    assert_true(draws_image(2, 4096, 4096));
    check_said(draws_image(2, 4096, 4097), "8192 x 8194 pixels");
    check_said(draws_image(1, 1e300, 1e300), "choose a part of the tensor");
}

static void a_text_figure_has_4_million_characters_at_most(void **state) {
    (void)state;
    Canvas *canvas = grid_new(&arena, 1000, COLORS_NONE);
    check_said(draws(canvas, 1000, 4001),
               "would have 1000 x 4001 characters, but the limit is");
    assert_true(draws(canvas, 1000, 4000));
    check_said(draws(canvas, 1e200, 1e200), "choose a part of the tensor");
}

static bool saves_npz(int tensors) {
    char path[] = "/tmp/test_limits.XXXXXX.npz";
    close(mkstemps(path, 4));
    const Axis one = {.name = "key", .size = 1};
    Tensor *tensor = tensor_new(&arena, "a", 1, &one);
    tensor->data[0] = 1;
    Stored *stored = ARENA_ARRAY(&arena, Stored, tensors);
    for (int t = 0; t < tensors; t++) stored[t] = (Stored){"a", tensor};
    const Contents trace = {.stored = stored, .count = tensors};
    bool done = trace_save(&trace, path, true, &error);
    unlink(path);
    return done;
}

static void an_npz_has_32766_tensors_at_most(void **state) {
    (void)state;
    assert_true(saves_npz(NPZ_TENSORS_MAX));
    check_said(saves_npz(NPZ_TENSORS_MAX + 1), "would have more than 32766 tensors");
}

#define TEST(name) cmocka_unit_test_teardown(name, reset)

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(sizes_are_right_or_reported_as_overflow),
        TEST(json_is_nested_32_deep_at_most),
        TEST(json_has_a_million_values_at_most),
        TEST(a_model_has_half_a_billion_weights_at_most),
        TEST(a_run_has_half_a_billion_numbers_at_most),
        TEST(all_runs_have_a_billion_numbers_at_most),
        TEST(a_word_has_1024_bytes_at_most),
        TEST(config_and_recipe_have_a_megabyte_at_most),
        TEST(a_sentence_file_has_256_megabytes_at_most),
        TEST(an_npz_has_32766_tensors_at_most),
        TEST(a_picture_has_67_million_pixels_at_most),
        TEST(a_text_figure_has_4_million_characters_at_most),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
