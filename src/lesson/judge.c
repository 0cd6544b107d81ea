#include "lesson/judge.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/language.h"
#include "text/label.h"

/* Letters in lower case, without blanks, quotes and the backticks of code. */
static const char *bare_text(const char *text, Arena *arena) {
    char *bare = arena_copy(arena, text, strlen(text));
    char *end = bare;
    for (const char *c = text; *c; c++)
        if (!strchr(" \t\r\n`'\"", *c)) *end++ = (char)tolower((unsigned char)*c);
    *end = '\0';
    return bare;
}

static bool is_same(const char *a, const char *b, Arena *arena) {
    return strcmp(bare_text(a, arena), bare_text(b, arena)) == 0;
}

static Judgement of(bool is_right) {
    return (Judgement){.verdict = is_right ? JUDGED_RIGHT : JUDGED_WRONG};
}

static Judgement no_answer(const char *reply) {
    return (Judgement){JUDGED_NO_ANSWER, reply};
}

/* "2", or the text of a choice. */
static Judgement judge_choice(const Quiz *question, const char *typed, Arena *arena) {
    char *end;
    const char *bare = bare_text(typed, arena);
    long number = strtol(bare, &end, 10);
    if (*end == ')' || *end == '.') end++;
    int chosen = -1; /* a text may itself be a number, or begin with one */
    for (int c = 0; c < question->choices; c++)
        if (is_same(question->choice[c].text, typed, arena)) chosen = c;
    if (chosen < 0 && *bare && !*end && number >= 1 && number <= question->choices)
        chosen = (int)number - 1;
    if (chosen < 0)
        return no_answer(say(arena, "Answer with the number of a choice, 1 to %d.",
                             question->choices));
    const Choosable *choice = &question->choice[chosen];
    return (Judgement){choice->is_right ? JUDGED_RIGHT : JUDGED_WRONG,
                       choice->is_right ? NULL : choice->reply};
}

/* "0.87", "0,87", "87 %", "-inf", "3/4". */
static bool read_number(const char *typed, double *number, Arena *arena) {
    char *bare = arena_copy(arena, bare_text(typed, arena), strlen(typed));
    for (char *c = bare; *c; c++)
        if (*c == ',') *c = '.';
    char *end;
    *number = strtod(bare, &end);
    if (end == bare || isnan(*number)) return false;
    if (*end == '/' && end[1]) {
        char *rest;
        double under = strtod(end + 1, &rest);
        if (under == 0) return false;
        *number /= under;
        end = rest;
    }
    if (*end == '%') {
        *number /= 100;
        end++;
    }
    return *end == '\0';
}

static bool wanted_number(const Quiz *question, const AtHand *at_hand, double *number,
                          Error *error) {
    const char *wanted = question->wanted;
    Value value;
    if (*wanted == '=') {
        if (!value_compute(wanted + 1 + strspn(wanted + 1, " "), at_hand, &value,
                           error))
            return false;
        *number = value.number;
        return true;
    }
    return read_number(wanted, number, at_hand->arena) ||
           fail(error, "'%s' is no number", wanted);
}

static bool judge_number(const Quiz *question, const char *typed, const AtHand *at_hand,
                         Judgement *judgement, Error *error) {
    double number;
    double wanted;
    if (!wanted_number(question, at_hand, &wanted, error)) return false;
    if (!read_number(typed, &number, at_hand->arena))
        *judgement = no_answer(said(N_("Answer with a number, such as 0.25.")));
    else
        *judgement = of(value_is_near(number, wanted, question->tolerance));
    return true;
}

/* What is wanted as text: computed, or as it stands there. */
static bool wanted_text(const Quiz *question, const AtHand *at_hand, const char **text,
                        Error *error) {
    const char *wanted = question->wanted;
    Value value;
    *text = wanted;
    if (*wanted != '=') return true;
    if (!value_compute(wanted + 1 + strspn(wanted + 1, " "), at_hand, &value, error))
        return false;
    *text = value.label;
    return value.label || fail(error, "'%s' is a number, and no text", wanted);
}

/* Any of those between bars. */
static bool is_one_of(const char *texts, const char *typed, Arena *arena) {
    while (*texts) {
        size_t length = strcspn(texts, "|");
        if (is_same(arena_copy(arena, texts, length), typed, arena)) return true;
        texts += length + (texts[length] == '|');
    }
    return false;
}

static bool judge_text(const Quiz *question, const char *typed, const AtHand *at_hand,
                       Judgement *judgement, Error *error) {
    const char *wanted;
    if (!wanted_text(question, at_hand, &wanted, error)) return false;
    bool is_computed = *question->wanted == '=';
    *judgement = of(is_computed ? is_same(wanted, typed, at_hand->arena)
                                : is_one_of(wanted, typed, at_hand->arena));
    return true;
}

