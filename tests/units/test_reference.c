/* Every number of every preset equals that of an independent program: see
 * tests/reference/README.md. */
#include <ctype.h>
#include <dirent.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "model/beam.h"
#include "model/network.h"

#include <cmocka.h> /* last: it has a macro named fail */

/* Our models, and the original checkpoints of other families. */
static const char *const cases = "tests/reference/cases";
static const char *const families = "tests/reference/families";

enum { CASES_MAX = 64, GREEDY_LIMIT = 12 };

typedef struct {
    Arena arena;
    Model model;
    SafeTensors expected;
    Tape tape;
} Fixture;

static Ids expected_ids(Fixture *fixture, const char *name) {
    const StoredTensor *stored = safetensors_find(&fixture->expected, name);
    Number *number;
    if (!stored) return (Ids){0};
    assert_true(safetensors_numbers(stored, &fixture->arena, &number));
    int *id = ARENA_ARRAY(&fixture->arena, int, stored->count);
    for (size_t i = 0; i < stored->count; i++) id[i] = (int)number[i];
    int rows = stored->rank == 2 ? (int)stored->shape[0] : 1;
    return (Ids){id, rows, (int)stored->count / rows, NULL};
}

/* |a - b|| / ||b||, ignoring equal infinities and scores that both mask far below 0. */
static double distance(const Number *found, const Number *expected, size_t count) {
    double difference = 0;
    double size = 0;
    for (size_t i = 0; i < count; i++) {
        if (found[i] == expected[i]) continue;
        if (expected[i] < (Number)-1e8 && found[i] < (Number)-1e8) continue;
        difference += pow((double)found[i] - (double)expected[i], 2);
    }
    for (size_t i = 0; i < count; i++)
        if (isfinite(expected[i]) && expected[i] > (Number)-1e8)
            size += pow((double)expected[i], 2);
    if (difference == 0) return 0;
    return sqrt(difference) / (size > 0 ? sqrt(size) : 1);
}

static bool same_shape(const Tensor *found, const StoredTensor *expected) {
    if (found->rank != expected->rank) return false;
    for (int a = 0; a < found->rank; a++)
        if (found->axis[a].size != expected->shape[a]) return false;
    return true;
}

static void check_tensor(Fixture *fixture, const char *folder,
                         const StoredTensor *expected) {
    const Tensor *found = tape_find(&fixture->tape, expected->name);
    if (!found) fail_msg("%s: there is no %s", folder, expected->name);
    if (!same_shape(found, expected))
        fail_msg("%s: %s is %s, not %s", folder, expected->name, shape_text(found).text,
                 safetensors_describe(expected, &fixture->arena));
    Number *number;
    assert_true(safetensors_numbers(expected, &fixture->arena, &number));
    double far = distance(found->data, number, expected->count);
    if (!(far <= 1e-5)) fail_msg("%s: %s is off by %g", folder, expected->name, far);
}

static void check_run(Fixture *fixture, const char *folder) {
    Ids source = expected_ids(fixture, "encoder.ids");
    Ids target = expected_ids(fixture, "decoder.ids");
    network_run(&fixture->tape, &fixture->model.network, &source, &target);
    if (fixture->tape.failed) fail_msg("%s: %s", folder, fixture->tape.error.message);
    for (int t = 0; t < fixture->expected.count; t++)
        if (strncmp(fixture->expected.tensor[t].name, "greedy.", 7) != 0 &&
            strncmp(fixture->expected.tensor[t].name, "prompt.", 7) != 0 &&
            strncmp(fixture->expected.tensor[t].name, "beam", 4) != 0)
            check_tensor(fixture, folder, &fixture->expected.tensor[t]);
}

/* A row of the source without its padding. */
static Ids row_alone(Fixture *fixture, int row) {
    Ids source = expected_ids(fixture, "encoder.ids");
    if (!source.id) return expected_ids(fixture, "prompt.0");
    Ids one = {source.id + row * source.length, 1, source.length, NULL};
    while (one.id[one.length - 1] == fixture->model.config.pad_id) one.length--;
    return one;
}

/* Decoded with and without a cache. */
static void check_greedy(Fixture *fixture, const char *folder, int row, bool remember) {
    char name[16];
    snprintf(name, sizeof name, "greedy.%d", row);
    Ids expected = expected_ids(fixture, name);
    if (!expected.id) return;
    Ids one = row_alone(fixture, row);
    tape_reset(&fixture->tape);
    Generated found =
        generate(&fixture->tape, &fixture->model, &one, GREEDY_LIMIT, remember);
    if (fixture->tape.failed) fail_msg("%s: %s", folder, fixture->tape.error.message);
    if (found.count != expected.length)
        fail_msg("%s: %s has %d ids, not %d", folder, name, found.count,
                 expected.length);
    for (int i = 0; i < found.count; i++)
        if (found.id[i] != expected.id[i])
            fail_msg("%s: %s: id %d is %d, not %d", folder, name, i, found.id[i],
                     expected.id[i]);
}

/* As in cases.py. */
static const struct {
    int width;
    double alpha;
} beams[] = {{2, 0}, {3, 0.6}, {5, 1}};

