#include <math.h>
#include <string.h>

#include "base/language.h"
#include "walk/followed.h"

static const Number *row_of(const Telling *asked, const Tensor *tensor, int token) {
    return tensor->data + asked_row(asked, tensor, token);
}

Here tell_embedding(const Telling *asked) {
    const Tensor *embedding = asked_part(asked, "embedding");
    const Step *step = embedding ? record_step(&asked->story->record, embedding) : NULL;
    if (!step || embedding->rank != 3) return here_nothing;
    const Tensor *table = step->input[0];
    int size = tensor_row(table);
    int token = followed_word(asked, embedding);
    int row = asked_row(asked, embedding, token);
    int id = (int)step->input[1]->data[row / tensor_row(embedding)];
    const Number *own = table->data + (size_t)id * (size_t)size;
    int nearest[2] = {-1, -1};
    double cosine[2] = {0, 0};
    for (int r = 0; r < table->axis[0].size; r++) {
        if (r == id) continue;
        double c = row_cosine(own, table->data + (size_t)r * (size_t)size, size);
        bool is_first = nearest[0] < 0 || c > cosine[0];
        if (!is_first && nearest[1] >= 0 && c <= cosine[1]) continue;
        nearest[1] = is_first ? nearest[0] : r;
        cosine[1] = is_first ? cosine[0] : c;
        if (!is_first) continue;
        nearest[0] = r;
        cosine[0] = c;
    }
    if (nearest[1] < 0) return here_nothing;
    const char *label[] = {asked_full_label(asked, embedding, 1, token),
                           asked_full_label(asked, table, 0, nearest[0]),
                           asked_full_label(asked, table, 0, nearest[1])};
    tell_apart(label, 3);
    const char *text = trf(asked->arena,
                           "The row of \"%s\" is most like those of \"%s\" (cosine "
                           "%.2f) and \"%s\" (%.2f).",
                           label[0], label[1], cosine[0], label[2], cosine[1]);
    return here_cell(asked, text, embedding, row);
}

Here tell_position(const Telling *asked) {
    const Tensor *position = asked_part(asked, "position");
    if (!position || position->rank < 2) return here_nothing;
    /* Positions have no labels, so take the number of tokens from the ids. */
    const Tensor *ids =
        tape_find(asked->story->record.run,
                  arena_print(asked->arena, "%s.ids", asked->stage->stack));
    int tokens =
        asked_tokens(asked, ids ? ids : position, ids ? 1 : position->rank - 2);
    int size = tensor_row(position);
    const Number *x = row_of(asked, position, 0);
    if (tokens < 3) return here_nothing;
    double neighbours = 0;
    for (int t = 0; t + 1 < tokens; t++)
        neighbours += row_cosine(x + t * size, x + (t + 1) * size, size) / (tokens - 1);
    const char *text =
        trf(asked->arena,
            "Places beside each other have a cosine of %.2f on average, the first and "
            "the last one of %.2f.",
            neighbours, row_cosine(x, x + (tokens - 1) * size, size));
    int token = ids ? followed_token(asked, ids) : 0;
    Here here = here_cell(asked, text, position, asked_row(asked, position, token));
    here.command = arena_print(asked->arena, ":heat %s", position->name);
    return here;
}

Here tell_input(const Telling *asked) {
    const Tensor *input = asked_part(asked, "input");
    const Step *step = input ? record_step(&asked->story->record, input) : NULL;
    if (!step || step->inputs != 2 || input->rank != 3) return here_nothing;
    const int size = tensor_row(input);
    const int tokens = asked_tokens(asked, input, 1);
    double times = 0; /* the mean */
    for (int t = 0; t < tokens; t++)
        times += row_length(row_of(asked, step->input[1], t), size) /
                 row_length(row_of(asked, step->input[0], t), size) / tokens;
    const char *text =
        trf(asked->arena,
            asked->story->model->config.token_types && step->input[0]->name[0] == 'e'
                ? N_("On average, the row of a position is %.2f times as long as the "
                     "row of its token and type.")
                : N_("On average, the row of a position is %.2f times as long as the "
                     "row of its token."),
            times);
    return here_cell(asked, text, input,
                     asked_row(asked, input, followed_token(asked, input)));
}

