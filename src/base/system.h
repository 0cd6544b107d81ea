/* system.h - what only Linux or its C library has. One file per system implements it,
 * system_glibc.c for Linux with glibc. That file also replaces malloc (see
 * memory_none() in base/arena.h). All other files need only POSIX and a few GNU
 * functions that musl also has. tests/musl.sh checks this. */
#pragma once

#include <stdbool.h>
#include <stdio.h>
#include <sys/types.h>

/* Does a sanitizer watch memory, or threads? gcc defines macros, clang has features. */
#ifndef __has_feature
#define __has_feature(name) 0
#endif
#if defined(__SANITIZE_ADDRESS__) || __has_feature(address_sanitizer)
#define SANITIZES_ADDRESSES
#endif
#if defined(__SANITIZE_THREAD__) || __has_feature(thread_sanitizer)
#define SANITIZES_THREADS
#endif

/* Return a stream that passes its bytes to `write`, which returns the number of
 * bytes taken, 0 on failure; `close` may be NULL. NULL with errno on failure. */
FILE *system_stream(void *owner,
                    ssize_t (*write)(void *owner, const char *bytes, size_t size),
                    int (*close)(void *owner));

/* Get the path of this program. */
bool system_program(char *path, size_t size);

/* Return the number of cores that this process may use, at least 1. */
int system_cores(void);

/* Rename a file. False with errno if it fails, or if `to` exists. */
bool system_rename_new(const char *from, const char *to);

/* Open `name` in the open `folder` (or AT_FDCWD), which must itself be a folder and not
 * a link, in order to open files in it. It need not be readable. -1 with errno on
 * failure. */
int system_open_folder(int folder, const char *name);

/* Make gettext read the environment and the catalogs again. */
void system_language_changed(void);

/* Ask for large pages for this memory. */
void system_large_pages(void *memory, size_t bytes);

/* These pages of a mapped file may be read again from the file when needed. */
void system_drop_pages(void *pages, size_t bytes);
