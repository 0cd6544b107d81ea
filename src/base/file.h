/* file.h - reading whole files, and writing that never leaves half a file.
 *
 * A file is written under a temporary name in the same folder, flushed to the disk and
 * renamed: readers see the old file or the new one. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "base/arena.h"
#include "base/confine.h"
#include "base/error.h"

typedef struct {
    const char *bytes; /* followed by a '\0' */
    size_t size;
} Bytes;

/* Return text without the byte order mark that some editors write before UTF-8. */
Bytes file_without_mark(Bytes text);

/* Return the next line of `text` without its end, in `arena`, and advance `text`. A
 * NUL, which would end the line, becomes a malformed byte: U+FFFD. */
char *file_line(Bytes *text, Arena *arena);

/* Read the whole file, pipe or device at `path` into `arena`. Fails if it cannot be
 * read, is larger than `limit` bytes, or if the program is interrupted while it waits.
 * The file is not mapped: if it shrinks while it is read, that is an error, not a
 * signal. For large files that stay in use see base/mapped.h. */
bool file_read(const char *path, size_t limit, Arena *arena, Bytes *bytes,
               Error *error);

/* The same, but fails unless it is a regular file. For the parts of a model. */
bool file_read_regular(const char *path, size_t limit, Arena *arena, Bytes *bytes,
                       Error *error);

/* Open `path` for reading, with additional `flags` for open(); the caller closes it.
 * Returns -1 with errno on failure. */
int file_open(const char *path, int flags);

/* Remove a file or an empty folder. False with errno on failure. */
bool file_remove(const char *path, bool is_folder);

/* Get the size of the file at `path` and its first `count` bytes, to examine it before
 * reading all of it. False if that is impossible: no such file, or a pipe. */
bool file_peek(const char *path, void *bytes, size_t count, size_t *size);

/* Return "folder/name", in `arena`. */
const char *file_join(Arena *arena, const char *folder, const char *name);

/* Does `path` end with this extension? Ignores case: ".png" matches ".PNG". */
bool file_has_ending(const char *path, const char *ending);

bool file_exists(const char *path);

/* Is it a regular file, or a link to one? */
bool file_is_regular(const char *path);

/* Are the two names the same file, possibly through links? */
bool file_is_same(const char *path, const char *other);

/* Make a folder and its missing parents. One that exists is fine. */
bool file_make_folder(const char *path, Error *error);

/* The same, accessible only to its owner: mode 0700. */
bool file_make_private_folder(const char *path, Error *error);

typedef struct FileSave FileSave;

/* Suffix of a file that is being written; the Xs become letters. A program that was
 * killed leaves a file with this suffix and without a lock. The next save in the folder
 * removes it. */
#define FILE_SAVING ".saving-glassbox-XXXXXX"
enum { FILE_SAVING_LETTERS = 6 };

struct FileSave {
    FILE *stream;    /* write here; file_save_end() reports errors */
    FilePlace place; /* where `path` leads; `temporary` is in the same folder */
    char path[4096], temporary[4096];
    bool replace;
    bool direct;    /* writes into `file`, which is not a regular file */
    int file, lock; /* lock: on the temporary file, until the rename */
    bool is_over;   /* more was written than the confinement allows */
    FileSave *next; /* in the list of open saves; see file_save.c */
};

/* Start writing a file. If `replace` is false, an existing file is an error, and the
 * message mentions --force. A path that is not a regular file, such as /dev/stdout, is
 * written to directly. A link is replaced, not followed, unless it leads to a device or
 * pipe. Do not move `save` until it has ended. */
bool file_save_begin(FileSave *save, const char *path, bool replace, Error *error);

/* Flush and rename. On failure the temporary file is removed, the old file stays, and
 * the error names the path. */
bool file_save_end(FileSave *save, Error *error);

/* Give up and remove the temporary file. */
void file_save_abandon(FileSave *save);

/* Append a line to a regular file. If the file does not exist, create it, readable only
 * by its owner. If the whole line does not fit on the disk, nothing is added. The file
 * is not flushed to the disk. Fails if it is not a regular file. */
bool file_add_line(const char *path, const char *line, Error *error);

/* Begin, write and end in one call, for bytes in memory. */
bool file_save(const char *path, const void *bytes, size_t size, bool replace,
               Error *error);

/* The same, replacing an existing file; only the owner may read it: mode 0600. */
bool file_save_private(const char *path, const void *bytes, size_t size, Error *error);

typedef struct {
    const char *folder;
    int file;     /* the open folder, which holds the lock; -1: not locked */
    bool made;    /* folder_lock() created the folder */
    bool is_busy; /* not locked, because another process has it locked */
} FolderLock;

/* Create the folder if necessary and lock it until folder_unlock() or the end of the
 * process. If another process has locked it, wait up to `patience` seconds, then fail
 * with a message that names the folder. On a file system without locks nothing is
 * locked. `folder` must outlive the lock. */
bool folder_lock(FolderLock *lock, const char *folder, double patience, Error *error);

/* Unlock it. Remove the folder if folder_lock() created it and it is still empty. */
void folder_unlock(FolderLock *lock);

/* Return the folder that a variable of the XDG base directory specification names
 * ("XDG_DATA_HOME"), or else `otherwise` in the user's home; NULL if there is neither,
 * or if the home does not exist. Allocated in `arena`. */
const char *state_base(const char *variable, const char *otherwise, Arena *arena);

/* Return the folder "glassbox", or `name` in it, in $XDG_STATE_HOME or else in
 * ~/.local/state. Allocated in `arena`; NULL if there is neither. */
const char *state_path(const char *name, Arena *arena);

/* The same, and create the folder if necessary. Fails if there is none or it cannot be
 * created. */
bool state_folder(const char *name, Arena *arena, const char **folder, Error *error);
