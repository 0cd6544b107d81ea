/* folder_lock.h - a folder that one process at a time writes to: what several save in
 * it, such as a history, is read, merged and written under its lock. */
#pragma once

#include <stdbool.h>

#include "base/error.h"

typedef struct {
    const char *folder;
    int file;     /* the open folder, which holds the lock; -1: it is not locked */
    bool made;    /* it was not there before */
    bool is_busy; /* it was not locked because another process has it */
} FolderLock;

/* Make the folder if need be and lock it until folder_unlock(), or until the process
 * ends in whatever way. Another process that has it is waited for, `patience` seconds;
 * then it fails in a sentence that names the folder. Where a file system knows no locks
 * there is none. `folder` must outlive the lock. */
bool folder_lock(FolderLock *lock, const char *folder, double patience, Error *error);

/* Unlock it. A folder that was made for this and got no file goes again. */
void folder_unlock(FolderLock *lock);
