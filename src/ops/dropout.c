#include <stdint.h>

#include "base/language.h"
#include "base/random.h"
#include "kernel/vector.h"
#include "ops/ops.h"
#include "ops/shape.h"
#include "ops/term.h"

static bool shape(const Step *step, int *rank, Axis *axis, Error *error) {
    double rate = step->setting.number;
    if (!(rate >= 0 && rate < 1))
        return fail(error,
                    "dropout: the rate must be at least 0 and less than 1, but "
                    "it is %g",
                    rate);
    return shape_as_input(step, rank, axis, error);
}

typedef struct {
    uint32_t key[2]; /* decides which numbers are dropped */
    uint32_t below;  /* the rate, in units of 2^-32 */
    Number factor;   /* applied to the numbers that are kept */
} Dropping;

static Dropping dropping(const Step *step) {
    Random random = random_new(step->setting.seed);
    uint64_t bits = random_bits(&random);
    double rate = step->setting.number;
    return (Dropping){.key = {(uint32_t)bits, (uint32_t)(bits >> 32)},
                      .below = (uint32_t)(rate * 0x1p32),
                      .factor = (Number)(1 / (1 - rate))};
}

/* The final step of MurmurHash3 (Appleby, 2011): similar numbers become unrelated. */
static inline uint32_t scramble(uint32_t bits) {
    bits = (bits ^ bits >> 16) * 0x85ebca6bu;
    bits = (bits ^ bits >> 13) * 0xc2b2ae35u;
    return bits ^ bits >> 16;
}

/* The random number of a cell depends only on its index, so cells can be computed in
 * parallel, and again for the gradient. */
static inline bool dropout_on(const Dropping *d, int cell) {
    return scramble(scramble((uint32_t)cell + d->key[0]) + d->key[1]) < d->below;
}

/* y = keep y + (0 if dropped, else x / (1 - rate)) */
CLONES static void drop(Number *restrict y, const Number *restrict x, Dropping d,
                        Number keep, int size) {
#pragma omp simd
    for (int i = 0; i < size; i++) {
        Number stays = d.factor * x[i];
        y[i] = kept(keep, y[i]) + (dropout_on(&d, i) ? 0 : stays);
    }
}

static void forward(Step *step, Arena *arena) {
    (void)arena;
    drop(step->output->data, step->input[0]->data, dropping(step), 0,
         tensor_size(step->output));
}

/* dx = 0 if dropped, else dy / (1 - rate), for the same cells */
static void backward(const Step *step, Arena *scratch) {
    (void)scratch;
    Tensor *x = step->input[0];
    if (x->grad)
        drop(x->grad, step->output->grad, dropping(step), tensor_grad_factor(x),
             tensor_size(x));
}

static void explain(const Step *step, int cell, Arena *arena,
                    Explanation *explanation) {
    Dropping d = dropping(step);
    Place place = {step->input[0], cell};
    double rate = step->setting.number;
    bool dropped = dropout_on(&d, cell);
    *explanation = terms_new(
        arena, &rule_sum,
        trf(arena, "0 with probability %g, else number / (1 - %g)", rate, rate), 1);
    explanation->term[0] =
        dropped ? (Term){0, tr("0: dropped"), {place}}
                : (Term){term_at(place) / (1 - rate),
                         arena_print(arena, "%s / (1 - %g)",
                                     term_number(arena, term_at(place)), rate),
                         {place}};
}

const Op op_dropout = {
    .name = "dropout",
    .formula = N_("$y = 0 with probability $n, else $0 / (1 − $n)"),
    .inputs_min = 1,
    .inputs_max = 1,
    .learned = 1,
    .reach = REACH_PLACE,
    .shape = shape,
    .forward = forward,
    .backward = backward,
    .explain = explain,
    .code = CODE_NONE,
};

Tensor *dropout(Tape *tape, const char *name, Tensor *x, double rate,
                unsigned long long seed) {
    return tape_run(tape, &op_dropout, name, &x, 1,
                    (Setting){.number = rate, .seed = seed});
}
