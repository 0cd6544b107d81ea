#include "lesson/typed_number.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/builder.h"
#include "base/language.h"
#include "lesson/number_words.h"
#include "lesson/typed_text.h"
#include "text/unicode.h"

/* Words and signs of mathematics, and the form that the reader accepts. */
static const TypedSign signs[] = {
    {"\u00d7", "*"},    {"\u00b7", "*"},   {"\u22c5", "*"},    {"\u00f7", "/"},
    {"\u221a", "sqrt"}, {"\u221e", "inf"}, {"\u2248", "="},    {"**", "^"},
    {"퍼센트", "%"},    {"프로", "%"},     {"percent", "%"},   {"minus", "-"},
    {"per cent", "%"},  {"마이너스", "-"}, {"곱하기", "*"},    {"나누기", "/"},
    {"더하기", "+"},    {"빼기", "-"},     {"제곱근", "sqrt"}, {"square root", "sqrt"},
    {"루트", "sqrt"},   {"root", "sqrt"},  {"of", ""},         {NULL, NULL},
};

/* What people write before a number. */
static const char *const openings[] = {
    "the",   "it",   "falls", "by",   "is", "answer", "답은", "답", "approximately",
    "about", "대략", "약",    "모두", "총", "~",      "=",    ":",  NULL};

/* Nouns before a number: "head 2". */
static const char *const nouns[] = {
    "head",   "unit",  "layer", "token", "row",  "column", "step", "merge", "id",
    "number", "index", "헤드",  "유닛",  "토큰", "스텝",   "번호", NULL};

static const char *behind_opening(const char *text) {
    for (;;) { /* several may follow each other: "약 = " */
        text += strspn(text, " ");
        size_t length = typed_opening(text, openings);
        size_t noun = typed_opening(text, nouns);
        const char *after = text + noun;
        if (noun && (*after == ' ' || isdigit((unsigned char)*after))) length = noun;
        if (!length) return text;
        text += length;
    }
}

static const char *in_ascii(const char *typed, Arena *arena) {
    return typed_replace(typed_normal(typed, arena), signs, arena);
}

/* An expression in progress; `next` becomes NULL on an error. */
typedef struct {
    const char *next;
    char decimals, thousands;
    int depth; /* nested parentheses and signs */
} Reader;

static double read_sum(Reader *reader);

static void skip_blanks(Reader *reader) {
    if (reader->next) reader->next += strspn(reader->next, " \t");
}

static bool take(Reader *reader, const char *word) {
    skip_blanks(reader);
    if (!reader->next || strncmp(reader->next, word, strlen(word)) != 0) return false;
    reader->next += strlen(word);
    return true;
}

/* Skip one to three digits, then groups of three, each after `sign`. */
static const char *end_of_thousands(const char *digits, char sign) {
    size_t first = strspn(digits, "0123456789");
    const char *c = digits + first;
    if (first < 1 || first > 3 || *digits == '0') return c;
    while (*c == sign && strspn(c + 1, "0123456789") == 3) c += 4;
    return c;
}

static double read_literal(Reader *reader) {
    enum { LONGEST = 64 };
    char plain[LONGEST + 1];
    size_t length = 0;
    const char *c = reader->next;
    if (strncmp(c, "0x", 2) == 0 || strncmp(c, "inf", 3) == 0) {
        char *end;
        double number = strtod(c, &end);
        reader->next = *end == 'x' ? NULL : end; /* 0xyz */
        return number;
    }
    const char *whole = end_of_thousands(c, reader->thousands);
    const char *spaced = end_of_thousands(c, ' ');
    if (spaced > whole) whole = spaced;
    size_t decimals = 0;
    if (*whole == reader->decimals) decimals = 1 + strspn(whole + 1, "0123456789");
    if ((whole == c && decimals < 2) || (size_t)(whole - c) + decimals > LONGEST - 8) {
        reader->next = NULL;
        return NAN;
    }
    for (; c < whole; c++)
        if (isdigit((unsigned char)*c)) plain[length++] = *c;
    for (size_t d = 0; d < decimals; d++) plain[length++] = d ? whole[d] : '.';
    c = whole + decimals;
    size_t sign = *c == 'e' && (c[1] == '-' || c[1] == '+');
    size_t exponent = *c == 'e' ? strspn(c + 1 + sign, "0123456789") : 0;
    if (exponent && exponent < 5) {
        memcpy(plain + length, c, 1 + sign + exponent);
        length += 1 + sign + exponent;
        c += 1 + sign + exponent;
    }
    plain[length] = '\0';
    reader->next = *c == reader->thousands && isdigit((unsigned char)c[1]) ? NULL : c;
    return strtod(plain, NULL);
}

