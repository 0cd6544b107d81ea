#include "lesson/value.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/language.h"
#include "lesson/typed_text.h"
#include "text/label.h"

enum { ANSWER, LARGEST, SMALLEST, COUNT, SUM, MEAN, DEVIATION, MIN, MAX, FUNCTIONS };
static const char *const functions[] = {
    "answer", "largest", "smallest", "count", "sum", "mean", "deviation", "min", "max"};

/* Remove the first word and the blanks after it. */
static const char *cut_word(const char **text, Arena *arena) {
    size_t length = strcspn(*text, " \t");
    const char *word = arena_copy(arena, *text, length);
    *text += length;
    *text += strspn(*text, " \t");
    return word;
}

/* The cells of an address, in order. */
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
    if (cells->count <= 0) return fail(error, "%s has no cell", address);
    cells->cell = ARENA_ARRAY(at_hand->arena, int, cells->count);
    int index[RANK_MAX];
    memcpy(index, slice->from, sizeof index);
    for (int c = 0; c < cells->count; c++) {
        cells->cell[c] = tensor_cell(tensor, index);
        slice_next(slice, tensor->rank, index);
    }
    return true;
}

/* Return the cell with the largest or the smallest number; the first if several are
 * equal. */
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

/* "largest key ADDRESS", "largest ADDRESS", "count key ADDRESS": the cell, and its
 * index on the axis. */
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
                     .cell = cell,
                     .axis = &tensor->axis[axis],
                     .row = row};
    return true;
}

Value value_token(const char *label, const AtHand *at_hand) {
    const Entry *entry;
    for (int i = 0; (entry = record_entry(&at_hand->record, i)); i++)
        for (int a = 0; a < entry->tensor->rank; a++) {
            const Axis *axis = &entry->tensor->axis[a];
            for (int t = 0; axis->labels && t < axis->size; t++)
                if (label_is(axis_label(axis, 0, t), label))
                    return (Value){.number = t, .label = label, .axis = axis};
        }
    return (Value){.label = label};
}

bool value_compute(const char *expression, const AtHand *at_hand, Value *value,
                   Error *error) {
    const char *rest = expression;
    const char *word = cut_word(&rest, at_hand->arena);
    int function = 0;
    while (function < FUNCTIONS && strcmp(functions[function], word) != 0) function++;
    *value = (Value){0};
    if (function == ANSWER) {
        *value = (Value){.number = NAN, .label = at_hand->answer};
        return value->label ||
               fail(error, "%s",
                    at_hand->no_answer ? tr(at_hand->no_answer)
                                       : tr("the model has not answered yet"));
    }
    if (function < SUM) return compute_place(function, rest, at_hand, value, error);
    if (function < FUNCTIONS) {
        Cells cells;
        if (!find_cells(rest, at_hand, &cells, error)) return false;
        /* As in layer norm, this is the deviation of a population, not a sample. */
        const double mean = mean_power(&cells, 0, 1);
        value->number =
            function == MIN || function == MAX
                ? (double)cells.tensor->data[extreme(&cells, function == MIN)]
            : function == SUM  ? mean * cells.count
            : function == MEAN ? mean
                               : sqrt(mean_power(&cells, mean, 2));
        return true;
    }
    if (!record_cell(&at_hand->record, expression, at_hand->arena, &value->tensor,
                     &value->cell, error))
        return false;
    value->number = (double)value->tensor->data[value->cell];
    return true;
}

bool value_is_near(double number, double expected, double tolerance) {
    if (isnan(number) || isnan(expected)) return false;
    if (isinf(expected) || isinf(number)) return number == expected;
    if (tolerance < 0 && expected == floor(expected) && fabs(expected) < 1e9)
        tolerance = 1e-9;
    if (tolerance < 0) tolerance = fmax(0.0050001, 0.01 * fabs(expected));
    return fabs(number - expected) <= tolerance + 1e-9;
}

/* A condition, and what its left side is now. */
typedef struct {
    const char *left, *sign, *right;
    Value value; /* the label of an option is its text; its number may be NAN */
    bool is_option;
} Comparison;

