#include "learn/leftovers.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdbool.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"

/* What a training writes again and again. */
static const char *const names[] = {"checkpoint.safetensors",
                                    "model.safetensors",
                                    "snapshots.safetensors",
                                    "train.csv",
                                    "config.json",
                                    "vocab.json",
                                    "merges.txt",
                                    "target_vocab.json",
                                    "target_merges.txt",
                                    NULL};

static bool is_leftover(const char *file) {
    for (const char *const *name = names; *name; name++) {
        size_t length = strlen(*name);
        if (strlen(file) == length + strlen(FILE_SAVING) &&
            strncmp(file, *name, length) == 0 &&
            strncmp(file + length, FILE_SAVING, strcspn(FILE_SAVING, "X")) == 0)
            return true;
    }
    return false;
}

void leftovers_remove(const char *folder) {
    Arena arena = {0};
    int file = file_open(folder, O_DIRECTORY);
    DIR *all = file < 0 ? NULL : fdopendir(file);
    for (const struct dirent *entry; all && (entry = readdir(all));)
        if (is_leftover(entry->d_name))
            file_remove(file_join(&arena, folder, entry->d_name), false);
    if (all)
        closedir(all);
    else if (file >= 0)
        close(file);
    arena_free(&arena);
}
