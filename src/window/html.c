#include "window/html.h"

#include <string.h>

#include "base/builder.h"
#include "base/language.h"
#include "lesson/html.h"

void html_element(HtmlWindow *window, const char *tag, const char *text) {
    Builder *html = window->html;
    build(html, "<%s>", tag);
    html_text(html, text);
    build(html, "</%.*s>", (int)strcspn(tag, " "), tag);
}

void html_paragraph(HtmlWindow *window, const char *tag, const char *text) {
    html_element(window, tag, text);
    build_text(window->html, "\n");
}

static void heading(HtmlWindow *window, const Block *block) {
    const HeadingBlock *at = &block->heading;
    Builder *html = window->html;
    build(html, "<h2><span class=\"number\">%d", at->number);
    if (at->part) build(html, ".%d", at->part);
    build(html, "/%d</span> ", at->count);
    html_text(html, at->title);
    build_text(html, "</h2>\n");
    html_paragraph(window, "p class=\"name\"", at->name);
}

static void answer(HtmlWindow *window, const Block *block) {
    html_paragraph(window, "p class=\"answer\"", block->answer.text);
    html_paragraph(window, "p class=\"sure\"", block->answer.sure);
}

static void item(HtmlWindow *window, const Block *block) {
    const ItemBlock *one = &block->item;
    Builder *html = window->html;
    for (; window->level > one->level; window->level--)
        build_text(html, "</li></ul>\n");
    if (window->level == one->level) build_text(html, "</li>\n<li>");
    for (; window->level < one->level; window->level++) build_text(html, "<ul>\n<li>");
    if (strcmp(one->mark, "-") != 0) {
        html_text(html, one->mark);
        build_text(html, " ");
    }
    html_text(html, one->text);
}

static void document(HtmlWindow *window, const Block *block) {
    build_text(window->html, "<pre tabindex=\"0\">");
    html_lines(window->html, block->text);
    build_text(window->html, "</pre>\n");
}

/* One formula per line. */
static void formula(HtmlWindow *window, const Block *block) {
    build_text(window->html, "<p class=\"formula\">");
    for (int l = 0; l < block->formula.count; l++) {
        if (l) build_text(window->html, "<br>");
        html_element(window, "code", block->formula.line[l]);
    }
    build_text(window->html, "</p>\n");
}

static void hint(HtmlWindow *window, const Block *block) {
    build_text(window->html, "<p class=\"hint\">");
    html_text(window->html, block->hint.text);
    build_text(window->html, ": ");
    html_element(window, "code", block->hint.command);
    build_text(window->html, "</p>\n");
}

/* The name and axes of a tensor and its inputs. */
static void shape(HtmlWindow *window, const Block *block) {
    const ShapeBlock *made = &block->shape;
    Builder *html = window->html;
    build_text(html, "<p class=\"shape\">");
    for (int i = -1; i < (made->operation ? made->inputs : 0); i++) {
        const Tensor *tensor = i < 0 ? made->tensor : made->input[i];
        if (i > 0) build_text(html, ", ");
        html_element(window, "code", i < 0 ? made->address : tensor->short_name);
        build_text(html, " ");
        html_element(window, "span", shape_text(tensor).text);
        if (i >= 0 || !made->operation) continue;
        build_text(html, "<br>= ");
        html_element(window, "b", made->operation);
        build_text(html, "(");
    }
    build_text(html, made->operation ? ")</p>\n" : "</p>\n");
}

/* Open a table with class `kind`, in a frame that scrolls if the table is wider than
 * the page. `heading` is terminated by NULL, or NULL for none. */
