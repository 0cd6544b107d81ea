#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "base/interrupt.h"
#include "base/json.h"
#include "store/safetensors.h"

enum { ALIGNMENT = 64, LENGTH_BYTES = 8, ELEMENT_BYTES = 4 };

/* "name":{"dtype":"F32","shape":[2,3],"data_offsets":[0,24]} */
static const char *print_entry(const Stored *stored, size_t begin, Arena *arena) {
    const Tensor *tensor = stored->tensor;
    size_t end = begin + (size_t)tensor_size(tensor) * ELEMENT_BYTES;
    const char *shape = "";
    for (int a = 0; a < tensor->rank; a++)
        shape = arena_print(arena, "%s%s%d", shape, a ? "," : "", tensor->axis[a].size);
    return arena_print(
        arena, "%s:{\"dtype\":\"%s\",\"shape\":[%s],\"data_offsets\":[%zu,%zu]}",
        json_quote(stored->name, arena), tensor->holds_ids ? "I32" : "F32", shape,
        begin, end);
}

static const char *print_notes(const Note *note, int notes, Arena *arena) {
    const char *text = "";
    for (int n = 0; n < notes; n++)
        text = arena_print(arena, "%s%s%s:%s", text, n ? "," : "",
                           json_quote(note[n].key, arena),
                           json_quote(note[n].value, arena));
    return arena_print(arena, "\"__metadata__\":{%s}", text);
}

/* The header as `parts` texts, to be joined by commas. */
static int print_header(const Contents *contents, const char **part, Arena *arena) {
    int parts = 0;
    size_t begin = 0;
    if (contents->notes)
        part[parts++] = print_notes(contents->note, contents->notes, arena);
    for (int t = 0; t < contents->count; t++) {
        const Stored *stored = &contents->stored[t];
        part[parts++] = print_entry(stored, begin, arena);
        begin += (size_t)tensor_size(stored->tensor) * ELEMENT_BYTES;
    }
    return parts;
}

/* Spaces behind the header let the numbers begin at a multiple of 64, so that they can
 * be used where they lie when the file is read. */
static void write_header(FILE *out, const char *const *part, int parts) {
    size_t length = 2 + (size_t)(parts ? parts - 1 : 0);
    for (int i = 0; i < parts; i++) length += strlen(part[i]);
    size_t spaces = (ALIGNMENT - (length + LENGTH_BYTES) % ALIGNMENT) % ALIGNMENT;
    for (int b = 0; b < LENGTH_BYTES; b++)
        fputc((int)((length + spaces) >> (8 * b) & 0xff), out);
    for (int i = 0; i < parts; i++) fprintf(out, "%s%s", i ? "," : "{", part[i]);
    fprintf(out, "%s}%*s", parts ? "" : "{", (int)spaces, "");
}

static void write_numbers(FILE *out, const Tensor *tensor) {
    enum { CHUNK = 1 << 14 };
    uint32_t bits[CHUNK];
    for (int i = 0, size = tensor_size(tensor); i < size && !interrupt_signal();
         i += CHUNK) {
        int many = size - i < CHUNK ? size - i : CHUNK;
        for (int k = 0; k < many; k++) {
            float number = (float)tensor->data[i + k];
            int32_t id = tensor->holds_ids ? (int32_t)number : 0;
            memcpy(&bits[k], tensor->holds_ids ? (const void *)&id : &number,
                   ELEMENT_BYTES);
        }
        fwrite(bits, ELEMENT_BYTES, (size_t)many, out);
    }
}

bool safetensors_save(const char *path, const Contents *contents, bool replace,
                      Error *error) {
    Arena arena = {0};
    const char **part = ARENA_ARRAY(&arena, const char *, contents->count + 1);
    int parts = print_header(contents, part, &arena);
    unsigned long long bytes = 0;
    for (int t = 0; t < contents->count; t++)
        bytes +=
            (unsigned long long)tensor_size(contents->stored[t].tensor) * ELEMENT_BYTES;
    FileSave save;
    bool done = confine_has_room(path, bytes, error) &&
                file_save_begin(&save, path, replace, error);
    if (done) {
        write_header(save.stream, part, parts);
        for (int t = 0; t < contents->count; t++)
            write_numbers(save.stream, contents->stored[t].tensor);
        done = file_save_end(&save, error);
    }
    arena_free(&arena);
    return done;
}
