#include "prompt/error_print.h"

#include <stdio.h>
#include <string.h>

#include "canvas/look.h"
#include "window/text.h"

void error_print(Session *session, const char *name, const Error *error) {
    enum { INDENT = 2, DETAIL_INDENT = 4 };
    Arena *arena = &session->scratch;
    const char *text = arena_print(
        arena, "%s%s%s", name, session_safe(session, error->message), error->details);
    if (session->screen.is_on) { /* stderr is silenced there */
        page_line(&session->page, "%s", text);
        return;
    }
    const TextWindow *window =
        session->messages.window ? session->messages.window->state : NULL;
    if (!window || !window->is_terminal) {
        fprintf(stderr, "%s\n", text);
        return;
    }
    int width = window_text_width(window);
    int indent = *name ? INDENT : 0;
    for (;; text++, indent = DETAIL_INDENT) {
        size_t length = strcspn(text, "\n");
        const char *words = arena_copy(arena, text, length);
        for (bool is_first = true; *words || is_first; is_first = false) {
            size_t part = look_fold(words, is_first ? width : width - indent);
            fprintf(stderr, "%*s%.*s\n", is_first ? 0 : indent, "", (int)part, words);
            words += part;
            words += strspn(words, " ");
        }
        text += length;
        if (!*text) return;
    }
}
