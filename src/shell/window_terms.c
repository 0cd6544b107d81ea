#include <string.h>

#include "base/language.h"
#include "shell/window_draw.h"
#include "text/unicode.h"

enum {
    NUMBER_WIDTH = 4,
    VALUE_WIDTH = 12,
    DIGITS = 6,
    TERM_LEAST = 18,
    TERM_MOST = 40
};
/* In a narrow window. */
enum {
    NARROW = 60,
    NUMBER_NARROW = 3,
    VALUE_NARROW = 10,
    DIGITS_NARROW = 4,
    INDENT = 4
};

/* The columns of an explanation. */
typedef struct {
    TextWindow *text;
    int number, index, terms, value; /* how wide they are */
    int digits;                      /* of a value */
    bool is_narrow;
} TermColumns;

static int widest(int a, const char *words) {
    int width = unicode_width(words);
    return width > a ? width : a;
}

static const Term *shown_term(const TermsBlock *terms, int t) {
    return &terms->explanation->term[terms->order[t]];
}

static TermColumns measure(TextWindow *text, const TermsBlock *terms) {
    TermColumns columns = {.text = text,
                           .number = NUMBER_WIDTH,
                           .terms = TERM_LEAST,
                           .value = VALUE_WIDTH,
                           .digits = DIGITS};
    if (window_text_width(text) < NARROW)
        columns = (TermColumns){.text = text,
                                .number = NUMBER_NARROW,
                                .value = VALUE_NARROW,
                                .digits = DIGITS_NARROW,
                                .is_narrow = true};
    for (int t = 0; t < terms->shown; t++) {
        columns.index = widest(columns.index, terms->label[t].index);
        columns.terms = widest(columns.terms, shown_term(terms, t)->text);
    }
    if (columns.index) columns.index += 2;
    if (columns.terms > TERM_MOST) columns.terms = TERM_MOST;
    return columns;
}

/* Returns how wide it is. In a narrow window what has no index stands in its column. */
static int write_row(const TermColumns *columns, const char *number, const char *index,
                     const char *term, double value) {
    TextWindow *text = columns->text;
    bool joins = columns->is_narrow && !*index;
    int indexed = joins ? 0 : columns->index;
    int gap = columns->terms + (columns->index - indexed) - unicode_width(term);
    if (gap < 0) gap = 0;
    fprintf(text->out, "%*s  %s%s", columns->number, number,
            unicode_pad(index, indexed, false, &text->arena), term);
    fprintf(text->out, "%*s = %*.*g", gap, "", columns->value, columns->digits, value);
    return columns->number + 2 + indexed + unicode_width(term) + gap + 3 +
           columns->value;
}

static const char *places_text(const TermLabel *label, Arena *arena) {
    const char *places = "";
    for (int p = 0; p < 2; p++)
        if (label->place[p])
            places = arena_print(arena, "%s%s%s", places, *places ? "  ×  " : "",
                                 label->place[p]);
    return places;
}

static void write_places(TextWindow *text, int indent, const char *places) {
    fputs("\n", text->out);
    if (window_text_width(text) < NARROW)
        window_folded(text, indent, places);
    else
        fprintf(text->out, "%*s%s\n", indent, "", places);
}

/* The places behind the value where there is room, else on a line of their own. */
static void write_term(const TermColumns *columns, const Term *term, int number,
                       const TermLabel *label) {
    TextWindow *text = columns->text;
    int used = write_row(columns, arena_print(&text->arena, "%d", number), label->index,
                         term->text, term->value);
    const char *places = places_text(label, &text->arena);
    if (!*places)
        fputs("\n", text->out);
    else if (used + 2 + unicode_width(places) <= window_text_width(text))
        fprintf(text->out, "  %s\n", places);
    else
        write_places(text, columns->number + INDENT, places);
}

/* "a  weights[head=0, key=…]", its bracket in a line of its own where it is too long.
 */
static void write_common(const TermColumns *columns, char letter, const char *address) {
    TextWindow *text = columns->text;
    const char *bracket = strchr(address, '[');
    bool fits = INDENT + 1 + unicode_width(address) <= window_text_width(text);
    if (fits || !columns->is_narrow || !bracket) {
        fprintf(text->out, "  %c  %s\n", letter, address);
        return;
    }
    fprintf(text->out, "  %c  %.*s\n", letter, (int)(bracket - address), address);
    window_folded(text, INDENT + 1, bracket);
}

static void write_terms(const TermColumns *columns, const TermsBlock *terms) {
    FILE *out = columns->text->out;
    for (int p = 0; p < 2; p++)
        if (terms->common[p]) write_common(columns, "ab"[p], terms -> common[p]);
    fputs("\n", out);
    for (int t = 0; t < terms->shown; t++)
        write_term(columns, shown_term(terms, t), t + 1, &terms->label[t]);
}

static int write_quotient(const TermColumns *columns, const Explanation *explanation) {
    double sum = 0;
    for (int t = 0; t < explanation->count; t++) sum += explanation->term[t].value;
    write_row(columns, "", "", said("Σ, all of them"), sum);
    fputs("\n", columns->text->out);
    const char *chosen = explanation->term[explanation->chosen].text;
    return write_row(columns, "", "",
                     arena_print(&columns->text->arena, "%s / Σ", chosen),
                     explanation->rule->combine(explanation));
}

static int write_combined(const TermColumns *columns, const Explanation *explanation) {
    if (explanation->rule == &rule_quotient)
        return write_quotient(columns, explanation);
    return write_row(columns, "", "", said(explanation->rule->name),
                     explanation->rule->combine(explanation));
}

static void write_result(const TermColumns *columns, const TermsBlock *terms) {
    const Explanation *explanation = terms->explanation;
    FILE *out = columns->text->out;
    int more = explanation->count - terms->shown;
    if (more > 0) {
        write_row(columns, "", "",
                  say(&columns->text->arena, "%d more, together", more), terms->rest);
        fputs("\n", out);
    }
    int used = write_combined(columns, explanation);
    const char *held = say(&columns->text->arena, "the cell holds %.6g", terms->value);
    bool fits = used + 3 + unicode_width(held) <= window_text_width(columns->text);
    if (fits)
        fprintf(out, "   %s\n", held);
    else
        fprintf(out, "\n%*s%s\n", NUMBER_WIDTH + 2, "", held);
}

void window_terms(TextWindow *text, const Block *block) {
    const TermsBlock *terms = &block->terms;
    window_folded(text, 0,
                  arena_print(&text->arena, "%s = %.6g", terms->address, terms->value));
    if (!terms->explanation) {
        window_folded(text, 2, arena_print(&text->arena, "%s.", terms->given));
        return;
    }
    window_folded(text, 2, terms->formula);
    if (terms->note) window_folded(text, 2, terms->note);
    TermColumns columns = measure(text, terms);
    write_terms(&columns, terms);
    write_result(&columns, terms);
}
