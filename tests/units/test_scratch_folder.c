/* The folder in which an author's commands run: no other program takes it away. */
#include <dlfcn.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "player/lessons.h"

#include <cmocka.h> /* last: it has a macro named fail */

static Arena arena;
static char place[] = "/tmp/glassbox-scratch-XXXXXX";
static FolderLock other;
static bool other_starts, is_left;

static void make(FolderLock *scratch) {
    Error error;
    if (!scratch_folder_make(scratch, &arena, &error)) fail_msg("%s", error.message);
}

static bool is_folder(const char *path) {
    struct stat status;
    return stat(path, &status) == 0 && S_ISDIR(status.st_mode);
}

/* Replaces the library's function: another program, which removes folders without a
 * lock, starts after the folder was made and before it is locked. */
char *mkdtemp(char *name) {
    typedef char *Make(char *);
    Make *library;
    *(void **)&library = dlsym(RTLD_NEXT, "mkdtemp");
    char *made = library(name);
    if (other_starts) {
        other_starts = false;
        make(&other);
        is_left = is_folder(made);
    }
    return made;
}

static void test_another_program_leaves_a_folder_that_is_not_locked_yet(void **state) {
    (void)state;
    FolderLock scratch;
    other_starts = true;
    make(&scratch);
    assert_true(is_left);
    assert_string_not_equal(scratch.folder, other.folder);
    assert_true(is_folder(scratch.folder));
    assert_true(is_folder(other.folder));
    scratch_folder_remove(&other);
    assert_true(is_folder(scratch.folder));
    scratch_folder_remove(&scratch);
    assert_int_equal(rmdir(place), 0); /* nothing is left */
}

static void test_a_folder_without_a_lock_is_removed(void **state) {
    (void)state;
    assert_int_equal(mkdir(place, 0700), 0);
    const char *stale = file_join(&arena, place, "glassbox-abcdef");
    assert_int_equal(mkdir(stale, 0700), 0);
    FolderLock scratch;
    make(&scratch);
    assert_false(is_folder(stale));
    scratch_folder_remove(&scratch);
    assert_int_equal(rmdir(place), 0);
}

int main(void) {
    if (!mkdtemp(place)) return 1;
    setenv("TMPDIR", place, 1);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_another_program_leaves_a_folder_that_is_not_locked_yet),
        cmocka_unit_test(test_a_folder_without_a_lock_is_removed),
    };
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    arena_free(&arena);
    return failed;
}
