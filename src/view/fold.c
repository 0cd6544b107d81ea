#include "view/fold.h"

#include <string.h>

#include "base/arena.h"
#include "text/unicode.h"

static int cells(const char *text, size_t length) {
    Arena arena = {0};
    int width = unicode_width(arena_copy(&arena, text, length));
    arena_free(&arena);
    return width;
}

/* Bytes of the letters from `text` on that fit into `width`, at least one letter: for a
 * word that is wider than a line. An address is broken before its bracket. */
static size_t broken_length(const char *text, int width) {
    size_t fits = (size_t)unicode_grapheme(text);
    for (;;) {
        size_t more = fits + (size_t)unicode_grapheme(text + fits);
        if (more == fits || cells(text, more) > width) break;
        fits = more;
    }
    const char *bracket = memchr(text + 1, '[', fits - 1);
    return bracket ? (size_t)(bracket - text) : fits;
}

size_t fold_line(const char *text, int width) {
    size_t fits = 0;
    for (;;) {
        const char *end = text + fits + strspn(text + fits, " ");
        end += strcspn(end, " ");
        size_t more = (size_t)(end - text);
        if (more == fits) return fits;
        if (cells(text, more) > width) return fits ? fits : broken_length(text, width);
        fits = more;
    }
}
