#include <string.h>

#include "shell/show.h"
#include "text/unicode.h"

void show_heading(Session *session, int number, int count, const char *title,
                  const char *name) {
    Arena *arena = &session->scratch;
    int width = session_width(session);
    const char *left = unicode_cut(
        arena_print(arena, "%d/%d  %s", number, count, title), width, arena);
    int gap = width - unicode_width(left) - unicode_width(name);
    bool bold = session_colors(session) != COLORS_NONE;
    fprintf(session->out, "\n%s%s%s", bold ? "\x1b[1m" : "", left,
            bold ? "\x1b[0m" : "");
    if (gap >= 2) fprintf(session->out, "%*s%s", gap, "", name);
    fputs("\n", session->out);
}

static int cells(const char *text, size_t length) {
    Arena arena = {0};
    int width = unicode_width(arena_copy(&arena, text, length));
    arena_free(&arena);
    return width;
}

/* Bytes of the letters from `text` on that fit into `width`, at least one letter: for a
 * word that is wider than a line. */
static size_t broken_length(const char *text, int width) {
    size_t fits = (size_t)unicode_grapheme(text);
    for (;;) {
        size_t more = fits + (size_t)unicode_grapheme(text + fits);
        if (more == fits || cells(text, more) > width) return fits;
        fits = more;
    }
}

/* Bytes of the words from `text` on that fit into `width`. */
static size_t line_length(const char *text, int width) {
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

static void print_folded(Session *session, int indent, int width, const char *text) {
    while (*text) {
        size_t length = line_length(text, width - indent);
        fprintf(session->out, "%*s%.*s\n", indent, "", (int)length, text);
        text += length;
        text += strspn(text, " ");
    }
}

void show_text(Session *session, const char *text) {
    enum { READABLE = 80 }; /* longer lines are hard to read */
    int width = session_width(session);
    print_folded(session, 2, width < READABLE ? width : READABLE, text);
}

void show_folded(Session *session, int indent, const char *text) {
    print_folded(session, indent, session_width(session), text);
}
