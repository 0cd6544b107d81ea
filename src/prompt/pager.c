#include "prompt/pager.h"

#include <string.h>

#include "base/interrupt.h"
#include "base/language.h"
#include "base/terminal.h"
#include "canvas/look.h"
#include "prompt/line_edit.h"

bool pager_begin(Pager *pager, Session *session) {
    const Window *window = session->page.window;
    if (!session->is_prompt || session->is_on_screen || !session->options.pager ||
        !window || terminal_key_waits())
        return false;
    *pager = (Pager){.window = window->state};
    pager->kept.arena = &pager->arena;
    FILE *kept = builder_stream(&pager->kept);
    if (!kept) return false;
    pager->out = pager->window->out;
    pager->window->out = kept;
    return true;
}

/* How many rows of the screen the line takes. */
static int line_rows(const char *line, size_t length, int columns) {
    Arena arena = {0};
    int width = look_width(line, length, &arena);
    arena_free(&arena);
    return width <= columns ? 1 : (width + columns - 1) / columns;
}

static size_t line_length(const char *text) {
    size_t length = strcspn(text, "\n");
    return length + (text[length] == '\n');
}

/* Bytes of the lines from `text` on that fill a screen but for one row, at least one
 * line. */
static size_t screenful(const char *text) {
    TerminalSize size = terminal_size();
    int rows = 0;
    size_t fits = 0;
    while (text[fits]) {
        size_t length = line_length(text + fits);
        rows += line_rows(text + fits, strcspn(text + fits, "\n"), size.columns);
        if (fits && rows >= size.rows) break;
        fits += length;
    }
    return fits;
}

/* Wait for a key: go on? */
static bool is_wanted(FILE *out) {
    Arena arena = {0};
    const char *question = unicode_cut(said(N_("-- more: Enter or Space, q ends --")),
                                       terminal_size().columns - 1, &arena);
    int key;
    fputs(question, out);
    fflush(out);
    do key = terminal_key();
    while (key == 0 || (key > 0 && !strchr("\r\n qQ\x04:", key)));
    /* A command was begun without leaving first. */
    if (key == ':') line_edit_give_back(':');
    fprintf(out, "\r%*s\r", unicode_width(question), "");
    arena_free(&arena);
    return key > 0 && strchr("\r\n ", key);
}

void pager_end(Pager *pager) {
    FILE *out = pager->out;
    fclose(pager->window->out);
    pager->window->out = out;
    const char *text = builder_text(&pager->kept);
    while (*text && !interrupt_signal()) {
        size_t length = screenful(text);
        fwrite(text, 1, length, out);
        text += length;
        if (*text && !is_wanted(out)) break;
    }
    arena_free(&pager->arena);
}
