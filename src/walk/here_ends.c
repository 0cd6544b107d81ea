#include <math.h>
#include <string.h>

#include "base/language.h"
#include "tensor/address.h"
#include "walk/ranking.h"
#include "walk/telling.h"

/* The token whose label is longest: most likely a word that means something. */
static int longest_token(const Telling *asked, const Tensor *tensor) {
    int best = 0;
    size_t most = 0;
    for (int t = 0; t < asked_tokens(asked, tensor, 1); t++) {
        size_t length = strlen(asked_label(asked, tensor, 1, t));
        if (asked_is_mark(asked, tensor, 1, t) || length <= most) continue;
        most = length;
        best = t;
    }
    return best;
}

/* The two rows of `table` that are nearest to `row` of it, by cosine. */
static void nearest_rows(const Tensor *table, int row, int nearest[2],
                         double cosine[2]) {
    int size = tensor_row(table);
    const Number *x = table->data + (size_t)row * (size_t)size;
    nearest[0] = nearest[1] = -1;
    cosine[0] = cosine[1] = 0;
    for (int r = 0; r < table->axis[0].size; r++) {
        if (r == row) continue;
        double c = row_cosine(x, table->data + (size_t)r * (size_t)size, size);
        int place = nearest[0] < 0 || c > cosine[0] ? 0 : 1;
        if (place == 1 && nearest[1] >= 0 && c <= cosine[1]) continue;
        if (place == 0) {
            nearest[1] = nearest[0];
            cosine[1] = cosine[0];
        }
        nearest[place] = r;
        cosine[place] = c;
    }
}

Here tell_embedding(const Telling *asked) {
    const Tensor *embedding = asked_part(asked, "embedding");
    const Step *step = embedding ? asked_step(asked, embedding) : NULL;
    if (!step || embedding->rank != 3) return here_nothing();
    const Tensor *table = step->input[0];
    const Tensor *ids = step->input[1];
    int token = longest_token(asked, embedding);
    int row = asked_row(asked, embedding, token);
    int id = (int)ids->data[row / tensor_row(embedding)];
    int nearest[2];
    double cosine[2];
    nearest_rows(table, id, nearest, cosine);
    if (nearest[1] < 0) return here_nothing();
    const char *label[] = {asked_full_label(asked, embedding, 1, token),
                           asked_full_label(asked, table, 0, nearest[0]),
                           asked_full_label(asked, table, 0, nearest[1])};
    tell_apart(label, 3);
    const char *text =
        trf(asked->arena,
            "The row of %s is most like those of %s (cosine %.2f) and %s (%.2f).",
            label[0], label[1], cosine[0], label[2], cosine[1]);
    int size = tensor_row(embedding);
    return here_cell(asked, text, embedding,
                     row + row_largest(embedding->data + row, size));
}

/* The places have no words: how many the sentence has is known from its ids. */
static int places(const Telling *asked, const Tensor *position) {
    const char *address = arena_print(asked->arena, "%s.ids", asked->stage->stack);
    const Tensor *ids = tape_find(asked->story->record.run, address);
    return asked_tokens(asked, ids ? ids : position, ids ? 1 : position->rank - 2);
}

Here tell_position(const Telling *asked) {
    const Tensor *position = asked_part(asked, "position");
    if (!position || position->rank < 2) return here_nothing();
    int tokens = places(asked, position);
    int size = tensor_row(position);
    const Number *x = position->data + asked_row(asked, position, 0);
    if (tokens < 3) return here_nothing();
    double neighbours = 0;
    for (int t = 0; t + 1 < tokens; t++)
        neighbours += row_cosine(x + t * size, x + (t + 1) * size, size) / (tokens - 1);
    double ends = row_cosine(x, x + (tokens - 1) * size, size);
    const char *text =
        trf(asked->arena,
            "Places beside each other have a cosine of %.2f on average, the first and "
            "the last one of %.2f.",
            neighbours, ends);
    Here here = here_cell(asked, text, position, asked_row(asked, position, 0));
    here.command = arena_print(asked->arena, ":heat %s", position->name);
    return here;
}

