#include "lesson/typed_number.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "lesson/number_words.h"

/* Signs that mathematics and Korean keyboards write otherwise than ASCII does. */
static const struct {
    const char *typed, *read;
} signs[] = {
    {"\u2212", "-"},  {"\u2013", "-"},  {"\u00d7", "*"},    {"\u00b7", "*"},
    {"\u22c5", "*"},  {"\u00f7", "/"},  {"\u221a", "sqrt"}, {"\u221e", "inf"},
    {"\u00b2", "^2"}, {"\u202f", " "},  {"\u00a0", " "},    {"\u2009", " "},
    {"`", ""},        {"'", ""},        {"\"", ""},         {"**", "^"},
    {"퍼센트", "%"},  {"percent", "%"}, {"minus", "-"},     {"마이너스", "-"},
    {"root", "sqrt"}, {"of", ""},
};

/* What people say before a number. */
static const char *const openings[] = {
    "the",           "it",    "falls", "by", "is", "answer", "답은", "답",
    "approximately", "about", "대략",  "약", "≈",  "~",      "=",    ":"};

static const char *behind_opening(const char *text) {
    enum { OPENINGS = sizeof openings / sizeof *openings };
    const char *sign = strrchr(text, '='); /* "score = 4" */
    if (sign && strcspn(text, "0123456789") > (size_t)(sign - text)) text = sign;
    for (size_t o = 0; o < OPENINGS; o++) {
        text += strspn(text, " \t");
        if (strncmp(text, openings[o], strlen(openings[o])) != 0) continue;
        text += strlen(openings[o]);
        o = (size_t)-1; /* another may follow: "약 = " */
    }
    return text;
}

/* The ASCII letter that a letter of full width stands for, as a Korean keyboard may
 * type it, from U+FF01 on; 0: it is none. */
static char narrow(const char *typed) {
    const unsigned char *c = (const unsigned char *)typed;
    if (c[0] != 0xef || (c[1] != 0xbc && c[1] != 0xbd) || c[2] < 0x80) return 0;
    int offset = (c[1] - 0xbc) * 64 + c[2] - 0x80;
    return offset >= 1 && offset <= 0x5e ? (char)tolower(' ' + offset) : 0;
}

static const char *in_ascii(const char *typed, Arena *arena) {
    enum { LONGEST = 4 }; /* of what is read for one byte */
    char *text = arena_take(arena, LONGEST * strlen(typed) + 1);
    char *end = text;
    while (*typed) {
        size_t s = 0;
        while (s < sizeof signs / sizeof *signs &&
               strncmp(typed, signs[s].typed, strlen(signs[s].typed)) != 0)
            s++;
        if (narrow(typed)) {
            *end++ = narrow(typed);
            typed += 3;
        } else if (s < sizeof signs / sizeof *signs) {
            end = stpcpy(end, signs[s].read);
            typed += strlen(signs[s].typed);
        } else
            *end++ = (char)tolower((unsigned char)*typed++);
    }
    *end = '\0';
    return text;
}

/* A sum being read; `next` is NULL from the first thing on that is none. */
typedef struct {
    const char *next;
    char decimals, thousands;
    int depth; /* of brackets and signs */
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

/* Digits in threes behind the first one to three of them, each behind `sign`. */
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
        reader->next = end;
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

/* The base of the natural logarithm, and not the beginning of a word. */
static bool is_e(const char *text) {
    return *text == 'e' && !isalnum((unsigned char)text[1]);
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
    } else {
        size_t f = 0;
        while (f < sizeof functions / sizeof *functions &&
               !take(reader, functions[f].name))
            f++;
        number = f < sizeof functions / sizeof *functions
                     ? functions[f].run(read_factor(reader))
                 : is_e(reader->next) && take(reader, "e") ? exp(1)
                                                           : read_literal(reader);
    }
    if (take(reader, "^")) number = pow(number, read_factor(reader));
    if (take(reader, "%")) number /= 100;
    reader->depth--;
    return number;
}

/* The letter x between two numbers. */
static bool take_times(Reader *reader) {
    skip_blanks(reader);
    const char *next = reader->next;
    if (*next != 'x' || !isdigit((unsigned char)next[1 + strspn(next + 1, " ")]))
        return false;
    reader->next = next + 1;
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

/* "153.6k", "153 thousand". */
static double read_thousand(Reader *reader) {
    bool is_k = reader->next && reader->next[0] == 'k' &&
                !isalpha((unsigned char)reader->next[1]);
    if (is_k) reader->next++;
    return is_k || take(reader, "thousand") ? 1000 : 1;
}

/* Letters behind a number, "66 tokens", "2번": what it counts. */
static bool is_unit(const char *text) {
    size_t length = strlen(text);
    while (length && strchr(".!? ", text[length - 1])) length--;
    for (size_t c = 0; c < length; c++)
        if (!isalpha((unsigned char)text[c]) && (unsigned char)text[c] < 0x80 &&
            text[c] != ' ')
            return false;
    return true;
}

/* What stands behind a Korean number without a blank. */
static bool is_counter(const char *text) {
    static const char *const counters[] = {"개", "번", "바이트", "토큰", "행", "열",
                                           "층", "배", "입",     "이에", "예", "."};
    for (size_t c = 0; c < sizeof counters / sizeof *counters; c++)
        if (strncmp(text, counters[c], strlen(counters[c])) == 0) return true;
    return false;
}

bool typed_number_read(const char *typed, TypedNumber *read, Arena *arena) {
    static const char marks[] = ".,";
    const char *text = behind_opening(in_ascii(typed, arena));
    *read = (TypedNumber){0};
    for (int way = 0; way < 2; way++) {
        Reader reader = {
            .next = text, .decimals = marks[way], .thousands = marks[1 - way]};
        double number = read_sum(&reader);
        number *= read_thousand(&reader);
        if (!reader.next || !is_unit(reader.next) || isnan(number)) continue;
        if (read->count == 0 || read->number[0] != number)
            read->number[read->count++] = number;
    }
    return read->count > 0;
}

/* "10분의 1": the part below stands first. */
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
    *read = (TypedNumber){{above.number[0] / below.number[0]}, 1};
    return true;
}

bool typed_number_in_words(const char *typed, TypedNumber *read, Arena *arena) {
    const char *text = behind_opening(in_ascii(typed, arena));
    text += strspn(text, " \t");
    if (read_korean_fraction(text, read, arena) ||
        typed_number_read(typed, read, arena))
        return true;
    double number;
    const char *rest = number_words_read(text, &number);
    if (rest == text || (*rest && rest[-1] != ' ' && !is_counter(rest)) ||
        !is_unit(rest))
        return false;
    *read = (TypedNumber){{number}, 1};
    return true;
}
