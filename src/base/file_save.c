#include "base/file.h"

#include <assert.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/interrupt.h"
#include "base/system.h"

static bool failed(Error *error, const char *path) {
    return fail(error, "cannot write %s: %s", path, error_reason(errno));
}

/* Saves whose temporary file still exists. The program may exit during a save, for
 * example when memory runs out. */
static FileSave *begun;

static void remove_begun(void) {
    for (const FileSave *save = begun; save; save = save->next)
        unlinkat(save->place.folder, save->temporary, 0);
}

static void forget(const FileSave *save) {
    FileSave **place = &begun;
    while (*place != save) place = &(*place)->next;
    *place = save->next;
}

static void remove_temporary(FileSave *save) {
    unlinkat(save->place.folder, save->temporary, 0);
    close(save->lock);
    forget(save);
}

/* Remove the temporary files of processes that have ended: the writer of such a file
 * holds a lock on it, which the kernel releases with the process. When in doubt, keep
 * the file. */
static void remove_stale(const FileSave *save) {
    enum { MARK = sizeof FILE_SAVING - 1 - FILE_SAVING_LETTERS };
    char folder[PATH_MAX];
    snprintf(folder, sizeof folder, "%s", save->place.name);
    char *slash = strrchr(folder, '/');
    if (slash) slash[slash == folder] = '\0';
    int opened = openat(save->place.folder, slash ? folder : ".",
                        O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    DIR *all = opened < 0 ? NULL : fdopendir(opened);
    for (const struct dirent *entry; all && (entry = readdir(all));) {
        size_t length = strlen(entry->d_name);
        const char *end = entry->d_name + length - (sizeof FILE_SAVING - 1);
        if (length < sizeof FILE_SAVING || strncmp(end, FILE_SAVING, MARK) != 0)
            continue;
        int file = openat(opened, entry->d_name,
                          O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
        if (file < 0) continue;
        struct stat status;
        if (fstat(file, &status) == 0 && S_ISREG(status.st_mode) &&
            status.st_uid == geteuid() && flock(file, LOCK_EX | LOCK_NB) == 0)
            unlinkat(opened, entry->d_name, 0);
        close(file);
    }
    if (all)
        closedir(all);
    else if (opened >= 0)
        close(opened);
}

/* mkostemp() in an open folder, locked if the file system has locks. Until the file is
 * locked, another process may consider it stale and remove it. */
static int make_temporary(FileSave *save) {
    static const char letters[] = "abcdefghijklmnopqrstuvwxyz012345";
    enum { TRIES = 100 };
    char *name = save->temporary + strlen(save->temporary) - FILE_SAVING_LETTERS;
    for (int t = 0; t < TRIES; t++) {
        unsigned char chosen[FILE_SAVING_LETTERS];
        struct stat status;
        if (getentropy(chosen, sizeof chosen) != 0) return -1;
        for (size_t i = 0; i < sizeof chosen; i++) name[i] = letters[chosen[i] % 32];
        int file = openat(save->place.folder, save->temporary,
                          O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
        if (file < 0 && errno == EEXIST) continue;
        if (file < 0) return -1;
        bool is_ours = flock(file, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK;
        if (is_ours && (fstat(file, &status) != 0 || status.st_nlink > 0)) return file;
        unlinkat(save->place.folder, save->temporary, 0);
        close(file);
    }
    errno = EEXIST;
    return -1;
}

/* If names are confined, count the bytes written. */
static ssize_t write_counted(void *cookie, const char *bytes, size_t size) {
    FileSave *save = cookie;
    ssize_t count;
    save->is_over = save->is_over || !confine_take(size);
    if (save->is_over) return 0;
    do count = write(save->file, bytes, size);
    while (count < 0 && errno == EINTR);
    return count < 0 ? 0 : count;
}

static int close_file(void *cookie) {
    const FileSave *save = cookie;
    return close(save->file);
}

/* `before` is the status of the existing file, NULL if there is none. */
static bool open_temporary(FileSave *save, const struct stat *before, Error *error) {
    remove_stale(save);
    /* "folder/name.saving-XXXXXX". A very long name is cut to make room. */
    enum { NAME_KEPT = NAME_MAX - sizeof FILE_SAVING + 1 };
    const char *path = save->place.name;
    const char *slash = strrchr(path, '/');
    size_t folder = slash ? (size_t)(slash + 1 - path) : 0;
    size_t name = strlen(path + folder);
    if (name > NAME_KEPT) name = NAME_KEPT;
    /* Cut between characters, not inside the bytes of one. */
    while (name && ((unsigned char)path[folder + name] & 0xc0) == 0x80) name--;
    snprintf(save->temporary, sizeof save->temporary, "%.*s" FILE_SAVING,
             (int)(folder + name), path);
    int file = save->file = make_temporary(save);
    if (file < 0) return failed(error, save->path);
    save->lock = fcntl(file, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
    static bool prepared;
    if (!prepared)
        prepared = atexit(remove_begun) == 0 && at_quick_exit(remove_begun) == 0;
    save->next = begun;
    begun = save;
    mode_t mask = umask(0);
    umask(mask);
    fchmod(file, before ? before->st_mode & 0777 : 0666 & ~mask);
    confine_left(); /* sets the number that write_counted() counts down */
    save->stream = save->place.is_confined
                       ? system_stream(save, write_counted, close_file)
                       : fdopen(file, "w");
    if (save->stream) return true;
    failed(error, save->path);
    close(file);
    remove_temporary(save);
    return false;
}

/* Write without blocking forever: a pipe or terminal whose other end has stopped
 * reading would block write(). The cookie holds the file. */
static ssize_t write_direct(void *cookie, const char *bytes, size_t size) {
    const FileSave *save = cookie;
    Error stopped;
    for (;;) {
        if (!interrupt_wait(save->file, POLLOUT, &stopped)) {
            errno = EINTR;
            return 0;
        }
        ssize_t count = write(save->file, bytes, size);
        if (count >= 0) return count;
        if (errno != EAGAIN && errno != EINTR) return 0;
    }
}

/* Open an existing path that is not a regular file. Without O_NONBLOCK, open() on a
 * pipe would wait for a reader; with it, open() fails with ENXIO until there is one. */
static bool open_direct(FileSave *save, bool is_pipe, Error *error) {
    for (;;) {
        save->file =
            open(save->path, O_WRONLY | O_TRUNC | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
        if (save->file >= 0) break;
        if (!is_pipe || errno != ENXIO) return failed(error, save->path);
        if (!interrupt_wait(-1, 0, error)) return false;
    }
    save->direct = true;
    save->stream = system_stream(save, write_direct, close_file);
    if (save->stream) return true;
    failed(error, save->path);
    close(save->file);
    return false;
}

static bool open_save(FileSave *save, Error *error) {
    const char *path = save->path;
    const FilePlace *place = &save->place;
    struct stat status;
    if (!confine_find(&save->place, path, false)) return failed(error, path);
    bool exists = fstatat(place->folder, place->name, &status,
                          place->is_confined ? AT_SYMLINK_NOFOLLOW : 0) == 0;
    bool is_link = exists && S_ISLNK(status.st_mode);
    if (!exists && errno != ENOENT) return failed(error, path);
    if (exists && S_ISDIR(status.st_mode))
        return fail(error, "cannot write %s: it is a folder", path);
    if (exists && !is_link && !S_ISREG(status.st_mode)) {
        if (place->is_confined)
            return fail(error, "cannot write %s: it is a pipe or a device", path);
        return open_direct(save, S_ISFIFO(status.st_mode), error);
    }
    if (!save->replace && file_exists(path))
        return fail(error,
                    "%s already exists; choose another name, or overwrite it with "
                    "--force",
                    path);
    return open_temporary(save, exists && !is_link ? &status : NULL, error);
}

bool file_save_begin(FileSave *save, const char *path, bool replace, Error *error) {
    *save = (FileSave){.replace = replace};
    if (strlen(path) + sizeof FILE_SAVING > sizeof save->temporary)
        return fail(error, "cannot write: the path has more than %zu bytes",
                    sizeof save->temporary - sizeof FILE_SAVING);
    snprintf(save->path, sizeof save->path, "%s", path);
    if (open_save(save, error)) return true;
    confine_leave(&save->place);
    return false;
}

static bool publish(const FileSave *save) {
    const char *from = save->temporary;
    const char *to = save->place.name;
    assert(to);
    int folder = save->place.folder;
    if (save->replace) return renameat(folder, from, folder, to) == 0;
    /* link() refuses a name that was taken since file_save_begin(). On a file system
     * without links use a plain rename. */
    if (linkat(folder, from, folder, to, 0) == 0) return unlinkat(folder, from, 0) == 0;
    if (errno == EEXIST) return false;
    return renameat(folder, from, folder, to) == 0;
}

void file_save_abandon(FileSave *save) {
    if (!save->stream) return;
    fclose(save->stream);
    save->stream = NULL;
    if (!save->direct) remove_temporary(save);
    confine_leave(&save->place);
}

bool file_save_end(FileSave *save, Error *error) {
    if (!interrupt_none(error)) {
        file_save_abandon(save);
        return false;
    }
    bool written = fflush(save->stream) == 0 && !ferror(save->stream);
    if (!save->direct) written = written && fsync(save->file) == 0;
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
    if (!save->direct && !written) remove_temporary(save);
    if (!save->direct && written) {
        close(save->lock);
        forget(save);
    }
    confine_leave(&save->place);
    if (save->is_over)
        return fail(error,
                    "cannot write %s: the lesson's files would exceed the %lld MiB "
                    "allowed for all of them; write less, or remove some files",
                    save->path, confine_now().bytes_max >> 20);
    if (!written)
        return fail(error, "cannot write %s: %s", save->path, error_reason(cause));
    if (save->direct) return true;
    /* The name of a file is safe on the disk only when its folder is flushed. */
    char folder[4096];
    snprintf(folder, sizeof folder, "%s", save->path);
    char *slash = strrchr(folder, '/');
    if (slash) slash[slash == folder] = '\0';
    int file = file_open(slash ? folder : ".", O_DIRECTORY);
    if (file >= 0) {
        fsync(file);
        close(file);
    }
    return true;
}

bool file_save(const char *path, const void *bytes, size_t size, bool replace,
               Error *error) {
    FileSave save;
    if (!file_save_begin(&save, path, replace, error)) return false;
    fwrite(bytes, 1, size, save.stream);
    return file_save_end(&save, error);
}

bool file_save_private(const char *path, const void *bytes, size_t size, Error *error) {
    FileSave save;
    if (!file_save_begin(&save, path, true, error)) return false;
    fchmod(save.file, S_IRUSR | S_IWUSR);
    fwrite(bytes, 1, size, save.stream);
    return file_save_end(&save, error);
}

bool file_add_line(const char *path, const char *line, Error *error) {
    const int flags =
        O_RDWR | O_APPEND | O_CREAT | O_NONBLOCK | O_NOCTTY | O_NOFOLLOW | O_CLOEXEC;
    Arena arena = {0};
    FilePlace place;
    struct stat status;
    if (!confine_find(&place, path, false)) return failed(error, path);
    int file = openat(place.folder, place.name, flags, S_IRUSR | S_IWUSR);
    bool done = file >= 0 && fstat(file, &status) == 0;
    confine_leave(&place);
    if (done && !S_ISREG(status.st_mode)) {
        close(file);
        return fail(error, "%s is a folder, a pipe or a device, not a file", path);
    }
    if (done) {
        char last = '\n'; /* an edited file may lack the final newline */
        if (status.st_size && pread(file, &last, 1, status.st_size - 1) != 1) last = 0;
        const char *text =
            arena_print(&arena, "%s%s\n", last == '\n' ? "" : "\n", line);
        fchmod(file, S_IRUSR | S_IWUSR);
        errno = ENOSPC; /* for a partial write */
        done = write(file, text, strlen(text)) == (ssize_t)strlen(text);
        int cause = errno;
        if (!done && ftruncate(file, status.st_size) == 0) errno = cause;
    }
    if (file >= 0 && close(file) != 0) done = false;
    if (!done) failed(error, path);
    arena_free(&arena);
    return done;
}
