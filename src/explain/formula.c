#include "explain/formula.h"

#include <ctype.h>
#include <math.h>
#include <string.h>

#include "base/builder.h"
#include "base/language.h"

/* The paper's names of the weights, by the ends of their addresses. */
static const struct {
    const char *ending, *symbol;
} symbols[] = {
    {"q_proj.weight", "W_Q"},
    {"q_proj.bias", "b_Q"},
    {"k_proj.weight", "W_K"},
    {"k_proj.bias", "b_K"},
    {"v_proj.weight", "W_V"},
    {"v_proj.bias", "b_V"},
    {"out_proj.weight", "W_O"},
    {"out_proj.bias", "b_O"},
    {"fc_gate.weight", "W_gate"},
    {"fc_gate.bias", "b_gate"},
    {"fc1.weight", "W_1"},
    {"fc1.bias", "b_1"},
    {"fc2.weight", "W_2"},
    {"fc2.bias", "b_2"},
    {"head.weight", "W"},
    {"head.bias", "b"},
    {"embed_tokens.weight", N_("table")},
    {"shared.weight", N_("table")},
    {"embed_positions.weight", N_("table")},
    {"weight_ih_l0", "W"},
    {"bias_ih_l0", "b"},
    {"weight_hh_l0", "U"},
    {"bias_hh_l0", "b"},
};

/* Return true if the tensor's address starts with `length` bytes of `place` and a dot.
 */
static bool is_below(const Tensor *tensor, const char *place, size_t length) {
    return length && strncmp(tensor->name, place, length) == 0 &&
           tensor->name[length] == '.';
}

/* Return as much of the address as the step needs: all of it, or the part after the
 * layer or after the box. */
static const char *name_of(const Tensor *tensor, const Tensor *output,
                           const char *place) {
    const char *name = tensor->name;
    for (size_t s = 0; s < sizeof symbols / sizeof *symbols; s++) {
        size_t length = strlen(symbols[s].ending);
        if (strlen(name) >= length &&
            strcmp(name + strlen(name) - length, symbols[s].ending) == 0)
            return tr(symbols[s].symbol);
    }
    size_t layer = strlen(place);
    size_t box = (size_t)(output->short_name - output->name);
    if (layer && box && is_below(tensor, output->name, box - 1))
        return tensor->short_name;
    return is_below(tensor, place, layer) ? tensor->name + layer + 1 : tensor->name;
}

const char *formula_print(const Step *step, const char *place, Arena *arena) {
    const Op *op = step->op;
    const double number = step->setting.number;
    const char *c = tr(op->formula_of ? op->formula_of(step, arena) : op->formula);
    Builder out = {.arena = arena};
    for (; *c; c++) {
        if (*c != '$')
            build(&out, "%c", *c);
        else if (*++c == 'y')
            build_text(&out, name_of(step->output, step->output, place));
        else if (*c == 'c')
            build(&out, "%d", step->setting.count);
        else if (*c == 'n' && isinf(number))
            build_text(&out, number > 0 ? "∞" : "−∞");
        else if (*c == 'n')
            build(&out, "%s%g", number < 0 ? "−" : "", fabs(number));
        else if (isdigit((unsigned char)*c) && *c - '0' < step->inputs)
            build_text(&out, name_of(step->input[*c - '0'], step->output, place));
    }
    char *text = arena_print(arena, "%s", builder_text(&out));
    language_fit(text);
    return text;
}
