#include "page/page.h"

#include <stdarg.h>
#include <string.h>

#include "base/language.h"

void page_clear(Page *page) {
    page->first = page->last = NULL;
    page->failed = false;
}

bool page_done(const Page *page, Error *error) {
    if (page->failed) *error = page->error;
    return !page->failed;
}

void page_flush(const Page *page) {
    if (page->window) page->window->flush(page->window->state);
}

static void show(Page *page, const Block *block) {
    const Window *window = page->window;
    if (window && !page->failed)
        page->failed = !window->draw(window->state, block, &page->error);
}

void page_say(Page *page, Block block) {
    if (page->failed) return;
    Block *said = ARENA_ARRAY(page->arena, Block, 1);
    *said = block;
    said->next = NULL;
    if (page->last)
        page->last->next = said;
    else
        page->first = said;
    page->last = said;
    show(page, said);
}

static void say_text(Page *page, BlockKind kind, const char *text) {
    page_say(page, (Block){.kind = kind, .text = text});
}

void page_heading(Page *page, HeadingBlock heading) {
    heading.title = tr(heading.title);
    page_say(page, (Block){.kind = BLOCK_HEADING, .heading = heading});
}

void page_section(Page *page, const char *title) {
    say_text(page, BLOCK_SECTION, tr(title));
}

void page_gap(Page *page) {
    page_say(page, (Block){.kind = BLOCK_GAP});
}

void page_prose(Page *page, const char *text) {
    say_text(page, BLOCK_PROSE, tr(text));
}

void page_note(Page *page, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    say_text(page, BLOCK_NOTE, trf_list(page->arena, format, arguments));
    va_end(arguments);
}

void page_line(Page *page, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    say_text(page, BLOCK_LINE, trf_list(page->arena, format, arguments));
    va_end(arguments);
}

void page_document(Page *page, const char *text) {
    say_text(page, BLOCK_DOCUMENT, text);
}

void page_formulas(Page *page, const char *const *line, int count) {
    if (count == 0) return;
    const char **kept = ARENA_ARRAY(page->arena, const char *, count);
    for (int l = 0; l < count; l++) kept[l] = line[l];
    page_say(page, (Block){.kind = BLOCK_FORMULA, .formula = {kept, count}});
}

void page_hint(Page *page, const char *text, const char *command) {
    page_say(page, (Block){.kind = BLOCK_HINT, .hint = {tr(text), command}});
}

void page_list(Page *page, ListKind kind, const ListItem *item, int count) {
    page_say(page, (Block){.kind = BLOCK_LIST, .list = {kind, item, count}});
}

void page_table(Page *page, const Table *table) {
    page_say(page, (Block){.kind = BLOCK_TABLE, .table = *table});
}

void page_table_lines(Page *page, const Table *table) {
    enum { WIDEST = 1 << 20 };
    const char *text = table_text(table, WIDEST, page->arena);
    for (size_t length; *text; text += length + (text[length] == '\n')) {
        length = strcspn(text, "\n");
        say_text(page, BLOCK_LINE, arena_copy(page->arena, text, length));
    }
}

void page_figure(Page *page, const Figure *figure) {
    page_say(page, (Block){.kind = BLOCK_FIGURE, .figure = *figure});
}

void page_progress(Page *page, const ProgressBlock *progress) {
    show(page, &(Block){.kind = BLOCK_PROGRESS, .progress = *progress});
}

void page_counting(Page *page, int done, int all, const char *what) {
    show(page, &(Block){.kind = BLOCK_COUNTING, .counting = {done, all, what}});
}
