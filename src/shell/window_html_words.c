#include <string.h>

#include "lesson/html.h"
#include "shell/window_html_draw.h"

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
