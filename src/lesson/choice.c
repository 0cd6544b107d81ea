#include "lesson/choice.h"

#include <ctype.h>
#include <math.h>
#include <string.h>

#include "base/language.h"
#include "lesson/number_words.h"
#include "lesson/typed_number.h"
#include "lesson/typed_text.h"
#include "text/keyboard.h"
#include "text/unicode.h"

/* Read a choice's number: the digits at its start, as in "4.8 times" and "153,600개",
 * or, if it is short, a word in it, as in "in one" and "한 행". */
static bool number_of(const char *text, double *number, Arena *arena) {
    enum { WORDS = 3 };
    TypedNumber read;
    size_t length = strspn(text, "-0123456789.,");
    bool found = false;
    while (length && strchr(".,", text[length - 1])) length--;
    if (length) {
        found = typed_number_read(arena_copy(arena, text, length), &read, arena);
    } else {
        int words = 1; /* a long text says more than a number */
        for (const char *c = text; *c; c++) words += *c == ' ';
        while (*text && !found && words <= WORDS) {
            length = strcspn(text, " ");
            const char *word = arena_copy(arena, text, length);
            found =
                !strstr("영일이삼사오육칠팔구십백천만", word) && /* 이 is also "this" */
                typed_number_in_words(word, &read, arena);
            text += length + strspn(text + length, " ");
        }
    }
    *number = found ? read.number[0] : NAN;
    return found;
}

/* Digits select choices only if no choice contains a number. */
static bool takes_digits(const Quiz *question, Arena *arena) {
    double number;
    for (int c = 0; c < question->choices; c++)
        if (number_of(typed_normal(question->choice[c].text, arena), &number, arena) ||
            isdigit((unsigned char)question->choice[c].text[0]))
            return false;
    return true;
}

/* Read a letter or digit at the start: "b", "b)", "(b)", "b번", "2번", "2번째". Set
 * `*rest` to the text after it, and `*is_marked` if it cannot be the first word of a
 * text. */
static int read_letter(const char *text, bool digits, const char **rest,
                       bool *is_marked) {
    text += *text == '(';
    bool is_letter = *text >= 'a' && *text < 'a' + CHOICES_MAX;
    if (!is_letter && (!digits || *text < '1' || *text > '9')) return -1;
    *rest = text + 1;
    size_t marks = strspn(*rest, ").:,");
    if (strncmp(*rest, "번", strlen("번")) == 0) marks = strlen("번");
    if (strncmp(*rest, "번째", strlen("번째")) == 0) marks = strlen("번째");
    *is_marked = marks > 0;
    *rest += marks;
    *rest += strspn(*rest, " -");
    return *text - (is_letter ? 'a' : '1');
}

/* If the text is two or more numbers joined by words, return the numbers with a blank
 * after each, "48 71 " for "48-71" and "48번부터 71번까지"; else return "". */
static const char *numbers_of(const char *text, Arena *arena) {
    static const char *const joins[] = {"to",   "and",  "번부터", "번까지", "번",
                                        "부터", "까지", "에서",   NULL};
    char *numbers = arena_take(arena, 2 * strlen(text) + 1);
    char *end = numbers;
    int count = 0;
    while (*text) {
        size_t length = strspn(text, "0123456789");
        if (length) {
            end = stpncpy(end, text, length);
            *end++ = ' ';
            count++;
        } else if ((length = strspn(text, " ,-~[]()")) == 0) {
            length = typed_opening(text, joins);
            if (!length) break;
        }
        text += length;
    }
    *end = '\0';
    return count > 1 && !*text ? numbers : "";
}

/* Return true if the text is an ordinal ("third"), perhaps with a noun for a choice. */
static bool is_ordinal(const char *text, int *ordinal) {
    static const char *const nouns[] = {"one",  "choice", "option", "answer", "것",
                                        "보기", "답",     "선택지", NULL};
    const char *rest = number_words_ordinal(text, ordinal);
    if (!rest || *ordinal < 1) return false;
    --*ordinal; /* an index from 0 */
    rest += strspn(rest, " ");
    return rest[typed_opening(rest, nouns)] == '\0';
}

/* Return the only choice that equals `typed`, or starts with its words or number; -1:
 * none or several. "3번" may mean the third choice. */
static int choice_by_text(const Quiz *question, const char *typed, Arena *arena) {
    enum { LENGTH_MIN = 8 };
    static const char marks[] = ",.:;()-";
    int found = -1;
    int several = 0;
    TypedNumber number;
    bool is_number = typed_number_read(typed, &number, arena) && !strstr(typed, "번");
    const char *numbers = numbers_of(typed, arena);
    const char *bare = typed_bare(typed, marks, arena);
    const size_t length = strlen(typed);
    for (int c = 0; c < question->choices; c++) {
        const char *text = typed_normal(question->choice[c].text, arena);
        double own;
        if (typed_is_same(text, typed, "", arena)) return c;
        const bool has_number = is_number && number_of(text, &own, arena) &&
                                fabs(own - number.number[0]) < 1e-9;
        const bool has_numbers =
            *numbers && strcmp(numbers, numbers_of(text, arena)) == 0;
        /* The text starts with the typed words, and the last one is complete. */
        const bool begins = length >= 2 && strncmp(text, typed, length) == 0 &&
                            (unsigned char)text[length] < 0x80 &&
                            !isalnum((unsigned char)text[length]);
        /* The same for longer texts, ignoring what is between the words. */
        const bool begins_alike =
            strlen(bare) >= LENGTH_MIN &&
            strncmp(typed_bare(text, marks, arena), bare, strlen(bare)) == 0;
        if (!has_number && !has_numbers && !begins && !begins_alike) continue;
        found = c;
        several++;
    }
    return several == 1 ? found : -1;
}

int choice_typed(const Quiz *question, const char *typed, const char **problem,
                 Arena *arena) {
    const char *rest = "";
    bool is_marked = false;
    int ordinal;
    bool digits = takes_digits(question, arena);
    enum { CIRCLED = 0x2460 }; /* ①, then ② and so on */
    int length = 0;
    int code = *typed ? unicode_decode(typed, strlen(typed), &length) : 0;
    if (code >= CIRCLED && code < CIRCLED + CHOICES_MAX)
        typed = arena_print(arena, "%c%s", 'a' + code - CIRCLED, typed + length);
    const char *text = typed_normal(typed, arena);
    int letter = read_letter(text, digits, &rest, &is_marked);
    if (letter < 0 || *rest) {
        const char *keys_rest;
        int key =
            read_letter(keyboard_keys(text, arena), false, &keys_rest, &is_marked);
        if (letter < 0 && key >= 0 && !*keys_rest) {
            letter = key;
            rest = "";
        }
    }
    int by_text = choice_by_text(question, letter >= 0 && *rest ? rest : text, arena);
    *problem =
        trf(arena, "Answer with the letter of a choice, a to %c, or with its text.",
            'a' + question->choices - 1);
    if (letter >= 0 && !*rest) return letter < question->choices ? letter : -1;
    if (letter >= 0 && letter == by_text) return letter;
    if (letter >= 0 && is_marked && letter < question->choices) {
        *problem = trf(arena,
                       "%c) is \"%s\". Answer with one letter, or with the text of one "
                       "choice.",
                       'a' + letter, question->choice[letter].text);
        return -1;
    }
    if (letter >= 0) by_text = choice_by_text(question, text, arena);
    if (by_text < 0 && is_ordinal(text, &ordinal)) by_text = ordinal;
    return by_text < question->choices ? by_text : -1;
}
