/* What a lesson may type, and where it may write. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/file.h"
#include "base/language.h"
#include "shell/command.h"
#include "shell/enact.h"

/* What belongs to the person, not to a lesson. */
static const char *const kept_back[] = {"lesson", "hint", "answer", "skip", "where",
                                        "stop",   "read", "quit",   NULL};

/* Commands that write although they have no -o. */
static const char *const writers[] = {"train", NULL};

static bool is_among(const char *word, const char *const *list) {
    for (; *list; list++)
        if (strcmp(word, *list) == 0) return true;
    return false;
}

/* A path that leads out of the folder, also as the value of a flag. */
static bool leads_away(const char *word) {
    const char *value = word[0] == '-' ? strchr(word, '=') : NULL;
    const char *path = value ? value + 1 : word;
    if (*path == '/' || *path == '~') return true;
    for (const char *c = path; (c = strstr(c, "..")); c += 2)
        if ((c == path || c[-1] == '/') && (c[2] == '/' || c[2] == '\0')) return true;
    return false;
}

/* Its words, or none where it is no command; the first is its name. */
static int words_of(const char *typed, const char **word, Arena *arena) {
    static const char wide[] = "：";
    int words = 0;
    Error ignored;
    typed += strspn(typed, " \t");
    if (strncmp(typed, wide, strlen(wide)) == 0)
        typed += strlen(wide);
    else if (*typed == ':')
        typed++;
    else
        return 0;
    return command_split(typed, arena, word, &words, &ignored) ? words : 0;
}

bool enact_allows(const char *typed, Arena *arena, Error *error) {
    const char **word = ARENA_ARRAY(arena, const char *, strlen(typed) + 1);
    int words = words_of(typed, word, arena);
    if (words && is_among(word[0], kept_back))
        return fail(error, ":%s is yours to type, not a lesson's", word[0]);
    for (int w = 1; w < words; w++)
        if (leads_away(word[w]))
            return fail(error,
                        "a lesson may not name '%s': its files have plain names, in "
                        "its own folder",
                        word[w]);
    return true;
}

bool enact_writes(const char *typed, Arena *arena) {
    const char **word = ARENA_ARRAY(arena, const char *, strlen(typed) + 1);
    int words = words_of(typed, word, arena);
    if (words == 0) return false;
    if (is_among(word[0], writers)) return true;
    for (int w = 1; w < words; w++)
        if (strncmp(word[w], "-o", 2) == 0 || strncmp(word[w], "--output", 8) == 0)
            return true;
    return false;
}

bool enact_needs_folder(const Lesson *lesson, Arena *arena) {
    if (lesson->files) return true;
    for (int s = 0; s < lesson->steps; s++) {
        const LessonStep *step = &lesson->step[s];
        if (step->kind == STEP_FIGURE ||
            (step->kind == STEP_TYPED && enact_writes(step->typed.text, arena)))
            return true;
    }
    return false;
}

/* The data folder of the XDG base directory specification. */
static const char *data_folder(Arena *arena) {
    const char *data = getenv("XDG_DATA_HOME");
    const char *home = getenv("HOME");
    if (data && data[0] == '/') return data;
    return home && home[0] == '/' ? file_join(arena, home, ".local/share") : NULL;
}

/* "lessons/files" beside "lessons/en/04-name.md". */
static const char *files_folder(const Lesson *lesson, Arena *arena) {
    const char *slash = strrchr(lesson->path, '/');
    const char *folder =
        slash ? arena_copy(arena, lesson->path, (size_t)(slash - lesson->path)) : ".";
    return file_join(arena, file_join(arena, folder, ".."), "files");
}

static bool is_plain_file(const char *path) {
    struct stat status;
    return lstat(path, &status) == 0 && S_ISREG(status.st_mode);
}

bool enact_bring_files(const Lesson *lesson, const char *folder, Error *error) {
    enum { LARGEST = 1 << 20 };
    Arena arena = {0};
    bool done = true;
    for (int f = 0; done && f < lesson->files; f++) {
        const char *name = lesson->file[f];
        const char *from = file_join(&arena, files_folder(lesson, &arena), name);
        Bytes bytes;
        if (!is_plain_file(from))
            done = fail(error, "the lesson brings along %s, but %s is no file", name,
                        from);
        else
            done = file_read_regular(from, LARGEST, &arena, &bytes, error) &&
                   file_save(file_join(&arena, folder, name), bytes.bytes, bytes.size,
                             true, error);
    }
    arena_free(&arena);
    return done;
}

const char *enact_folder(const Lesson *lesson, Arena *arena, Error *error) {
    const char *data = data_folder(arena);
    if (!data) {
        fail(error, "there is no folder for what the lesson writes: HOME is not set");
        return NULL;
    }
    const char *folder =
        file_join(arena, file_join(arena, data, "glassbox/lessons"), lesson->name);
    return file_make_folder(folder, error) && enact_bring_files(lesson, folder, error)
               ? folder
               : NULL;
}
