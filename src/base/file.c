#include "base/file.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/confine.h"
#include "base/interrupt.h"

static bool failed(Error *error, const char *path) {
    return fail(error, "cannot read %s: %s", path, error_reason(errno));
}

/* An open file. */
typedef struct {
    int file;
    const char *path;
    size_t limit;
    bool must_be_regular, is_regular; /* not a pipe, terminal or device */
    size_t expected;                  /* bytes, from fstat(); 0 if unknown */
} Input;

/* The bytes read so far. */
typedef struct {
    char *text;
    size_t size, room;
    bool ended; /* end of file reached */
} Reading;

/* read() as much as fits, but at most 16 MB at a time, so that an interrupt is
 * noticed. */
static bool read_more(const Input *input, Reading *reading, Error *error) {
    const size_t max = (size_t)16 << 20;
    size_t room = reading->room - reading->size;
    ssize_t count;
    do {
        if (input->is_regular ? !interrupt_none(error)
                              : !interrupt_wait(input->file, POLLIN, error))
            return false;
        count =
            read(input->file, reading->text + reading->size, room < max ? room : max);
    } while (count < 0 && (errno == EINTR || errno == EAGAIN));
    if (count < 0) return failed(error, input->path);
    reading->size += (size_t)count;
    reading->ended = count == 0;
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
        return fail(error, "%s has %zu bytes; the limit here is %zu", input->path,
                    input->expected, input->limit);
    /* Read to the end. */
    Reading reading = {.room = input->expected ? input->expected : 64 * 1024};
    reading.text = arena_take_raw(arena, reading.room + 1);
    for (;;) {
        if (!read_more(input, &reading, error)) return false;
        if (reading.ended || reading.size == input->expected) break;
        if (reading.size < reading.room) continue;
        if (reading.room >= input->limit)
            return fail(error, "%s has more than %zu bytes", input->path, input->limit);
        char *larger = arena_take_raw(arena, 2 * reading.room + 1);
        memcpy(larger, reading.text, reading.size);
        reading.text = larger;
        reading.room *= 2;
    }
    if (reading.size < input->expected)
        return fail(error, "%s became shorter while it was read; try again",
                    input->path);
    reading.text[reading.size] = '\0';
    *bytes = (Bytes){reading.text, reading.size};
    return true;
}

int file_open(const char *path, int flags) {
    FilePlace place;
    if (!confine_find(&place, path, true)) return -1;
    int follow = place.is_confined ? O_NOFOLLOW : 0;
    int file = openat(place.folder, place.name, O_RDONLY | O_CLOEXEC | follow | flags);
    if (file < 0 && errno == ELOOP && place.is_confined) errno = EXDEV;
    confine_leave(&place);
    return file;
}

/* stat() or lstat(). Never follows a link if names are confined. */
static bool read_status(const char *path, bool follow, struct stat *status) {
    FilePlace place;
    if (!confine_find(&place, path, true)) return false;
    follow = follow && !place.is_confined;
    int result =
        fstatat(place.folder, place.name, status, follow ? 0 : AT_SYMLINK_NOFOLLOW);
    confine_leave(&place);
    return result == 0;
}

bool file_remove(const char *path, bool is_folder) {
    FilePlace place;
    if (!confine_find(&place, path, false)) return false;
    int result = unlinkat(place.folder, place.name, is_folder ? AT_REMOVEDIR : 0);
    confine_leave(&place);
    return result == 0;
}

/* Without O_NONBLOCK, open() on a pipe would wait for a writer. */
static bool read_path(Input *input, Arena *arena, Bytes *bytes, Error *error) {
    input->file = file_open(input->path, O_NONBLOCK | O_NOCTTY);
    if (input->file < 0) return failed(error, input->path);
    bool done = read_opened(input, arena, bytes, error);
    close(input->file);
    return done;
}

Bytes file_without_mark(Bytes text) {
    bool has_mark = text.size >= 3 && memcmp(text.bytes, "\xef\xbb\xbf", 3) == 0;
    return has_mark ? (Bytes){text.bytes + 3, text.size - 3} : text;
}

