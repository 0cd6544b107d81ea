#include "lesson/number_words.h"

#include <ctype.h>
#include <limits.h>
#include <math.h>
#include <string.h>

/* The number that a word adds, or multiplies the words before it by. */
static const struct {
    const char *word;
    double value;
    bool multiplies;
} words[] = {
    {"trillion", 1e12, true}, {"billion", 1e9, true},  {"million", 1e6, true},
    {"thousand", 1e3, true},  {"hundred", 100, true},  {"seventeen", 17, false},
    {"thirteen", 13, false},  {"fourteen", 14, false}, {"eighteen", 18, false},
    {"nineteen", 19, false},  {"fifteen", 15, false},  {"sixteen", 16, false},
    {"seventy", 70, false},   {"eleven", 11, false},   {"twelve", 12, false},
    {"twenty", 20, false},    {"thirty", 30, false},   {"eighty", 80, false},
    {"ninety", 90, false},    {"forty", 40, false},    {"fifty", 50, false},
    {"sixty", 60, false},     {"seven", 7, false},     {"three", 3, false},
    {"eight", 8, false},      {"four", 4, false},      {"five", 5, false},
    {"nine", 9, false},       {"zero", 0, false},      {"one", 1, false},
    {"two", 2, false},        {"six", 6, false},       {"ten", 10, false},
    {"다섯", 5, false},       {"여섯", 6, false},      {"일곱", 7, false},
    {"여덟", 8, false},       {"아홉", 9, false},      {"스물", 20, false},
    {"스무", 20, false},      {"서른", 30, false},     {"마흔", 40, false},
    {"예순", 60, false},      {"일흔", 70, false},     {"여든", 80, false},
    {"아흔", 90, false},      {"하나", 1, false},      {"열", 10, false},
    {"쉰", 50, false},        {"둘", 2, false},        {"셋", 3, false},
    {"넷", 4, false},         {"한", 1, false},        {"두", 2, false},
    {"세", 3, false},         {"네", 4, false},        {"억", 1e8, true},
    {"만", 1e4, true},        {"천", 1e3, true},       {"백", 100, true},
    {"십", 10, true},         {"영", 0, false},        {"일", 1, false},
    {"이", 2, false},         {"삼", 3, false},        {"사", 4, false},
    {"오", 5, false},         {"육", 6, false},        {"칠", 7, false},
    {"팔", 8, false},         {"구", 9, false},
};
enum { WORDS = sizeof words / sizeof *words };

/* Return the number word that the text starts with, or WORDS. */
static int word_at(const char *text) {
    int w = 0;
    while (w < WORDS && strncmp(text, words[w].word, strlen(words[w].word)) != 0) w++;
    return w;
}

double number_words_times(const char **text) {
    double times = 1;
    double last = 1; /* "3천 백" is a sum */
    for (int w; (w = word_at(*text)) < WORDS && words[w].multiplies;) {
        const char *end = *text + strlen(words[w].word);
        if (words[w].value <= last || isalpha((unsigned char)*end)) break;
        last = words[w].value;
        times *= last;
        *text = end + strspn(end, " ");
    }
    return times;
}

const char *number_words_read(const char *text, double *number) {
    double whole = 0;      /* multiples of 10,000, or of 1,000, so far */
    double part = 0;       /* less than the next multiple */
    double digit = 0;      /* may be multiplied by the next word */
    bool is_typed = false; /* `digit` was typed in digits */
    const char *end = text;
    for (;;) {
        int w = word_at(end);
        if (isdigit((unsigned char)*end) && digit == 0 && !is_typed) {
            /* "15만 3,600" */
            for (bool is_comma = false; isdigit((unsigned char)*end) || is_comma;
                 is_comma = *end == ',' && strspn(end + 1, "0123456789") == 3) {
                if (!is_comma) digit = 10 * digit + *end - '0';
                end++;
            }
            is_typed = true;
            end += strspn(end, " ");
            continue;
        }
        if (w == WORDS || (is_typed && !words[w].multiplies)) break;
        is_typed = false;
        double value = words[w].value;
        if (!words[w].multiplies)
            digit += value;
        else if (value >= 1000 && strcmp(words[w].word, "천") != 0) {
            whole += (part + digit > 0 ? part + digit : 1) * value;
            part = digit = 0;
        } else {
            part += (digit > 0 ? digit : 1) * value;
            digit = 0;
        }
        end += strlen(words[w].word);
        end += strspn(end, " -");
    }
    *number = whole + part + digit;
    return end;
}

const char *number_words_ordinal(const char *text, int *ordinal) {
    static const char *const names[] = {"first", "second", "third",   "fourth",
                                        "fifth", "sixth",  "seventh", "eighth",
                                        "ninth", "tenth"};
    static const char *const ends[] = {"번째", "째", "st", "nd", "rd", "th"};
    static const char first[] = "첫";
    double number = 1;
    if (strncmp(text, "the", 3) == 0 && text[3] == ' ') text += 4;
    const char *end = text;
    for (int n = 0; n < (int)(sizeof names / sizeof *names); n++)
        if (strncmp(text, names[n], strlen(names[n])) == 0) {
            *ordinal = n + 1;
            return text + strlen(names[n]);
        }
    bool is_first = strncmp(text, first, strlen(first)) == 0;
    if (is_first)
        end += strlen(first) + strspn(end + strlen(first), " ");
    else
        end = number_words_read(text, &number);
    *ordinal = (int)fmin(number, INT_MAX);
    for (size_t e = 0; end > text && e < sizeof ends / sizeof *ends; e++)
        if (strncmp(end, ends[e], strlen(ends[e])) == 0) return end + strlen(ends[e]);
    return is_first ? end : NULL;
}
