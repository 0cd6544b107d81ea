/* Where a lesson writes, and what it brings along. */
#include <string.h>
#include <sys/stat.h>

#include "base/file.h"
#include "base/language.h"
#include "base/state.h"
#include "player/enact.h"
#include "player/lessons.h"
#include "text/unicode.h"

/* "lessons/files" beside "lessons/en/04-name.md". */
static const char *files_folder(const Lesson *lesson, Arena *arena) {
    const char *slash = strrchr(lesson->path, '/');
    const char *folder =
        slash ? arena_copy(arena, lesson->path, (size_t)(slash - lesson->path)) : ".";
    return file_join(arena, file_join(arena, folder, ".."), "files");
}

/* Itself, and no link to one. */
static bool is_plain_file(const char *path) {
    struct stat status;
    return lstat(path, &status) == 0 && S_ISREG(status.st_mode);
}

static bool is_plain_folder(const char *path) {
    struct stat status;
    return lstat(path, &status) == 0 && S_ISDIR(status.st_mode);
}

static bool bring(const char *from, const char *to, Page *messages, Error *error) {
    enum { LARGEST = 1 << 20 };
    Arena arena = {0};
    Bytes bytes;
    Bytes old;
    Error unread;
    const char *kept = NULL;
    bool done = file_read_regular(from, LARGEST, &arena, &bytes, error);
    bool differs =
        done && is_plain_file(to) &&
        !(file_read_regular(to, LARGEST, &arena, &old, &unread) &&
          old.size == bytes.size && memcmp(old.bytes, bytes.bytes, bytes.size) == 0);
    done = done && (!differs || progress_set_aside(to, "kept", &arena, &kept, error)) &&
           file_save(to, bytes.bytes, bytes.size, true, error);
    if (done && kept)
        page_line(messages,
                  "%s was changed; it is kept as %s, and the lesson's own is "
                  "there again",
                  unicode_escape(to, strlen(to), messages->arena),
                  unicode_escape(kept, strlen(kept), messages->arena));
    arena_free(&arena);
    return done;
}

bool enact_bring_files(const Lesson *lesson, const char *folder, Page *messages,
                       Error *error) {
    Arena arena = {0};
    bool done = true;
    const char *files = files_folder(lesson, &arena);
    if (lesson->files && !is_plain_folder(files))
        done = fail(error, "the lesson brings along files, but %s is no folder", files);
    for (int f = 0; done && f < lesson->files; f++) {
        const char *name = lesson->file[f];
        const char *from = file_join(&arena, files, name);
        done = is_plain_file(from)
                   ? bring(from, file_join(&arena, folder, name), messages, error)
                   : fail(error, "the lesson brings along %s, but %s is no file", name,
                          from);
    }
    arena_free(&arena);
    return done;
}

const char *enact_folder(const Lesson *lesson, Page *messages, Arena *arena,
                         Error *error) {
    const char *data = state_base("XDG_DATA_HOME", ".local/share", arena);
    if (!data) {
        fail(error, "there is no folder for what the lesson writes: HOME is not set");
        return NULL;
    }
    if (lesson->name[0] == '.' || lesson->name[0] == '\0') {
        fail(error, "a lesson that writes files needs a name that begins with no dot");
        return NULL;
    }
    const char *folder = file_join(arena, file_join(arena, data, "glassbox/lessons"),
                                   lessons_key(lesson, arena));
    if (!file_make_folder(folder, error)) return NULL;
    if (!is_plain_folder(folder)) {
        fail(error, "%s is a link; a lesson writes into a folder of its own", folder);
        return NULL;
    }
    return enact_bring_files(lesson, folder, messages, error) ? folder : NULL;
}
