#include "lesson/judge.h"

#include <assert.h>
#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/language.h"
#include "lesson/typed_number.h"
#include "text/label.h"

typedef struct {
    double number;        /* the cell, the sum, the index along the axis */
    const char *label;    /* what is there, or the answer; NULL: only a number */
    const Tensor *tensor; /* of a cell, or NULL */
    int cell;             /* the one that was found */
} Value;

enum { ANSWER, LARGEST, SMALLEST, COUNT, SUM, MEAN, DEVIATION, MIN, MAX, FUNCTIONS };
static const char *const functions[] = {
    "answer", "largest", "smallest", "count", "sum", "mean", "deviation", "min", "max"};

/* Cut the first word off, and the blanks behind it. */
static const char *cut_word(const char **text, Arena *arena) {
    size_t length = strcspn(*text, " \t");
    const char *word = arena_copy(arena, *text, length);
    *text += length;
    *text += strspn(*text, " \t");
    return word;
}

/* The cells that an address names, in their order. */
typedef struct {
    Slice slice;
    const Tensor *tensor;
    int *cell;
    int count;
} Cells;

static bool find_cells(const char *address, const AtHand *at_hand, Cells *cells,
                       Error *error) {
    Slice *slice = &cells->slice;
    if (!record_slice(&at_hand->record, address, at_hand->arena, slice, error))
        return false;
    const Tensor *tensor = cells->tensor = slice->tensor;
    cells->count = slice_size(slice);
    if (cells->count <= 0) return fail(error, "%s holds no cell", address);
    cells->cell = ARENA_ARRAY(at_hand->arena, int, cells->count);
    int index[RANK_MAX];
    memcpy(index, slice->from, sizeof index);
    for (int c = 0; c < cells->count; c++) {
        for (int a = 0; a < tensor->rank; a++)
            cells->cell[c] = cells->cell[c] * tensor->axis[a].size + index[a];
        for (int a = tensor->rank - 1; a >= 0 && ++index[a] == slice->to[a]; a--)
            index[a] = slice->from[a];
    }
    return true;
}

/* The cell whose number is largest, or smallest; the first of equals. */
static int extreme(const Cells *cells, bool smallest) {
    const Number *data = cells->tensor->data;
    int best = cells->cell[0];
    for (int c = 1; c < cells->count; c++) {
        int cell = cells->cell[c];
        if (smallest ? data[cell] < data[best] : data[cell] > data[best]) best = cell;
    }
    return best;
}

/* The mean of (number - center)^power. */
static double mean_power(const Cells *cells, double center, int power) {
    double sum = 0;
    for (int c = 0; c < cells->count; c++)
        sum += pow((double)cells->tensor->data[cells->cell[c]] - center, power);
    return sum / cells->count;
}

/* The deviation is that of the numbers as they are, not of a sample: as layer norm
 * takes it. */
static double run_function(int function, const Cells *cells) {
    const Number *data = cells->tensor->data;
    if (function == MIN || function == MAX)
        return (double)data[extreme(cells, function == MIN)];
    double mean = mean_power(cells, 0, 1);
    if (function == SUM) return mean * cells->count;
    return function == MEAN ? mean : sqrt(mean_power(cells, mean, 2));
}

/* "largest key ADDRESS", "largest ADDRESS", "count key ADDRESS": the cell, and what
 * is there along the axis. */
static bool compute_place(int function, const char *rest, const AtHand *at_hand,
                          Value *value, Error *error) {
    Arena *arena = at_hand->arena;
    const char *address = rest;
    const char *name = cut_word(&address, arena);
    bool has_axis = *address && !strpbrk(name, ".[");
    Cells cells;
    if (!find_cells(has_axis ? address : rest, at_hand, &cells, error)) return false;
    const Tensor *tensor = cells.tensor;
    int axis = has_axis ? tensor_axis(tensor, name) : tensor->rank - 1;
    if (axis < 0) return fail(error, "%s has no axis '%s'", tensor->name, name);
    if (function == COUNT) {
        value->number = cells.slice.to[axis] - cells.slice.from[axis];
        return true;
    }
    int cell = extreme(&cells, function == SMALLEST);
    int batch = tensor_axis(tensor, "batch");
    int row = batch >= 0 ? tensor_index(tensor, batch, cell) : 0;
    int index = tensor_index(tensor, axis, cell);
    *value = (Value){.number = index,
                     .label = address_label(&tensor->axis[axis], row, index, arena),
                     .tensor = tensor,
                     .cell = cell};
    return true;
}