Here tell_added(const Telling *asked) {
    const Tape *tape = asked->story->record.run;
    const Tensor *found = asked->stage->tensor[asked->stage->tensors - 1];
    const Tensor *other = NULL; /* the row that it is added to next */
    if (found->rank != 3) return here_nothing;
    for (int s = found->step + 1; s > 0 && s < tape->count && !other; s++) {
        const Step *step = &tape->step[s];
        if (strcmp(step->op->name, "add") == 0 && step->inputs == 2 &&
            step->input[1] == found)
            other = step->input[0];
    }
    if (!other) return here_nothing;
    int token = followed_token(asked, found);
    /* With exchanged roles, it is added to the row of another word. */
    if (strcmp(asked_label(asked, found, 1, token),
               asked_label(asked, other, 1, token)) != 0)
        return here_nothing;
    int size = tensor_row(found);
    double length = row_length(row_of(asked, other, token), size);
    double own = row_length(row_of(asked, found, token), size);
    const char *text =
        trf(asked->arena,
            "This row for \"%s\" is %.2f times as long (√Σx²) as the "
            "row to which it is added next.",
            asked_label(asked, found, 1, token), length > 0 ? own / length : 0);
    return here_cell(asked, text, found, asked_row(asked, found, token));
}

/* Return true if the number, or a difference of two, is printed as 0.00. */
static bool vanishes(double number) {
    return fabs(number) < 0.005;
}

/* Return 0 instead of a number that would be printed as -0.00. */
static double unsigned_zero(double number) {
    return vanishes(number) ? 0 : number;
}

/* Describe how mean and deviation of a row changed (RMSNorm: its size). */
static const char *norm_text(const Telling *asked, const Tensor *norm, int token) {
    const Step *step = record_step(&asked->story->record, norm);
    if (!step) return NULL;
    int size = tensor_row(norm);
    const Number *before = row_of(asked, step->input[0], token);
    const Number *after = row_of(asked, norm, token);
    const char *label = asked_label(asked, norm, 1, token);
    if (!step->op->centres)
        return trf(asked->arena,
                   "The norm takes the row of \"%s\" from the root mean square %.2f to "
                   "%.2f.",
                   label, row_length(before, size) / sqrt(size),
                   row_length(after, size) / sqrt(size));
    return trf(
        asked->arena,
        "The norm takes the row of \"%s\" from mean %.2f and deviation %.2f to %.2f "
        "and %.2f.",
        label, unsigned_zero(row_mean(before, size)), row_deviation(before, size),
        unsigned_zero(row_mean(after, size)), row_deviation(after, size));
}

Here tell_add_norm(const Telling *asked) {
    const Tensor *add = NULL;
    const Tensor *norm = NULL;
    const Stage *stage = asked->stage;
    for (int t = 0; t < stage->tensors; t++) {
        if (stage->tensor[t]->rank != 3) return here_nothing;
        *(strncmp(stage->called[t], "add", 3) == 0 ? &add : &norm) = stage->tensor[t];
    }
    const Tensor *told = norm ? norm : add;
    const int token = followed_token(asked, told);
    const char *added = NULL;
    const Step *step = add ? record_step(&asked->story->record, add) : NULL;
    if (step && step->inputs == 2)
        added = trf(asked->arena,
                    "The new row of \"%s\" has a cosine of %.2f with the row before "
                    "the addition.",
                    asked_label(asked, add, 1, token),
                    row_cosine(row_of(asked, step->input[0], token),
                               row_of(asked, add, token), tensor_row(add)));
    const char *normed = norm ? norm_text(asked, norm, token) : NULL;
    if (!added && !normed) return here_nothing;
    const char *text = added && normed
                           ? arena_print(asked->arena, "%s %s", added, normed)
                       : added ? added
                               : normed;
    return here_cell(asked, text, told, asked_row(asked, told, token));
}

