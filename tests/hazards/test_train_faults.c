/* What is left after failures of a training: full disks, damaged files, numbers that
 * overflow. */
#include <dlfcn.h>
#include <errno.h>

#include "units/training_run.h"

/* Replacements for the library's fsync() and rename(): call number `failing` fails. */
static int calls, failing;

static bool fails_now(void) {
    if (++calls != failing) return false;
    errno = ENOSPC;
    return true;
}

int fsync(int file) {
    typedef int Real(int);
    Real *real;
    *(void **)&real = dlsym(RTLD_NEXT, "fsync");
    return fails_now() ? -1 : real(file);
}

int rename(const char *from, const char *to) {
    typedef int Real(const char *, const char *);
    Real *real;
    *(void **)&real = dlsym(RTLD_NEXT, "rename");
    return fails_now() ? -1 : real(from, to);
}

/* Without norms, and with a growing learning rate, numbers overflow after a while. */
static void a_loss_that_is_nan_keeps_the_last_save(void **state) {
    (void)state;
    Arena arena = {0};
    TrainingRun wild = {.replaces = true,
                        .set = {output("wild", &arena), "model.norm=none",
                                "factor=1000", "save_every=1"},
                        .sets = 4};
    check_error(&wild, "is not finite");
    int saved = wild.trained.steps;
    assert_in_range(saved, 1, 99);
    assert_non_null(
        strstr(wild.error.message, arena_print(&arena, "step %d:", saved + 1)));
    TrainingRun again = wild;
    again.replaces = false;
    again.resumes = true;
    check_error(&again, wild.error.message);
    arena_free(&arena);
}

static bool resumes(const char *name) {
    Arena arena = {0};
    TrainingRun run = {
        .resumes = true, .set = {output(name, &arena), "steps=22"}, .sets = 2};
    bool done = train(&run);
    if (!done) print_message("%s\n", run.error.message);
    arena_free(&arena);
    return done;
}

/* The first 10 steps are saved; then the n-th call of fsync() or rename() fails, for
 * each n until there are no more calls. */
static void a_write_that_fails_leaves_a_checkpoint_that_resumes(void **state) {
    (void)state;
    Arena arena = {0};
    int failures = 0;
    for (int n = 1; failing == 0; n++) {
        TrainingRun first = {.replaces = true,
                             .set = {output("full", &arena), "steps=10", "samples=0"},
                             .sets = 3};
        TrainingRun second = {.resumes = true,
                              .set = {output("full", &arena), "steps=20", "samples=0"},
                              .sets = 3};
        must_train(&first);
        calls = 0;
        failing = n;
        bool done = train(&second);
        if (calls < n) break;
        failing = 0;
        /* Flushing a folder may fail silently. */
        if (!done) assert_non_null(strstr(second.error.message, "No space left"));
        failures += !done;
        if (!resumes("full")) fail_msg("after failure %d nothing resumes", n);
    }
    failing = 0;
    assert_true(failures >= 10);
    DIR *all = opendir(in_folder("full", &arena));
    for (struct dirent *entry; (entry = readdir(all));)
        if (strstr(entry->d_name, ".json.") || strstr(entry->d_name, ".safetensors."))
            fail_msg("%s was left behind", entry->d_name);
    closedir(all);
    arena_free(&arena);
}

/* Change every byte at the start of the header and some of the numbers, and truncate
 * the file. */
static void a_damaged_checkpoint_is_refused(void **state) {
    (void)state;
    Arena arena = {0};
    Error error;
    TrainingRun first = {
        .replaces = true, .set = {output("hurt", &arena), "steps=3"}, .sets = 2};
    must_train(&first);
    Bytes good = bytes_of("hurt/checkpoint.safetensors", &arena);
    const char *path = in_folder("hurt/checkpoint.safetensors", &arena);
    TrainingRun again = {
        .resumes = true, .set = {output("hurt", &arena), "steps=4"}, .sets = 2};
    size_t header = 8 + (size_t) * (const uint64_t *)(const void *)good.bytes;
    for (size_t at = header; at < good.size; at += good.size / 23) {
        char *bad = arena_copy(&arena, good.bytes, good.size);
        bad[at] ^= 1;
        assert_true(file_save(path, bad, good.size, true, &error));
        check_error(&again, "is damaged: its checksum is wrong");
    }
    for (size_t size = 0; size < good.size; size += good.size / 17) {
        assert_true(file_save(path, good.bytes, size, true, &error));
        assert_false(train(&again));
        assert_non_null(strstr(again.error.message, "checkpoint.safetensors"));
    }
    for (size_t at = 0; at < header; at += 97) {
        char *bad = arena_copy(&arena, good.bytes, good.size);
        bad[at] ^= 2;
        assert_true(file_save(path, bad, good.size, true, &error));
        train(&again); /* any result is fine if it does not crash */
    }
    arena_free(&arena);
}

static int run_all(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_loss_that_is_nan_keeps_the_last_save),
        cmocka_unit_test(a_write_that_fails_leaves_a_checkpoint_that_resumes),
        cmocka_unit_test(a_damaged_checkpoint_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

int main(void) {
    return run_in_folder(run_all);
}
