/* Files: what is written is whole or not there, and nothing is overwritten unasked. */
#include <dirent.h>
#include <dlfcn.h>
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"

#include <cmocka.h> /* last: it has a macro named fail */

static Arena arena;
static char folder[] = "/tmp/glassbox-file-XXXXXX";

static const char *in_folder(const char *name) {
    return file_join(&arena, folder, name);
}

/* How many files the folder holds, forgotten temporary ones among them. */
static int count_files(void) {
    int count = 0;
    DIR *open = opendir(folder);
    assert_non_null(open);
    for (struct dirent *entry; (entry = readdir(open));)
        count += entry->d_name[0] != '.';
    closedir(open);
    return count;
}

/* What was flushed to the disk, in order: f for a file, d for a folder. */
static char flushed[16];

int fsync(int file) {
    typedef int Real(int);
    Real *real;
    struct stat status;
    *(void **)&real = dlsym(RTLD_NEXT, "fsync");
    size_t count = strlen(flushed);
    bool is_known = fstat(file, &status) == 0 && count + 1 < sizeof flushed;
    if (is_known) flushed[count] = S_ISDIR(status.st_mode) ? 'd' : 'f';
    return real(file);
}

static int make_folder(void **state) {
    (void)state;
    memcpy(folder + strlen(folder) - 6, "XXXXXX", 6);
    return mkdtemp(folder) ? 0 : 1;
}

static int remove_folder(void **state) {
    (void)state;
    DIR *open = opendir(folder);
    for (struct dirent *entry; open && (entry = readdir(open));)
        unlinkat(dirfd(open), entry->d_name, 0);
    closedir(open);
    rmdir(folder);
    arena_free(&arena);
    return 0;
}

static void assert_holds(const char *path, const char *text) {
    Bytes bytes;
    Error error;
    if (!file_read(path, 1000, &arena, &bytes, &error)) fail_msg("%s", error.message);
    assert_int_equal(bytes.size, strlen(text));
    assert_string_equal(bytes.bytes, text);
}

static void test_a_saved_file_holds_what_was_written(void **state) {
    (void)state;
    Error error;
    const char *path = in_folder("a");
    assert_true(file_save(path, "one", 3, false, &error));
    assert_holds(path, "one");
    assert_int_equal(count_files(), 1);
}

/* First what the name will stand for, then the name. */
static void test_a_file_is_on_the_disk_and_then_its_name(void **state) {
    (void)state;
    Error error;
    for (int replace = 0; replace < 2; replace++) {
        memset(flushed, 0, sizeof flushed);
        assert_true(file_save(in_folder("a"), "one", 3, replace, &error));
        assert_string_equal(flushed, "fd");
    }
}

static void test_a_file_that_exists_is_kept_without_force(void **state) {
    (void)state;
    Error error;
    const char *path = in_folder("a");
    assert_true(file_save(path, "one", 3, false, &error));
    assert_false(file_save(path, "two", 3, false, &error));
    assert_non_null(strstr(error.message, "--force"));
    assert_holds(path, "one");
    assert_true(file_save(path, "two", 3, true, &error));
    assert_holds(path, "two");
    assert_int_equal(count_files(), 1);
}

static void test_a_name_that_came_into_use_meanwhile_is_kept(void **state) {
    (void)state;
    Error error;
    FileSave save;
    const char *path = in_folder("a");
    assert_true(file_save_begin(&save, path, false, &error));
    fputs("mine", save.stream);
    assert_true(file_save(path, "theirs", 6, false, &error));
    assert_false(file_save_end(&save, &error));
    assert_holds(path, "theirs");
    assert_int_equal(count_files(), 1);
}

static void test_giving_up_leaves_nothing(void **state) {
    (void)state;
    Error error;
    FileSave save;
    assert_true(file_save_begin(&save, in_folder("a"), false, &error));
    fputs("half", save.stream);
    file_save_abandon(&save);
    assert_int_equal(count_files(), 0);
}

static void test_a_full_device_is_an_error(void **state) {
    (void)state;
    Error error;
    assert_false(file_save("/dev/full", "x", 1, true, &error));
    assert_non_null(strstr(error.message, "/dev/full"));
    struct stat status;
    assert_int_equal(stat("/dev/full", &status), 0);
    assert_true(S_ISCHR(status.st_mode));
}

static void test_a_file_beyond_the_limit_is_refused(void **state) {
    (void)state;
    Error error;
    Bytes bytes;
    const char *path = in_folder("a");
    assert_true(file_save(path, "12345", 5, false, &error));
    assert_false(file_read(path, 4, &arena, &bytes, &error));
    assert_true(file_read(path, 5, &arena, &bytes, &error));
    assert_false(file_read(folder, 5, &arena, &bytes, &error));
    assert_non_null(strstr(error.message, "folder"));
    assert_false(file_read("/dev/zero", 1 << 20, &arena, &bytes, &error));
}

int main(void) {
#define WITH_FOLDER(test)                                                              \
    cmocka_unit_test_setup_teardown(test, make_folder, remove_folder)
    const struct CMUnitTest tests[] = {
        WITH_FOLDER(test_a_saved_file_holds_what_was_written),
        WITH_FOLDER(test_a_file_is_on_the_disk_and_then_its_name),
        WITH_FOLDER(test_a_file_that_exists_is_kept_without_force),
        WITH_FOLDER(test_a_name_that_came_into_use_meanwhile_is_kept),
        WITH_FOLDER(test_giving_up_leaves_nothing),
        WITH_FOLDER(test_a_full_device_is_an_error),
        WITH_FOLDER(test_a_file_beyond_the_limit_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
