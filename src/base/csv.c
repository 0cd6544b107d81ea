#include "base/csv.h"

#include <string.h>

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
