#include "lesson/judge.h"

#include <assert.h>
#include <ctype.h>
#include <math.h>
#include <string.h>

#include "base/language.h"
#include "lesson/choice.h"
#include "lesson/token.h"
#include "lesson/typed_number.h"
#include "lesson/typed_text.h"
#include "text/label.h"

/* Compare with each of the texts separated by bars. */
static bool is_one_of(const char *texts, const char *typed, Arena *arena) {
    while (*texts) {
        size_t length = strcspn(texts, "|");
        const char *text = arena_copy(arena, texts, length);
        if (typed_is_same(text, typed, "", arena) ||
            typed_is_same(text, typed, "-:<>", arena))
            return true;
        texts += length + (texts[length] == '|');
    }
    return false;
}

/* Return the expected number, text or cell. Compute it if it starts with "=". */
static bool find_expected(const Quiz *question, const AtHand *at_hand, Value *value,
                          Error *error) {
    const char *expected = question->expected;
    bool is_cell = question->asks == ASKS_CELL;
    bool is_number = question->asks == ASKS_NUMBER;
    *value = (Value){0};
    if (*expected == '=') {
        if (!value_compute(expected + 1 + strspn(expected + 1, " "), at_hand, value,
                           error))
            return false;
        if (is_cell && !value->tensor)
            return fail(error, "'%s' is not a cell", expected);
        if (!is_cell && !is_number && !value->label)
            return fail(error, "'%s' is a number, not text", expected);
        return true;
    }
    if (is_cell)
        return record_cell(&at_hand->record, expected, at_hand->arena, &value->tensor,
                           &value->cell, error);
    if (is_number) {
        TypedNumber read;
        if (!typed_number_read(expected, &read, at_hand->arena))
            return fail(error, "'%s' is not a number", expected);
        value->number = read.number[0];
        return true;
    }
    *value = question->asks == ASKS_TOKEN ? value_token(expected, at_hand)
                                          : (Value){.label = expected};
    return true;
}

/* Return true if one of the meanings is close enough. */
static bool one_is_near(const TypedNumber *typed, double factor, double expected,
                        double tolerance) {
    for (int n = 0; n < typed->count; n++)
        if (value_is_near(typed->number[n] * factor, expected, tolerance)) return true;
    return false;
}

/* Return true if the typed number is the expected one, rounded or truncated to the
 * typed digits. */
static bool is_cut_short(const char *typed, double number, double expected) {
    const char *point = strpbrk(typed, ".,");
    size_t digits = point ? strspn(point + 1, "0123456789") : 0;
    if (digits == 0 || expected == floor(expected)) return false;
    double unit = pow(10, -(double)digits);
    return fabs(number - round(expected / unit) * unit) < unit / 100 ||
           fabs(number - trunc(expected / unit) * unit) < unit / 100;
}

/* Return true if only one digit was typed, which fits several numbers. */
static bool is_one_digit(const char *typed, double number, double expected,
                         double tolerance) {
    const char *digits = typed + strspn(typed, "-+0., ");
    return tolerance < 0 && expected != floor(expected) && strlen(digits) == 1 &&
           isdigit((unsigned char)*digits) && is_cut_short(typed, number, expected) &&
           fabs(number - expected) > 0.01 * fabs(expected);
}

/* "153.600" for 153600. */
static bool is_point_of_thousands(const char *typed, double number, double expected) {
    const char *point = strchr(typed, '.');
    return point && strspn(point + 1, "0123456789") == 3 &&
           expected == floor(expected) && fabs(number * 1000 - expected) < 1e-6;
}

/* Return the reply to a wrong number: that of the "wrong:" line it is close to, or else
 * one for a common slip; NULL: none. */
static const char *explain_number(const Quiz *question, const char *text,
                                  const TypedNumber *typed, double expected,
                                  const AtHand *at_hand) {
    for (int c = 0; c < question->choices; c++) {
        Value value;
        Error unread;
        Quiz miss = {.asks = ASKS_NUMBER, .expected = question->choice[c].text};
        if (find_expected(&miss, at_hand, &value, &unread) &&
            one_is_near(typed, 1, value.number, question->tolerance))
            return question->choice[c].reply;
    }
    if (is_cut_short(text, typed->number[0], expected))
        return tr(N_("That is right so far. Give one more digit."));
    if (expected != 0 && one_is_near(typed, -1, expected, question->tolerance))
        return tr(N_("The sign is wrong."));
    if (fabs(expected) <= 1 && expected != 0 &&
        one_is_near(typed, 0.01, expected, question->tolerance))
        return tr(N_("That is a hundred times too large; write a percentage with %, "
                     "or a fraction."));
    return NULL;
}

/* Return true if a word gives the sign: "0.099 less", "it falls by 0.099". */
static bool says_less(const char *typed) {
    static const char *const words[] = {"less", "fall", "lower", "줄", "감소", "작아"};
    for (size_t w = 0; w < sizeof words / sizeof *words; w++)
        if (strstr(typed, words[w])) return true;
    return false;
}

