#include "walk/here.h"

#include <math.h>
#include <string.h>

#include "base/language.h"
#include "model/network.h"
#include "tensor/address.h"
#include "text/label.h"
#include "walk/story.h"
#include "walk/telling.h"

/* Who tells of a stage, by its name. */
static const struct {
    const char *name;
    Tell *tell;
} tellers[] = {
    {"embedding", tell_embedding},
    {"position", tell_position},
    {"input", tell_input},
    {"projections", tell_projections},
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

/* The first number of the stage that is NaN or infinite, unless a mask hides with it;
 * false: there is none. */
static bool find_broken(const Stage *stage, const Tensor **tensor, int *cell) {
    bool hides = strcmp(stage->kind->name, "masked") == 0;
    for (int t = 0; t < stage->tensors; t++)
        for (int i = 0; i < tensor_size(stage->tensor[t]); i++) {
            Number number = stage->tensor[t]->data[i];
            if (isfinite(number) || (hides && number < 0)) continue;
            *tensor = stage->tensor[t];
            *cell = i;
            return true;
        }
    return false;
}

Here here_of(const Story *story, const Stage *stage, Arena *arena) {
    const Telling asked = {story, stage, arena};
    const Tensor *broken;
    int cell;
    if (find_broken(stage, &broken, &cell)) return here_broken(&asked, broken, cell);
    for (size_t t = 0; t < sizeof tellers / sizeof *tellers; t++)
        if (strcmp(tellers[t].name, stage->kind->name) == 0)
            return tellers[t].tell(&asked);
    return here_nothing();
}

void here_say(const Here *here, Page *page) {
    if (!here->text) return;
    page_gap(page);
    page_prose(page, trf(page->arena, "Here: %s", here->text));
    if (here->command) page_hint(page, N_("Try"), here->command);
}

/* What a step looked at in the source: the largest weight of its last query. */
typedef struct {
    const Tensor *tensor;
    int step, cell;
    double weight;
} Look;

static const char *chosen_label(const Story *story, int step) {
    const char *label =
        tokenizer_label(&story->model->target, story->generated->id[step]);
    return bare_label(label ? label : "");
}

static bool is_key_mark(const Tensor *weights, int cell) {
    int last = weights->rank - 1;
    const char *label =
        axis_label(&weights->axis[last], 0, tensor_index(weights, last, cell));
    return label && is_mark(label);
}

static const char *key_label(const Tensor *weights, int cell, Arena *arena) {
    int last = weights->rank - 1;
    return bare_label(address_label(&weights->axis[last], 0,
                                    tensor_index(weights, last, cell), arena));
}

/* The largest weight of the step's last query at a key with a meaning. */
static void look_at_step(const Story *story, int step, const char *part, Arena *arena,
                         Look *most) {
    const Tensor *weights = decoded_part(story, step, part, arena);
    if (!weights || is_mark(chosen_label(story, step))) return;
    int query = weights->rank - 2;
    for (int cell = 0; cell < tensor_size(weights); cell++) {
        if (tensor_index(weights, query, cell) != weights->axis[query].size - 1 ||
            (double)weights->data[cell] <= most->weight || is_key_mark(weights, cell))
            continue;
        *most = (Look){weights, step, cell, (double)weights->data[cell]};
    }
}

/* The step that was least sure of what it chose, and how sure. */
static int least_sure(const Story *story, double *share, Arena *arena) {
    int least = -1;
    for (int step = 0; step < story->generated->count; step++) {
        if (!decoded_part(story, step, "probabilities", arena)) continue;
        double chosen = decoded_share(story, step, arena);
        if (least >= 0 && chosen >= *share) continue;
        least = step;
        *share = chosen;
    }
    return least;
}

Here here_of_decoding(const Story *story, Arena *arena) {
    const Telling asked = {story, NULL, arena};
    const char *part = network_alignment(&story->model->config, arena);
    Look look = {0};
    for (int step = 0; step < story->generated->count; step++)
        if (isnan(decoded_share(story, step, arena))) {
            const Tensor *p = decoded_part(story, step, "probabilities", arena);
            return here_broken(&asked, p, decoded_cell(story, step, p));
        }
    for (int step = 0; part && step < story->generated->count; step++)
        look_at_step(story, step, part, arena, &look);
    double share = 0;
    int least = least_sure(story, &share, arena);
    if (least < 0) return here_nothing();
    const char *unsure =
        trf(arena, "It was least sure of %s: %.2f.", chosen_label(story, least), share);
    if (!look.tensor) {
        const Tensor *p = decoded_part(story, least, "probabilities", arena);
        return here_cell(&asked, unsure, p, decoded_cell(story, least, p));
    }
    const char *looked = trf(arena, "To say %s it looked at %s with %.2f.",
                             chosen_label(story, look.step),
                             key_label(look.tensor, look.cell, arena), look.weight);
    const char *text = arena_print(arena, "%s %s", looked, unsure);
    return here_cell(&asked, text, look.tensor, look.cell);
}
