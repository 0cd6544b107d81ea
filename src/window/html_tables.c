#include "base/language.h"
#include "lesson/html.h"
#include "window/html.h"

static void cell(HtmlWindow *window, const char *text) {
    html_element(window, "td", text);
}

static void code_cell(HtmlWindow *window, const char *text) {
    build_text(window->html, "<td>");
    html_element(window, "code", text);
    build_text(window->html, "</td>");
}

static void number_cell(HtmlWindow *window, const char *text) {
    html_element(window, "td class=\"number\"", text);
}

static void whole_cell(HtmlWindow *window, int number) {
    number_cell(window, arena_print(&window->arena, "%d", number));
}

static void row_begin(HtmlWindow *window) {
    build_text(window->html, "<tr>");
}

static void row_end(HtmlWindow *window) {
    build_text(window->html, "</tr>\n");
}

void html_list(HtmlWindow *window, const Block *block) {
    const ListBlock *list = &block->list;
    bool counts = list->kind == LIST_STAGES || list->kind == LIST_SENTENCES;
    html_open_table(window, "list", NULL);
    for (int i = 0; i < list->count; i++) {
        const ListItem *item = &list->item[i];
        row_begin(window);
        if (counts) whole_cell(window, item->number);
        if (item->name) code_cell(window, item->name);
        if (item->value) cell(window, item->value);
        cell(window, item->text ? item->text : "");
        row_end(window);
    }
    html_close_table(window);
}

static const char *guess_number(const RankingBlock *ranking, const Guess *guess,
                                Arena *arena) {
    enum { SHARE_DIGITS = 4 };
    return arena_print(arena, "%.*f", ranking->shares ? SHARE_DIGITS : ranking->digits,
                       guess->value);
}

void html_ranking(HtmlWindow *window, const Block *block) {
    const RankingBlock *ranking = &block->ranking;
    html_open_table(window, "ranking",
                    (const char *const[]){
                        said("token"), "id",
                        ranking->shares ? said(N_("share")) : said(N_("score")), NULL});
    for (int g = 0; g < ranking->count; g++) {
        const Guess *guess = &ranking->guess[g];
        const char *number = guess_number(ranking, guess, &window->arena);
        row_begin(window);
        html_element(window, "th scope=\"row\"", guess->label);
        whole_cell(window, guess->id);
        if (ranking->shares)
            html_bar_cell(window, guess->value, number);
        else
            number_cell(window, number);
        row_end(window);
    }
    html_close_table(window);
}

/* The best with a bar, behind it the others. */
static void best_cells(HtmlWindow *window, const RankingBlock *ranking) {
    Builder *html = window->html;
    for (int g = 0; g < ranking->count; g++) {
        const Guess *guess = &ranking->guess[g];
        const char *number =
            arena_print(&window->arena, "%.*f", ranking->digits, guess->value);
        if (g == 0) {
            html_element(window, "td class=\"best\"", guess->label);
            if (ranking->shares)
                html_bar_cell(window, guess->value, number);
            else
                number_cell(window, number);
            build_text(html, "<td>");
            continue;
        }
        if (g > 1) build_text(html, ", ");
        html_text(html, arena_print(&window->arena, "%s %s", guess->label, number));
    }
    if (ranking->count) build_text(html, "</td>");
}

void html_rankings(HtmlWindow *window, const Block *block) {
    const RankingsBlock *rankings = &block->rankings;
    html_open_table(window, "ranking", NULL);
    build_text(window->html, "<thead><tr>");
    html_element(window, "th scope=\"col\"", said("after"));
    html_element(window, "th scope=\"col\" colspan=\"3\"",
                 said("the best that come next"));
    build_text(window->html, "</tr></thead>\n");
    for (int r = 0; r < rankings->count; r++) {
        row_begin(window);
        html_element(window, "th scope=\"row\"", rankings->ranking[r].place);
        best_cells(window, &rankings->ranking[r]);
        row_end(window);
    }
    html_close_table(window);
}