static bool judge_token(const Quiz *question, const char *typed, const AtHand *at_hand,
                        Judgement *judgement, Error *error) {
    const char *wanted;
    if (!wanted_text(question, at_hand, &wanted, error)) return false;
    *judgement = of(label_is(wanted, typed) ||
                    is_same(label_bare(wanted), label_bare(typed), at_hand->arena));
    return true;
}

static bool wanted_cell(const Quiz *question, const AtHand *at_hand,
                        const Tensor **tensor, int *cell, Error *error) {
    const char *wanted = question->wanted;
    Value value;
    if (*wanted != '=')
        return record_cell(&at_hand->record, wanted, at_hand->arena, tensor, cell,
                           error);
    if (!value_compute(wanted + 1 + strspn(wanted + 1, " "), at_hand, &value, error))
        return false;
    *tensor = value.tensor;
    *cell = value.cell;
    return value.tensor || fail(error, "'%s' is no cell", wanted);
}

static bool judge_cell(const Quiz *question, const char *typed, const AtHand *at_hand,
                       Judgement *judgement, Error *error) {
    const Tensor *wanted;
    const Tensor *tensor;
    int cell;
    int typed_cell;
    Error unread;
    if (!wanted_cell(question, at_hand, &wanted, &cell, error)) return false;
    if (!record_cell(&at_hand->record, typed, at_hand->arena, &tensor, &typed_cell,
                     &unread))
        *judgement = no_answer(say(at_hand->arena, "That is no cell: %s",
                                   arena_print(at_hand->arena, "%s", unread.message)));
    else
        *judgement = of(tensor == wanted && typed_cell == cell);
    return true;
}

/* All of the conditions must hold. */
static bool judge_state(const Quiz *question, const AtHand *at_hand,
                        Judgement *judgement, Error *error) {
    *judgement = of(true);
    for (int c = 0; c < question->conditions; c++) {
        bool holds;
        if (!value_holds(question->condition[c], at_hand, &holds, error)) return false;
        if (!holds) *judgement = of(false);
    }
    return true;
}

bool judge(const Quiz *question, const char *typed, const AtHand *at_hand,
           Judgement *judgement, Error *error) {
    switch (question->asks) {
    case ASKS_CHOICE:
        *judgement = judge_choice(question, typed, at_hand->arena);
        return true;
    case ASKS_NUMBER:
        return judge_number(question, typed, at_hand, judgement, error);
    case ASKS_TEXT:
        return judge_text(question, typed, at_hand, judgement, error);
    case ASKS_TOKEN:
        return judge_token(question, typed, at_hand, judgement, error);
    case ASKS_CELL:
        return judge_cell(question, typed, at_hand, judgement, error);
    default:
        return judge_state(question, at_hand, judgement, error);
    }
}

static const char *right_choice(const Quiz *question, Arena *arena) {
    int c = 0;
    while (!question->choice[c].is_right) c++;
    return arena_print(arena, "%d", c + 1);
}

/* With as many digits as a person would type. */
static const char *print_number(double number, Arena *arena) {
    if (number == floor(number) && fabs(number) < 1e9)
        return arena_print(arena, "%.0f", number);
    return arena_print(arena, fabs(number) < 1 ? "%.4f" : "%.3f", number);
}

/* The first of those between bars. */
static const char *first_text(const char *texts, Arena *arena) {
    size_t length = strcspn(texts, "|");
    while (length && texts[length - 1] == ' ') length--;
    return arena_copy(arena, texts, length);
}

static bool right_text(const Quiz *question, const AtHand *at_hand, const char **answer,
                       Error *error) {
    const char *text = NULL;
    if (!wanted_text(question, at_hand, &text, error) || !text) return false;
    bool has_others = question->asks == ASKS_TEXT && *question->wanted != '=';
    *answer = has_others                     ? first_text(text, at_hand->arena)
              : question->asks == ASKS_TOKEN ? label_bare(text)
                                             : text;
    return true;
}

bool judge_right_answer(const Quiz *question, const AtHand *at_hand,
                        const char **answer, Error *error) {
    Arena *arena = at_hand->arena;
    double number;
    const Tensor *tensor;
    int cell;
    switch (question->asks) {
    case ASKS_CHOICE:
        *answer = right_choice(question, arena);
        return true;
    case ASKS_NUMBER:
        if (!wanted_number(question, at_hand, &number, error)) return false;
        *answer = print_number(number, arena);
        return true;
    case ASKS_CELL:
        if (!wanted_cell(question, at_hand, &tensor, &cell, error)) return false;
        *answer = address_print(tensor, cell, arena);
        return true;
    case ASKS_STATE:
        *answer = question->command[0];
        return true;
    default:
        return right_text(question, at_hand, answer, error);
    }
}
