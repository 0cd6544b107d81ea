#include "explain/flow_way.h"
#include "ops/vector.h"

/* Where a row of `width` numbers of the output came from. */
typedef struct {
    int input, cell, width;
} Moved;

/* out [batch, head, token, d_head] of in [batch, token, head x d_head] */
static Moved split_from(const Step *step, int cell) {
    const Axis *axis = step->output->axis;
    int width = axis[3].size;
    int token = cell / width % axis[2].size;
    int head = cell / width / axis[2].size % axis[1].size;
    int batch = cell / width / axis[2].size / axis[1].size;
    return (Moved){0, ((batch * axis[2].size + token) * axis[1].size + head) * width,
                   width};
}

/* and the other way round */
static Moved merge_from(const Step *step, int cell) {
    const Axis *axis = step->input[0]->axis;
    int width = axis[3].size;
    int head = cell / width % axis[1].size;
    int token = cell / width / axis[1].size % axis[2].size;
    int batch = cell / width / axis[1].size / axis[2].size;
    return (Moved){0, ((batch * axis[1].size + head) * axis[2].size + token) * width,
                   width};
}

/* out [batch, head, token, d_head]: the tokens of one, then those of the other */
static Moved append_from(const Step *step, int cell) {
    int width = tensor_row(step->output);
    int old = step->input[0]->axis[2].size;
    int more = step->input[1]->axis[2].size;
    int token = cell / width % (old + more);
    int matrix = cell / width / (old + more);
    return token < old ? (Moved){0, (matrix * old + token) * width, width}
                       : (Moved){1, (matrix * more + token - old) * width, width};
}

static Moved concatenate_from(const Step *step, int cell) {
    int row = cell / tensor_row(step->output);
    int first = tensor_row(step->input[0]);
    int second = tensor_row(step->input[1]);
    return cell % tensor_row(step->output) < first ? (Moved){0, row * first, first}
                                                   : (Moved){1, row * second, second};
}

/* out [batch, token, feature] of one [batch, feature] for each token */
static Moved stack_from(const Step *step, int cell) {
    int width = tensor_row(step->output);
    int tokens = step->output->axis[1].size;
    return (Moved){cell / width % tokens, cell / width / tokens * width, width};
}

/* The explanation knows, too, but takes longer to say it: of what the padding decides,
 * and of any other operation that moves rows. */
static Moved told_from(const Back *back, int cell) {
    const Step *step = back->step;
    Explanation explanation = {0};
    step->op->explain(step, cell, back->arena, &explanation);
    Place place = explanation.term[0].place[0];
    int input = 0;
    while (input < step->inputs - 1 && step->input[input] != place.tensor) input++;
    return (Moved){input, place.cell,
                   least(tensor_row(step->output), tensor_row(step->input[input]))};
}

static Moved moved_from(const Back *back, int cell) {
    const Op *op = back->step->op;
    if (op == &op_split_heads) return split_from(back->step, cell);
    if (op == &op_merge_heads) return merge_from(back->step, cell);
    if (op == &op_append) return append_from(back->step, cell);
    if (op == &op_concatenate) return concatenate_from(back->step, cell);
    if (op == &op_stack) return stack_from(back->step, cell);
    return told_from(back, cell);
}

/* Whole rows that stand elsewhere now; each begins where the row before it ends. */
void back_moved(Back *back) {
    int end = back->flow->from + back->flow->count;
    int width = tensor_row(back->step->output);
    for (int cell = back_first_row(back, width) * width; cell < end;) {
        const Moved from = moved_from(back, cell);
        bool any = false;
        for (int i = 0; i < from.width; i++)
            any = any || back_slope(back, cell + i) != 0;
        Flow *x =
            any ? back_open(back, from.input, from.cell, from.cell + from.width) : NULL;
        for (int i = 0; i < from.width && x; i++)
            x->slope[from.cell + i - x->from] += back_slope(back, cell + i);
        cell += from.width;
    }
}
