#include "base/file.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/interrupt.h"

static bool failed(Error *error, const char *doing, const char *path) {
    return fail(error, "cannot %s %s: %s", doing, path, strerror(errno));
}

/* What was read so far. */
typedef struct {
    char *text;
    size_t size, room;
} Reading;

/* read() as much as there is room for, and no more than takes a moment; -1 on failure,
 * 0 at the end. */
static ssize_t read_more(int file, Reading *reading) {
    const size_t most = (size_t)16 << 20;
    size_t room = reading->room - reading->size;
    ssize_t count;
    do count = read(file, reading->text + reading->size, room < most ? room : most);
    while (count < 0 && errno == EINTR);
    if (count > 0) reading->size += (size_t)count;
    return count;
}

static void enlarge(Reading *reading, Arena *arena) {
    char *larger = arena_take_raw(arena, 2 * reading->room + 1);
    memcpy(larger, reading->text, reading->size);
    reading->text = larger;
    reading->room *= 2;
}

/* An open file. */
typedef struct {
    int file;
    const char *path;
    size_t expected; /* bytes, by fstat(); 0 where that cannot know */
    size_t limit;
} Input;

/* Read until the end. */
static bool read_all(const Input *input, Arena *arena, Bytes *bytes, Error *error) {
    Reading reading = {.room = input->expected ? input->expected : 64 * 1024};
    reading.text = arena_take_raw(arena, reading.room + 1);
    for (;;) {
        if (!interrupt_none(error)) return false;
        ssize_t count = read_more(input->file, &reading);
        if (count < 0) return failed(error, "read", input->path);
        if (count == 0 || reading.size == input->expected) break;
        if (reading.size < reading.room) continue;
        if (reading.room >= input->limit)
            return fail(error, "%s has more than %zu bytes", input->path, input->limit);
        enlarge(&reading, arena);
    }
    if (reading.size < input->expected)
        return fail(error, "%s became shorter while it was read: try again",
                    input->path);
    reading.text[reading.size] = '\0';
    *bytes = (Bytes){reading.text, reading.size};
    return true;
}

static bool read_opened(Input *input, Arena *arena, Bytes *bytes, Error *error) {
    struct stat status;
    if (fstat(input->file, &status) != 0) return failed(error, "read", input->path);
    if (S_ISDIR(status.st_mode))
        return fail(error, "cannot read %s: it is a folder, not a file", input->path);
    input->expected = S_ISREG(status.st_mode) ? (size_t)status.st_size : 0;
    if (input->expected > input->limit)
        return fail(error, "%s has %zu bytes; at most %zu are read here", input->path,
                    input->expected, input->limit);
    return read_all(input, arena, bytes, error);
}

bool file_read(const char *path, size_t limit, Arena *arena, Bytes *bytes,
               Error *error) {
    int file = open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0) return failed(error, "read", path);
    Input input = {.file = file, .path = path, .limit = limit};
    bool done = read_opened(&input, arena, bytes, error);
    close(file);
    return done;
}

bool file_peek(const char *path, void *bytes, size_t count, size_t *size) {
    struct stat status;
    if (stat(path, &status) != 0 || !S_ISREG(status.st_mode)) return false;
    int file = open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0) return false;
    *size = (size_t)status.st_size;
    bool done = pread(file, bytes, count, 0) == (ssize_t)count;
    close(file);
    return done;
}

const char *file_join(Arena *arena, const char *folder, const char *name) {
    size_t length = strlen(folder);
    const char *slash = length && folder[length - 1] == '/' ? "" : "/";
    return arena_print(arena, "%s%s%s", folder, slash, name);
}

bool file_has_ending(const char *path, const char *ending) {
    size_t length = strlen(path);
    size_t end = strlen(ending);
    return length > end && strcasecmp(path + length - end, ending) == 0;
}

bool file_exists(const char *path) {
    struct stat status;
    return lstat(path, &status) == 0;
}

static bool make_one(const char *path, Error *error) {
    struct stat status;
    if (mkdir(path, 0777) == 0) return true;
    if (errno != EEXIST) return failed(error, "make the folder", path);
    if (stat(path, &status) == 0 && S_ISDIR(status.st_mode)) return true;
    return fail(error, "cannot make the folder %s: a file of that name exists", path);
}

bool file_make_folder(const char *path, Error *error) {
    char part[4096];
    size_t length = strlen(path);
    if (length == 0 || length >= sizeof part)
        return fail(error, "cannot make a folder of a name with %zu bytes", length);
    for (size_t i = 1; i <= length; i++) {
        if (path[i] != '/' && path[i] != '\0') continue;
        memcpy(part, path, i);
        part[i] = '\0';
        if (!make_one(part, error)) return false;
    }
    return true;
}

/* Saves that were begun and have not ended: the program may end in the midst of one,
 * where there is no memory left, for one. */
static FileSave *begun;

static void remove_begun(void) {
    for (const FileSave *save = begun; save; save = save->next)
        if (!save->direct) unlink(save->temporary);
}

