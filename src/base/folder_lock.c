#include "base/folder_lock.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/file.h"

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
                    "%s is in use by another glassbox: try again when it is done",
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