static Judgement judge_number(const Quiz *question, const char *typed, double expected,
                              const AtHand *at_hand) {
    Arena *arena = at_hand->arena;
    double tolerance = question->tolerance;
    TypedNumber number;
    int ordinal;
    if (typed_ordinal(typed, &ordinal, arena))
        return ordinal == expected
                   ? (Judgement){JUDGED_RIGHT, NULL}
                   : (Judgement){JUDGED_WRONG,
                                 trf(arena,
                                     "Ordinals start at one, but numbers here start "
                                     "at 0, so that is number %d.",
                                     ordinal)};
    if (!typed_number_in_words(typed, &number, arena))
        return (Judgement){JUDGED_NO_ANSWER,
                           number.problem ? number.problem
                                          : tr(N_("Answer with a number, such as 0.87, "
                                                  "87%, 3/4 or 153,600."))};
    bool is_near = one_is_near(&number, 1, expected, tolerance) ||
                   (says_less(typed) && one_is_near(&number, -1, expected, tolerance));
    if (is_near && !is_one_digit(typed, number.number[0], expected, tolerance))
        return (Judgement){JUDGED_RIGHT, NULL};
    if (is_point_of_thousands(typed, number.number[0], expected))
        return (Judgement){JUDGED_NO_ANSWER,
                           trf(arena,
                               "A point marks decimals, so that is %g. Write %.0f.",
                               number.number[0], expected)};
    return (Judgement){JUDGED_WRONG,
                       explain_number(question, typed, &number, expected, at_hand)};
}

static Judgement judge_cell(const char *typed, const Value *expected,
                            const AtHand *at_hand) {
    Arena *arena = at_hand->arena;
    const Tensor *tensor;
    int cell;
    Error unread;
    if (*typed == '[') /* in the expected tensor */
        typed = arena_print(arena, "%s%s", expected->tensor->name, typed);
    if (!record_cell(&at_hand->record, typed, arena, &tensor, &cell, &unread))
        return (Judgement){JUDGED_NO_ANSWER,
                           trf(arena, "That is not a cell: %s",
                               arena_print(arena, "%s", unread.message))};
    bool is_right = tensor == expected->tensor && cell == expected->cell;
    return (Judgement){is_right ? JUDGED_RIGHT : JUDGED_WRONG, NULL};
}

/* A state is correct if all its conditions are true. */
static bool judge_state(const Quiz *question, const AtHand *at_hand,
                        Judgement *judgement, Error *error) {
    *judgement = (Judgement){JUDGED_RIGHT, NULL};
    for (int c = 0; c < question->conditions; c++) {
        bool is_true;
        if (!value_holds(question->condition[c], at_hand, &is_true, error))
            return false;
        if (!is_true && judgement->verdict == JUDGED_RIGHT)
            *judgement = (Judgement){JUDGED_WRONG,
                                     value_explain(question->condition[c], at_hand)};
    }
    return true;
}

bool judge(const Quiz *question, const char *typed, const AtHand *at_hand,
           Judgement *judgement, Error *error) {
    Arena *arena = at_hand->arena;
    Value expected;
    const char *reply = NULL;
    int index;
    bool is_right;
    if (question->asks == ASKS_CHOICE) {
        index = choice_typed(question, typed, &reply, arena);
        const Choosable *choice = index < 0 ? NULL : &question->choice[index];
        if (choice)
            reply = choice->is_right || !choice->reply
                        ? NULL
                        : arena_print(arena, "%c) %s -- %s", 'a' + index, choice->text,
                                      choice->reply);
        *judgement = (Judgement){!choice            ? JUDGED_NO_ANSWER
                                 : choice->is_right ? JUDGED_RIGHT
                                                    : JUDGED_WRONG,
                                 reply};
        return true;
    }
    if (question->asks == ASKS_STATE)
        return judge_state(question, at_hand, judgement, error);
    if (!find_expected(question, at_hand, &expected, error)) return false;
    switch (question->asks) {
    case ASKS_NUMBER:
        *judgement = judge_number(question, typed, expected.number, at_hand);
        break;
    case ASKS_CELL:
        *judgement = judge_cell(typed, &expected, at_hand);
        break;
    case ASKS_TOKEN:
        index = token_typed(&expected, typed, &reply, arena);
        *judgement = (Judgement){index == (int)expected.number ? JUDGED_RIGHT
                                 : index < 0 && reply          ? JUDGED_NO_ANSWER
                                                               : JUDGED_WRONG,
                                 reply};
        break;
    default:
        is_right = *question->expected == '='
                       ? typed_is_same(expected.label, typed, "", arena)
                       : is_one_of(expected.label, typed, arena);
        *judgement = (Judgement){is_right ? JUDGED_RIGHT : JUDGED_WRONG, NULL};
    }
    return true;
}

bool judge_right_answer(const Quiz *question, const AtHand *at_hand,
                        const char **answer, Error *error) {
    Arena *arena = at_hand->arena;
    Value expected;
    int choice = 0;
    size_t length;
    if (question->asks == ASKS_CHOICE) {
        while (!question->choice[choice].is_right) choice++;
        *answer = arena_print(arena, "%c", 'a' + choice);
        return true;
    }
    if (question->asks == ASKS_STATE) {
        *answer = question->command[0];
        return true;
    }
    if (!find_expected(question, at_hand, &expected, error)) return false;
    double number = expected.number;
    switch (question->asks) {
    case ASKS_NUMBER: /* with as many digits as a person would type */
        if (*question->expected != '=')
            *answer = question->expected;
        else if (number == floor(number) && fabs(number) < 1e9)
            *answer = arena_print(arena, "%.0f", number);
        else
            *answer = arena_print(arena, fabs(number) < 1 ? "%.4f" : "%.3f", number);
        return true;
    case ASKS_CELL:
        *answer = address_print(expected.tensor, expected.cell, arena);
        return true;
    case ASKS_TOKEN:
        *answer = label_bare(expected.label);
        return true;
    default: /* the first of the texts between bars */
        assert(expected.label);
        length = *question->expected == '=' ? strlen(expected.label)
                                            : strcspn(expected.label, "|");
        if (*question->expected != '=')
            while (length && expected.label[length - 1] == ' ') length--;
        *answer = arena_copy(arena, expected.label, length);
        return true;
    }
}
