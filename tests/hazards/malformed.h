/* malformed.h - the generator of malformed files: rows of a table, each with what is
 * wrong, how to make the file, and a part of the expected message.
 *
 * A test program checks its rows on the library. With --write FOLDER it writes all of
 * them as files, and FOLDER/verdicts.tsv with the expected messages: test_malformed.py
 * gives them to the program as a user would. */
#pragma once

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"

#include <cmocka.h> /* last: it has a macro named fail */

#define ROWS(table) ((int)(sizeof(table) / sizeof *(table)))

/* The file is `text`; or `header`, preceded by its length and followed by `data` zero
 * bytes; or the result of `make`. */
typedef struct {
    const char *name; /* what is wrong with it */
    const char *text;
    size_t size; /* length of a text that contains a NUL; 0: up to the NUL */
    const char *header;
    size_t data;
    Bytes (*make)(Arena *arena);
    const char *expected; /* part of the message; NULL: nothing is wrong */
} Malformed;

/* The rows of one kind of file. */
typedef struct {
    const char *file; /* its name in a model folder */
    const Malformed *row;
    int rows;
} MalformedFiles;

static const char *malformed_folder;

/* A safetensors file: the header, and zeros as numbers. */
static inline Bytes with_header(const char *header, size_t size, size_t data,
                                Arena *arena) {
    char *bytes = arena_take(arena, 8 + size + data + 1);
    for (int b = 0; b < 8; b++) bytes[b] = (char)(size >> (8 * b) & 0xff);
    memcpy(bytes + 8, header, size);
    return (Bytes){bytes, 8 + size + data};
}

static inline Bytes malformed_bytes(const Malformed *row, Arena *arena) {
    if (row->make) return row->make(arena);
    if (row->header)
        return with_header(row->header, strlen(row->header), row->data, arena);
    return (Bytes){row->text, row->size ? row->size : strlen(row->text)};
}

/* Do not use file_save() or overwrite a file, which would wait for the disk: there are
 * thousands of files. */
static inline const char *write_file(const char *name, Bytes bytes, Arena *arena) {
    const char *path = file_join(arena, malformed_folder, name);
    unlink(path);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes.bytes, 1, bytes.size, file), bytes.size);
    assert_int_equal(fclose(file), 0);
    return path;
}

/* A message is one line that names the file, within the length limit. */
static inline void check_verdict(const char *name, bool done, const char *expected,
                                 const char *path, const Error *error) {
    if (done != !expected)
        fail_msg("%s: %s '%s'", name,
                 done ? "accepted, not" : "refused:", done ? expected : error->message);
    if (done) return;
    if (!strstr(error->message, expected))
        fail_msg("%s: found '%s', not '%s'", name, error->message, expected);
    if (!strstr(error->message, path))
        fail_msg("%s: '%s' does not name %s", name, error->message, path);
}

static inline void write_rows(const MalformedFiles *files, FILE *verdicts) {
    for (int r = 0; r < files->rows; r++) {
        Arena arena = {0};
        const Malformed *row = &files->row[r];
        const char *name = arena_print(&arena, "%d.%s", r, files->file);
        write_file(name, malformed_bytes(row, &arena), &arena);
        fprintf(verdicts, "%s\t%s\t%s\t%s\n", files->file, name, row->name,
                row->expected ? row->expected : "");
        arena_free(&arena);
    }
}

/* The main() of a test program: --write FOLDER, or run its tests in a temporary
 * folder. */
static inline int malformed_main(int count, char **argument,
                                 const MalformedFiles *files, int kinds,
                                 int (*run)(void)) {
    char made[] = "/tmp/malformed.XXXXXX";
    bool writes = count == 3 && strcmp(argument[1], "--write") == 0;
    Arena arena = {0};
    malformed_folder = writes ? argument[2] : mkdtemp(made);
    int status = 0;
    if (writes) {
        FILE *verdicts =
            fopen(file_join(&arena, malformed_folder, "verdicts.tsv"), "a");
        for (int k = 0; k < kinds; k++) write_rows(&files[k], verdicts);
        status = fclose(verdicts);
    } else {
        status = run();
        unlink(file_join(&arena, made, "file"));
        rmdir(made);
    }
    arena_free(&arena);
    return status;
}
