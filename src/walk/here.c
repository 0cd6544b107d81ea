#include "walk/here.h"

#include <math.h>
#include <string.h>

#include "base/language.h"
#include "model/network.h"
#include "tensor/address.h"
#include "text/label.h"

const Here here_nothing = {.head = -1};

const Tensor *stage_view_part(const StageView *view, const char *name) {
    const Stage *stage = view->stage;
    for (int t = 0; t < stage->tensors; t++)
        if (strcmp(stage->called[t], name) == 0) return stage->tensor[t];
    return NULL;
}

static int batch_row(const StageView *view, const Tensor *tensor) {
    int batch = tensor_axis(tensor, "batch");
    int rows = batch < 0 ? 1 : tensor->axis[batch].size;
    return view->story->row < rows ? view->story->row : 0;
}

int stage_view_tokens(const StageView *view, const Tensor *tensor, int a) {
    const Axis *axis = &tensor->axis[a];
    int row = batch_row(view, tensor);
    int count = 0;
    while (count < axis->size && !label_is_padding(axis_label(axis, row, count)))
        count++;
    return count;
}

int stage_view_row(const StageView *view, const Tensor *tensor, int token) {
    return batch_row(view, tensor) * tensor_stride(tensor, 0) +
           token * tensor_row(tensor);
}

static const char *bare_label(const char *label) {
    const char *word = label_bare(label);
    return *word == '#' ? label : word; /* ·#2: only the second space */
}

const char *stage_view_full_label(const StageView *view, const Tensor *tensor, int a,
                                  int index) {
    return address_label(&tensor->axis[a], batch_row(view, tensor), index, view->arena);
}

const char *stage_view_label(const StageView *view, const Tensor *tensor, int a,
                             int index) {
    return bare_label(stage_view_full_label(view, tensor, a, index));
}

void tell_apart(const char **label, int count) {
    for (int i = 0; i < count; i++)
        for (int j = 0; j < i; j++)
            if (strcmp(bare_label(label[i]), bare_label(label[j])) == 0) return;
    for (int i = 0; i < count; i++) label[i] = bare_label(label[i]);
}

static bool is_mark(const char *label) {
    if (!label) return false;
    label = bare_label(label);
    return label[0] == '<' || (label[0] && !label[1] && strchr(".,?!", label[0]));
}

bool stage_view_is_mark(const StageView *view, const Tensor *tensor, int a, int index) {
    /* not as in an address, where the second full stop is .#2 */
    return is_mark(axis_label(&tensor->axis[a], batch_row(view, tensor), index));
}

double row_length(const Number *a, int size) {
    double sum = 0;
    for (int i = 0; i < size; i++) sum += (double)a[i] * (double)a[i];
    return sqrt(sum);
}

double row_cosine(const Number *a, const Number *b, int size) {
    double lengths = row_length(a, size) * row_length(b, size);
    double sum = 0;
    for (int i = 0; i < size; i++) sum += (double)a[i] * (double)b[i];
    return lengths > 0 ? sum / lengths : 0;
}

double row_mean(const Number *a, int size) {
    double sum = 0;
    for (int i = 0; i < size; i++) sum += (double)a[i];
    return size ? sum / size : 0;
}

double row_deviation(const Number *a, int size) {
    double mean = row_mean(a, size);
    double sum = 0;
    for (int i = 0; i < size; i++) sum += ((double)a[i] - mean) * ((double)a[i] - mean);
    return size ? sqrt(sum / size) : 0;
}

Here here_cell(const StageView *view, const char *text, const Tensor *tensor,
               int cell) {
    const char *address = address_print(tensor, cell, view->arena);
    /* An index without a name is for the first tensor of the current stage. */
    bool at_hand = view->stage && view->stage->tensor[0] == tensor;
    const char *bracket = strchr(address, '[');
    int head = tensor_axis(tensor, "head");
    return (Here){
        .text = text,
        .told = address,
        .command =
            arena_print(view->arena, ":why %s", at_hand && bracket ? bracket : address),
        .head = head < 0 ? -1 : tensor_index(tensor, head, cell),
        .tensor = tensor,
        .cell = cell,
    };
}

Here here_row(const StageView *view, const char *text, const Tensor *tensor, int row) {
    int best = row;
    for (int i = row + 1; i < row + tensor_row(tensor); i++)
        if (fabs((double)tensor->data[i]) > fabs((double)tensor->data[best])) best = i;
    return here_cell(view, text, tensor, best);
}

/* If a number is NaN or infinite, report only that. */
static Here tell_broken(const StageView *view, const Tensor *tensor, int cell) {
    const char *text = trf(view->arena, "Some numbers here are not finite: %s is %g.",
                           address_print(tensor, cell, view->arena),
                           tensor_printed((double)tensor->data[cell]));
    return here_cell(view, text, tensor, cell);
}

