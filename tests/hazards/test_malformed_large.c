/* Large safetensors files, and files that change while they are read: time and memory
 * are bounded, and the program never crashes. */
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>

#include "base/interrupt.h"
#include "base/json.h"
#include "malformed.h"
#include "sample.h"
#include "store/folder.h"

/* Sanitizers keep freed memory. */
#if defined __SANITIZE_ADDRESS__
enum { MEASURES_MEMORY = 0 };
#else
enum { MEASURES_MEMORY = 1 };
#endif

/* The maximum memory of the process since the last fresh_peak(), in bytes. */
static size_t peak(void) {
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    return (size_t)usage.ru_maxrss * 1024;
}

/* Reset the peak to the current memory: an earlier peak would hide a later one. */
static size_t fresh_peak(void) {
    FILE *reset = fopen("/proc/self/clear_refs", "w");
    if (reset) {
        fputs("5", reset);
        fclose(reset);
    }
    return peak();
}

static void check_growth(size_t before, size_t bytes) {
    size_t more = peak() - before;
    if (MEASURES_MEMORY && more > bytes)
        fail_msg("%zu bytes more; at most %zu are allowed", more, bytes);
}

/* Check that reading fails with this message, and takes at most that much memory. */
static void check_bounded(const char *path, const char *expected, size_t bytes) {
    Arena arena = {0};
    SafeTensors file;
    Error error = {0};
    size_t before = fresh_peak();
    bool done = safetensors_read(&file, path, &arena, &error);
    check_growth(before, bytes);
    arena_free(&arena);
    check_verdict(path, done, expected, path, &error);
}

/* A sparse file of `size` bytes that starts with `length` as the length of its
 * header. */
static const char *write_hollow(uint64_t length, off_t size, Arena *arena) {
    char start[8];
    for (int b = 0; b < 8; b++) start[b] = (char)(length >> (8 * b) & 0xff);
    const char *path = write_file("file", (Bytes){start, sizeof start}, arena);
    assert_int_equal(truncate(path, size), 0);
    return path;
}

static void a_header_beyond_the_file_or_the_limit_costs_nothing(void **state) {
    (void)state;
    Arena arena = {0};
    enum { LIMIT = 16 << 20 };
    const off_t gigabytes = (off_t)6 << 30;
    const size_t megabyte = 1 << 20;
    const char *path = write_hollow((uint64_t)1 << 60, 16, &arena);
    check_bounded(path, "header would have 1152921504606846976", megabyte);
    path = write_hollow((uint64_t)1 << 60, gigabytes, &arena);
    check_bounded(path, "the file has 6442450944", megabyte);
    path = write_hollow(LIMIT + 1, gigabytes, &arena);
    check_bounded(path, "the limit is 16777216", megabyte);
    path = write_hollow(LIMIT, LIMIT + 8, &arena); /* zeros are not JSON */
    check_bounded(path, "this is not valid JSON", 64 * megabyte);
    path = write_hollow(2, ((off_t)8 << 30) + 1, &arena);
    check_bounded(path, "the limit here is 8589934592", megabyte);
    arena_free(&arena);
}

/* {"0":1,"1":1 ...}: a header of many entries. */
static const char *write_entries(int count, const char *entry, Arena *arena) {
    size_t room = (size_t)count * (strlen(entry) + 12) + 3;
    char *text = arena_take(arena, room);
    char *end = stpcpy(text, "{");
    for (int i = 0; i < count; i++)
        end += sprintf(end, "%s\"%x\":%s", i ? "," : "", (unsigned)i, entry);
    end = stpcpy(end, "}");
    Bytes bytes = with_header(text, (size_t)(end - text), 0, arena);
    return write_file("file", bytes, arena);
}

