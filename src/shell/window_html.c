#include "shell/window_html.h"

#include <string.h>

#include "lesson/html.h"
#include "shell/window_html_draw.h"

/* A page that is finished has no progress. */
static HtmlDraw *const draws[BLOCK_KINDS] = {
    [BLOCK_HEADING] = html_heading,
    [BLOCK_ANSWER] = html_answer,
    [BLOCK_SECTION] = html_section,
    [BLOCK_GAP] = html_gap,
    [BLOCK_PROSE] = html_prose,
    [BLOCK_ITEM] = html_item,
    [BLOCK_NOTE] = html_note,
    [BLOCK_LINE] = html_line,
    [BLOCK_DOCUMENT] = html_document,
    [BLOCK_FORMULA] = html_formula,
    [BLOCK_HINT] = html_hint,
    [BLOCK_LIST] = html_list,
    [BLOCK_SHAPE] = html_shape,
    [BLOCK_NUMBERS] = html_numbers,
    [BLOCK_TABLE] = html_table,
    [BLOCK_FIGURE] = html_figure,
    [BLOCK_TERMS] = html_terms,
    [BLOCK_TREE] = html_tree,
    [BLOCK_RANKING] = html_ranking,
    [BLOCK_RANKINGS] = html_rankings,
    [BLOCK_CHOICES] = html_choices,
    [BLOCK_TOKENS] = html_tokens,
    [BLOCK_SAMPLE] = html_sample,
    [BLOCK_MERGES] = html_merges,
    [BLOCK_FREQUENCIES] = html_frequencies,
    [BLOCK_PROGRESS] = html_gap,
    [BLOCK_COUNTING] = html_gap,
};

static bool draw(void *state, const Block *block, Error *error) {
    HtmlWindow *window = state;
    window->failed = false;
    if (block->kind != BLOCK_ITEM) window_html_close(window);
    draws[block->kind](window, block);
    arena_reset(&window->arena);
    if (window->failed) *error = window->error;
    return !window->failed;
}

static void flush(void *state) {
    (void)state;
}

HtmlWindow *window_html_new(Arena *arena, Builder *html, const Record *record,
                            Canvas *letters) {
    HtmlWindow *window = ARENA_ARRAY(arena, HtmlWindow, 1);
    *window = (HtmlWindow){
        .window = {.state = window, .draw = draw, .flush = flush},
        .html = html,
        .record = *record,
        .letters = letters,
    };
    return window;
}

void window_html_close(HtmlWindow *window) {
    for (; window->level > 0; window->level--) build_text(window->html, "</li></ul>\n");
}

void window_html_free(HtmlWindow *window) {
    arena_free(&window->arena);
}

void html_element(HtmlWindow *window, const char *tag, const char *text) {
    Builder *html = window->html;
    build(html, "<%s>", tag);
    html_text(html, text);
    build(html, "</%.*s>", (int)strcspn(tag, " "), tag);
}

void html_open_table(HtmlWindow *window, const char *kind, const char *const *heading) {
    build(window->html, "<div class=\"wide\" tabindex=\"0\"><table class=\"%s\">\n",
          kind);
    if (!heading) return;
    build_text(window->html, "<thead><tr>");
    for (; *heading; heading++) html_element(window, "th scope=\"col\"", *heading);
    build_text(window->html, "</tr></thead>\n");
}

void html_close_table(HtmlWindow *window) {
    build_text(window->html, "</table></div>\n");
}

void html_bar_cell(HtmlWindow *window, double share, const char *text) {
    Builder *html = window->html;
    build_text(html, "<td class=\"bar\"><span>");
    html_text(html, text);
    build(html, "</span><i style=\"width:%.2fem\"></i></td>",
          10 * (share > 0 ? share < 1 ? share : 1 : 0));
}