Here tell_input(const Telling *asked) {
    const Tensor *input = asked_part(asked, "input");
    const Step *step = input ? asked_step(asked, input) : NULL;
    if (!step || step->inputs != 2 || input->rank != 3) return here_nothing();
    const Tensor *word = step->input[0];
    const Tensor *place = step->input[1];
    int token = longest_token(asked, input);
    int size = tensor_row(input);
    int row = asked_row(asked, input, token);
    double share = row_length(place->data + asked_row(asked, place, token), size) /
                   row_length(word->data + asked_row(asked, word, token), size);
    const char *text = trf(asked->arena,
                           "For %s the row of its place is %.2f times as long as the "
                           "row of the word.",
                           asked_label(asked, input, 1, token), share);
    return here_cell(asked, text, input, row + row_largest(input->data + row, size));
}

/* The two tokens of [batch, token, feature] that are most alike; false: too few. */
static bool most_alike(const Telling *asked, const Tensor *tensor, int pair[2],
                       double *cosine) {
    int tokens = asked_tokens(asked, tensor, 1);
    int size = tensor_row(tensor);
    bool found = false;
    for (int a = 0; a < tokens; a++)
        for (int b = a + 1; b < tokens; b++) {
            if (asked_is_mark(asked, tensor, 1, a) ||
                asked_is_mark(asked, tensor, 1, b))
                continue;
            double c = row_cosine(tensor->data + asked_row(asked, tensor, a),
                                  tensor->data + asked_row(asked, tensor, b), size);
            if (found && c <= *cosine) continue;
            found = true;
            *cosine = c;
            pair[0] = a;
            pair[1] = b;
        }
    return found;
}

Here tell_output_rows(const Telling *asked) {
    const Tensor *output = asked_part(asked, "output");
    int pair[2] = {0, 0};
    double now = 0;
    if (!output || output->rank != 3 || !most_alike(asked, output, pair, &now))
        return here_nothing();
    const Tensor *before =
        tape_find(asked->story->record.run,
                  arena_print(asked->arena, "%s.embedding", asked->stage->stack));
    int size = before ? tensor_row(before) : 0;
    const char *a = asked_label(asked, output, 1, pair[0]);
    const char *b = asked_label(asked, output, 1, pair[1]);
    int row = asked_row(asked, output, pair[0]);
    const char *text =
        before
            ? trf(asked->arena,
                  "Most alike by now are %s and %s (cosine %.2f); as embeddings they "
                  "had %.2f.",
                  a, b, now,
                  row_cosine(before->data + asked_row(asked, before, pair[0]),
                             before->data + asked_row(asked, before, pair[1]), size))
            : trf(asked->arena, "Most alike by now are %s and %s (cosine %.2f).", a, b,
                  now);
    return here_cell(asked, text, output,
                     row + row_largest(output->data + row, tensor_row(output)));
}

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
        text = trf(asked->arena,
                   "The closest call is after %s: %s with %.2f, before %s with %.2f.",
                   asked_label(asked, logits, 1, place), label[0],
                   (double)logits->data[row + best[0]], label[1],
                   (double)logits->data[row + best[1]]);
    } else {
        row = asked->story->row * size;
        ranking_best(logits->data + row, size, best, 2);
        label_two(asked, logits, best, label);
        text = trf(asked->arena, "%s is ahead with %.2f, before %s with %.2f.",
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
            ? trf(asked->arena,
                  "It is least sure after %s: %s gets %.2f, %s %.2f, and the other %d "
                  "words share %.2f.",
                  asked_label(asked, p, 1, place), label[0], first, label[1], second,
                  size - 2, 1 - first - second)
            : trf(asked->arena, "%s gets %.2f, then comes %s with %.2f.", label[0],
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
    const char *text = trf(
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
