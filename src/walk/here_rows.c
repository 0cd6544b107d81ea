#include <math.h>
#include <string.h>

#include "base/language.h"
#include "walk/followed.h"

static const Number *row_of(const StageView *view, const Tensor *tensor, int token) {
    return tensor->data + stage_view_row(view, tensor, token);
}

Here tell_embedding(const StageView *view) {
    const Tensor *embedding = stage_view_part(view, "embedding");
    const Step *step = embedding ? record_step(&view->story->record, embedding) : NULL;
    if (!step || embedding->rank != 3) return here_nothing;
    const Tensor *table = step->input[0];
    int size = tensor_row(table);
    int token = followed_word(view, embedding);
    int row = stage_view_row(view, embedding, token);
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
    const char *label[] = {stage_view_full_label(view, embedding, 1, token),
                           stage_view_full_label(view, table, 0, nearest[0]),
                           stage_view_full_label(view, table, 0, nearest[1])};
    tell_apart(label, 3);
    const char *text = trf(view->arena,
                           "The row of \"%s\" is most similar to those of \"%s\" "
                           "(cosine %.2f) and \"%s\" (%.2f).",
                           label[0], label[1], cosine[0], label[2], cosine[1]);
    return here_cell(view, text, embedding, row);
}

Here tell_position(const StageView *view) {
    const Tensor *position = stage_view_part(view, "position");
    if (!position || position->rank < 2) return here_nothing;
    /* Positions have no labels, so get the number of tokens from the ids. */
    const Tensor *ids =
        tape_find(view->story->record.run,
                  arena_print(view->arena, "%s.ids", view->stage->stack));
    int tokens =
        stage_view_tokens(view, ids ? ids : position, ids ? 1 : position->rank - 2);
    int size = tensor_row(position);
    const Number *x = row_of(view, position, 0);
    if (tokens < 3) return here_nothing;
    double neighbours = 0;
    for (int t = 0; t + 1 < tokens; t++)
        neighbours += row_cosine(x + t * size, x + (t + 1) * size, size) / (tokens - 1);
    const char *text = trf(view->arena,
                           "Neighboring positions have a cosine of %.2f on average, "
                           "the first and the last of %.2f.",
                           neighbours, row_cosine(x, x + (tokens - 1) * size, size));
    int token = ids ? followed_token(view, ids) : 0;
    Here here = here_cell(view, text, position, stage_view_row(view, position, token));
    here.command = arena_print(view->arena, ":heat %s", position->name);
    return here;
}

Here tell_input(const StageView *view) {
    const Tensor *input = stage_view_part(view, "input");
    const Step *step = input ? record_step(&view->story->record, input) : NULL;
    if (!step || step->inputs != 2 || input->rank != 3) return here_nothing;
    const int size = tensor_row(input);
    const int tokens = stage_view_tokens(view, input, 1);
    double times = 0; /* the mean */
    for (int t = 0; t < tokens; t++)
        times += row_length(row_of(view, step->input[1], t), size) /
                 row_length(row_of(view, step->input[0], t), size) / tokens;
    const char *text =
        trf(view->arena,
            view->story->model->config.token_types && step->input[0]->name[0] == 'e'
                ? N_("On average, the row of a position is %.2f times as long as the "
                     "row of its token and type.")
                : N_("On average, the row of a position is %.2f times as long as the "
                     "row of its token."),
            times);
    return here_cell(view, text, input,
                     stage_view_row(view, input, followed_token(view, input)));
}

Here tell_added(const StageView *view) {
    const Tape *tape = view->story->record.run;
    const Tensor *found = view->stage->tensor[view->stage->tensors - 1];
    const Tensor *other = NULL; /* the row that it is added to next */
    if (found->rank != 3) return here_nothing;
    for (int s = found->step + 1; s > 0 && s < tape->count && !other; s++) {
        const Step *step = &tape->step[s];
        if (strcmp(step->op->name, "add") == 0 && step->inputs == 2 &&
            step->input[1] == found)
            other = step->input[0];
    }
    if (!other) return here_nothing;
    int token = followed_token(view, found);
    /* With exchanged roles, it is added to the row of another word. */
    if (strcmp(stage_view_label(view, found, 1, token),
               stage_view_label(view, other, 1, token)) != 0)
        return here_nothing;
    int size = tensor_row(found);
    double length = row_length(row_of(view, other, token), size);
    double own = row_length(row_of(view, found, token), size);
    const char *text =
        trf(view->arena,
            "For \"%s\", this row is %.2f times as long (√Σx²) as the row that it is "
            "added to.",
            stage_view_label(view, found, 1, token), length > 0 ? own / length : 0);
    return here_cell(view, text, found, stage_view_row(view, found, token));
}

