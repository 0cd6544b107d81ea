/* confine.h - names of files that lead nowhere but into one folder.
 *
 * The lines of a lesson come from anywhere. While one runs, every name of a file is
 * taken from the current folder, part by part, without following a link and without
 * leaving it, whatever command it is that reads or writes. All of the program's files
 * pass through base/file.h, and so through here (tests/layers.sh). Libraries open their
 * own, such as fonts, as ever. */
#pragma once

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"

/* What holds now; all zero: any name leads where it says. */
typedef struct {
    bool is_on;
    bool has_folder; /* else nothing but `own` can be read */
    const char *own; /* what lies below may be read, too: absolute; NULL: nothing */
    long long bytes_most; /* of all files in the folder together */
} Confinement;

/* From now on; returns what held before, which whoever began it puts back. */
Confinement confine(Confinement next);
Confinement confine_now(void);

/* Where a path leads: its last part, and the folder in which that stands. */
typedef struct {
    int folder; /* AT_FDCWD where nothing is confined; else confine_leave() closes it */
    const char *name; /* in that folder */
    bool is_confined;
    char last[NAME_MAX + 1]; /* holds `name` then: a place is never copied */
} FilePlace;

/* Fails with errno, EXDEV where the path leads out of the folder. `reads`: it may also
 * be one of the program's own files. `path` must outlive the place. */
bool confine_find(FilePlace *place, const char *path, bool reads);

/* Give it back; errno stays. */
void confine_leave(FilePlace *place);

/* How many bytes may still be written, by what is in the folder now; LLONG_MAX where
 * nothing is confined. */
long long confine_left(void);

/* Take `size` bytes of what was left when that was last asked: files that are written
 * at the same time share it. */
bool confine_take(size_t size);

/* Is there room for `size` bytes? Fails with a sentence that names what `path` is to
 * hold, and the limit. */
bool confine_has_room(const char *path, unsigned long long size, Error *error);
