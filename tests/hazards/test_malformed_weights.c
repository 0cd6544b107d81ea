/* Malformed safetensors files, in every way that the format and its readers are known
 * to have failed: whatever the reference rejects is rejected here. */
#include "malformed.h"
#include "store/safetensors.h"

#define ONE "\"a\":{\"dtype\":\"F32\",\"shape\":[2,2],\"data_offsets\":[0,16]}"
#define SHAPE(shape)                                                                   \
    "{\"a\":{\"dtype\":\"F32\",\"shape\":" shape ",\"data_offsets\":[0,16]}}"
#define RANGES(a, b)                                                                   \
    "{\"a\":{\"dtype\":\"U8\",\"shape\":[8],\"data_offsets\":[" a                      \
    "]},\"b\":{\"dtype\":\"U8\",\"shape\":[8],\"data_offsets\":[" b "]}}"

static Bytes one_hundred_deep(Arena *arena) {
    enum { DEEP = 100 * 1000 };
    char *text = arena_take(arena, DEEP);
    memset(text, '[', DEEP);
    return with_header(text, DEEP, 0, arena);
}

static Bytes sharing_one_range(Arena *arena) {
    const char *text = "{";
    for (int t = 0; t < 10; t++)
        text = arena_print(arena,
                           "%s%s\"%d\":{\"dtype\":\"F32\",\"shape\":[2,2],\"data_"
                           "offsets\":[0,16]}",
                           text, t ? "," : "", t);
    text = arena_print(arena, "%s}", text);
    return with_header(text, strlen(text), 16, arena);
}

/* 1 MB of a character without width. */
static Bytes name_of_a_megabyte(Arena *arena) {
    enum { SIZE = 1000 * 1000 };
    char *name = arena_take(arena, SIZE + 1);
    for (int i = 0; i < SIZE; i += 2) memcpy(name + i, "\xcc\x81", 2);
    const char *text = arena_print(arena, "{\"%s\":1}", name);
    return with_header(text, strlen(text), 0, arena);
}

