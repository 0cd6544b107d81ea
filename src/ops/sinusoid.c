#include <math.h>

#include "base/language.h"
#include "ops/ops.h"
#include "ops/term.h"

static bool shape(const Step *step, int *rank, Axis *axis, Error *error) {
    int width = step->setting.count;
    if (width < 0 || width % 2 != 0)
        return fail(error,
                    "sinusoid: d_model must be even, since a sine and a cosine "
                    "share each frequency, but it is %d",
                    width);
    *rank = 2;
    axis[0] = step->input[0]->axis[0];
    axis[1] = (Axis){.name = "d_model", .size = width};
    return true;
}

/* The cell is sin or cos of position / 10000^(exponent / d_model). */
typedef struct {
    int position, exponent, width;
    bool is_cosine;
} Wave;

static double wavelength(int exponent, int width) {
    return pow(10000, (double)exponent / width);
}

/* pe_2i = sin(p / 10000^(2i / d_model)), pe_2i+1 = cos(the same), p the position.
 * Column by column, since a column has one wavelength and pow() is slow. */
static void forward(Step *step, Arena *arena) {
    (void)arena;
    const Tensor *position = step->input[0];
    int rows = tensor_size(position);
    int width = step->setting.count;
    for (int i = 0; i < width; i += 2) {
        double length = wavelength(i, width);
        for (int row = 0; row < rows; row++) {
            double angle = (double)position->data[row] / length;
            Number *pair = step->output->data + row * width + i;
            pair[0] = (Number)sin(angle);
            pair[1] = (Number)cos(angle);
        }
    }
}

/* It has no learned inputs. */
static void backward(const Step *step, Arena *scratch) {
    (void)step;
    (void)scratch;
}

static void explain(const Step *step, int cell, Arena *arena,
                    Explanation *explanation) {
    int width = tensor_row(step->output);
    int i = cell % width;
    const Wave w = {(int)step->input[0]->data[cell / width], i - i % 2, width,
                    i % 2 == 1};
    const char *text =
        arena_print(arena, "%s(%d / 10000^(%d/%d))", w.is_cosine ? "cos" : "sin",
                    w.position, w.exponent, w.width);
    const char *formula =
        w.is_cosine ? N_("cos(position / 10000^(2i/d_model)) in the odd column 2i + 1")
                    : N_("sin(position / 10000^(2i/d_model)) in the even column 2i");
    *explanation = terms_new(arena, &rule_sum, formula, 1);
    double angle = w.position / wavelength(w.exponent, w.width);
    explanation->term[0] = (Term){w.is_cosine ? cos(angle) : sin(angle), text, {{0}}};
}

/* $p: the range of positions. */
static const char *code_word(const Step *step, char letter, Arena *arena) {
    (void)letter;
    const Tensor *position = step->input[0];
    int size = tensor_size(position);
    int first = size ? (int)position->data[0] : 0;
    return arena_print(arena, "%d, %d", first, first + size);
}

const Op op_sinusoid = {
    .name = "sinusoid",
    .formula = "$y[p, 2i] = sin(p / 10000^(2i/d_model)),  [p, 2i+1] = cos(…)",
    .inputs_min = 1,
    .inputs_max = 1,
    .learned = 0,
    .shape = shape,
    .forward = forward,
    .backward = backward,
    .explain = explain,
    .relevance = relevance_ends,
    .code =
        CODE("column = numpy.arange($c)\n"
             "angle = numpy.arange($p)[:, None] / 10000.0 ** (column // 2 * 2 / $c)\n"
             "$y = numpy.where(column % 2 == 0, numpy.sin(angle), numpy.cos(angle))",
             "column = torch.arange($c)\n"
             "angle = torch.arange($p)[:, None] / 10000.0 ** (column // 2 * 2 / $c)\n"
             "$y = torch.where(column % 2 == 0, torch.sin(angle), torch.cos(angle))"),
    .code_word = code_word,
};

/* The input is a list of positions that nothing else uses, so it is on the tape without
 * an address. */
Tensor *sinusoid(Tape *tape, const char *name, Axis positions, int d_model, int first) {
    if (tape->failed) return NULL;
    Tensor *list = tensor_new(&tape->arena, "positions", 1, &positions);
    list->holds_ids = true;
    for (int p = 0; p < positions.size; p++) list->data[p] = (Number)(first + p);
    return tape_run(tape, &op_sinusoid, name, &list, 1, (Setting){.count = d_model});
}
