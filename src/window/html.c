#include "window/html.h"

#include <string.h>

#include "lesson/html.h"

static void paragraph(HtmlWindow *window, const char *tag, const char *text) {
    html_element(window, tag, text);
    build_text(window->html, "\n");
}

void html_heading(HtmlWindow *window, const Block *block) {
    const HeadingBlock *heading = &block->heading;
    Builder *html = window->html;
    build(html, "<h2><span class=\"number\">%d/%d</span> ", heading->number,
          heading->count);
    html_text(html, heading->title);
    build_text(html, "</h2>\n");
    paragraph(window, "p class=\"name\"", heading->name);
}

void html_answer(HtmlWindow *window, const Block *block) {
    paragraph(window, "p class=\"answer\"", block->answer.text);
    paragraph(window, "p class=\"sure\"", block->answer.sure);
}

void html_section(HtmlWindow *window, const Block *block) {
    paragraph(window, "h3", block->text);
}

/* Paragraphs stand apart by themselves. */
void html_gap(HtmlWindow *window, const Block *block) {
    (void)window;
    (void)block;
}

void html_prose(HtmlWindow *window, const Block *block) {
    paragraph(window, "p", block->text);
}

void html_item(HtmlWindow *window, const Block *block) {
    const ItemBlock *item = &block->item;
    Builder *html = window->html;
    for (; window->level > item->level; window->level--)
        build_text(html, "</li></ul>\n");
    if (window->level == item->level) build_text(html, "</li>\n<li>");
    for (; window->level < item->level; window->level++) build_text(html, "<ul>\n<li>");
    if (strcmp(item->mark, "-") != 0) {
        html_text(html, item->mark);
        build_text(html, " ");
    }
    html_text(html, item->text);
}

void html_note(HtmlWindow *window, const Block *block) {
    paragraph(window, "p class=\"note\"", block->text);
}

void html_line(HtmlWindow *window, const Block *block) {
    paragraph(window, "p class=\"line\"", block->text);
}

void html_document(HtmlWindow *window, const Block *block) {
    build_text(window->html, "<pre tabindex=\"0\">");
    html_lines(window->html, block->text);
    build_text(window->html, "</pre>\n");
}

/* One below the other, since they are read so. */
void html_formula(HtmlWindow *window, const Block *block) {
    const FormulaBlock *formula = &block->formula;
    build_text(window->html, "<p class=\"formula\">");
    for (int l = 0; l < formula->count; l++) {
        if (l) build_text(window->html, "<br>");
        html_element(window, "code", formula->line[l]);
    }
    build_text(window->html, "</p>\n");
}

void html_hint(HtmlWindow *window, const Block *block) {
    build_text(window->html, "<p class=\"hint\">");
    html_text(window->html, block->hint.text);
    build_text(window->html, ": ");
    html_element(window, "code", block->hint.command);
    build_text(window->html, "</p>\n");
}

/* The name, and behind it the axes. */
static void shaped(HtmlWindow *window, const char *name, const Tensor *tensor) {
    html_element(window, "code", name);
    build_text(window->html, " ");
    html_element(window, "span", shape_text(tensor).text);
}

void html_shape(HtmlWindow *window, const Block *block) {
    const ShapeBlock *shape = &block->shape;
    Builder *html = window->html;
    build_text(html, "<p class=\"shape\">");
    shaped(window, shape->address, shape->tensor);
    if (shape->operation) {
        build_text(html, "<br>= ");
        html_element(window, "b", shape->operation);
        build_text(html, "(");
        for (int i = 0; i < shape->inputs; i++) {
            if (i) build_text(html, ", ");
            shaped(window, shape->input[i]->short_name, shape->input[i]);
        }
        build_text(html, ")");
    }
    build_text(html, "</p>\n");
}

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