/* Return true if the number, or a difference of two, is printed as 0.00. */
static bool vanishes(double number) {
    return fabs(number) < 0.005;
}

/* Return 0 instead of a number that would be printed as -0.00. */
static double unsigned_zero(double number) {
    return vanishes(number) ? 0 : number;
}

Here tell_add_norm(const StageView *view) {
    const Tensor *add = NULL;
    const Tensor *norm = NULL;
    const Stage *stage = view->stage;
    for (int t = 0; t < stage->tensors; t++) {
        if (stage->tensor[t]->rank != 3) return here_nothing;
        *(strncmp(stage->called[t], "add", 3) == 0 ? &add : &norm) = stage->tensor[t];
    }
    const Tensor *told = norm ? norm : add;
    const int token = followed_token(view, told);
    const char *added = NULL;
    const Step *step = add ? record_step(&view->story->record, add) : NULL;
    if (step && step->inputs == 2)
        added = trf(view->arena,
                    "After the addition, the row of \"%s\" has a cosine of %.2f with "
                    "the row before it.",
                    stage_view_label(view, add, 1, token),
                    row_cosine(row_of(view, step->input[0], token),
                               row_of(view, add, token), tensor_row(add)));
    const char *normed = NULL;
    const Step *norms = norm ? record_step(&view->story->record, norm) : NULL;
    if (norms) {
        const int size = tensor_row(norm);
        const Number *before = row_of(view, norms->input[0], token);
        const Number *after = row_of(view, norm, token);
        const char *label = stage_view_label(view, norm, 1, token);
        normed =
            norms->op->centres
                ? trf(view->arena,
                      "The norm changes the row of \"%s\" from mean %.2f and "
                      "standard deviation %.2f to %.2f and %.2f.",
                      label, unsigned_zero(row_mean(before, size)),
                      row_deviation(before, size), unsigned_zero(row_mean(after, size)),
                      row_deviation(after, size))
                : trf(view->arena,
                      "The norm changes the row of \"%s\" from the root mean "
                      "square %.2f to %.2f.",
                      label, row_length(before, size) / sqrt(size),
                      row_length(after, size) / sqrt(size));
    }
    if (!added && !normed) return here_nothing;
    const char *text = added && normed
                           ? arena_print(view->arena, "%s %s", added, normed)
                       : added ? added
                               : normed;
    return here_cell(view, text, told, stage_view_row(view, told, token));
}

Here tell_output_rows(const StageView *view) {
    const Tensor *output = stage_view_part(view, "output");
    if (!output || output->rank != 3) return here_nothing;
    int tokens = stage_view_tokens(view, output, 1);
    int pair[2] = {-1, -1}; /* the most similar pair */
    double now = 0;
    for (int a = 0; a < tokens; a++)
        for (int b = a + 1; b < tokens; b++) {
            const char *word = axis_label(&output->axis[1], view->story->row, a);
            const char *other = axis_label(&output->axis[1], view->story->row, b);
            if (stage_view_is_mark(view, output, 1, a) ||
                stage_view_is_mark(view, output, 1, b) ||
                (word && other && strcmp(word, other) == 0)) /* ids have no labels */
                continue;
            double c = row_cosine(row_of(view, output, a), row_of(view, output, b),
                                  tensor_row(output));
            if (pair[0] >= 0 && c <= now) continue;
            now = c;
            pair[0] = a;
            pair[1] = b;
        }
    if (pair[0] < 0) return here_nothing;
    const Tensor *before =
        tape_find(view->story->record.run,
                  arena_print(view->arena, "%s.embedding", view->stage->stack));
    const char *a = stage_view_label(view, output, 1, pair[0]);
    const char *b = stage_view_label(view, output, 1, pair[1]);
    const char *text =
        before ? trf(view->arena,
                     "Apart from punctuation and tokens in < >, the most similar "
                     "different tokens are \"%s\" and \"%s\" (cosine %.2f); their "
                     "embeddings had %.2f.",
                     a, b, unsigned_zero(now),
                     unsigned_zero(row_cosine(row_of(view, before, pair[0]),
                                              row_of(view, before, pair[1]),
                                              tensor_row(before))))
               : trf(view->arena,
                     "Apart from punctuation and tokens in < >, the most similar "
                     "different tokens are \"%s\" and \"%s\" (cosine %.2f).",
                     a, b, now);
    return here_cell(view, text, output, stage_view_row(view, output, pair[0]));
}

