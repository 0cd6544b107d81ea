#include "present/show_looked.h"

#include <limits.h>

#include "base/language.h"
#include "figure/figure.h"
#include "session/decoding.h"

enum { HEAD_ALL = -1 };

/* The weights of a step: [1, head, query, key], or of seq2seq [1, query, key]. */
static const Tensor *weights_of(const Session *session, const char *alignment, int step,
                                Arena *arena) {
    return tape_find(&session->run->steps,
                     arena_print(arena, "step.%d.%s", step, alignment));
}

static int heads_of(const Tensor *weights) {
    int head = tensor_axis(weights, "head");
    return head < 0 ? 1 : weights->axis[head].size;
}

/* The last query of a step, its head or the mean over all, into a row. */
static void fill_row(const Tensor *weights, int head, Number *row) {
    int keys = tensor_row(weights);
    int queries = weights->axis[weights->rank - 2].size;
    int first = head == HEAD_ALL ? 0 : head;
    int last = head == HEAD_ALL ? heads_of(weights) - 1 : head;
    for (int k = 0; k < keys; k++) {
        double sum = 0;
        for (int h = first; h <= last; h++)
            sum += (double)weights->data[(h * queries + queries - 1) * keys + k];
        row[k] = (Number)(sum / (last - first + 1));
    }
}

/* All rows below each other. */
static Tensor *collect(const Session *session, const char *alignment, int head,
                       Arena *arena) {
    const Generated *generated = &session->run->generated;
    const Tensor *first = weights_of(session, alignment, 0, arena);
    const char **said_label = ARENA_ARRAY(arena, const char *, generated->count);
    for (int t = 0; t < generated->count; t++)
        said_label[t] = decoding_label(session, generated->id[t], arena);
    const Axis axis[] = {{.name = "said",
                          .size = generated->count,
                          .labels = said_label,
                          .label_rows = 1},
                         first->axis[first->rank - 1]};
    Tensor *all =
        tensor_new(arena, arena_print(arena, "step.*.%s", alignment), 2, axis);
    for (int t = 0; t < generated->count; t++)
        fill_row(weights_of(session, alignment, t, arena), head,
                 all->data + t * tensor_row(all));
    return all;
}

static bool choose_head(const Arguments *arguments, int heads, int *head,
                        Error *error) {
    *head = HEAD_ALL;
    if (!arguments_number(arguments, "head", 0, INT_MAX, head, error)) return false;
    return *head < heads ||
           fail_usage(error, "--head is %d; this attention has the heads 0 to %d",
                      *head, heads - 1);
}

bool show_looked(Session *session, const Arguments *arguments, Figure *figure,
                 Error *error) {
    Arena *arena = &session->scratch;
    if (!decoding_at_hand(session, error)) return false;
    const char *alignment = network_alignment(&session->model.config, arena);
    const Tensor *first = alignment ? weights_of(session, alignment, 0, arena) : NULL;
    if (!first)
        return fail(error,
                    "this model's decoder does not look at tokens of the source");
    int heads = heads_of(first);
    int head;
    if (!choose_head(arguments, heads, &head, error)) return false;
    Slice *slice = ARENA_ARRAY(arena, Slice, 1);
    *slice = slice_all(collect(session, alignment, head, arena));
    figure->kind = FIGURE_HEATMAP;
    figure->slice = slice;
    figure->slices = 1;
    figure->scale = SCALE_SHARES;
    figure->row_sums = true;
    figure->frame =
        animation_growing(session->run->generated.count, arena, &figure->frames);
    figure->title =
        head != HEAD_ALL
            ? say(arena, "What each token said looked at: %s, head %d", alignment, head)
        : heads > 1 ? say(arena, "What each token said looked at: %s, mean of %d heads",
                          alignment, heads)
                    : say(arena, "What each token said looked at: %s", alignment);
    return true;
}