/* No entry takes more memory than the limit allows. */
static void check_entries(int count, const char *entry, const char *expected) {
    Arena arena = {0};
    struct stat status;
    const char *path = write_entries(count, entry, &arena);
    arena_free(&arena);
    path = file_join(&arena, malformed_folder, "file");
    assert_int_equal(stat(path, &status), 0);
    check_bounded(path, expected, ((size_t)32 << 20) + 64 * (size_t)status.st_size);
    arena_free(&arena);
}

static void a_header_of_many_entries_is_bounded(void **state) {
    (void)state;
    check_entries(HEADER_VALUES_MAX - 1, "1", "not an object of at most 65536 tensors");
    check_entries(HEADER_VALUES_MAX, "1", "has more than 524288 values");
    if (checks_all()) {
        check_entries(HEADER_VALUES_MAX / 2 - 1, "{}",
                      "not an object of at most 65536");
        check_entries(TENSORS_MAX + 1, "1", "not an object of at most 65536 tensors");
    }
    check_entries(TENSORS_MAX, "1", "0: it must have only dtype");
    check_entries((checks_all() ? 10 : 2) * 1000 * 1000, "1", "the limit is 16777216");
}

/* Weights with a square matrix for each of `names`, which ends with NULL. */
static Weights declare(const char *const *names, int size) {
    Weights weights = {0};
    const Axis axis[] = {{.name = "out", .size = size}, {.name = "in", .size = size}};
    for (int n = 0; names[n]; n++)
        weights_add(&weights, names[n], "weight", INITIAL_MATRIX, 2, axis);
    return weights;
}

/* A sparse model.safetensors of zeros. */
static const char *write_zeros(const char *header, size_t data, Arena *arena) {
    Bytes bytes = with_header(header, strlen(header), 0, arena);
    const char *path = write_file("model.safetensors", bytes, arena);
    assert_int_equal(truncate(path, (off_t)(bytes.size + data)), 0);
    return path;
}

/* Read the declared weights from the folder, and free the memory. */
static bool take(const char *const *names, int size, const Family *family,
                 Error *error) {
    Arena arena = {0};
    Origin origin;
    Weights weights = declare(names, size);
    bool done =
        folder_read_weights(malformed_folder, family, &weights, &origin, &arena, error);
    weights_free(&weights);
    arena_free(&arena);
    return done;
}

enum {
    MEGABYTE = 1 << 20,
    SIDE = 2048,
    SIDE_BYTES = SIDE * SIDE * (int)sizeof(Number)
};

/* 134 million zeros: the file is sparse. */
static void weights_that_do_not_fit_are_not_copied(void **state) {
    (void)state;
    static const char *const names[] = {"one", "two", NULL};
    Arena arena = {0};
    Error error;
    const char *path = write_zeros(
        "{\"one.weight\":{\"dtype\":\"F64\",\"shape\":[2048,2048],\"data_offsets\":[0,"
        "33554432]},\"more\":{\"dtype\":\"F64\",\"shape\":[134217728],\"data_offsets\":"
        "["
        "33554432,1107296256]}}",
        1107296256, &arena);
    size_t before = fresh_peak();
    assert_false(take(names, SIDE, NULL, &error));
    check_growth(before, 2 * MEGABYTE);
    assert_non_null(strstr(error.message, "does not fit config.json (2 differences)"));
    assert_non_null(strstr(error.details, "two.weight is missing"));
    unlink(path);
    arena_free(&arena);
}

/* GPT-2 has queries, keys and values in one matrix. */
static void each_of_three_parts_of_a_matrix_is_copied_once(void **state) {
    (void)state;
    static const char *const names[] = {"model.decoder.layers.0.self_attn.q_proj",
                                        "model.decoder.layers.0.self_attn.k_proj",
                                        "model.decoder.layers.0.self_attn.v_proj",
                                        NULL};
    Arena arena = {0};
    Error error;
    const char *path =
        write_zeros("{\"h.0.attn.c_attn.weight\":{\"dtype\":\"F16\",\"shape\":[2048,"
                    "6144],\"data_offsets\":[0,25165824]}}",
                    25165824, &arena);
    size_t before = fresh_peak();
    if (!take(names, SIDE, family_find("gpt2"), &error)) fail_msg("%s", error.message);
    check_growth(before, (size_t)3 * SIDE_BYTES + 25165824 + 4 * MEGABYTE);
    unlink(path);
    arena_free(&arena);
}

