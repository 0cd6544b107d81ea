#include <math.h>
#include <string.h>

#include "base/language.h"
#include "kernel/vector.h"
#include "ops/ops.h"
#include "ops/shape.h"
#include "ops/term.h"

static bool shape(const Step *step, int *rank, Axis *axis, Error *error) {
    const Tensor *table = step->input[0];
    const Tensor *ids = step->input[1];
    if (!shape_rank(step->op, table, 2, "entry, feature", error)) return false;
    if (ids->rank == RANK_MAX)
        return fail(error, "embed: %s %s has too many axes for one more", ids->name,
                    shape_text(ids).text);
    if (!shape_ids(step->op, ids, table, table->axis[0].size, NAN, error)) return false;
    *rank = ids->rank + 1;
    for (int a = 0; a < ids->rank; a++) axis[a] = ids->axis[a];
    axis[ids->rank] = table->axis[1];
    return true;
}

static int entry(const Step *step, int i) {
    return (int)step->input[1]->data[i];
}

/* y_t = row id_t of the table */
static void forward(Step *step, Arena *arena) {
    (void)arena;
    int width = tensor_row(step->output);
    for (int i = 0; i < tensor_size(step->input[1]); i++)
        memcpy(step->output->data + i * width,
               step->input[0]->data + entry(step, i) * width,
               (size_t)width * sizeof(Number));
}

/* Row i of dtable = sum of dy_t over all t with id_t = i. */
static void backward(const Step *step, Arena *scratch) {
    (void)scratch;
    Tensor *table = step->input[0];
    if (!table->grad) return;
    int width = tensor_row(table);
    tensor_begin_grad(table);
    for (int i = 0; i < tensor_size(step->input[1]); i++)
        vector_add(table->grad + entry(step, i) * width, step->output->grad + i * width,
                   1, 1, width);
}

void embed_forget_gradient(const Step *step) {
    Tensor *table = step->input[0];
    int width = tensor_row(table);
    for (int i = 0; i < tensor_size(step->input[1]); i++)
        memset(table->grad + entry(step, i) * width, 0,
               (size_t)width * sizeof *table->grad);
}

static void explain(const Step *step, int cell, Arena *arena,
                    Explanation *explanation) {
    const Tensor *table = step->input[0];
    int width = tensor_row(table);
    int id = entry(step, cell / width);
    *explanation =
        terms_new(arena, &rule_sum, N_("the number in the id's row of the table"), 1);
    explanation->note = trf(arena, "row %d of the table, since the id is %d", id, id);
    explanation->term[0] = term_same(arena, (Place){table, id * width + cell % width});
}

/* Every position that selected the row has slope 1. */
static void slopes(const Step *step, int input, int cell, Slopes *slopes) {
    (void)input;
    int width = tensor_row(step->output);
    for (int t = 0; t < tensor_size(step->input[1]); t++)
        if (entry(step, t) == cell / width)
            slopes_add(slopes, t * width + cell % width, 1);
}

const Op op_embed = {
    .name = "embed",
    .formula = "$y[token] = $0[$1[token]]",
    .inputs_min = 2,
    .inputs_max = 2,
    .learned = 1,
    .shape = shape,
    .forward = forward,
    .backward = backward,
    .explain = explain,
    .relevance = relevance_ends,
    .slopes = slopes,
    .code = CODE("$y = $0[$1.astype(int)]", "$y = F.embedding($1.long(), $0)"),
};

Tensor *embed(Tape *tape, const char *name, Tensor *table, Tensor *ids) {
    return tape_run(tape, &op_embed, name, (Tensor *[]){table, ids}, 2, (Setting){0});
}
