#include "store/safetensors.h"

#include <limits.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/builder.h"
#include "base/interrupt.h"
#include "base/json.h"
#include "base/language.h"
#include "base/mapped.h"
#include "base/threads.h"
#include "text/unicode.h"

enum { HEADER_BYTES_MAX = 16 << 20, LENGTH_BYTES = 8 };

static const size_t file_bytes_max = (size_t)8 << 30;

static const ElementType *element_type(const char *name) {
    static const ElementType types[] = {
        {"F32", 4, KIND_F32},
        {"F16", 2, KIND_F16},
        {"BF16", 2, KIND_BF16},
        {"F64", 8, KIND_F64},
        {"I64", 8, KIND_I64},
        {"I32", 4, KIND_I32},
        {"I16", 2, KIND_I16},
        {"I8", 1, KIND_I8},
        {"U8", 1, KIND_U8},
        {"BOOL", 1, KIND_U8},
        {0},
    };
    for (const ElementType *type = types; type->name; type++)
        if (strcmp(type->name, name) == 0) return type;
    return NULL;
}

/* Round to the nearest half, ties to even. */
static uint16_t to_f16(double number) {
    double size = fabs(number);
    int sign = signbit(number) ? 1 << 15 : 0;
    int exponent;
    if (isnan(number)) return (uint16_t)(sign | 31 << 10 | 1);
    if (isinf(number)) return (uint16_t)(sign | 31 << 10);
    frexp(size, &exponent); /* size is at least 2^(exponent - 1) */
    if (size == 0 || exponent < -13)
        exponent = -13; /* subnormal: no implicit leading 1 */
    int units = (int)nearbyint(ldexp(size, 11 - exponent));
    /* 1024 units increment the exponent, even if rounding makes them 2048. */
    return (uint16_t)(sign | (((exponent + 13) << 10) + units));
}

/* A copy that is split over threads. */
typedef struct {
    const StoredTensor *tensor;
    Number *to;
} Copying;

/* Number of elements that are copied in about a millisecond; signals are checked in
 * between. */
enum { PIECE = 1 << 18 };

static void copy_part(void *context, int part, int parts) {
    const Copying *copying = context;
    const StoredTensor *tensor = copying->tensor;
    size_t end = tensor->count * (size_t)(part + 1) / (size_t)parts;
    size_t i = tensor->count * (size_t)part / (size_t)parts;
    for (size_t many; i < end && !interrupt_signal(); i += many) {
        many = end - i < PIECE ? end - i : PIECE;
        widen(tensor->type->kind, tensor->bytes + i * tensor->type->bytes, many,
              copying->to + i);
    }
}

bool safetensors_numbers(const StoredTensor *tensor, Arena *arena, Number **numbers) {
    const ElementType *type = tensor->type;
    bool fits = type->kind == (sizeof(Number) == 4 ? KIND_F32 : KIND_F64) &&
                (uintptr_t)tensor->bytes % sizeof(Number) == 0;
    if (fits) {
        /* Read and write the same bytes: they belong to the caller's arena. */
        memcpy(numbers, &tensor->bytes, sizeof *numbers);
        return true;
    }
    *numbers = arena_take_raw(arena, tensor->count * sizeof(Number));
    Copying copying = {tensor, *numbers};
    if (tensor->count < PIECE)
        copy_part(&copying, 0, 1);
    else
        threads_run(copy_part, &copying);
    return interrupt_signal() == 0;
}