/* A part of a model with `count` tensors of one byte each, numbered from `first`. */
static void write_part(const char *name, int first, int count) {
    Arena arena = {0};
    enum { ENTRY = 80 };
    char *text = arena_take(&arena, (size_t)count * ENTRY + 3);
    char *end = stpcpy(text, "{");
    for (int i = 0; i < count; i++)
        end += sprintf(end,
                       "%s\"t%d\":{\"dtype\":\"U8\",\"shape\":[1],\"data_offsets\":["
                       "%d,%d]}",
                       i ? "," : "", first + i, i, i + 1);
    end = stpcpy(end, "}");
    write_file(name, with_header(text, (size_t)(end - text), (size_t)count, &arena),
               &arena);
    arena_free(&arena);
}

/* Two parts; the index names the first tensor of each. */
static void parts_have_a_limit_together_and_each_tensor_once(void **state) {
    (void)state;
    static const char *const names[] = {NULL};
    static const struct {
        int count, first; /* in the second part */
        const char *expected;
    } rows[] = {
        {TENSORS_MAX / 2, TENSORS_MAX / 2, "does not fit config.json (65536 diff"},
        {TENSORS_MAX / 2 + 1, TENSORS_MAX / 2,
         "its parts have more than 65536 tensors"},
        {1, TENSORS_MAX / 2 - 1, "two parts of the model have the tensor t32767"},
    };
    Arena arena = {0};
    write_part("part-1", 0, TENSORS_MAX / 2);
    for (int r = 0; r < ROWS(rows); r++) {
        Error error;
        write_part("part-2", rows[r].first, rows[r].count);
        const char *index = arena_print(
            &arena, "{\"weight_map\":{\"t0\":\"part-1\",\"t%d\":\"part-2\"}}",
            rows[r].first);
        const char *path = write_file("model.safetensors.index.json",
                                      (Bytes){index, strlen(index)}, &arena);
        bool done = take(names, 1, NULL, &error);
        check_verdict("parts", done, rows[r].expected, path, &error);
        unlink(path);
    }
    unlink(file_join(&arena, malformed_folder, "part-1"));
    unlink(file_join(&arena, malformed_folder, "part-2"));
    arena_free(&arena);
}

/* A signal that comes before the work stops it at the first check. */
static void a_signal_stops_each_step_of_reading_weights(void **state) {
    (void)state;
    static const char *const names[] = {"one", NULL};
    static const char header[] = "{\"one.weight\":{\"dtype\":\"BF16\",\"shape\":[2048,"
                                 "2048],\"data_offsets\":[0,8388608]}}";
    Arena arena = {0};
    SafeTensors file;
    Error error = {0};
    const Json *json;
    Number *numbers;
    const char *path = write_zeros(header, 8388608, &arena);
    assert_true(safetensors_read(&file, path, &arena, &error));
    interrupt_again(SIGINT);
    assert_false(
        json_read((Bytes){header, strlen(header)}, path, &arena, &json, &error));
    assert_true(error.is_stop);
    assert_false(safetensors_numbers(file.tensor, &arena, &numbers));
    Weights weights = declare(names, SIDE);
    error = (Error){0};
    assert_false(weights_take(&weights, &file, NULL, &error));
    assert_true(error.is_stop);
    assert_int_equal(interrupt_answer(), SIGINT);
    assert_true(weights_take(&weights, &file, NULL, &error));
    weights_free(&weights);
    unlink(path);
    arena_free(&arena);
}

/* W11: a thread that repeatedly makes the file shorter, longer, and replaces it. */
typedef struct {
    const char *path, *other;
    Bytes bytes;
    atomic_bool stop;
} Spoiler;