Here tell_step(const StageView *view) {
    const Tensor *forget = stage_view_part(view, "forget_gate");
    const Tensor *input = stage_view_part(view, "input_gate");
    const Tensor *state = stage_view_part(view, "state");
    if (!state || state->rank != 2) return here_nothing;
    int size = tensor_row(state);
    int row = view->story->row * size;
    const Tensor *cell = stage_view_part(view, "cell");
    const Step *step = cell ? record_step(&view->story->record, cell) : NULL;
    const Tensor *before = step ? step->input[1] : NULL;
    bool is_empty = before && row_length(before->data + row, size) == 0;
    const char *text =
        forget && input && is_empty ? trf(view->arena,
                                          "The cell was still zero; on average, it "
                                          "adds %.0f%% of the new value (input gate).",
                                          100 * row_mean(input->data + row, size))
        : forget && input
            ? trf(view->arena,
                  "On average, the cell keeps %.0f%% of its value (forget gate) and "
                  "adds %.0f%% of the new one (input gate).",
                  100 * row_mean(forget->data + row, size),
                  100 * row_mean(input->data + row, size))
            : trf(view->arena,
                  "The numbers of the state have a standard deviation of %.2f.",
                  row_deviation(state->data + row, size));
    return here_row(view, text, state, row);
}

/* The best two words or labels of a row of logits or probabilities. */
typedef struct {
    const Tensor *tensor;
    const char *after; /* label of the row: the preceding token of the target, or the
                           masked token; NULL: none */
    int cell;          /* cell of the best one */
    double value[2];
    const char *label[2];
} BestTwo;

/* Find the row with the lowest confidence: the smallest lead over the second best if
 * `ahead`, else the smallest best value. Return false if there are fewer than two
 * classes. */
static bool find_best_two(const StageView *view, const char *part, bool ahead,
                          BestTwo *two) {
    const Tensor *tensor = stage_view_part(view, part);
    int size = tensor ? tensor_row(tensor) : 0;
    if (size < 2) return false;
    bool placed = tensor->rank == 3;
    int places = placed ? stage_view_tokens(view, tensor, 1) : 1;
    int hidden;
    const int *place =
        hidden_places(view->story->record.run, &view->story->model->config,
                      view->story->row, view->arena, &hidden);
    if (hidden) places = hidden;
    int first = placed ? stage_view_row(view, tensor, 0) : view->story->row * size;
    int found = 0;
    int best[2] = {0, 1};
    Number min = INFINITY;
    for (int i = 0; i < places; i++) {
        int at[2];
        int t = hidden ? place[i] : i;
        const Number *x = tensor->data + first + t * size;
        ranking_best(x, size, at, 2);
        Number sure = ahead ? x[at[0]] - x[at[1]] : x[at[0]];
        if (sure >= min) continue;
        found = t;
        min = sure;
        memcpy(best, at, sizeof best);
    }
    int row = first + found * size;
    *two = (BestTwo){.tensor = tensor, .cell = row + best[0]};
    if (placed) two->after = stage_view_label(view, tensor, 1, found);
    for (int b = 0; b < 2; b++) {
        two->value[b] = (double)tensor->data[row + best[b]];
        two->label[b] = stage_view_full_label(view, tensor, tensor->rank - 1, best[b]);
    }
    tell_apart(two->label, 2);
    return true;
}

Here tell_logits(const StageView *view) {
    BestTwo two;
    Arena *arena = view->arena;
    if (!find_best_two(view, "logits", true, &two)) return here_nothing;
    bool alike = vanishes(two.value[0] - two.value[1]);
    bool in_place = view->story->model->config.masked_words;
    const char *text =
        in_place && alike ? trf(arena,
                                "The closest decision is at \"%s\": \"%s\" and \"%s\" "
                                "have nearly the same logit, %.2f.",
                                two.after, two.label[0], two.label[1], two.value[0])
        : in_place
            ? trf(arena,
                  "The closest decision is at \"%s\": \"%s\" has the logit %.2f, "
                  "\"%s\" %.2f.",
                  two.after, two.label[0], two.value[0], two.label[1], two.value[1])
        : two.after && alike
            ? trf(arena,
                  "The closest decision is after \"%s\": \"%s\" and \"%s\" have nearly "
                  "the same logit, %.2f.",
                  two.after, two.label[0], two.label[1], two.value[0])
        : two.after
            ? trf(arena,
                  "The closest decision is after \"%s\": \"%s\" has the logit %.2f, "
                  "\"%s\" %.2f.",
                  two.after, two.label[0], two.value[0], two.label[1], two.value[1])
        : alike
            ? trf(arena, "\"%s\" and \"%s\" have nearly the same logit, %.2f.",
                  two.label[0], two.label[1], two.value[0])
            : trf(arena,
                  "\"%s\" has the highest logit, %.2f, followed by \"%s\" with %.2f.",
                  two.label[0], two.value[0], two.label[1], two.value[1]);
    return here_cell(view, text, two.tensor, two.cell);
}