/* `expression` without its "=". */
static bool compute(const char *expression, const AtHand *at_hand, Value *value,
                    Error *error) {
    const char *rest = expression;
    const char *word = cut_word(&rest, at_hand->arena);
    int function = 0;
    while (function < FUNCTIONS && strcmp(functions[function], word) != 0) function++;
    *value = (Value){0};
    if (function == ANSWER) {
        value->label = at_hand->answer;
        return value->label ||
               fail(error, "%s",
                    at_hand->no_answer ? tr(at_hand->no_answer)
                                       : tr("the model has not answered anything yet"));
    }
    if (function < SUM) return compute_place(function, rest, at_hand, value, error);
    if (function < FUNCTIONS) {
        Cells cells;
        if (!find_cells(rest, at_hand, &cells, error)) return false;
        value->number = run_function(function, &cells);
        return true;
    }
    if (!record_cell(&at_hand->record, expression, at_hand->arena, &value->tensor,
                     &value->cell, error))
        return false;
    value->number = (double)value->tensor->data[value->cell];
    return true;
}

/* Is `number` as good as `wanted`? A whole number must be hit; of another one the third
 * digit may be wrong. A tolerance that is not negative counts instead. */
static bool is_near(double number, double wanted, double tolerance) {
    if (isnan(number) || isnan(wanted)) return false;
    if (isinf(wanted) || isinf(number)) return number == wanted;
    if (tolerance < 0 && wanted == floor(wanted) && fabs(wanted) < 1e9)
        tolerance = 1e-9;
    if (tolerance < 0) tolerance = fmax(0.0050001, 0.01 * fabs(wanted));
    return fabs(number - wanted) <= tolerance + 1e-9;
}

/* The text of a condition behind its sign. */
typedef struct {
    const char *left, *sign, *right;
} Comparison;

/* At the first sign outside of brackets; labels and texts may hold one behind it. */
static bool cut_comparison(const char *condition, Comparison *comparison,
                           Arena *arena) {
    static const char *const signs[] = {" != ", " >= ", " <= ", " > ", " < ", " = "};
    for (size_t s = 0; s < sizeof signs / sizeof *signs; s++) {
        int depth = 0;
        size_t length = strlen(signs[s]);
        for (const char *c = condition; *c; c++) {
            depth += (*c == '[') - (*c == ']');
            if (depth != 0 || strncmp(c, signs[s], length) != 0) continue;
            *comparison =
                (Comparison){arena_copy(arena, condition, (size_t)(c - condition)),
                             signs[s], c + length};
            return true;
        }
    }
    return false;
}

static bool holds_number(const Value *value, const Comparison *comparison, bool *holds,
                         Error *error) {
    static const char mark[] = "+- ";
    char *end;
    double wanted = strtod(comparison->right, &end);
    double tolerance = -1;
    end += strspn(end, " ");
    if (strncmp(end, mark, strlen(mark)) == 0)
        tolerance = strtod(end + strlen(mark), &end);
    if (*end || end == comparison->right)
        return fail(error, "'%s' is no number, nor one with +- and another behind it",
                    comparison->right);
    bool near = is_near(value->number, wanted, tolerance);
    const char *sign = comparison->sign + 1;
    *holds = *sign == '='   ? near
             : *sign == '!' ? !near
             : *sign == '>' ? value->number > wanted
                            : value->number < wanted;
    if (sign[1] == '=' && *sign != '!') *holds = *holds || near;
    return true;
}

