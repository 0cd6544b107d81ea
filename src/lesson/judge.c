#include "lesson/judge.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/language.h"
#include "text/label.h"

/* Letters in lower case, without blanks, quotes and the backticks of code, and without
 * what closes a sentence. */
static const char *bare_text(const char *text, Arena *arena) {
    char *bare = arena_copy(arena, text, strlen(text));
    char *end = bare;
    for (const char *c = text; *c; c++)
        if (!strchr(" \t\r\n`'\"", *c)) *end++ = (char)tolower((unsigned char)*c);
    while (end > bare + 1 && strchr(".!?", end[-1])) end--;
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

/* Letters behind a number, "66 tokens", "2번": what it counts. */
static bool is_unit(const char *text) {
    for (const char *c = text; *c; c++)
        if (!isalpha((unsigned char)*c) && (unsigned char)*c < 0x80) return false;
    return true;
}

/* "2", "2)", "(2)", "2번", "②"; 0: it is no number of a choice. */
static int choice_number(const char *typed, Arena *arena) {
    static const char *const circled[] = {"①", "②", "③", "④", "⑤", "⑥", "⑦", "⑧", "⑨"};
    const char *bare = bare_text(typed, arena);
    for (int c = 0; c < CHOICES_MAX; c++)
        if (strcmp(bare, circled[c]) == 0) return c + 1;
    char *end;
    bare += *bare == '(';
    long number = strtol(bare, &end, 10);
    if (end == bare || number < 1 || number > CHOICES_MAX) return 0;
    end += strspn(end, ").");
    return is_unit(end) ? (int)number : 0;
}

/* The number of a choice, or its text, which may be a number itself. */
static Judgement judge_choice(const Quiz *question, const char *typed, Arena *arena) {
    int chosen = choice_number(typed, arena);
    for (int c = 0; c < question->choices; c++)
        if (is_same(question->choice[c].text, typed, arena)) chosen = c + 1;
    if (chosen < 1 || chosen > question->choices)
        return no_answer(
            say(arena, "Answer with the number of a choice, 1 to %d, or with its text.",
                question->choices));
    const Choosable *choice = &question->choice[chosen - 1];
    const char *reply = NULL;
    if (!choice->is_right && choice->reply)
        reply = arena_print(arena, "%d) %s -- %s", chosen, choice->text, choice->reply);
    return (Judgement){choice->is_right ? JUDGED_RIGHT : JUDGED_WRONG, reply};
}

/* "0.87", "0,87", "87 %", "-inf", "3/4", "66 tokens". */
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
    return is_unit(end);
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
        *judgement = no_answer(said(N_("Answer with a number.")));
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

static const char *without_hyphens(const char *text, Arena *arena) {
    char *plain = arena_copy(arena, text, strlen(text));
    char *end = plain;
    for (const char *c = text; *c; c++)
        if (*c != '-') *end++ = *c;
    *end = '\0';
    return plain;
}

/* Any of those between bars. */
static bool is_one_of(const char *texts, const char *typed, Arena *arena) {
    while (*texts) {
        size_t length = strcspn(texts, "|");
        const char *text = arena_copy(arena, texts, length);
        if (is_same(text, typed, arena) ||
            is_same(without_hyphens(text, arena), without_hyphens(typed, arena), arena))
            return true;
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
