#include <math.h>

#include "base/language.h"
#include "ops/ops.h"
#include "ops/shape.h"
#include "ops/term.h"

/* The two numbers of a pair, i and i + d/2 of a row, are rotated together. */
typedef struct {
    int first, second; /* cells */
    double angle;      /* in radians */
    int position, pair, width;
} RotatedPair;

static RotatedPair pair_of(const Step *step, int cell) {
    const Tensor *x = step->input[0];
    int width = tensor_row(x);
    int place = cell % width;
    int i = place % (width / 2);
    int token = cell / width % x->axis[2].size;
    int position = step->setting.count + token;
    return (RotatedPair){cell - place + i,
                         cell - place + i + width / 2,
                         position * pow(step->setting.number, -2.0 * i / width),
                         position,
                         i,
                         width};
}

static bool shape(const Step *step, int *rank, Axis *axis, Error *error) {
    const Tensor *x = step->input[0];
    if (!shape_rank(step->op, x, 4, "batch, head, token, d_head", error)) return false;
    if (tensor_row(x) % 2 != 0)
        return fail(error,
                    "rotate: numbers are rotated in pairs, but %s has %d per row; "
                    "d_head must be even",
                    x->name, tensor_row(x));
    return shape_as_input(step, rank, axis, error);
}

/* Return cos and sin of the angles of every position: [token, width / 2] each. */
static double *turns_of(const Step *step, Arena *arena) {
    const Axis *axis = step->input[0]->axis;
    int half = axis[3].size / 2;
    double *turn = ARENA_ARRAY(arena, double, 2 * axis[2].size * half);
    for (int i = 0; i < half; i++) {
        double speed = pow(step->setting.number, -2.0 * i / axis[3].size);
        for (int t = 0; t < axis[2].size; t++) {
            double angle = (step->setting.count + t) * speed;
            turn[2 * (t * half + i)] = cos(angle);
            turn[2 * (t * half + i) + 1] = sin(angle);
        }
    }
    return turn;
}

/* y_i = x_i cos a - x_j sin a, y_j = x_j cos a + x_i sin a, where j = i + d/2 and a =
 * position / θ^(2i/d): Su et al. 2021, arXiv:2104.09864, with pairs made from the
 * halves of a row, as in GPT-NeoX and Llama. */
static void forward(Step *step, Arena *arena) {
    (void)arena;
    Arena scratch = {0};
    const double *turn = turns_of(step, &scratch);
    const Axis *axis = step->input[0]->axis;
    int tokens = axis[2].size;
    int half = axis[3].size / 2;
    int rows = shape_rows(step->input[0]);
    for (int r = 0; r < rows; r++) {
        const Number *x = step->input[0]->data + 2 * r * half;
        Number *y = step->output->data + 2 * r * half;
        const double *at = turn + 2 * (r % tokens) * half;
        for (int i = 0; i < half; i++) {
            Number c = (Number)at[2 * i];
            Number s = (Number)at[2 * i + 1];
            y[i] = x[i] * c - x[i + half] * s;
            y[i + half] = x[i + half] * c + x[i] * s;
        }
    }
    arena_free(&scratch);
}

/* Rotate back by the same angle: dx_i = dy_i cos a + dy_j sin a, dx_j = dy_j cos a -
 * dy_i sin a. */
static void backward(const Step *step, Arena *scratch) {
    Tensor *input = step->input[0];
    if (!input->grad) return;
    tensor_begin_grad(input);
    const double *turn = turns_of(step, scratch);
    int tokens = input->axis[2].size;
    int half = input->axis[3].size / 2;
    int rows = shape_rows(input);
    for (int r = 0; r < rows; r++) {
        const Number *dy = step->output->grad + 2 * r * half;
        Number *dx = input->grad + 2 * r * half;
        const double *at = turn + 2 * (r % tokens) * half;
        for (int i = 0; i < half; i++) {
            Number c = (Number)at[2 * i];
            Number s = (Number)at[2 * i + 1];
            dx[i] += dy[i] * c + dy[i + half] * s;
            dx[i + half] += dy[i + half] * c - dy[i] * s;
        }
    }
}

