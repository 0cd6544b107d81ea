#include "base/builder.h"

#include <string.h>

#include "base/system.h"

void build_bytes(Builder *builder, const char *bytes, size_t count) {
    for (size_t b = 0; b < count; b++) {
        ARENA_GROW(builder->arena, builder->text, builder->count, builder->capacity);
        builder->text[builder->count++] = bytes[b];
    }
}

void build_text(Builder *builder, const char *text) {
    build_bytes(builder, text, strlen(text));
}

void build(Builder *builder, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    build_text(builder, arena_print_list(builder->arena, format, arguments));
    va_end(arguments);
}

void build_item(Builder *builder, const char *separator, const char *format, ...) {
    va_list arguments;
    if (builder->count) build_text(builder, separator);
    va_start(arguments, format);
    build_text(builder, arena_print_list(builder->arena, format, arguments));
    va_end(arguments);
}

static ssize_t keep(void *state, const char *bytes, size_t count) {
    build_bytes(state, bytes, count);
    return (ssize_t)count;
}

FILE *builder_stream(Builder *builder) {
    return system_stream(builder, keep, NULL);
}

const char *builder_text(const Builder *builder) {
    return arena_copy(builder->arena, builder->text, (size_t)builder->count);
}

const char *csv_field(const char *text, Arena *arena) {
    const char *guard = *text && strchr("=+-@", *text) ? "'" : "";
    if (!strpbrk(text, ",\"\r\n")) return arena_print(arena, "%s%s", guard, text);
    char *doubled = arena_take(arena, 2 * strlen(text) + 1);
    char *to = doubled;
    for (const char *c = text; *c; c++) {
        if (*c == '"') *to++ = '"';
        *to++ = *c;
    }
    return arena_print(arena, "\"%s%s\"", guard, doubled);
}