void html_choices(HtmlWindow *window, const Block *block) {
    const ChoicesBlock *choices = &block->choices;
    html_open_table(window, "ranking",
                    (const char *const[]){said(N_("step")), said("token"), "id",
                                          said(N_("share")), NULL});
    for (int t = 0; t < choices->count; t++) {
        const Guess *step = &choices->step[t];
        row_begin(window);
        whole_cell(window, t);
        html_element(window, "th scope=\"row\"", step->label);
        whole_cell(window, step->id);
        html_bar_cell(window, step->value,
                      arena_print(&window->arena, "%.4f", step->value));
        row_end(window);
    }
    html_close_table(window);
}

static void token_cells(HtmlWindow *window, const TokenRow *row) {
    Arena *arena = &window->arena;
    html_element(window, "th scope=\"row\"", row->label);
    whole_cell(window, row->id);
    if (!row->bytes) {
        cell(window, "");
        cell(window, said("(no bytes)"));
        return;
    }
    const char *part = row->letter ? say(arena, "  (part of %s)", row->letter) : "";
    cell(window, arena_print(arena, "%d-%d", row->start, row->end));
    code_cell(window, arena_print(arena, "%s%s", row->bytes, part));
}

void html_tokens(HtmlWindow *window, const Block *block) {
    const TokensBlock *tokens = &block->tokens;
    html_open_table(window, "tokens",
                    (const char *const[]){"#", said("token"), "id", said("bytes"),
                                          said("in hexadecimal"), NULL});
    for (int i = 0; i < tokens->count; i++) {
        row_begin(window);
        whole_cell(window, i);
        token_cells(window, &tokens->row[i]);
        row_end(window);
    }
    html_close_table(window);
}

void html_sample(HtmlWindow *window, const Block *block) {
    const SampleBlock *sample = &block->sample;
    Arena *arena = &window->arena;
    const char *line = sample->line
                           ? arena_print(arena, "%d: %s", sample->line, sample->source)
                           : sample->source;
    if (sample->target) line = arena_print(arena, "%s → %s", line, sample->target);
    if (sample->wanted)
        line = arena_print(arena, "%s%s", line,
                           say(arena, " (wanted: %s)", sample->wanted));
    html_element(window, "p class=\"line\"", line);
    build_text(window->html, "\n");
}

void html_merges(HtmlWindow *window, const Block *block) {
    const MergesBlock *merges = &block->merges;
    Arena *arena = &window->arena;
    html_open_table(window, "merges", NULL);
    build_text(window->html, "<caption>");
    html_text(window->html, merges->word);
    build_text(window->html, "</caption>\n");
    for (int m = 0; m < merges->count; m++) {
        const MergeRow *row = &merges->row[m];
        bool is_bytes = row->rank < 0;
        row_begin(window);
        html_element(window, "th scope=\"row\"",
                     is_bytes ? said("bytes") : say(arena, "merge %d", row->rank));
        cell(window,
             is_bytes ? "" : arena_print(arena, "%s + %s", row->left, row->right));
        cell(window, row->pieces);
        row_end(window);
    }
    html_close_table(window);
}

void html_frequencies(HtmlWindow *window, const Block *block) {
    const FrequenciesBlock *frequencies = &block->frequencies;
    Arena *arena = &window->arena;
    html_open_table(window, "ranking", NULL);
    for (int b = 0; b < frequencies->count; b++) {
        const Frequency *bar = &frequencies->bar[b];
        row_begin(window);
        html_element(window, "th scope=\"row\"",
                     bar->first == bar->last
                         ? arena_print(arena, "%d", bar->first)
                         : say(arena, "%d to %d", bar->first, bar->last));
        html_bar_cell(window, (double)bar->count / frequencies->most,
                      arena_print(arena, "%d", bar->count));
        row_end(window);
    }
    html_close_table(window);
}

/* What a term is, its value and where its numbers stand. */
static void write_row(HtmlWindow *window, const char *number, const char *text,
                      double value, const TermLabel *label) {
    Arena *arena = &window->arena;
    build_text(window->html, "<tr>");
    html_element(window, "td", number);
    html_element(window, "td", text);
    html_element(window, "td class=\"number\"",
                 arena_print(arena, "%.6g", tensor_printed(value)));
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
    paragraph(window, arena_print(arena, "%s = %.6g", terms->address,
                                  tensor_printed(terms->value)));
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
