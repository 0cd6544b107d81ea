#include "base/history.h"

#include <string.h>
#include <sys/stat.h>

#include "base/file.h"

/* Seconds to wait for another session that writes the file. */
static const double patience = 2;

static void append(History *history, const char *line, size_t length) {
    ARENA_GROW(&history->arena, history->line, history->count, history->capacity);
    history->line[history->count++] = arena_copy(&history->arena, line, length);
}

/* Add the lines of the file to the history. */
static bool read_lines(History *history, const char *path, Error *error) {
    const size_t largest = (size_t)64 << 20;
    Arena arena = {0};
    Bytes bytes;
    bool done = file_read_regular(path, largest, &arena, &bytes, error);
    while (done && bytes.size) {
        const char *line = file_line(&bytes, &arena);
        if (*line) append(history, line, strlen(line));
    }
    arena_free(&arena);
    return done;
}

void history_open(History *history) {
    const char *folder;
    Error ignored;
    if (!state_folder(NULL, &history->arena, &folder, &ignored)) return;
    history->folder = folder;
    const char *path = file_join(&history->arena, folder, "history");
    if (!file_exists(path)) return;
    history->is_lost = !read_lines(history, path, &history->lost);
}

bool history_add(History *history, const char *line) {
    if (line[0] == '\0' || line[0] == ' ') return false;
    if (history->count && strcmp(history->line[history->count - 1], line) == 0)
        return false;
    append(history, line, strlen(line));
    if (!history->folder || history->is_lost) return true;
    const char *path = file_join(&history->arena, history->folder, "history");
    FolderLock lock;
    history->is_lost = !folder_lock(&lock, history->folder, patience, &history->lost) ||
                       !file_add_line(path, line, &history->lost);
    folder_unlock(&lock);
    return true;
}

bool history_close(History *history, Error *error) {
    if (history->is_lost) *error = history->lost;
    if (!history->folder || history->is_lost || history->count <= HISTORY_LINES)
        return !history->is_lost;
    const char *path = file_join(&history->arena, history->folder, "history");
    FolderLock lock;
    FileSave save;
    History all = {0};
    bool done = folder_lock(&lock, history->folder, patience, error) &&
                (!file_exists(path) || read_lines(&all, path, error));
    const int first = all.count - HISTORY_LINES;
    /* Replace the whole file at once, so that a full disk loses no lines. */
    if (done && first > 0 && (done = file_save_begin(&save, path, true, error))) {
        fchmod(fileno(save.stream), S_IRUSR | S_IWUSR);
        for (int i = first; i < all.count; i++)
            fprintf(save.stream, "%s\n", all.line[i]);
        done = file_save_end(&save, error);
    }
    history_free(&all);
    folder_unlock(&lock);
    return done;
}

void history_free(History *history) {
    arena_free(&history->arena);
}
