/* file.h - reading whole files, and writing that never leaves half a file.
 *
 * A file is written under a temporary name in the same folder, flushed to the disk
 * and renamed: whoever looks sees the old file or the new one. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "base/arena.h"
#include "base/confine.h"
#include "base/error.h"

typedef struct {
    const char *bytes; /* with a '\0' behind the last one */
    size_t size;
} Bytes;

/* All of the file, pipe or device at `path`, in `arena`. Fails when it cannot be read,
 * is larger than `limit` bytes, or when the program is interrupted while it waits.
 * Not mapped: a file that shrinks while it is read is an error, not a signal. For large
 * ones that stay in use see base/mapped.h. */
bool file_read(const char *path, size_t limit, Arena *arena, Bytes *bytes,
               Error *error);

/* The same for what only a regular file can be, such as the parts of a model. */
bool file_read_regular(const char *path, size_t limit, Arena *arena, Bytes *bytes,
                       Error *error);

/* Open it to read, with more `flags` of open(); the caller closes it. -1 with errno. */
int file_open(const char *path, int flags);

/* Remove a file, or a folder that is empty. False with errno. */
bool file_remove(const char *path, bool is_folder);

/* How large the file at `path` is, and its first `count` bytes, to judge it by before
 * all of it is read. False where that cannot be known: no such file, a pipe. */
bool file_peek(const char *path, void *bytes, size_t count, size_t *size);

/* "folder/name", in `arena`. */
const char *file_join(Arena *arena, const char *folder, const char *name);

/* Does `path` have a name and that ending, ".png" or ".PNG"? */
bool file_has_ending(const char *path, const char *ending);

bool file_exists(const char *path);

/* Is it a regular file, or a link to one? */
bool file_is_regular(const char *path);

/* Do the two names lead to one file, also by links? */
bool file_is_same(const char *path, const char *other);

/* A folder at `path`, made with its parents if need be; one that exists is fine. */
bool file_make_folder(const char *path, Error *error);

/* The same, and only its owner may enter it: mode 0700. */
bool file_make_private_folder(const char *path, Error *error);

typedef struct FileSave FileSave;

/* Behind the name of a file while it is being written, with letters for the Xs: what a
 * program that was killed leaves behind is known by it, and by the lock on it that is
 * gone. The next save in the folder removes it. */
#define FILE_SAVING ".saving-glassbox-XXXXXX"
enum { FILE_SAVING_LETTERS = 6 };

struct FileSave {
    FILE *stream;    /* write here; errors are found by file_save_end() */
    FilePlace place; /* of `path`; `temporary` is in the same folder */
    char path[4096], temporary[4096];
    bool replace;
    bool direct;    /* into `file`, which is no regular one */
    int file, lock; /* lock: the temporary file once more, locked until it is renamed */
    bool is_over;   /* more was to be written than a confinement allows */
    FileSave *next; /* of those that were begun; see file.c */
};

/* Begin a file. With `replace` false a file that exists already is an error that says
 * so (and that --force overwrites). What is no regular file, such as /dev/stdout, is
 * written directly. A link is replaced, never followed: what it names stays, unless
 * that is such a device or pipe. Until it ended, `save` must stay where it is. */
bool file_save_begin(FileSave *save, const char *path, bool replace, Error *error);

/* Flush, rename, done; on any failure the temporary file is gone, the old one still
 * there, and the error names the path. */
bool file_save_end(FileSave *save, Error *error);

/* Give up: nothing of it is left. */
void file_save_abandon(FileSave *save);

/* Add a line to the end of a regular file, which is made if need be, for nobody else to
 * read. In one piece: where there is no room for all of it, nothing is added. The file
 * is not flushed to the disk. Fails where it is another kind of file, too. */
bool file_add_line(const char *path, const char *line, Error *error);

/* The three in one, for bytes that are at hand. */
bool file_save(const char *path, const void *bytes, size_t size, bool replace,
               Error *error);

/* The same, in place of what is there, and only the owner may read it: mode 0600. */
bool file_save_private(const char *path, const void *bytes, size_t size, Error *error);

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

/* What the variable of the XDG base directory specification says ("XDG_DATA_HOME"), or
 * else `otherwise` in the person's home; NULL if there is neither, or the home does not
 * exist. In `arena`. */
const char *state_base(const char *variable, const char *otherwise, Arena *arena);

/* Where $XDG_STATE_HOME says, or else in ~/.local/state: "glassbox", or `name` in it,
 * in `arena`; NULL where there is no place. */
const char *state_path(const char *name, Arena *arena);

/* The same, made if need be. Fails where there is no place, or it cannot be made. */
bool state_folder(const char *name, Arena *arena, const char **folder, Error *error);