/* Fails where that cannot be said. */
static bool holds(const char *condition, const AtHand *at_hand, bool *holds,
                  Error *error) {
    Comparison comparison;
    Value value = {0};
    *holds = false;
    if (!cut_comparison(condition, &comparison, at_hand->arena))
        return fail(error,
                    "'%s' compares nothing: >, < or = with a blank on both sides "
                    "is expected",
                    condition);
    const char *rest = comparison.left;
    const char *text = NULL; /* what is compared as text */
    if (strcmp(cut_word(&rest, at_hand->arena), "option") == 0) {
        const Option *option = option_find(config_keys, rest);
        if (!option) return fail(error, "a model has no option '%s'", rest);
        if (!at_hand->config) return fail(error, "there is no model");
        text = option_print(option, at_hand->config, at_hand->arena);
        if (!*text) text = "none";
    } else {
        if (!compute(comparison.left, at_hand, &value, error)) return false;
        char *end;
        strtod(comparison.right, &end);
        bool is_number =
            end != comparison.right && strspn(end, " +-0123456789.e") == strlen(end);
        if (!is_number || strcmp(comparison.left, "answer") == 0) text = value.label;
    }
    if (!text) return holds_number(&value, &comparison, holds, error);
    *holds = label_is(text, comparison.right) == (comparison.sign[1] != '!');
    return true;
}

/* Letters in lower case, without blanks, quotes and the backticks of code, without
 * other letters of `left_out`, without what closes a sentence, and without the 0x of
 * hexadecimal digits. */
static const char *bare_text(const char *text, const char *left_out, Arena *arena) {
    char *bare = arena_copy(arena, text, strlen(text));
    char *end = bare;
    for (const char *c = text; *c; c++) {
        bool is_prefix =
            *c == '0' && (c[1] == 'x' || c[1] == 'X') && isxdigit((unsigned char)c[2]);
        if (is_prefix)
            c++;
        else if (strncmp(c, "\u2212", 3) == 0) {
            *end++ = '-'; /* the sign of mathematics */
            c += 2;
        } else if (!strchr(" \t\r\n`'\"", *c) && !strchr(left_out, *c))
            *end++ = (char)tolower((unsigned char)*c);
    }
    while (end > bare + 1 && strchr(".!?", end[-1])) end--;
    *end = '\0';
    return bare;
}

static bool is_same(const char *a, const char *b, const char *left_out, Arena *arena) {
    return strcmp(bare_text(a, left_out, arena), bare_text(b, left_out, arena)) == 0;
}

/* "b", "b)", "(b)", "B", "2번", "②"; a digit only where no choice is a number. -1: it
 * is none.
 */
static int choice_typed(const Quiz *question, const char *typed, Arena *arena) {
    static const char *const circled[] = {"①", "②", "③", "④", "⑤", "⑥", "⑦", "⑧", "⑨"};
    const char *bare = bare_text(typed, "", arena);
    bool takes_digits = true;
    TypedNumber number;
    for (int c = 0; c < question->choices; c++)
        if (typed_number_read(question->choice[c].text, &number, arena) ||
            isdigit((unsigned char)question->choice[c].text[0]))
            takes_digits = false;
    for (int c = 0; c < CHOICES_MAX; c++)
        if (strcmp(bare, circled[c]) == 0) return c;
    bare += *bare == '(';
    if (!*bare) return -1;
    const char *rest = bare + 1 + strspn(bare + 1, ").");
    if (*rest && strcmp(rest, "번") != 0) return -1;
    if (*bare >= 'a' && *bare < 'a' + CHOICES_MAX) return *bare - 'a';
    return takes_digits && *bare >= '1' && *bare <= '9' ? *bare - '1' : -1;
}

/* Does the text begin with the words that were typed, and end there or go on with
 * another word? */
static bool begins_with_words(const char *text, const char *typed) {
    size_t length = strlen(typed);
    unsigned char behind = (unsigned char)text[length < strlen(text) ? length : 0];
    return length > 1 && strncasecmp(text, typed, length) == 0 &&
           (!text[length] || (behind < 0x80 && !isalnum(behind)));
}

/* The same of longer texts, whatever stands between the words. */
static bool begins_alike(const char *text, const char *typed, Arena *arena) {
    enum { LEAST = 8 };
    static const char marks[] = ",.:;()-";
    const char *bare = bare_text(typed, marks, arena);
    return strlen(bare) >= LEAST &&
           strncmp(bare_text(text, marks, arena), bare, strlen(bare)) == 0;
}

/* The one choice that begins with the words or the number that were typed; -1: none
 * does, or several. "3번" may mean the third. */