static void note(FileSave *save) {
    static bool prepared;
    if (!prepared) prepared = atexit(remove_begun) == 0;
    save->next = begun;
    begun = save;
}

static void forget(const FileSave *save) {
    FileSave **place = &begun;
    while (*place != save) place = &(*place)->next;
    *place = save->next;
}

/* "folder/name.saving-XXXXXX"; of a very long name only the start, so that there is
 * room. */
static void name_temporary(FileSave *save) {
    enum { NAME_KEPT = NAME_MAX - sizeof FILE_SAVING + 1 };
    const char *slash = strrchr(save->path, '/');
    size_t folder = slash ? (size_t)(slash + 1 - save->path) : 0;
    size_t name = strlen(save->path + folder);
    if (name > NAME_KEPT) name = NAME_KEPT;
    /* Between letters, not within one of several bytes. */
    while (name && ((unsigned char)save->path[folder + name] & 0xc0) == 0x80) name--;
    snprintf(save->temporary, sizeof save->temporary, "%.*s" FILE_SAVING,
             (int)(folder + name), save->path);
}

/* `before` is the file that is there now, NULL if there is none. */
static bool open_temporary(FileSave *save, const struct stat *before, Error *error) {
    name_temporary(save);
    int file = mkostemp(save->temporary, O_CLOEXEC);
    if (file < 0) return failed(error, "write", save->path);
    mode_t mask = umask(0);
    umask(mask);
    fchmod(file, before ? before->st_mode & 0777 : 0666 & ~mask);
    save->stream = fdopen(file, "w");
    if (save->stream) return true;
    failed(error, "write", save->path);
    close(file);
    unlink(save->temporary);
    return false;
}

static bool open_save(FileSave *save, Error *error) {
    const char *path = save->path;
    struct stat status;
    bool exists = stat(path, &status) == 0;
    if (!exists && errno != ENOENT) return failed(error, "write", path);
    if (exists && S_ISDIR(status.st_mode))
        return fail(error, "cannot write %s: it is a folder", path);
    if (exists && !S_ISREG(status.st_mode)) {
        save->direct = true;
        save->stream = fopen(path, "we");
        return save->stream || failed(error, "write", path);
    }
    if (!save->replace && file_exists(path))
        return fail(error,
                    "%s exists already: choose another name, or --force to "
                    "overwrite it",
                    path);
    return open_temporary(save, exists ? &status : NULL, error);
}

bool file_save_begin(FileSave *save, const char *path, bool replace, Error *error) {
    *save = (FileSave){.replace = replace};
    if (strlen(path) + sizeof FILE_SAVING > sizeof save->temporary)
        return fail(error, "cannot write: the path has more than %zu bytes",
                    sizeof save->temporary - sizeof FILE_SAVING);
    snprintf(save->path, sizeof save->path, "%s", path);
    if (!open_save(save, error)) return false;
    note(save);
    return true;
}

/* The name of a file is safe on the disk only when its folder is. */
static void flush_folder(const char *path) {
    char folder[4096];
    snprintf(folder, sizeof folder, "%s", path);
    char *slash = strrchr(folder, '/');
    if (slash) slash[slash == folder] = '\0';
    int file = open(slash ? folder : ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (file < 0) return;
    fsync(file);
    close(file);
}

static bool publish(const FileSave *save) {
    if (save->replace) return rename(save->temporary, save->path) == 0;
    /* link() refuses a name that came into use since file_save_begin(); a file system
     * without links gets the plain rename. */
    if (link(save->temporary, save->path) == 0) return unlink(save->temporary) == 0;
    if (errno == EEXIST) return false;
    return rename(save->temporary, save->path) == 0;
}

void file_save_abandon(FileSave *save) {
    if (!save->stream) return;
    fclose(save->stream);
    if (!save->direct) unlink(save->temporary);
    forget(save);
    save->stream = NULL;
}

bool file_save_end(FileSave *save, Error *error) {
    if (!interrupt_none(error)) {
        file_save_abandon(save);
        return false;
    }
    bool written = fflush(save->stream) == 0 && !ferror(save->stream);
    if (!save->direct) written = written && fsync(fileno(save->stream)) == 0;
    int cause = errno;
    if (fclose(save->stream) != 0 && written) {
        written = false;
        cause = errno;
    }
    save->stream = NULL;
    if (written && !save->direct && !publish(save)) {
        written = false;
        cause = errno;
    }
    forget(save);
    if (!written) {
        if (!save->direct) unlink(save->temporary);
        return fail(error, "cannot write %s: %s", save->path, strerror(cause));
    }
    if (!save->direct) flush_folder(save->path);
    return true;
}

bool file_save(const char *path, const void *bytes, size_t size, bool replace,
               Error *error) {
    FileSave save;
    if (!file_save_begin(&save, path, replace, error)) return false;
    fwrite(bytes, 1, size, save.stream);
    return file_save_end(&save, error);
}
