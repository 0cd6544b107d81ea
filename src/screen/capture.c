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
    *capture = (Capture){.session = session,
                         .page = session->page.window,
                         .messages = session->messages.window,
                         .width = width,
                         .color = 1 + (int)colors};
    capture->window = (Window){.state = capture, .draw = draw, .flush = flush};
    capture->printed.text.arena = &capture->arena;
    capture->out = builder_stream(&capture->printed.text);
    if (!capture->out) return false;
    capture->text = window_text_new(&capture->arena, capture->out, &capture->width,
                                    &capture->color);
    capture->text->is_terminal = true; /* format for people */
    capture->text->kept = &capture->printed;
    session->page.window = session->messages.window = &capture->window;
    return true;
}

void lines_take(Lines *lines, const Styled *text) {
    const char *all = text->text.text;
    int from = 0;
    int to = text->text.count;
    while (from < to && all[from] == '\n') from++;
    while (to > from && all[to - 1] == '\n') to--;
    arena_reset(&lines->arena);
    *lines = (Lines){.arena = lines->arena};
    for (int end = from; from < to; from = ++end) {
        while (end < to && all[end] != '\n') end++;
        ARENA_GROW(&lines->arena, lines->line, lines->count, lines->capacity);
        Styled *line = &lines->line[lines->count++];
        *line = (Styled){.text.arena = &lines->arena};
        styled_add_part(line, text, from, end);
    }
}

int lines_item(const Lines *lines, int line) {
    LookSpan span;
    styled_span(&lines->line[line], 0, &span);
    return span.item;
}

void capture_end(Capture *capture, Lines *lines) {
    Session *session = capture->session;
    session->page.window = capture->page;
    session->messages.window = capture->messages;
    fclose(capture->out);
    lines_take(lines, &capture->printed);
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

static void append(Styled *text, const Lines *lines, int from) {
    for (int l = from; l < lines->count; l++) {
        styled_add_part(text, &lines->line[l], 0, lines->line[l].text.count);
        styled_add(text, look_plain, "\n");
    }
}

void lines_add(Lines *lines, bool stays, const Lines *more) {
    enum { KEPT = 400 };
    Arena arena = {0};
    Styled text = {.text.arena = &arena};
    if (stays) append(&text, lines, lines->count > KEPT ? lines->count - KEPT : 0);
    styled_add(&text, look_plain, "\n");
    append(&text, more, 0);
    lines_take(lines, &text);
    arena_free(&arena);
}

void lines_free(Lines *lines) {
    arena_free(&lines->arena);
    *lines = (Lines){0};
}
