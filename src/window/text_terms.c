#include <string.h>

#include "base/builder.h"
#include "base/language.h"
#include "text/unicode.h"
#include "window/text.h"

enum { NUMBER_WIDTH = 4, VALUE_WIDTH = 12, DIGITS = 6, TERM_MIN = 18, TERM_MAX = 40 };
/* Sizes in a narrow window. */
enum { NARROW = 60, NUMBER_NARROW = 3, DIGITS_NARROW = 4, INDENT = 4 };

/* The columns of an explanation. */
typedef struct {
    TextWindow *text;
    int number, index, terms, value; /* their widths */
    int digits;                      /* of a value */
    bool is_narrow;
} TermColumns;

static int widest(int a, const char *words) {
    int width = unicode_width(words);
    return width > a ? width : a;
}

static const char *value_text(const TermColumns *columns, double value) {
    return arena_print(&columns->text->arena, "%.*g", columns->digits,
                       tensor_printed(value));
}

static TermColumns measure_terms(TextWindow *text, const TermsBlock *terms) {
    TermColumns columns = {.text = text,
                           .number = NUMBER_WIDTH,
                           .terms = TERM_MIN,
                           .value = VALUE_WIDTH,
                           .digits = DIGITS};
    if (window_text_width(text) < NARROW)
        columns = (TermColumns){.text = text,
                                .number = NUMBER_NARROW,
                                .digits = DIGITS_NARROW,
                                .is_narrow = true};
    for (int t = 0; t < terms->shown; t++) {
        columns.index = widest(columns.index, terms->label[t].index);
        const Term *term = &terms->explanation->term[terms->order[t]];
        columns.terms = widest(columns.terms, term->text);
        columns.value = widest(columns.value, value_text(&columns, term->value));
    }
    if (columns.index) columns.index += 2;
    if (columns.terms > TERM_MAX) columns.terms = TERM_MAX;
    return columns;
}

/* Write a row and return its width. In a narrow window, a term without an index uses
 * the index column, and a value that does not fit moves to the next line: a number is
 * never cut. */
static int write_row(const TermColumns *columns, const char *number, const char *index,
                     const char *term, double value) {
    TextWindow *text = columns->text;
    bool joins = columns->is_narrow && !*index;
    int indexed = joins ? 0 : columns->index;
    int gap = columns->terms + (columns->index - indexed) - unicode_width(term);
    if (gap < 0) gap = 0;
    fprintf(text->out, "%*s  %s%s", columns->number, number,
            unicode_pad(index, indexed, false, &text->arena), term);
    const int width = window_text_width(text);
    const int before = columns->number + 2 + indexed + unicode_width(term);
    const char *number_text = value_text(columns, value);
    int room = unicode_width(number_text);
    if (room < columns->value) room = columns->value;
    if (before + gap + 3 + room > width) gap = 0;
    if (before + gap + 3 + room > width) room = unicode_width(number_text);
    if (before + 3 + room <= width) {
        fprintf(text->out, "%*s = %*s", gap, "", room, number_text);
        return before + gap + 3 + room;
    }
    fprintf(text->out, "\n%*s = %s", width - 3 - room, "", number_text);
    return width;
}

/* Write a term, with its positions after the value if they fit, or on the next line. */
static void write_term(const TermColumns *columns, const Term *term, int number,
                       const TermLabel *label) {
    TextWindow *text = columns->text;
    int used = write_row(columns, arena_print(&text->arena, "%d", number), label->index,
                         term->text, term->value);
    int indent = columns->number + INDENT;
    Builder places = {.arena = &text->arena};
    for (int p = 0; p < 2; p++)
        if (label->place[p]) build_item(&places, "  ×  ", "%s", label->place[p]);
    if (!places.count)
        fputs("\n", text->out);
    else if (used + 2 + unicode_width(builder_text(&places)) <= window_text_width(text))
        fprintf(text->out, "  %s\n", builder_text(&places));
    else if (!columns->is_narrow)
        fprintf(text->out, "\n%*s%s\n", indent, "", builder_text(&places));
    else {
        fputs("\n", text->out);
        window_folded(text, indent, builder_text(&places));
    }
}

/* Write the sum of the terms, with the name of the rule; for a quotient, also its two
 * parts. */
