#include <string.h>

#include "screen/state.h"

static bool draw(void *state, const Block *block, Error *error) {
    Capture *capture = state;
    bool is_numbers = block->kind == BLOCK_FIGURE || block->kind == BLOCK_NUMBERS;
    bool passes = block->kind == BLOCK_PROGRESS || block->kind == BLOCK_COUNTING;
    if (capture->drops_numbers && is_numbers) return true;
    if (passes && capture->follow) capture->follow(capture->follower, block);
    if (passes) return true;
    Block folded = *block; /* lines for scripts are long, but a pane is narrow */
    if (block->kind == BLOCK_LINE && !strchr(block->text, '\n'))
        folded.kind = BLOCK_PROSE;
    const Window *window = &capture->text->window;
    return window->draw(window->state, &folded, error);
}

static void flush(void *state) {
    (void)state;
}

bool capture_begin(Capture *capture, Session *session, int width, Colors colors) {
    const char *wanted = colors == COLORS_TRUE  ? "true"
                         : colors == COLORS_256 ? "256"
                                                : "never";
    int mode = 0;
    while (strcmp(color_modes[mode], wanted) != 0) mode++;
    *capture = (Capture){.session = session,
                         .page = session->page.window,
                         .messages = session->messages.window,
                         .width = width,
                         .color = mode};
    capture->window = (Window){.state = capture, .draw = draw, .flush = flush};
    capture->printed.arena = &capture->arena;
    capture->out = builder_stream(&capture->printed);
    if (!capture->out) return false;
    capture->text = window_text_new(&capture->arena, capture->out, &capture->width,
                                    &capture->color);
    capture->text->is_terminal = true; /* format for people */
    session->page.window = session->messages.window = &capture->window;
    return true;
}

void lines_take(Lines *lines, const char *text) {
    arena_reset(&lines->arena);
    text += strspn(text, "\n");
    size_t length = strlen(text);
    while (length && text[length - 1] == '\n') length--;
    char *rest = arena_copy(&lines->arena, text, length);
    int count = length > 0;
    for (const char *c = rest; *c; c++) count += *c == '\n';
    const char **line = ARENA_ARRAY(&lines->arena, const char *, count + 1);
    lines->line = line;
    lines->count = count;
    for (int i = 0; i < count; i++) {
        line[i] = rest;
        rest += strcspn(rest, "\n");
        if (*rest) *rest++ = '\0';
    }
}

void capture_end(Capture *capture, Lines *lines) {
    Session *session = capture->session;
    session->page.window = capture->page;
    session->messages.window = capture->messages;
    fclose(capture->out);
    lines_take(lines, builder_text(&capture->printed));
    window_text_free(capture->text);
    arena_free(&capture->arena);
}

void lines_of_page(Session *session, int width, Colors colors, bool drops_numbers,
                   Lines *lines) {
    Capture capture;
    Error none;
    if (!capture_begin(&capture, session, width, colors)) return;
    capture.drops_numbers = drops_numbers;
    for (const Block *block = session->page.first; block; block = block->next)
        if (!draw(&capture, block, &none)) break;
    capture_end(&capture, lines);
}

void lines_add(Lines *lines, bool stays, const Lines *more) {
    enum { KEPT = 400 };
    Builder text = {.arena = &(Arena){0}};
    int from = lines->count > KEPT ? lines->count - KEPT : 0;
    for (int l = from; stays && l < lines->count; l++)
        build(&text, "%s\n", lines->line[l]);
    if (stays) build(&text, "\n");
    for (int l = 0; l < more->count; l++) build(&text, "%s\n", more->line[l]);
    lines_take(lines, builder_text(&text));
    arena_free(text.arena);
}

void lines_free(Lines *lines) {
    arena_free(&lines->arena);
    *lines = (Lines){0};
}