/* Split at the first operator outside of brackets, since labels and texts may contain
 * another one after it, and compute the left side. */
static bool read_comparison(const char *condition, const AtHand *at_hand,
                            Comparison *comparison, Error *error) {
    static const char *const signs[] = {" != ", " >= ", " <= ", " > ",
                                        " < ",  " = ",  NULL};
    const char *c = condition;
    size_t length = 0;
    for (int depth = 0; *c; c++) {
        depth += (*c == '[') - (*c == ']');
        length = depth == 0 ? typed_opening(c, signs) : 0;
        if (length) break;
    }
    if (!length) {
        fail(error,
             "'%s' compares nothing; expected >, < or = with a space on both sides",
             condition);
        return false;
    }
    const char *name = arena_copy(at_hand->arena, condition, (size_t)(c - condition));
    *comparison = (Comparison){.left = name, .sign = c + 1, .right = c + length};
    comparison->is_option = strcmp(cut_word(&name, at_hand->arena), "option") == 0;
    if (!comparison->is_option)
        return value_compute(comparison->left, at_hand, &comparison->value, error);
    const Option *option = option_find(config_keys, name);
    if (!option) return fail(error, "a model has no option '%s'", name);
    if (!at_hand->config) return fail(error, "there is no model");
    const char *text = option_print(option, at_hand->config, at_hand->arena);
    char *end;
    double number = strtod(text, &end);
    comparison->value = (Value){.number = *text && !*end ? number : NAN,
                                .label = *text ? text : "none"};
    return true;
}

bool value_holds(const char *condition, const AtHand *at_hand, bool *holds,
                 Error *error) {
    Comparison comparison;
    *holds = false;
    if (!read_comparison(condition, at_hand, &comparison, error)) return false;
    const Value value = comparison.value;
    const char *sign = comparison.sign;
    char *end;
    double expected = strtod(comparison.right, &end);
    bool is_number = end != comparison.right && !isnan(value.number) &&
                     strspn(end, " +-0123456789.e") == strlen(end);
    if (value.label && !is_number) {
        *holds = label_is(value.label, comparison.right) == (*sign != '!');
        return *sign == '=' || *sign == '!' ||
               fail(error,
                    "'%s' compares text, so its sign must be = or !=", condition);
    }
    double tolerance = comparison.is_option ? 0 : -1;
    end += strspn(end, " ");
    if (strncmp(end, "+- ", 3) == 0) tolerance = strtod(end + 3, &end);
    if (*end || end == comparison.right)
        return fail(error,
                    "'%s' is not a number, and not a number with +- and another one",
                    comparison.right);
    bool near = value_is_near(value.number, expected, tolerance);
    bool beyond = *sign == '>' ? value.number > expected : value.number < expected;
    *holds = *sign == '='   ? near
             : *sign == '!' ? !near
                            : beyond || (sign[1] == '=' && near);
    return true;
}

const char *value_explain(const char *condition, const AtHand *at_hand) {
    Arena *arena = at_hand->arena;
    Comparison comparison;
    Error unread;
    if (!read_comparison(condition, at_hand, &comparison, &unread)) return NULL;
    const Value value = comparison.value;
    const char *quote = value.label && !comparison.is_option ? "\"" : "";
    const char *expected = arena_print(arena, "%s%s%s", quote, comparison.right, quote);
    const char *now = value.label
                          ? arena_print(arena, "%s%s%s", quote, value.label, quote)
                          : arena_print(arena, "%.4g", value.number);
    if (strcmp(comparison.left, "answer") == 0)
        return *comparison.sign == '!'
                   ? trf(arena, "Not yet: the model's answer is still %s.", now)
                   : trf(arena, "Not yet: the model's answer is %s; expected %s.", now,
                         expected);
    if (*comparison.sign == '!')
        return trf(arena, "Not yet: %s is still %s.", comparison.left, now);
    return trf(arena,
               *comparison.sign == '<' ? N_("Not yet: %s is %s; expected less than %s.")
               : *comparison.sign == '>'
                   ? N_("Not yet: %s is %s; expected more than %s.")
                   : N_("Not yet: %s is %s; expected %s."),
               comparison.left, now, expected);
}
