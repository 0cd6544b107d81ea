#include <math.h>
#include <string.h>

#include "base/language.h"
#include "walk/here_ask.h"
#include "walk/ranking.h"

/* The place of the target where the best two are nearest to each other. */
static int closest_call(const Telling *asked, const Tensor *tensor, int best[2]) {
    int size = tensor_row(tensor);
    int found = -1;
    double least = 0;
    for (int t = 0; t < asked_tokens(asked, tensor, 1); t++) {
        const Number *x = tensor->data + asked_row(asked, tensor, t);
        int two[2] = {0, -1};
        ranking_best(x, size, two, 2);
        double ahead = (double)(x[two[0]] - x[two[1]]);
        if (found >= 0 && ahead >= least) continue;
        found = t;
        least = ahead;
        memcpy(best, two, sizeof two);
    }
    return found;
}

/* The place of the target where the most probable word is least probable. */
static int least_sure_place(const Telling *asked, const Tensor *p, int best[2]) {
    int size = tensor_row(p);
    int found = 0;
    Number least = INFINITY;
    for (int t = 0; t < asked_tokens(asked, p, 1); t++) {
        const Number *x = p->data + asked_row(asked, p, t);
        int two[2] = {0, -1};
        ranking_best(x, size, two, 2);
        if (x[two[0]] >= least) continue;
        found = t;
        least = x[two[0]];
        memcpy(best, two, sizeof two);
    }
    return found;
}

/* What the best two are called. */
static void label_two(const Telling *asked, const Tensor *tensor, const int best[2],
                      const char *label[2]) {
    for (int b = 0; b < 2; b++)
        label[b] = asked_full_label(asked, tensor, tensor->rank - 1, best[b]);
    tell_apart(label, 2);
}

Here tell_logits(const Telling *asked) {
    const Tensor *logits = asked_part(asked, "logits");
    int size = logits ? tensor_row(logits) : 0;
    if (size < 2) return here_nothing();
    int best[2] = {0, 0};
    int row;
    const char *text;
    const char *label[2];
    if (logits->rank == 3) {
        int place = closest_call(asked, logits, best);
        row = asked_row(asked, logits, place);
        label_two(asked, logits, best, label);
        text = say(asked->arena,
                   "The closest call is after %s: %s with %.2f, before %s with %.2f.",
                   asked_label(asked, logits, 1, place), label[0],
                   (double)logits->data[row + best[0]], label[1],
                   (double)logits->data[row + best[1]]);
    } else {
        row = asked->story->row * size;
        ranking_best(logits->data + row, size, best, 2);
        label_two(asked, logits, best, label);
        text = say(asked->arena, "%s is ahead with %.2f, before %s with %.2f.",
                   label[0], (double)logits->data[row + best[0]], label[1],
                   (double)logits->data[row + best[1]]);
    }
    return here_cell(asked, text, logits, row + best[0]);
}

Here tell_probabilities(const Telling *asked) {
    const Tensor *p = asked_part(asked, "probabilities");
    int size = p ? tensor_row(p) : 0;
    if (size < 2) return here_nothing();
    int best[2] = {0, 1};
    int place = 0;
    if (p->rank == 3)
        place = least_sure_place(asked, p, best);
    else
        ranking_best(p->data + asked->story->row * size, size, best, 2);
    int row = p->rank == 3 ? asked_row(asked, p, place) : asked->story->row * size;
    double first = (double)p->data[row + best[0]];
    double second = (double)p->data[row + best[1]];
    const char *label[2];
    label_two(asked, p, best, label);
    const char *text =
        p->rank == 3
            ? say(asked->arena,
                  "It is least sure after %s: %s gets %.2f, %s %.2f, and the other %d "
                  "words share %.2f.",
                  asked_label(asked, p, 1, place), label[0], first, label[1], second,
                  size - 2, 1 - first - second)
            : say(asked->arena, "%s gets %.2f, then comes %s with %.2f.", label[0],
                  first, label[1], second);
    return here_cell(asked, text, p, row + best[0]);
}

/* What token t brings to the first of two labels rather than the second: its row times
 * the difference of their rows of weights, over how many tokens there are. */
static double brings(const Number *x, const Tensor *weight, const int best[2],
                     int tokens) {
    int size = tensor_row(weight);
    double sum = 0;
    for (int d = 0; d < size; d++) {
        double w = (double)weight->data[best[0] * size + d];
        if (weight->axis[0].size > 1) w -= (double)weight->data[best[1] * size + d];
        sum += w * (double)x[d];
    }
    return sum / tokens;
}

Here tell_mean(const Telling *asked) {
    const Tensor *mean = asked_part(asked, "mean");
    const Tensor *logits = tape_find(asked->story->record.run, "logits");
    const Step *made = mean ? asked_step(asked, mean) : NULL;
    const Step *used = logits ? asked_step(asked, logits) : NULL;
    if (!made || !used || used->input[0] != mean || tensor_row(logits) < 2)
        return here_nothing();
    const Tensor *rows = made->input[0];
    int labels = tensor_row(logits);
    int best[2] = {0, 0};
    ranking_best(logits->data + asked->story->row * labels, labels, best, 2);
    bool with_padding = made->inputs == 1;
    int tokens = with_padding ? rows->axis[1].size : asked_tokens(asked, rows, 1);
    int most = 0;
    double share[2] = {0, 0};
    for (int t = 0; t < tokens; t++) {
        double brought = brings(rows->data + asked_row(asked, rows, t), used->input[1],
                                best, tokens);
        if (t == 0 || brought > share[0]) {
            share[0] = brought;
            most = t;
        }
        share[1] += brought;
    }
    const char *text = say(
        asked->arena,
        "What speaks most for %s rather than %s is %s: it brings %.2f of the %.2f that "
        "all tokens bring together.",
        asked_label(asked, logits, logits->rank - 1, best[0]),
        asked_label(asked, logits, logits->rank - 1, best[1]),
        asked_label(asked, rows, 1, most), share[0], share[1]);
    int cell = asked->story->row * tensor_row(mean);
    return here_cell(asked, text, mean,
                     cell + row_largest(mean->data + cell, tensor_row(mean)));
}
