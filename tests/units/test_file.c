/* Files: a written file is complete or does not exist, and nothing is overwritten
 * unasked. */
#include <dirent.h>
#include <dlfcn.h>
#include <fcntl.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/file.h"

#include <cmocka.h> /* last: it has a macro named fail */

static Arena arena;
static char folder[] = "/tmp/glassbox-file-XXXXXX";

static const char *in_folder(const char *name) {
    return file_join(&arena, folder, name);
}

/* Count the files in the folder, including leftover temporary ones. */
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

static void test_a_saved_file_has_the_written_bytes(void **state) {
    (void)state;
    Error error;
    const char *path = in_folder("a");
    assert_true(file_save(path, "one", 3, false, &error));
    assert_holds(path, "one");
    assert_int_equal(count_files(), 1);
}

/* First the contents, then the name. */
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

/* Only the writer's death shows that the file will not be completed. */
static void test_the_next_save_removes_files_of_a_killed_process(void **state) {
    (void)state;
    Error error;
    int begun[2];
    char byte;
    assert_int_equal(pipe(begun), 0);
    pid_t writer = fork();
    if (writer == 0) {
        FileSave save;
        file_save_begin(&save, in_folder("theirs"), true, &error);
        if (write(begun[1], "", 1) == 1) pause();
        _exit(1);
    }
    assert_int_equal(read(begun[0], &byte, 1), 1);
    assert_true(file_save(in_folder("a"), "one", 3, true, &error));
    assert_int_equal(count_files(), 2);
    kill(writer, SIGKILL);
    waitpid(writer, NULL, 0);
    assert_true(file_save(in_folder("a"), "two", 3, true, &error));
    assert_int_equal(count_files(), 1);
    close(begun[0]);
    close(begun[1]);
}