static int choice_begun(const Quiz *question, const char *typed, Arena *arena) {
    int found = -1;
    TypedNumber number;
    TypedNumber first;
    bool is_number = typed_number_read(typed, &number, arena) && !strstr(typed, "번");
    size_t length = strlen(typed);
    while (length && strchr(".!? ", typed[length - 1])) length--;
    typed = arena_copy(arena, typed, length);
    for (int c = 0; c < question->choices; c++) {
        const char *text = question->choice[c].text;
        size_t digits = strspn(text, "-0123456789.,");
        while (digits && strchr(".,", text[digits - 1])) digits--;
        bool is_same_number =
            is_number && digits &&
            typed_number_read(arena_copy(arena, text, digits), &first, arena) &&
            fabs(first.number[0] - number.number[0]) < 1e-9;
        if (!is_same_number && !begins_with_words(text, typed) &&
            !begins_alike(text, typed, arena))
            continue;
        if (found >= 0) return -1;
        found = c;
    }
    return found;
}

/* The letter of a choice, or its text. */
static Judgement judge_choice(const Quiz *question, const char *typed, Arena *arena) {
    static const char *const openings[] = {"answer", "choice", "보기", "답"};
    for (size_t o = 0; o < sizeof openings / sizeof *openings; o++)
        if (strncasecmp(typed, openings[o], strlen(openings[o])) == 0 &&
            typed[strlen(openings[o])] == ' ')
            typed += strlen(openings[o]) + 1;
    int chosen = choice_typed(question, typed, arena);
    if (chosen < 0) chosen = choice_begun(question, typed, arena);
    for (int c = 0; c < question->choices; c++)
        if (is_same(question->choice[c].text, typed, "", arena)) chosen = c;
    if (chosen < 0 || chosen >= question->choices)
        return (Judgement){
            JUDGED_NO_ANSWER,
            trf(arena, "Answer with the letter of a choice, a to %c, or with its text.",
                'a' + question->choices - 1)};
    const Choosable *choice = &question->choice[chosen];
    const char *reply = NULL;
    if (!choice->is_right && choice->reply)
        reply = arena_print(arena, "%c) %s -- %s", 'a' + chosen, choice->text,
                            choice->reply);
    return (Judgement){choice->is_right ? JUDGED_RIGHT : JUDGED_WRONG, reply};
}

/* Any of those between bars. */
static bool is_one_of(const char *texts, const char *typed, Arena *arena) {
    while (*texts) {
        size_t length = strcspn(texts, "|");
        const char *text = arena_copy(arena, texts, length);
        if (is_same(text, typed, "", arena) || is_same(text, typed, "-:<>", arena))
            return true;
        texts += length + (texts[length] == '|');
    }
    return false;
}

/* What is wanted: a number, a text or a cell, computed where it begins with "=". */
static bool find_wanted(const Quiz *question, const AtHand *at_hand, Value *value,
                        Error *error) {
    const char *wanted = question->wanted;
    bool is_cell = question->asks == ASKS_CELL;
    bool is_number = question->asks == ASKS_NUMBER;
    *value = (Value){0};
    if (*wanted == '=') {
        if (!compute(wanted + 1 + strspn(wanted + 1, " "), at_hand, value, error))
            return false;
        if (is_cell && !value->tensor) return fail(error, "'%s' is no cell", wanted);
        if (!is_cell && !is_number && !value->label)
            return fail(error, "'%s' is a number, and no text", wanted);
        return true;
    }
    if (is_cell)
        return record_cell(&at_hand->record, wanted, at_hand->arena, &value->tensor,
                           &value->cell, error);
    if (is_number) {
        TypedNumber read;
        if (!typed_number_read(wanted, &read, at_hand->arena))
            return fail(error, "'%s' is no number", wanted);
        value->number = read.number[0];
        return true;
    }
    value->label = wanted;
    return true;
}

/* Does one of the numbers that were typed come near? */
static bool one_is_near(const TypedNumber *typed, double factor, double wanted,
                        double tolerance) {
    for (int n = 0; n < typed->count; n++)
        if (is_near(typed->number[n] * factor, wanted, tolerance)) return true;
    return false;
}

/* Is the typed number the wanted one, rounded or cut off behind the digits it has? */
static bool is_cut_short(const char *typed, double number, double wanted) {
    const char *point = strpbrk(typed, ".,");
    size_t digits = point ? strspn(point + 1, "0123456789") : 0;
    if (digits == 0 || wanted == floor(wanted)) return false;
    double unit = pow(10, -(double)digits);
    return fabs(number - round(wanted / unit) * unit) < unit / 100 ||
           fabs(number - trunc(wanted / unit) * unit) < unit / 100;
}

