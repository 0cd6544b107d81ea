#include "lesson/value.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/language.h"
#include "text/label.h"

/* Cut the first word off, and the blanks behind it. */
static const char *cut_word(const char **text, Arena *arena) {
    size_t length = strcspn(*text, " \t");
    const char *word = arena_copy(arena, *text, length);
    *text += length;
    *text += strspn(*text, " \t");
    return word;
}

/* The cells of a slice, in their order; -1 behind the last. */
static int next_cell(const Slice *slice, int *index) {
    const Tensor *tensor = slice->tensor;
    int cell = 0;
    if (index[0] < 0) {
        memcpy(index, slice->from, sizeof slice->from);
    } else {
        int a = tensor->rank - 1;
        while (a >= 0 && ++index[a] == slice->to[a]) {
            index[a] = slice->from[a];
            a--;
        }
        if (a < 0) return -1;
    }
    for (int a = 0; a < tensor->rank; a++)
        cell = cell * tensor->axis[a].size + index[a];
    return cell;
}

/* The cell whose number is largest, or with `sign` -1 smallest; the first of equals. */
static int extreme(const Slice *slice, int sign) {
    int index[RANK_MAX] = {-1};
    const Number *data = slice->tensor->data;
    int best = -1;
    for (int cell; (cell = next_cell(slice, index)) >= 0;)
        if (best < 0 || (sign > 0 ? data[cell] > data[best] : data[cell] < data[best]))
            best = cell;
    return best;
}

static double mean_power(const Slice *slice, double center, int power) {
    int index[RANK_MAX] = {-1};
    double sum = 0;
    int count = 0;
    for (int cell; (cell = next_cell(slice, index)) >= 0; count++)
        sum += pow((double)slice->tensor->data[cell] - center, power);
    return count ? sum / count : 0;
}

static double slice_mean(const Slice *slice) {
    return mean_power(slice, 0, 1);
}

static double slice_sum(const Slice *slice) {
    return slice_mean(slice) * slice_size(slice);
}

/* Of the numbers as they are, not of a sample: as layer norm takes it. */
static double slice_deviation(const Slice *slice) {
    return sqrt(mean_power(slice, slice_mean(slice), 2));
}

static double slice_min(const Slice *slice) {
    return (double)slice->tensor->data[extreme(slice, -1)];
}

static double slice_max(const Slice *slice) {
    return (double)slice->tensor->data[extreme(slice, 1)];
}

static const struct {
    const char *name;
    double (*of)(const Slice *slice);
} functions[] = {
    {"sum", slice_sum}, {"mean", slice_mean}, {"deviation", slice_deviation},
    {"min", slice_min}, {"max", slice_max},
};

static bool find_slice(const char *address, const AtHand *at_hand, Slice *slice,
                       Error *error) {
    if (!record_slice(&at_hand->record, address, at_hand->arena, slice, error))
        return false;
    return slice_size(slice) > 0 || fail(error, "%s holds no cell", address);
}

/* The cell of a tensor, and what stands there along the axis. */
static void place(const Slice *slice, int axis, int cell, const AtHand *at_hand,
                  Value *value) {
    const Tensor *tensor = slice->tensor;
    int batch = tensor_axis(tensor, "batch");
    int row = batch >= 0 ? tensor_index(tensor, batch, cell) : 0;
    int index = tensor_index(tensor, axis, cell);
    *value =
        (Value){.number = index,
                .label = address_label(&tensor->axis[axis], row, index, at_hand->arena),
                .tensor = tensor,
                .cell = cell};
}

/* "largest key ADDRESS", "largest ADDRESS", "count key ADDRESS". */
static bool compute_place(const char *what, const char *rest, const AtHand *at_hand,
                          Value *value, Error *error) {
    bool counts = strcmp(what, "count") == 0;
    int sign = strcmp(what, "smallest") == 0 ? -1 : 1;
    const char *address = rest;
    const char *name = cut_word(&address, at_hand->arena);
    Slice slice;
    bool has_axis = *address && !strpbrk(name, ".[");
    if (!find_slice(has_axis ? address : rest, at_hand, &slice, error)) return false;
    int axis = has_axis ? tensor_axis(slice.tensor, name) : slice.tensor->rank - 1;
    if (axis < 0) return fail(error, "%s has no axis '%s'", slice.tensor->name, name);
    place(&slice, axis, extreme(&slice, sign), at_hand, value);
    if (counts) *value = (Value){.number = slice.to[axis] - slice.from[axis]};
    return true;
}

