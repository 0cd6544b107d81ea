#include "lesson/expect.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char anything[] = "...";

typedef struct {
    const char **line;
    int *number; /* of each, from 0 on */
    int count;
} Lines;

/* A blank that keeps a number and its unit together is a blank. */
static const char *with_plain_blanks(const char *text, Arena *arena) {
    static const char unbroken[] = "\u00a0";
    char *plain = arena_copy(arena, text, strlen(text));
    char *end = plain;
    for (const char *c = text; *c;) {
        bool is_unbroken = strncmp(c, unbroken, strlen(unbroken)) == 0;
        *end++ = is_unbroken ? ' ' : *c;
        c += is_unbroken ? strlen(unbroken) : 1;
    }
    *end = '\0';
    return plain;
}

/* Without blanks at their ends, and without empty ones beside each other. */
static Lines cut_lines(const char *text, Arena *arena) {
    int most = 1;
    for (const char *c = text; *c; c++) most += *c == '\n';
    Lines lines = {ARENA_ARRAY(arena, const char *, most),
                   ARENA_ARRAY(arena, int, most), 0};
    for (int number = 0; *text; number++) {
        size_t length = strcspn(text, "\n");
        size_t kept = length;
        while (kept && strchr(" \t\r", text[kept - 1])) kept--;
        bool again = lines.count && !*lines.line[lines.count - 1];
        if (kept || (lines.count && !again)) {
            lines.number[lines.count] = number;
            lines.line[lines.count++] = arena_copy(arena, text, kept);
        }
        text += length + (text[length] == '\n');
    }
    if (lines.count && !*lines.line[lines.count - 1]) lines.count--;
    return lines;
}

/* The number with decimals at `text`, "-3.14"; 0: there is none. */
static size_t decimal_length(const char *text) {
    size_t sign = *text == '-';
    size_t whole = strspn(text + sign, "0123456789");
    if (!whole || text[sign + whole] != '.') return 0;
    size_t digits = strspn(text + sign + whole + 1, "0123456789");
    return digits ? sign + whole + 1 + digits : 0;
}

static int decimals(const char *text, size_t length) {
    const char *point = memchr(text, '.', length);
    return (int)(text + length - point - 1);
}

/* Two numbers that differ by no more than one in their last digit. */
static bool same_number(const char *a, size_t a_length, const char *b,
                        size_t b_length) {
    int digits = decimals(a, a_length);
    if (digits != decimals(b, b_length)) return false;
    return fabs(strtod(a, NULL) - strtod(b, NULL)) <= 1.01 * pow(10, -digits);
}

/* One thing more of both: a number, or a byte. False where they differ. */
static bool same_piece(const char **expected, const char **printed) {
    size_t a = decimal_length(*expected);
    size_t b = decimal_length(*printed);
    if (a && b && same_number(*expected, a, *printed, b)) {
        *expected += a;
        *printed += b;
        return true;
    }
    return **printed && *(*expected)++ == *(*printed)++;
}

/* Where the two part behind a "...", that one stands for a byte more: the last one is
 * enough, since what came before it fits already. */
static bool same_line(const char *expected, const char *printed) {
    const char *behind = NULL; /* the last "..." */
    const char *from = NULL;   /* what it stands for so far ends here */
    for (;;) {
        if (strncmp(expected, anything, strlen(anything)) == 0) {
            behind = expected += strlen(anything);
            from = printed;
            if (!*expected) return true;
        }
        if (!*expected && !*printed) return true;
        if (*expected && same_piece(&expected, &printed)) continue;
        if (!behind || !*from) return false;
        expected = behind;
        printed = ++from;
    }
}

static bool is_anything(const char *line) {
    return strcmp(line + strspn(line, " \t"), anything) == 0;
}

static bool is_empty(const Lines *lines, int at) {
    return at < lines->count && !*lines->line[at];
}

/* The same for lines. An empty line that only one of them has is nothing. What agreed
 * farthest is kept in `e` and `p`. */
static bool same_lines(const Lines *expected, const Lines *printed, int *e, int *p) {
    int behind = -1;
    int from = 0;
    int at = 0;
    int line = 0;
    for (;;) {
        if (at < expected->count && is_anything(expected->line[at])) {
            behind = ++at;
            from = line;
            if (at == expected->count) return true;
        }
        if (at >= *e) {
            *e = at;
            *p = line;
        }
        if (at == expected->count && line == printed->count) return true;
        if (is_empty(expected, at) != is_empty(printed, line) &&
            (is_empty(expected, at) || is_empty(printed, line))) {
            at += is_empty(expected, at);
            line += is_empty(printed, line);
        } else if (at < expected->count && line < printed->count &&
                   same_line(expected->line[at], printed->line[line])) {
            at++;
            line++;
        } else if (behind >= 0 && from < printed->count) {
            at = behind;
            line = ++from;
        } else {
            return false;
        }
    }
}

bool expect_same(const char *expected, const char *printed, Arena *arena,
                 Parting *parting) {
    Lines wanted = cut_lines(with_plain_blanks(expected, arena), arena);
    Lines found = cut_lines(with_plain_blanks(printed, arena), arena);
    int e = 0;
    int p = 0;
    *parting = (Parting){0};
    if (same_lines(&wanted, &found, &e, &p)) return true;
    *parting = (Parting){
        .line = e < wanted.count ? wanted.number[e] : 0,
        .expected = e < wanted.count ? wanted.line[e] : NULL,
        .printed = p < found.count ? found.line[p] : NULL,
    };
    return false;
}