static double read_factor(Reader *reader) {
    enum { DEEPEST = 20 };
    static const struct {
        const char *name;
        double (*run)(double);
    } functions[] = {{"sqrt", sqrt}, {"exp", exp}, {"ln", log}, {"log", log}};
    double number = NAN;
    skip_blanks(reader);
    if (!reader->next || reader->depth++ > DEEPEST) return reader->next = NULL, NAN;
    if (take(reader, "-")) {
        number = -read_factor(reader);
    } else if (take(reader, "+")) {
        number = read_factor(reader);
    } else if (take(reader, "(")) {
        number = read_sum(reader);
        if (!take(reader, ")")) reader->next = NULL;
    } else if (*reader->next == 'e' && !isalnum((unsigned char)reader->next[1])) {
        number = exp(1);
        reader->next++;
    } else {
        size_t f = 0;
        while (f < sizeof functions / sizeof *functions &&
               !take(reader, functions[f].name))
            f++;
        number = f < sizeof functions / sizeof *functions
                     ? functions[f].run(read_factor(reader))
                     : read_literal(reader);
    }
    const char *before = reader->next; /* "48의 제곱근" */
    if (take(reader, "의") && take(reader, "sqrt"))
        number = sqrt(number);
    else
        reader->next = before;
    if (take(reader, "^")) number = pow(number, read_factor(reader));
    if (take(reader, "%")) number /= 100;
    reader->depth--;
    return number;
}

/* The letter x, or the word, between two numbers. */
static bool take_times(Reader *reader) {
    static const char *const words[] = {"x", "times", NULL};
    skip_blanks(reader);
    size_t length = typed_opening(reader->next, words);
    const char *after = reader->next + length;
    if (!length || !isdigit((unsigned char)after[strspn(after, " ")])) return false;
    reader->next = after;
    return true;
}

static double read_product(Reader *reader) {
    double product = read_factor(reader);
    while (reader->next) {
        if (take(reader, "*") || take_times(reader) ||
            strncmp(reader->next, "sqrt", strlen("sqrt")) == 0) /* 4√3 */
            product *= read_factor(reader);
        else if (take(reader, "/"))
            product /= read_factor(reader);
        else
            break;
    }
    return product;
}

static double read_sum(Reader *reader) {
    double sum = read_product(reader);
    while (reader->next) {
        if (take(reader, "+"))
            sum += read_product(reader);
        else if (take(reader, "-"))
            sum -= read_product(reader);
        else
            break;
    }
    return sum;
}

/* "153.6k", "3 M", "153 thousand", "15.36만". */
static double read_times(Reader *reader) {
    skip_blanks(reader);
    const char *next = reader->next;
    if ((*next != 'k' && *next != 'm') || isalpha((unsigned char)next[1]))
        return number_words_times(&reader->next);
    reader->next++;
    return *next == 'k' ? 1e3 : 1e6;
}

/* Return true if a word makes another number of the one before it: a number above one,
 * as in "divided by four" and "tenths", or one of these. Small Korean numbers are also
 * counters. */
static bool changes_number(const char *word) {
    static const char *const words[] = {
        "squared", "cubed", "plus", "divided", "half", "halves", "quarter",
        "third",   "dozen", "의",   "분의",    "제곱", "세제곱", NULL};
    double number;
    const char *end = number_words_read(word, &number);
    bool is_whole =
        end >= word + strcspn(word, " -") || strncmp(end, "th", strlen("th")) == 0;
    return number > 10 || (number > 1 && is_whole && isalpha((unsigned char)*word)) ||
           typed_opening(word, words) > 0;
}