static void write_result(const TermColumns *columns, const TermsBlock *terms) {
    const Explanation *explanation = terms->explanation;
    Arena *arena = &columns->text->arena;
    FILE *out = columns->text->out;
    const char *name = tr(explanation->rule->name);
    int more = explanation->count - terms->shown;
    if (more > 0) {
        write_row(columns, "", "", trf(arena, "%d more, together", more), terms->rest);
        fputs("\n", out);
    }
    if (explanation->rule == &rule_quotient) {
        double sum = 0;
        for (int t = 0; t < explanation->count; t++) sum += explanation->term[t].value;
        write_row(columns, "", "", tr("Σ, all of them"), sum);
        fputs("\n", out);
        name =
            arena_print(arena, "%s / Σ", explanation->term[explanation->chosen].text);
    }
    int used =
        write_row(columns, "", "", name, explanation->rule->combine(explanation));
    const char *held = trf(arena, "cell value: %.6g", tensor_printed(terms->value));
    if (used + 3 + unicode_width(held) <= window_text_width(columns->text))
        fprintf(out, "   %s\n", held);
    else
        fprintf(out, "\n%*s%s\n", NUMBER_WIDTH + 2, "", held);
}

void window_terms(TextWindow *text, const Block *block) {
    const TermsBlock *terms = &block->terms;
    window_folded(text, 0,
                  arena_print(&text->arena, "%s = %.6g", terms->address,
                              tensor_printed(terms->value)));
    if (!terms->explanation) {
        window_folded(text, 2, arena_print(&text->arena, "%s.", terms->given));
        return;
    }
    window_folded(text, 2, terms->formula);
    if (terms->note) window_folded(text, 2, terms->note);
    TermColumns columns = measure_terms(text, terms);
    for (int p = 0; p < 2; p++) {
        const char *address = terms->common[p];
        if (!address) continue;
        /* "a  weights[head=0, key=…]"; the bracket may need the next line. */
        const char *bracket = strchr(address, '[');
        bool fits = INDENT + 1 + unicode_width(address) <= window_text_width(text) ||
                    !columns.is_narrow || !bracket;
        fprintf(text->out, "  %c  %.*s\n", "ab"[p],
                fits ? (int)strlen(address) : (int)(bracket - address), address);
        if (!fits) window_folded(text, INDENT + 1, bracket);
    }
    fputs("\n", text->out);
    for (int t = 0; t < terms->shown; t++) {
        window_item(text, t + 1);
        write_term(&columns, &terms->explanation->term[terms->order[t]], t + 1,
                   &terms->label[t]);
    }
    window_item(text, 0);
    write_result(&columns, terms);
}

/* Widths of branch numbers and shares, with the text around them. */
typedef struct {
    int number, share;
} TreeColumns;

static const char *share_text(const TreeNode *node, Arena *arena) {
    const double half = 0.005; /* a number printed as 0 has no sign */
    return arena_print(arena, "%s%.0f%%",
                       node->is_against && node->share >= half ? "−" : "",
                       100 * node->share);
}

/* "2)" or nothing. */
static const char *number_text(const TreeNode *node, Arena *arena) {
    return node->number ? arena_print(arena, "%d)", node->number) : "";
}

/* Write one branch per line, after the vertical lines of open branches. */
static void write_branches(TextWindow *text, const TreeNode *node, const char *before) {
    Arena *arena = &text->arena;
    TreeColumns columns = {0}; /* as wide as the widest of the siblings */
    for (int c = 0; c < node->children; c++) {
        columns.number = widest(columns.number, number_text(&node->child[c], arena));
        columns.share = widest(columns.share, share_text(&node->child[c], arena));
    }
    for (int c = 0; c < node->children; c++) {
        const TreeNode *child = &node->child[c];
        bool is_last = c + 1 == node->children;
        const char *number = columns.number
                                 ? arena_print(arena, "%s ",
                                               unicode_pad(number_text(child, arena),
                                                           columns.number, true, arena))
                                 : "";
        const char *line = arena_print(
            arena, "%s%s %s%s  %s", before, is_last ? "└─" : "├─", number,
            unicode_pad(share_text(child, arena), columns.share, true, arena),
            child->text);
        window_item(text, child->number);
        fprintf(text->out, "%s\n", unicode_cut(line, window_text_width(text), arena));
        write_branches(text, child,
                       arena_print(arena, "%s%s", before, is_last ? "   " : "│  "));
    }
}

void window_tree(TextWindow *text, const Block *block) {
    window_folded(text, 0, block->tree.root->text);
    write_branches(text, block->tree.root, "");
    window_item(text, 0);
}
