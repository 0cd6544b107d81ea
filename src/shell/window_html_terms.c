#include "base/language.h"
#include "lesson/html.h"
#include "shell/window_html_draw.h"

/* What a term is, its value and where its numbers stand. */
static void write_row(HtmlWindow *window, const char *number, const char *text,
                      double value, const TermLabel *label) {
    Arena *arena = &window->arena;
    build_text(window->html, "<tr>");
    html_element(window, "td", number);
    html_element(window, "td", text);
    html_element(window, "td class=\"number\"", arena_print(arena, "%.6g", value));
    const char *places = "";
    for (int p = 0; label && p < 2; p++)
        if (label->place[p])
            places = arena_print(arena, "%s%s%s", places, *places ? " × " : "",
                                 label->place[p]);
    html_element(window, "td",
                 label && *label->index
                     ? arena_print(arena, "%s %s", label->index, places)
                     : places);
    build_text(window->html, "</tr>\n");
}

static void write_terms(HtmlWindow *window, const TermsBlock *terms) {
    const Explanation *explanation = terms->explanation;
    Arena *arena = &window->arena;
    html_open_table(window, "terms", NULL);
    for (int t = 0; t < terms->shown; t++) {
        const Term *term = &explanation->term[terms->order[t]];
        write_row(window, arena_print(arena, "%d", t + 1), term->text, term->value,
                  &terms->label[t]);
    }
    int more = explanation->count - terms->shown;
    if (more > 0)
        write_row(window, "", say(arena, "%d more, together", more), terms->rest, NULL);
    write_row(window, "", said(explanation->rule->name),
              explanation->rule->combine(explanation), NULL);
    html_close_table(window);
}

static void paragraph(HtmlWindow *window, const char *text) {
    html_element(window, "p", text);
    build_text(window->html, "\n");
}

void html_terms(HtmlWindow *window, const Block *block) {
    const TermsBlock *terms = &block->terms;
    Arena *arena = &window->arena;
    paragraph(window, arena_print(arena, "%s = %.6g", terms->address, terms->value));
    if (!terms->explanation) {
        paragraph(window, arena_print(arena, "%s.", terms->given));
        return;
    }
    paragraph(window, terms->formula);
    if (terms->note) paragraph(window, terms->note);
    for (int p = 0; p < 2; p++)
        if (terms->common[p])
            paragraph(window,
                      arena_print(arena, "%c  %s", "ab"[p], terms -> common[p]));
    write_terms(window, terms);
}

static void write_branches(HtmlWindow *window, const TreeNode *node) {
    Builder *html = window->html;
    if (node->children == 0) return;
    build_text(html, "<ul class=\"tree\">\n");
    for (int c = 0; c < node->children; c++) {
        const TreeNode *child = &node->child[c];
        build_text(html, "<li>");
        html_text(html, arena_print(&window->arena, "%s%.0f %%  %s",
                                    child->is_against ? "−" : "", 100 * child->share,
                                    child->text));
        write_branches(window, child);
        build_text(html, "</li>\n");
    }
    build_text(html, "</ul>\n");
}

void html_tree(HtmlWindow *window, const Block *block) {
    paragraph(window, block->tree.root->text);
    write_branches(window, block->tree.root);
}