static const Malformed weights[] = {
    /* S1 to S4 */
    {"nothing", .text = "", .expected = "has 0 bytes, too short"},
    {"seven bytes", .text = "\2\0\0\0\0\0\0", .size = 7, .expected = "has 7 bytes"},
    {"a length alone", .text = "\0\0\0\0\0\0\0\0", .size = 8,
     .expected = "this is not valid JSON"},
    {"a length beyond all", .text = "\x3c\xff\xff\xff\xff\xff\xff\xff{}", .size = 10,
     .expected = "header would have 18446744073709551420 bytes, but the file has 10"},
    {"a length one beyond the file", .text = "\3\0\0\0\0\0\0\0{}", .size = 10,
     .expected = "header would have 3 bytes"},
    {"no UTF-8", .header = "\xff", .expected = "this is not valid JSON"},
    {"an overlong letter", .header = "{\"\xc0\xaf\":1}", .expected = "not valid JSON"},
    {"a surrogate", .header = "{\"\xed\xa0\x80\":1}", .expected = "not valid JSON"},
    /* S5, S6 */
    {"a brace", .header = "{", .expected = ":1: this is not valid JSON"},
    {"a list", .header = "[]", .expected = "is not an object of at most"},
    {"two objects", .header = "{}{}", .expected = "this is not valid JSON"},
    {"a NUL in a name", .header = "{\"a\\u0000\":1}", .expected = "not valid JSON"},
    {"deep", .make = one_hundred_deep, .expected = "more than 32 deep"},
    {"a number for a tensor", .header = "{\"a\":1}",
     .expected = "a: it must have only dtype, shape and data_offsets"},
    {"one key more",
     .header = "{\"a\":{\"dtype\":\"F32\",\"shape\":[2],\"data_offsets\":[0,8],"
               "\"x\":1}}",
     .data = 8, .expected = "only dtype, shape and data_offsets"},
    {"no dtype", .header = "{\"a\":{\"shape\":[2],\"data_offsets\":[0,8],\"x\":1}}",
     .data = 8, .expected = "it must have only dtype"},
    {"a dtype of another time",
     .header = "{\"a\":{\"dtype\":\"F4\",\"shape\":[2],\"data_offsets\":[0,1]}}",
     .data = 1, .expected = "the dtype 'F4' is not supported"},
    {"metadata with a number", .header = "{\"__metadata__\":{\"step\":3}}",
     .expected = "'step' is not a string"},
    {"metadata as a list", .header = "{\"__metadata__\":[]}",
     .expected = "__metadata__ is a list"},
    /* S7 */
    {"a name twice", .header = "{" ONE "," ONE "}", .data = 16,
     .expected = "the same name is twice"},
    {"a name twice, once escaped",
     .header = "{" ONE ",\"\\u0061\":{\"dtype\":\"F32\",\"shape\":[2,2],"
               "\"data_offsets\":[0,16]}}",
     .data = 16, .expected = "the same name is twice"},
    /* S8 */
    {"ten that share a range", .make = sharing_one_range,
     .expected = "overlaps the tensor before it"},
    {"an overlap", .header = RANGES("0,8", "7,15"), .data = 15,
     .expected = "b overlaps the tensor before it"},
    {"a hole", .header = RANGES("0,8", "9,17"), .data = 17,
     .expected = "b does not start where the one before ends"},
    {"a hole at the start", .header = RANGES("1,9", "9,17"), .data = 17,
     .expected = "a does not start where the one before ends"},
    {"an end before its begin", .header = RANGES("8,0", "8,16"), .data = 16,
     .expected = "a: its data_offsets are not a range"},
    {"three offsets", .header = RANGES("0,8,8", "8,16"), .data = 16,
     .expected = "a: its data_offsets are not a range"},
    {"a negative offset", .header = RANGES("-8,0", "0,8"), .data = 8,
     .expected = "a: its data_offsets are not a range"},
    {"offsets of 2^63 - 1", .header = RANGES("0,8", "8,9223372036854775807"),
     .data = 16, .expected = "b: its data_offsets are not a range"},
    /* S9 */
    {"too few bytes", .header = SHAPE("[2,3]"), .data = 16,
     .expected = "its shape needs 6 numbers of 4 bytes, its data_offsets give 16"},
    {"too many bytes", .header = SHAPE("[3]"), .data = 16,
     .expected = "its shape needs 3 numbers of 4 bytes, its data_offsets give 16"},
    {"2^64 - 2", .header = SHAPE("[2,18446744073709551614]"), .data = 16,
     .expected = "too big integer"},
    {"2^63 - 1", .header = SHAPE("[2,9223372036854775807]"), .data = 16,
     .expected = "size 1 of its shape is not a whole number from 0 to 2147483647"},
    {"2^31", .header = SHAPE("[2147483648]"), .data = 16, .expected = "size 0 of its"},
    {"a product beyond all", .header = SHAPE("[2147483647,2147483647,2147483647]"),
     .data = 16, .expected = "its shape has too many numbers"},
    {"a product beyond all, times 0",
     .header = SHAPE("[2147483647,2147483647,2147483647,0]"), .data = 16,
     .expected = "its shape has too many numbers"},
    {"bytes beyond all", .header = SHAPE("[2147483647,2147483647,2]"), .data = 16,
     .expected = "its shape needs 9223372028264841218 numbers"},
    {"negative", .header = SHAPE("[-2,-2]"), .data = 16, .expected = "size 0 of its"},
    {"4.0", .header = SHAPE("[4.0]"), .data = 16, .expected = "size 0 of its shape"},
    {"1e3", .header = SHAPE("[1e3]"), .data = 16, .expected = "size 0 of its shape"},
    {"\"4\"", .header = SHAPE("[\"4\"]"), .data = 16, .expected = "size 0 of its"},
    {"a nested shape", .header = SHAPE("[[4]]"), .data = 16, .expected = "size 0 of"},
    {"a shape that is a number", .header = SHAPE("4"), .data = 16,
     .expected = "its shape is not a list of at most 8 sizes"},
    {"nine axes", .header = SHAPE("[2,2,1,1,1,1,1,1,1]"), .data = 16,
     .expected = "its shape is not a list of at most 8 sizes"},
    /* S10 */
    {"a tail", .header = "{" ONE "}", .data = 17,
     .expected = "1 bytes at the end belong to no tensor"},
    {"cut off", .header = "{" ONE "}", .data = 14,
     .expected = "not a range within the 14 bytes of numbers; the file is damaged or cut"},
    /* W8 */
    {"a name with an escape", .header = "{\"\\u001b[31m\\u202ex\":1}",
     .expected = "<1B>[31m<U+202E>x: it must have"},
    {"a name of a megabyte", .make = name_of_a_megabyte, .expected = "it must have"},
    {"metadata with an escape", .header = "{\"__metadata__\":{\"\\u001b]0;x\":1}}",
     .expected = "'<1B>]0;x' is not a string"},
    /* Valid but unusual: S5, S8, S11, S12. */
    {"spaces around", .header = " \n{" ONE "} \t", .data = 16},
    {"nothing but braces", .header = "{}"},
    {"the second first", .header = RANGES("8,16", "0,8"), .data = 16},
    {"an empty tensor",
     .header = "{\"a\":{\"dtype\":\"F32\",\"shape\":[2,0],\"data_offsets\":[0,0]}}"},
    {"a scalar",
     .header = "{\"a\":{\"dtype\":\"F16\",\"shape\":[],\"data_offsets\":[0,2]}}",
     .data = 2},
    {"an empty tensor between",
     .header = "{\"a\":{\"dtype\":\"BOOL\",\"shape\":[2,0],\"data_offsets\":[4,4]},"
               "\"b\":{\"dtype\":\"F32\",\"shape\":[1],\"data_offsets\":[0,4]},"
               "\"c\":{\"dtype\":\"I64\",\"shape\":[1],\"data_offsets\":[4,12]}}",
     .data = 12},
    {"2^31 - 1 times nothing", .header =
                                   "{\"a\":{\"dtype\":\"F32\",\"shape\":[2147483647,0],"
                                   "\"data_offsets\":[0,0]}}"},
    {"eight axes", .header = SHAPE("[2,2,1,1,1,1,1,1]"), .data = 16},
};