static void open_table(HtmlWindow *window, const char *kind,
                       const char *const *heading) {
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

/* Write a row of cells by their kinds: "h" heading, "d" words, "n" number, "c" code,
 * "b" a number with a bar for `share` of 1, "*" the best in the row. */
static void write_row(HtmlWindow *window, const char *kinds, const char *const *text,
                      double share) {
    Builder *html = window->html;
    build_text(html, "<tr>");
    for (int c = 0; kinds[c]; c++) switch (kinds[c]) {
        case 'h':
            html_element(window, "th scope=\"row\"", text[c]);
            break;
        case 'c':
            build_text(html, "<td>");
            html_element(window, "code", text[c]);
            build_text(html, "</td>");
            break;
        case 'b':
            build_text(html, "<td class=\"bar\"><span>");
            html_text(html, text[c]);
            build(html, "</span><i style=\"width:%.2fem\"></i></td>",
                  10 * (share > 0 ? share < 1 ? share : 1 : 0));
            break;
        default:
            html_element(window,
                         kinds[c] == 'n'   ? "td class=\"number\""
                         : kinds[c] == '*' ? "td class=\"best\""
                                           : "td",
                         text[c]);
        }
    build_text(html, "</tr>\n");
}

/* Format a value in the window's arena. */
static const char *whole(HtmlWindow *window, int number) {
    return arena_print(&window->arena, "%d", number);
}

static void list(HtmlWindow *window, const Block *block) {
    const ListBlock *items = &block->list;
    bool counts = items->kind == LIST_STAGES || items->kind == LIST_SENTENCES;
    open_table(window, "list", NULL);
    for (int i = 0; i < items->count; i++) {
        const ListItem *one = &items->item[i];
        const char *text[] = {whole(window, one->number), one->name, one->value,
                              one->text ? one->text : ""};
        char kinds[5] = "";
        const char *shown[4];
        int cells = 0;
        for (int c = counts ? 0 : 1; c < 4; c++)
            if (text[c]) {
                kinds[cells] = "ncdd"[c];
                shown[cells++] = text[c];
            }
        write_row(window, kinds, shown, 0);
    }
    html_close_table(window);
}

static void ranking(HtmlWindow *window, const Block *block) {
    const RankingBlock *best = &block->ranking;
    open_table(window, "ranking",
               (const char *const[]){
                   tr("token"), "id",
                   best->shares ? tr(N_("probability")) : tr(N_("score")), NULL});
    for (int g = 0; g < best->count; g++) {
        const Guess *guess = &best->guess[g];
        write_row(window, best->shares ? "hnb" : "hnn",
                  (const char *const[]){guess->label, whole(window, guess->id),
                                        arena_print(&window->arena, "%.*f",
                                                    best->shares ? 4 : best->digits,
                                                    guess->value)},
                  guess->value);
    }
    html_close_table(window);
}

/* The best candidate of each position with a bar, then the others. */
static void rankings(HtmlWindow *window, const Block *block) {
    Arena *arena = &window->arena;
    open_table(window, "ranking", NULL);
    build_text(window->html, "<thead><tr>");
    bool in_place = block->rankings.in_place;
    html_element(window, "th scope=\"col\"",
                 in_place ? tr("masked position") : tr("after"));
    html_element(window, "th scope=\"col\" colspan=\"3\"",
                 in_place ? tr("the best that fit there")
                          : tr("the best that come next"));
    build_text(window->html, "</tr></thead>\n");
    for (int r = 0; r < block->rankings.count; r++) {
        const RankingBlock *best = &block->rankings.ranking[r];
        const char *text[] = {best->place, "", "", ""};
        for (int g = 0; g < best->count; g++) {
            const Guess *guess = &best->guess[g];
            const char *number = arena_print(arena, "%.*f", best->digits, guess->value);
            if (g == 0) {
                text[1] = guess->label;
                text[2] = number;
            } else {
                text[3] = arena_print(arena, "%s%s%s %s", text[3], g > 1 ? ", " : "",
                                      guess->label, number);
            }
        }
        write_row(window,
                  !best->count   ? "h"
                  : best->shares ? "h*bd"
                                 : "h*nd",
                  text, best->count ? best->guess[0].value : 0);
    }
    html_close_table(window);
}

static void choices(HtmlWindow *window, const Block *block) {
    open_table(window, "ranking",
               (const char *const[]){tr(N_("step")), tr("token"), "id",
                                     tr(N_("probability")), NULL});
    for (int t = 0; t < block->choices.count; t++) {
        const Guess *step = &block->choices.step[t];
        write_row(window, "nhnb",
                  (const char *const[]){
                      whole(window, t), step->label, whole(window, step->id),
                      arena_print(&window->arena, "%.4f", step->value)},
                  step->value);
    }
    html_close_table(window);
}

static void tokens(HtmlWindow *window, const Block *block) {
    Arena *arena = &window->arena;
    open_table(window, "tokens",
               (const char *const[]){"#", tr("token"), "id", tr("bytes"),
                                     tr("in hexadecimal"), NULL});
    for (int i = 0; i < block->tokens.count; i++) {
        const TokenRow *row = &block->tokens.row[i];
        const char *part = row->letter ? trf(arena, "  (part of %s)", row->letter) : "";
        write_row(
            window, row->bytes ? "nhndc" : "nhndd",
            (const char *const[]){
                whole(window, i), row->label, whole(window, row->id),
                row->bytes ? arena_print(arena, "%d-%d", row->start, row->end) : "",
                row->bytes ? arena_print(arena, "%s%s", row->bytes, part)
                           : tr("(no bytes)")},
            0);
    }
    html_close_table(window);
}

static void merges(HtmlWindow *window, const Block *block) {
    Arena *arena = &window->arena;
    open_table(window, "merges", NULL);
    html_paragraph(window, "caption", block->merges.word);
    for (int m = 0; m < block->merges.count; m++) {
        const MergeRow *row = &block->merges.row[m];
        bool is_bytes = row->rank < 0;
        write_row(
            window, "hdd",
            (const char *const[]){
                is_bytes ? block->merges.letters ? tr("letters") : tr("bytes")
                         : trf(arena, "merge %d", row->rank),
                is_bytes ? "" : arena_print(arena, "%s + %s", row->left, row->right),
                row->pieces},
            0);
    }
    html_close_table(window);
}

static void frequencies(HtmlWindow *window, const Block *block) {
    Arena *arena = &window->arena;
    open_table(window, "ranking", NULL);
    for (int b = 0; b < block->frequencies.count; b++) {
        const Frequency *bar = &block->frequencies.bar[b];
        const char *range = bar->first == bar->last
                                ? whole(window, bar->first)
                                : trf(arena, "%d to %d", bar->first, bar->last);
        write_row(window, "hb", (const char *const[]){range, whole(window, bar->count)},
                  (double)bar->count / block->frequencies.max);
    }
    html_close_table(window);
}

static void sample(HtmlWindow *window, const Block *block) {
    const SampleBlock *one = &block->sample;
    Arena *arena = &window->arena;
    const char *line =
        one->line ? arena_print(arena, "%d: %s", one->line, one->source) : one->source;
    if (one->target) line = arena_print(arena, "%s → %s", line, one->target);
    if (one->expected)
        line = arena_print(arena, "%s%s", line,
                           trf(arena, " (expected: %s)", one->expected));
    html_paragraph(window, "p class=\"line\"", line);
}

/* Write the text of a term, its value, and the positions of its numbers. */
static void write_term(HtmlWindow *window, const char *number, const char *text,
                       double value, const TermLabel *label) {
    Arena *arena = &window->arena;
    Builder places = {.arena = arena};
    for (int p = 0; label && p < 2; p++)
        if (label->place[p]) build_item(&places, " × ", "%s", label->place[p]);
    const char *index = label ? label->index : "";
    write_row(window, "ddnd",
              (const char *const[]){
                  number, text, arena_print(arena, "%.6g", tensor_printed(value)),
                  arena_print(arena, "%s%s%s", index, *index ? " " : "",
                              builder_text(&places))},
              0);
}

static void terms(HtmlWindow *window, const Block *block) {
    const TermsBlock *one = &block->terms;
    Arena *arena = &window->arena;
    html_paragraph(
        window, "p",
        arena_print(arena, "%s = %.6g", one->address, tensor_printed(one->value)));
    const Explanation *explanation = one->explanation;
    if (!explanation) {
        html_paragraph(window, "p", arena_print(arena, "%s.", one->given));
        return;
    }
    html_paragraph(window, "p", one->formula);
    if (one->note) html_paragraph(window, "p", one->note);
    for (int p = 0; p < 2; p++)
        if (one->common[p])
            html_paragraph(window, "p",
                           arena_print(arena, "%c  %s", "ab"[p], one -> common[p]));
    open_table(window, "terms", NULL);
    for (int t = 0; t < one->shown; t++) {
        const Term *term = &explanation->term[one->order[t]];
        write_term(window, whole(window, t + 1), term->text, term->value,
                   &one->label[t]);
    }
    int more = explanation->count - one->shown;
    if (more > 0)
        write_term(window, "", trf(arena, "%d more, together", more), one->rest, NULL);
    write_term(window, "", tr(explanation->rule->name),
               explanation->rule->combine(explanation), NULL);
    html_close_table(window);
}

static void write_branches(HtmlWindow *window, const TreeNode *node) {
    Builder *html = window->html;
    if (node->children == 0) return;
    build_text(html, "<ul class=\"tree\">\n");
    for (int c = 0; c < node->children; c++) {
        const TreeNode *child = &node->child[c];
        build_text(html, "<li>");
        html_text(html, arena_print(&window->arena, "%s%.0f%%  %s",
                                    child->is_against ? "−" : "", 100 * child->share,
                                    child->text));
        write_branches(window, child);
        build_text(html, "</li>\n");
    }
    build_text(html, "</ul>\n");
}

static void tree(HtmlWindow *window, const Block *block) {
    html_paragraph(window, "p", block->tree.root->text);
    write_branches(window, block->tree.root);
}

/* Gaps need no HTML, and a finished page shows no progress. */
static HtmlDraw *const draws[BLOCK_KINDS] = {
    [BLOCK_HEADING] = heading,
    [BLOCK_ANSWER] = answer,
    [BLOCK_ITEM] = item,
    [BLOCK_DOCUMENT] = document,
    [BLOCK_FORMULA] = formula,
    [BLOCK_HINT] = hint,
    [BLOCK_LIST] = list,
    [BLOCK_SHAPE] = shape,
    [BLOCK_NUMBERS] = html_numbers,
    [BLOCK_TABLE] = html_table,
    [BLOCK_FIGURE] = html_figure,
    [BLOCK_TERMS] = terms,
    [BLOCK_TREE] = tree,
    [BLOCK_RANKING] = ranking,
    [BLOCK_RANKINGS] = rankings,
    [BLOCK_CHOICES] = choices,
    [BLOCK_TOKENS] = tokens,
    [BLOCK_SAMPLE] = sample,
    [BLOCK_MERGES] = merges,
    [BLOCK_FREQUENCIES] = frequencies,
};

/* Blocks that are one paragraph. */
static const char *const tags[BLOCK_KINDS] = {
    [BLOCK_SECTION] = "h3",
    [BLOCK_PROSE] = "p",
    [BLOCK_NOTE] = "p class=\"note\"",
    [BLOCK_LINE] = "p class=\"line\"",
};

static bool draw(void *state, const Block *block, Error *error) {
    HtmlWindow *window = state;
    window->failed = false;
    if (block->kind != BLOCK_ITEM) window_html_close(window);
    if (tags[block->kind]) html_paragraph(window, tags[block->kind], block->text);
    if (draws[block->kind]) draws[block->kind](window, block);
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
    enum { STOP_LINES = 36, STOP_COLUMNS = 160 };
    *window = (HtmlWindow){
        .window = {.state = window,
                   .draw = draw,
                   .flush = flush,
                   .stop_lines = STOP_LINES,
                   .stop_columns = STOP_COLUMNS},
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
