/* Dropout of attention weights: rows that no longer add up to 1. */
#include <math.h>

#include "base/language.h"
#include "walk/here_ask.h"

/* A row of weights that dropout has changed. */
typedef struct {
    int start;
    double sum;
    int dropped, kept; /* of those that the mask lets through */
} DroppedRow;

static DroppedRow row_at(const Tensor *before, const Tensor *after, int start) {
    DroppedRow row = {.start = start};
    for (int i = start; i < start + tensor_row(after); i++) {
        row.sum += (double)after->data[i];
        row.dropped += before->data[i] != 0 && after->data[i] == 0;
        row.kept += after->data[i] != 0;
    }
    return row;
}

/* The row of the story's sentence, dropped in part, whose sum lies farthest from 1. */
static DroppedRow farthest_row(const Telling *asked, const Tensor *before,
                               const Tensor *after) {
    DroppedRow farthest = {.start = -1};
    int batch = tensor_axis(after, "batch");
    for (int start = 0; start < tensor_size(after); start += tensor_row(after)) {
        if (batch >= 0 && tensor_index(after, batch, start) != asked->story->row)
            continue;
        DroppedRow row = row_at(before, after, start);
        if (!row.dropped || !row.kept) continue;
        if (farthest.start < 0 || fabs(row.sum - 1) > fabs(farthest.sum - 1))
            farthest = row;
    }
    return farthest;
}

Here tell_dropped(const Telling *asked) {
    const Tensor *after = asked_part(asked, "weights_dropped");
    const Step *step = after ? asked_step(asked, after) : NULL;
    if (!step || after->rank != 4) return here_nothing();
    DroppedRow row = farthest_row(asked, step->input[0], after);
    if (row.start < 0) return here_nothing();
    const char *text =
        say(asked->arena,
            "In head %d the weights of %s add up to %.2f: %d of %d were dropped, "
            "and the others divided by %g.",
            tensor_index(after, 1, row.start),
            asked_label(asked, after, 2, tensor_index(after, 2, row.start)), row.sum,
            row.dropped, row.dropped + row.kept, 1 - step->setting.number);
    return here_cell(asked, text, after, row.start);
}