/* Each item starts with a pointer to its name. */
static int compare_name(const void *a, const void *b) {
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* The file being read, and its position for messages. */
typedef struct {
    SafeTensors *file;
    const unsigned char *data; /* the numbers, after the header */
    size_t data_bytes;
    bool is_mapped;
    Arena *arena;
    Error *error;
} Reader;

const char *safetensors_show(const char *name, Arena *arena) {
    enum { BYTES = 256, CELLS = 80 };
    return unicode_cut(unicode_escape(name, strnlen(name, BYTES), arena), CELLS, arena);
}

static const char *show(const Reader *reader, const char *name) {
    return safetensors_show(name, reader->arena);
}

/* Read a JSON whole number from 0 to `max`. */
static bool read_whole(const Json *json, long long max, size_t *value) {
    if (json->type != JSON_WHOLE || json->whole < 0 || json->whole > max) return false;
    *value = (size_t)json->whole;
    return true;
}

static bool read_shape(const Reader *reader, const Json *json, StoredTensor *tensor) {
    const char *path = reader->file->path;
    if (json->type != JSON_LIST || json->count > SHAPE_MAX)
        return fail(reader->error,
                    "%s: %s: its shape is not a list of at most %d sizes", path,
                    show(reader, tensor->name), SHAPE_MAX);
    tensor->rank = json->count;
    tensor->count = 1;
    for (int a = 0; a < json->count; a++) {
        size_t size;
        if (!read_whole(&json->child[a], INT_MAX, &size))
            return fail(reader->error,
                        "%s: %s: size %d of its shape is not a whole number from 0 "
                        "to %d",
                        path, show(reader, tensor->name), a, INT_MAX);
        tensor->shape[a] = (long long)size;
        if (!size_multiply(tensor->count, size, &tensor->count))
            return fail(reader->error, "%s: %s: its shape has too many numbers", path,
                        show(reader, tensor->name));
    }
    return true;
}

static bool read_tensor(const Reader *reader, const Json *entry, StoredTensor *tensor) {
    const char *path = reader->file->path;
    tensor->name = entry->name;
    const Json *type = json_find(entry, "dtype");
    const Json *shape = json_find(entry, "shape");
    const Json *offsets = json_find(entry, "data_offsets");
    if (!type || !shape || !offsets || entry->count != 3 || type->type != JSON_TEXT)
        return fail(reader->error,
                    "%s: %s: it must have only dtype, shape and data_offsets", path,
                    show(reader, tensor->name));
    tensor->type = element_type(type->text);
    if (!tensor->type)
        return fail(reader->error, "%s: %s: the dtype '%s' is not supported", path,
                    show(reader, tensor->name), show(reader, type->text));
    if (!read_shape(reader, shape, tensor)) return false;
    size_t begin, end, bytes;
    if (offsets->type != JSON_LIST || offsets->count != 2 ||
        !read_whole(&offsets->child[0], LLONG_MAX, &begin) ||
        !read_whole(&offsets->child[1], LLONG_MAX, &end) || begin > end ||
        end > reader->data_bytes)
        return fail(reader->error,
                    "%s: %s: its data_offsets are not a range within the %zu bytes "
                    "of numbers; the file is damaged or cut off",
                    path, show(reader, tensor->name), reader->data_bytes);
    if (!size_multiply(tensor->count, tensor->type->bytes, &bytes) ||
        bytes != end - begin)
        return fail(
            reader->error,
            "%s: %s: its shape needs %zu numbers of %zu bytes, its data_offsets "
            "give %zu bytes",
            path, show(reader, tensor->name), tensor->count, tensor->type->bytes,
            end - begin);
    tensor->bytes = reader->data + begin;
    tensor->is_mapped = reader->is_mapped;
    return true;
}

static bool read_notes(const Reader *reader, const Json *json) {
    SafeTensors *file = reader->file;
    if (json->type != JSON_MAP)
        return fail(reader->error, "%s: __metadata__ is %s, not an object", file->path,
                    json_type_name(json));
    file->note = ARENA_ARRAY(reader->arena, Note, json->count);
    for (int i = 0; i < json->count; i++) {
        if (json->child[i].type != JSON_TEXT)
            return fail(reader->error, "%s: __metadata__: '%s' is not a string",
                        file->path, show(reader, json->child[i].name));
        file->note[file->notes++] = (Note){json->child[i].name, json->child[i].text};
    }
    qsort(file->note, (size_t)file->notes, sizeof *file->note, compare_name);
    return true;
}

static int compare_begin(const void *a, const void *b) {
    const StoredTensor *x = a;
    const StoredTensor *y = b;
    if (x->bytes != y->bytes) return x->bytes < y->bytes ? -1 : 1;
    return (x->count > y->count) - (x->count < y->count); /* empty ones first */
}

bool safetensors_sort_names(SafeTensors *file, Arena *arena, Error *error) {
    file->by_name = ARENA_ARRAY(arena, NamedTensor, file->count);
    for (int t = 0; t < file->count; t++)
        file->by_name[t] = (NamedTensor){file->tensor[t].name, &file->tensor[t]};
    qsort(file->by_name, (size_t)file->count, sizeof *file->by_name, compare_name);
    for (int t = 1; t < file->count; t++)
        if (compare_name(&file->by_name[t - 1], &file->by_name[t]) == 0)
            return fail(error, "%s: two parts of the model have the tensor %s",
                        file->path, safetensors_show(file->by_name[t].name, arena));
    return true;
}

/* The first tensor must start at 0, every other where the one before ends; the last
 * must end where the numbers end. */
static bool check_holes(const Reader *reader) {
    SafeTensors *file = reader->file;
    qsort(file->tensor, (size_t)file->count, sizeof *file->tensor, compare_begin);
    const unsigned char *next = reader->data;
    for (int t = 0; t < file->count; t++) {
        const StoredTensor *tensor = &file->tensor[t];
        if (tensor->bytes != next)
            return fail(reader->error,
                        tensor->bytes < next
                            ? N_("%s: %s overlaps the tensor before it; the file is "
                                 "damaged")
                            : N_("%s: %s does not start where the one before ends; "
                                 "the file is damaged"),
                        file->path, show(reader, tensor->name));
        next += tensor->count * tensor->type->bytes;
    }
    size_t rest = (size_t)(reader->data + reader->data_bytes - next);
    return rest == 0 ||
           fail(reader->error, "%s: %zu bytes at the end belong to no tensor",
                file->path, rest);
}

static bool read_header(Reader *reader, const Json *header) {
    SafeTensors *file = reader->file;
    if (header->type != JSON_MAP || header->count > TENSORS_MAX)
        return fail(reader->error,
                    "%s: its header is not an object of at most %d tensors", file->path,
                    TENSORS_MAX);
    file->tensor = ARENA_ARRAY(reader->arena, StoredTensor, header->count);
    for (int i = 0; i < header->count; i++) {
        const Json *entry = &header->child[i];
        bool done = strcmp(entry->name, "__metadata__") == 0
                        ? read_notes(reader, entry)
                        : read_tensor(reader, entry, &file->tensor[file->count++]);
        if (!done || !interrupt_none(reader->error)) return false;
    }
    return check_holes(reader) &&
           safetensors_sort_names(file, reader->arena, reader->error);
}

/* Read the length of the header and check that it is possible. */
static bool read_length(const char *path, const unsigned char *start, size_t file_bytes,
                        size_t *length, Error *error) {
    uint64_t claimed = 0; /* little endian */
    for (int b = LENGTH_BYTES - 1; b >= 0; b--) claimed = claimed << 8 | start[b];
    if (claimed > file_bytes - LENGTH_BYTES || claimed > HEADER_BYTES_MAX)
        return fail(error,
                    "%s: its header would have %llu bytes, but the file has %zu and "
                    "the limit is %d; this is not a safetensors file, or it is "
                    "damaged",
                    path, (unsigned long long)claimed, file_bytes, HEADER_BYTES_MAX);
    *length = (size_t)claimed;
    return true;
}

bool safetensors_read(SafeTensors *file, const char *path, Arena *arena, Error *error) {
    *file = (SafeTensors){.path = path};
    Bytes bytes;
    size_t length = 0;
    /* Reject a large file of another format without reading it. */
    unsigned char peeked[LENGTH_BYTES];
    size_t size;
    if (file_peek(path, peeked, LENGTH_BYTES, &size) && size >= LENGTH_BYTES &&
        !read_length(path, peeked, size, &length, error))
        return false;
    bool is_mapped = mapped_pays(path);
    if (is_mapped ? !mapped_read(path, file_bytes_max, arena, &bytes, error)
                  : !file_read_regular(path, file_bytes_max, arena, &bytes, error))
        return false;
    const unsigned char *start = (const unsigned char *)bytes.bytes;
    if (bytes.size < LENGTH_BYTES)
        return fail(error, "%s has %zu bytes, too short for a safetensors file", path,
                    bytes.size);
    if (!read_length(path, start, bytes.size, &length, error)) return false;
    const Json *header;
    Bytes json = {bytes.bytes + LENGTH_BYTES, length};
    if (!json_read_within(json, path, HEADER_VALUES_MAX, arena, &header, error))
        return false;
    Reader reader = {
        .file = file,
        .data = start + LENGTH_BYTES + length,
        .data_bytes = bytes.size - LENGTH_BYTES - length,
        .is_mapped = is_mapped,
        .arena = arena,
        .error = error,
    };
    return read_header(&reader, header);
}

const StoredTensor *safetensors_find(const SafeTensors *file, const char *name) {
    const NamedTensor *found = file->count
                                   ? bsearch(&name, file->by_name, (size_t)file->count,
                                             sizeof *file->by_name, compare_name)
                                   : NULL;
    return found ? found->tensor : NULL;
}

const char *safetensors_note(const SafeTensors *file, const char *key) {
    const Note *found = file->notes ? bsearch(&key, file->note, (size_t)file->notes,
                                              sizeof *file->note, compare_name)
                                    : NULL;
    return found ? found->value : NULL;
}

const char *safetensors_describe(const StoredTensor *tensor, Arena *arena) {
    Builder sizes = {.arena = arena};
    for (int a = 0; a < tensor->rank; a++)
        build_item(&sizes, ", ", "%lld", tensor->shape[a]);
    return arena_print(arena, "%s [%s]", tensor->type->name, builder_text(&sizes));
}

enum { ALIGNMENT = 64 };

/* The largest F16 number plus half a unit, which rounds to infinity. */
static const double half_too_large = 65520;

static const ElementType *type_in_file(const Contents *contents, const Tensor *tensor) {
    return element_type(tensor->holds_ids ? "I32" : contents->halves ? "F16" : "F32");
}

/* Write the entries, "name":{"dtype":"F32","shape":[2,3],"data_offsets":[0,24]}. Pad
 * the header with spaces so that the numbers start at a multiple of 64 and can be used
 * in place when the file is mapped. */
static void write_header(FILE *out, const Contents *contents, Arena *arena) {
    Builder notes = {.arena = arena};
    Builder header = {.arena = arena};
    size_t begin = 0;
    for (int n = 0; n < contents->notes; n++)
        build_item(&notes, ",", "%s:%s", json_quote(contents->note[n].key, arena),
                   json_quote(contents->note[n].value, arena));
    if (contents->notes) build(&header, "\"__metadata__\":{%s}", builder_text(&notes));
    for (int t = 0; t < contents->count; t++) {
        const Stored *stored = &contents->stored[t];
        const ElementType *type = type_in_file(contents, stored->tensor);
        const Tensor *tensor = stored->tensor;
        const size_t end = begin + (size_t)tensor_size(tensor) * type->bytes;
        build_item(&header, ",", "%s:{\"dtype\":\"%s\",\"shape\":[",
                   json_quote(stored->name, arena), type->name);
        for (int a = 0; a < tensor->rank; a++)
            build(&header, "%s%d", a ? "," : "", tensor->axis[a].size);
        build(&header, "],\"data_offsets\":[%zu,%zu]}", begin, end);
        begin = end;
    }
    size_t length = (size_t)header.count + strlen("{}");
    size_t spaces = (ALIGNMENT - (length + LENGTH_BYTES) % ALIGNMENT) % ALIGNMENT;
    for (int b = 0; b < LENGTH_BYTES; b++)
        fputc((int)((length + spaces) >> (8 * b) & 0xff), out);
    fprintf(out, "{%s}%*s", builder_text(&header), (int)spaces, "");
}

static void write_numbers(FILE *out, const Tensor *tensor, const ElementType *type) {
    enum { CHUNK = 1 << 14, LARGEST = 4 };
    unsigned char bytes[CHUNK * LARGEST];
    for (int i = 0, size = tensor_size(tensor); i < size && !interrupt_signal();
         i += CHUNK) {
        int many = size - i < CHUNK ? size - i : CHUNK;
        for (int k = 0; k < many; k++) {
            unsigned char *to = bytes + (size_t)k * type->bytes;
            float number = (float)tensor->data[i + k];
            int32_t id = type->kind == KIND_I32 ? (int32_t)number : 0;
            uint16_t half = type->kind == KIND_F16 ? to_f16(number) : 0;
            memcpy(to,
                   type->kind == KIND_I32   ? (const void *)&id
                   : type->kind == KIND_F16 ? (const void *)&half
                                            : &number,
                   type->bytes);
        }
        fwrite(bytes, type->bytes, (size_t)many, out);
    }
}

bool safetensors_save(const char *path, const Contents *contents, bool replace,
                      Error *error) {
    for (int t = 0; contents->halves && t < contents->count; t++) {
        const Tensor *tensor = contents->stored[t].tensor;
        for (int i = 0; !tensor->holds_ids && i < tensor_size(tensor); i++)
            if (isfinite(tensor->data[i]) && fabs(tensor->data[i]) >= half_too_large)
                return fail(error,
                            "%s: %s has %g, but F16 goes only up to 65504; keep it "
                            "as f32 (stored_as)",
                            path, contents->stored[t].name, (double)tensor->data[i]);
    }
    Arena arena = {0};
    unsigned long long bytes = 0;
    for (int t = 0; t < contents->count; t++)
        bytes += (unsigned long long)tensor_size(contents->stored[t].tensor) *
                 type_in_file(contents, contents->stored[t].tensor)->bytes;
    FileSave save;
    bool done = confine_has_room(path, bytes, error) &&
                file_save_begin(&save, path, replace, error);
    if (done) {
        write_header(save.stream, contents, &arena);
        for (int t = 0; t < contents->count; t++)
            write_numbers(save.stream, contents->stored[t].tensor,
                          type_in_file(contents, contents->stored[t].tensor));
        done = file_save_end(&save, error);
    }
    arena_free(&arena);
    return done;
}
