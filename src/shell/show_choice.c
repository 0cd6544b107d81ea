#include <math.h>
#include <string.h>

#include "model/network.h"
#include "shell/show.h"
#include "text/unicode.h"

/* Probabilities are shown as bars, logits as numbers alone. */
static bool is_shares(const Tensor *tensor) {
    const char *dot = strrchr(tensor->name, '.');
    return strcmp(dot ? dot + 1 : tensor->name, "probabilities") == 0;
}

/* A bar of eighths of a cell, `most` cells for a share of 1. */
static const char *bar(double share, int most, Arena *arena) {
    static const char *const eighths[] = {"", "▏", "▎", "▍", "▌", "▋", "▊", "▉"};
    int length = (int)lround(share * most * 8);
    const char *text = "";
    for (int i = 0; i < length / 8; i++) text = arena_print(arena, "%s█", text);
    return arena_print(arena, "%s%s", text, eighths[length % 8]);
}

/* The indices of the largest `most` numbers, largest first; the lower index of equals.
 */
static void best_of(const Number *number, int count, int *best, int most) {
    int found = 0;
    for (int i = 0; i < count; i++) {
        int place = found;
        while (place > 0 && number[i] > number[best[place - 1]]) place--;
        if (place == most) continue;
        if (found < most) found++;
        for (int j = found - 1; j > place; j--) best[j] = best[j - 1];
        best[place] = i;
    }
}

/* The best few of the numbers at `row` of `tensor`, one a line with a bar for shares.
 */
static void print_candidates(Session *session, const Tensor *tensor, int row) {
    enum { LABEL_WIDTH = 16, BAR_WIDTH = 30 };
    Arena *arena = &session->scratch;
    int words = tensor_row(tensor);
    int most =
        session->options.candidates < words ? session->options.candidates : words;
    int *best = ARENA_ARRAY(arena, int, most);
    const Number *number = tensor->data + (size_t)row * (size_t)words;
    bool shares = is_shares(tensor);
    best_of(number, words, best, most);
    for (int b = 0; b < most; b++) {
        const char *label = axis_label(&tensor->axis[tensor->rank - 1], 0, best[b]);
        fprintf(session->out, "    %s %6d  %10s  %s\n",
                unicode_pad(label ? label : "", LABEL_WIDTH, false, arena), best[b],
                arena_print(arena, "%.*f", shares ? 4 : session->options.digits,
                            (double)number[best[b]]),
                shares ? bar((double)number[best[b]], BAR_WIDTH, arena) : "");
    }
}

/* One line for each place: "나는 →  I 0.93, he 0.02, she 0.01". */
static void print_best(Session *session, const Tensor *tensor, int row,
                       const char *place) {
    enum { PLACE_WIDTH = 14, BEST = 3, BAR_WIDTH = 10 };
    Arena *arena = &session->scratch;
    const Axis *words = &tensor->axis[tensor->rank - 1];
    const Number *number = tensor->data + (size_t)row * (size_t)words->size;
    bool shares = is_shares(tensor);
    int best[BEST];
    int most = words->size < BEST ? words->size : BEST;
    best_of(number, words->size, best, most);
    const char *text = "";
    for (int b = 0; b < most; b++)
        text = arena_print(arena, "%s%s%s %.*f", text, b ? ",  " : "",
                           address_label(words, 0, best[b], arena),
                           session->options.digits, (double)number[best[b]]);
    const char *line =
        arena_print(arena, "  %s %s %s", unicode_pad(place, PLACE_WIDTH, false, arena),
                    shares ? unicode_pad(bar((double)number[best[0]], BAR_WIDTH, arena),
                                         BAR_WIDTH, false, arena)
                           : "→",
                    text);
    fprintf(session->out, "%s\n", unicode_cut(line, session_width(session), arena));
}

void show_bars(Session *session, const Tensor *tensor) {
    Arena *arena = &session->scratch;
    if (tensor->rank == 2) {
        print_candidates(session, tensor, session->row);
        return;
    }
    const Axis *target = &tensor->axis[1];
    fprintf(session->out, "\n  %s the best that come next\n",
            unicode_pad("after", 14, false, arena));
    for (int i = 0; i < target->size; i++)
        print_best(session, tensor, session->row * target->size + i,
                   address_label(target, session->row, i, arena));
}

/* What the last layer looked at in the source at this step, or NULL. */
static const Tensor *step_attention(Session *session, int step) {
    Arena *arena = &session->scratch;
    const char *alignment = network_alignment(&session->model.config, arena);
    if (!alignment) return NULL;
    return tape_find(&session->steps,
                     arena_print(arena, "step.%d.%s", step, alignment));
}

/* The last row of a step's attention: one row where the steps before are remembered. */
static bool show_step_attention(Session *session, int step, Error *error) {
    const Tensor *weights = step_attention(session, step);
    if (!weights) return true;
    Slice slice = slice_all(weights);
    int query = weights->rank - 2;
    slice.from[query] = weights->axis[query].size - 1;
    fprintf(session->out, "\n  what this step looked at in the source%s:\n",
            tensor_axis(weights, "head") >= 0 ? ", head by head" : "");
    return show_heatmap(session, &slice, 1, error);
}

/* The text of the first `count` tokens that were chosen, safe to print: a model's words
 * come from a file. */
static const char *chosen_text(Session *session, int count) {
    Arena *arena = &session->scratch;
    const char *text =
        tokenizer_decode(&session->model.target, session->generated.id, count, arena);
    return session_safe(session, text);
}

bool show_step(Session *session, int step, int number, int count, Error *error) {
    Arena *arena = &session->scratch;
    const Generated *generated = &session->generated;
    const Model *model = &session->model;
    const char *address = arena_print(arena, "step.%d.probabilities", step);
    const Tensor *probabilities = tape_find(&session->steps, address);
    show_heading(session, number, count, "Decoding: choose the next token",
                 arena_print(arena, "step.%d", step));
    show_text(session,
              "The decoder has read <start> and the tokens chosen so far. The most "
              "probable token is taken and read in the next step, until <end> or a "
              "limit.");
    fprintf(session->out, "\n  so far: \"%s\"\n\n", chosen_text(session, step));
    if (probabilities)
        print_candidates(session, probabilities,
                         tensor_size(probabilities) / tensor_row(probabilities) - 1);
    const char *label = tokenizer_label(&model->target, generated->id[step]);
    fprintf(session->out, "  chosen: %s (id %d)\n", label ? label : "",
            generated->id[step]);
    return show_step_attention(session, step, error);
}

void show_decoding(Session *session) {
    Arena *arena = &session->scratch;
    const Generated *generated = &session->generated;
    const Model *model = &session->model;
    for (int t = 0; t < generated->count; t++) {
        const char *label = tokenizer_label(&model->target, generated->id[t]);
        const Tensor *p =
            tape_find(&session->steps, arena_print(arena, "step.%d.probabilities", t));
        double share =
            (double)p->data[tensor_size(p) - tensor_row(p) + generated->id[t]];
        fprintf(session->out, "  step.%-4d %s %6d  %.4f  %s\n", t,
                unicode_pad(label ? label : "", 16, false, arena), generated->id[t],
                share, bar(share, 30, arena));
    }
    fprintf(session->out, "\n  \"%s\"%s\n", chosen_text(session, generated->count),
            generated->ended ? "" : "  (the limit came before <end>)");
}
