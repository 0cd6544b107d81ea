/* confine.h - keep file names inside one folder.
 *
 * A lesson may come from anybody, and it contains commands. While a lesson runs, every
 * file name is resolved from the current folder, component by component, without
 * following links and without leaving the folder, for every command that reads or
 * writes. The program opens all its files through base/file.h, and thus through here
 * (tests/layers.sh). Files that libraries open, such as fonts, are not affected. */
#pragma once

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"

/* The rules in force; all zero: names are not restricted. */
typedef struct {
    bool is_on;
    bool has_folder;     /* if false, only files in `own` can be read */
    const char *own;     /* an absolute path whose files may also be read, or NULL */
    long long bytes_max; /* limit on the total size of the files in the folder */
} Confinement;

/* Set the rules and return the previous ones, which the caller restores later. */
Confinement confine(Confinement next);
Confinement confine_now(void);

/* Where a path leads: its last component, and the open folder that contains it. */
typedef struct {
    int folder; /* AT_FDCWD if nothing is confined; else confine_leave() closes it */
    const char *name; /* relative to that folder */
    bool is_confined;
    char last[NAME_MAX + 1]; /* `name` may point here, so do not copy the struct */
} FilePlace;

/* Resolve `path`. On failure sets errno, to EXDEV if the path leads out of the folder.
 * If `reads`, it may also be one of the program's own files. `path` must outlive the
 * place. */
bool confine_find(FilePlace *place, const char *path, bool reads);

/* Close the folder; errno is kept. */
void confine_leave(FilePlace *place);

/* Add up the files in the folder and return how many bytes may still be written;
 * LLONG_MAX if nothing is confined. */
long long confine_left(void);

/* Deduct `size` bytes from what confine_left() last returned; files that are written at
 * the same time share it. False if not enough are left. */
bool confine_take(size_t size);

/* Is there room left for `size` bytes? If not, fails with a message that names the file
 * at `path` and the limit. */
bool confine_has_room(const char *path, unsigned long long size, Error *error);
