#include "shell/history.h"

#include <string.h>
#include <sys/stat.h>

#include "base/file.h"
#include "base/state.h"

const char *history_path(Arena *arena) {
    const char *folder;
    Error ignored;
    return state_folder(NULL, arena, &folder, &ignored)
               ? file_join(arena, folder, "history")
               : NULL;
}

static void append(History *history, const char *line, size_t length) {
    ARENA_GROW(&history->arena, history->line, history->count, history->capacity);
    history->line[history->count++] = arena_copy(&history->arena, line, length);
}

void history_read(History *history, const char *path) {
    const size_t largest = (size_t)64 << 20;
    Arena arena = {0};
    Bytes bytes;
    Error ignored;
    if (file_read_regular(path, largest, &arena, &bytes, &ignored)) {
        const char *text = arena_copy(&arena, bytes.bytes, bytes.size);
        for (size_t length; *text; text += length + (text[length] == '\n')) {
            length = strcspn(text, "\n");
            if (length) append(history, text, length);
        }
    }
    arena_free(&arena);
}

bool history_add(History *history, const char *line) {
    if (line[0] == '\0' || line[0] == ' ') return false;
    if (history->count && strcmp(history->line[history->count - 1], line) == 0)
        return false;
    append(history, line, strlen(line));
    return true;
}

/* All of it at once, so that a full disk costs none of the lines that were kept. */
bool history_save(const History *history, const char *path, Error *error) {
    FileSave save;
    if (file_exists(path) && !file_is_regular(path))
        return fail(error, "%s: it is a folder, a pipe or a device, not a file", path);
    if (!file_save_begin(&save, path, true, error)) return false;
    fchmod(fileno(save.stream), S_IRUSR | S_IWUSR);
    int first = history->count > HISTORY_LINES ? history->count - HISTORY_LINES : 0;
    for (int i = first; i < history->count; i++)
        fprintf(save.stream, "%s\n", history->line[i]);
    return file_save_end(&save, error);
}

void history_free(History *history) {
    arena_free(&history->arena);
}