/* Read the bytes as a file; `path` is its path. */
static bool read_bytes(Bytes bytes, SafeTensors *file, const char **path, Arena *arena,
                       Error *error) {
    *error = (Error){0};
    *path = write_file("file", bytes, arena);
    return safetensors_read(file, *path, arena, error);
}

static void every_row_gets_its_verdict(void **state) {
    (void)state;
    for (int r = 0; r < ROWS(weights); r++) {
        Arena arena = {0};
        SafeTensors file;
        Error error;
        const char *path;
        bool done = read_bytes(malformed_bytes(&weights[r], &arena), &file, &path,
                               &arena, &error);
        check_verdict(weights[r].name, done, weights[r].expected, path, &error);
        arena_free(&arena);
    }
}

/* About 2 KB: tensors of several types and metadata. */
static Bytes good_file(Arena *arena) {
    static const char *const types[] = {"F32", "F16", "I64", "U8"};
    static const int bytes[] = {4, 2, 8, 1};
    const char *text = "{\"__metadata__\":{\"seed\":\"7\"}";
    size_t data = 0;
    for (int t = 0; t < 16; t++) {
        size_t end = data + (size_t)(3 * (t + 1) * bytes[t % 4]);
        text = arena_print(arena,
                           "%s,\"layer.%d.weight\":{\"dtype\":\"%s\",\"shape\":[%d,3],"
                           "\"data_offsets\":[%zu,%zu]}",
                           text, t, types[t % 4], t + 1, data, end);
        data = end;
    }
    text = arena_print(arena, "%s}  ", text);
    return with_header(text, strlen(text), data, arena);
}

static void every_truncation_and_every_tail_is_refused(void **state) {
    (void)state;
    Arena arena = {0};
    Bytes good = good_file(&arena);
    for (size_t size = 0; size <= good.size + 64; size++) {
        Arena scratch = {0};
        SafeTensors file;
        Error error;
        const char *path;
        char *bytes = arena_take(&scratch, good.size + 64);
        memcpy(bytes, good.bytes, good.size);
        bool done = read_bytes((Bytes){bytes, size}, &file, &path, &scratch, &error);
        if (done != (size == good.size)) fail_msg("%zu bytes: %s", size, error.message);
        if (!done) assert_non_null(strstr(error.message, path));
        arena_free(&scratch);
    }
    arena_free(&arena);
}

/* Check every file that is read without using the reader: its tensors are consecutive,
 * from the header to the end of the file. */
static void check_sound(const SafeTensors *file, size_t data) {
    size_t all = 0;
    for (int t = 0; t < file->count; t++) {
        const StoredTensor *tensor = &file->tensor[t];
        size_t width = strcmp(tensor->type->name, "F16") == 0    ? 2
                       : strcmp(tensor->type->name, "BF16") == 0 ? 2
                       : strpbrk(tensor->type->name, "8B")       ? 1
                       : strstr(tensor->type->name, "64")        ? 8
                       : strstr(tensor->type->name, "16")        ? 2
                                                                 : 4;
        size_t count = 1;
        for (int a = 0; a < tensor->rank; a++) count *= (size_t)tensor->shape[a];
        assert_int_equal(count, tensor->count);
        assert_ptr_equal(tensor->bytes, file->tensor[0].bytes + all);
        all += count * width;
    }
    assert_int_equal(all, data);
}

static void every_byte_of_the_header_changed_does_no_harm(void **state) {
    (void)state;
    Arena arena = {0};
    Bytes good = good_file(&arena);
    size_t header =
        8 + (unsigned char)good.bytes[0] + 256u * (unsigned char)good.bytes[1];
    int accepted = 0;
    for (size_t at = 0; at < header; at++)
        for (int pattern = 0; pattern < 10; pattern++) {
            Arena scratch = {0};
            SafeTensors file;
            Error error;
            const char *path;
            char *bytes = arena_copy(&scratch, good.bytes, good.size);
            char before = bytes[at];
            bytes[at] = (char)(pattern < 8    ? before ^ (1 << pattern)
                               : pattern == 8 ? 0
                                              : '"');
            bool changed = bytes[at] != before;
            if (changed &&
                read_bytes((Bytes){bytes, good.size}, &file, &path, &scratch, &error)) {
                check_sound(&file, good.size - header);
                accepted++;
            } else if (changed) {
                assert_non_null(strstr(error.message, path));
            }
            arena_free(&scratch);
        }
    /* Letters of names, the text of the metadata and spaces may change. */
    assert_in_range(accepted, 100, header * 10 / 2);
    arena_free(&arena);
}

static int run_all(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_row_gets_its_verdict),
        cmocka_unit_test(every_truncation_and_every_tail_is_refused),
        cmocka_unit_test(every_byte_of_the_header_changed_does_no_harm),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

int main(int count, char **argument) {
    const MalformedFiles files = {"model.safetensors", weights, ROWS(weights)};
    return malformed_main(count, argument, &files, 1, run_all);
}