/* Return true for a unit after a number: any English or Korean words ("66 tokens",
 * "2번") that leave the number as it is. */
static bool is_unit(const char *text) {
    int length;
    for (const char *c = text; *c; c += length) {
        int code = unicode_decode(c, strnlen(c, 4), &length);
        bool is_letter =
            unicode_kind(code) == KIND_LETTER && unicode_writing(code) != WRITING_OTHER;
        if ((!is_letter && code != ' ') ||
            ((c == text || c[-1] == ' ') && changes_number(c)))
            return false;
    }
    return true;
}

/* Counters that follow a Korean number without a blank. */
static const char *const counters[] = {"개", "번",   "바이트", "토큰", "행",
                                       "열", "칸",   "층",     "배",   "입",
                                       "예", "이에", ".",      NULL};

/* Read a number in ASCII, without "=". */
static bool read_number(const char *text, TypedNumber *read) {
    static const struct {
        char decimals, thousands;
    } marks[] = {{'.', ','}, {',', ' '}};
    *read = (TypedNumber){0};
    for (int way = 0; way < 2; way++) {
        Reader reader = {.next = text,
                         .decimals = marks[way].decimals,
                         .thousands = marks[way].thousands};
        double number = read_sum(&reader);
        if (reader.next) number *= read_times(&reader);
        if (!reader.next || !is_unit(reader.next) || isnan(number)) continue;
        if (read->count == 0 || read->number[0] != number)
            read->number[read->count++] = number;
    }
    return read->count > 0;
}

/* For "score = 4" and "6*190=1140", use the right side unless a number on the left
 * contradicts it. */
static bool read_equation(const char *text, TypedNumber *read, Arena *arena) {
    const char *sign = strrchr(text, '=');
    if (!sign) return read_number(behind_opening(text), read);
    TypedNumber left;
    const char *before = arena_copy(arena, text, (size_t)(sign - text));
    bool is_equation = read_equation(before, &left, arena);
    if (left.problem || !read_number(behind_opening(sign + 1), read)) {
        read->problem = left.problem;
        return false;
    }
    double right = read->number[0];
    bool is_equal = false;
    for (int n = 0; n < left.count; n++)
        is_equal = is_equal || fabs(left.number[n] - right) <=
                                   fmax(0.0051, (right == floor(right) ? 1e-9 : 0.01) *
                                                    fabs(right));
    if (!is_equation || is_equal) return true;
    *read = (TypedNumber){.problem = tr(N_("The two sides of = are not equal."))};
    return false;
}

bool typed_number_read(const char *typed, TypedNumber *read, Arena *arena) {
    return read_equation(in_ascii(typed, arena), read, arena);
}

bool typed_ordinal(const char *typed, int *index, Arena *arena) {
    const char *text = behind_opening(in_ascii(typed, arena));
    const char *rest = number_words_ordinal(text, index);
    if (!rest || isalpha((unsigned char)*rest) || !is_unit(rest) || *index < 1)
        return false;
    --*index;
    return true;
}

/* "10분의 1": the denominator comes first. */
static bool read_korean_fraction(const char *text, TypedNumber *read, Arena *arena) {
    static const char between[] = "분의";
    TypedNumber below;
    TypedNumber above;
    const char *mark = strstr(text, between);
    if (!mark ||
        !typed_number_in_words(arena_copy(arena, text, (size_t)(mark - text)), &below,
                               arena) ||
        !typed_number_in_words(mark + strlen(between), &above, arena) ||
        below.number[0] == 0)
        return false;
    *read = (TypedNumber){{above.number[0] / below.number[0]}, 1, NULL};
    return true;
}

bool typed_number_in_words(const char *typed, TypedNumber *read, Arena *arena) {
    const char *text = behind_opening(in_ascii(typed, arena));
    if (read_korean_fraction(text, read, arena) ||
        typed_number_read(typed, read, arena))
        return true;
    if (read->problem) return false;
    double number;
    const char *rest = number_words_read(text, &number);
    if (rest == text || (*rest && rest[-1] != ' ' && !typed_opening(rest, counters)) ||
        !is_unit(rest))
        return false;
    *read = (TypedNumber){{number}, 1, NULL};
    return true;
}