Here tell_output_rows(const Telling *asked) {
    const Tensor *output = asked_part(asked, "output");
    if (!output || output->rank != 3) return here_nothing;
    int tokens = asked_tokens(asked, output, 1);
    int pair[2] = {-1, -1}; /* the most similar pair */
    double now = 0;
    for (int a = 0; a < tokens; a++)
        for (int b = a + 1; b < tokens; b++) {
            const char *word = axis_label(&output->axis[1], asked->story->row, a);
            const char *other = axis_label(&output->axis[1], asked->story->row, b);
            if (asked_is_mark(asked, output, 1, a) ||
                asked_is_mark(asked, output, 1, b) ||
                (word && other && strcmp(word, other) == 0)) /* ids have no labels */
                continue;
            double c = row_cosine(row_of(asked, output, a), row_of(asked, output, b),
                                  tensor_row(output));
            if (pair[0] >= 0 && c <= now) continue;
            now = c;
            pair[0] = a;
            pair[1] = b;
        }
    if (pair[0] < 0) return here_nothing;
    const Tensor *before =
        tape_find(asked->story->record.run,
                  arena_print(asked->arena, "%s.embedding", asked->stage->stack));
    const char *a = asked_label(asked, output, 1, pair[0]);
    const char *b = asked_label(asked, output, 1, pair[1]);
    const char *text =
        before ? trf(asked->arena,
                     "Of different tokens, without punctuation and tokens like <end>, "
                     "most alike are "
                     "\"%s\" and \"%s\" (cosine %.2f); "
                     "as "
                     "embeddings they "
                     "had %.2f.",
                     a, b, unsigned_zero(now),
                     unsigned_zero(row_cosine(row_of(asked, before, pair[0]),
                                              row_of(asked, before, pair[1]),
                                              tensor_row(before))))
               : trf(asked->arena,
                     "Of different tokens, without punctuation and tokens like <end>, "
                     "most alike are "
                     "\"%s\" and \"%s\" (cosine %.2f).",
                     a, b, now);
    return here_cell(asked, text, output, asked_row(asked, output, pair[0]));
}

Here tell_step(const Telling *asked) {
    const Tensor *forget = asked_part(asked, "forget_gate");
    const Tensor *input = asked_part(asked, "input_gate");
    const Tensor *state = asked_part(asked, "state");
    if (!state || state->rank != 2) return here_nothing;
    int size = tensor_row(state);
    int row = asked->story->row * size;
    const Tensor *cell = asked_part(asked, "cell");
    const Step *step = cell ? record_step(&asked->story->record, cell) : NULL;
    const Tensor *before = step ? step->input[1] : NULL;
    bool is_empty = before && row_length(before->data + row, size) == 0;
    const char *text =
        forget && input && is_empty ? trf(asked->arena,
                                          "The cell held nothing yet, only zeros; on "
                                          "average it takes in %.0f%% "
                                          "of what is new (input gate).",
                                          100 * row_mean(input->data + row, size))
        : forget && input
            ? trf(asked->arena,
                  "On average the cell keeps %.0f%% of what it held (forget gate) and "
                  "takes in %.0f%% of what is new (input gate).",
                  100 * row_mean(forget->data + row, size),
                  100 * row_mean(input->data + row, size))
            : trf(asked->arena,
                  "The numbers of the state have a standard deviation of %.2f.",
                  row_deviation(state->data + row, size));
    return here_row(asked, text, state, row);
}

/* The best two words or labels of a row of logits or probabilities. */
typedef struct {
    const Tensor *tensor;
    const char *behind; /* label of the row: the preceding token of the target, or the
                           masked token; NULL: none */
    int cell;           /* cell of the best one */
    double value[2];
    const char *label[2];
} BestTwo;