/* The function that describes each stage, by name. */
static const struct {
    const char *name;
    Tell *tell;
} tellers[] = {
    {"embedding", tell_embedding},
    {"position", tell_position},
    {"input", tell_input},
    {"projections", tell_projections},
    {"heads", tell_heads},
    {"rotated", tell_rotated},
    {"scores", tell_scores},
    {"scaled", tell_scaled},
    {"masked", tell_masked},
    {"weights", tell_weights},
    {"weights-dropped", tell_dropped},
    {"context", tell_context},
    {"concat", tell_concat},
    {"output", tell_added},
    {"feed-forward-output", tell_added},
    {"add-norm-1", tell_add_norm},
    {"add-norm-2", tell_add_norm},
    {"add-norm-3", tell_add_norm},
    {"add-1", tell_add_norm},
    {"add-2", tell_add_norm},
    {"add-3", tell_add_norm},
    {"norm-1", tell_add_norm},
    {"norm-2", tell_add_norm},
    {"norm-3", tell_add_norm},
    {"feed-forward", tell_feed_forward},
    {"encoder-output", tell_output_rows},
    {"decoder-output", tell_output_rows},
    {"step", tell_step},
    {"mean", tell_mean},
    {"logits", tell_logits},
    {"probabilities", tell_probabilities},
};

Here here_of(const StageView *view) {
    const Stage *stage = view->stage;
    bool hides = strcmp(stage->kind->name, "masked") == 0;
    for (int t = 0; t < stage->tensors; t++)
        for (int i = 0; i < tensor_size(stage->tensor[t]); i++) {
            Number number = stage->tensor[t]->data[i];
            if (!isfinite(number) && !(hides && number < 0))
                return tell_broken(view, stage->tensor[t], i);
        }
    for (size_t t = 0; t < sizeof tellers / sizeof *tellers; t++)
        if (strcmp(tellers[t].name, stage->kind->name) == 0)
            return tellers[t].tell(view);
    return here_nothing;
}

void here_say(const Here *here, Page *page) {
    if (!here->text) return;
    page_gap(page);
    page_prose(page, trf(page->arena, "Here: %s", here->text));
    if (here->command) page_hint(page, N_("Try"), here->command);
}

static const char *chosen_label(const Story *story, int step) {
    const char *label =
        tokenizer_label(&story->model->target, story->generated->id[step]);
    return bare_label(label ? label : "");
}

/* The largest weight from a step's last query to a key that is not a mark. */
typedef struct {
    const Tensor *tensor; /* NULL: none found */
    int step, cell;
    double weight;
} LargestWeight;

static LargestWeight largest_weight(const Story *story, Arena *arena) {
    const char *part = network_alignment(&story->model->config, arena);
    LargestWeight max = {0};
    for (int step = 0; part && step < story->generated->count; step++) {
        const Tensor *weights = decoded_part(story, step, part, arena);
        if (!weights || is_mark(chosen_label(story, step))) continue;
        int query = weights->rank - 2;
        for (int cell = 0; cell < tensor_size(weights); cell++) {
            int key = tensor_index(weights, query + 1, cell);
            if (tensor_index(weights, query, cell) == weights->axis[query].size - 1 &&
                (double)weights->data[cell] > max.weight &&
                !is_mark(axis_label(&weights->axis[query + 1], 0, key)))
                max = (LargestWeight){weights, step, cell, (double)weights->data[cell]};
        }
    }
    return max;
}

Here here_of_decoding(const Story *story, Arena *arena) {
    const StageView view = stage_view(story, NULL, arena);
    const Tensor *unsure = NULL; /* the step with the lowest confidence */
    int min = -1;
    double share = 0;
    for (int step = 0; step < story->generated->count; step++) {
        const Tensor *p = decoded_part(story, step, "probabilities", arena);
        if (!p) continue;
        double chosen = decoded_share(story, step, arena);
        if (isnan(chosen)) return tell_broken(&view, p, decoded_cell(story, step, p));
        if (unsure && chosen >= share) continue;
        unsure = p;
        min = step;
        share = chosen;
    }
    if (!unsure) return here_nothing;
    const char *text = share < 0.995
                           ? trf(arena, "It was least confident about \"%s\": %.2f.",
                                 chosen_label(story, min), share)
                           : tr(N_("The model is confident about every token: none has "
                                   "a probability below 0.99."));
    LargestWeight largest = largest_weight(story, arena);
    if (!largest.tensor)
        return here_cell(&view, text, unsure, decoded_cell(story, min, unsure));
    const Axis *keys = &largest.tensor->axis[largest.tensor->rank - 1];
    int key = tensor_index(largest.tensor, largest.tensor->rank - 1, largest.cell);
    const char *said = chosen_label(story, largest.step);
    const char *at = bare_label(address_label(keys, 0, key, arena));
    const char *looked =
        largest.tensor->rank == 4
            ? trf(arena,
                  "To choose \"%s\", it attended to \"%s\" with the weight %.2f (layer "
                  "%d, head %d).",
                  said, at, largest.weight, address_layer(largest.tensor->name),
                  tensor_index(largest.tensor, 1, largest.cell))
            : trf(arena,
                  "To choose \"%s\", it attended to \"%s\" with the weight %.2f.", said,
                  at, largest.weight);
    return here_cell(&view, arena_print(arena, "%s %s", looked, text), largest.tensor,
                     largest.cell);
}