static void *spoil(void *context) {
    Spoiler *spoiler = context;
    for (unsigned i = 0; !spoiler->stop; i++) {
        int file = open(spoiler->path, O_WRONLY);
        if (file >= 0) {
            if (ftruncate(file, (off_t)(i * 7919 % spoiler->bytes.size)) != 0) break;
            if (pwrite(file, spoiler->bytes.bytes, spoiler->bytes.size, 0) < 0) break;
            close(file);
        }
        if (i % 3) continue;
        FILE *fresh = fopen(spoiler->other, "w");
        fwrite(spoiler->bytes.bytes, 1, spoiler->bytes.size, fresh);
        fclose(fresh);
        rename(spoiler->other, spoiler->path);
    }
    return NULL;
}

static void a_file_that_changes_while_it_is_read_is_whole_or_refused(void **state) {
    (void)state;
    Arena arena = {0};
    enum { NUMBERS = 64 * 1024 };
    const int loads = checks_all() ? 1000 : 200;
    const char *header = arena_print(
        &arena, "{\"a\":{\"dtype\":\"F32\",\"shape\":[%d],\"data_offsets\":[0,%d]}}",
        NUMBERS, 4 * NUMBERS);
    Bytes good = with_header(header, strlen(header), (size_t)4 * NUMBERS, &arena);
    Spoiler spoiler = {
        .path = write_file("file", good, &arena),
        .other = file_join(&arena, malformed_folder, "other"),
        .bytes = good,
    };
    pthread_t thread;
    assert_int_equal(pthread_create(&thread, NULL, spoil, &spoiler), 0);
    int whole = 0;
    int load = 0;
    /* On a single core the thread may be late: continue until both results were
     * seen. */
    for (; load < loads || whole == 0 || whole == load; load++) {
        if (load == 1000 * loads) fail_msg("of %d loads %d were whole", load, whole);
        Arena scratch = {0};
        SafeTensors file;
        Error error = {0};
        if (safetensors_read(&file, spoiler.path, &scratch, &error)) {
            assert_int_equal(file.tensor[0].count, NUMBERS);
            whole++;
        } else {
            assert_non_null(strstr(error.message, spoiler.path));
        }
        arena_free(&scratch);
    }
    spoiler.stop = true;
    pthread_join(thread, NULL);
    unlink(spoiler.other);
    print_message("%d of %d loads were of a whole file\n", whole, load);
    arena_free(&arena);
}

/* A kernel file that claims to have 4096 bytes, and gives fewer, like a file that is
 * cut while it is read. */
static void a_file_that_gives_less_than_it_says_is_refused(void **state) {
    (void)state;
    static const char path[] = "/sys/devices/system/cpu/online";
    Arena arena = {0};
    Bytes bytes;
    Error error = {0};
    if (access(path, R_OK) != 0) skip();
    assert_false(file_read(path, 1 << 20, &arena, &bytes, &error));
    assert_string_equal(error.message, "/sys/devices/system/cpu/online became shorter "
                                       "while it was read; try again");
    arena_free(&arena);
}

static int run_all(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(weights_that_do_not_fit_are_not_copied),
        cmocka_unit_test(a_header_beyond_the_file_or_the_limit_costs_nothing),
        cmocka_unit_test(a_header_of_many_entries_is_bounded),
        cmocka_unit_test(each_of_three_parts_of_a_matrix_is_copied_once),
        cmocka_unit_test(parts_have_a_limit_together_and_each_tensor_once),
        cmocka_unit_test(a_signal_stops_each_step_of_reading_weights),
        cmocka_unit_test(a_file_that_gives_less_than_it_says_is_refused),
        cmocka_unit_test(a_file_that_changes_while_it_is_read_is_whole_or_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

int main(int count, char **argument) {
    /* Use small pages, so that the measured memory is the memory used. */
    prctl(PR_SET_THP_DISABLE, 1, 0, 0, 0);
    return malformed_main(count, argument, NULL, 0, run_all);
}