/* Find the row with the lowest confidence: the smallest lead over the second best if
 * `ahead`, else the smallest best value. Return false with fewer than two classes. */
static bool find_best_two(const Telling *asked, const char *part, bool ahead,
                          BestTwo *two) {
    const Tensor *tensor = asked_part(asked, part);
    int size = tensor ? tensor_row(tensor) : 0;
    if (size < 2) return false;
    bool placed = tensor->rank == 3;
    int places = placed ? asked_tokens(asked, tensor, 1) : 1;
    int hidden;
    const int *place =
        hidden_places(asked->story->record.run, &asked->story->model->config,
                      asked->story->row, asked->arena, &hidden);
    if (hidden) places = hidden;
    int first = placed ? asked_row(asked, tensor, 0) : asked->story->row * size;
    int found = 0;
    int best[2] = {0, 1};
    Number least = INFINITY;
    for (int i = 0; i < places; i++) {
        int at[2];
        int t = hidden ? place[i] : i;
        const Number *x = tensor->data + first + t * size;
        ranking_best(x, size, at, 2);
        Number sure = ahead ? x[at[0]] - x[at[1]] : x[at[0]];
        if (sure >= least) continue;
        found = t;
        least = sure;
        memcpy(best, at, sizeof best);
    }
    int row = first + found * size;
    *two = (BestTwo){.tensor = tensor, .cell = row + best[0]};
    if (placed) two->behind = asked_label(asked, tensor, 1, found);
    for (int b = 0; b < 2; b++) {
        two->value[b] = (double)tensor->data[row + best[b]];
        two->label[b] = asked_full_label(asked, tensor, tensor->rank - 1, best[b]);
    }
    tell_apart(two->label, 2);
    return true;
}

Here tell_logits(const Telling *asked) {
    BestTwo two;
    Arena *arena = asked->arena;
    if (!find_best_two(asked, "logits", true, &two)) return here_nothing;
    bool alike = vanishes(two.value[0] - two.value[1]);
    bool in_place = asked->story->model->config.masked_words;
    const char *text =
        in_place && alike
            ? trf(arena,
                  "The closest call is in place of \"%s\": \"%s\" and \"%s\" have "
                  "nearly the same logit, %.2f.",
                  two.behind, two.label[0], two.label[1], two.value[0])
        : in_place
            ? trf(arena,
                  "The closest call is in place of \"%s\": \"%s\" with %.2f, before "
                  "\"%s\" with %.2f.",
                  two.behind, two.label[0], two.value[0], two.label[1], two.value[1])
        : two.behind && alike
            ? trf(arena,
                  "The closest call is after \"%s\": \"%s\" and \"%s\" have nearly the "
                  "same logit, %.2f.",
                  two.behind, two.label[0], two.label[1], two.value[0])
        : two.behind
            ? trf(arena,
                  "The closest call is after \"%s\": \"%s\" with %.2f, before \"%s\" "
                  "with %.2f.",
                  two.behind, two.label[0], two.value[0], two.label[1], two.value[1])
        : alike ? trf(arena, "\"%s\" and \"%s\" have nearly the same logit, %.2f.",
                      two.label[0], two.label[1], two.value[0])
                : trf(arena, "\"%s\" is ahead with %.2f, before \"%s\" with %.2f.",
                      two.label[0], two.value[0], two.label[1], two.value[1]);
    return here_cell(asked, text, two.tensor, two.cell);
}