char *file_line(Bytes *text, Arena *arena) {
    const char *end = memchr(text->bytes, '\n', text->size);
    size_t length = end ? (size_t)(end - text->bytes) : text->size;
    size_t used = length + (end != NULL);
    while (length && text->bytes[length - 1] == '\r') length--;
    char *line = arena_copy(arena, text->bytes, length);
    for (size_t i = 0; i < length; i++)
        if (line[i] == '\0') line[i] = '\xff';
    *text = (Bytes){text->bytes + used, text->size - used};
    return line;
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
    if (!read_status(path, true, &status) || !S_ISREG(status.st_mode)) return false;
    int file = file_open(path, 0);
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
    if (read_status(path, false, &status)) return true;
    /* If the system cannot tell, let the caller open the file and report the reason. */
    return errno == EIO || errno == ENOMEM || errno == EMFILE || errno == ENFILE;
}

bool file_is_same(const char *path, const char *other) {
    struct stat one;
    struct stat two;
    return read_status(path, true, &one) && read_status(other, true, &two) &&
           one.st_dev == two.st_dev && one.st_ino == two.st_ino;
}

bool file_is_regular(const char *path) {
    struct stat status;
    return read_status(path, true, &status) && S_ISREG(status.st_mode);
}

static bool make_folder(const char *path, mode_t mode, Error *error) {
    char part[4096];
    size_t length = strlen(path);
    if (length == 0 || length >= sizeof part)
        return fail(error, "cannot create a folder whose name has %zu bytes", length);
    for (size_t i = 1; i <= length; i++) {
        if (path[i] != '/' && path[i] != '\0') continue;
        memcpy(part, path, i);
        part[i] = '\0';
        FilePlace place;
        struct stat status;
        bool made = confine_find(&place, part, false);
        if (made) {
            made = mkdirat(place.folder, place.name, mode) == 0;
            confine_leave(&place);
        }
        if (made) continue;
        if (errno != EEXIST)
            return fail(error, "cannot create the folder %s: %s", part,
                        error_reason(errno));
        if (read_status(part, true, &status) && S_ISDIR(status.st_mode)) continue;
        return fail(error, "cannot create the folder %s: a file with that name exists",
                    part);
    }
    return true;
}

bool file_make_folder(const char *path, Error *error) {
    return make_folder(path, 0777, error);
}

bool file_make_private_folder(const char *path, Error *error) {
    if (!make_folder(path, 0700, error)) return false;
    chmod(path, 0700); /* an earlier version made it readable by everybody */
    return true;
}

bool folder_lock(FolderLock *lock, const char *folder, double patience, Error *error) {
    enum { PAUSE_MICROSECONDS = 5000 };
    *lock = (FolderLock){.folder = folder, .file = -1, .made = !file_exists(folder)};
    if (!file_make_folder(folder, error)) return false;
    lock->file = file_open(folder, O_DIRECTORY);
    if (lock->file < 0)
        return fail(error, "cannot open the folder %s: %s", folder,
                    error_reason(errno));
    double end = clock_seconds() + patience;
    while (flock(lock->file, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK) {
        lock->is_busy = clock_seconds() >= end;
        if (!lock->is_busy) {
            usleep(PAUSE_MICROSECONDS);
            continue;
        }
        close(lock->file);
        lock->file = -1;
        return fail(error,
                    "%s is in use by another glassbox; try again when that is "
                    "finished",
                    folder);
    }
    return true;
}

void folder_unlock(FolderLock *lock) {
    if (lock->file < 0) return;
    if (lock->made) file_remove(lock->folder, true);
    close(lock->file);
    lock->file = -1;
}

/* The specification says to ignore a relative path in the variable. */
const char *state_base(const char *variable, const char *otherwise, Arena *arena) {
    const char *folder = getenv(variable);
    const char *home = getenv("HOME");
    if (folder && folder[0] == '/') return folder;
    struct stat status;
    bool has_home =
        home && home[0] == '/' && stat(home, &status) == 0 && S_ISDIR(status.st_mode);
    return has_home ? file_join(arena, home, otherwise) : NULL;
}

const char *state_path(const char *name, Arena *arena) {
    const char *state = state_base("XDG_STATE_HOME", ".local/state", arena);
    if (!state) return NULL;
    const char *folder = file_join(arena, state, "glassbox");
    return name ? file_join(arena, folder, name) : folder;
}

bool state_folder(const char *name, Arena *arena, const char **folder, Error *error) {
    *folder = state_path(name, arena);
    if (!*folder)
        return fail(error, "there is no folder to store progress and settings; set "
                           "HOME or XDG_STATE_HOME to a folder that exists");
    return file_make_private_folder(*folder, error);
}