/* What is said to a number that is not the wanted one: that of the line "wrong:" which
 * it comes near, else of a slip that is seen from the number alone. NULL: nothing. */
static const char *explain_number(const Quiz *question, const char *text,
                                  const TypedNumber *typed, double wanted,
                                  const AtHand *at_hand) {
    for (int c = 0; c < question->choices; c++) {
        Value value;
        Error unread;
        Quiz miss = {.asks = ASKS_NUMBER, .wanted = question->choice[c].text};
        if (find_wanted(&miss, at_hand, &value, &unread) &&
            one_is_near(typed, 1, value.number, question->tolerance))
            return question->choice[c].reply;
    }
    if (is_cut_short(text, typed->number[0], wanted))
        return tr(N_("That is right as far as it goes. Give one more digit."));
    if (wanted != 0 && one_is_near(typed, -1, wanted, question->tolerance))
        return tr(N_("The sign is wrong."));
    if (fabs(wanted) <= 1 && wanted != 0 &&
        one_is_near(typed, 0.01, wanted, question->tolerance))
        return tr(N_("It is a hundred times too large: write a percentage with %, or "
                     "the share."));
    return NULL;
}

/* What is left of a token's name without what people write around it: "token 우산",
 * "[key=·우산]", "우산 토큰". */
static const char *token_typed(const char *typed, Arena *arena) {
    static const char *const words[] = {
        "token", "토큰", "key=", "query=", "source=", "target="};
    char *text = arena_copy(arena, typed, strlen(typed));
    for (size_t w = 0; w < sizeof words / sizeof *words; w++) {
        size_t more = strlen(words[w]);
        text += strspn(text, " [\"'");
        size_t length = strlen(text);
        while (length > 1 && strchr(" ]\"'", text[length - 1])) text[--length] = '\0';
        if (length <= more) continue;
        if (strncmp(text, words[w], more) == 0)
            text += more;
        else if (strcmp(text + length - more, words[w]) == 0)
            text[length - more] = '\0';
    }
    text += strspn(text, " ");
    return text;
}

/* Is the sign of the number said in words: "0.099 less", "it falls by 0.099"? */
static bool says_less(const char *typed) {
    static const char *const words[] = {"less", "fall", "lower", "줄", "감소", "작아"};
    for (size_t w = 0; w < sizeof words / sizeof *words; w++)
        if (strstr(typed, words[w])) return true;
    return false;
}

/* Is the answer the one that is wanted? Otherwise `reply` may say why not, and
 * `no_answer` is set where it is none at all. */
static bool is_wanted(const Quiz *question, const char *typed, const Value *wanted,
                      const AtHand *at_hand, const char **reply, bool *no_answer) {
    Arena *arena = at_hand->arena;
    TypedNumber number;
    const Tensor *tensor;
    int cell;
    Error unread;
    switch (question->asks) {
    case ASKS_NUMBER:
        if (typed_number_in_words(typed, &number, arena)) {
            if (one_is_near(&number, 1, wanted->number, question->tolerance) ||
                (says_less(typed) &&
                 one_is_near(&number, -1, wanted->number, question->tolerance)))
                return true;
            *reply = explain_number(question, typed, &number, wanted->number, at_hand);
            return false;
        }
        *reply = tr(N_("Answer with a number."));
        *no_answer = true;
        return false;
    case ASKS_CELL: /* a bracket alone is one of the same tensor */
        if (*typed == '[')
            typed = arena_print(arena, "%s%s", wanted->tensor->name, typed);
        if (record_cell(&at_hand->record, typed, arena, &tensor, &cell, &unread))
            return tensor == wanted->tensor && cell == wanted->cell;
        *reply =
            trf(arena, "That is no cell: %s", arena_print(arena, "%s", unread.message));
        *no_answer = true;
        return false;
    case ASKS_TOKEN: /* by its index, too */
        typed = token_typed(typed, arena);
        if (label_is(wanted->label, typed) ||
            is_same(label_bare(wanted->label), label_bare(typed), "", arena))
            return true;
        return wanted->tensor && typed_number_read(typed, &number, arena) &&
               number.number[0] == wanted->number;
    default:
        return *question->wanted == '=' ? is_same(wanted->label, typed, "", arena)
                                        : is_one_of(wanted->label, typed, arena);
    }
}