/* Describe the row in which the model is least confident of the next word. */
static const char *unsure_text(const BestTwo *two, bool in_place, Arena *arena) {
    int others = tensor_row(two->tensor) - 1;
    if (in_place && vanishes(two->value[0]))
        return trf(arena,
                   "It is least sure of \"%s\": no word gets as much as 0.01 there.",
                   two->behind);
    if (in_place && vanishes(two->value[1]))
        return trf(arena,
                   "It is least sure of \"%s\": \"%s\" gets %.2f there, and the other "
                   "%d words share %.2f.",
                   two->behind, two->label[0], two->value[0], others,
                   1 - two->value[0]);
    if (in_place)
        return trf(arena,
                   "It is least sure of \"%s\": \"%s\" gets %.2f there, \"%s\" %.2f, "
                   "and the other %d words share %.2f.",
                   two->behind, two->label[0], two->value[0], two->label[1],
                   two->value[1], others - 1, 1 - two->value[0] - two->value[1]);
    if (vanishes(two->value[0]))
        return trf(arena,
                   "It is least sure after \"%s\": no word gets as much as 0.01.",
                   two->behind);
    if (vanishes(two->value[1]))
        return trf(arena,
                   "It is least sure after \"%s\": \"%s\" gets %.2f, and the other %d "
                   "words share %.2f.",
                   two->behind, two->label[0], two->value[0], others,
                   1 - two->value[0]);
    return trf(arena,
               "It is least sure after \"%s\": \"%s\" gets %.2f, \"%s\" %.2f, and the "
               "other %d words share %.2f.",
               two->behind, two->label[0], two->value[0], two->label[1], two->value[1],
               others - 1, 1 - two->value[0] - two->value[1]);
}

Here tell_probabilities(const Telling *asked) {
    BestTwo two;
    Arena *arena = asked->arena;
    if (!find_best_two(asked, "probabilities", false, &two)) return here_nothing;
    const char *text =
        two.behind ? unsure_text(&two, asked->story->model->config.masked_words, arena)
        : vanishes(two.value[1])
            ? trf(arena, "\"%s\" gets %.2f, and no other as much as 0.01.",
                  two.label[0], two.value[0])
            : trf(arena, "\"%s\" gets %.2f, then comes \"%s\" with %.2f.", two.label[0],
                  two.value[0], two.label[1], two.value[1]);
    return here_cell(asked, text, two.tensor, two.cell);
}

/* Find the token that contributes most to the lead of the best label: each token
 * contributes its row times the difference of the two labels' weight rows, divided by
 * the number of tokens. */
Here tell_mean(const Telling *asked) {
    const Tensor *mean = asked_part(asked, "mean");
    const Tensor *logits = tape_find(asked->story->record.run, "logits");
    const Step *made = mean ? record_step(&asked->story->record, mean) : NULL;
    const Step *used = logits ? record_step(&asked->story->record, logits) : NULL;
    if (!made || !used || used->input[0] != mean || tensor_row(logits) < 2)
        return here_nothing;
    const Tensor *rows = made->input[0];
    const Tensor *weight = used->input[1];
    int labels = tensor_row(logits);
    int size = tensor_row(weight);
    int best[2] = {0, 0};
    ranking_best(logits->data + asked->story->row * labels, labels, best, 2);
    bool with_padding = made->inputs == 1;
    int tokens = with_padding ? rows->axis[1].size : asked_tokens(asked, rows, 1);
    int most = 0;
    double share[2] = {0, 0}; /* of the token `most`, and of all tokens */
    for (int t = 0; t < tokens; t++) {
        const Number *x = row_of(asked, rows, t);
        double sum = 0;
        for (int d = 0; d < size; d++) {
            double w = (double)weight->data[best[0] * size + d];
            if (weight->axis[0].size > 1) w -= (double)weight->data[best[1] * size + d];
            sum += w * (double)x[d];
        }
        double brought = sum / tokens;
        if (t == 0 || brought > share[0]) {
            share[0] = brought;
            most = t;
        }
        share[1] += brought;
    }
    const char *text = trf(asked->arena,
                           "What speaks most for \"%s\" rather than \"%s\" is \"%s\": "
                           "it brings %.2f of the %.2f that "
                           "all tokens bring together.",
                           asked_label(asked, logits, logits->rank - 1, best[0]),
                           asked_label(asked, logits, logits->rank - 1, best[1]),
                           asked_label(asked, rows, 1, most), share[0], share[1]);
    return here_row(asked, text, mean, asked->story->row * tensor_row(mean));
}
