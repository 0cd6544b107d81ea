#include <math.h>
#include <string.h>

#include "base/language.h"
#include "tensor/address.h"
#include "walk/here_ask.h"

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
        say(asked->arena,
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
        say(asked->arena,
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
    const char *text = say(asked->arena,
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
            ? say(asked->arena,
                  "Most alike by now are %s and %s (cosine %.2f); as embeddings they "
                  "had %.2f.",
                  a, b, now,
                  row_cosine(before->data + asked_row(asked, before, pair[0]),
                             before->data + asked_row(asked, before, pair[1]), size))
            : say(asked->arena, "Most alike by now are %s and %s (cosine %.2f).", a, b,
                  now);
    return here_cell(asked, text, output,
                     row + row_largest(output->data + row, tensor_row(output)));
}