/* "now 1.0, wanted below 0.1": what a condition compares, where it does not hold. */
static const char *explain_condition(const char *condition, const AtHand *at_hand) {
    Arena *arena = at_hand->arena;
    Comparison comparison;
    Value value;
    Error unread;
    if (!cut_comparison(condition, &comparison, arena)) return NULL;
    const char *rest = comparison.left;
    const char *wanted = comparison.right;
    const char *now;
    if (strcmp(cut_word(&rest, arena), "option") == 0) {
        now = option_print(option_find(config_keys, rest), at_hand->config, arena);
    } else {
        if (!compute(comparison.left, at_hand, &value, &unread)) return NULL;
        now = value.label ? arena_print(arena, "\"%s\"", value.label)
                          : arena_print(arena, "%.4g", value.number);
        if (value.label) wanted = arena_print(arena, "\"%s\"", wanted);
    }
    if (strcmp(comparison.left, "answer") == 0)
        return comparison.sign[1] == '!'
                   ? trf(arena, "Not yet: the model still says %s.", now)
                   : trf(arena, "Not yet: the model says %s; wanted is %s.", now,
                         wanted);
    switch (comparison.sign[1]) {
    case '<':
        return trf(arena, "Not yet: %s is %s, wanted is less than %s.", comparison.left,
                   now, wanted);
    case '>':
        return trf(arena, "Not yet: %s is %s, wanted is more than %s.", comparison.left,
                   now, wanted);
    case '!':
        return trf(arena, "Not yet: %s is still %s.", comparison.left, now);
    default:
        return trf(arena, "Not yet: %s is %s, wanted is %s.", comparison.left, now,
                   wanted);
    }
}

bool judge(const Quiz *question, const char *typed, const AtHand *at_hand,
           Judgement *judgement, Error *error) {
    bool is_right = true;
    bool no_answer = false;
    const char *reply = NULL;
    if (question->asks == ASKS_CHOICE) {
        *judgement = judge_choice(question, typed, at_hand->arena);
        return true;
    }
    if (question->asks == ASKS_STATE) {
        for (int c = 0; c < question->conditions; c++) {
            bool is_true;
            if (!holds(question->condition[c], at_hand, &is_true, error)) return false;
            if (!is_true && is_right)
                reply = explain_condition(question->condition[c], at_hand);
            is_right = is_right && is_true;
        }
    } else {
        Value wanted;
        if (!find_wanted(question, at_hand, &wanted, error)) return false;
        is_right = is_wanted(question, typed, &wanted, at_hand, &reply, &no_answer);
    }
    *judgement = (Judgement){is_right    ? JUDGED_RIGHT
                             : no_answer ? JUDGED_NO_ANSWER
                                         : JUDGED_WRONG,
                             reply};
    return true;
}

bool judge_right_answer(const Quiz *question, const AtHand *at_hand,
                        const char **answer, Error *error) {
    Arena *arena = at_hand->arena;
    Value wanted;
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
    if (!find_wanted(question, at_hand, &wanted, error)) return false;
    double number = wanted.number;
    switch (question->asks) {
    case ASKS_NUMBER: /* with as many digits as a person would type */
        if (*question->wanted != '=')
            *answer = question->wanted;
        else if (number == floor(number) && fabs(number) < 1e9)
            *answer = arena_print(arena, "%.0f", number);
        else
            *answer = arena_print(arena, fabs(number) < 1 ? "%.4f" : "%.3f", number);
        return true;
    case ASKS_CELL:
        *answer = address_print(wanted.tensor, wanted.cell, arena);
        return true;
    case ASKS_TOKEN:
        *answer = label_bare(wanted.label);
        return true;
    default: /* the first of those between bars */
        assert(wanted.label);
        length = *question->wanted == '=' ? strlen(wanted.label)
                                          : strcspn(wanted.label, "|");
        if (*question->wanted != '=')
            while (length && wanted.label[length - 1] == ' ') length--;
        *answer = arena_copy(arena, wanted.label, length);
        return true;
    }
}