/* If there are several rows, describe the one with the least confidence. */
Here tell_probabilities(const StageView *view) {
    BestTwo two;
    Arena *arena = view->arena;
    if (!find_best_two(view, "probabilities", false, &two)) return here_nothing;
    const bool in_place = view->story->model->config.masked_words;
    const int others = tensor_row(two.tensor) - 1;
    const double best = two.value[0], next = two.value[1];
    const char *text;
    if (!two.after && vanishes(next))
        text = trf(arena, "\"%s\" gets %.2f, and no other label gets 0.01 or more.",
                   two.label[0], best);
    else if (!two.after)
        text = trf(arena, "\"%s\" gets %.2f, followed by \"%s\" with %.2f.",
                   two.label[0], best, two.label[1], next);
    else if (vanishes(best))
        text = trf(arena,
                   in_place ? N_("The model is least confident at \"%s\": no token "
                                 "gets 0.01 or more.")
                            : N_("The model is least confident after \"%s\": no token "
                                 "gets 0.01 or more."),
                   two.after);
    else if (vanishes(next))
        text = trf(arena,
                   in_place ? N_("The model is least confident at \"%s\": \"%s\" gets "
                                 "%.2f, and the other %d tokens share %.2f.")
                            : N_("The model is least confident after \"%s\": \"%s\" "
                                 "gets %.2f, and the other %d tokens share %.2f."),
                   two.after, two.label[0], best, others, 1 - best);
    else
        text =
            trf(arena,
                in_place ? N_("The model is least confident at \"%s\": \"%s\" gets "
                              "%.2f, \"%s\" %.2f, and the other %d tokens share %.2f.")
                         : N_("The model is least confident after \"%s\": \"%s\" "
                              "gets %.2f, \"%s\" %.2f, and the other %d tokens share "
                              "%.2f."),
                two.after, two.label[0], best, two.label[1], next, others - 1,
                1 - best - next);
    return here_cell(view, text, two.tensor, two.cell);
}

/* Find the token that contributes most to the lead of the best label: each token
 * contributes its row times the difference of the two labels' weight rows, divided by
 * the number of tokens. */
Here tell_mean(const StageView *view) {
    const Tensor *mean = stage_view_part(view, "mean");
    const Tensor *logits = tape_find(view->story->record.run, "logits");
    const Step *made = mean ? record_step(&view->story->record, mean) : NULL;
    const Step *used = logits ? record_step(&view->story->record, logits) : NULL;
    if (!made || !used || used->input[0] != mean || tensor_row(logits) < 2)
        return here_nothing;
    const Tensor *rows = made->input[0];
    const Tensor *weight = used->input[1];
    int labels = tensor_row(logits);
    int size = tensor_row(weight);
    int best[2] = {0, 0};
    ranking_best(logits->data + view->story->row * labels, labels, best, 2);
    bool with_padding = made->inputs == 1;
    int tokens = with_padding ? rows->axis[1].size : stage_view_tokens(view, rows, 1);
    int max = 0;
    double share[2] = {0, 0}; /* of the token `max`, and of all tokens */
    for (int t = 0; t < tokens; t++) {
        const Number *x = row_of(view, rows, t);
        double sum = 0;
        for (int d = 0; d < size; d++) {
            double w = (double)weight->data[best[0] * size + d];
            if (weight->axis[0].size > 1) w -= (double)weight->data[best[1] * size + d];
            sum += w * (double)x[d];
        }
        double brought = sum / tokens;
        if (t == 0 || brought > share[0]) {
            share[0] = brought;
            max = t;
        }
        share[1] += brought;
    }
    const char *text =
        trf(view->arena,
            "The strongest evidence for \"%s\" over \"%s\" is \"%s\": it contributes "
            "%.2f of the %.2f that all tokens contribute.",
            stage_view_label(view, logits, logits->rank - 1, best[0]),
            stage_view_label(view, logits, logits->rank - 1, best[1]),
            stage_view_label(view, rows, 1, max), share[0], share[1]);
    return here_row(view, text, mean, view->story->row * tensor_row(mean));
}