/* Files being written here, folders, links, and names that are similar. */
static void test_the_next_save_removes_nothing_else(void **state) {
    (void)state;
    Error error;
    FileSave save;
    assert_true(file_save(in_folder("notes.saving-aB3dE6"), "x", 1, true, &error));
    assert_true(file_save(in_folder("e.saving-glassbox-aB3dE"), "x", 1, true, &error));
    assert_int_equal(mkdir(in_folder("d.saving-glassbox-aB3dE6"), 0700), 0);
    assert_int_equal(symlink("a", in_folder("l.saving-glassbox-aB3dE6")), 0);
    assert_true(file_save_begin(&save, in_folder("b"), true, &error));
    fputs("half", save.stream);
    assert_true(file_save(in_folder("a"), "one", 3, true, &error));
    assert_int_equal(count_files(), 6);
    assert_true(file_save_end(&save, &error));
    assert_holds(in_folder("b"), "half");
    assert_int_equal(rmdir(in_folder("d.saving-glassbox-aB3dE6")), 0);
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

/* Set up `folder` and confine names to it: "in/x", and links out of it. */
static void confine_here(long long bytes_max) {
    assert_int_equal(mkdir(in_folder("in"), 0700), 0);
    assert_int_equal(mkdir(in_folder("in/deep"), 0700), 0);
    assert_int_equal(chdir(in_folder("in")), 0);
    Error error;
    assert_true(file_save("../victim", "whole", 5, false, &error));
    assert_true(file_save("deep/own", "own", 3, false, &error));
    assert_int_equal(symlink("..", "away"), 0);
    assert_int_equal(symlink("../../victim", "deep/link"), 0);
    assert_int_equal(symlink("../victim", "link"), 0);
    confine((Confinement){.is_on = true, .has_folder = true, .bytes_max = bytes_max});
}

static void leave(void) {
    static const char *const names[] = {"deep/own", "deep/link", "link", "away", "x"};
    confine((Confinement){0});
    for (size_t n = 0; n < sizeof names / sizeof *names; n++) unlink(names[n]);
    rmdir("deep");
    assert_int_equal(chdir("/"), 0);
    assert_int_equal(rmdir(in_folder("in")), 0);
}

static void test_a_confined_name_stays_in_the_folder(void **state) {
    (void)state;
    static const char *const leading_away[] = {
        "../victim", "deep/../../victim", "away/victim",         "link",
        "deep/link", "./../victim",       "deep/./../../victim", "link/",
        "..",        "deep/../own",       "away/victim/",        "/etc/passwd",
        "/"};
    confine_here(1 << 20);
    const char *own = in_folder("victim");
    Error error;
    Bytes bytes;
    FileSave save;
    size_t size;
    char first;
    for (size_t n = 0; n < sizeof leading_away / sizeof *leading_away; n++) {
        const char *path = leading_away[n];
        assert_false(file_read(path, 100, &arena, &bytes, &error));
        assert_false(file_peek(path, &first, 1, &size));
        assert_int_equal(file_open(path, 0), -1);
        if (strstr(path, "link")) continue; /* it is replaced, not followed */
        assert_false(file_remove(path, false));
        assert_false(file_save_begin(&save, path, true, &error));
        assert_false(file_make_folder(file_join(&arena, path, "made"), &error));
    }
    assert_false(file_save(own, "x", 1, true, &error));
    assert_non_null(strstr(error.message, "own folder"));
    assert_true(file_save("link", "mine", 4, true, &error));
    assert_holds("link", "mine");
    assert_holds(".//deep///own", "own");
    assert_true(file_make_folder("deep/a/b", &error));
    assert_true(file_remove("deep/a/b", true) && file_remove("deep/a", true));
    confine((Confinement){.is_on = true, .own = folder});
    assert_holds(own, "whole");
    assert_false(file_read("deep/own", 100, &arena, &bytes, &error));
    assert_false(file_read(in_folder("in/../victim"), 100, &arena, &bytes, &error));
    assert_false(file_save(own, "x", 1, true, &error));
    assert_false(file_remove(own, false));
    leave();
    assert_holds(own, "whole");
}

/* Including the three bytes that exist already. */
static void test_confined_files_have_a_size_limit(void **state) {
    (void)state;
    enum { BYTES_MAX = 1 << 20, LEFT = BYTES_MAX - 3 };
    char *bytes = arena_take_raw(&arena, LEFT + 1);
    memset(bytes, 'x', LEFT + 1);
    confine_here(BYTES_MAX);
    long long links = LEFT - confine_left(); /* links also take bytes */
    assert_in_range(links, 0, 100);
    size_t max = (size_t)(LEFT - links);
    Error error;
    assert_false(confine_has_room("x", max + 1, &error));
    assert_non_null(strstr(error.message, "1 MiB"));
    assert_true(confine_has_room("x", max, &error));
    assert_false(file_save("x", bytes, max + 1, false, &error));
    assert_non_null(strstr(error.message, "1 MiB"));
    assert_false(file_exists("x"));
    FileSave one, other;
    assert_true(file_save_begin(&one, "x", false, &error));
    assert_true(file_save_begin(&other, "y", false, &error));
    fwrite(bytes, 1, max - 1, one.stream);
    assert_int_equal(fflush(one.stream), 0);
    fwrite(bytes, 1, 2, other.stream);
    assert_false(file_save_end(&other, &error));
    assert_non_null(strstr(error.message, "1 MiB"));
    file_save_abandon(&one);
    assert_true(file_save("x", bytes, max, false, &error));
    assert_int_equal(confine_left(), 0);
    assert_false(file_save("y", "z", 1, false, &error));
    assert_false(file_exists("y"));
    leave();
    assert_true(confine_has_room("x", SIZE_MAX, &error));
}

int main(void) {
#define WITH_FOLDER(test)                                                              \
    cmocka_unit_test_setup_teardown(test, make_folder, remove_folder)
    const struct CMUnitTest tests[] = {
        WITH_FOLDER(test_a_saved_file_has_the_written_bytes),
        WITH_FOLDER(test_a_file_is_on_the_disk_and_then_its_name),
        WITH_FOLDER(test_a_file_that_exists_is_kept_without_force),
        WITH_FOLDER(test_a_name_that_came_into_use_meanwhile_is_kept),
        WITH_FOLDER(test_giving_up_leaves_nothing),
        WITH_FOLDER(test_the_next_save_removes_files_of_a_killed_process),
        WITH_FOLDER(test_the_next_save_removes_nothing_else),
        WITH_FOLDER(test_a_full_device_is_an_error),
        WITH_FOLDER(test_a_file_beyond_the_limit_is_refused),
        WITH_FOLDER(test_a_confined_name_stays_in_the_folder),
        WITH_FOLDER(test_confined_files_have_a_size_limit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
