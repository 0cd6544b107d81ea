#include <math.h>
#include <stdlib.h>

#include "base/language.h"
#include "walk/followed.h"

static const Number *row_of(const StageView *view, const Tensor *tensor, int token) {
    return tensor->data + stage_view_row(view, tensor, token);
}

/* Return, in `arena`, each unit's contribution to what the feed-forward adds to a row,
 * as a fraction of its squared length: value_j (W_2ᵀ output)_j / |output|². */
static double *unit_shares(const Number *value, const Tensor *weight,
                           const Number *output, Arena *arena) {
    const int units = weight->axis[1].size;
    const int features = weight->axis[0].size;
    double *share = ARENA_ARRAY(arena, double, units);
    const double length = row_length(output, features);
    for (int i = 0; i < features; i++)
        for (int j = 0; j < units; j++)
            share[j] += (double)weight->data[i * units + j] * (double)output[i];
    for (int j = 0; j < units; j++)
        share[j] *= length > 0 ? (double)value[j] / (length * length) : 0;
    return share;
}

static int larger_first(const void *a, const void *b) {
    double one = *(const double *)a;
    double other = *(const double *)b;
    return (one < other) - (one > other);
}

/* For the followed token: the unit that contributes most. */
static Here tell_gated(const StageView *view, const Tensor *gated) {
    Arena *arena = view->arena;
    const Step *gate = record_step(&view->story->record, gated);
    const Tape *run = view->story->record.run;
    /* The first step that multiplies it by a matrix. */
    const Step *next = NULL;
    for (int s = 0; s < run->count && !next; s++)
        if (run->step[s].inputs >= 2 && run->step[s].input[0] == gated &&
            run->step[s].input[1]->step == STEP_NONE)
            next = &run->step[s];
    if (!gate || !next || gated->rank != 3) return here_nothing;
    const int units = tensor_row(gated);
    const int token = followed_token(view, gated);
    double *share = unit_shares(row_of(view, gated, token), next->input[1],
                                row_of(view, next->output, token), arena);
    int best = 0;
    for (int j = 1; j < units; j++)
        if (share[j] > share[best]) best = j;
    const int cell = stage_view_row(view, gated, token) + best;
    /* Count how many of the largest contributions reach half of the squared length. A
     * changed output may be too different from what they add up to. */
    qsort(share, (size_t)units, sizeof *share, larger_first);
    double sum = 0;
    int half = 0;
    while (half < units && sum < 0.5) sum += share[half++];
    if (!(sum >= 0.5)) return here_nothing; /* also not a number */
    const char *text =
        trf(arena,
            "For \"%s\", unit %d contributes most to the feed-forward's output: "
            "%.0f%%, with %.3f (its gate, activated) × %.3f = %.3f.",
            stage_view_label(view, gated, 1, token), best, 100 * share[0],
            (double)gate->input[0]->data[cell], (double)gate->input[1]->data[cell],
            (double)gated->data[cell]);
    if (half > 1)
        text = arena_print(
            arena, "%s %s", text,
            trf(arena,
                "The %d strongest of the %d units contribute at least half of it.",
                half, units));
    return here_cell(view, text, gated, cell);
}

Here tell_feed_forward(const StageView *view) {
    const Tensor *activated = stage_view_part(view, "activated");
    const Tensor *gated = stage_view_part(view, "gated");
    if (gated) return tell_gated(view, gated);
    bool is_read = !(view->story->model->config.as_written & ACTIVATION_DROPPED);
    if (!activated || activated->rank != 3 || !is_read) return here_nothing;
    const int token = followed_token(view, activated);
    const int tokens = stage_view_tokens(view, activated, 1);
    const int units = tensor_row(activated);
    int own = 0; /* units above 0 for that token */
    int all = 0;
    for (int t = 0; t < tokens; t++)
        for (int i = 0; i < units; i++) {
            const int active = row_of(view, activated, t)[i] > 0;
            all += active;
            if (t == token) own += active;
        }
    const char *text = trf(
        view->arena,
        "For \"%s\", %d of the %d units are active (above 0); the average over all "
        "tokens is %.1f.",
        stage_view_label(view, activated, 1, token), own, units, (double)all / tokens);
    return here_row(view, text, activated, stage_view_row(view, activated, token));
}
