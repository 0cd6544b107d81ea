/* Arbitrary bytes printed to a terminal: escaped they are safe, cut and padded they
 * have the requested width. The first byte is that width. */
#include "fuzz.h"
#include "text/unicode.h"

static void check_width(const char *safe, int cells, Arena *arena) {
    MUST(unicode_width(unicode_cut(safe, cells, arena)) <= cells);
    for (int right = 0; right < 2; right++) {
        const char *padded = unicode_pad(safe, cells, right, arena);
        MUST(unicode_width(padded) == cells);
        must_be_safe(padded, strlen(padded), false);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    Bytes rest = {(const char *)data, size};
    Arena arena = {0};
    int cells = fuzz_choice(&rest);
    const char *safe = unicode_escape(rest.bytes, rest.size, &arena);
    size_t length = strlen(safe);
    must_be_safe(safe, length, false);
    MUST(strcmp(unicode_escape(safe, length, &arena), safe) == 0);
    check_width(safe, cells, &arena);
    arena_free(&arena);
    return 0;
}
