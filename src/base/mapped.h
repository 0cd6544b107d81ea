/* mapped.h - use a large file in place instead of copying it.
 *
 * The system loads a page when it is first touched, and shares it with other programs
 * that have the file open. Writes stay in this process. The price: if the file is cut
 * short while it is in use, no read() can return an error; the program prints the
 * file's name and exits. */
#pragma once

#include "base/file.h"

/* Smaller files are read instead: that is fast, and later changes to the file do no
 * harm. */
enum { MAPPED_MIN = 16 << 20 };

/* Is it a regular file of at least MAPPED_MIN bytes? */
bool mapped_pays(const char *path);

/* Map the regular file at `path` until `arena` is reset or freed. There is no '\0'
 * after the bytes. Fails if it cannot be opened or mapped, or is larger than `limit`
 * bytes. */
bool mapped_read(const char *path, size_t limit, Arena *arena, Bytes *bytes,
                 Error *error);

/* Return the path of a mapped file that was written to after it was mapped, judged by
 * its inode, size and times: its numbers may be a mix of old and new ones. NULL if
 * there is none. */
const char *mapped_rewritten(void);

/* These bytes of a mapped file are not needed for now: free the memory of the whole
 * pages among them. Changes made there are lost. */
void mapped_release(const void *bytes, size_t size);

/* Set a function that restores the terminal before the program ends because a file was
 * cut short. It must be safe in a signal handler. */
void mapped_lost_begins(void (*give_back)(void));
