#include "lesson/expect.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/nearest.h"

static const char anything[] = "...";

typedef struct {
    const char **line;
    int *number; /* line number of each, from 0 */
    int count;
} Lines;

/* Split into lines without trailing blanks, and merge adjacent empty lines. A no-break
 * space counts as a blank. */
static Lines cut_lines(const char *text, Arena *arena) {
    static const char unbroken[] = "\u00a0";
    char *plain = arena_copy(arena, text, strlen(text));
    char *end = plain;
    int max = 1;
    for (const char *c = text; *c; c++) {
        bool is_unbroken = strncmp(c, unbroken, strlen(unbroken)) == 0;
        *end++ = is_unbroken ? ' ' : *c;
        if (is_unbroken) c += strlen(unbroken) - 1;
        max += *c == '\n';
    }
    *end = '\0';
    Lines lines = {ARENA_ARRAY(arena, const char *, max), ARENA_ARRAY(arena, int, max),
                   0};
    for (int number = 0; *plain; number++) {
        size_t length = strcspn(plain, "\n");
        size_t kept = length;
        while (kept && strchr(" \t\r", plain[kept - 1])) kept--;
        if (kept || (lines.count && *lines.line[lines.count - 1])) {
            lines.number[lines.count] = number;
            lines.line[lines.count++] = arena_copy(arena, plain, kept);
        }
        plain += length + (plain[length] == '\n');
    }
    if (lines.count && !*lines.line[lines.count - 1]) lines.count--;
    return lines;
}

/* Return the length of a number with decimals, "-3.14"; 0: none. */
static size_t decimal_length(const char *text) {
    size_t sign = *text == '-';
    size_t whole = strspn(text + sign, "0123456789");
    if (!whole || text[sign + whole] != '.') return 0;
    size_t digits = strspn(text + sign + whole + 1, "0123456789");
    return digits ? sign + whole + 1 + digits : 0;
}

/* Return true if two numbers differ by at most one in their last digit, at the
 * precision of the shorter one, since trailing zeros may be missing. */
static bool same_number(const char *a, size_t a_length, const char *b,
                        size_t b_length) {
    enum { LONG = 4 };
    int digits = (int)(a + a_length - strchr(a, '.') - 1);
    int others = (int)(b + b_length - strchr(b, '.') - 1);
    if (digits != others && (digits < LONG || others < LONG)) return false;
    if (others < digits) digits = others;
    return fabs(strtod(a, NULL) - strtod(b, NULL)) <= 1.01 * pow(10, -digits);
}

/* Compare and skip one piece of both: a number, blanks, or a byte. Return false if they
 * differ. */
static bool same_piece(const char **expected, const char **printed) {
    if (**expected == ' ' && **printed == ' ') {
        *expected += strspn(*expected, " ");
        *printed += strspn(*printed, " ");
        /* "..." may also match blanks */
        if (strncmp(*expected, anything, strlen(anything)) == 0) --*printed;
        return true;
    }
    size_t a = decimal_length(*expected);
    size_t b = decimal_length(*printed);
    if (a && b && same_number(*expected, a, *printed, b)) {
        *expected += a;
        *printed += b;
        return true;
    }
    return **printed && *(*expected)++ == *(*printed)++;
}

/* Compare two lines. After a mismatch, extend the text matched by the last "..." by one
 * byte. Only the last one matters, because everything before it matched. */
static bool same_line(const char *expected, const char *printed) {
    const char *after = NULL; /* position after the last "..." */
    const char *from = NULL;  /* end of the text that it matches so far */
    for (;;) {
        if (strncmp(expected, anything, strlen(anything)) == 0) {
            after = expected += strlen(anything);
            from = printed;
            if (!*expected) return true;
        }
        if (!*expected && !*printed) return true;
        if (*expected && same_piece(&expected, &printed)) continue;
        if (!after || !*from) return false;
        expected = after;
        printed = ++from;
    }
}

/* State of the line-by-line comparison. */
typedef struct {
    Lines expected, printed;
    int e, p;         /* current lines */
    int after, from;  /* line after the last "...", end of its match; or -1 */
    int dots_p;       /* start of its match */
    int far_e, far_p; /* the farthest match */
} Both;

/* Return true for a line that stands for any lines. */
static bool is_dots(const char *line) {
    return strcmp(line + strspn(line, " \t"), anything) == 0;
}

static const char *line_of(const Lines *lines, int at) {
    return at < lines->count ? lines->line[at] : NULL;
}

/* Like same_line(), but for lines. Ignores an empty line that is in only one text. */
static bool same_lines(Both *both) {
    for (;;) {
        const char *expected = line_of(&both->expected, both->e);
        if (expected && is_dots(expected)) {
            both->after = ++both->e;
            both->from = both->dots_p = both->p;
            expected = line_of(&both->expected, both->e);
        }
        const char *printed = line_of(&both->printed, both->p);
        if (both->e >= both->far_e) {
            both->far_e = both->e;
            both->far_p = both->p;
        }
        if (!expected && (!printed || both->after == both->e)) return true;
        bool skips = expected && !*expected;
        bool skips_printed = printed && !*printed;
        if (skips != skips_printed ||
            (expected && printed && same_line(expected, printed))) {
            bool both_go = skips == skips_printed;
            both->e += skips || both_go;
            both->p += skips_printed || both_go;
        } else if (both->after >= 0 && both->from < both->printed.count) {
            both->e = both->after;
            both->p = ++both->from;
        } else {
            return false;
        }
    }
}

/* Return true for an empty line, and one that matches any expected line. */
static bool is_expected(const Lines *expected, const char *printed) {
    for (int e = 0; *printed && e < expected->count; e++)
        if (!is_dots(expected->line[e]) && same_line(expected->line[e], printed))
            return true;
    return !*printed;
}

bool expect_same(const char *expected, const char *printed, Arena *arena,
                 Parting *parting) {
    Both both = {
        .expected = cut_lines(expected, arena),
        .printed = cut_lines(printed, arena),
        .after = -1,
    };
    *parting = (Parting){0};
    if (same_lines(&both)) return true;
    bool is_end = both.far_e == both.expected.count;
    bool has_dots = !is_end && both.after == both.far_e;
    int line = has_dots ? -1 : both.far_p;
    const char *missing = is_end ? "" : both.expected.line[both.far_e];
    int min = (int)strlen(missing) / 2;
    /* After "...", the line that is most similar to the one expected. */
    for (int p = both.dots_p; has_dots && p < both.printed.count; p++) {
        int distance = nearest_distance(missing, both.printed.line[p]);
        if (distance >= min) continue;
        min = distance;
        line = p;
    }
    /* Or else the first line that no other expected line matches. */
    for (int p = both.dots_p; has_dots && line < 0 && p < both.printed.count; p++)
        if (!is_expected(&both.expected, both.printed.line[p])) line = p;
    *parting = (Parting){
        .line = is_end ? 0 : both.expected.number[both.far_e],
        .expected = is_end ? NULL : missing,
        .printed =
            line >= 0 && line < both.printed.count ? both.printed.line[line] : NULL,
    };
    return false;
}