static bool compute_answer(const AtHand *at_hand, Value *value, Error *error) {
    *value = (Value){.label = at_hand->answer};
    return at_hand->answer || fail(error, "the model has not answered anything yet");
}

bool value_compute(const char *expression, const AtHand *at_hand, Value *value,
                   Error *error) {
    const char *rest = expression;
    const char *word = cut_word(&rest, at_hand->arena);
    if (strcmp(word, "answer") == 0) return compute_answer(at_hand, value, error);
    if (strcmp(word, "largest") == 0 || strcmp(word, "smallest") == 0 ||
        strcmp(word, "count") == 0)
        return compute_place(word, rest, at_hand, value, error);
    for (size_t f = 0; f < sizeof functions / sizeof *functions; f++) {
        Slice slice;
        if (strcmp(functions[f].name, word) != 0) continue;
        if (!find_slice(rest, at_hand, &slice, error)) return false;
        *value = (Value){.number = functions[f].of(&slice)};
        return true;
    }
    *value = (Value){0};
    if (!record_cell(&at_hand->record, expression, at_hand->arena, &value->tensor,
                     &value->cell, error))
        return false;
    value->number = (double)value->tensor->data[value->cell];
    return true;
}

bool value_is_near(double number, double wanted, double tolerance) {
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

/* The last sign that stands between blanks: labels and texts may hold one. */
static bool cut_comparison(const char *condition, Comparison *comparison,
                           Arena *arena) {
    static const char *const signs[] = {" != ", " >= ", " <= ", " > ", " < ", " = "};
    const char *found = NULL;
    for (size_t s = 0; s < sizeof signs / sizeof *signs; s++) {
        int depth = 0;
        for (const char *c = condition; *c && !found; c++) {
            depth += (*c == '[') - (*c == ']');
            if (depth == 0 && strncmp(c, signs[s], strlen(signs[s])) == 0) found = c;
        }
        if (!found) continue;
        *comparison =
            (Comparison){arena_copy(arena, condition, (size_t)(found - condition)),
                         signs[s], found + strlen(signs[s])};
        return true;
    }
    return false;
}

static bool compare_texts(const char *label, const Comparison *comparison,
                          bool *holds) {
    bool same = label_is(label, comparison->right);
    *holds = comparison->sign[1] == '!' ? !same : same;
    return true;
}

static bool holds_option(const char *name, const Comparison *comparison,
                         const AtHand *at_hand, bool *holds, Error *error) {
    const Option *option = option_find(config_keys, name);
    if (!option) return fail(error, "a model has no option '%s'", name);
    if (!at_hand->config) return fail(error, "there is no model");
    const char *value = option_print(option, at_hand->config, at_hand->arena);
    return compare_texts(*value ? value : "none", comparison, holds);
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
    bool near = value_is_near(value->number, wanted, tolerance);
    const char *sign = comparison->sign + 1;
    *holds = *sign == '='   ? near
             : *sign == '!' ? !near
             : *sign == '>' ? value->number > wanted
                            : value->number < wanted;
    if (sign[1] == '=' && *sign != '!') *holds = *holds || near;
    return true;
}

bool value_holds(const char *condition, const AtHand *at_hand, bool *holds,
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
    if (strcmp(cut_word(&rest, at_hand->arena), "option") == 0)
        return holds_option(rest, &comparison, at_hand, holds, error);
    if (!value_compute(comparison.left, at_hand, &value, error)) return false;
    char *end;
    strtod(comparison.right, &end);
    bool is_number =
        end != comparison.right && strspn(end, " +-0123456789.e") == strlen(end);
    if (value.label && (!is_number || strcmp(comparison.left, "answer") == 0))
        return compare_texts(value.label, &comparison, holds);
    return holds_number(&value, &comparison, holds, error);
}