static void explain(const Step *step, int cell, Arena *arena,
                    Explanation *explanation) {
    RotatedPair pair = pair_of(step, cell);
    bool is_first = cell == pair.first;
    double c = cos(pair.angle);
    double s = sin(pair.angle);
    const Place own = {step->input[0], cell};
    const Place other = {step->input[0], is_first ? pair.second : pair.first};
    *explanation = terms_new(
        arena, &rule_sum,
        is_first ? N_("number × cos a - its partner × sin a: the pair is rotated by a")
                 : N_("number × cos a + its partner × sin a: the pair is rotated by a"),
        2);
    explanation->term[0] =
        (Term){term_at(own) * c,
               arena_print(arena, "%s × %s", term_number(arena, term_at(own)),
                           term_number(arena, c)),
               {own}};
    explanation->term[1] =
        (Term){term_at(other) * (is_first ? -s : s),
               arena_print(arena, "%s × %s", term_number(arena, term_at(other)),
                           term_number(arena, is_first ? -s : s)),
               {other}};
    explanation->note = trf(arena, "a = position %d / %g^(%d/%d) = %s radians",
                            pair.position, step->setting.number, 2 * pair.pair,
                            pair.width, term_number(arena, pair.angle));
}

static void relevance(Back *back) {
    for (int i = 0; i < back->flow->count; i++) {
        int cell = back->flow->from + i;
        double slope = back->flow->slope[i];
        if (slope == 0) continue;
        RotatedPair pair = pair_of(back->step, cell);
        bool is_first = cell == pair.first;
        back_pass(back, 0, cell, slope * cos(pair.angle));
        back_pass(back, 0, is_first ? pair.second : pair.first,
                  slope * (is_first ? -sin(pair.angle) : sin(pair.angle)));
    }
}

static void slopes(const Step *step, int input, int cell, Slopes *slopes) {
    (void)input;
    RotatedPair pair = pair_of(step, cell);
    bool is_first = cell == pair.first;
    slopes_add(slopes, cell, cos(pair.angle));
    slopes_add(slopes, is_first ? pair.second : pair.first,
               is_first ? sin(pair.angle) : -sin(pair.angle));
}

/* $h: half of a row. $p: the range of positions. */
static const char *code_word(const Step *step, char letter, Arena *arena) {
    const Axis *axis = step->output->axis;
    int first = step->setting.count;
    if (letter == 'h') return arena_print(arena, "%d", axis[3].size / 2);
    return arena_print(arena, "%d, %d", first, first + axis[2].size);
}

const Op op_rotate = {
    .name = "rotate",
    .formula =
        N_("$y = pairs (i, i + d_head/2) of $0 rotated by position / $n^(2i/d_head)"),
    .inputs_min = 1,
    .inputs_max = 1,
    .learned = 1,
    .shape = shape,
    .forward = forward,
    .backward = backward,
    .explain = explain,
    .relevance = relevance,
    .slopes = slopes,
    .code = CODE("angle = numpy.arange($p)[:, None] / $n ** (numpy.arange($h) / $h)\n"
                 "a, b = $0[..., :$h], $0[..., $h:]\n"
                 "c, s = numpy.cos(angle), numpy.sin(angle)\n"
                 "$y = numpy.concatenate([a * c - b * s, b * c + a * s], -1)",
                 "angle = torch.arange($p)[:, None] / $n ** (torch.arange($h) / $h)\n"
                 "a, b = $0.chunk(2, -1)\n"
                 "c, s = torch.cos(angle), torch.sin(angle)\n"
                 "$y = torch.cat([a * c - b * s, b * c + a * s], -1)"),
    .code_word = code_word,
    .says = N_("Positions are not added here. Instead, each pair of numbers of a query "
               "or a key is rotated by an angle that grows with the position. So a "
               "score depends on how far two tokens are apart."),
};

Tensor *rotate(Tape *tape, const char *name, Tensor *x, double base, int first) {
    return tape_run(tape, &op_rotate, name, &x, 1,
                    (Setting){.number = base, .count = first});
}
