#include "explain/npy.h"

#include <stdint.h>
#include <string.h>
#include <zlib.h>

#include "text/unicode.h"

/* A byte buffer for text, and for little-endian integers of 2 or 4 bytes. */
typedef struct {
    unsigned char *byte;
    size_t size;
} Fields;

static void put_text(Fields *fields, const char *text) {
    while (*text) fields->byte[fields->size++] = (unsigned char)*text++;
}

static void put_field(Fields *fields, int bytes, size_t value) {
    for (int b = 0; b < bytes; b++)
        fields->byte[fields->size++] = (unsigned char)(value >> (8 * b) & 0xff);
}

/* Start a file with room for `bytes` bytes of content, and write the header: "{'descr':
 * '<f4', ...}", padded so that the content starts at a multiple of 64. */
static Fields begin(const char *type, const char *shape, size_t bytes, Arena *arena) {
    enum { MAGIC_BYTES = 10, ALIGNMENT = 64, VERSION = 1 };
    const char *header =
        arena_print(arena, "{'descr': '<%s', 'fortran_order': False, 'shape': (%s), }",
                    type, shape);
    size_t used = MAGIC_BYTES + strlen(header) + 1;
    size_t spaces = (ALIGNMENT - used % ALIGNMENT) % ALIGNMENT;
    Fields file = {arena_take(arena, used + spaces + bytes), 0};
    put_text(&file, "\x93NUMPY");
    put_field(&file, 2, VERSION);
    put_field(&file, 2, used + spaces - MAGIC_BYTES);
    put_text(&file, arena_print(arena, "%s%*s\n", header, (int)spaces, ""));
    return file;
}

Bytes npy_bytes(const Slice *slice, Arena *arena) {
    enum { NUMBER_BYTES = 4 };
    const Tensor *tensor = slice->tensor;
    const char *shape = "";
    for (int a = 0; a < tensor->rank; a++)
        shape = arena_print(arena, "%s%d, ", shape, slice->to[a] - slice->from[a]);
    int count = slice_size(slice);
    Fields file = begin(tensor->holds_ids ? "i4" : "f4", shape,
                        (size_t)count * NUMBER_BYTES, arena);
    int index[RANK_MAX];
    memcpy(index, slice->from, sizeof index);
    for (int i = 0; i < count; i++, file.size += NUMBER_BYTES) {
        const float number = (float)tensor->data[tensor_cell(tensor, index)];
        slice_next(slice, tensor->rank, index);
        const int32_t id = tensor->holds_ids ? (int32_t)number : 0;
        memcpy(file.byte + file.size, tensor->holds_ids ? (const void *)&id : &number,
               NUMBER_BYTES);
    }
    return (Bytes){(const char *)file.byte, file.size};
}

Bytes npy_words(const char *const *word, int rows, int size, Arena *arena) {
    enum { LETTER_BYTES = 4 };
    int letters = 1; /* NumPy has no empty strings */
    for (int w = 0; w < rows * size; w++) {
        int own = 0;
        const char *rest = word[w];
        for (int used; *rest && own < WORD_LETTERS_MAX; rest += used, own++)
            unicode_decode(rest, strlen(rest), &used);
        if (own > letters) letters = own;
    }
    size_t bytes = (size_t)rows * (size_t)size * (size_t)letters * LETTER_BYTES;
    Fields file = begin(arena_print(arena, "U%d", letters),
                        arena_print(arena, "%d, %d, ", rows, size), bytes, arena);
    /* Words in UTF-32, padded with zeros. */
    for (int w = 0; w < rows * size; w++) {
        const char *rest = word[w];
        for (int letter = 0; letter < letters; letter++) {
            int used = 0;
            int code = *rest ? unicode_decode(rest, strlen(rest), &used) : 0;
            put_field(&file, LETTER_BYTES, (size_t)code);
            rest += used;
        }
    }
    return (Bytes){(const char *)file.byte, file.size};
}

/* Write the fields that the local header and the central directory share: APPNOTE.TXT
 * 4.3.7 and 4.3.12. Bit 11 of the flags: the name is UTF-8. The date is 1980-01-01, so
 * equal runs write equal files. */
static void put_member(Fields *fields, const char *name, Bytes bytes) {
    enum { VERSION = 20, UTF8 = 1 << 11, STORED = 0, TIME = 0, DATE = 0x21 };
    uLong sum = crc32(0, (const Bytef *)bytes.bytes, (uInt)bytes.size);
    put_field(fields, 2, VERSION);
    put_field(fields, 2, UTF8);
    put_field(fields, 2, STORED);
    put_field(fields, 2, TIME);
    put_field(fields, 2, DATE);
    put_field(fields, 4, sum);
    put_field(fields, 4, bytes.size);
    put_field(fields, 4, bytes.size);
    put_field(fields, 2, strlen(name));
    put_field(fields, 2, 0);
}

bool zip_add(Zip *zip, const char *name, Bytes bytes) {
    enum { HEADER_BYTES = 46 };
    size_t length = strlen(name);
    if (zip->offset + bytes.size + length + HEADER_BYTES > UINT32_MAX) return false;
    Fields local = {arena_take(zip->arena, HEADER_BYTES + length), 0};
    put_field(&local, 4, 0x04034b50);
    put_member(&local, name, bytes);
    fwrite(local.byte, 1, local.size, zip->out);
    fwrite(name, 1, length, zip->out);
    fwrite(bytes.bytes, 1, bytes.size, zip->out);

    Fields entry = {arena_take(zip->arena, HEADER_BYTES + length), 0};
    put_field(&entry, 4, 0x02014b50);
    put_field(&entry, 2, 20);
    put_member(&entry, name, bytes);
    put_field(&entry, 2, 0); /* comment */
    put_field(&entry, 2, 0); /* disk */
    put_field(&entry, 2, 0); /* internal attributes */
    put_field(&entry, 4, 0); /* external attributes */
    put_field(&entry, 4, zip->offset);
    put_text(&entry, name);
    ARENA_GROW(zip->arena, zip->directory, zip->count, zip->capacity);
    zip->directory[zip->count++] = (Bytes){(const char *)entry.byte, entry.size};
    zip->offset += local.size + length + bytes.size;
    return true;
}

void zip_end(Zip *zip) {
    enum { END_BYTES = 22 };
    size_t size = 0;
    for (int m = 0; m < zip->count; m++) {
        fwrite(zip->directory[m].bytes, 1, zip->directory[m].size, zip->out);
        size += zip->directory[m].size;
    }
    Fields end = {arena_take(zip->arena, END_BYTES), 0};
    put_field(&end, 4, 0x06054b50);
    put_field(&end, 4, 0);
    put_field(&end, 2, (size_t)zip->count);
    put_field(&end, 2, (size_t)zip->count);
    put_field(&end, 4, size);
    put_field(&end, 4, zip->offset);
    put_field(&end, 2, 0);
    fwrite(end.byte, 1, end.size, zip->out);
}
