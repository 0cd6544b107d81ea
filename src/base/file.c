#include "base/file.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/interrupt.h"

static bool failed(Error *error, const char *path) {
    return fail(error, "cannot read %s: %s", path, error_reason(errno));
}

/* An open file. */
typedef struct {
    int file;
    const char *path;
    size_t limit;
    bool must_be_regular, is_regular; /* no pipe, terminal or device */
    size_t expected;                  /* bytes, by fstat(); 0 where that cannot know */
} Input;

/* What was read so far. */
typedef struct {
    char *text;
    size_t size, room;
    bool ended; /* there is no more */
} Reading;

/* read() as much as there is room for, and no more than takes a moment. */
static bool read_more(const Input *input, Reading *reading, Error *error) {
    const size_t most = (size_t)16 << 20;
    size_t room = reading->room - reading->size;
    ssize_t count;
    do {
        if (input->is_regular ? !interrupt_none(error)
                              : !interrupt_wait(input->file, POLLIN, error))
            return false;
        count =
            read(input->file, reading->text + reading->size, room < most ? room : most);
    } while (count < 0 && (errno == EINTR || errno == EAGAIN));
    if (count < 0) return failed(error, input->path);
    reading->size += (size_t)count;
    reading->ended = count == 0;
    return true;
}

static void enlarge(Reading *reading, Arena *arena) {
    char *larger = arena_take_raw(arena, 2 * reading->room + 1);
    memcpy(larger, reading->text, reading->size);
    reading->text = larger;
    reading->room *= 2;
}

/* Read until the end. */
static bool read_all(const Input *input, Arena *arena, Bytes *bytes, Error *error) {
    Reading reading = {.room = input->expected ? input->expected : 64 * 1024};
    reading.text = arena_take_raw(arena, reading.room + 1);
    for (;;) {
        if (!read_more(input, &reading, error)) return false;
        if (reading.ended || reading.size == input->expected) break;
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
    if (fstat(input->file, &status) != 0) return failed(error, input->path);
    if (S_ISDIR(status.st_mode))
        return fail(error, "cannot read %s: it is a folder, not a file", input->path);
    input->is_regular = S_ISREG(status.st_mode);
    if (input->must_be_regular && !input->is_regular)
        return fail(error, "cannot read %s: it is a pipe or a device, not a file",
                    input->path);
    input->expected = input->is_regular ? (size_t)status.st_size : 0;
    if (input->expected > input->limit)
        return fail(error, "%s has %zu bytes; at most %zu are read here", input->path,
                    input->expected, input->limit);
    return read_all(input, arena, bytes, error);
}

/* Without O_NONBLOCK open() would wait for somebody who writes into a pipe. */
static bool read_path(Input *input, Arena *arena, Bytes *bytes, Error *error) {
    input->file = open(input->path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
    if (input->file < 0) return failed(error, input->path);
    bool done = read_opened(input, arena, bytes, error);
    close(input->file);
    return done;
}

bool file_read(const char *path, size_t limit, Arena *arena, Bytes *bytes,
               Error *error) {
    Input input = {.path = path, .limit = limit};
    return read_path(&input, arena, bytes, error);
}

bool file_read_regular(const char *path, size_t limit, Arena *arena, Bytes *bytes,
                       Error *error) {
    Input input = {.path = path, .limit = limit, .must_be_regular = true};
    return read_path(&input, arena, bytes, error);
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

bool file_is_regular(const char *path) {
    struct stat status;
    return stat(path, &status) == 0 && S_ISREG(status.st_mode);
}

static bool make_one(const char *path, Error *error) {
    struct stat status;
    if (mkdir(path, 0777) == 0) return true;
    if (errno != EEXIST)
        return fail(error, "cannot make the folder %s: %s", path, error_reason(errno));
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
