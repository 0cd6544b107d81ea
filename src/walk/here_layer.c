#include <math.h>
#include <string.h>

#include "base/language.h"
#include "walk/telling.h"

/* The addition that comes next and has `tensor` as its second part, or NULL. */
static const Step *added_by(const Telling *asked, const Tensor *tensor) {
    const Tape *tape = asked->story->record.run;
    for (int s = tensor->step + 1; s > 0 && s < tape->count; s++) {
        const Step *step = &tape->step[s];
        if (strcmp(step->op->name, "add") == 0 && step->inputs == 2 &&
            step->input[1] == tensor)
            return step;
    }
    return NULL;
}

/* How long the row of a token in `tensor` is, beside that in `other`. */
static double relative_length(const Telling *asked, const Tensor *tensor,
                              const Tensor *other, int token) {
    int size = tensor_row(tensor);
    double length = row_length(other->data + asked_row(asked, other, token), size);
    double own = row_length(tensor->data + asked_row(asked, tensor, token), size);
    return length > 0 ? own / length : 0;
}

/* The token with the largest of it, marks aside; it is called as in `named`. */
static int most_changed(const Telling *asked, const Tensor *named, const Tensor *tensor,
                        const Tensor *other) {
    int most = -1;
    for (int t = 0; t < asked_tokens(asked, named, 1); t++) {
        if (asked_is_mark(asked, named, 1, t)) continue;
        if (most < 0 || relative_length(asked, tensor, other, t) >
                            relative_length(asked, tensor, other, most))
            most = t;
    }
    return most < 0 ? 0 : most;
}

Here tell_added(const Telling *asked) {
    const Stage *stage = asked->stage;
    const Tensor *found = stage->tensor[stage->tensors - 1];
    const Step *add = found->rank == 3 ? added_by(asked, found) : NULL;
    if (!add) return here_nothing();
    int token = most_changed(asked, found, found, add->input[0]);
    int row = asked_row(asked, found, token);
    const char *text = trf(asked->arena,
                           "Most is found for %s: what is to be added is %.2f times as "
                           "long as the row it is added to.",
                           asked_label(asked, found, 1, token),
                           relative_length(asked, found, add->input[0], token));
    return here_cell(asked, text, found,
                     row + row_largest(found->data + row, tensor_row(found)));
}

/* How mean and deviation of a row changed, or where no mean is taken off its size. */
static const char *norm_text(const Telling *asked, const Tensor *norm, int token) {
    const Step *step = asked_step(asked, norm);
    if (!step) return NULL;
    int size = tensor_row(norm);
    const Number *before = step->input[0]->data + asked_row(asked, norm, token);
    const Number *after = norm->data + asked_row(asked, norm, token);
    if (!step->op->centres)
        return trf(asked->arena,
                   "The norm takes the row of %s from the root mean square %.2f to "
                   "%.2f.",
                   asked_label(asked, norm, 1, token),
                   row_length(before, size) / sqrt(size),
                   row_length(after, size) / sqrt(size));
    return trf(asked->arena,
               "The norm takes the row of %s from mean %.2f and deviation %.2f to %.2f "
               "and %.2f.",
               asked_label(asked, norm, 1, token), row_mean(before, size),
               row_deviation(before, size), row_mean(after, size),
               row_deviation(after, size));
}

/* Of the two parts of a row how much is new, by their lengths. */
static const char *add_text(const Telling *asked, const Tensor *add, int *token) {
    const Step *step = asked_step(asked, add);
    if (!step || step->inputs != 2) return NULL;
    *token = most_changed(asked, add, step->input[1], step->input[0]);
    double ratio = relative_length(asked, step->input[1], step->input[0], *token);
    return trf(asked->arena, "%s changes most: %.0f %% of its row is new.",
               asked_label(asked, add, 1, *token), 100 * ratio / (1 + ratio));
}

Here tell_add_norm(const Telling *asked) {
    const Tensor *add = NULL;
    const Tensor *norm = NULL;
    const Stage *stage = asked->stage;
    for (int t = 0; t < stage->tensors; t++) {
        const Tensor *tensor = stage->tensor[t];
        if (tensor->rank != 3) return here_nothing();
        *(strncmp(stage->called[t], "add", 3) == 0 ? &add : &norm) = tensor;
    }
    int token = 0;
    const char *added = add ? add_text(asked, add, &token) : NULL;
    const char *normed = norm ? norm_text(asked, norm, token) : NULL;
    const Tensor *told = norm ? norm : add;
    if (!added && !normed) return here_nothing();
    const char *text = added && normed
                           ? arena_print(asked->arena, "%s %s", added, normed)
                       : added ? added
                               : normed;
    int row = asked_row(asked, told, token);
    return here_cell(asked, text, told,
                     row + row_largest(told->data + row, tensor_row(told)));
}

static int count_active(const Telling *asked, const Tensor *activated, int token) {
    const Number *x = activated->data + asked_row(asked, activated, token);
    int active = 0;
    for (int i = 0; i < tensor_row(activated); i++) active += x[i] > 0;
    return active;
}

Here tell_feed_forward(const Telling *asked) {
    const Tensor *activated = asked_part(asked, "activated");
    if (!activated) activated = asked_part(asked, "hidden");
    if (!activated || activated->rank != 3) return here_nothing();
    int tokens = asked_tokens(asked, activated, 1);
    int most = 0;
    int all = 0;
    int alike = 0; /* that wake as many as the one that wakes most */
    for (int t = 0; t < tokens; t++) {
        int active = count_active(asked, activated, t);
        int ahead = active - count_active(asked, activated, most);
        all += active;
        alike = ahead > 0 ? 1 : alike + (ahead == 0);
        if (ahead > 0) most = t;
    }
    const char *token = asked_label(asked, activated, 1, most);
    int active = count_active(asked, activated, most);
    double average = (double)all / tokens;
    const char *text =
        alike == 1
            ? trf(asked->arena,
                  "%s wakes %d of the %d units (they are above 0), more than any "
                  "other; "
                  "on average it is %.1f.",
                  token, active, tensor_row(activated), average)
            : trf(asked->arena,
                  "%s wakes %d of the %d units (they are above 0), and no other wakes "
                  "more; on average it is %.1f.",
                  token, active, tensor_row(activated), average);
    int row = asked_row(asked, activated, most);
    return here_cell(asked, text, activated,
                     row + row_largest(activated->data + row, tensor_row(activated)));
}

Here tell_step(const Telling *asked) {
    const Tensor *forget = asked_part(asked, "forget_gate");
    const Tensor *input = asked_part(asked, "input_gate");
    const Tensor *state = asked_part(asked, "state");
    if (!state) return here_nothing();
    int size = tensor_row(state);
    int row = asked->story->row * size;
    if (state->rank != 2) return here_nothing();
    const char *text =
        forget && input
            ? trf(asked->arena,
                  "On average the cell keeps %.0f %% of what it held (forget gate) and "
                  "takes in %.0f %% of what is new (input gate).",
                  100 * row_mean(forget->data + row, size),
                  100 * row_mean(input->data + row, size))
            : trf(asked->arena, "The numbers of the state deviate by %.2f.",
                  row_deviation(state->data + row, size));
    return here_cell(asked, text, state, row + row_largest(state->data + row, size));
}
