/* mapped.h - a large file that is used where it lies, instead of a copy of it.
 *
 * The system brings in what is touched, when it is touched, and shares it with other
 * programs that have the file open. What is written stays in this process. The price: a
 * file that is cut short while it is used cannot be told by an error of read(); the
 * program then ends in a sentence that names it. */
#pragma once

#include "base/file.h"

/* Smaller files are read: that takes no time, and no later change of them is seen. */
enum { MAPPED_LEAST = 16 << 20 };

/* Is it a regular file of at least MAPPED_LEAST bytes? */
bool mapped_pays(const char *path);

/* All bytes of the regular file at `path`, until `arena` is reset or freed; no '\0'
 * stands behind them. Fails when it cannot be opened or mapped, or is larger than
 * `limit` bytes. */
bool mapped_read(const char *path, size_t limit, Arena *arena, Bytes *bytes,
                 Error *error);

/* The path of a mapped file that was written to after it was mapped, by its inode, size
 * and times: its numbers may be old and new ones mixed. NULL: there is none. */
const char *mapped_rewritten(void);

/* These bytes of a mapped file are not needed for now: the memory behind the whole
 * pages among them is given back. What was written there is lost. */
void mapped_release(const void *bytes, size_t size);

/* What puts the terminal in order before the program ends because a file was cut short.
 * It may only do what a handler of a signal may. */
void mapped_lost_begins(void (*give_back)(void));
