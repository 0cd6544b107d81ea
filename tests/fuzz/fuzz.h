/* fuzz.h - common parts of the fuzz targets: serve bytes to a parser as a file, and
 * abort if a promise is broken.
 *
 * A target is one function, which accepts any bytes. libFuzzer calls it (`make fuzz`),
 * or replay.c with the files of its corpus (`make test`). */
#pragma once

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
#include <utf8proc.h>

#include "base/file.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* An invariant; the message is for the reader of the finding. */
#define MUST(condition)                                                                \
    ((condition) ? (void)0 : fuzz_broken(#condition, __FILE__, __LINE__))

static inline _Noreturn void fuzz_broken(const char *promise, const char *file,
                                         int line) {
    fprintf(stderr, "%s:%d: broken promise: %s\n", file, line, promise);
    abort();
}

/* A folder of this process, removed when it exits normally. It contains only links to
 * memory, so no input is ever written to a disk. */
enum { FUZZ_FILES = 4 };

static char fuzz_folder[32];

static struct {
    char path[64];
    int file;
} fuzz[FUZZ_FILES];

static int fuzz_files;

static inline void fuzz_leave(void) {
    for (int f = 0; f < fuzz_files; f++) unlink(fuzz[f].path);
    rmdir(fuzz_folder);
}

/* Return the path of a file with that name; fuzz_fill() sets its bytes. */
static inline int fuzz_file(const char *name) {
    if (fuzz_files == 0) {
        strcpy(fuzz_folder, "/tmp/glassbox-fuzz.XXXXXX");
        MUST(mkdtemp(fuzz_folder));
        MUST(atexit(fuzz_leave) == 0);
    }
    MUST(fuzz_files < FUZZ_FILES);
    char memory[32];
    int f = fuzz_files++;
    fuzz[f].file = memfd_create(name, MFD_CLOEXEC);
    MUST(fuzz[f].file >= 0);
    snprintf(memory, sizeof memory, "/proc/self/fd/%d", fuzz[f].file);
    snprintf(fuzz[f].path, sizeof fuzz[f].path, "%s/%s", fuzz_folder, name);
    MUST(symlink(memory, fuzz[f].path) == 0);
    return f;
}

static inline const char *fuzz_fill(int f, Bytes bytes) {
    MUST(ftruncate(fuzz[f].file, 0) == 0);
    MUST(pwrite(fuzz[f].file, bytes.bytes, bytes.size, 0) == (ssize_t)bytes.size);
    return fuzz[f].path;
}

/* Return the next part of an input that consists of texts separated by '\0'. */
static inline Bytes fuzz_part(Bytes *rest) {
    Bytes part = *rest;
    const char *end = part.size ? memchr(part.bytes, '\0', part.size) : NULL;
    if (end) part.size = (size_t)(end - part.bytes);
    size_t used = part.size + (end != NULL);
    *rest = (Bytes){rest->bytes + used, rest->size - used};
    return part;
}

/* The same as a string in `arena`. */
static inline const char *fuzz_text(Bytes *rest, Arena *arena) {
    Bytes part = fuzz_part(rest);
    return arena_copy(arena, part.bytes, part.size);
}

/* Return the first byte of an input, which selects a variant; 0 if it is empty. */
static inline int fuzz_choice(Bytes *rest) {
    if (rest->size == 0) return 0;
    int choice = (unsigned char)*rest->bytes;
    *rest = (Bytes){rest->bytes + 1, rest->size - 1};
    return choice;
}

/* Return the length of a valid character at `text`, according to utf8proc, not to the
 * tested code; 0: none. */
static inline int fuzz_letter(const char *text, size_t left, int32_t *code) {
    ptrdiff_t length =
        utf8proc_iterate((const unsigned char *)text, (ptrdiff_t)left, code);
    return length > 0 ? (int)length : 0;
}

/* Check for whole characters, no control characters (except line ends, if `lines`), and
 * nothing that reverses the direction of the text or is invisible. */
static inline void must_be_safe(const char *text, size_t length, int lines) {
    int32_t code;
    int bytes;
    for (size_t i = 0; i < length; i += (size_t)bytes) {
        bytes = fuzz_letter(text + i, length - i, &code);
        MUST(bytes > 0);
        MUST(code >= 0x20 || (lines && code == '\n'));
        MUST(code < 0x7F || code > 0x9F);
        MUST(code != 0x061C && code != 0x200E && code != 0x200F);
        MUST(code < 0x2028 || code > 0x202E);
        MUST(code < 0x2060 || code > 0x206F || code == 0x2065); /* 2065 is unassigned */
        MUST(code != 0xFEFF && code != 0x200B && code != 0x3164);
        MUST(code < 0xFFF9 || code > 0xFFFB);
        MUST(code < 0xE0020 || code > 0xE007F);
        MUST(code < 0xE0100 || code > 0xE01EF);
    }
}
