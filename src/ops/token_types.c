#include "base/language.h"
#include "ops/ops.h"
#include "ops/shape.h"
#include "ops/term.h"

static void forward(Step *step, Arena *arena) {
    (void)arena;
    const Tensor *ids = step->input[0];
    int tokens = tensor_row(ids);
    int ends = 0; /* in the row before token `i` */
    for (int i = 0; i < tensor_size(ids); i++) {
        if (i % tokens == 0) ends = 0;
        step->output->data[i] =
            (Number)(ends < step->setting.count ? ends : step->setting.count);
        ends += ids->data[i] == (Number)step->setting.number;
    }
}

/* Ids have no gradient. */
static void backward(const Step *step, Arena *scratch) {
    (void)step;
    (void)scratch;
}

static void explain(const Step *step, int cell, Arena *arena,
                    Explanation *explanation) {
    const Tensor *ids = step->input[0];
    int token = cell % tensor_row(ids);
    int end = (int)step->setting.number;
    int counted = 0;
    *explanation = terms_new(
        arena, &rule_sum,
        trf(arena, "how often the id %d, which ends a sentence, occurs before it", end),
        token);
    for (int t = 0; t < token; t++) {
        const Place place = {step->input[0], cell - token + t};
        bool counts = term_at(place) == end && counted < step->setting.count;
        counted += counts;
        explanation->term[t] =
            (Term){counts,
                   trf(arena, "compared with %d: it is %g", end, term_at(place)),
                   {place}};
    }
}

const Op op_token_types = {
    .name = "token_types",
    .formula = N_("$y[token] = how often $n occurs before it in $0, at most $c"),
    .inputs_min = 1,
    .inputs_max = 1,
    .learned = 0,
    .shape = shape_as_input,
    .forward = forward,
    .backward = backward,
    .explain = explain,
    .relevance = relevance_ends,
    .code = CODE("$y = numpy.minimum(numpy.cumsum($0 == $n, axis=-1) - ($0 == $n), $c)",
                 "$y = (torch.cumsum($0 == $n, -1) - 1 * ($0 == $n)).clamp(max=$c)"),
};

Tensor *token_types(Tape *tape, const char *name, Tensor *ids, int end, int types) {
    Tensor *made = tape_run(tape, &op_token_types, name, &ids, 1,
                            (Setting){.number = end, .count = types - 1});
    if (made) made->holds_ids = true;
    return made;
}