static int beams_checked;
static unsigned activations_checked; /* a bit for each */

static void check_beam(Fixture *fixture, const char *folder, int row, int b,
                       bool cached) {
    char name[32];
    snprintf(name, sizeof name, "beam.%d.%d", beams[b].width, row);
    Ids expected = expected_ids(fixture, name);
    if (!expected.id) return;
    snprintf(name, sizeof name, "beam_log.%d.%d", beams[b].width, row);
    const StoredTensor *stored = safetensors_find(&fixture->expected, name);
    Number *log_probability;
    assert_non_null(stored);
    assert_true(safetensors_numbers(stored, &fixture->arena, &log_probability));
    Ids one = row_alone(fixture, row);
    tape_reset(&fixture->tape);
    Encoded encoded = network_encode(&fixture->tape, &fixture->model.network, &one);
    const BeamOptions options = {beams[b].width, beams[b].alpha, GREEDY_LIMIT, cached};
    Beam beam = beam_search(&fixture->tape, &fixture->model, &encoded, &options,
                            &fixture->arena);
    if (fixture->tape.failed) fail_msg("%s: %s", folder, fixture->tape.error.message);
    Generated found = beam_target(&beam, beam.best, &fixture->arena);
    if (found.count != expected.length)
        fail_msg("%s: %s has %d ids, not %d", folder, name, found.count,
                 expected.length);
    for (int i = 0; i < found.count; i++)
        if (found.id[i] != expected.id[i])
            fail_msg("%s: %s: id %d is %d, not %d", folder, name, i, found.id[i],
                     expected.id[i]);
    double far =
        fabs(beam.node[beam.best].log_probability - (double)log_probability[0]);
    if (!(far <= 1e-4)) fail_msg("%s: %s is off by %g", folder, name, far);
    beams_checked++;
}

static void check_case(const char *place, const char *name) {
    static Fixture fixture;
    Error error;
    fixture = (Fixture){0};
    Arena *arena = &fixture.arena;
    const char *folder = arena_print(arena, "%s/%s", place, name);
    if (!model_open(&fixture.model, folder, &error)) fail_msg("%s", error.message);
    activations_checked |= 1u << fixture.model.config.activation;
    const char *path = arena_print(arena, "%s/expected.safetensors", folder);
    if (!safetensors_read(&fixture.expected, path, arena, &error))
        fail_msg("%s", error.message);
    check_run(&fixture, folder);
    for (int row = 0; row < 2; row++) {
        check_greedy(&fixture, folder, row, true);
        check_greedy(&fixture, folder, row, false);
        for (int b = 0; b < 3; b++) {
            check_beam(&fixture, folder, row, b, true);
            check_beam(&fixture, folder, row, b, false);
        }
    }
    tape_free(&fixture.tape);
    model_free(&fixture.model);
    arena_free(&fixture.arena);
}

/* Return the number of cases. */
static int check_cases(const char *place) {
    DIR *folder = opendir(place);
    assert_non_null(folder);
    int count = 0;
    for (struct dirent *entry; (entry = readdir(folder));) {
        if (entry->d_name[0] == '.') continue;
        check_case(place, entry->d_name);
        count++;
    }
    closedir(folder);
    return count;
}

static void test_every_number_equals_the_reference(void **state) {
    (void)state;
    assert_true(check_cases(cases) >= 28);
    assert_true(beams_checked >= 200);
    for (int a = 0; activation_names[a]; a++)
        if (!(activations_checked >> a & 1))
            fail_msg("no case of tests/reference/cases.py has the activation %s",
                     activation_names[a]);
}

/* The last word of each address is in the list of src/README.md. */
static void test_every_address_is_documented(void **state) {
    (void)state;
    Arena arena = {0};
    Error error;
    Bytes document;
    SafeTensors expected;
    assert_true(file_read("src/README.md", 1 << 20, &arena, &document, &error));
    const char *list = strstr(document.bytes, "**Addresses.**");
    assert_non_null(list);
    static const char *const folders[] = {"cases/paper-layers-1-heads-1",
                                          "cases/keras-layers-1-heads-1",
                                          "cases/mixed-today",
                                          "cases/classifier-rnn",
                                          "cases/seq2seq",
                                          "families/bert"};
    for (size_t f = 0; f < sizeof folders / sizeof *folders; f++) {
        const char *path =
            arena_print(&arena, "tests/reference/%s/expected.safetensors", folders[f]);
        assert_true(safetensors_read(&expected, path, &arena, &error));
        for (int t = 0; t < expected.count; t++) {
            const char *dot = strrchr(expected.tensor[t].name, '.');
            const char *word = dot ? dot + 1 : expected.tensor[t].name;
            if (!isdigit((unsigned char)*word) && !strstr(list, word))
                fail_msg("no address ends in %s", word);
        }
    }
    arena_free(&arena);
}

static void test_folders_of_other_families_open_as_they_lie(void **state) {
    (void)state;
    assert_true(check_cases(families) >= 8);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_number_equals_the_reference),
        cmocka_unit_test(test_every_address_is_documented),
        cmocka_unit_test(test_folders_of_other_families_open_as_they_lie),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
