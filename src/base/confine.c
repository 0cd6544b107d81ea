#include "base/confine.h"

#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/system.h"

static Confinement now;

Confinement confine(Confinement next) {
    Confinement before = now;
    now = next;
    return before;
}

Confinement confine_now(void) {
    return now;
}

/* Copy the next component of a path, without slashes, and move `*rest` past it. */
static bool take_part(const char **rest, char part[NAME_MAX + 1]) {
    size_t length = strcspn(*rest, "/");
    errno = ENAMETOOLONG;
    if (length > NAME_MAX) return false;
    memcpy(part, *rest, length);
    part[length] = '\0';
    *rest += length + strspn(*rest + length, "/");
    errno = EXDEV;
    return strcmp(part, "..") != 0;
}

bool confine_find(FilePlace *place, const char *path, bool reads) {
    *place = (FilePlace){.folder = AT_FDCWD, .name = path};
    const size_t length = now.own ? strlen(now.own) : 0;
    const bool is_own = length && strncmp(path, now.own, length) == 0 &&
                        path[length] == '/' && !strstr(path, "/..");
    if (!now.is_on || (reads && is_own)) return true;
    errno = EXDEV;
    if (*path == '/' || !now.has_folder) return false;
    place->is_confined = true;
    place->name = place->last;
    place->folder = system_open_folder(AT_FDCWD, ".");
    const char *rest = path;
    bool done = place->folder >= 0 && take_part(&rest, place->last);
    while (done && *rest) {
        int next = system_open_folder(place->folder, place->last);
        confine_leave(place);
        place->folder = next;
        done = next >= 0 && take_part(&rest, place->last);
    }
    if (!done) confine_leave(place);
    return done;
}

void confine_leave(FilePlace *place) {
    int cause = errno;
    if (place->folder >= 0) close(place->folder);
    place->folder = -1;
    errno = cause;
}

/* Globals, because nftw() passes no user data to its callback. */
static long long bytes_found, bytes_left;

static int add_file(const char *path, const struct stat *status, int kind,
                    struct FTW *where) {
    (void)path;
    (void)where;
    if (kind == FTW_F) bytes_found += status->st_size;
    return 0;
}

long long confine_left(void) {
    enum { OPEN_MAX = 8 };
    if (!now.is_on) return LLONG_MAX;
    bytes_found = 0;
    nftw(".", add_file, OPEN_MAX, FTW_PHYS | FTW_MOUNT);
    bytes_left = bytes_found < now.bytes_max ? now.bytes_max - bytes_found : 0;
    return bytes_left;
}

bool confine_take(size_t size) {
    if ((long long)size > bytes_left) return false;
    bytes_left -= (long long)size;
    return true;
}

bool confine_has_room(const char *path, unsigned long long size, Error *error) {
    const double mebibyte = 1 << 20;
    long long left = confine_left();
    return !now.is_on || size <= (unsigned long long)left ||
           fail(error,
                "cannot write %s: it needs %.1f MiB, but of the %lld MiB allowed for "
                "all files of a lesson, only %.1f are left; write less, or remove "
                "some files",
                path, (double)size / mebibyte, now.bytes_max >> 20,
                (double)left / mebibyte);
}
