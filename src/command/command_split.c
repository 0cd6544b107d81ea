/* A line taken apart into words. */
#include <string.h>

#include "command/command.h"

/* Where in a line one stands: in which quotes, in how many brackets. */
typedef struct {
    char quote; /* '\0': in none */
    int depth;
} Scan;

/* Quotes group words; those inside of brackets belong to an address. */
static bool is_mark(const Scan *scan, char c) {
    if (scan->quote) return c == scan->quote;
    return c == '"' || (c == '\'' && scan->depth == 0);
}

/* One character further. */
static void step_over(Scan *scan, char c) {
    if (is_mark(scan, c))
        scan->quote = scan->quote ? '\0' : c;
    else if (!scan->quote && c == '[')
        scan->depth++;
    else if (!scan->quote && c == ']' && scan->depth > 0)
        scan->depth--;
}

static bool is_escape(const Scan *scan, const char *c) {
    return scan->quote && c[0] == '\\' && c[1] != '\0';
}

/* The end of a word: outside of quotes and brackets at a space; NULL if a quote stays
 * open. */
static const char *word_end(const char *c) {
    Scan scan = {0};
    for (; *c; c++) {
        if (!scan.quote && scan.depth == 0 && (*c == ' ' || *c == '\t')) break;
        if (is_escape(&scan, c))
            c++;
        else
            step_over(&scan, *c);
    }
    return scan.quote ? NULL : c;
}

/* Without the quotes outside of brackets. */
static const char *unquote(const char *from, const char *end, Arena *arena) {
    char *word = arena_copy(arena, from, (size_t)(end - from));
    char *to = word;
    Scan scan = {0};
    for (const char *c = word; *c; c++) {
        bool plain = scan.depth > 0;
        bool escape = is_escape(&scan, c);
        bool mark = !escape && is_mark(&scan, *c);
        if (escape && plain) *to++ = *c;
        if (escape) c++;
        if (!escape) step_over(&scan, *c);
        if (!mark || plain) *to++ = *c;
    }
    *to = '\0';
    return word;
}

bool command_split(const char *line, Arena *arena, const char **word, int *words,
                   Error *error) {
    *words = 0;
    for (const char *c = line + strspn(line, " \t"); *c; c += strspn(c, " \t")) {
        const char *end = word_end(c);
        if (!end) return fail(error, "a quotation mark is not closed");
        if (*words == WORDS_MAX)
            return fail(error, "a command has at most %d words", WORDS_MAX);
        word[(*words)++] = unquote(c, end, arena);
        c = end;
    }
    return true;
}
