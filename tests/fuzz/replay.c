/* replay.c - runs a fuzz target on every file of its corpus, as a test: fuzz_config
 * reads tests/fuzz/corpus/config, or the files that are named as arguments. */
#include <dirent.h>
#include <sys/resource.h>

#include "fuzz.h"

enum { SECONDS = 10, LARGEST = 1 << 20 };

static void run_file(const char *path) {
    Arena arena = {0};
    Bytes bytes;
    Error error;
    if (!file_read(path, LARGEST, &arena, &bytes, &error)) {
        fprintf(stderr, "%s\n", error.message);
        exit(EXIT_FAILURE);
    }
    printf("%s\n", path); /* the last one printed is the one that failed */
    fflush(stdout);
    alarm(SECONDS);
    LLVMFuzzerTestOneInput((const uint8_t *)bytes.bytes, bytes.size);
    alarm(0);
    arena_free(&arena);
}

static int run_folder(const char *folder) {
    Arena arena = {0};
    int count = 0;
    DIR *all = opendir(folder);
    for (struct dirent *entry; all && (entry = readdir(all));) {
        if (entry->d_name[0] == '.') continue;
        run_file(file_join(&arena, folder, entry->d_name));
        count++;
    }
    if (all) closedir(all);
    arena_free(&arena);
    return count;
}

/* Fail if an input takes much more memory than its size. A training may use two
 * threads; each reserves 128 MiB of addresses for its products, and the same for its
 * allocations. The address sanitizer needs more than any limit. */
static void limit_memory(void) {
#ifndef __SANITIZE_ADDRESS__
    const struct rlimit limit = {1 << 30, 1 << 30};
    setrlimit(RLIMIT_AS, &limit);
#endif
}

int main(int count, char **argument) {
    char folder[256];
    const char *name = strrchr(argument[0], '/');
    name = strchr(name ? name : argument[0], '_');
    limit_memory();
    for (int a = 1; a < count; a++) run_file(argument[a]);
    if (count > 1) return EXIT_SUCCESS;
    snprintf(folder, sizeof folder, "tests/fuzz/corpus/%s", name ? name + 1 : "");
    int files = run_folder(folder);
    printf("%d files\n", files);
    return files > 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
